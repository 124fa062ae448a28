/* What is small for an axis, whatever it has done so far: the least scale of each number that the tolerance measures.
 *
 * A run that starts from rest has no sizes of its own yet. Without a floor its first motion would be held to a part of
 * itself, and a motion that grows like a power of time never meets that, however short the steps are. */
#include "bristle/bristle.h"
#include "maths/elementary.h"
#include "sim/axis.h"
#include "sim/rigs.h"

#include <string.h>

/* the lowest speed at which the law changes; 0 where it knows none */
static double law_speed(const bristle_axis *rig)
{
  const bristle_info *info = rig->contact.law->f64->info;
  double least = 0;
  for (int r = 0; r < info->param_rows; r++) {
    const double value = fabs(rig->contact.p[info->param[r].first]);
    if (info->param[r].kind != BRISTLE_ROW_LOG || strcmp(info->param[r].unit, "m/s") || !(value > 0)) continue;
    least = least > 0 ? fmin(least, value) : value;
  }
  return least;
}

/* friction in sliding: slow, or at the law's own speed; the Coulomb level where no steady force is defined */
static double level_of(const bristle_axis *rig, double load, double speed)
{
  const bristle_model *model = rig->contact.law->f64;
  bristle_input at = { .v = 1e-12, .n = load, .load = rig->contact.load };
  if (!(model->info->traits & BRISTLE_TRAIT_STEADY))
    return bristle_role_value(model->info, rig->contact.p, BRISTLE_ROLE_LEVEL, 0)
           * (rig->contact.load == BRISTLE_LOAD_FORCE ? 1 : fabs(load));
  const double slow = fabs(model->steady(rig->contact.p, &at));
  at.v = speed;
  const double fast = speed > 0 ? fabs(model->steady(rig->contact.p, &at)) : 0;
  return fmax(isfinite(slow) ? slow : 0, isfinite(fast) ? fast : 0);
}

/* How far each state bends until the contact slides; returns the stiffness of all of them together. */
static double find_bends(const axis_host *host, double load, double level, double *bend)
{
  enum { N = BRISTLE_LAW_SIZE };
  const bristle_info *info = host->model->info;
  const bristle_input slow = { .v = 1e-12, .n = load, .load = host->rig->contact.load };
  double virgin[N] = { 0 }, rate[N], df[BRISTLE_D_STATE + N], drate[N * (BRISTLE_D_STATE + N)], total = 0;
  host->diff->jacobian(host->rig->contact.p, virgin, &slow, rate, df, drate);
  for (int k = 0; k < info->nstate; k++) {
    const double stiffness = fabs(df[BRISTLE_D_STATE + k]);
    bend[k] = stiffness > 0 && isfinite(level / stiffness) ? level / stiffness : 0;
    if (bend[k] > 0) total += stiffness;
  }
  return total;
}

axis_least axis_least_of(const axis_host *host, const axis_inputs *in, double end)
{
  const bristle_axis *r = host->rig;
  const double speed = law_speed(r), level = level_of(r, in->load, speed);
  axis_least least = { .v = fmax(speed, fmax(fabs(in->base), fabs(in->anchor_rate))) };
  const double stiffness = find_bends(host, in->load, level, least.bend);
  for (int k = 0; k < host->model->info->nstate; k++) least.x = fmax(least.x, 0.1 * (least.bend[k] *= 0.1));
  /* the contact's own vibration, or a thousandth of what the level could do in all the time */
  if (stiffness > 0) least.v = fmax(least.v, 0.1 * level / sqrt(stiffness * r->mass));
  if (least.v == 0) least.v = 1e-3 * level * host->per_mass * end;
  if (least.x == 0) least.x = 1e-3 * least.v * end;
  /* the floor is needed at the start only: low enough, it costs a few steps and spoils no small motion */
  least.v *= 1e-2;
  least.x *= 1e-2;
  for (int k = 0; k < host->model->info->nstate; k++) least.bend[k] *= 1e-2;
  least.c = 1e-3 * least.x * end;
  least.energy = fmax(0.5 * r->mass * least.v * least.v, level * least.x);
  return least;
}
