/* What was not measured: velocities and accelerations by zero-phase filtering and differences, positions by
   integration, and the mean velocity of each interval, which is what drives a law. */
#include "fit/records/log.h"

#include "maths/elementary.h"

#include <stdlib.h>

static double *numbers(bristle_log *log, size_t count)
{
  return memory_take(&log->memory_list, sizeof(double) * (count + 1));
}

static size_t longest(const bristle_log *log)
{
  size_t best = 0;
  for (size_t k = 1; k < log->stretches; k++)
    if (log->first[k + 1] - log->first[k] > log->first[best + 1] - log->first[best]) best = k;
  return best;
}

/* ---- filters and derivatives ---- */

static bristle_fault_kind choose_cutoff(bristle_log *log, const double *signal, int derivative,
                                        const bristle_log_options *options, bristle_fault *fault)
{
  bristle_cutoff found;
  size_t k = longest(log), count = log->first[k + 1] - log->first[k];
  if (options->cutoff < 0 || log->cutoff > 0) return BRISTLE_FAULT_NONE;
  if (options->cutoff > 0) {
    log->cutoff = options->cutoff;
    return BRISTLE_FAULT_NONE;
  }
  if (count < 64) {
    log_note(log, 0, "too short to choose a filter: derivatives are plain differences");
    return BRISTLE_FAULT_NONE;
  }
  bristle_fault_kind kind = bristle_cutoff_choose(signal + log->first[k], count, log->summary.rate, LOG_FILTER_ORDER,
                                                  derivative, &found, fault);
  if (kind || found.at_end) return kind;
  log->cutoff = found.frequency;
  log->cutoff_chosen = 1;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind filter_signal(bristle_log *log, double *signal, bristle_fault *fault)
{
  bristle_lowpass filter;
  if (!(log->cutoff > 0)) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_lowpass_design(LOG_FILTER_ORDER, log->cutoff, log->summary.rate, &filter, fault);
  for (size_t k = 0; k < log->stretches && !kind; k++)
    kind = bristle_lowpass_both_ways(&filter, signal + log->first[k], log->first[k + 1] - log->first[k],
                                     signal + log->first[k], fault);
  log->drop = (size_t)ceil(LOG_SETTLING * log->summary.rate / log->cutoff);
  return kind;
}

static bristle_fault_kind differentiate(bristle_log *log, const double *from, double **to, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!(*to = numbers(log, log->count))) return fault_memory(fault);
  for (size_t k = 0; k < log->stretches && !kind; k++) {
    size_t begin = log->first[k];
    kind = bristle_differentiate(log->t + begin, 0, from + begin, log->first[k + 1] - begin, *to + begin, fault);
  }
  return kind;
}

static void describe(bristle_log *log, int channel, const char *from)
{
  if (log->cutoff > 0)
    snprintf(log->column[channel], sizeof log->column[channel], "from %s, filtered at %.3g Hz%s", from, log->cutoff,
             log->cutoff_chosen ? " (chosen from the data)" : "");
  else snprintf(log->column[channel], sizeof log->column[channel], "from %s by differences, no filter", from);
}

static bristle_fault_kind add_derivatives(bristle_log *log, const bristle_log_options *options, bristle_fault *fault)
{
  int no_v = !log->v, no_a = (options->inverse || options->acceleration) && !log->a;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!no_v && !no_a) return kind;
  if (no_v) {
    kind = choose_cutoff(log, log->x, no_a && options->inverse ? 2 : 1, options, fault);
    if (!kind) kind = filter_signal(log, log->x, fault);
    if (!kind) kind = differentiate(log, log->x, &log->v, fault);
    describe(log, BRISTLE_CHANNEL_VELOCITY, "position");
    if (!kind && no_a) kind = differentiate(log, log->v, &log->a, fault);
    if (no_a) describe(log, BRISTLE_CHANNEL_ACCELERATION, "position");
    return kind;
  }
  double *smooth = numbers(log, log->count);
  if (!smooth) return fault_memory(fault);
  memcpy(smooth, log->v, sizeof *smooth * log->count);
  kind = choose_cutoff(log, smooth, 1, options, fault);
  if (!kind) kind = filter_signal(log, smooth, fault);
  if (!kind) kind = differentiate(log, smooth, &log->a, fault);
  memory_give(&log->memory_list, smooth);
  describe(log, BRISTLE_CHANNEL_ACCELERATION, "velocity");
  return kind;
}

/* ---- the way between the samples ---- */

/* how much a signal jumps from sample to sample beyond what a straight line would */
static double roughness(const bristle_log *log, const double *y)
{
  double sum = 0;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k] + 2; i < log->first[k + 1]; i++) {
      double bend = y[i] - 2 * y[i - 1] + y[i - 2];
      sum += bend * bend;
    }
  return sum;
}

static void slide_by_position(bristle_log *log, double *slide)
{
  for (size_t k = 0; k < log->stretches; k++) {
    size_t begin = log->first[k];
    for (size_t i = begin + 1; i < log->first[k + 1]; i++)
      slide[i] = (log->x[i] - log->x[i - 1]) / (log->t[i] - log->t[i - 1]);
    slide[begin] = slide[begin + 1];
  }
}

