/* What a result leaves of a record: the one definition of its error, for fits, pages, model files and comparisons.
   Samples that move count, every n-th of them where the record is decimated, behind the filter of the record. */
#include "lab/identify.h"
#include "fit/records/motion.h"
#include "fit/residuals/terms.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* The law's force goes through the filter of the measured one before they are compared. */
static bristle_fault_kind filter_law(const bristle_log *log, double *law, bristle_fault *fault)
{
  bristle_lowpass filter;
  for (size_t k = 0; k < log->stretches; k++) motion_draw_lines(log, k, law + log->first[k]);
  if (!log->filtered) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_lowpass_design(LOG_FILTER_ORDER, log->cutoff, log->summary.rate, &filter, fault);
  for (size_t k = 0; k < log->stretches && !kind; k++) {
    double *part = law + log->first[k];
    kind = bristle_lowpass_both_ways(&filter, part, log->first[k + 1] - log->first[k], part, fault);
  }
  return kind;
}

static int is_settled(const bristle_log *log, size_t stretch, size_t i)
{
  if (log->phase) return log->phase[i] != BRISTLE_PHASE_NONE;
  return i >= log->first[stretch] + log->drop && i + log->drop < log->first[stretch + 1];
}

bristle_fault_kind bristle_identified_compare(const bristle_identified *result, const bristle_log *log, double *model,
                                              double *residual, double *friction, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_identified_force(result, log, model, fault);
  for (size_t i = 0; i < log->count && !kind; i++) friction[i] = model[i] - term_sum(log, result->term, i);
  if (!kind) kind = filter_law(log, friction, fault);
  for (size_t k = 0; k < log->stretches && !kind; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      model[i] = friction[i] + term_sum(log, result->term, i);
      residual[i] = log->f[i] - model[i];
      friction[i] = log->f[i] - bristle_identified_beside(result, log, i);
      if (!is_settled(log, k, i)) model[i] = residual[i] = friction[i] = (double)NAN;
    }
  return kind;
}

typedef struct sums {
  double squares, forces, rows, largest;
} sums;

static void add(sums *s, double residual, double force)
{
  s->squares += residual * residual, s->forces += force * force, s->rows++;
  s->largest = fmax(s->largest, fabs(residual));
}

static void add_moving(const bristle_log *log, const double *residual, size_t every, sums *s)
{
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i += every) {
      const double root = log->w ? log->w[i] : 1;
      if (log->phase[i] == BRISTLE_PHASE_MOVING) add(s, root * residual[i], root * log->f[i]);
    }
}

/* residual and force through one filter, and every n-th of both: what a caller who decimates by himself has asked for
 */
static bristle_fault_kind add_thinned(const bristle_log *log, const double *residual, size_t every, sums *s,
                                      bristle_fault *fault)
{
  double *thin = malloc(sizeof *thin * 4 * (log->count + 1));
  bristle_fault_kind kind = thin ? BRISTLE_FAULT_NONE : fault_memory(fault);
  for (size_t k = 0; k < log->stretches && !kind; k++) {
    const size_t begin = log->first[k] + log->drop, length = log->first[k + 1] - log->first[k];
    if (2 * log->drop + 8 > length) continue;
    const size_t count = length - 2 * log->drop, kept = (count + every - 1) / every;
    double *r = thin + count, *f = r + count, *out = f + count;
    for (size_t i = 0; i < count; i++) {
      const double root = log->w ? log->w[begin + i] : 1;
      r[i] = root * residual[begin + i], f[i] = root * log->f[begin + i];
    }
    kind = bristle_decimate(r, count, every, thin, fault);
    if (!kind) kind = bristle_decimate(f, count, every, out, fault);
    for (size_t i = 0; i < kept && !kind; i++) add(s, thin[i], out[i]);
  }
  free(thin);
  return kind;
}

bristle_fault_kind bristle_residual_errors(const bristle_log *log, const double *residual, bristle_errors *errors,
                                           bristle_fault *fault)
{
  const size_t every = log->conditioning.decimate > 1 ? log->conditioning.decimate : 1;
  sums s = { 0 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (log->phase) add_moving(log, residual, every, &s);
  else kind = add_thinned(log, residual, every, &s, fault);
  errors->rows = (size_t)s.rows;
  errors->rms = s.rows > 0 ? sqrt(s.squares / s.rows) : (double)NAN;
  errors->relative = s.forces > 0 ? sqrt(s.squares / s.forces) : (double)NAN;
  errors->largest = s.largest;
  errors->noise = motion_force_noise(log);
  return kind;
}
