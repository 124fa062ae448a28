/* What the residuals of a fit ask for, and whether there is friction at all. */
#include "fit/result.h"
#include "fit/signal.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

enum { PLACES = 48 };
static const double NO_WORK = 0.05;   /* of the work that goes in and out: less is taken by no friction to speak of */
static const double BY_PLACE = 0.2;   /* of the squares of the residuals that the position explains */
static const double BY_CHANCE = 5;    /* times what it would explain by chance */
static const double NOTICEABLE = 0.3; /* samples of delay */

static void find(bristle_identified *r, int doubtful, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void find(bristle_identified *r, int doubtful, const char *format, ...)
{
  va_list args;
  if (doubtful) r->doubtful = 1;
  if (r->findings == BRISTLE_FINDINGS) return;
  va_start(args, format);
  vsnprintf(r->finding[r->findings++], sizeof *r->finding, format, args);
  va_end(args);
}

/* ---- is there friction? ---- */

static void look_at_work(bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  double taken = 0, moved = 0;
  for (size_t l = 0; l < count; l++) {
    const bristle_log *log = logs[l];
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++) {
        const double friction = log->f[i] - term_sum(log, r->term, i), way = log->x[i] - log->x[i - 1];
        taken += friction * way, moved += fabs(friction * way);
      }
  }
  if (moved > 0 && taken < NO_WORK * moved)
    find(r, 1,
         "these records show no friction: the force gives back all but %.1f %% of the work that it takes, as a spring "
         "or a "
         "mass does",
         100 * fmax(taken / moved, 0));
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

typedef struct places {
  double low, high;
  int turning; /* an angle that goes round: by its place in the turn */
  double n[PLACES], sum[2][PLACES], square, rows;
} places;

static int place_of(const places *p, double x)
{
  const double part = p->turning ? x / (2 * PI) - floor(x / (2 * PI)) : (x - p->low) / (p->high - p->low);
  const int at = (int)(part * PLACES);
  return at < 0 ? 0 : at < PLACES ? at : PLACES - 1;
}

/* part of the squares that means of the places explain: of the residual, or of it along the motion */
static double explained(const places *p, int along)
{
  double sum = 0;
  for (int k = 0; k < PLACES; k++)
    if (p->n[k] > 0) sum += p->sum[along][k] * p->sum[along][k] / p->n[k];
  return p->square > 0 ? sum / p->square : 0;
}

static int fill_places(places *p, const bristle_identified *r, const bristle_log *const *logs, size_t count)
{
  bristle_fault ignored;
  p->low = HUGE_VAL, p->high = -HUGE_VAL;
  for (size_t l = 0; l < count; l++)
    for (size_t i = 0; i < logs[l]->count; i++)
      p->low = fmin(p->low, logs[l]->x[i]), p->high = fmax(p->high, logs[l]->x[i]);
  p->turning = logs[0]->rotary && p->high - p->low > 4 * PI;
  for (size_t l = 0; l < count; l++) {
    const bristle_log *log = logs[l];
    double *force = malloc(sizeof *force * (log->count + 1));
    if (!force || bristle_identified_force(r, log, force, &ignored)) {
      free(force);
      return 1;
    }
    for (size_t i = 0; i < log->count; i++) {
      if (log->phase[i] != BRISTLE_PHASE_MOVING) continue;
      const double left = log->f[i] - force[i];
      const int at = place_of(p, log->x[i]);
      p->n[at]++, p->sum[0][at] += left, p->sum[1][at] += log->v[i] > 0 ? left : -left;
      p->square += left * left, p->rows++;
    }
    free(force);
  }
  return 0;
}

static void look_at_places(bristle_identified *r, const bristle_log *const *logs, size_t count, size_t decimate)
{
  places p = { 0 };
  if (fill_places(&p, r, logs, count) || !(p.high > p.low)) return;
  const double worth = p.rows / (fmax(r->memory, 1) * (decimate > 1 ? (double)decimate : 1));
  const double force = explained(&p, 0), friction = explained(&p, 1), most = fmax(force, friction);
  if (most < BY_PLACE || most < BY_CHANCE * PLACES / fmax(worth, 1)) return;
  find(r, 0,
       "%s depends on the position: its place explains %.0f %% of what the law misses, as with a belt, a screw or a "
       "gear",
       friction > force ? "friction" : "the force", 100 * most);
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

void bristle_identified_diagnose(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                                 const bristle_identify_options *options)
{
  result->findings = result->doubtful = 0;
  if (!logs[0]->phase) return;
  look_at_work(result, logs, log_count);
  look_at_levels(result);
  look_at_places(result, logs, log_count, options->decimate);
  look_at_delay(result, logs[0]);
}
