/* Channels that come late: estimates of velocity are filtered, registers and currents are read after the position. */
#include "fit/records/motion.h"
#include "core/clones.h"
#include "fit/records/record.h"
#include "fit/signals/signal.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { LONGEST = 20000, FINE = 4, SIDE = 8 };  /* samples looked at; shifts tried in a sample, and side by side */
enum { MARGIN = 30 };                          /* samples at the ends, where the filter settles */
static const double NEARLY = 0.15;             /* of a sample: such a shift is a whole one */
static const double LATEST = 0.5;              /* s: longer than any filter or bus makes a column wait */
static const double BETTER = 0.7;              /* part of the misfit that a shift must leave to be one */
static const double ALIKE = 0.5, APART = 0.87; /* misfits of one motion, and of two: correlations of 0.87 and 0.5 */
static const double TOLD = 1;                  /* sample: a column that is later is not used */

/* both below a tenth of the rate: a shift between samples is exact enough there */
static bristle_fault_kind smooth(double *x, double *v, size_t count, bristle_fault *fault)
{
  bristle_lowpass filter;
  double *const column[] = { x, v };
  bristle_fault_kind kind = bristle_lowpass_design(LOG_FILTER_ORDER, 0.1, 1, &filter, fault);
  return kind ? kind : signal_lowpass_columns(&filter, column, 2, count, fault);
}

/* the value between four samples */
static double between(const double *y, double part)
{
  double a = part + 1, b = part, c = part - 1, d = part - 2;
  return -b * c * d / 6 * y[-1] + a * c * d / 2 * y[0] - a * b * d / 2 * y[1] + a * b * c / 6 * y[2];
}

/* A channel some samples later; the ends of stretches do not count. Returns the shift, whole where it nearly is. */
static double shift_channel(bristle_log *log, int channel, double samples)
{
  const double *from = log->raw[channel];
  double whole = floor(samples), part = samples - whole;
  if (part > 1 - NEARLY) whole++;
  if (part < NEARLY || part > 1 - NEARLY) part = 0;
  double *to = memory_take(&log->memory_list, sizeof *to * (log->count + 1));
  if (!to) return (double)NAN;
  for (size_t k = 0; k < log->stretches; k++) {
    const double begin = (double)log->first[k], end = (double)log->first[k + 1];
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      const double at = fmin(fmax((double)i + whole, begin), end - 1);
      to[i] = part > 0 && at > begin && at + 2 < end ? between(from + (size_t)at, part) : from[(size_t)at];
    }
  }
  log->raw[channel] = to;
  return whole + part;
}

void log_shift_fresh(bristle_log *log, unsigned char *to, double samples)
{
  for (size_t k = 0; k < log->stretches; k++) {
    const double begin = (double)log->first[k], end = (double)log->first[k + 1];
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++)
      to[i] = log->fresh[(size_t)fmin(fmax(round((double)i + samples), begin), end - 1)];
  }
  log->fresh = to;
}

