/* Motion from one measured column: low-pass in both directions, derivatives by differences of sixth order, which are
   exact far beyond any cut-off that is chosen. */
#include "fit/records/motion.h"
#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { REACH = 3 }; /* of the differences */

motion motion_room(size_t count, memory **list)
{
  double *room = memory_take(list, 3 * sizeof *room * (count + 1));
  return room ? (motion){ room, room + count + 1, room + 2 * (count + 1) } : (motion){ 0 };
}

static const double *column_of(const bristle_log *log, motion_source source)
{
  return log->raw[source == MOTION_FROM_POSITION ? BRISTLE_CHANNEL_POSITION : BRISTLE_CHANNEL_VELOCITY];
}

int motion_has(const bristle_log *log, motion_source source) { return column_of(log, source) != NULL; }

/* up to four columns side by side, which take the time of one */
static bristle_fault_kind filter_columns(const bristle_log *log, double cutoff, double *const *column, int columns,
                                         bristle_fault *fault)
{
  bristle_lowpass filter;
  if (!(cutoff > 0) || !columns) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_lowpass_design(LOG_FILTER_ORDER, cutoff, log->summary.rate, &filter, fault);
  for (size_t k = 0; k < log->stretches && !kind; k++) {
    double *part[4];
    for (int c = 0; c < columns; c++) part[c] = column[c] + log->first[k];
    kind = signal_lowpass_columns(&filter, part, columns, log->first[k + 1] - log->first[k], fault);
  }
  return kind;
}

bristle_fault_kind motion_filter(const bristle_log *log, double cutoff, double *signal, bristle_fault *fault)
{
  return filter_columns(log, cutoff, &signal, 1, fault);
}

void motion_draw_lines(const bristle_log *log, size_t stretch, double *column)
{
  const size_t begin = log->first[stretch], count = log->first[stretch + 1] - begin;
  for (size_t i = 0, last = count; i < count && log->fresh; i++) {
    if (!log->fresh[begin + i]) continue;
    for (size_t k = last + 1; k < i; k++)
      column[k] = column[last] + (column[i] - column[last]) * (double)(k - last) / (double)(i - last);
    last = i;
  }
}

bristle_fault_kind motion_like_force(const bristle_log *log, double cutoff, double *column, bristle_fault *fault)
{
  for (size_t k = 0; k < log->stretches; k++) motion_draw_lines(log, k, column + log->first[k]);
  return motion_filter(log, cutoff, column, fault);
}

static double first_derivative(const double *y, double step)
{
  return (45 * (y[1] - y[-1]) - 9 * (y[2] - y[-2]) + (y[3] - y[-3])) / (60 * step);
}

static double second_derivative(const double *y, double step)
{
  return (270 * (y[1] + y[-1]) - 27 * (y[2] + y[-2]) + 2 * (y[3] + y[-3]) - 490 * y[0]) / (180 * step * step);
}

/* the ends of a stretch, where neighbours are missing, take the nearest value; nobody counts them */
static void continue_ends(double *y, size_t count)
{
  for (size_t i = 0; i < REACH && count > 2 * REACH; i++) y[i] = y[REACH], y[count - 1 - i] = y[count - 1 - REACH];
}

void motion_derivative(const bristle_log *log, const double *y, int order, double *out)
{
  const double step = 1 / log->summary.rate;
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t begin = log->first[k], end = log->first[k + 1];
    for (size_t i = begin + REACH; i + REACH < end; i++)
      out[i] = order == 1 ? first_derivative(y + i, step) : second_derivative(y + i, step);
    continue_ends(out + begin, end - begin);
  }
}

static void integrate(const bristle_log *log, const double *v, double *x)
{
  for (size_t k = 0; k < log->stretches; k++) {
    x[log->first[k]] = 0;
    for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++)
      x[i] = x[i - 1] + 0.5 * (v[i] + v[i - 1]) * (log->t[i] - log->t[i - 1]);
  }
}

bristle_fault_kind motion_make(const bristle_log *log, motion_source source, double cutoff, motion *out, double *also,
                               bristle_fault *fault)
{
  const double *position = log->raw[BRISTLE_CHANNEL_POSITION], *velocity = log->raw[BRISTLE_CHANNEL_VELOCITY];
  double *column[3];
  int columns = 0;
  if (position) memcpy(out->x, position, sizeof *out->x * log->count), column[columns++] = out->x;
  if (source == MOTION_FROM_VELOCITY) memcpy(out->v, velocity, sizeof *out->v * log->count), column[columns++] = out->v;
  if (also) column[columns++] = also;
  const bristle_fault_kind kind = filter_columns(log, cutoff, column, columns, fault);
  if (kind) return kind;
  if (source == MOTION_FROM_POSITION) {
    motion_derivative(log, out->x, 1, out->v);
    motion_derivative(log, out->x, 2, out->a);
    return kind;
  }
  motion_derivative(log, out->v, 1, out->a);
  if (!position) integrate(log, out->v, out->x);
  return kind;
}

/* White noise of density 2 s^2/rate, cut off at f: its n-th derivative has the variance (2 pi)^2n f^(2n+1)/(2n+1) of
   that density. */
static double derivative_noise(double noise, int order, double cutoff, double rate)
{
  const double f = cutoff > 0 ? fmin(cutoff, rate / 2) : rate / 2;
  return noise * pow(2 * PI * f, order) * sqrt(2 * f / ((2 * order + 1) * rate));
}

static double noise_of(const bristle_log *log, motion_source source)
{
  return log->fact[source == MOTION_FROM_POSITION ? BRISTLE_CHANNEL_POSITION : BRISTLE_CHANNEL_VELOCITY].noise;
}

double motion_velocity_noise(const bristle_log *log, motion_source source, double cutoff)
{
  return derivative_noise(noise_of(log, source), source == MOTION_FROM_POSITION ? 1 : 0, cutoff, log->summary.rate);
}

double motion_acceleration_noise(const bristle_log *log, motion_source source, double cutoff)
{
  return derivative_noise(noise_of(log, source), source == MOTION_FROM_POSITION ? 2 : 1, cutoff, log->summary.rate);
}

double motion_force_noise(const bristle_log *log)
{
  return derivative_noise(log->summary.force_noise, 0, log->filtered ? log->cutoff : 0, log->summary.rate);
}

double motion_force_noise_of(const bristle_log *const *logs, size_t count)
{
  double noise = 0;
  for (size_t l = 0; l < count; l++) noise = fmax(noise, motion_force_noise(logs[l]));
  return noise;
}
