/* Making joints, and refusing bad ones: every message names the joint, the field, its value and the rule. */
#include "joint/inside.h"

void bristle_joint_init(bristle_joint *j, bristle_joint_kind kind)
{
  j->name = NULL;
  j->kind = kind;
  j->pin_radius = j->friction_arm = j->bending_arm = j->reaction_arm = j->overlap = j->ball_radius = 0;
  j->cross_axis[0] = j->cross_axis[1] = 0;
  j->cross_axis[2] = 1;
  j->preload_force = j->preload_torque = 0;
  j->inputs = bristle_joint_inputs(kind);
  j->overlap_rule = BRISTLE_JOINT_OVERLAP_CONSTANT;
  j->effect = BRISTLE_JOINT_EFFECT_BOTH;
  j->combine = BRISTLE_JOINT_COMBINE_SUM;
  j->socket = BRISTLE_JOINT_SOCKET_POINT;
  j->statics = BRISTLE_JOINT_STATICS_OFF;
  j->contact.law = NULL;
  j->contact.vector = NULL;
  j->contact.load = BRISTLE_LOAD_COEFFICIENT;
  j->contact.p = NULL;
  j->mu_s = j->stiffness = 0;
}

const bristle_info *bristle_joint_use(bristle_joint *j, const char *name, const double *p)
{
  const int dim = bristle_joint_dim(j->kind);
  j->contact.law = dim == 1 ? bristle_law_find(name) : NULL;
  j->contact.vector = dim > 1 ? bristle_vector_law_find(name) : NULL;
  j->contact.p = p;
  return joint_info(j);
}

/* ---- one failure ---- */

static const char *name_of(const bristle_joint *j) { return j->name ? j->name : bristle_joint_kind_text(j->kind); }

static bristle_status refuse(const bristle_joint *j, bristle_error *error, bristle_status status, const char *field,
                             int index, double value, const char *rule)
{
  return refuse_with(error, (bristle_error){ status, name_of(j), field, rule, index, value, 0, 0 });
}

static bristle_status broken(const bristle_joint *j, bristle_error *error, const char *field, double value,
                             const char *rule)
{
  return refuse(j, error, BRISTLE_STATUS_RULE_BROKEN, field, -1, value, rule);
}

static bristle_status check_finite(const bristle_joint *j, const char *field, const double *values, int count,
                                   bristle_error *error)
{
  for (int i = 0; i < count; i++)
    if (!is_finite(values[i]))
      return refuse(j, error, BRISTLE_STATUS_NOT_FINITE, field, count > 1 ? i : -1, values[i],
                    "must be a finite number");
  return BRISTLE_STATUS_OK;
}

/* ---- the joint ---- */

static bristle_status check_options(const bristle_joint *j, bristle_error *error)
{
  const struct {
    const char *field;
    unsigned value, count;
    const char *rule;
  } options[] = {
    { "overlap_rule", (unsigned)j->overlap_rule, 3, "the overlap is constant, grows or shrinks (0, 1, 2)" },
    { "effect", (unsigned)j->effect, 2, "the effect is stiction and sliding (0) or sliding only (1)" },
    { "combine", (unsigned)j->combine, 2, "preload and reactions combine by SUM (0) or MAX (1)" },
    { "socket", (unsigned)j->socket, 2, "the socket touches in a point (0) or all round (1)" },
    { "statics", (unsigned)j->statics, 2, "static friction is off (0) or bounded (1)" },
  };
  for (int i = 0; i < (int)(sizeof options / sizeof *options); i++)
    if (options[i].value >= options[i].count)
      return broken(j, error, options[i].field, options[i].value, options[i].rule);
  if (j->inputs & ~15u) return broken(j, error, "inputs", j->inputs, "inputs is a mask of four bits");
  if (!(j->inputs & 15u)) return broken(j, error, "inputs", 0, "no load is selected: there would never be friction");
  if ((j->inputs & BRISTLE_JOINT_INPUT_TORSION) && !(joint_kind_of(j->kind)->inputs & BRISTLE_JOINT_INPUT_TORSION))
    return broken(j, error, "inputs", j->inputs, "only a translational joint carries a torsional moment");
  if ((j->inputs & BRISTLE_JOINT_INPUT_BENDING) && !(joint_kind_of(j->kind)->inputs & BRISTLE_JOINT_INPUT_BENDING))
    return broken(j, error, "inputs", j->inputs, "a spherical joint carries no bending moment");
  return BRISTLE_STATUS_OK;
}

