/* Mass, offset, gravity and skew that an identification found beside its law, as parts of a rig. */
#include "io/scenario_inside.h"

#include "maths/elementary.h"

void identified_mass(reader *r, bristle_axis *axis)
{
  bristle_friction *f = &r->s->friction;
  const char *key = !strcmp(r->s->rig_name, "pendulum") || r->rotary == 1 ? "inertia" : "mass";
  if (r->kind || axis->mass > 0) return;
  if (!(f->found[BRISTLE_BESIDE_MASS] > 0)) {
    reader_need(r, r->root, key, !strcmp(key, "mass") ? "mass: 1 kg" : "inertia: 0.01 kg*m^2");
    return;
  }
  axis->mass = f->found[BRISTLE_BESIDE_MASS];
  f->acts[BRISTLE_BESIDE_MASS] = 1;
}

/* One that saturates with the drive would be no longer constant: such a rig leaves it to the scenario. */
void identified_offset(reader *r, bristle_axis *axis)
{
  bristle_friction *f = &r->s->friction;
  const double offset = f->found[BRISTLE_BESIDE_OFFSET];
  if (r->kind || offset == 0 || axis->limit > 0) return;
  axis->force.offset -= offset / (axis->gain != 0 ? axis->gain : 1);
  f->acts[BRISTLE_BESIDE_OFFSET] = 1;
}

/* The pendulum hangs down at x = 0: what was found together with a cosine has its zero elsewhere. */
void identified_gravity(reader *r, bristle_axis *axis)
{
  bristle_friction *f = &r->s->friction;
  if (r->kind || axis->gravity != 0 || bristle_node_find(r->root, "gravity")) return;
  if (f->found[BRISTLE_BESIDE_GRAVITY] == 0 || f->found[BRISTLE_BESIDE_GRAVITY_COS] != 0) return;
  axis->gravity = f->found[BRISTLE_BESIDE_GRAVITY];
  f->acts[BRISTLE_BESIDE_GRAVITY] = 1;
}

/* F + skew |v| is a viscous coefficient for each direction, as long as both are friction; in the coefficient form it
   would follow the load, which the term did not. */
void identified_skew(bristle_friction *friction)
{
  bristle_friction skewed = *friction;
  const double skew = friction->found[BRISTLE_BESIDE_SKEW], speed = 1;
  const bristle_row *viscous = bristle_param_role(friction->info, BRISTLE_ROLE_VISCOUS);
  if (skew == 0 || !viscous || viscous->count > 1 || friction->load == BRISTLE_LOAD_COEFFICIENT) return;
  if (bristle_friction_skew(&skewed)) return;
  const bristle_row *last = &skewed.info->param[skewed.info->param_rows - 1]; /* skews end the table, viscous last */
  skewed.p[last->first] += skew / skewed.p[viscous->first];
  if (bristle_check(skewed.law->f64, skewed.p, NULL)) return;
  for (int side = -1; side <= 1; side += 2) { /* a coefficient of another power of the speed is not it */
    const bristle_input in = { .v = side * speed, .n = 1, .load = friction->load };
    const double change = skewed.law->f64->steady(skewed.p, &in) - friction->law->f64->steady(friction->p, &in);
    if (fabs(change - skew * speed) > 1e-9 * (fabs(skew) * speed + fabs(friction->law->f64->steady(friction->p, &in))))
      return;
  }
  skewed.acts[BRISTLE_BESIDE_SKEW] = 1;
  *friction = skewed;
}
