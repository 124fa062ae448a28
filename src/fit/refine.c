/* Levenberg-Marquardt from one start, and from several side by side. */
#include "fit/refine.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { ROUNDS = 4 }; /* of the robust scale: it settles in two or three */

static int ascending(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double robust_scale(const double *r, size_t count)
{
  double *size = malloc(sizeof *size * (count + 1)), scale = 0;
  if (!size || !count) {
    free(size);
    return 0;
  }
  for (size_t i = 0; i < count; i++) size[i] = fabs(r[i]);
  qsort(size, count, sizeof *size, ascending);
  scale = 1.4826 * size[count / 2];
  free(size);
  return scale;
}

/* the size of an ordinary residual at a point; the relative weights are not needed: the two objectives do not mix */
static double ordinary(const experiment *e, const double *u)
{
  bristle_fault ignored;
  double *r = malloc(sizeof *r * 2 * (e->rows + 1)), scale = 0;
  if (r && !experiment_compare(e, u, r, r + e->rows, &ignored)) scale = robust_scale(r, e->rows);
  free(r);
  return scale;
}

static bristle_fault_kind search(const experiment *e, const double *start, const bristle_fit_options *options,
                                 bristle_fit_result **result, bristle_fault *fault)
{
  bristle_unknown unknown[UNKNOWNS];
  double from[UNKNOWNS];
  experiment_unknowns(e, unknown);
  for (int j = 0; j < e->unknowns; j++) from[j] = fmin(fmax(start[j], unknown[j].lo), unknown[j].hi);
  for (int j = e->chart->count; j < e->unknowns; j++) unknown[j].scale = 1e-3 * (fabs(from[j]) + 1e-3);
  bristle_fit_problem problem = { e->unknowns, unknown, from, experiment_residuals, (void *)e };
  return bristle_fit(&problem, options, result, fault);
}

bristle_fault_kind refine_one(const experiment *e, const double *start, refine_depth depth, bristle_fit_result **result,
                              bristle_fault *fault)
{
  bristle_fit_options options = { 0 };
  *result = NULL;
  /* one deviation of an unknown changes the cost by one part in the number of rows: these stop far below that */
  options.gradient = depth == REFINE_FULL ? 1e-8 : 1e-6;
  options.step = depth == REFINE_FULL ? 1e-7 : 1e-5;
  options.cost = depth == REFINE_FULL ? 1e-10 : 1e-7;
  options.iterations = depth == REFINE_TASTE ? 12 : depth == REFINE_QUICK ? 60 : 100;
  if (e->options->objective != BRISTLE_ROBUST) return search(e, start, &options, result, fault);
  double at[UNKNOWNS];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  memcpy(at, start, sizeof *at * (size_t)e->unknowns);
  for (int round = 0; round < (depth == REFINE_FULL ? ROUNDS : 2) && !kind; round++) {
    options.loss = round || depth != REFINE_FULL ? BRISTLE_HUBER
                                                 : BRISTLE_CAUCHY; /* a first pass that outliers hardly pull */
    options.loss_scale = 1.345 * ordinary(e, at);
    if (!(options.loss_scale > 0)) options.loss = BRISTLE_SQUARES;
    bristle_fit_free(*result);
    *result = NULL;
    kind = search(e, at, &options, result, fault);
    if (!kind) memcpy(at, (*result)->p, sizeof *at * (size_t)e->unknowns);
  }
  return kind;
}

/* ---- several ---- */

typedef struct job {
  const experiment *e;
  double *starts, *cost;
  int count, next, stop;
  refine_depth depth;
  pthread_mutex_t lock;
} job;

static int take(job *j)
{
  pthread_mutex_lock(&j->lock);
  int mine = j->next < j->count && !j->stop ? j->next++ : -1;
  const bristle_identify_options *o = j->e->options;
  if (mine >= 0 && o->progress) j->stop = o->progress(o->context, 0.1 + 0.7 * mine / j->count);
  pthread_mutex_unlock(&j->lock);
  return mine;
}

static void *work(void *context)
{
  job *j = context;
  for (int mine = take(j); mine >= 0; mine = take(j)) {
    bristle_fault ignored;
    bristle_fit_result *result;
    double *start = j->starts + (size_t)mine * (size_t)j->e->unknowns;
    j->cost[mine] = HUGE_VAL;
    if (refine_one(j->e, start, j->depth, &result, &ignored)) continue;
    memcpy(start, result->p, sizeof *start * (size_t)j->e->unknowns);
    j->cost[mine] = result->cost;
    bristle_fit_free(result);
  }
  return NULL;
}

int refine_all(const experiment *e, double *starts, int count, refine_depth depth, double *cost)
{
  enum { MOST = 16 };
  pthread_t thread[MOST];
  int wanted = e->options->threads > 0 ? e->options->threads : 2, made = 0;
  job j = { .e = e, .starts = starts, .cost = cost, .count = count, .depth = depth };
  for (int i = 0; i < count; i++) cost[i] = HUGE_VAL;
  pthread_mutex_init(&j.lock, NULL);
  while (made < wanted - 1 && made < count - 1 && made < MOST && !pthread_create(&thread[made], NULL, work, &j)) made++;
  work(&j);
  for (int i = 0; i < made; i++) pthread_join(thread[i], NULL);
  pthread_mutex_destroy(&j.lock);
  return j.stop;
}