static bristle_status check_lengths(const bristle_joint *j, bristle_error *error)
{
  const unsigned needs = joint_kind_of(j->kind)->needs;
  const int bends = (j->inputs & BRISTLE_JOINT_INPUT_BENDING) != 0,
            twists = (j->inputs & BRISTLE_JOINT_INPUT_TORSION) != 0;
  const struct {
    const char *field;
    double value;
    int needed;
    const char *rule;
  } lengths[] = {
    { "pin_radius", j->pin_radius, needs & NEEDS_PIN, "pin_radius must be above 0: it turns rotation into slip" },
    { "ball_radius", j->ball_radius, needs & NEEDS_BALL, "ball_radius must be above 0: it turns rotation into slip" },
    { "friction_arm", j->friction_arm, 0, NULL },
    { "bending_arm", j->bending_arm, (needs & NEEDS_ARM) && bends,
      "bending_arm must be above 0: bending is among the inputs" },
    { "overlap", j->overlap, (needs & NEEDS_OVERLAP) && bends, "overlap must be above 0: bending is among the inputs" },
    { "reaction_arm", j->reaction_arm, (needs & NEEDS_TORSION_ARM) && twists,
      "reaction_arm must be above 0: torsion is among the inputs" },
  };
  for (int i = 0; i < (int)(sizeof lengths / sizeof *lengths); i++) {
    bristle_status bad = check_finite(j, lengths[i].field, &lengths[i].value, 1, error);
    if (bad) return bad;
    if (lengths[i].value < 0)
      return broken(j, error, lengths[i].field, lengths[i].value, "a length must not be negative");
    if (lengths[i].needed && !(lengths[i].value > 0))
      return broken(j, error, lengths[i].field, lengths[i].value, lengths[i].rule);
  }
  bristle_status bad = check_finite(j, "cross_axis", j->cross_axis, 3, error);
  if (bad) return bad;
  if ((needs & NEEDS_CROSS) && !(norm3(j->cross_axis) > 0))
    return broken(j, error, "cross_axis", 0, "cross_axis must have a direction: the pin this friction belongs to");
  return BRISTLE_STATUS_OK;
}

static bristle_status check_preload(const bristle_joint *j, bristle_error *error)
{
  const joint_kind *kind = joint_kind_of(j->kind);
  const struct {
    const char *field;
    double value;
    int has;
    const char *rule;
  } preloads[] = {
    { "preload_force", j->preload_force, kind->translations > 0, "this joint cannot slide: it takes a preload_torque" },
    { "preload_torque", j->preload_torque, kind->translations < kind->dim,
      "this joint cannot turn: it takes a preload_force" },
  };
  double sum = 0;
  for (int i = 0; i < 2; i++) {
    bristle_status bad = check_finite(j, preloads[i].field, &preloads[i].value, 1, error);
    if (bad) return bad;
    if (preloads[i].value < 0)
      return broken(j, error, preloads[i].field, preloads[i].value, "a preload is a friction value and not negative");
    if (preloads[i].value > 0 && !preloads[i].has)
      return broken(j, error, preloads[i].field, preloads[i].value, preloads[i].rule);
    sum += preloads[i].value;
  }
  if (j->inputs == BRISTLE_JOINT_INPUT_PRELOAD && !(sum > 0))
    return broken(j, error, kind->translations ? "preload_force" : "preload_torque", 0,
                  "the preload is the only load selected: it must be above 0");
  return BRISTLE_STATUS_OK;
}

static bristle_status check_law(const bristle_joint *j, bristle_error *error)
{
  const int dim = bristle_joint_dim(j->kind);
  static const char *const rules[] = { "this joint needs a scalar law", "this joint needs a vector law" };
  const bristle_info *info = joint_info(j);
  const bristle_contact *c = &j->contact;
  if (!info) return broken(j, error, dim == 1 ? "law" : "vector", 0, rules[dim > 1]);
  if (c->load != BRISTLE_LOAD_COEFFICIENT)
    return broken(j, error, "load", c->load, "the law of a joint is per unit load: convert it to COEFFICIENT form");
  if (!c->p) return broken(j, error, "p", 0, "the law's parameters are missing");
  bristle_status bad = dim == 1 ? bristle_check(c->law->f64, c->p, error)
                                : bristle_vector_check(c->vector->f64[dim - 2], c->p, error);
  if (bad && error) error->model = name_of(j);
  return bad;
}

