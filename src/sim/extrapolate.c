/* The extrapolated coupled step.
 *
 * One coupled step is implicit in the friction and first order. With 1, 2, 3 and 4 sub-steps over the same interval the
 * powers of h are cancelled one by one, as in Richardson's extrapolation; the difference from a result that leaves a
 * column out estimates the error. Flags and memories of laws come from the finest column.
 *
 * Where a law has corners (an element begins to slip, a bristle leaves a piece of its curve) no power series holds, and
 * one difference may be small by accident. A system that says so is checked twice: the last difference must pass, and
 * so must either the one before it or the comparison with two extrapolated half steps. A change of a flag is the
 * hardest corner, and the only one that can be seen: the step over it must be so short that nothing moves by more than
 * the tolerance, whatever the columns say. */
#include "sim/extrapolate.h"

#include "maths/elementary.h"

#include <string.h>

enum { COLUMNS = 4, ODD_COLUMNS = 6 };

/* Weights for a power series in h, or in h^2. */
static void set_weights(sim_stepper *w, int columns, int power)
{
  double unused[MOST_COLUMNS], all[2][MOST_COLUMNS];
  memset(w->weight, 0, sizeof w->weight);
  memset(all, 0, sizeof all);
  w->columns = columns;
  sim_weights(columns, power, w->weight[0], w->weight[1]);
  for (int n = 0; n < columns; n++) w->weight[1][n] = w->weight[0][n] - w->weight[1][n]; /* without the first */
  if (!w->system->corners) return;
  sim_weights(columns - 1, power, w->weight[1], unused); /* without the last: the difference is larger */
  w->weight[1][columns - 1] = 0;
  sim_weights(columns - 2, power, w->weight[2], unused);
  sim_weights(columns, 1, all[0], unused);
  sim_weights(columns - 1, 1, all[1], unused);
  for (int n = 0; n < columns; n++) w->weight[3][n] = all[0][n] - all[1][n];
}

size_t sim_stepper_room(const sim_system *system)
{
  return (system->flow + system->jump) * (size_t)(EXTRAPOLATION_ROOM - (system->corners ? 0 : EXTRAPOLATION_CORNERS));
}

void sim_stepper_set(sim_stepper *w, const sim_system *system, double rtol, double atol, double *room)
{
  const size_t count = system->flow + system->jump;
  *w = (sim_stepper){ .system = system, .rtol = rtol, .atol = atol, .count = count, .fastest = system->slow };
  double **const places[EXTRAPOLATION_ROOM] = { &w->y,     &w->result, &w->trial,  &w->first, &w->lower, &w->scale,
                                                &w->limit, &w->lowest, &w->uneven, &w->other, &w->middle };
  for (size_t i = 0; i * count < sim_stepper_room(system); i++) *places[i] = room + i * count;
  set_weights(w, system->columns ? system->columns : COLUMNS, system->symmetric ? 2 : 1);
}

void sim_stepper_begin(sim_stepper *w)
{
  if (w->odd) set_weights(w, COLUMNS, 2);
  w->odd = 0;
}

void sim_note_scales(sim_stepper *w)
{
  for (size_t i = 0; i < w->count; i++) w->scale[i] = fmax(w->scale[i], fabs(w->y[i]));
}

/* what each number may miss, for a step that ends at `end` */
static void set_limits(sim_stepper *w, const double *end)
{
  const sim_system *s = w->system;
  for (size_t i = 0; i < w->count; i++) w->limit[i] = fmax(w->scale[i], fabs(end[i]));
  s->calls.share_scales(s->self, w->limit);
  for (size_t i = 0; i < w->count; i++) w->limit[i] = w->rtol * w->limit[i] + w->atol;
}

/* the largest difference of a and b, relative to the limits; infinite for a NaN */
static double distance(const sim_stepper *w, const double *a, const double *b, size_t from, size_t to)
{
  double worst = 0;
  for (size_t i = from; i < to; i++) {
    const double ratio = a[i] == b[i] ? 0 : fabs(a[i] - b[i]) / w->limit[i];
    if (!(ratio <= HUGE_VAL)) return HUGE_VAL;
    worst = fmax(worst, ratio);
  }
  return worst;
}

/* Set-valued laws come to rest exactly and break away from it, at instants that no power series knows, and at which
   the columns may all be wrong in the same way. A step that stops must be so short that what it still travels is below
   the tolerance, one that starts so short that the speed it gives is: all that follows comes late by its length.
   Relative to that, for one contact. */
static double stops_or_starts(const sim_stepper *w, double from, double to)
{
  const double before = fabs(from), after = fabs(to), slow = 0.1 * w->rtol * w->fastest * w->fastest;
  if (from * to < 0) return fmax(before * before, after * after) / slow; /* stops and starts again */
  if (before > 0 && after == 0) return before * before / slow;
  return before == 0 && after > 0 ? after / (w->rtol * w->fastest) : 0;
}

