/* The parameters of a law with deviations, correlations, and how well they reproduce the data. */
#include "fit/residuals/terms.h"
#include "fit/residuals/walk.h"
#include "io/memory.h"
#include "io/support.h"
#include "fit/results/result.h"
#include "fit/unknowns/chart_parts.h"

#include "maths/elementary.h"

#include <stdlib.h>

void bristle_identified_free(bristle_identified *result)
{
  if (!result) return;
  memory_free(result->memory_list);
  free(result);
}

/* ---- from unknowns to parameters ---- */

/* Rows: derivatives of each estimate by the unknowns. */
static void slopes(const experiment *e, const double *u, double *g)
{
  const chart *c = e->chart;
  size_t width = (size_t)e->unknowns;
  for (int k = 0; k < c->nparam; k++) {
    double one[BRISTLE_LAW_SIZE] = { 0 }, p[BRISTLE_LAW_SIZE];
    one[k] = 1;
    chart_params(c, u, p);
    chart_derivatives(c, u, p, one, g + (size_t)k * width);
  }
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (e->term_at[t] >= 0) g[(size_t)(c->nparam + t) * width + (size_t)e->term_at[t]] = 1;
}

static void name_terms(bristle_identified *made, const bristle_log *log)
{
  int first = made->law->f64->info->nparam;
  memcpy(made->extra_text, log->extra_text, sizeof made->extra_text);
  for (int kind = 0; kind < BRISTLE_OVERS; kind++)
    if (made->estimate[first + (kind ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT)].free)
      made->over[kind] = log->over[kind];
  for (int t = 0; t < BRISTLE_TERMS; t++) {
    bristle_estimate *x = &made->estimate[first + t];
    snprintf(x->name, sizeof x->name, "%s", term_name(log, t));
    snprintf(x->unit, sizeof x->unit, "%s", bristle_term_unit(t, made->rotary));
    x->value = made->term[t];
  }
}

void bristle_identified_take_free(const bristle_identified *result, bristle_identify_options *options)
{
  const bristle_info *info = result->law->f64->info;
  for (int k = 0; k < info->param_rows; k++) {
    int names = 0;
    if (!result->estimate[info->param[k].first].free || !chart_usually_fixed(&info->param[k])) continue;
    while (names < BRISTLE_IDENTIFY_NAMES - 1 && options->free[names]
           && strcmp(options->free[names], info->param[k].name))
      names++;
    if (names < BRISTLE_IDENTIFY_NAMES - 1) options->free[names] = info->param[k].name;
  }
}

void result_name_parameters(bristle_identified *made, const chart *c)
{
  const bristle_info *info = made->law->f64->info;
  for (int k = 0; k < info->nparam; k++) {
    bristle_estimate *x = &made->estimate[k];
    snprintf(x->name, sizeof x->name, "%s", c->name[k]);
    bristle_unit(chart_row(info, k), made->load, made->rotary, x->unit, sizeof x->unit);
    x->value = made->p[k];
  }
}

static void explain_term(bristle_estimate *x)
{
  if (x->free && !isfinite(x->deviation))
    snprintf(x->reason, sizeof x->reason, "its factor is zero here, or a combination of the other terms");
}

/* variance of an estimate and the covariance of two, from those of the unknowns */
static double product(const double *a, const double *c, const double *b, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n && a[i] != 0; j++) sum += a[i] * c[i * n + j] * b[j];
  return sum;
}

