/* The numbers of a fit of simulated motion with units, deviations and doubts. */
#include "io/support.h"
#include "fit/replay/replay.h"
#include "fit/results/result.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* a number that is only told */
static int is_known(const replay_number *number) { return number->unknown.lo == number->unknown.hi; }

/* The place of each number among the estimates: terms of a balance have theirs, the others come behind, and where a run
   starts is told to nobody (-1). */
static void name_numbers(bristle_identified *made, const replay *m, const double *value, int *place)
{
  const int first = made->law->f64->info->nparam;
  for (int t = 0; t < BRISTLE_TERMS; t++) snprintf(made->estimate[first + t].name, 32, "%s", bristle_term_name(t));
  for (int k = 0; k < m->source->numbers; k++) {
    const replay_number *number = &m->source->number[k];
    place[k] = number->run ? -1 : number->term >= 0 ? first + number->term : made->estimates++;
    if (place[k] < 0) continue;
    bristle_estimate *x = &made->estimate[place[k]];
    snprintf(x->name, sizeof x->name, "%s", number->name);
    snprintf(x->unit, sizeof x->unit, "%s", number->unit);
    x->value = value[k];
    if (number->term >= 0) made->term[number->term] = value[k];
  }
}

static bristle_fault_kind measure(const replay *m, const bristle_fit_result *fit, bristle_identified *made,
                                  bristle_fault *fault)
{
  const replay_source *s = m->source;
  const size_t n = replay_rows(m);
  double *r = memory_take(&made->memory_list, sizeof *r * (n + 1)), *scaled = malloc(sizeof *scaled * (n + 1));
  double squares = 0;
  size_t at = 0;
  bristle_fault_kind kind = r && scaled ? BRISTLE_FAULT_NONE : fault_memory(fault);
  if (!kind && replay_compare(m, fit->p, r))
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the result cannot be simulated");
  for (size_t k = 0; k < s->runs && !kind; k++)
    for (int c = 0; c < s->channels; c++)
      for (size_t i = 0; i < m->until[k]; i++, at++) {
        scaled[at] = r[at] * s->noise[0] / s->noise[c];
        squares += pow(s->size[c] * s->noise[0] / s->noise[c], 2); /* of the motion, as scaled */
      }
  if (!kind) {
    result_measure(made, scaled, n, fit->free);
    residual_memory(scaled, n, fit->free, &made->memory, &made->whiteness);
    made->relative = squares > 0 ? made->rms * sqrt((double)n / squares) : (double)NAN;
    made->energy = (double)NAN;
    made->noise = made->rms;
    made->measured_noise = s->measured_noise;
    made->residual = r;
  }
  free(scaled);
  return kind;
}

/* derivatives of each estimate by the unknowns, and deviations from them */
static bristle_fault_kind spread(const replay *m, const bristle_fit_result *fit, const int *place,
                                 bristle_identified *made, bristle_fault *fault)
{
  const chart *c = m->chart;
  const size_t width = (size_t)m->count, rows = replay_rows(m);
  double *g = calloc((size_t)made->estimates * width, sizeof *g), *factor = malloc(sizeof *factor * width);
  double *r = malloc(sizeof *r * (rows + 1) * (width + 1));
  int bound[BRISTLE_ESTIMATES];
  const int ready = g && factor && r;
  for (int k = 0; k < made->estimates; k++) bound[k] = -1;
  for (int k = 0; k < c->nparam && ready; k++) {
    double one[BRISTLE_LAW_SIZE] = { 0 };
    one[k] = 1;
    chart_derivatives(c, fit->p, made->p, one, g + (size_t)k * width);
  }
  for (int j = 0; j < c->count; j++) bound[c->place[j]] = j;
  for (int k = 0; k < m->source->numbers && ready; k++)
    if (place[k] >= 0 && !is_known(&m->source->number[k]))
      g[(size_t)place[k] * width + (size_t)(c->count + k)] = 1, bound[place[k]] = c->count + k;
  for (size_t j = 0; j < width && ready; j++) factor[j] = 1;
  if (ready && m->source->loss == BRISTLE_SQUARES && !replay_jacobian(m, fit->p, r, r + rows))
    sandwich_factors(r, r + rows, rows, fit, made->memory, 0, factor);
  if (ready) result_spread(made, fit, factor, bound, g);
  free(g), free(factor), free(r);
  return ready ? BRISTLE_FAULT_NONE : fault_memory(fault);
}

static void explain(const replay *m, const features *f, bristle_identified *made, const int *place)
{
  const bristle_info *info = made->law->f64->info;
  for (int k = 0; k < info->nparam; k++) result_explain(&made->estimate[k], chart_row(info, k), f, made->rotary);
  for (int k = 0; k < m->source->numbers; k++) {
    if (place[k] < 0 || is_known(&m->source->number[k])) continue;
    bristle_estimate *x = &made->estimate[place[k]];
    if (x->bound)
      snprintf(x->reason, sizeof x->reason, "it ended at the %s end of its range", x->bound < 0 ? "lower" : "upper");
    else if (!isfinite(x->deviation)) snprintf(x->reason, sizeof x->reason, "the motion does not depend on it");
  }
}

bristle_fault_kind replay_result(const replay *m, const features *f, const bristle_fit_result *fit,
                                 bristle_identified *made, bristle_fault *fault)
{
  const replay_source *s = m->source;
  const double *beside = fit->p + m->chart->count;
  made->law = s->law, made->load = s->load, made->rotary = s->rotary;
  snprintf(made->unit, sizeof made->unit, "%s", s->unit);
  made->estimates = made->law->f64->info->nparam + BRISTLE_TERMS;
  if (made->estimates + s->numbers > BRISTLE_ESTIMATES + (int)(2 * s->runs))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "free fewer of them", "%s has too many unknowns", made->law->name);
  int *place = memory_take(&made->memory_list, sizeof *place * (size_t)(s->numbers + 1));
  made->beside = memory_take(&made->memory_list, sizeof *made->beside * (size_t)(s->numbers + 1));
  made->correlation = memory_take(&made->memory_list, sizeof(double) * BRISTLE_ESTIMATES * BRISTLE_ESTIMATES);
  if (!place || !made->beside || !made->correlation) return fault_memory(fault);
  memcpy(made->beside, beside, sizeof *beside * (size_t)s->numbers);
  chart_params(m->chart, fit->p, made->p);
  result_name_parameters(made, m->chart);
  name_numbers(made, m, beside, place);
  bristle_fault_kind kind = measure(m, fit, made, fault);
  if (!kind) kind = spread(m, fit, place, made, fault);
  if (kind) return kind;
  explain(m, f, made, place);
  made->condition = fit->condition, made->stop = fit->stop;
  made->iterations = fit->iterations, made->jacobians = fit->jacobians, made->evaluations = fit->evaluations;
  return BRISTLE_FAULT_NONE;
}
