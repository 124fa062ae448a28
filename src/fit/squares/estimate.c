/* What the data say about the unknowns at the minimum: deviations, correlations, and combinations left undetermined. */
#include "fit/squares/search.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void bristle_fit_free(bristle_fit_result *result)
{
  if (!result) return;
  free(result->p); /* the first of one block */
  free(result->bound);
  free(result);
}

static bristle_fit_result *result_new(int count)
{
  size_t n = (size_t)count;
  bristle_fit_result *result = calloc(1, sizeof *result);
  if (!result) return NULL;
  result->count = count;
  result->p = calloc(3 * n + 4 * n * n, sizeof *result->p);
  result->bound = calloc(n, sizeof *result->bound);
  if (!result->p || !result->bound) {
    bristle_fit_free(result);
    return NULL;
  }
  result->deviation = result->p + n;
  result->singular = result->deviation + n;
  result->covariance = result->singular + n;
  result->correlation = result->covariance + n * n;
  result->direction = result->correlation + n * n;
  result->weight = result->direction + n * n;
  return result;
}

/* ---- which unknowns are free ---- */

/* Held are those at a bound that the cost would push further; *freed lists the others. */
static void find_held(const search *s, bristle_fit_result *result, int *freed)
{
  size_t side = (size_t)s->count + 1;
  for (int j = 0; j < s->count; j++) {
    const double *column = s->now.triangle + side * (size_t)j, *right = s->now.triangle + side * (side - 1);
    double slope = 0, u = s->now.u[j];
    for (int i = 0; i <= j; i++) slope += column[i] * right[i];
    result->bound[j] = s->lo[j] == s->hi[j] || (u <= s->lo[j] && slope >= 0) ? -1 : u >= s->hi[j] && slope <= 0 ? 1 : 0;
    if (!result->bound[j]) freed[result->free++] = j;
  }
}

/* ---- spread ---- */

/* The variance that multiplies (J'J)^-1. For robust losses Huber's: the mean square of the influence by the square of
   its mean slope, which is that of the residuals when nothing is cut off. */
static double variance_of(const search *s, const bristle_fit_result *result)
{
  double rows = (double)result->rows, freedom = rows - result->free;
  if (freedom <= 0) return (double)NAN;
  if (s->options.loss == BRISTLE_SQUARES) return result->squares / freedom;
  double slope = s->rows.influence_slope / rows;
  return s->rows.influence / freedom / (slope * slope);
}

/* Spread of the free unknowns from A = U S V', A being the triangle with columns of length 1 (their lengths in
   `length`): the covariance of u is V S^-2 V', divided by the lengths. */
static void fill_covariance(const search *s, bristle_fit_result *result, const int *freed, const double *length,
                            const double *v, double variance)
{
  size_t n = (size_t)s->count, free = (size_t)result->free;
  for (size_t a = 0; a < free; a++) {
    size_t i = (size_t)freed[a];
    double lost = 0; /* its largest part in an undetermined direction, above what rounding mixes in */
    for (size_t k = (size_t)result->rank; k < free; k++) lost = fmax(lost, fabs(v[k * free + a]));
    for (size_t b = 0; b < free; b++) {
      size_t j = (size_t)freed[b];
      double sum = 0;
      for (size_t k = 0; k < (size_t)result->rank; k++)
        sum += v[k * free + a] * v[k * free + b] / (result->singular[k] * result->singular[k]);
      double scale = length[a] > 0 && length[b] > 0 ? s->now.slope[i] * s->now.slope[j] / (length[a] * length[b]) : 0;
      result->covariance[i * n + j] = variance * sum * scale;
    }
    result->deviation[i] = lost > 1e-6 ? HUGE_VAL : sqrt(result->covariance[i * n + i]);
  }
}

static void fill_correlation(bristle_fit_result *result)
{
  size_t n = (size_t)result->count;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      double size = sqrt(result->covariance[i * n + i]) * sqrt(result->covariance[j * n + j]);
      result->correlation[i * n + j] = i == j ? 1 : size > 0 ? result->covariance[i * n + j] / size : 0;
    }
}