void result_spread(bristle_identified *made, const bristle_fit_result *fit, const double *factor, const int *bound,
                   double *g)
{
  int n = fit->count, count = made->estimates;
  for (int k = 0; k < count; k++) /* as if the unknowns had been measured in smaller units */
    for (int j = 0; j < n; j++) g[k * n + j] *= factor[j];
  for (int k = 0; k < count; k++) {
    bristle_estimate *x = &made->estimate[k];
    const double *row = g + (size_t)k * (size_t)n;
    double variance = product(row, fit->covariance, row, n) * made->memory;
    for (int j = 0; j < n; j++) {
      if (row[j] == 0) continue;
      x->free = 1;
      if (isinf(fit->deviation[j])) variance = HUGE_VAL;
    }
    x->deviation = sqrt(fmax(variance, 0));
    if (bound[k] >= 0) x->bound = fit->bound[bound[k]];
    if (x->bound) x->deviation = HUGE_VAL;
  }
  for (int k = 0; k < count; k++)
    for (int l = 0; l < count; l++) {
      double *to = &made->correlation[k * count + l];
      double size = made->estimate[k].deviation * made->estimate[l].deviation;
      *to = (double)NAN;
      if (made->estimate[k].free && made->estimate[l].free && size > 0 && isfinite(size))
        *to = k == l ? 1
                     : product(g + (size_t)k * (size_t)n, fit->covariance, g + (size_t)l * (size_t)n, n) * made->memory
                           / size;
    }
}

/* How many rows of white noise are worth one behind the filter. */
static double worth_by_filter(const experiment *e)
{
  const bristle_log *log = e->logs[0];
  const double every = e->decimate > 1 ? (double)e->decimate : 1;
  return log->filtered ? fmax(log->summary.rate / (2 * log->cutoff * every), 1) : 1;
}

static void spread(bristle_identified *made, const experiment *e, const bristle_fit_result *fit, double *g)
{
  double factor[UNKNOWNS];
  int bound[BRISTLE_ESTIMATES];
  for (int j = 0; j < e->unknowns; j++) factor[j] = 1;
  for (int k = 0; k < made->estimates; k++) bound[k] = -1;
  for (int j = 0; j < e->chart->count; j++) bound[e->chart->place[j]] = j;
  /* a record that nobody has looked at as a whole is fitted plainly */
  double *r = e->logs[0]->phase && !e->options->only_to_rank
                  ? malloc(sizeof *r * (e->rows + 1) * (size_t)(e->unknowns + 1))
                  : NULL;
  if (r && !experiment_jacobian(e, fit->p, r, r + e->rows))
    sandwich_factors(r, r + e->rows, e->rows, fit, made->memory, worth_by_filter(e), factor);
  free(r);
  result_spread(made, fit, factor, bound, g);
}

/* ---- how well ---- */

static void judge_squares(bristle_identified *made, double squares, size_t count, int free_count)
{
  const double rows = (double)count, k = free_count + 1.0;
  const double fit = rows * log(fmax(squares / rows, 1e-300));
  made->rows = count;
  made->rms = made->fitted_rms = sqrt(squares / rows);
  made->aicc = fit + 2 * k + 2 * k * (k + 1) / fmax(rows - k - 1, 1);
  made->bic = fit + k * log(rows);
  made->memory = made->whiteness = 1;
}

void result_measure(bristle_identified *made, const double *r, size_t count, int free_count)
{
  double squares = 0;
  for (size_t i = 0; i < count; i++) squares += r[i] * r[i], made->largest = fmax(made->largest, fabs(r[i]));
  judge_squares(made, squares, count, free_count);
}

static bristle_fault_kind measure(bristle_identified *made, const experiment *e, const bristle_fit_result *fit,
                                  bristle_fault *fault)
{
  size_t n = e->rows;
  if (e->options->only_to_rank) {
    judge_squares(made, fit->squares, n, fit->free);
    made->relative = made->largest = (double)NAN;
    return BRISTLE_FAULT_NONE;
  }
  double *r = malloc(sizeof *r * 2 * (n + 1)), force = 0;
  if (!r) return fault_memory(fault);
  bristle_fault_kind kind = experiment_compare(e, fit->p, r, r + n, NULL, fault);
  for (size_t i = 0; i < n && !kind; i++) force += r[n + i] * r[n + i];
  if (!kind) result_measure(made, r, n, fit->free);
  for (size_t i = 0; i < n && !kind; i++) r[i] *= experiment_root_weight(e, r[n + i]);
  if (!kind) residual_memory(r, n, fit->free, &made->memory, &made->whiteness);
  made->relative = force > 0 ? made->rms * sqrt((double)n / force) : (double)NAN;
  free(r);
  return kind;
}