/* the worst of all contacts, for the finest column, in w->trial */
static double stopping_or_starting(sim_stepper *w, double t, double h)
{
  const sim_system *s = w->system;
  double worst = 0;
  if (!s->rests) return 0;
  if (!s->resting) worst = stops_or_starts(w, s->calls.slip(s->self, t, w->y), s->calls.slip(s->self, t + h, w->trial));
  for (size_t i = 0; i < s->resting; i++)
    worst = fmax(worst, stops_or_starts(w, s->resting_slip(s->self, i, w->y), s->resting_slip(s->self, i, w->trial)));
  w->fastest = fmax(w->fastest, fabs(s->calls.slip(s->self, t, w->y)));
  return worst;
}

/* A law whose force falls as the body comes to rest lets it creep in ever more slowly, while a single step already
   finds it at rest: the length of sub-steps would then follow the speed down to nothing. A body that is slow enough to
   stop, and that one step can hold, rests. */
static int comes_to_rest(sim_stepper *w, double t, double h)
{
  const sim_system *s = w->system;
  const double before = s->rests && !s->resting && w->early ? fabs(s->calls.slip(s->self, t, w->y)) : 0;
  if (!(before > 0) || s->calls.slip(s->self, t + h, w->trial) == 0) return 0;
  return before * before <= 0.1 * w->rtol * w->fastest * w->fastest;
}

/* n sub-steps from y, in w->trial */
static void column(sim_stepper *w, const double *y, double t, double h, int n)
{
  const sim_system *s = w->system;
  memcpy(w->trial, y, w->count * sizeof *y);
  for (int k = 0; k < n; k++) s->calls.advance(s->self, t + k * (h / n), h / n, w->trial);
  if (s->settle) s->settle(s->self, t + h, w->trial);
  w->evaluations += (size_t)n;
}

/* does any flag in the jump numbers a differ from that in b? */
static int flags_differ(const sim_system *s, const double *a, const double *b)
{
  for (size_t i = 0; i < s->jump; i++)
    if ((!s->flags || s->flags[i]) && fabs(a[i] - b[i]) > 0.5) return 1;
  return 0;
}

/* From y to `end`, and to the poorer results in w->lower and w->lowest, which share its flags and memories. Those of
   the last column but one are left in w->first. */
static void extrapolate(sim_stepper *w, const double *y, double t, double h, double *end)
{
  const sim_system *s = w->system;
  const size_t flow = s->flow, jump = s->jump;
  double *const sums[] = { end, w->lower, w->lowest, w->uneven };
  const int results = s->corners ? 4 : 2;
  for (int k = 0; k < results; k++) memset(sums[k], 0, flow * sizeof *end);
  w->split = 0;
  for (int n = 1; n <= w->columns; n++) {
    column(w, y, t, h, n);
    if (n == 1) w->early = s->rests && s->calls.slip(s->self, t + h, w->trial) == 0;
    for (size_t i = 0; i < flow; i++) {
      const double change = w->trial[i] - y[i]; /* increments keep the digits of large positions */
      for (int k = 0; k < results; k++) sums[k][i] += w->weight[k][n - 1] * change;
      if (n == 1) w->first[i] = w->trial[i];
      else if (w->first[i] != w->trial[i]) w->first[i] = (double)NAN;
    }
    w->split |= n > 1 && flags_differ(s, w->trial + flow, w->first + flow);
    if (n < w->columns) memcpy(w->first + flow, w->trial + flow, jump * sizeof *end);
  }
  /* a number on which all columns agree is that number, not one that rounds to its neighbour: laws have thresholds */
  for (int k = 0; k < results; k++) {
    for (size_t i = 0; i < flow; i++) sums[k][i] = w->first[i] == w->trial[i] ? w->trial[i] : sums[k][i] + y[i];
    memcpy(sums[k] + flow, w->trial + flow, jump * sizeof *end);
  }
}

/* A step so short that two columns do. */
static void extrapolate_briefly(sim_stepper *w, const double *y, double t, double h, double *end)
{
  const double part = w->odd || !w->system->symmetric ? 1 : 1.0 / 3;
  column(w, y, t, h, 1);
  memcpy(w->first, w->trial, w->count * sizeof *end);
  column(w, y, t, h, 2);
  for (size_t i = 0; i < w->count; i++) end[i] = w->trial[i];
  for (size_t i = 0; i < w->system->flow; i++) end[i] += part * (w->trial[i] - w->first[i]);
}

/* where the columns disagree about a flag, something has switched; memories differ by less */
static double disagreement(const sim_stepper *w, const double *a, const double *b)
{
  const size_t flow = w->system->flow;
  if (w->system->corners) return distance(w, a, b, flow, w->count);
  return w->split ? 4 : 0;
}

