/* One law fitted to logs: features, screening, refinements, the last fit, and what is left over. */
#include "fit/identification/screen.h"
#include "fit/records/motion.h"
#include "fit/records/thin.h"
#include "fit/residuals/experiment.h"
#include "fit/unknowns/chart.h"
#include "fit/unknowns/features.h"
#include "io/memory.h"
#include "io/support.h"
#include "fit/identification/fall.h"
#include "fit/identification/nested.h"
#include "fit/identification/scores.h"
#include "fit/common/parallel.h"
#include "fit/common/sort.h"
#include "fit/identification/refine.h"
#include "fit/results/result.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum {
  REFINED = 6,
  ELEMENTS_REFINED = 16,
  FINALISTS = 3,
  AGAIN = 6,
  SCREENED = 900,
  FOLDS = 4,
  QUICK_ROWS = 6000,
  MOST_STARTS = 63
};

/* ---- starts ---- */

/* Derivatives come eight at a time: laws with many parameters and states get fewer samples while the way is sought. */
static size_t quick_rows(const bristle_law *law)
{
  size_t passes = ((size_t)law->f64->info->nparam + 7) / 8, states = (size_t)law->f64->info->nstate;
  return QUICK_ROWS / (passes * (states > 4 ? 2 : 1)) + 2000;
}

static void add_terms(const experiment *e, const features *f, double *start)
{
  const double guess[BRISTLE_TERMS] = { fmax(f->mass, 0), f->offset };
  const double *value = e->options->start_term ? e->options->start_term : guess;
  for (int k = 0; k < BRISTLE_TERMS; k++)
    if (e->term_at[k] >= 0) start[e->term_at[k]] = value[k];
}

/* Elements that yield one after the other can share the way in many ways, and most are local minima: laws with them are
   searched from more starts, and all of these to the end, unless one explains the data down to their noise. */
static int has_elements(const chart *c) { return c->last >= 0; }

/* Only what is not linear is drawn. */
static int candidates_for(const chart *c, const bristle_identify_options *o)
{
  int drawn = 0;
  for (int j = 0; j < c->count; j++) drawn += !c->linear[j];
  if (o->candidates > 0) return o->candidates;
  return drawn ? SCREENED : 1;
}

/* rows of starts, best first; returns how many */
static int find_starts(const experiment *e, const features *f, memory **list, double **starts, bristle_fault_kind *kind,
                       bristle_fault *fault)
{
  const bristle_identify_options *o = e->options;
  int keep = o->start                 ? 1
             : o->refinements > 0     ? o->refinements
             : has_elements(e->chart) ? ELEMENTS_REFINED
                                      : REFINED,
      count = 1;
  size_t width = (size_t)e->chart->count, wide = (size_t)e->unknowns;
  double *best = memory_take(list, sizeof *best * width * (size_t)keep);
  *starts = memory_take(list, sizeof **starts * wide * (size_t)(keep + NESTED_MOST + 1)); /* one to be added later */
  if (!best || !*starts) {
    *kind = fault_memory(fault);
    return 0;
  }
  if (o->start) chart_unknowns(e->chart, o->start, best);
  else count = screen_candidates(e, candidates_for(e->chart, o), keep, o->seed + 1, best, kind, fault);
  for (int i = 0; i < count; i++) {
    memcpy(*starts + (size_t)i * wide, best + (size_t)i * width, sizeof *best * width);
    add_terms(e, f, *starts + (size_t)i * wide);
  }
  if (!o->start && !*kind) {
    int nested = nested_starts(e, f, *starts + (size_t)count * wide);
    for (int i = 0; i < nested; i++, count++) add_terms(e, f, *starts + (size_t)count * wide);
  }
  return count;
}

/* ---- samples on the way to motion ---- */

/* They count for laws with states, which have something to say about them, but only where such a law explains them
   about as well as it explains motion: something that is not in it (an elastic drive, a controller at work) would bend
   its parameters otherwise. Nor do they count where the way before sliding is crossed in a sample or two: there a
   bristle only stands for a delay. */
static const double EXPLAINED = 1.5;

/* how much worse they are explained than motion, where that is more than the noise; -1: nobody asks */
static double slow_ratio(const experiment *e, const double *u)
{
  scores s = { 0 };
  if (!e->logs[0]->phase || !e->law->f64->info->nstate || scores_add(e, u, -1, &s)) return -1;
  const double slow = scores_rms(&s, BRISTLE_PHASE_TRANSITION), ratio = slow / scores_rms(&s, BRISTLE_PHASE_MOVING);
  return slow <= motion_force_noise_of(e->logs, e->log_count) ? fmin(ratio, 1) : ratio;
}

