/* Channels that come late: estimates of velocity are filtered, registers and currents are read after the position. */
#include "fit/records/record.h"
#include "fit/signals/signal.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { LONGEST = 20000, FINE = 4, SIDE = 8 }; /* samples looked at; shifts tried in a sample, and side by side */
static const double NEARLY = 0.15;            /* of a sample: such a shift is a whole one */

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

bristle_fault_kind bristle_log_delay(bristle_log *log, double delay, bristle_fault *fault)
{
  const double samples = delay * log->summary.rate, *from = log->raw[BRISTLE_CHANNEL_FORCE];
  double whole = floor(samples), part = samples - whole;
  if (!from || !(fabs(samples) > 0)) return BRISTLE_FAULT_NONE;
  if (part > 1 - NEARLY) whole++;
  if (part < NEARLY || part > 1 - NEARLY) part = 0;
  double *to = memory_take(&log->memory_list, sizeof *to * (log->count + 1));
  if (!to) return fault_memory(fault);
  for (size_t k = 0; k < log->stretches; k++) {
    const double begin = (double)log->first[k], end = (double)log->first[k + 1];
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) { /* the ends of a stretch do not count */
      const double at = fmin(fmax((double)i + whole, begin), end - 1);
      to[i] = part > 0 && at > begin && at + 2 < end ? between(from + (size_t)at, part) : from[(size_t)at];
    }
  }
  log->raw[BRISTLE_CHANNEL_FORCE] = to;
  if (log->f) memcpy(log->f, to, sizeof *to * log->count);
  log->force_delay += (whole + part) / log->summary.rate;
  return BRISTLE_FAULT_NONE;
}

static double left_over(double both, double square, double size)
{
  return square > 0 && size > 0 ? sqrt(fmax(0, 1 - both * both / (square * size))) : 1;
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

/* the loop exists for three instruction sets, which give the same bits */
#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
#define LAG_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define LAG_CLONES
#endif

/* The same for SIDE whole shifts from `first` on, each summed in the order that it has alone. */
LAG_CLONES static void misfits(const double *slope, const double *v, size_t count, size_t margin, int first,
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

/* whole samples first, then parts of one beside the best; NaN where no shift is clearly better than none */
static double find_lag(const double *slope, const double *v, size_t count, size_t widest)
{
  const size_t margin = widest + 30;
  const int most = (int)widest;
  const double none = misfit(slope, v, count, margin, 0);
  double best = 2, m[2 * FINE + 3];
  int whole = 0, at = 0;
  for (int first = -most; first <= most; first += SIDE) {
    double here[SIDE];
    misfits(slope, v, count, margin, first, here);
    for (int k = 0; k < SIDE && first + k <= most; k++)
      if (here[k] < best) best = here[k], whole = first + k;
  }
  if (whole == -most || whole == most) return (double)NAN;
  for (int k = -FINE - 1; k <= FINE + 1; k++) {
    double here = m[k + FINE + 1] = misfit(slope, v, count, margin, whole + k / (double)FINE);
    if (here <= best && abs(k) <= FINE) best = here, at = k;
  }
  if (best > 0.7 * none || best > 0.5) return (double)NAN;
  const double before = m[at + FINE], after = m[at + FINE + 2],
               bend = before * before - 2 * best * best + after * after;
  const double part = bend > 0 ? 0.5 * (before * before - after * after) / bend : 0, lag = whole + (at + part) / FINE;
  return fabs(lag) < 0.2 ? (double)NAN : lag;
}

bristle_fault_kind record_lag(bristle_log *log, bristle_fault *fault)
{
  const double *x = log->raw[BRISTLE_CHANNEL_POSITION], *v = log->raw[BRISTLE_CHANNEL_VELOCITY];
  const double rate = log->summary.rate;
  size_t longest = 0;
  log->velocity_lag = (double)NAN;
  if (!x || !v) return BRISTLE_FAULT_NONE;
  for (size_t k = 1; k < log->stretches; k++)
    if (log->first[k + 1] - log->first[k] > log->first[longest + 1] - log->first[longest]) longest = k;
  size_t begin = log->first[longest], count = log->first[longest + 1] - begin;
  if (count > LONGEST) begin += (count - LONGEST) / 2, count = LONGEST;
  const size_t widest = (size_t)fmin(fmax(6, ceil(0.03 * rate)), 40);
  if (count < 4 * (widest + 30)) return BRISTLE_FAULT_NONE;
  double *slope = memory_take(&log->memory_list, sizeof *slope * count),
         *place = memory_take(&log->memory_list, sizeof *place * count),
         *level = memory_take(&log->memory_list, sizeof *level * count);
  if (!slope || !place || !level) return fault_memory(fault);
  memcpy(place, x + begin, sizeof *place * count);
  memcpy(level, v + begin, sizeof *level * count);
  bristle_fault_kind kind = smooth(place, level, count, fault);
  if (!kind) kind = bristle_differentiate(NULL, 1 / rate, place, count, slope, fault);
  if (kind) return kind;
  log->velocity_lag = find_lag(slope, level, count, widest) / rate;
  if (!isnan(log->velocity_lag))
    log_note(log, 0, "the velocity column is %.3g ms %s the position", 1e3 * fabs(log->velocity_lag),
             log->velocity_lag > 0 ? "behind" : "ahead of");
  return kind;
}
