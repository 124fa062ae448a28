/* One law fitted to free decays: starts, searches, pieces held out, and the result with its deviations. */
#include "fit/decay.h"
#include "fit/replay.h"
#include "fit/parallel.h"
#include "fit/random.h"
#include "fit/result.h"

#include <math.h>
#include <stdlib.h>

enum { CANDIDATES = 100, STARTS = 4, TASTE = 8, FULL = 60, FOLDS = 4, THREADS = 2 };

typedef struct attempt {
  const bristle_decay *decay;
  const bristle_identify_options *options;
  bristle_trajectory trajectory;
  features features;
  chart chart;
  replay replay;
  memory *list;
} attempt;

/* ---- unknowns ---- */

static features features_of(const bristle_decay *d, double fc, double viscous)
{
  double duration = 0;
  for (size_t k = 0; k < d->count; k++) duration += d->run[k].t[d->run[k].count - 1] - d->run[k].t[0];
  /* friction that does not show counts as a thousandth of what acts beside it */
  const double *plant = d->start.plant;
  const double beside = fmax(plant[BRISTLE_PLANT_GRAVITY], plant[BRISTLE_PLANT_STIFFNESS] * d->size)
                        + plant[BRISTLE_PLANT_MASS] * d->fast / duration;
  fc = fmax(fc, 1e-3 * beside);
  const double length = d->by_velocity ? 1e-3 * d->fast * duration / (double)d->count
                                       : fmax(4 * d->noise, 1e-3 * d->size);
  return (features){ .mass = plant[BRISTLE_PLANT_MASS],
                     .fc = fc,
                     .fs = 1.2 * fc,
                     .vs = 0.1 * d->fast,
                     .viscous = viscous,
                     .stiffness = fc / length,
                     .slow = d->slow,
                     .fast = d->fast,
                     .high = d->fast,
                     .travel = d->by_velocity ? d->fast * duration : d->size,
                     .step = d->step,
                     .duration = duration,
                     .size = fc + viscous * d->fast,
                     .load = 1 };
}

static bristle_fault_kind prepare(attempt *a, const bristle_law *law, bristle_fault *fault)
{
  const bristle_decay *d = a->decay;
  if (!law->diff)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "build with BRISTLE_DERIVATIVES=ON", "the law %s has no derivatives",
                     law->name);
  a->trajectory = (bristle_trajectory){ .law = law, .count = d->count, .run = d->run, .step = d->step };
  a->features = features_of(d, d->fc, d->viscous);
  bristle_fault_kind kind = chart_make(&a->chart, law, BRISTLE_LOAD_FORCE, &a->features, a->options, fault);
  if (kind) return kind;
  kind = replay_begin(&a->replay, &a->chart, &a->trajectory, d->noise, d->axis, d->axis_count, &d->start, &a->list,
                      fault);
  if (!kind && replay_rows(&a->replay) < 3 * (size_t)a->replay.count)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "record longer", "%zu samples are too few for the %d unknowns of %s",
                     replay_rows(&a->replay), a->replay.count, law->name);
  return kind;
}

/* the given start: what a simpler law found, by the names of its parameters; else what the regression says */
static void first_start(const attempt *a, const bristle_identified *simple, double *u)
{
  const bristle_decay *d = a->decay;
  const replay *m = &a->replay;
  memcpy(u, a->chart.guess, sizeof *u * (size_t)a->chart.count);
  for (int k = 0; k < m->axis_count; k++) u[a->chart.count + k] = d->start.plant[m->axis[k]];
  for (size_t k = 0; k < d->count; k++) {
    u[m->first_start + 2 * (int)k] = d->run[k].x;
    u[m->first_start + 2 * (int)k + 1] = d->run[k].v;
  }
  if (!simple || !simple->beside) return;
  double p[BRISTLE_FRICTION_SIZE];
  const bristle_info *info = a->trajectory.law->f64->info, *other = simple->law->f64->info;
  chart_params(&a->chart, u, p);
  for (int i = 0; i < info->param_rows; i++) {
    const bristle_row *row = bristle_param_find(other, info->param[i].name);
    if (row && row->count == 1 && info->param[i].count == 1) p[info->param[i].first] = simple->p[row->first];
  }
  chart_unknowns(&a->chart, p, u);
  memcpy(u + a->chart.count, simple->beside, sizeof *u * (size_t)(m->count - a->chart.count));
}