static int has_switched(const sim_stepper *w)
{
  const sim_system *s = w->system;
  return s->flags && flags_differ(s, w->result + s->flow, w->y + s->flow);
}

/* The number that rows show is held by the tolerance, too: at high speed it magnifies the errors of the states. */
static double watched(sim_stepper *w, double t, const double *a, const double *b)
{
  const sim_system *s = w->system;
  if (!s->watch) return 0;
  const double one = s->watch(s->self, t, a), two = s->watch(s->self, t, b);
  const double strongest = fmax(w->strongest, fabs(one));
  const double ratio = fabs(one - two) / (w->rtol * strongest + w->atol);
  return one == two ? 0 : ratio <= HUGE_VAL ? ratio : (double)HUGE_VAL;
}

/* The step once more, in two halves with a short piece at either end: an estimate that does not share the accidents of
   the first. The short pieces look where the sub-steps of the whole do not: behind its last mean velocity and before
   its first, where a corner would be passed unseen. */
static double verify(sim_stepper *w, double t, double h)
{
  static const double ends[] = { 0, 1e-4, 0.5, 1 - 1e-4, 1 };
  const size_t motion = w->system->flow - LEDGER;
  double *const whole = w->result, *from = w->y, *to = w->other, *spare = w->middle;
  for (int i = 0; i < 4; i++) {
    const double begin = t + h * ends[i], length = h * (ends[i + 1] - ends[i]);
    if (i == 0 || i == 3) extrapolate_briefly(w, from, begin, length, to);
    else extrapolate(w, from, begin, length, to);
    from = to;
    to = spare;
    spare = from;
  }
  w->result = from;
  w->other = whole;
  w->middle = to;
  const double worst = fmax(distance(w, whole, w->result, 0, motion), disagreement(w, whole, w->result));
  return fmax(worst, watched(w, t + h, whole, w->result));
}

/* An error that is not small may come from a law's own step that is not symmetric in time: one that is implicit, or
   that follows a level which the load changes. Then the series has all powers of h, which tells. */
static void look_for_odd_powers(sim_stepper *w, double even)
{
  if (w->odd || !w->system->symmetric || !(even > 0.05)) return;
  if (!(distance(w, w->uneven, w->y, 0, w->system->flow - LEDGER) < 0.5 * even)) return;
  w->odd = 1;
  set_weights(w, ODD_COLUMNS, 1);
}

/* Did a flag change, or did the columns remember different things? Then the instant of it is within the step, and
   w->moved says how much too long the step is. */
static double switching(sim_stepper *w)
{
  const double differ = disagreement(w, w->trial, w->first);
  w->switched = w->noticed = has_switched(w);
  if (!w->switched && !w->system->corners) return differ;
  w->moved = w->switched ? distance(w, w->result, w->y, 0, w->system->flow) : differ;
  w->noticed |= differ > 0.02;
  w->switched |= differ > 1;
  return w->moved;
}

double sim_extrapolate(sim_stepper *w, double t, double h, int crumb)
{
  const sim_system *s = w->system;
  extrapolate(w, w->y, t, h, w->result);
  set_limits(w, w->result);
  /* the result is better than what it is compared with; where that is not so, it is seen when it is verified */
  double worst = distance(w, w->result, w->lower, 0, s->flow) * (s->corners ? SIM_CORNER_SHARE : 1);
  if (s->corners) look_for_odd_powers(w, distance(w, w->result, w->lower, 0, s->flow - LEDGER));
  if (!(worst <= 1) && comes_to_rest(w, t, h)) {
    column(w, w->y, t, h, 1);
    memcpy(w->result, w->trial, w->count * sizeof *w->result);
    return 1;
  }
  worst = fmax(fmax(worst, stopping_or_starting(w, t, h)), switching(w));
  if (s->corners && w->switched) worst = w->moved; /* the columns have nothing to say about it */
  /* where it is kept all the same, the finest column stands alone: others may lie on the other side of a jump */
  if (w->switched || (s->corners && worst > 1)) memcpy(w->result, w->trial, w->count * sizeof *w->result);
  if (!s->corners || w->switched || worst > 1) return worst;
  worst = fmax(worst, watched(w, t + h, w->result, w->lower) * SIM_CORNER_SHARE);
  if (worst > 1 || (crumb && distance(w, w->lower, w->lowest, 0, s->flow - LEDGER) <= 1)) return worst;
  return fmax(worst, verify(w, t, h));
}

void sim_reach(sim_stepper *w, double t, double h) { extrapolate(w, w->y, t, h, w->result); }

void sim_stepper_accept(sim_stepper *w, double t)
{
  const sim_system *s = w->system;
  double *const next = w->result;
  if (s->remember) s->remember(s->self, t, next);
  w->result = w->y;
  w->y = next;
  sim_note_scales(w);
  if (s->watch) w->strongest = fmax(w->strongest, fabs(s->watch(s->self, t, w->y)));
}