static void slide_by_velocity(bristle_log *log, double *slide)
{
  for (size_t k = 0; k < log->stretches; k++) {
    size_t begin = log->first[k];
    slide[begin] = log->v[begin];
    for (size_t i = begin + 1; i < log->first[k + 1]; i++) slide[i] = 0.5 * (log->v[i] + log->v[i - 1]);
  }
}

static bristle_fault_kind add_slide(bristle_log *log, int x_measured, int v_measured, double noise,
                                    bristle_fault *fault)
{
  double *by_x = numbers(log, log->count), *by_v = numbers(log, log->count);
  if (!by_x || !by_v) return fault_memory(fault);
  slide_by_velocity(log, by_v);
  log->slide = by_v;
  if (!x_measured) {
    if (!(log->x = numbers(log, log->count))) return fault_memory(fault);
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++)
        log->x[i] = log->x[i - 1] + by_v[i] * (log->t[i] - log->t[i - 1]);
    snprintf(log->column[BRISTLE_CHANNEL_POSITION], sizeof log->column[0], "from velocity, by integration");
    return BRISTLE_FAULT_NONE;
  }
  slide_by_position(log, by_x);
  /* both measured: the smoother one; the coarse steps of an encoder would shake the bristles */
  int by_position = !v_measured || roughness(log, by_x) <= 2 * roughness(log, by_v);
  log_hold_rests(log, noise, by_v);
  if (by_position) slide_by_position(log, by_x), log->slide = by_x;
  return BRISTLE_FAULT_NONE;
}

/* Between velocities of either sign one of nothing but noise and rounding is that of the turn: its sign says nothing,
   and a law that has two forces there would have to guess. */
static void clear_turns(bristle_log *log, int v_measured, double noise)
{
  const double pace = log->cutoff > 0 ? 2 * M_PI * log->cutoff : log->summary.rate;
  double widest = 0, fastest = 0;
  for (size_t i = 0; i < log->count; i++)
    widest = fmax(widest, fabs(log->x[i])), fastest = fmax(fastest, fabs(log->v[i]));
  const double error = v_measured ? 1e-15 * fastest : 1e-15 * widest * log->summary.rate + 3 * noise * pace;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k] + 1; i + 1 < log->first[k + 1]; i++)
      if (fabs(log->v[i]) <= error && log->v[i - 1] * log->v[i + 1] < 0) log->v[i] = 0;
}

/* Two columns that should be one motion: the slope of dx/dt over v tells a wrong unit. */
static void compare_velocity(bristle_log *log)
{
  double both = 0, square = 0, travel = 0, samples = 0;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++) {
      double mean = 0.5 * (log->v[i] + log->v[i - 1]),
             moved = (log->x[i] - log->x[i - 1]) / (log->t[i] - log->t[i - 1]);
      both += mean * moved, square += mean * mean, travel += moved * moved, samples++;
    }
  const double slope = square > 0 ? both / square : 0, alike = square * travel > 0 ? both / sqrt(square * travel) : 1;
  /* noise of the velocity makes the slope too small, noise of the position its inverse: the truth lies between */
  const double steepest = both > 0 ? travel / both : 0;
  const double noise = log->fact[BRISTLE_CHANNEL_VELOCITY].noise,
               noise_part = square > 0 ? noise * noise * samples / square : 0;
  if (square > 0 && alike >= 0.5 && (steepest < 0.8 || slope > 1.25))
    log_note(log, 1, "position and velocity disagree: dx/dt is %.3g times the velocity column; check units and columns",
             slope);
  else if (alike < 0.5 && noise_part < 0.1)
    log_note(log, 1, "position and velocity disagree: they do not describe one motion");
}

/* Of a million normal numbers the outermost are ten deviations apart. */
static int is_nothing_but_noise(const bristle_log *log, double noise)
{
  double low = log->x[0], high = low;
  for (size_t i = 0; i < log->count; i++) low = fmin(low, log->x[i]), high = fmax(high, log->x[i]);
  return high > low && high - low < 12 * noise;
}

bristle_fault_kind log_prepare(bristle_log *log, const bristle_log_options *options,
                               const int measured[BRISTLE_CHANNELS], bristle_fault *fault)
{
  int x_measured = measured[BRISTLE_CHANNEL_POSITION], v_measured = measured[BRISTLE_CHANNEL_VELOCITY];
  const double noise = x_measured ? log_position_noise(log) : 0;
  if (!v_measured && is_nothing_but_noise(log, noise)) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "is it the right column?",
              "the position (%s) stays within its noise of about %.2g %s: nothing moves, or the motion is too fast for "
              "the sampling",
              log->column[BRISTLE_CHANNEL_POSITION], noise, bristle_length_unit(log->rotary));
    return fault_at(fault, log->file, 0, 0);
  }
  bristle_fault_kind kind = add_derivatives(log, options, fault);
  if (!kind) kind = add_slide(log, x_measured, v_measured, noise, fault);
  if (!kind) clear_turns(log, v_measured, noise);
  if (!kind && x_measured && v_measured) compare_velocity(log);
  return kind;
}
