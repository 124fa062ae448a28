/* Is a fit biased by the noise of its own motion? In a closed loop that noise goes through the controller into the
   force, and least squares take it for friction. What the motion should have been knows nothing of the noise: the
   derivatives of the force along the reference are instruments z for those along the measured motion, x. Where the
   residuals e are noise, sum z e = 0; otherwise the linear parameters have to change by (Z'X)^-1 Z'e. A change beyond
   its own deviation and that of the fit is told, and becomes part of the deviation. */
#include "fit/campaign/campaign.h"
#include "fit/squares/linear.h"
#include "fit/results/result.h"

#include "maths/elementary.h"
#include <stdlib.h>

static const double CLEAR = 3;      /* deviations of the difference */
static const double FOLLOWS = 0.5;  /* least correlation of reference and motion */
static const double WEAKEST = 1e-6; /* of the instruments, relative to the strongest */

typedef struct instruments {
  const bristle_identified *result;
  const bristle_identify_options *options;
  chart chart;
  experiment measured, reference;
  double u[UNKNOWNS];
  int count, column[UNKNOWNS]; /* the unknowns that are compared */
  double *e, *x, *z;           /* residuals; rows of derivatives */
} instruments;

/* ---- the records as they should have been ---- */

static int follows(const bristle_log *log)
{
  const double *should = log->raw[BRISTLE_CHANNEL_REFERENCE];
  const double *is = log->raw[log->reference_is_velocity ? BRISTLE_CHANNEL_VELOCITY : BRISTLE_CHANNEL_POSITION];
  double n = (double)log->count, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  if (!should) return 0;
  if (!is) is = log->reference_is_velocity ? log->v : log->x;
  for (size_t i = 0; i < log->count; i++) a += should[i] / n, b += is[i] / n;
  for (size_t i = 0; i < log->count; i++) {
    const double s = should[i] - a, t = is[i] - b;
    aa += s * s, bb += t * t, ab += s * t;
  }
  return ab > FOLLOWS * sqrt(aa * bb);
}

static bristle_fault_kind make_reference(const bristle_log *log, double cutoff, bristle_log *copy, bristle_fault *fault)
{
  const int from_velocity = log->reference_is_velocity;
  const cutoff_choice choice = { .source = from_velocity ? MOTION_FROM_VELOCITY : MOTION_FROM_POSITION,
                                 .cutoff = cutoff };
  *copy = *log;
  copy->memory_list = NULL;
  copy->phase = memory_take(&copy->memory_list, log->count + 1);
  if (!copy->phase) return fault_memory(fault);
  memcpy(copy->phase, log->phase, log->count);
  copy->raw[from_velocity ? BRISTLE_CHANNEL_VELOCITY : BRISTLE_CHANNEL_POSITION] = log->raw[BRISTLE_CHANNEL_REFERENCE];
  return campaign_apply(&choice, copy, fault);
}

/* ---- derivatives along both ---- */

static int is_compared(const instruments *s, int estimate)
{
  const bristle_estimate *x = &s->result->estimate[estimate];
  return x->free && !x->bound && isfinite(x->deviation);
}

/* the linear unknowns of what is determined */
static void choose_columns(instruments *s)
{
  const int nparam = s->chart.nparam;
  for (int j = 0; j < s->chart.count; j++)
    if (s->chart.linear[j] && is_compared(s, s->chart.place[j])) s->column[s->count++] = j;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (s->measured.term_at[t] >= 0 && is_compared(s, nparam + t)) s->column[s->count++] = s->measured.term_at[t];
}

static int prepare(instruments *s, bristle_identify_options *options, const bristle_log *const *logs,
                   const bristle_log *const *reference, size_t count)
{
  const bristle_identified *r = s->result;
  features f;
  bristle_fault ignored;
  options->slow_fall = r->slow_fall;
  bristle_identified_take_free(r, options);
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (r->estimate[r->law->f64->info->nparam + t].free) options->term[t] = BRISTLE_TERM_FREE;
    else if (options->term[t] == BRISTLE_TERM_FREE) options->term[t] = BRISTLE_TERM_NONE;
  if (features_find(&f, logs, count, options, &ignored)
      || chart_make(&s->chart, r->law, r->load, &f, options, &ignored))
    return 1;
  experiment_make(&s->measured, &s->chart, logs, count, r->load, options);
  experiment_make(&s->reference, &s->chart, reference, count, r->load, options);
  s->measured.moving_only = s->reference.moving_only = r->law->f64->info->nstate > 0 && !r->slow_counted;
  experiment_count(&s->measured), experiment_count(&s->reference);
  chart_unknowns(&s->chart, r->p, s->u);
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (s->measured.term_at[t] >= 0) s->u[s->measured.term_at[t]] = r->term[t];
  choose_columns(s);
  return !s->count || s->measured.rows != s->reference.rows;
}

static int walk_both(instruments *s)
{
  const size_t rows = s->measured.rows, wide = (size_t)s->measured.unknowns;
  double *unused = malloc(sizeof *unused * (rows + 1));
  s->e = malloc(sizeof *s->e * (rows + 1));
  s->x = malloc(sizeof *s->x * (rows * wide + 1));
  s->z = malloc(sizeof *s->z * (rows * wide + 1));
  const int failed = !unused || !s->e || !s->x || !s->z || experiment_jacobian(&s->measured, s->u, s->e, s->x)
                     || experiment_jacobian(&s->reference, s->u, unused, s->z);
  free(unused);
  return failed;
}

/* ---- what the instruments ask for ---- */