/* ---- search ---- */

typedef struct tasting {
  const attempt *a;
  double *u, *cost; /* rows of unknowns */
  int iterations;   /* 0: only the cost */
} tasting;

static double squares_at(const replay *m, const double *u)
{
  const size_t rows = replay_rows(m);
  double *r = malloc(sizeof *r * (rows + 1)), sum = 0;
  if (!r || replay_compare(m, u, r)) sum = HUGE_VAL;
  for (size_t i = 0; i < rows && isfinite(sum); i++) sum += r[i] * r[i];
  free(r);
  return isfinite(sum) ? sum : HUGE_VAL;
}

static void taste(void *context, int i)
{
  tasting *t = context;
  bristle_fault ignored;
  double *u = t->u + (size_t)i * (size_t)t->a->replay.count;
  t->cost[i] = HUGE_VAL;
  if (!t->iterations) t->cost[i] = squares_at(&t->a->replay, u);
  else replay_search(&t->a->replay, u, t->iterations, NULL, &t->cost[i], &ignored);
}

static void exchange(double *u, double *cost, int width, int i, int k)
{
  double keep = cost[i];
  cost[i] = cost[k], cost[k] = keep;
  for (int j = 0; j < width; j++) {
    double *a = u + (size_t)i * (size_t)width + j, *b = u + (size_t)k * (size_t)width + j;
    keep = *a, *a = *b, *b = keep;
  }
}

/* brings the `keep` smallest costs to the front */
static void select_best(double *u, double *cost, int width, int from, int count, int keep)
{
  for (int i = from; i < keep; i++)
    for (int k = i + 1; k < count; k++)
      if (cost[k] < cost[i]) exchange(u, cost, width, i, k);
}

static int draw(const attempt *a, double *u, int count, unsigned long long seed)
{
  random_state random = random_start(seed + 1);
  for (int i = 1; i < count; i++) {
    double *row = u + (size_t)i * (size_t)a->replay.count;
    memcpy(row, u, sizeof *u * (size_t)a->replay.count);
    for (int j = 0; j < a->chart.count; j++) {
      const double lo = a->chart.spread[j][0], hi = a->chart.spread[j][1], part = random_part(&random);
      row[j] = a->chart.unknown[j].kind == BRISTLE_LOG && lo > 0 ? lo * pow(hi / lo, part) : lo + part * (hi - lo);
    }
  }
  return count;
}

/* A long swing whose frequency is a little wrong is out of step at its end, and the search would stop there: the first
   turns are fitted first, then twice as many, and so on. */
static bristle_fault_kind grow(attempt *a, double *u, bristle_fault *fault)
{
  const bristle_decay *d = a->decay;
  replay *m = &a->replay;
  double longest = 0;
  for (size_t k = 0; k < d->count; k++) longest = fmax(longest, d->run[k].t[d->run[k].count - 1] - d->run[k].t[0]);
  for (double reach = 3 * d->half_period; d->half_period > 0 && reach < longest; reach *= 2) {
    for (size_t k = 0; k < d->count; k++) {
      size_t until = d->run[k].count < 12 ? d->run[k].count : 12;
      while (until < d->run[k].count && d->run[k].t[until] - d->run[k].t[0] < reach) until++;
      m->until[k] = until;
    }
    const bristle_fault_kind kind = replay_search(m, u, 2 * TASTE, NULL, NULL, fault);
    if (kind) return kind;
  }
  for (size_t k = 0; k < d->count; k++) m->until[k] = d->run[k].count;
  return BRISTLE_FAULT_NONE;
}

static int tell(const bristle_identify_options *o, double fraction)
{
  return o->progress && o->progress(o->context, fraction);
}

static bristle_fault_kind stopped(bristle_fault *fault)
{
  return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "stopped before the fit was finished");
}

