/* One law fitted to simulated motion: starts, searches, pieces held out. Everything that is random follows from the
   seed, and each job writes to its own place, so that the result does not depend on the number of threads. */
#include "io/support.h"
#include "fit/common/parallel.h"
#include "fit/common/sort.h"
#include "maths/random.h"
#include "fit/replay/replay.h"
#include "fit/results/result.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { CANDIDATES = 100, TASTES = 4, FINALS = 2, TASTE = 8, FULL = 60, FOLDS = 4, THREADS = 2, FEWEST = 12 };

typedef struct attempt {
  const replay_source *source;
  const features *features;
  const bristle_identify_options *options;
  replay_effort effort;
  int threads;
  chart chart;
  replay replay;
  memory *list;
  atomic_int stop;
} attempt;

static bristle_fault_kind prepare(attempt *a, const replay_effort *effort, bristle_fault *fault)
{
  const replay_source *s = a->source;
  const bristle_identify_options *o = a->options;
  a->threads = o->threads > 0 ? o->threads : THREADS;
  a->effort = *effort;
  if (!a->effort.candidates) a->effort.candidates = CANDIDATES;
  if (!a->effort.tastes) a->effort.tastes = TASTES;
  if (!a->effort.finals) a->effort.finals = FINALS;
  if (o->candidates) a->effort.candidates = o->candidates > 0 ? o->candidates : 0;
  if (o->refinements > 0)
    a->effort.tastes = o->refinements * a->effort.tastes / a->effort.finals, a->effort.finals = o->refinements;
  if (a->effort.tastes > a->effort.candidates + 1) a->effort.tastes = a->effort.candidates + 1;
  if (a->effort.finals > a->effort.tastes) a->effort.finals = a->effort.tastes;
  if (s->tangent && !s->law->diff)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "build with BRISTLE_DERIVATIVES=ON", "the law %s has no derivatives",
                     s->law->name);
  bristle_fault_kind kind = chart_make(&a->chart, s->law, s->load, a->features, o, fault);
  if (!kind) kind = replay_begin(&a->replay, &a->chart, s, &a->list, fault);
  if (!kind && replay_rows(&a->replay) < 3 * (size_t)a->replay.count)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "record longer", "%zu samples are too few for the %d unknowns of %s",
                     replay_rows(&a->replay), a->replay.count, s->law->name);
  a->replay.stop = &a->stop;
  return kind;
}

/* ---- starts ---- */

/* what a simpler law found: parameters that play the same part, and the numbers beside it */
static void start_from(const attempt *a, const bristle_identified *simple, double *u)
{
  double p[BRISTLE_LAW_SIZE];
  const bristle_info *info = a->source->law->f64->info, *other = simple->law->f64->info;
  chart_params(&a->chart, u, p);
  for (int i = 0; i < info->param_rows; i++) {
    const bristle_row *own = &info->param[i], *row = bristle_param_role(other, own->role);
    if (row && row->count == 1 && own->count == 1 && own == bristle_param_role(info, own->role))
      p[own->first] = simple->p[row->first];
  }
  chart_unknowns(&a->chart, p, u);
  memcpy(u + a->chart.count, simple->beside, sizeof *u * (size_t)a->source->numbers);
}

static void first_start(const attempt *a, const bristle_identified *simple, double *u)
{
  memcpy(u, a->chart.guess, sizeof *u * (size_t)a->chart.count);
  for (int k = 0; k < a->source->numbers; k++) u[a->chart.count + k] = a->source->number[k].start;
  if (simple && simple->beside) start_from(a, simple, u);
}

static double draw(const bristle_unknown *x, const double spread[2], double part)
{
  const double lo = spread[0], hi = spread[1];
  return x->kind == BRISTLE_ROW_LOG && lo > 0 ? lo * pow(hi / lo, part) : lo + part * (hi - lo);
}

/* the first row is the start itself; the second is what it grew from */
static void draw_all(const attempt *a, const bristle_identified *simple, double *u, int count)
{
  random_state random = random_start(a->options->seed + 1);
  for (int i = 1; i < count; i++) {
    double *row = u + (size_t)i * (size_t)a->replay.count;
    memcpy(row, u, sizeof *u * (size_t)a->replay.count);
    if (i == 1 && a->effort.growth > 0) {
      first_start(a, simple, row);
      continue;
    }
    for (int j = 0; j < a->replay.count; j++) {
      const int beside = j - a->chart.count;
      const double *spread = beside < 0 ? a->chart.spread[j] : a->source->number[beside].spread;
      const double part = random_part(&random);
      if (spread[0] < spread[1]) row[j] = draw(&a->replay.unknown[j], spread, part);
    }
  }
}