/* The changes of the unknowns that belong to the singular values, their weightiest entry 1. */
static void fill_directions(const search *s, bristle_fit_result *result, const int *freed, const double *length,
                            const double *v)
{
  size_t n = (size_t)s->count, free = (size_t)result->free;
  for (size_t k = 0; k < free; k++) {
    size_t heaviest = 0;
    for (size_t a = 1; a < free; a++)
      if (fabs(v[k * free + a]) > fabs(v[k * free + heaviest])) heaviest = a;
    double unit = v[k * free + heaviest] * s->now.slope[freed[heaviest]]
                  / (length[heaviest] > 0 ? length[heaviest] : 1);
    for (size_t a = 0; a < free; a++) {
      size_t j = k * n + (size_t)freed[a];
      result->weight[j] = v[k * free + a] / v[k * free + heaviest];
      result->direction[j] = v[k * free + a] * s->now.slope[freed[a]] / (length[a] > 0 ? length[a] : 1) / unit;
    }
  }
}

static int describe(search *s, bristle_fit_result *result, const int *freed)
{
  int free_count = result->free;
  size_t side = (size_t)free_count + 1, m = (size_t)free_count;
  double *picked = s->work, *work = picked + side * side;
  double *a = calloc(2 * m * m + m + 1, sizeof *a), *v = a + m * m, *length = v + m * m;
  if (!a) return 0;
  search_pick(s->now.triangle, s->count + 1, freed, free_count, picked, work);
  for (size_t k = 0; k < m; k++) {
    length[k] = linear_length(picked + side * k, (int)k + 1);
    for (size_t i = 0; i <= k; i++) a[k * m + i] = length[k] > 0 ? picked[side * k + i] / length[k] : 0;
  }
  linear_singular(a, free_count, v, result->singular);
  while (result->rank < free_count && result->singular[result->rank] > s->options.rank * result->singular[0])
    result->rank++;
  result->condition = free_count && result->singular[free_count - 1] > 0
                          ? result->singular[0] / result->singular[free_count - 1]
                      : free_count ? HUGE_VAL
                                   : 1;
  double variance = variance_of(s, result);
  result->noise = sqrt(variance);
  fill_covariance(s, result, freed, length, v, s->options.noise_is_known ? 1 : variance);
  fill_correlation(result);
  fill_directions(s, result, freed, length, v);
  free(a);
  return 1;
}

bristle_fault_kind search_estimate(search *s, bristle_fit_stop stop, bristle_fit_result **result, bristle_fault *fault)
{
  bristle_fit_result *made = result_new(s->count);
  int *freed = s->at;
  if (!made) return fault_memory(fault);
  const int wanted = !s->options.minimum_only;
  int failed = wanted && !s->now.has_triangle && search_evaluate(s, &s->now, 1);
  made->rows = s->rows.rows;
  made->cost = s->now.cost;
  made->squares = 2 * s->now.cost;
  if (wanted) find_held(s, made, freed);
  if (wanted && s->options.loss != BRISTLE_SQUARES && !failed) {
    s->rows.plain = 1; /* the slopes of the loss are known: now the plain Jacobian */
    failed = search_evaluate(s, &s->now, 1);
    made->squares = s->rows.squares;
  }
  memcpy(made->p, s->now.p, sizeof *made->p * (size_t)s->count);
  made->stop = stop;
  made->iterations = s->iterations;
  made->evaluations = s->evaluations;
  made->jacobians = s->jacobians;
  if (failed || (wanted && !describe(s, made, freed))) {
    bristle_fit_free(made);
    if (failed)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "tighten the bounds around the unknowns",
                       "the derivatives are not finite where the search ended");
    return fault_memory(fault);
  }
  *result = made;
  return BRISTLE_FAULT_NONE;
}

/* ---- words ---- */

const char *bristle_fit_stop_text(bristle_fit_stop stop)
{
  static const char *const text[] = { "converged: no slope is left", "converged: the steps are as small as asked",
                                      "converged: the cost falls no more", "not converged: too many iterations",
                                      "not converged: no step lowers the cost any more" };
  return (unsigned)stop < sizeof text / sizeof *text ? text[stop] : "unknown";
}

void bristle_fit_direction_text(const bristle_fit_problem *problem, const bristle_fit_result *result, int direction,
                                char *text, size_t size)
{
  size_t used = 0;
  if (size) text[0] = '\0';
  if (direction < 0 || direction >= result->free) return;
  for (int j = 0; j < result->count && used < size; j++) {
    double change = result->direction[(size_t)direction * (size_t)result->count + (size_t)j];
    double weight = result->weight[(size_t)direction * (size_t)result->count + (size_t)j];
    char number[16];
    snprintf(number, sizeof number, "p%d", j + 1);
    if (fabs(weight) < 0.1) continue;
    const char *name = problem->unknown[j].name ? problem->unknown[j].name : number;
    used = text_append(text, size, used, "%s%s %+.3g", used ? ", " : "", name, change);
  }
}