/* candidates around the first start are tasted; the best of them and the first start itself go to the end */
static bristle_fault_kind search_all(attempt *a, const bristle_identified *simple, bristle_identified *made,
                                     bristle_fit_result **fit, bristle_fault *fault)
{
  const int width = a->replay.count, candidates = a->options->candidates > 0 ? a->options->candidates : CANDIDATES;
  double *u = memory_take(&a->list, sizeof *u * (size_t)width * (size_t)(candidates + 1));
  double *cost = memory_take(&a->list, sizeof *cost * (size_t)(candidates + 1));
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!u || !cost) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  first_start(a, simple, u);
  if (!simple) kind = grow(a, u, fault);
  if (kind) return kind;
  tasting t = { a, u, cost, 0 };
  const int count = draw(a, u, candidates + 1, a->options->seed);
  const int threads = a->options->threads > 0 ? a->options->threads : THREADS;
  if (tell(a->options, 0.1)) return stopped(fault);
  parallel_for(threads, count, taste, &t);
  select_best(u, cost, width, 1, count, STARTS);
  if (tell(a->options, 0.3)) return stopped(fault);
  t.iterations = TASTE;
  parallel_for(threads, STARTS, taste, &t);
  if (tell(a->options, 0.5)) return stopped(fault);
  t.iterations = FULL;
  select_best(u, cost, width, 0, STARTS, 2);
  parallel_for(threads, 2, taste, &t);
  select_best(u, cost, width, 0, 2, 1);
  made->screened = candidates;
  made->agreeing = 1 + (cost[1] <= cost[0] * 1.001);
  return replay_search(&a->replay, u, FULL, fit, NULL, fault);
}

/* ---- held out ---- */

typedef struct folding {
  const attempt *a;
  const double *u;
  int folds;
  bristle_identified *made; /* a block belongs to one fold, so that each writes to places of its own */
} folding;

static void hold_out(void *context, int fold)
{
  folding *f = context;
  replay m = f->a->replay;
  bristle_fault ignored;
  double *u = malloc(sizeof *u * (size_t)m.count), *r = malloc(sizeof *r * (replay_rows(&m) + 1));
  m.folds = f->folds, m.fold = fold;
  if (u) memcpy(u, f->u, sizeof *u * (size_t)m.count);
  const int failed = !u || !r || replay_search(&m, u, 3 * TASTE, NULL, NULL, &ignored) || replay_compare(&m, u, r);
  const double *at = r;
  for (size_t k = 0; k < m.trajectory->count; at += m.until[k++])
    for (size_t i = 0; i < m.until[k]; i++) {
      const int block = replay_block(i, m.until[k]);
      if (replay_fold(i, m.until[k], m.folds) != fold) continue;
      f->made->block_squares[block][0] += failed ? (double)NAN : at[i] * at[i];
      f->made->block_rows[block][0]++;
    }
  free(u), free(r);
}

static double held_out(const attempt *a, const double *u, int folds, bristle_identified *made)
{
  double sum = 0;
  folding f = { a, u, folds < BRISTLE_BLOCKS ? folds : BRISTLE_BLOCKS, made };
  parallel_for(a->options->threads > 0 ? a->options->threads : THREADS, f.folds, hold_out, &f);
  for (int b = 0; b < BRISTLE_BLOCKS; b++) sum += made->block_squares[b][0];
  return sqrt(sum / (double)replay_rows(&a->replay));
}

/* ---- the whole ---- */

bristle_fault_kind bristle_decay_fit(const bristle_decay *decay, const bristle_law *law,
                                     const bristle_identified *start, const bristle_identify_options *options,
                                     bristle_identified **result, bristle_fault *fault)
{
  attempt *a = calloc(1, sizeof *a);
  bristle_identified *made = calloc(1, sizeof *made);
  bristle_fit_result *fit = NULL;
  *result = NULL;
  if (!a || !made) {
    free(a), free(made);
    return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  }
  a->decay = decay, a->options = options;
  bristle_fault_kind kind = prepare(a, law, fault);
  if (!kind) kind = search_all(a, start, made, &fit, fault);
  if (!kind) kind = decay_result(decay, &a->replay, &a->features, fit, made, fault);
  if (!kind) {
    const int folds = options->folds ? options->folds : FOLDS;
    made->held_out = made->held_out_slow = made->validation = (double)NAN;
    if (folds > 1 && !tell(options, 0.8)) made->held_out = held_out(a, fit->p, folds, made);
  }
  bristle_fit_free(fit);
  memory_free(a->list);
  free(a);
  if (kind) bristle_identified_free(made);
  else *result = made;
  return kind;
}