/* A long motion that is a little wrong is out of step at its end, and the search would stop there: its beginning is
   fitted first, then twice as much, and so on. */
static bristle_fault_kind grow(attempt *a, double *u, bristle_fault *fault)
{
  const replay_source *s = a->source;
  replay *m = &a->replay;
  double longest = 0;
  for (size_t k = 0; k < s->runs; k++) longest = fmax(longest, s->t[k][s->samples[k] - 1] - s->t[k][0]);
  for (double reach = a->effort.growth; a->effort.growth > 0 && reach < longest; reach *= 2) {
    for (size_t k = 0; k < s->runs; k++) {
      size_t until = s->samples[k] < FEWEST ? s->samples[k] : FEWEST;
      while (until < s->samples[k] && s->t[k][until] - s->t[k][0] < reach) until++;
      m->until[k] = until;
    }
    const bristle_fault_kind kind = replay_search(m, u, 2 * TASTE, NULL, NULL, fault);
    if (kind) return kind;
  }
  memcpy(m->until, s->samples, sizeof *m->until * s->runs);
  return BRISTLE_FAULT_NONE;
}

/* ---- search ---- */

typedef struct tasting {
  const attempt *a;
  double *u, *cost; /* rows of unknowns */
  int iterations;   /* 0: only the misfit */
  int coarse;
} tasting;

/* Sums of sizes, not of squares: of sets that are all far off they tell the better one more surely. */
static double misfit_at(const replay *m, const double *u)
{
  double *r = malloc(sizeof *r * (replay_rows(m) + 1)), *at = r, sum = 0;
  if (!r || replay_compare(m, u, r)) sum = HUGE_VAL;
  for (size_t k = 0; k < m->source->runs && isfinite(sum); k++)
    for (int c = 0; c < m->source->channels; c++)
      for (size_t i = 0; i < m->until[k]; i++) sum += fabs(*at++) / m->source->noise[c];
  free(r);
  return isfinite(sum) ? sum : HUGE_VAL;
}

static void taste(void *context, int i)
{
  tasting *t = context;
  bristle_fault ignored;
  replay m = t->a->replay;
  double *u = t->u + (size_t)i * (size_t)m.count;
  m.coarse = t->coarse;
  t->cost[i] = HUGE_VAL;
  if (!t->iterations) t->cost[i] = misfit_at(&m, u);
  else replay_search(&m, u, t->iterations, NULL, &t->cost[i], &ignored);
}

static int tell(attempt *a, double fraction)
{
  if (a->options->progress && a->options->progress(a->options->context, fraction)) a->stop = 1;
  return a->stop;
}

/* in portions, so that the caller hears of it and can stop it */
static int taste_all(attempt *a, tasting *t, int count, double begin, double end)
{
  enum { PORTION = 16 };
  for (int done = 0; done < count; done += PORTION) {
    tasting part = *t;
    part.u += (size_t)done * (size_t)a->replay.count, part.cost += done;
    parallel_for(a->threads, count - done < PORTION ? count - done : PORTION, taste, &part);
    if (tell(a, begin + (end - begin) * (done + PORTION < count ? (done + PORTION) / (double)count : 1))) return 1;
  }
  return 0;
}

/* candidates around the first start are looked at coarsely; the best of them and the first start itself are refined a
   little, and the best of these to the end */