bristle_fault_kind bristle_log_delay(bristle_log *log, double delay, bristle_fault *fault)
{
  const double samples = delay * log->summary.rate;
  if (!log->raw[BRISTLE_CHANNEL_FORCE] || !(fabs(samples) > 0)) return BRISTLE_FAULT_NONE;
  const double moved = shift_channel(log, BRISTLE_CHANNEL_FORCE, samples);
  if (isnan(moved)) return fault_memory(fault);
  unsigned char *fresh = log->fresh ? memory_take(&log->memory_list, log->count + 1) : NULL;
  if (log->fresh && !fresh) return fault_memory(fault);
  if (fresh) log_shift_fresh(log, fresh, moved);
  if (log->f) memcpy(log->f, log->raw[BRISTLE_CHANNEL_FORCE], sizeof *log->f * log->count);
  log->force_delay += moved / log->summary.rate;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind log_delay_motion(bristle_log *log, double delay, bristle_fault *fault)
{
  static const int channel[] = { BRISTLE_CHANNEL_POSITION, BRISTLE_CHANNEL_VELOCITY };
  for (int k = 0; k < 2; k++)
    if (log->raw[channel[k]] && isnan(shift_channel(log, channel[k], -delay * log->summary.rate)))
      return fault_memory(fault);
  return BRISTLE_FAULT_NONE;
}

static double left_over(double both, double square, double size)
{
  return square > 0 && size > 0 && both > 0 ? sqrt(fmax(0, 1 - both * both / (square * size))) : 1;
}

/* what is left of v when the slope, later by `shift` samples, is taken out of it, in proportion to v */
static double misfit(const double *slope, const double *v, size_t count, size_t margin, double shift)
{
  double whole = floor(-shift), part = -shift - whole, both = 0, square = 0, size = 0;
  for (size_t i = margin; i + margin < count; i++) {
    double s = between(slope + (ptrdiff_t)i + (ptrdiff_t)whole, part);
    both += s * v[i], square += s * s, size += v[i] * v[i];
  }
  return left_over(both, square, size);
}

/* The same for SIDE whole shifts from `first` on, each summed in the order that it has alone. */
BRISTLE_CLONES static void misfits(const double *slope, const double *v, size_t count, size_t margin, int first,
                                   double out[SIDE])
{
  double both[SIDE] = { 0 }, square[SIDE] = { 0 }, size = 0;
  for (size_t i = margin; i + margin < count; i++) {
    const double *s = slope + (ptrdiff_t)i - first - (SIDE - 1), here = v[i];
    for (int k = 0; k < SIDE; k++) both[k] += s[k] * here, square[k] += s[k] * s[k];
    size += here * here;
  }
  for (int k = 0; k < SIDE; k++) out[k] = left_over(both[SIDE - 1 - k], square[SIDE - 1 - k], size);
}

/* What a shift makes of two columns that should be one motion. */
typedef struct match {
  double lag;    /* samples; NaN: no shift is clearly better than none */
  double misfit; /* the least that was found */
  int at_end;    /* of all shifts that were tried: the best is elsewhere */
} match;

/* parts of a sample beside the best whole one */
static double refine_lag(const double *slope, const double *v, size_t count, size_t margin, int whole, double *best)
{
  double m[2 * FINE + 3];
  int at = 0;
  for (int k = -FINE - 1; k <= FINE + 1; k++) {
    double here = m[k + FINE + 1] = misfit(slope, v, count, margin, whole + k / (double)FINE);
    if (here <= *best && abs(k) <= FINE) *best = here, at = k;
  }
  const double before = m[at + FINE], after = m[at + FINE + 2],
               bend = before * before - 2 * *best * *best + after * after;
  const double part = bend > 0 ? 0.5 * (before * before - after * after) / bend : 0;
  return whole + (at + part) / FINE;
}

/* the best whole shift of up to `most` samples either way */
static int best_whole(const double *slope, const double *v, size_t count, int most, double *best)
{
  int whole = 0;
  *best = 2;
  for (int first = -most; first <= most; first += SIDE) {
    double here[SIDE];
    misfits(slope, v, count, (size_t)most + MARGIN, first, here);
    for (int k = 0; k < SIDE && first + k <= most; k++)
      if (here[k] < *best) *best = here[k], whole = first + k;
  }
  return whole;
}

/* A motion of few frequencies repeats itself: the nearest shift that fits is the one. */
static match find_lag(const double *slope, const double *v, size_t count, int most, int limit)
{
  match found = { .lag = (double)NAN };
  int whole = best_whole(slope, v, count, most, &found.misfit);
  while (most < limit && (abs(whole) == most || found.misfit > ALIKE)) {
    most = 2 * most < limit ? 2 * most : limit;
    whole = best_whole(slope, v, count, most, &found.misfit);
  }
  const size_t margin = (size_t)most + MARGIN;
  const double none = misfit(slope, v, count, margin, 0);
  found.at_end = abs(whole) == most;
  if (found.at_end) return found;
  const double lag = refine_lag(slope, v, count, margin, whole, &found.misfit);
  if (found.misfit <= BETTER * none && found.misfit <= ALIKE && fabs(lag) >= 0.2) found.lag = lag;
  return found;
}

/* what noise alone leaves of two columns that are one motion, both behind the filter of `smooth` */
static double misfit_of_noise(const bristle_log *log, const double *v, size_t count)
{
  const double rate = log->summary.rate, noise = motion_velocity_noise(log, MOTION_FROM_VELOCITY, 0.1 * rate),
               of_position = motion_velocity_noise(log, MOTION_FROM_POSITION, 0.1 * rate);
  double square = 0;
  for (size_t i = 0; i < count; i++) square += v[i] * v[i];
  return square > 0 ? sqrt((noise * noise + of_position * of_position) * (double)count / square) : 1;
}

static void forget_velocity(bristle_log *log) { log->raw[BRISTLE_CHANNEL_VELOCITY] = log->v = NULL; }

/* What is late by more than a sample, or is another motion, would decide what moves. */
static void judge(bristle_log *log, const match *found, double by_noise, double widest)
{
  const double rate = log->summary.rate;
  const int late = fabs(found->lag) > TOLD;
  log->velocity_lag = found->lag / rate;
  if (isfinite(found->lag))
    log_note(log, 0, "the velocity column is %.3g ms %s the position%s", 1e3 * fabs(log->velocity_lag),
             found->lag > 0 ? "behind" : "ahead of", late ? ": it is not used, velocities come from the position" : "");
  else if (found->misfit > hypot(APART, 2 * by_noise))
    log_note(log, 1,
             "position and velocity disagree: they do not describe one motion, whatever the shift up to %.2g s; check "
             "the columns, or use option velocity none",
             widest / rate);
  else if (found->misfit > hypot(ALIKE, 2 * by_noise))
    log_note(log, found->at_end,
             "the velocity column does not match the position (%.0f %% of it is something else): it is not used, "
             "velocities come from the position",
             100 * found->misfit);
  else if (found->at_end && isnan(found->lag) && by_noise < ALIKE)
    log_note(
        log, 1,
        "the velocity column is %.2g s or more away from the position: check their clocks, or use option velocity none",
        widest / rate);
  else return;
  if (!isfinite(found->lag) || late) forget_velocity(log);
}

bristle_fault_kind record_lag(bristle_log *log, int motion_only, bristle_fault *fault)
{
  const double *x = log->raw[BRISTLE_CHANNEL_POSITION], *v = log->raw[BRISTLE_CHANNEL_VELOCITY];
  const double rate = log->summary.rate;
  size_t longest = 0;
  log->velocity_lag = (double)NAN;
  if (!x || !v || motion_only) return BRISTLE_FAULT_NONE;
  for (size_t k = 1; k < log->stretches; k++)
    if (log->first[k + 1] - log->first[k] > log->first[longest + 1] - log->first[longest]) longest = k;
  size_t begin = log->first[longest], count = log->first[longest + 1] - begin;
  if (count > LONGEST) begin += (count - LONGEST) / 2, count = LONGEST;
  const size_t widest = (size_t)fmin(fmax(6, ceil(0.03 * rate)), 40);
  if (count < 4 * (widest + MARGIN)) return BRISTLE_FAULT_NONE;
  double *slope = memory_take(&log->memory_list, sizeof *slope * count),
         *place = memory_take(&log->memory_list, sizeof *place * count),
         *level = memory_take(&log->memory_list, sizeof *level * count);
  if (!slope || !place || !level) return fault_memory(fault);
  memcpy(place, x + begin, sizeof *place * count);
  memcpy(level, v + begin, sizeof *level * count);
  bristle_fault_kind kind = smooth(place, level, count, fault);
  if (!kind) kind = bristle_differentiate(NULL, 1 / rate, place, count, slope, fault);
  if (kind) return kind;
  size_t moved = 0;
  while (moved < count && slope[moved] == 0) moved++;
  if (moved == count) return kind; /* nothing moves, which is told elsewhere */
  const size_t limit = (size_t)fmin(fmax(LATEST * rate, (double)widest), (double)(count / 4 - MARGIN));
  const match found = find_lag(slope, level, count, (int)widest, (int)limit);
  for (size_t i = 0; i < count; i++) slope[i] = -slope[i];
  /* a sign that is turned is told by who compares units */
  if (misfit(slope, level, count, widest + MARGIN, 0) > ALIKE)
    judge(log, &found, misfit_of_noise(log, level, count), (double)limit);
  return kind;
}
