/* From geometry, reactions and motion to normal load, slip and lever, with one small function of each kind of joint. */
#include "joint/inside.h"

static void split_along(const double a[3], const double axis[3], double *across, double *along)
{
  double part = dot3(a, axis), rest[3];
  for (int i = 0; i < 3; i++) rest[i] = a[i] - part * axis[i];
  *across = norm3(rest);
  *along = abs_f64(part);
}

joint_split joint_split_loads(const bristle_joint *j, const bristle_joint_loads *loads, const double axis[3])
{
  joint_split s = { 0, 0, 0, 0 };
  double unused;
  if (!loads) return s;
  if (j->inputs & BRISTLE_JOINT_INPUT_REACTION) split_along(loads->force, axis, &s.radial, &s.axial);
  if (j->inputs & BRISTLE_JOINT_INPUT_BENDING) split_along(loads->moment, axis, &s.bending, &unused);
  if (j->inputs & BRISTLE_JOINT_INPUT_TORSION) split_along(loads->moment, axis, &unused, &s.torsion);
  return s;
}

double joint_carried(double moment, double arm) { return moment > 0 ? moment / arm : 0; }

double joint_overlap(const bristle_joint *j, double x)
{
  const double sign[] = { 0, 1, -1 };
  return j->overlap + sign[j->overlap_rule] * x;
}

void joint_pin(const bristle_joint *j, const bristle_joint_loads *loads, bristle_joint_map *map)
{
  joint_split s = joint_split_loads(j, loads, map->axis);
  map->lever[0] = j->pin_radius;
  map->load = s.radial + s.axial * j->friction_arm / j->pin_radius + joint_carried(s.bending, j->bending_arm);
}

/* Parts that have come apart are refused by the check; a sliver keeps the numbers finite for those who do not ask. */
double joint_overlap_left(const bristle_joint *j, double x)
{
  double now = joint_overlap(j, x), sliver = 1e-6 * j->overlap;
  return now > sliver ? now : sliver;
}

/* ---- the kinds ---- */

#define JOINT_KIND(name) extern const joint_kind joint_##name;
#include "joint/kinds/kinds.def"
#undef JOINT_KIND
static const joint_kind *const kinds[] = {
#define JOINT_KIND(name) &joint_##name,
#include "joint/kinds/kinds.def"
#undef JOINT_KIND
};
enum { KINDS = sizeof kinds / sizeof *kinds };

const joint_kind *joint_kind_of(bristle_joint_kind kind) { return (unsigned)kind < KINDS ? kinds[kind] : NULL; }

const char *bristle_joint_kind_text(bristle_joint_kind kind)
{
  const joint_kind *k = joint_kind_of(kind);
  return k ? k->name : "joint";
}

int bristle_joint_kinds(void) { return KINDS; }

const char *bristle_joint_keys(bristle_joint_kind kind)
{
  const joint_kind *k = joint_kind_of(kind);
  return k ? k->keys : "";
}

int bristle_joint_dim(bristle_joint_kind kind) { return joint_kind_of(kind) ? joint_kind_of(kind)->dim : 0; }

unsigned bristle_joint_inputs(bristle_joint_kind kind) { return joint_kind_of(kind) ? joint_kind_of(kind)->inputs : 0; }

/* rotation about the direction of component i, or translation along it */
static double component(const bristle_joint_map *map, int i, double translation, const double rotation[3])
{
  if (i < map->translations) return translation;
  return map->lever[i] * (map->dim == 3 ? rotation[i] : dot3(rotation, map->axis));
}

void bristle_joint_resolve(const bristle_joint *j, const bristle_joint_loads *loads, const bristle_joint_motion *motion,
                           bristle_joint_map *map)
{
  const joint_kind *kind = joint_kind_of(j->kind);
  *map = (bristle_joint_map){
    .dim = kind->dim, .translations = kind->translations, .axis = { 0, 0, 1 }, .lever = { 1, 1, 1 }
  };
  kind->geometry(j, loads, motion->x, map);
  const double mu_s = joint_static_level(j);
  for (int i = 0; i < map->dim; i++) {
    double preload = i < map->translations ? j->preload_force : j->preload_torque / map->lever[i];
    if ((j->inputs & BRISTLE_JOINT_INPUT_PRELOAD) && preload > 0) map->preload[i] = preload / mu_s;
    map->slip[i] = component(map, i, motion->v, motion->omega);
  }
  double more = map->preload[0];
  map->effective = j->combine == BRISTLE_JOINT_COMBINE_SUM ? map->load + more : map->load > more ? map->load : more;
}
