/* The general solver: the coupled step of a system, plain or extrapolated.
 *
 * One coupled step is implicit in the friction and first order. With 1, 2, 3 and 4 sub-steps over the same interval the
 * powers of h are cancelled one by one, as in Richardson's extrapolation; the difference from the result without the
 * first column estimates the error. Flags and memories of laws come from the finest column; where the columns disagree
 * about them, something switched, and the step is shortened until that costs no more than the tolerance. */
#include "sim/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4 };

typedef struct work {
  const sim_system *system;
  const bristle_sim_options *options;
  sim_recorder recorder;
  size_t count;                            /* flow + jump */
  double *trial, *sum, *error, *scale, *y; /* each `count` numbers */
  double *row;
  double weight[MOST_COLUMNS], estimate[MOST_COLUMNS];
  double rtol, shortest, fastest; /* fastest: the largest slip speed so far */
} work;

static void note_scales(work *w, const double *y)
{
  for (size_t i = 0; i < w->system->flow; i++) w->scale[i] = fmax(w->scale[i], fabs(y[i]));
}

/* Set-valued laws come to rest exactly and break away from it, at instants that no power series knows, and at which
   the columns may all be wrong in the same way. A step that stops must be so short that what it still travels is below
   the tolerance, one that starts so short that the speed it gives is: all that follows comes late by its length.
   Relative to that, for the finest column, in w->trial. */
static double stopping_or_starting(work *w, double t, double h)
{
  const sim_system *s = w->system;
  if (!s->rests) return 0;
  const double before = fabs(s->slip(s->self, t, w->y)), after = fabs(s->slip(s->self, t + h, w->trial));
  w->fastest = fmax(w->fastest, before);
  if (before > 0 && after == 0) return before * before / (0.1 * w->rtol * w->fastest * w->fastest);
  return before == 0 && after > 0 ? after / (w->rtol * w->fastest) : 0;
}

/* one extrapolated step from w->y to w->sum; returns the error relative to the tolerance */
static double extrapolate(work *w, double t, double h)
{
  const sim_system *s = w->system;
  double switched = 0;
  memset(w->sum, 0, s->flow * sizeof *w->sum);
  memset(w->error, 0, s->flow * sizeof *w->error);
  for (int n = 1; n <= COLUMNS; n++) {
    memcpy(w->trial, w->y, w->count * sizeof *w->y);
    for (int k = 0; k < n; k++) s->advance(s->self, t + k * (h / n), h / n, w->trial);
    w->recorder.stats->evaluations += (size_t)n;
    for (size_t i = 0; i < s->flow; i++) {
      const double change = w->trial[i] - w->y[i]; /* increments keep the digits of large positions */
      w->sum[i] += w->weight[n - 1] * change;
      w->error[i] += w->estimate[n - 1] * change;
    }
    for (size_t i = s->flow; i < w->count; i++) {
      if (n == COLUMNS && fabs(w->trial[i] - w->sum[i]) > 0.5) switched = 1; /* flags; memories differ by less */
      w->sum[i] = w->trial[i];
    }
  }
  double worst = stopping_or_starting(w, t, h), *const scale = w->trial; /* its numbers are in the sums */
  for (size_t i = 0; i < s->flow; i++) {
    w->sum[i] += w->y[i];
    scale[i] = fmax(w->scale[i], fabs(w->sum[i]));
  }
  if (s->share_scales) s->share_scales(s->self, scale);
  for (size_t i = 0; i < s->flow; i++) {
    const double allowed = w->rtol * scale[i] + w->options->atol;
    const double ratio = w->error[i] == 0 ? 0 : fabs(w->error[i]) / allowed;
    if (!(ratio <= worst)) worst = ratio; /* a NaN is the worst */
  }
  return isfinite(worst) ? fmax(worst, switched * 4) : HUGE_VAL;
}

static void plain(work *w, double t, double h)
{
  memcpy(w->sum, w->y, w->count * sizeof *w->y);
  w->system->advance(w->system->self, t, h, w->sum);
  w->recorder.stats->evaluations++;
}

static int all_finite(const double *y, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!isfinite(y[i])) return 0;
  return 1;
}

static int emit(work *w, double t, const double *y)
{
  const sim_system *s = w->system;
  w->recorder.next++;
  w->recorder.stats->rows++;
  if (!w->recorder.sink->row) return 0;
  s->row(s->self, t, y, w->row);
  return w->recorder.sink->row(w->recorder.sink->context, w->row);
}

/* rows from t up to `end`, which is not one of them: each by a step of its own from t, which the run does not keep */
static int write_rows(work *w, bristle_method method, double t, double end)
{
  for (double at; (at = sim_next_row(&w->recorder)) < end;) {
    if (at > t && method == BRISTLE_METHOD_ADAPTIVE) extrapolate(w, t, at - t);
    else if (at > t) plain(w, t, at - t);
    if (emit(w, at, at > t ? w->sum : w->y)) return 1;
  }
  return 0;
}

static int note_events(work *w, double t, double h)
{
  const sim_system *s = w->system;
  const double slip = s->slip(s->self, t + h, w->sum), before = w->recorder.slip;
  const bristle_mode mode = s->mode(s->self, t + h, w->sum);
  int stop = 0;
  if (slip * before < 0) stop |= sim_event(&w->recorder, t + h * before / (before - slip), BRISTLE_EVENT_REVERSAL);
  if (mode == BRISTLE_SLIDING && w->recorder.mode != BRISTLE_SLIDING)
    stop |= sim_event(&w->recorder, t + h, BRISTLE_EVENT_SLIP);
  if (mode != BRISTLE_SLIDING && w->recorder.mode == BRISTLE_SLIDING)
    stop |= sim_event(&w->recorder, t + h, BRISTLE_EVENT_STICK);
  if (slip != 0) w->recorder.slip = slip;
  w->recorder.mode = mode;
  return stop;
}

