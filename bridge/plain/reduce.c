/* A model as a level and a damping, and what that leaves out. */
#include "plain/plain.h"

#include "maths/elementary.h"
#include <string.h>

enum { SPEEDS = 400 };

static double steady(const bridge_request *q, double v)
{
  const bristle_input in = { .v = v, .n = q->load > 0 ? q->load : 1, .load = q->friction->load };
  return q->friction->law->f64->steady(q->friction->p, &in);
}

static double role_value(const bridge_request *q, bristle_role role)
{
  const bristle_row *row = bristle_param_role(q->friction->info, role);
  return row ? q->friction->p[row->first] : 0;
}

static double usual_speed(const bridge_request *q)
{
  const double fall = role_value(q, BRISTLE_ROLE_STRIBECK_SPEED), rise = role_value(q, BRISTLE_ROLE_SMOOTHING_SPEED);
  return fall > 0 ? fall : rise > 0 ? rise : 1e-3;
}

double plain_mean(const bridge_request *q, double v) { return 0.5 * (steady(q, v) - steady(q, -v)); }

/* the line that fits the steady curve best, over evenly spaced speeds */
static void fit_line(const bridge_request *q, plain_model *plain)
{
  double s1 = 0, sv = 0, svv = 0, sf = 0, sfv = 0;
  for (int i = 1; i <= SPEEDS; i++) {
    const double v = (double)i / SPEEDS, f = plain_mean(q, v * plain->fastest);
    s1 += 1, sv += v, svv += v * v, sf += f, sfv += f * v;
  }
  const double determinant = s1 * svv - sv * sv, slope = (s1 * sfv - sv * sf) / determinant;
  plain->damping = slope > 0 ? slope / plain->fastest : 0;
  plain->friction = (sf - plain->damping * plain->fastest * sv) / s1;
  if (plain->friction < 0) plain->friction = 0, plain->damping = sfv / svv / plain->fastest;
}

static void tell_curve(const bridge_request *q, plain_target target, const plain_model *plain, bridge_result *r)
{
  const char *force = q->friction->rotary ? "N m" : "N", *speed = bristle_speed_unit(q->friction->rotary);
  double worst = 0, at = 0, skew = 0;
  for (int i = 1; i <= SPEEDS; i++) {
    const double v = plain->fastest * i / SPEEDS, off = plain_mean(q, v) - plain->friction - plain->damping * v;
    if (fabs(off) > fabs(worst)) worst = off, at = v;
    skew = fmax(skew, fabs(0.5 * (steady(q, v) + steady(q, -v))));
  }
  if (target != PLAIN_CURVE && fabs(worst) > 1e-3 * plain->friction)
    bridge_lost(r, "the shape of the steady curve: off by up to %.3g %s (at %.3g %s), looked at up to %.3g %s",
                fabs(worst), force, at, speed, plain->fastest, speed);
  if (skew > 1e-6 * plain->friction) bridge_lost(r, "the two directions differ by up to %.3g %s", 2 * skew, force);
}

static void tell_rest(const bridge_request *q, plain_target target, const plain_model *plain, bridge_result *r)
{
  const char *force = q->friction->rotary ? "N m" : "N", *length = bristle_length_unit(q->friction->rotary);
  const double stiffness = role_value(q, BRISTLE_ROLE_STIFFNESS), peak = plain->resting - plain->friction;
  if (target == PLAIN_LINE && fabs(peak) > 1e-3 * plain->friction)
    bridge_lost(r, "the static level: %.4g %s must be overcome, %.4g %s are in the file", plain->resting, force,
                plain->friction, force);
  if (stiffness > 0)
    bridge_lost(r, "the bristle: %.3g %s of travel before it slides (stiffness %.3g %s/%s), hysteresis and lag",
                plain->resting / stiffness, length, stiffness, q->friction->rotary ? "N m" : "N", length);
  else if (q->friction->info->nstate)
    bridge_lost(r, "what the contact remembers: %d states", q->friction->info->nstate);
  if (q->friction->load != BRISTLE_LOAD_FORCE)
    bridge_lost(r, "the load: numbers are those of %.4g N", q->load > 0 ? q->load : 1.0);
}

/* ---- along the user's motion ---- */

