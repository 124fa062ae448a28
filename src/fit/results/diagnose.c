/* What the residuals of a fit ask for, and whether there is friction at all. */
#include "fit/residuals/terms.h"
#include "fit/results/result.h"
#include "maths/elementary.h"

#include <stdarg.h>
#include <stdlib.h>

static const double NO_WORK = 0.05;   /* of the work that goes in and out: less is taken by no friction to speak of */
static const double NOTICEABLE = 0.3; /* samples of delay */

static void find(bristle_identified *r, int doubtful, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void find(bristle_identified *r, int doubtful, const char *format, ...)
{
  va_list args;
  if (doubtful && !r->doubtful && r->findings == BRISTLE_FINDINGS) r->findings--; /* what doubts is told */
  if (r->findings == BRISTLE_FINDINGS) return;
  if (doubtful && !r->doubtful) r->doubtful = r->findings + 1;
  va_start(args, format);
  vsnprintf(r->finding[r->findings++], sizeof *r->finding, format, args);
  va_end(args);
}

/* ---- is there friction? ---- */

/* Returns whether the answer is no, or that the sign is wrong: what else could be said of friction then contradicts it.
 */
static int look_at_work(bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  double taken = 0, moved = 0, whole = 0; /* whole: by all of the force, of which noise is a small part */
  for (size_t l = 0; l < count; l++) {
    const bristle_log *log = logs[l];
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++) {
        const double friction = log->f[i] - term_sum(log, r->term, i), way = log->x[i] - log->x[i - 1];
        taken += friction * way, moved += fabs(friction * way), whole += fabs(log->f[i] * way);
      }
  }
  if (taken < -NO_WORK * whole) {
    r->against = 1;
    find(r, 1,
         "the force seems to be counted against the motion: over the records it delivers %.3g J, but friction always "
         "takes energy; turn its sign: option force 'NAME*-1'",
         -taken);
  } else if (r->against)
    find(r, 1,
         "the force seems to be counted against the motion: the part proportional to the velocity delivers work, but "
         "friction always takes energy; turn its sign: option force 'NAME*-1'");
  else if (moved > 0 && taken < NO_WORK * moved)
    find(r, 1,
         "these records show no friction: the force returns all but %.1f %% of its work, as a spring or a mass does",
         100 * fmax(taken / moved, 0));
  return r->findings > 0;
}

static int is_known(const bristle_identified *r, bristle_role role)
{
  const bristle_info *info = r->law->f64->info;
  for (int k = 0; k < info->nparam; k++)
    if (bristle_param_at(info, k)->role == role && r->estimate[k].free && !r->estimate[k].reason[0]
        && isfinite(r->estimate[k].deviation))
      return 1;
  return 0;
}

static int is_fitted(const bristle_identified *r, bristle_role role)
{
  const bristle_info *info = r->law->f64->info;
  for (int k = 0; k < info->nparam; k++)
    if (bristle_param_at(info, k)->role == role && r->estimate[k].free) return 1;
  return 0;
}

static void look_at_levels(bristle_identified *r)
{
  static const bristle_role telling[] = { BRISTLE_ROLE_LEVEL, BRISTLE_ROLE_STATIC_LEVEL, BRISTLE_ROLE_VISCOUS,
                                          BRISTLE_ROLE_DRAG, BRISTLE_ROLE_STIFFNESS };
  int fitted = 0;
  for (size_t k = 0; k < sizeof telling / sizeof *telling; k++) {
    if (is_known(r, telling[k])) return;
    fitted |= is_fitted(r, telling[k]);
  }
  if (fitted) find(r, 1, "these records determine no parameter of %s", r->law->name);
}

/* ---- what depends on the position ---- */