/* What the options ask of the law. */
static bristle_status check_coefficients(const bristle_joint *j, bristle_error *error)
{
  const double given[2] = { j->mu_s, j->stiffness };
  const int bounded = j->statics == BRISTLE_JOINT_STATICS_BOUNDED;
  for (int i = 0; i < 2; i++) {
    const char *field = i ? "stiffness" : "mu_s";
    bristle_status bad = check_finite(j, field, &given[i], 1, error);
    if (bad) return bad;
    if (given[i] < 0) return broken(j, error, field, given[i], "must not be negative; 0 takes the law's own");
  }
  if (((j->inputs & BRISTLE_JOINT_INPUT_PRELOAD) || bounded) && !(joint_static_level(j) > 0)
      && (bounded || j->preload_force > 0 || j->preload_torque > 0))
    return broken(j, error, "mu_s", j->mu_s,
                  "the law names no level of friction: give mu_s, which divides the preload");
  if (bounded && !(joint_stiffness(j) > 0))
    return broken(j, error, "stiffness", j->stiffness, "the law has no stiffness: give that of static analysis");
  if (j->effect == BRISTLE_JOINT_EFFECT_SLIDING && !bristle_param_role(joint_info(j), BRISTLE_ROLE_LEVEL))
    return broken(j, error, "effect", j->effect, "the law has no level in sliding: it cannot do sliding only");
  return BRISTLE_STATUS_OK;
}

bristle_status bristle_joint_check(const bristle_joint *j, bristle_error *error)
{
  if (!joint_kind_of(j->kind)) return broken(j, error, "kind", (double)j->kind, "there is no such kind of joint");
  bristle_status bad = check_options(j, error);
  if (!bad) bad = check_lengths(j, error);
  if (!bad) bad = check_preload(j, error);
  if (!bad) bad = check_law(j, error);
  if (!bad) bad = check_coefficients(j, error);
  return bad;
}

/* ---- loads and motion ---- */

static bristle_status check_compliance(const bristle_joint *j, const bristle_joint_motion *m, bristle_error *error)
{
  if (m->w < 0) return broken(j, error, "w", m->w, "a compliance must not be negative");
  for (int i = 0; i < 3; i++) {
    if (m->w_rot[i][i] < 0)
      return refuse(j, error, BRISTLE_STATUS_RULE_BROKEN, "w_rot", 4 * i, m->w_rot[i][i],
                    "a compliance must not be negative");
    for (int k = 0; k < i; k++)
      if (abs_f64(m->w_rot[i][k] - m->w_rot[k][i]) > 1e-9 * (m->w_rot[i][i] + m->w_rot[k][k]))
        return refuse(j, error, BRISTLE_STATUS_RULE_BROKEN, "w_rot", 3 * i + k, m->w_rot[i][k],
                      "w_rot must be symmetric");
  }
  if (!(m->h > 0)) return broken(j, error, "h", m->h, "a step needs a length h > 0");
  return BRISTLE_STATUS_OK;
}

bristle_status bristle_joint_check_state(const bristle_joint *j, const bristle_joint_loads *loads,
                                         const bristle_joint_motion *m, int step, bristle_error *error)
{
  if (!loads && (j->inputs & ~(unsigned)BRISTLE_JOINT_INPUT_PRELOAD))
    return broken(j, error, "loads", 0, "the inputs ask for reactions: give force and moment");
  const struct {
    const char *field;
    const double *values;
    int count;
  } fields[] = {
    { "force", loads ? loads->force : NULL, loads ? 3 : 0 },
    { "moment", loads ? loads->moment : NULL, loads ? 3 : 0 },
    { "v", &m->v, 1 },
    { "omega", m->omega, 3 },
    { "x", &m->x, 1 },
    { "rotation", m->rotation, 3 },
    { "a", &m->a, 1 },
    { "alpha", m->alpha, 3 },
    { "f", &m->f, 1 },
    { "torque", m->torque, 3 },
    { "w", &m->w, 1 },
    { "w_rot", m->w_rot[0], 9 },
    { "h", &m->h, 1 },
  };
  for (int i = 0; i < (int)(sizeof fields / sizeof *fields); i++) {
    bristle_status bad = check_finite(j, fields[i].field, fields[i].values, fields[i].count, error);
    if (bad) return bad;
  }
  if ((j->inputs & BRISTLE_JOINT_INPUT_BENDING) && j->overlap > 0 && !(joint_overlap(j, m->x) > 0))
    return broken(j, error, "x", m->x, "the parts have come apart: no overlap is left");
  return step ? check_compliance(j, m, error) : BRISTLE_STATUS_OK;
}