/* The inverse of sum a b' over the chosen columns; nonzero: they do not tell them apart. */
static int invert_products(const instruments *s, const double *a, const double *b, double *inverse)
{
  const size_t rows = s->measured.rows, wide = (size_t)s->measured.unknowns;
  const int n = s->count;
  double m[UNKNOWNS * UNKNOWNS] = { 0 }, v[UNKNOWNS * UNKNOWNS], size[UNKNOWNS];
  double left[UNKNOWNS] = { 0 }, right[UNKNOWNS] = { 0 };
  for (size_t i = 0; i < rows; i++)
    for (int j = 0; j < n; j++) {
      const double *other = b + i * wide, y = a[i * wide + (size_t)s->column[j]];
      left[j] += y * y, right[j] += other[s->column[j]] * other[s->column[j]];
      for (int k = 0; k < n; k++) m[k * n + j] += y * other[s->column[k]];
    }
  for (int j = 0; j < n; j++)
    if (!(left[j] > 0 && right[j] > 0)) return 1;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) m[k * n + j] /= sqrt(left[j] * right[k]);
  linear_singular(m, n, v, size);
  if (!(size[n - 1] > WEAKEST * size[0])) return 1;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) {
      double sum = 0;
      for (int l = 0; l < n; l++) sum += v[l * n + j] * m[l * n + k] / (size[l] * size[l]);
      inverse[j * n + k] = sum / sqrt(right[j] * left[k]);
    }
  return 0;
}

/* The change of one estimate is a sum over the rows: its size, and its deviation where rows follow each other. */
static double change_of(const instruments *s, const double *slope, const double *by_z, const double *by_x, double *row,
                        double *deviation)
{
  const size_t rows = s->measured.rows, wide = (size_t)s->measured.unknowns;
  const int n = s->count;
  double z[UNKNOWNS] = { 0 }, x[UNKNOWNS] = { 0 }, sum = 0;
  for (int j = 0; j < n; j++)
    for (int k = 0; k < n; k++) z[k] += slope[j] * by_z[j * n + k], x[k] += slope[j] * by_x[j * n + k];
  for (size_t i = 0; i < rows; i++) {
    row[i] = 0;
    for (int k = 0; k < n; k++) {
      const size_t at = i * wide + (size_t)s->column[k];
      row[i] -= (z[k] * s->z[at] - x[k] * s->x[at]) * s->e[i]; /* residuals are model - measured */
    }
    sum += row[i];
  }
  *deviation = sqrt(sandwich_variance(row, rows));
  return sum;
}

/* derivatives of an estimate by the chosen unknowns, in which it is linear */
static void slopes_of(const instruments *s, int estimate, double *slope)
{
  double p[BRISTLE_LAW_SIZE], q[BRISTLE_LAW_SIZE];
  chart_params(&s->chart, s->u, p);
  for (int j = 0; j < s->count; j++) {
    double moved[UNKNOWNS];
    const int at = s->column[j], term = at >= s->chart.count;
    const double step = s->u[at] != 0 ? 1e-3 * fabs(s->u[at]) : 1e-3;
    memcpy(moved, s->u, sizeof moved);
    moved[at] += step;
    chart_params(&s->chart, moved, q);
    slope[j] = term || estimate >= s->chart.nparam ? 0 : (q[estimate] - p[estimate]) / step;
    for (int t = 0; t < BRISTLE_TERMS && term; t++)
      if (s->measured.term_at[t] == at && estimate == s->chart.nparam + t) slope[j] = 1;
  }
}

static void widen(bristle_estimate *x, double change)
{
  x->bias = change;
  x->deviation = hypot(x->deviation, change);
  if (!x->reason[0] && x->deviation > 0.5 * fabs(x->value))
    snprintf(x->reason, sizeof x->reason,
             "the reference gives %.3g %s: noise of the motion enters the force through the controller; use a finer "
             "position sensor",
             x->value + change, x->unit);
}

static void compare(const instruments *s, bristle_identified *r)
{
  double by_z[UNKNOWNS * UNKNOWNS], by_x[UNKNOWNS * UNKNOWNS], slope[UNKNOWNS], deviation;
  double *row = malloc(sizeof *row * (s->measured.rows + 1));
  if (row && !invert_products(s, s->z, s->x, by_z) && !invert_products(s, s->x, s->x, by_x))
    for (int k = 0; k < r->estimates; k++) {
      if (!is_compared(s, k)) continue;
      slopes_of(s, k, slope);
      const double change = change_of(s, slope, by_z, by_x, row, &deviation);
      if (fabs(change) > CLEAR * deviation && fabs(change) > r->estimate[k].deviation) widen(&r->estimate[k], change);
    }
  free(row);
}

void bristle_identified_instruments(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                                    const bristle_identify_options *options, const bristle_campaign *all)
{
  instruments *s = calloc(1, sizeof *s);
  bristle_log *copy = calloc(log_count, sizeof *copy);
  const bristle_log **list = calloc(log_count, sizeof *list);
  bristle_identify_options own = *options;
  bristle_fault ignored;
  int failed = !s || !copy || !list || result->compared;
  for (size_t l = 0; l < log_count && !failed; l++) {
    list[l] = &copy[l];
    failed = !logs[l]->phase || !follows(logs[l]) || make_reference(logs[l], all->cutoff, &copy[l], &ignored);
  }
  if (!failed) {
    s->result = result, s->options = &own;
    failed = prepare(s, &own, logs, list, log_count) || walk_both(s);
    if (!failed) compare(s, result);
    result->compared = !failed;
    free(s->e), free(s->x), free(s->z);
  }
  for (size_t l = 0; copy && l < log_count; l++) memory_free(copy[l].memory_list);
  free(copy), free(list), free(s);
}