/* the work of the model's friction by that of the measured one */
static double energy_ratio(const bristle_identified *made, const experiment *e)
{
  double model = 0, measured = 0;
  for (size_t l = 0; l < e->log_count; l++) {
    const bristle_log *log = e->logs[l];
    double *force = malloc(sizeof *force * (log->count + 1));
    if (!force || walk_result(made, log, force)) {
      free(force);
      return (double)NAN;
    }
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++) {
        double way = log->v[i] * (log->t[i] - log->t[i - 1]);
        model += force[i] * way, measured += (log->f[i] - term_sum(log, made->term, i)) * way;
      }
    free(force);
  }
  return measured != 0 ? model / measured : (double)NAN;
}

bristle_fault_kind result_fill(bristle_identified *made, const experiment *e, const features *f,
                               const bristle_fit_result *fit, bristle_fault *fault)
{
  const bristle_info *info = e->law->f64->info;
  size_t width = (size_t)e->unknowns, count = (size_t)info->nparam + BRISTLE_TERMS;
  made->law = e->law;
  made->load = e->load;
  made->rotary = e->logs[0]->rotary;
  made->estimates = (int)count;
  made->correlation = memory_take(&made->memory_list, sizeof(double) * count * count);
  double *g = memory_take(&made->memory_list, sizeof *g * count * width);
  if (!g || !made->correlation) return fault_memory(fault);
  chart_params(e->chart, fit->p, made->p);
  for (int t = 0; t < BRISTLE_TERMS; t++)
    made->term[t] = e->term_at[t] >= 0                          ? fit->p[e->term_at[t]]
                    : e->options->term[t] == BRISTLE_TERM_GIVEN ? e->options->term_value[t]
                                                                : 0;
  bristle_fault_kind kind = measure(made, e, fit, fault);
  if (kind) return kind;
  result_name_parameters(made, e->chart);
  slopes(e, fit->p, g);
  spread(made, e, fit, g);
  name_terms(made, e->logs[0]);
  for (int k = 0; k < info->nparam; k++) result_explain(&made->estimate[k], chart_row(info, k), f, made->rotary);
  for (int t = BRISTLE_TERM_EXTRA; t < BRISTLE_TERM_FRICTION_AT; t++) explain_term(&made->estimate[info->nparam + t]);
  if (e->logs[0]->phase) resolved_judge(made, e);
  resolved_judge_elements(made);
  made->nothing_slides = e->options->nothing_slides;
  result_judge_drop(made, result_drop(made, made->p));
  if (info->nstate == 0 || e->moving_only)
    result_judge_static(made, f); /* the way to motion shows it, where it counts */
  made->energy = e->options->only_to_rank ? (double)NAN : energy_ratio(made, e);
  made->noise = fit->noise;
  made->condition = fit->condition;
  made->stop = fit->stop;
  made->iterations = fit->iterations, made->jacobians = fit->jacobians, made->evaluations = fit->evaluations;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind result_stopped(bristle_fault *fault)
{
  return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "stopped before the fit was finished");
}

bristle_contact bristle_identified_contact(const bristle_identified *result)
{
  return (bristle_contact){ .law = result->law, .load = result->load, .p = result->p };
}

bristle_fault_kind bristle_identified_force(const bristle_identified *result, const bristle_log *log, double *force,
                                            bristle_fault *fault)
{
  if (walk_result(result, log, force)) return fault_memory(fault);
  for (size_t i = 0; i < log->count; i++) force[i] += term_sum(log, result->term, i);
  return BRISTLE_FAULT_NONE;
}