static double target_force(const bridge_request *q, plain_target target, const plain_model *plain, double v)
{
  if (target == PLAIN_CURVE) return v == 0 ? 0 : plain_mean(q, v);
  const double level = target == PLAIN_PEAK && fabs(v) < usual_speed(q) ? plain->resting : plain->friction;
  return (v > 0 ? level : v < 0 ? -level : 0) + plain->damping * v;
}

static void tell_error(const bridge_request *q, plain_target target, const plain_model *plain, const double *t,
                       const double *v, size_t rows, bridge_result *r)
{
  double s[BRISTLE_LAW_SIZE] = { 0 }, squares = 0, all = 0, worst = 0, when = 0;
  for (size_t i = 1; i < rows; i++) {
    const bristle_input in = {
      .v = 0.5 * (v[i] + v[i - 1]), .n = q->load > 0 ? q->load : 1, .h = t[i] - t[i - 1], .load = q->friction->load
    };
    const double f = q->friction->law->f64->step(q->friction->p, s, &in, NULL);
    const double off = f - target_force(q, target, plain, in.v);
    squares += off * off, all += f * f;
    if (fabs(off) > worst) worst = fabs(off), when = t[i];
  }
  const char *force = q->friction->rotary ? "N m" : "N";
  bridge_lost(r, "along %.100s the force is off by %.3g %s rms, %.1f %% of the friction, at most %.3g %s (at %.4g s)",
              q->data, sqrt(squares / (double)(rows - 1)), force, all > 0 ? 100 * sqrt(squares / all) : 0, worst, force,
              when);
}

static bristle_fault_kind read_motion(const bridge_request *q, bristle_table **table, const double **t,
                                      const double **v, bristle_fault *fault)
{
  const bristle_wanted wanted[] = { { "t|time|#1", "s", 0 }, { "v|velocity|speed|dq|qd|omega|w", "m/s|rad/s", 0 } };
  const bristle_column *column[2];
  bristle_fault_kind kind = bristle_table_read(q->data, table, fault);
  for (int k = 0; k < 2 && !kind; k++) kind = bristle_table_pick(*table, &wanted[k], &column[k], fault);
  if (!kind) kind = bristle_table_check_increasing(*table, column[0], fault);
  if (!kind && (*table)->rows < 2) kind = bridge_fault(fault, BRISTLE_FAULT_VALUE, NULL, "%s has no motion", q->data);
  if (!kind) *t = column[0]->data, *v = column[1]->data;
  return kind;
}

bristle_fault_kind plain_reduce(const bridge_request *q, plain_target target, plain_model *plain, bridge_result *r,
                                bristle_fault *fault)
{
  bristle_table *table = NULL;
  const double *t = NULL, *v = NULL;
  bristle_fault_kind kind = q->data ? read_motion(q, &table, &t, &v, fault) : BRISTLE_FAULT_NONE;
  *plain = (plain_model){ .fastest = 100 * usual_speed(q) };
  if (!kind && v) {
    plain->fastest = 0;
    for (size_t i = 0; i < table->rows; i++) plain->fastest = fmax(plain->fastest, fabs(v[i]));
  }
  if (!kind && !(plain->fastest > 0))
    kind = bridge_fault(fault, BRISTLE_FAULT_VALUE, NULL, "%s does not move", q->data);
  if (!kind) {
    plain->resting = plain_mean(q, 1e-6 * usual_speed(q));
    if (!(role_value(q, BRISTLE_ROLE_SMOOTHING_SPEED) > 0)) plain->resting = fmax(plain->resting, 0);
    else
      for (int i = 1; i <= 50; i++) plain->resting = fmax(plain->resting, plain_mean(q, 0.1 * i * usual_speed(q)));
    fit_line(q, plain);
    if (!isfinite(plain->friction) || !isfinite(plain->damping) || !isfinite(plain->resting))
      kind = bridge_fault(fault, BRISTLE_FAULT_VALUE, NULL, "%s has no steady curve", q->friction->info->name);
  }
  if (!kind) {
    tell_rest(q, target, plain, r);
    tell_curve(q, target, plain, r);
    if (v) tell_error(q, target, plain, t, v, table->rows, r);
  }
  bristle_table_free(table);
  return kind;
}