static int slow_samples_fit(const experiment *e, const double *u)
{
  const double ratio = slow_ratio(e, u);
  if (ratio == -1) return 1;
  bristle_identified found = { .law = e->law, .load = e->load };
  chart_params(e->chart, u, found.p);
  for (int t = 0; t < BRISTLE_TERMS; t++) found.term[t] = e->term_at[t] >= 0 ? u[e->term_at[t]] : 0;
  return !(ratio > EXPLAINED) && resolved_enough(&found, e);
}

/* ---- the whole ---- */

typedef struct attempt {
  bristle_identify_options options; /* as the law needs them */
  chart chart;
  experiment full, quick;
  features features;
  double *starts; /* found once, for searches with and without the samples on the way to motion */
  int start_count;
  double *ends; /* of the last searches, the best first */
  int end_count, without_slow;
  memory *list;
} attempt;

/* leaves out the samples on the way to motion; 0: those that are left are too few */
static int count_moving_only(attempt *a)
{
  const attempt before = *a;
  a->full.moving_only = a->quick.moving_only = 1;
  experiment_count(&a->full), experiment_count(&a->quick);
  if (a->full.rows >= 3 * (size_t)a->full.unknowns + 10) return 1;
  a->full = before.full, a->quick = before.quick;
  return 0;
}

static bristle_fault_kind prepare(attempt *a, const bristle_law *law, const bristle_log *const *logs, size_t count,
                                  const bristle_identify_options *options, bristle_fault *fault)
{
  bristle_load load = options->use_load ? options->load : BRISTLE_LOAD_FORCE;
  a->options = *options;
  options = &a->options;
  if (!law->diff)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "build with BRISTLE_DERIVATIVES=ON", "the law %s has no derivatives",
                     law->name);
  if (law->f64->info->nparam > BRISTLE_LAW_SIZE || law->f64->info->nstate > BRISTLE_LAW_SIZE)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the law %s is too large to be fitted", law->name);
  static const int of_directions[] = { BRISTLE_TERM_OFFSET, BRISTLE_TERM_SKEW };
  for (int k = 0; k < 2 && !(law->f64->info->traits & BRISTLE_TRAIT_ODD); k++)
    if (options->term[of_directions[k]] == BRISTLE_TERM_FREE) a->options.term[of_directions[k]] = BRISTLE_TERM_NONE;
  bristle_fault_kind kind = features_find(&a->features, logs, count, options, fault);
  if (!kind) kind = chart_make(&a->chart, law, load, &a->features, options, fault);
  if (kind) return kind;
  experiment_make(&a->full, &a->chart, logs, count, load, options);
  if (a->full.rows < 3 * (size_t)a->full.unknowns + 10)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "record longer, or decimate less",
                     "%zu residuals are too few for the %d unknowns of %s", a->full.rows, a->full.unknowns, law->name);
  /* where the start is given there is no way to be sought */
  const bristle_log *const *thin = options->start ? logs : logs_thinned(logs, count, quick_rows(law), &a->list);
  if (!thin) return fault_memory(fault);
  experiment_make(&a->quick, &a->chart, thin, count, load, options);
  if (thin[0] != logs[0]) a->quick.decimate = 1;
  a->quick.rough = 1;
  experiment_count(&a->quick);
  if (options->slow_samples < 0) count_moving_only(a);
  return BRISTLE_FAULT_NONE;
}

static int tell(const bristle_identify_options *o, double fraction)
{
  return o->progress && o->progress(o->context, fraction);
}

static int reaches_noise(const experiment *e, double cost)
{
  const double noise = motion_force_noise_of(e->logs, e->log_count);
  return cost < 0.5 * 1.1 * 1.1 * noise * noise * (double)e->rows;
}

/* Another end of the searches that is nearly as good as the first, and somewhere else. */
static void note_rival(bristle_identified *made, const chart *c, double *ends, const double *cost, int count, int width)
{
  double best[BRISTLE_LAW_SIZE];
  chart_sort(c, ends);
  chart_params(c, ends, best);
  for (int i = 1; i < count && cost[i] <= 1.01 * cost[0] && !made->rival_cost; i++) {
    double *end = ends + (size_t)i * (size_t)width;
    chart_sort(c, end);
    chart_params(c, end, made->rival);
    for (int j = 0; j < c->count; j++) {
      double a = best[c->place[j]], b = made->rival[c->place[j]];
      if (fabs(a - b) > 0.2 * fmax(fabs(a), fabs(b))) made->rival_cost = cost[i] / cost[0];
    }
  }
}