static void describe_table(bristle_identified *r, bristle_over kind)
{
  double position[BRISTLE_KNOTS], value[BRISTLE_KNOTS], deviation[BRISTLE_KNOTS], low = 0, high = 0;
  const int knots = bristle_identified_over(r, kind, position, value, deviation);
  const bristle_places *p = &r->over[kind];
  const char *length = bristle_length_unit(r->rotary), *force = bristle_force_unit(r->rotary);
  for (int k = 0; k < knots; k++) low = fmin(low, value[k]), high = fmax(high, value[k]);
  char every[60] = "";
  if (p->periodic) snprintf(every, sizeof every, ", again every %.4g %s", p->length, length);
  if (knots)
    find(r, 0,
         "%s depends on the position%s: by %.3g to %+.3g %s, as the table says; typical of a belt, a screw or a gear",
         kind == BRISTLE_OVER_FRICTION ? "friction" : "the force", every, low, high, force);
}

static void look_at_places(bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  bristle_places over[BRISTLE_OVERS];
  double before, after;
  for (int kind = 0; kind < BRISTLE_OVERS; kind++) describe_table(r, (bristle_over)kind);
  if (r->over[0].knots || r->over[1].knots || !bristle_identified_places(r, logs, count, over, &before, &after)) return;
  find(r, 0,
       "%s depends on the position: the position explains %.0f %% of what the law misses, as with a belt, a screw or a "
       "gear",
       over[BRISTLE_OVER_FRICTION].knots ? "friction" : "the force", 100 * (1 - after * after / (before * before)));
}

/* ---- what depends on the time ---- */

static void look_at_drift(bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  int of_force = 0;
  const double change = result_drift(r, logs, count, &of_force);
  if (change != 0)
    find(r, 0, "%s changes in the course of the record, by %+.2g %s: parameters are mean values; %s",
         of_force ? "the force" : "friction", change, bristle_force_unit(r->rotary),
         of_force ? "typical of a drifting sensor" : "typical of a contact that warms up or runs in");
}

/* ---- delay ---- */

static void look_at_delay(bristle_identified *r, const bristle_log *log)
{
  const double samples = r->delay * log->summary.rate;
  if (!r->tested || !r->delay_known || fabs(samples) < NOTICEABLE) return;
  find(r, 0,
       "the force seems to come %.2g ms %s the motion (a delay of %.1f samples); the deviations contain what that "
       "changes",
       1e3 * fabs(r->delay), r->delay > 0 ? "after" : "before", fabs(samples));
}

/* Two clocks that no deviation allows for: doubtful where they explain much of an error that is large. */
static void look_at_clocks(bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  static const double MUCH = 0.3, LARGE = 0.1; /* of the squares that are left; of the force */
  double explained;
  const double apart = result_clocks(r, logs, count, &explained);
  if (apart != 0)
    find(r, explained > MUCH && r->relative > LARGE,
         "the force comes %s and %s in the course of the record, as if written by a clock %.0f ppm %s than that of the "
         "motion, which explains %.0f %% of the squares that are left; record both by one clock, or correct the times",
         apart > 0 ? "later" : "earlier", apart > 0 ? "later" : "earlier", 1e6 * fabs(apart),
         apart > 0 ? "faster" : "slower", 100 * fmin(explained, 1));
}

/* ---- noise of the motion in a closed loop ---- */

/* the parameter whose change is largest, as a part of itself */
static void look_at_bias(bristle_identified *r, const bristle_log *log)
{
  const bristle_estimate *worst = NULL;
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (x->bias == 0) continue;
    if (!worst || fabs(x->bias * worst->value) > fabs(worst->bias * x->value)) worst = x;
  }
  if (worst)
    find(r, 0,
         "by the reference (%.40s) %s would be %.4g %s, not %.4g: the noise of the motion comes back in the force, or "
         "the law lacks an effect; the deviations include the difference",
         log->fact[BRISTLE_CHANNEL_REFERENCE].column, worst->name, worst->value + worst->bias, worst->unit,
         worst->value);
}

void bristle_identified_diagnose(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                                 const bristle_identify_options *options)
{
  result->findings = result->doubtful = 0;
  if (!logs[0]->phase) return;
  if (look_at_work(result, logs, log_count)) return;
  look_at_levels(result);
  (void)options;
  look_at_places(result, logs, log_count);
  look_at_drift(result, logs, log_count);
  look_at_delay(result, logs[0]);
  look_at_clocks(result, logs, log_count);
  look_at_bias(result, logs[0]);
}
