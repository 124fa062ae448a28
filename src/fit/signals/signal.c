/* Time stamps, derivatives by differences, and records at other times. */
#include "fit/signals/signal.h"
#include "io/support.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

bristle_fault_kind signal_check(const double *y, size_t count, bristle_fault *fault)
{
  enum { SUMS = 8 };                  /* one sum alone would wait for itself */
  double none[SUMS] = { 0 }, all = 0; /* numbers that are not finite make them ones that are not zero */
  size_t at = 0;
  for (; at + SUMS <= count; at += SUMS)
    for (size_t k = 0; k < SUMS; k++) none[k] += y[at + k] * 0;
  for (; at < count; at++) all += y[at] * 0;
  for (size_t k = 0; k < SUMS; k++) all += none[k];
  for (size_t i = 0; i < count && !(all == 0); i++)
    if (!isfinite(y[i]))
      return fault_set(fault, BRISTLE_FAULT_VALUE, "cut the record there, or fill the gap",
                       "sample %zu is no finite number", i + 1);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind need_samples(size_t count, size_t least, bristle_fault *fault)
{
  if (count >= least) return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%zu samples, expected at least %zu", count, least);
}

/* ---- time stamps ---- */

bristle_fault_kind bristle_timing_examine(const double *t, size_t count, double tolerance, bristle_timing *timing,
                                          bristle_fault *fault)
{
  bristle_fault_kind kind = need_samples(count, 2, fault);
  if (!kind) kind = signal_check(t, count, fault);
  if (kind) return kind;
  double *steps = malloc(sizeof *steps * count);
  if (!steps) return fault_memory(fault);
  for (size_t i = 0; i + 1 < count; i++) steps[i] = t[i + 1] - t[i];
  *timing = (bristle_timing){ .step = sort_pick(steps, count - 1, (count - 1) / 2) };
  free(steps);
  for (size_t i = 0; i + 1 < count; i++) {
    double step = t[i + 1] - t[i];
    if (step <= 0) {
      if (!timing->backwards++) timing->first_backwards = i;
    } else if (timing->step > 0 && step > 1.5 * timing->step) {
      if (!timing->gaps++) timing->first_gap = i;
      timing->missing += (size_t)fmin(floor(step / timing->step + 0.5), 1e15) - 1;
    } else if (timing->step > 0) {
      timing->jitter = fmax(timing->jitter, fabs(step / timing->step - 1));
    }
  }
  timing->uniform = !timing->gaps && !timing->backwards && timing->jitter <= (tolerance > 0 ? tolerance : 1e-3);
  return BRISTLE_FAULT_NONE;
}

/* ---- derivatives ---- */

/* a + b; what is left of nothing but rounding is nothing: a motion that starts from rest has no direction before it */
static double sum_or_nothing(double a, double b)
{
  static const double ROUNDING = 1e-14;
  return fabs(a + b) > ROUNDING * fabs(a) ? a + b : 0;
}

/* slope at `at` (0, 1, 2) of the parabola through three samples with the steps a and b */
static double parabola_slope(const double *y, double a, double b, int at)
{
  double left = (y[1] - y[0]) / a, right = (y[2] - y[1]) / b, bend = (right - left) / (a + b);
  return at == 0 ? sum_or_nothing(left, -bend * a) : at == 1 ? left + bend * a : sum_or_nothing(right, bend * b);
}

bristle_fault_kind bristle_differentiate(const double *t, double step, const double *y, size_t count, double *out,
                                         bristle_fault *fault)
{
  bristle_fault_kind kind = need_samples(count, 3, fault);
  if (kind) return kind;
  if (!t && !(step > 0))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "a time step of %g, expected a positive one", step);
  for (size_t i = 0; t && i + 1 < count; i++)
    if (!(t[i + 1] > t[i]))
      return fault_set(fault, BRISTLE_FAULT_VALUE, "sort the samples by time and drop repeated ones",
                       "the time does not grow after sample %zu", i + 1);
  for (size_t i = 0; i < count; i++) {
    size_t first = i == 0 ? 0 : i == count - 1 ? count - 3 : i - 1;
    double a = t ? t[first + 1] - t[first] : step, b = t ? t[first + 2] - t[first + 1] : step;
    out[i] = t                ? parabola_slope(y + first, a, b, (int)(i - first))
             : i == first + 1 ? (y[i + 1] - y[i - 1]) / (2 * step) /* fewer roundings */
                              : parabola_slope(y + first, a, b, (int)(i - first));
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- other times ---- */

static double hermite(double y0, double y1, double slope0, double slope1, double width, double part)
{
  double rest = 1 - part;
  return rest * rest * ((1 + 2 * part) * y0 + part * width * slope0)
         + part * part * ((1 + 2 * rest) * y1 - rest * width * slope1);
}

bristle_fault_kind bristle_resample(const double *t, const double *y, size_t count, double start, double step,
                                    size_t out_count, double *out, bristle_fault *fault)
{
  if (out_count == 0) return BRISTLE_FAULT_NONE;
  double last = start + step * (double)(out_count - 1), *slope = malloc(sizeof *slope * (count ? count : 1));
  if (!slope) return fault_memory(fault);
  bristle_fault_kind kind = bristle_differentiate(t, 0, y, count, slope, fault);
  if (!kind && !(step > 0))
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "a time step of %g, expected a positive one", step);
  const double slack = GRID_SLACK * step;
  if (!kind && (!(start >= t[0] - slack) || !(last <= t[count - 1] + slack)))
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "ask for times within the record",
                     "times %g to %g are wanted of a record from %g to %g", start, last, t[0], t[count - 1]);
  for (size_t i = 0, at = 0; !kind && i < out_count; i++) {
    double time = fmin(fmax(start + step * (double)i, t[0]), t[count - 1]);
    while (at + 2 < count && time >= t[at + 1]) at++;
    double width = t[at + 1] - t[at];
    out[i] = hermite(y[at], y[at + 1], slope[at], slope[at + 1], width, (time - t[at]) / width);
  }
  free(slope);
  return kind;
}
