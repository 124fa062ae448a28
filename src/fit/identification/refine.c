/* Levenberg-Marquardt from one start, and from several side by side. */
#include "fit/records/thin.h"
#include "io/memory.h"
#include "io/support.h"
#include "fit/identification/refine.h"
#include "fit/fast/fast.h"
#include "fit/objectives/objective.h"
#include "fit/common/parallel.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { COARSE_ROWS = 1500, MANY = 8 };

static double robust_scale(const double *r, size_t count)
{
  double *size = malloc(sizeof *size * (count + 1)), scale = 0;
  if (!size || !count) {
    free(size);
    return 0;
  }
  for (size_t i = 0; i < count; i++) size[i] = fabs(r[i]);
  scale = 1.4826 * sort_pick(size, count, count / 2);
  free(size);
  return scale;
}

/* the size of an ordinary residual at a point; the relative weights are not needed: the two objectives do not mix */
static double ordinary(const experiment *e, const double *u)
{
  bristle_fault ignored;
  double *r = malloc(sizeof *r * 2 * (e->rows + 1)), scale = 0;
  if (r && !experiment_compare(e, u, r, r + e->rows, NULL, &ignored)) scale = robust_scale(r, e->rows);
  free(r);
  return scale;
}

static bristle_fault_kind search(const experiment *e, const double *start, const bristle_fit_options *options,
                                 bristle_fit_result **result, bristle_fault *fault)
{
  bristle_unknown unknown[UNKNOWNS];
  double from[UNKNOWNS], p[BRISTLE_LAW_SIZE];
  experiment laid_out = *e;
  fast_layout *layout = NULL;
  experiment_unknowns(&laid_out, unknown);
  for (int j = 0; j < e->unknowns; j++) from[j] = fmin(fmax(start[j], unknown[j].lo), unknown[j].hi);
  for (int j = e->chart->count; j < e->unknowns; j++) unknown[j].scale = 1e-3 * (fabs(from[j]) + 1e-3);
  chart_params(e->chart, from, p);
  if (!e->layout && experiment_is_quick(e, p)) laid_out.layout = layout = fast_layout_make(e->logs, e->log_count);
  bristle_fit_problem problem = { e->unknowns, unknown, from, experiment_residuals, &laid_out };
  bristle_fault_kind kind = bristle_fit(&problem, options, result, fault);
  fast_layout_free(layout);
  return kind;
}

bristle_fault_kind refine_one(const experiment *e, const double *start, refine_depth depth, bristle_fit_result **result,
                              bristle_fault *fault)
{
  /* One deviation of an unknown changes the cost by one part in the number of rows: a full search ends far below that,
     where SciPy's defaults do. */
  static const bristle_fit_options depths[] = {
    [REFINE_TASTE] = { .gradient = 1e-6, .step = 1e-5, .cost = 1e-6, .iterations = 12 },
    [REFINE_COARSE] = { .gradient = 1e-4, .step = 1e-3, .cost = 1e-4, .iterations = 30 },
    [REFINE_AGAIN] = { .gradient = 1e-6, .step = 1e-4, .cost = 1e-5, .iterations = 5 },
    [REFINE_QUICK] = { .gradient = 1e-6, .step = 1e-5, .cost = 1e-6, .iterations = 30 },
    [REFINE_FULL] = { .gradient = 1e-8, .step = 1e-7, .cost = 1e-8, .iterations = 50 },
  };
  bristle_fit_options options = depths[depth];
  options.minimum_only = depth != REFINE_FULL;
  /* a memory of many reversals makes passes long and valleys flat: what fifteen do not find, fifty do not */
  if (e->law->f64->info->nstate > MANY && options.iterations > 15) options.iterations = 15;
  *result = NULL;
  const objective *wanted = objective_of(e->options->objective);
  if (!wanted->loss) return search(e, start, &options, result, fault);
  double at[UNKNOWNS];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  memcpy(at, start, sizeof *at * (size_t)e->unknowns);
  for (int round = 0; round < (depth == REFINE_FULL ? wanted->rounds : 2) && !kind; round++) {
    wanted->loss(round, depth == REFINE_FULL, ordinary(e, at), &options);
    bristle_fit_free(*result);
    *result = NULL;
    kind = search(e, at, &options, result, fault);
    if (!kind) memcpy(at, (*result)->p, sizeof *at * (size_t)e->unknowns);
  }
  return kind;
}

static bristle_fault_kind refine_coarsely(const experiment *e, const double *start, bristle_fit_result **result,
                                          bristle_fault *fault)
{
  memory *list = NULL;
  experiment coarse;
  const bristle_log *const *thin = logs_thinned(e->logs, e->log_count, COARSE_ROWS, &list);
  *result = NULL;
  if (!thin) {
    memory_free(list);
    return fault_memory(fault);
  }
  experiment_make(&coarse, e->chart, thin, e->log_count, e->load, e->options);
  coarse.decimate = 1;
  coarse.rough = 1;
  experiment_count(&coarse);
  bristle_fault_kind kind = refine_one(&coarse, start, REFINE_COARSE, result, fault);
  memory_free(list);
  return kind;
}

bristle_fault_kind refine_given(const experiment *e, const double *start, bristle_fit_result **result,
                                bristle_fault *fault)
{
  bristle_fit_result *coarse = NULL;
  *result = NULL;
  if (e->rows < 3 * COARSE_ROWS || refine_coarsely(e, start, &coarse, fault))
    return refine_one(e, start, REFINE_FULL, result, fault);
  bristle_fault_kind kind = refine_one(e, coarse->p, REFINE_FULL, result, fault);
  /* few samples may lead astray: then all of them are explained much worse than the few */
  int astray = kind || (*result)->cost / (double)(*result)->rows > 4 * coarse->cost / (double)coarse->rows;
  bristle_fit_free(coarse);
  if (!astray) return kind;
  bristle_fit_result *other = NULL;
  bristle_fault_kind again = refine_one(e, start, REFINE_FULL, &other, fault);
  if (again || (!kind && (*result)->cost <= other->cost)) {
    bristle_fit_free(other);
    return kind;
  }
  bristle_fit_free(*result);
  *result = other;
  return BRISTLE_FAULT_NONE;
}

/* ---- several ---- */

typedef struct job {
  const experiment *e;
  double *starts, *cost;
  int count, begun, stop;
  refine_depth depth;
  parallel_lock lock;
} job;

/* tells how far all of them are; 0 when the caller wants no more */
static int goes_on(job *j)
{
  const bristle_identify_options *o = j->e->options;
  parallel_take(&j->lock);
  const int go = !j->stop;
  if (go && o->progress) j->stop = o->progress(o->context, 0.1 + 0.7 * j->begun++ / j->count);
  parallel_give(&j->lock);
  return go;
}

static void refine_start(void *context, int i)
{
  job *j = context;
  bristle_fault ignored;
  bristle_fit_result *result;
  double *start = j->starts + (size_t)i * (size_t)j->e->unknowns;
  j->cost[i] = HUGE_VAL;
  if (!goes_on(j) || refine_one(j->e, start, j->depth, &result, &ignored)) return;
  memcpy(start, result->p, sizeof *start * (size_t)j->e->unknowns);
  j->cost[i] = result->cost;
  bristle_fit_free(result);
}

int refine_all(const experiment *e, double *starts, int count, refine_depth depth, double *cost)
{
  job j = { .e = e, .starts = starts, .cost = cost, .count = count, .depth = depth, .lock = PARALLEL_LOCK };
  parallel_for(e->options->threads > 0 ? e->options->threads : 2, count, refine_start, &j);
  return j.stop;
}