static bristle_fault_kind search_all(attempt *a, const bristle_identified *simple, bristle_identified *made,
                                     bristle_fit_result **fit, bristle_fault *fault)
{
  const int width = a->replay.count, count = a->effort.candidates + 1;
  double *u = memory_take(&a->list, sizeof *u * (size_t)width * (size_t)count);
  double *cost = memory_take(&a->list, sizeof *cost * (size_t)count);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!u || !cost) return fault_memory(fault);
  if (tell(a, 0)) return result_stopped(fault);
  first_start(a, simple, u);
  a->replay.threads = a->threads;
  if (!simple) kind = grow(a, u, fault);
  if (kind) return kind;
  tasting t = { a, u, cost, 0, 1 };
  draw_all(a, simple, u, count);
  a->replay.threads = 1;
  if (taste_all(a, &t, count, 0.1, 0.3)) return result_stopped(fault);
  sort_by_key(u + width, cost + 1, count - 1, width); /* the first start stays where it is */
  t.iterations = a->effort.tastes > TASTES ? 2 * TASTE : TASTE;
  if (taste_all(a, &t, a->effort.tastes, 0.3, 0.5)) return result_stopped(fault);
  t.iterations = FULL, t.coarse = 0;
  sort_by_key(u, cost, a->effort.tastes, width);
  if (taste_all(a, &t, a->effort.finals, 0.5, 0.75)) return result_stopped(fault);
  sort_by_key(u, cost, a->effort.finals, width);
  made->screened = a->effort.candidates;
  for (int i = 0; i < a->effort.finals; i++) made->agreeing += cost[i] <= cost[0] * 1.001;
  a->replay.threads = a->threads, a->replay.careful = 1;
  kind = replay_search(&a->replay, u, FULL, fit, NULL, fault);
  /* a simulation that is no smoother than its tolerance cannot go further than to the same place twice */
  if (!kind && !a->source->tangent && (*fit)->stop == BRISTLE_STOP_STUCK && (*fit)->cost > (1 - 1e-3) * cost[0])
    (*fit)->stop = BRISTLE_STOP_COST;
  return kind;
}

/* ---- held out ---- */

typedef struct folding {
  const attempt *a;
  const double *u;
  int folds;
  bristle_identified *made; /* a block belongs to one fold, so that each writes to places of its own */
} folding;

/* errors of several channels count in units of their noise, those of the first one as they are */
static void hold_out(void *context, int fold)
{
  folding *f = context;
  replay m = f->a->replay;
  const replay_source *s = m.source;
  bristle_fault ignored;
  double *u = malloc(sizeof *u * (size_t)m.count), *r = malloc(sizeof *r * (replay_rows(&m) + 1));
  m.folds = f->folds, m.fold = fold;
  if (u) memcpy(u, f->u, sizeof *u * (size_t)m.count);
  const int failed = !u || !r || replay_search(&m, u, 3 * TASTE, NULL, NULL, &ignored) || replay_compare(&m, u, r);
  const double *at = r;
  for (size_t k = 0; k < s->runs; k++)
    for (int c = 0; c < s->channels; c++, at += m.until[k])
      for (size_t i = 0; i < m.until[k]; i++) {
        const int block = replay_block(i, m.until[k]);
        if (replay_fold(i, m.until[k], m.folds) != fold) continue;
        const double error = failed ? (double)NAN : at[i] * s->noise[0] / s->noise[c];
        f->made->block_squares[block][0] += error * error;
        f->made->block_rows[block][0]++;
      }
  free(u), free(r);
}

static double held_out(const attempt *a, const double *u, int folds, bristle_identified *made)
{
  double sum = 0;
  folding f = { a, u, folds < BRISTLE_BLOCKS ? folds : BRISTLE_BLOCKS, made };
  parallel_for(a->threads, f.folds, hold_out, &f);
  for (int b = 0; b < BRISTLE_BLOCKS; b++) sum += made->block_squares[b][0];
  return sqrt(sum / (double)replay_rows(&a->replay));
}

/* ---- the whole ---- */

bristle_fault_kind replay_fit(const replay_source *source, const features *f, const bristle_identify_options *options,
                              const replay_effort *effort, const bristle_identified *simple,
                              bristle_identified **result, bristle_fault *fault)
{
  attempt *a = calloc(1, sizeof *a);
  bristle_identified *made = calloc(1, sizeof *made);
  bristle_fit_result *fit = NULL;
  *result = NULL;
  if (!a || !made) {
    free(a), free(made);
    return fault_memory(fault);
  }
  a->source = source, a->features = f, a->options = options;
  bristle_fault_kind kind = prepare(a, effort, fault);
  if (!kind) kind = search_all(a, simple, made, &fit, fault);
  if (!kind) kind = replay_result(&a->replay, f, fit, made, fault);
  a->replay.threads = 1, a->replay.careful = 0;
  if (!kind) {
    const int folds = options->folds ? options->folds : FOLDS;
    made->held_out = made->held_out_slow = made->validation = made->validation_rms = (double)NAN;
    if (folds > 1 && !tell(a, 0.8)) made->held_out = held_out(a, fit->p, folds, made);
  }
  if (!kind && tell(a, 1)) kind = result_stopped(fault);
  bristle_fit_free(fit);
  memory_free(a->list);
  free(a);
  if (kind) bristle_identified_free(made);
  else *result = made;
  return kind;
}