/* a copy of the starts, which searches move; NULL: none could be made */
static double *take_starts(attempt *a, bristle_fault_kind *kind, bristle_fault *fault)
{
  if (!a->starts) a->start_count = find_starts(&a->quick, &a->features, &a->list, &a->starts, kind, fault);
  if (*kind) return NULL;
  if (a->start_count > MOST_STARTS) a->start_count = MOST_STARTS;
  const size_t size = sizeof(double) * (size_t)a->start_count * (size_t)a->full.unknowns;
  double *copy = memory_take(&a->list, size + 1);
  if (copy) memcpy(copy, a->starts, size);
  else *kind = fault_memory(fault);
  return copy;
}

/* Elements that share the way in many ways take most of the time. Where the samples on the way to motion are plainly
   not explained, no search goes on with them. */
static int slow_samples_plainly_fail(const attempt *a, const double *u)
{
  const double plainly = 1.5 * EXPLAINED; /* few samples are behind it, and the search is not at its end */
  return has_elements(&a->chart) && !a->options.slow_samples && !a->full.moving_only
         && slow_ratio(&a->quick, u) > plainly;
}

/* Ends of searches on some of the samples, the best first, in place of the starts; *count: of those that were searched
   to the end. Nonzero: stopped. Where all starts come to the same cost there is one valley, and few go on. */
static int search_ends(attempt *a, double *starts, double *cost, int *count)
{
  const int width = a->full.unknowns, all = *count;
  if (refine_all(&a->quick, starts, all, REFINE_TASTE, cost)) return 1;
  sort_by_key(starts, cost, all, width);
  const int one_valley = cost[all - 1] < 1.005 * cost[0];
  int ends = *count = all < FINALISTS ? all : FINALISTS;
  if (refine_all(&a->quick, starts, ends, REFINE_QUICK, cost)) return 1;
  sort_by_key(starts, cost, ends, width);
  a->without_slow = slow_samples_plainly_fail(a, starts);
  if (!has_elements(&a->chart) || one_valley || all == ends || a->without_slow || reaches_noise(&a->quick, cost[0]))
    return 0;
  double *others = starts + (size_t)ends * (size_t)width;
  if (refine_all(&a->quick, others, all - ends, REFINE_QUICK, cost + ends)) return 1;
  sort_by_key(starts, cost, all, width);
  *count = all;
  return 0;
}

/* the best end of several searches, refined on all the data; none where a search without slow samples is to follow */
static bristle_fault_kind search_all(attempt *a, bristle_identified *made, bristle_fit_result **fit,
                                     bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const bristle_identify_options *o = a->full.options;
  double cost[MOST_STARTS + 1];
  if (tell(o, 0)) return result_stopped(fault);
  double *starts = a->ends = take_starts(a, &kind, fault);
  if (!starts) return kind;
  int count = a->start_count;
  made->screened = o->start ? 0 : candidates_for(&a->chart, o);
  made->agreeing = 0, made->rival_cost = 0;
  if (count > 1) {
    if (search_ends(a, starts, cost, &count)) return result_stopped(fault);
    for (int i = 0; i < count; i++) made->agreeing += cost[i] <= cost[0] * 1.001;
    note_rival(made, &a->chart, starts, cost, count, a->full.unknowns);
  }
  a->end_count = count;
  if (tell(o, 0.8)) return result_stopped(fault);
  chart_sort(&a->chart, starts);
  if (a->without_slow) return BRISTLE_FAULT_NONE;
  if (o->start && !o->start_is_near) return refine_given(&a->full, starts, fit, fault);
  return refine_one(&a->full, starts, REFINE_FULL, fit, fault);
}

/* Once more without the samples on the way to motion: from the starts of before, and from its end beside or, where only
   one was wanted, instead of them. Laws with elements start from the best ends and from few of the starts. */
static bristle_fault_kind search_moving(attempt *a, bristle_identified *made, bristle_fit_result **fit,
                                        bristle_fault *fault)
{
  bristle_fit_result *again = NULL;
  const size_t width = (size_t)a->full.unknowns;
  const double *end = *fit ? (*fit)->p : a->ends;
  a->without_slow = 0;
  if (!count_moving_only(a)) return *fit ? BRISTLE_FAULT_NONE : refine_one(&a->full, end, REFINE_FULL, fit, fault);
  if (a->options.start) a->start_count = 0, a->options.start_is_near = 1;
  if (has_elements(&a->chart) && a->start_count > AGAIN) {
    const int ends = a->end_count < FINALISTS ? a->end_count : FINALISTS;
    a->start_count = AGAIN;
    memcpy(a->starts + (size_t)(AGAIN - ends) * width, a->ends, sizeof *a->starts * width * (size_t)ends);
  }
  memcpy(a->starts + (size_t)a->start_count++ * width, end, sizeof *a->starts * width);
  bristle_fault_kind kind = search_all(a, made, &again, fault);
  if (kind) return kind;
  bristle_fit_free(*fit);
  *fit = again;
  return kind;
}

