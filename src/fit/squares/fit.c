/* The beginning and the end of a fit: checks, memory, and the order of events. */
#include "fit/squares/search.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void name_of(const bristle_unknown *unknown, int j, char name[EXCERPT])
{
  char number[16];
  int length = snprintf(number, sizeof number, "p%d", j + 1);
  if (unknown->name) excerpt(unknown->name, strlen(unknown->name), name);
  else excerpt(number, (size_t)length, name);
}

static bristle_fault_kind check_unknown(const bristle_unknown *unknown, int j, double start, bristle_fault *fault)
{
  char name[EXCERPT];
  name_of(unknown, j, name);
  if (unknown->kind != BRISTLE_ROW_LINEAR && unknown->kind != BRISTLE_ROW_LOG)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "options cannot be searched: fit once for each value",
                     "%s is neither linear nor logarithmic", name);
  if (!(unknown->lo <= unknown->hi) || unknown->lo == HUGE_VAL || unknown->hi == -HUGE_VAL)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s has the bounds %g and %g, expected lo <= hi", name,
                     unknown->lo, unknown->hi);
  if (!(unknown->scale >= 0) || isinf(unknown->scale))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s has the scale %g, expected 0 or more", name, unknown->scale);
  if (!isfinite(start) || start < unknown->lo || start > unknown->hi)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "%s starts at %g, outside its bounds %g and %g", name, start,
                     unknown->lo, unknown->hi);
  if (unknown->kind == BRISTLE_ROW_LOG && !unknown->eliminate && start <= 0)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "start at a positive value, or search it on the linear scale",
                     "%s starts at %g on a logarithmic scale", name, start);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check(const bristle_fit_problem *problem, const bristle_fit_options *options,
                                bristle_fault *fault)
{
  if (problem->count < 1) return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "a fit needs an unknown");
  if (options->loss != BRISTLE_SQUARES && !(options->loss_scale > 0 && isfinite(options->loss_scale)))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "give the size of an ordinary residual",
                     "the scale of the loss is %g, expected a positive number", options->loss_scale);
  for (int j = 0; j < problem->count; j++) {
    bristle_fault_kind kind = check_unknown(&problem->unknown[j], j, problem->start[j], fault);
    if (kind) return kind;
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- memory: one block of numbers, one of places ---- */

static double *take(double **from, size_t count)
{
  double *taken = *from;
  *from += count;
  return taken;
}

/* from the next place where a register's worth of numbers lies in one cache line */
static double *take_aligned(double **from, size_t count)
{
  while ((uintptr_t)*from % 64) ++*from;
  return take(from, count);
}

static int *take_places(int **from, size_t count)
{
  int *taken = *from;
  *from += count;
  return taken;
}

static int allocate(search *s)
{
  size_t n = (size_t)s->count, side = n + 1, rows = 2 * n + 1;
  size_t work = linear_bounded_work((int)rows, s->count);
  if (work < 2 * side * side) work = 2 * side * side;
  size_t triangle = side * side, products = rows_products(s->count),
         numbers = 13 * n + 3 * triangle + side * (ROWS_STRIDE + 1) + products + rows * n + rows + work + 16;
  double *d = s->numbers = calloc(numbers, sizeof *d);
  int *i = s->places = calloc(6 * n, sizeof *i);
  if (!d || !i) return 0;
  double **const vectors[] = { &s->now.p, &s->now.u, &s->now.slope, &s->trial.p, &s->trial.u,   &s->trial.slope, &s->lo,
                               &s->hi,    &s->scale, &s->length,    &s->change,  &s->lo_change, &s->hi_change };
  int **const lists[] = { &s->all, &s->eliminated, &s->searched, &s->at, &s->now.held, &s->trial.held };
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) *vectors[k] = take(&d, n);
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *lists[k] = take_places(&i, n);
  s->now.triangle = take(&d, triangle);
  s->trial.triangle = take(&d, triangle);
  s->rows.triangle = take(&d, triangle);
  s->rows.block = take_aligned(&d, side * ROWS_STRIDE);
  s->rows.products = take_aligned(&d, products);
  s->rows.along = take(&d, side);
  s->matrix = take(&d, rows * n);
  s->right = take(&d, rows);
  s->work = take(&d, work);
  return 1;
}

static void search_end(search *s)
{
  free(s->numbers);
  free(s->places);
}

/* ---- the beginning ---- */

static void fill_defaults(bristle_fit_options *options)
{
  if (!(options->gradient > 0)) options->gradient = 1e-10;
  if (!(options->step > 0)) options->step = 1e-10;
  if (!(options->cost > 0)) options->cost = 1e-16;
  if (options->iterations <= 0) options->iterations = 500;
  if (!(options->rank > 0)) options->rank = 1e-12;
}

static void set_up_unknown(search *s, int j)
{
  const bristle_unknown *unknown = &s->problem->unknown[j];
  int eliminate = unknown->eliminate && s->options.loss == BRISTLE_SQUARES;
  int logarithmic = unknown->kind == BRISTLE_ROW_LOG && !eliminate;
  double start = s->problem->start[j];
  s->all[j] = j;
  if (eliminate) s->eliminated[s->eliminated_count++] = j, s->beside &= unknown->beside;
  else s->searched[s->searched_count++] = j;
  s->now.p[j] = start;
  s->now.slope[j] = s->trial.slope[j] = 1;
  s->now.u[j] = logarithmic ? log(start) : start;
  s->lo[j] = !logarithmic ? unknown->lo : unknown->lo > 0 ? log(unknown->lo) : -HUGE_VAL;
  s->hi[j] = logarithmic ? log(unknown->hi) : unknown->hi;
}

static bristle_fault_kind search_begin(search *s, const bristle_fit_problem *problem,
                                       const bristle_fit_options *options, bristle_fault *fault)
{
  bristle_fit_options chosen = { 0 };
  if (options) chosen = *options;
  memset(s, 0, sizeof *s);
  bristle_fault_kind kind = check(problem, &chosen, fault);
  if (kind) return kind;
  fill_defaults(&chosen);
  s->problem = problem;
  s->options = chosen;
  s->count = s->rows.unknowns = problem->count;
  s->rows.loss = chosen.loss;
  s->rows.loss_scale = chosen.loss_scale;
  s->rows.careful = !search_may_be_quick(s);
  if (!allocate(s)) return fault_memory(fault);
  s->beside = 1;
  for (int j = 0; j < s->count; j++) set_up_unknown(s, j);
  if (search_evaluate(s, &s->now, 1))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "start nearer to the answer, or tighten the bounds",
                     "the residuals or their derivatives are not finite at the start");
  if (s->rows.rows < (size_t)s->count)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "take more data, or fix unknowns by lo = hi",
                     "%zu residuals cannot determine %d unknowns", s->rows.rows, s->count);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_fit(const bristle_fit_problem *problem, const bristle_fit_options *options,
                               bristle_fit_result **result, bristle_fault *fault)
{
  search s;
  *result = NULL;
  bristle_fault_kind kind = search_begin(&s, problem, options, fault);
  if (!kind) {
    bristle_fit_stop stop = search_minimum(&s);
    kind = search_estimate(&s, stop, result, fault);
  }
  search_end(&s);
  return kind;
}