static void settle_accounts(work *w, double t)
{
  const sim_system *s = w->system;
  double contact = 0;
  const double mechanical = s->stored(s->self, t, w->y, &contact);
  sim_balance(&w->recorder, w->y + s->flow - LEDGER, mechanical, contact);
}

static bristle_sim_status run(work *w, bristle_method method, const bristle_steprule *rule, bristle_sim_error *error)
{
  const sim_system *s = w->system;
  const bristle_sim_options *o = w->options;
  bristle_sim_stats *stats = w->recorder.stats;
  bristle_steprule_clock clock = { 0 };
  const double longest = o->step > 0 ? o->step : o->end;
  double t = 0, h = method == BRISTLE_METHOD_ADAPTIVE ? fmin(longest, 1e-4 * o->end) : longest, corner = -1;
  const size_t most = o->most_steps ? o->most_steps : (size_t)1e9;
  w->recorder.mode = s->mode(s->self, 0, w->y);
  w->recorder.slip = s->slip(s->self, 0, w->y);
  s->begin(s->self, 0);
  w->recorder.begun[0] = s->stored(s->self, 0, w->y, &w->recorder.begun[1]);
  note_scales(w, w->y);
  while (t < o->end) {
    if (t >= corner) corner = s->begin(s->self, t);
    const double stop_at = fmin(corner, o->end);
    double length = fmin(h, longest);
    if (method == BRISTLE_METHOD_STEPRULE) {
      const double speed = fabs(s->slip(s->self, t, w->y));
      length = bristle_steprule_next(rule, &clock, &speed, 1, t, longest);
    }
    const double wanted = length;
    /* no crumbs: a step that would leave less than a little ends at the corner */
    if (t + length * 1.01 >= stop_at) length = stop_at - t;
    double worst = 0;
    if (method == BRISTLE_METHOD_ADAPTIVE) worst = extrapolate(w, t, length);
    else plain(w, t, length);
    const int accepted = worst <= 1 || length <= w->shortest;
    if (w->recorder.sink->step && w->recorder.sink->step(w->recorder.sink->context, t, length, accepted))
      return BRISTLE_SIM_STOPPED;
    if (!all_finite(w->sum, w->count) && (accepted || length <= w->shortest))
      return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, t, NULL, "a number is no longer finite");
    const double grow = worst > 0 ? 0.85 * pow(worst, -1.0 / (s->symmetric ? 2 * COLUMNS - 1 : COLUMNS)) : 5;
    const double then = length * fmin(5, fmax(0.15, isfinite(worst) ? grow : 0.15));
    /* a step cut short by a corner says nothing against the length it was cut from */
    h = accepted && length < wanted && grow > 1 ? fmax(wanted, then) : then;
    if (!accepted) {
      stats->rejected++;
      h = fmax(h, w->shortest);
      continue;
    }
    if (stats->steps >= most) return sim_fail(error, BRISTLE_SIM_NO_PROGRESS, t, NULL, "more than %zu steps", most);
    if (note_events(w, t, length)) return BRISTLE_SIM_STOPPED;
    double *const next = w->sum;
    const double landed = length == stop_at - t ? stop_at : t + length;
    /* rows use the same memory as the step: keep its result aside while they are written */
    if (sim_next_row(&w->recorder) < landed) {
      double *const kept = w->trial + w->count;
      memcpy(kept, next, w->count * sizeof *kept);
      if (write_rows(w, method, t, landed)) return BRISTLE_SIM_STOPPED;
      memcpy(next, kept, w->count * sizeof *kept);
    }
    w->sum = w->y;
    w->y = next;
    t = landed;
    note_scales(w, w->y);
    if (!o->no_ledger) settle_accounts(w, t);
    stats->steps++;
    stats->shortest = stats->steps == 1 ? length : fmin(stats->shortest, length);
    stats->longest = fmax(stats->longest, length);
    if (sim_progress(&w->recorder, t)) return BRISTLE_SIM_STOPPED;
  }
  while (sim_next_row(&w->recorder) <= o->end)
    if (emit(w, o->end, w->y)) return BRISTLE_SIM_STOPPED;
  return BRISTLE_SIM_OK;
}

bristle_sim_status sim_run_system(const sim_system *system, double *y, bristle_method method,
                                  const bristle_steprule *rule, const bristle_sim_options *options,
                                  const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  const size_t count = system->flow + system->jump;
  double *memory = calloc(count * 6 + (size_t)system->width, sizeof *memory);
  if (!memory) return sim_fail(error, BRISTLE_SIM_MEMORY, 0, NULL, "no memory for %zu numbers", count);
  work w = { .system = system,
             .options = options,
             .count = count,
             .recorder = { .options = options, .sink = sink, .stats = stats } };
  w.rtol = options->rtol > 0 ? options->rtol : 1e-8;
  w.shortest = 1e-13 * options->end;
  w.y = memory;
  w.sum = memory + count;
  w.error = memory + 2 * count;
  w.scale = memory + 3 * count;
  w.trial = memory + 4 * count; /* and one more behind it */
  w.row = memory + 6 * count;
  memcpy(w.y, y, count * sizeof *y);
  sim_weights(COLUMNS, system->symmetric ? 2 : 1, w.weight, w.estimate);
  stats->method = method;
  stats->has_energy = system->has_energy;
  const bristle_sim_status status = run(&w, method, rule, error);
  memcpy(y, w.y, count * sizeof *y);
  free(memory);
  return status;
}