bristle_fault_kind identify_plainly(const bristle_law *law, const bristle_log *const *logs, size_t log_count,
                                    const bristle_log *validation, const bristle_identify_options *options,
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
  bristle_fault_kind kind = prepare(a, law, logs, log_count, options, fault);
  if (!kind) kind = search_all(a, made, &fit, fault);
  if (!kind && !options->slow_samples && (!fit || !slow_samples_fit(&a->full, fit->p)))
    kind = search_moving(a, made, &fit, fault);
  if (!kind) kind = result_fill(made, &a->full, &a->features, fit, fault);
  if (!kind) {
    made->slow_fall = options->slow_fall;
    made->slow_counted = law->f64->info->nstate > 0 && !a->full.moving_only;
    if (logs[0]->phase && !options->only_to_rank) made->relative = scores_relative(&a->full, fit->p, &made->rms);
    int folds = options->folds ? options->folds : FOLDS;
    made->held_out = made->held_out_slow = made->validation = made->validation_rms = (double)NAN;
    if (folds > 1 && !tell(options, 0.9)) scores_held_out(&a->full, fit->p, folds, made);
    if (validation) {
      experiment other;
      const bristle_log *one[1] = { validation };
      experiment_make(&other, &a->chart, one, 1, a->full.load, &a->options);
      made->validation = scores_relative(&other, fit->p, &made->validation_rms);
    }
  }
  bristle_fit_free(fit);
  memory_free(a->list);
  free(a);
  if (kind) bristle_identified_free(made);
  else *result = made;
  return kind;
}

/* of two numbers with one name nobody could tell which is meant */
static bristle_fault_kind check_names(const bristle_law *law, const bristle_log *log, bristle_fault *fault)
{
  for (size_t i = 0; i < log->extras; i++)
    if (bristle_param_find(law->f64->info, log->extra_name[i]))
      return fault_set(fault, BRISTLE_FAULT_VALUE, "give the term another name",
                       "a term is called '%s', as a parameter of %s is", log->extra_name[i], law->name);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_identify(const bristle_law *law, const bristle_log *const *logs, size_t log_count,
                                    const bristle_log *validation, const bristle_identify_options *options,
                                    bristle_identified **result, bristle_fault *fault)
{
  *result = NULL;
  bristle_fault_kind kind = check_names(law, logs[0], fault);
  if (kind) return kind;
  kind = identify_plainly(law, logs, log_count, validation, options, result, fault);
  const fall_records records = { logs, log_count, validation, options };
  if (kind) return kind;
  bristle_identified *slow = fall_beyond_bound(*result, &records);
  if (slow) bristle_identified_free(*result), *result = slow;
  if ((*result)->slow_fall) fall_judge_shape(*result, &records);
  return kind;
}

/* ---- once more, on records that are a little different ---- */

bristle_fault_kind identify_again(const bristle_identified *from, const bristle_log *const *logs, size_t log_count,
                                  const bristle_identify_options *options, int slow, double *value, double *square,
                                  bristle_fault *fault)
{
  const bristle_info *info = from->law->f64->info;
  attempt *a = calloc(1, sizeof *a);
  bristle_fit_result *fit = NULL;
  double start[UNKNOWNS], p[BRISTLE_LAW_SIZE];
  bristle_identify_options same = *options;
  same.slow_fall = from->slow_fall;
  bristle_identified_take_free(from, &same);
  if (!a) return fault_memory(fault);
  bristle_fault_kind kind = prepare(a, from->law, logs, log_count, &same, fault);
  if (!kind) {
    a->full.moving_only = info->nstate > 0 && !slow && logs[0]->phase;
    experiment_count(&a->full);
    chart_unknowns(&a->chart, from->p, start);
    for (int t = 0; t < BRISTLE_TERMS; t++)
      if (a->full.term_at[t] >= 0) start[a->full.term_at[t]] = from->term[t];
    kind = refine_one(&a->full, start, REFINE_AGAIN, &fit, fault);
  }
  if (!kind) {
    memcpy(p, from->p, sizeof p);
    chart_params(&a->chart, fit->p, p);
    memcpy(value, p, sizeof *p * (size_t)info->nparam);
    for (int t = 0; t < BRISTLE_TERMS; t++)
      value[info->nparam + t] = a->full.term_at[t] >= 0 ? fit->p[a->full.term_at[t]] : from->term[t];
    *square = 2 * fit->cost / (double)fit->rows;
  }
  bristle_fit_free(fit);
  memory_free(a->list);
  free(a);
  return kind;
}
