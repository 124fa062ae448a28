/* Which laws `bristle identify` fits, and the fits. */
#include "identify.h"

#include "common/cli.h"
#include "common/progress.h"
#include "fit/common/parallel.h"

#include <math.h>

/* ---- laws ---- */

/* those that ask for more than a motion and a force are fitted by name only */
static int fits_any_log(const bristle_law *law)
{
  static const char *const special[] = { "gear", "tyre_lugre", "lugre_bounded" };
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (!strcmp(law->name, special[i])) return 0;
  return 1;
}

/* with levels of their own for each direction, unless they have such already */
static const bristle_law *as_asked(const identification *id, const bristle_law *law)
{
  return id->skewed_levels && (law->f64->info->traits & BRISTLE_ODD) ? bristle_law_skewed(law) : law;
}

int identify_laws(identification *id, const char *list)
{
  id->laws = 0;
  id->laws_are_given = list != NULL;
  if (!list && id->free_decay) list = "coulomb,stribeck,asymmetric,dahl,lugre";
  if (!list) list = "coulomb,stribeck,asymmetric,dahl,lugre,elasto_plastic";
  if (!strcmp(list, "all")) {
    for (int i = 0; i < bristle_law_count() && id->laws < IDENTIFY_LAWS; i++)
      if (fits_any_log(bristle_law_at(i))) id->law[id->laws++] = as_asked(id, bristle_law_at(i));
    return DONE;
  }
  while (*list) {
    char name[64];
    size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    const bristle_law *law = bristle_law_find(name);
    if (!law) return usage_error("there is no law '%s'; did you mean '%s'?", name, bristle_law_nearest(name));
    if (id->laws < IDENTIFY_LAWS) id->law[id->laws++] = as_asked(id, law);
    list += length + (list[length] == ',');
  }
  return id->laws ? DONE : usage_error("which laws? --model lugre,stribeck or --model all");
}

/* ---- fits, several laws at a time ---- */

enum { SKEWED = 3, TABLED = 3 }; /* laws that are tried with a skew, or a table over the position, as well */

typedef struct batch batch;

/* one law to be fitted */
typedef struct task {
  batch *all;
  const bristle_law *law;
  const double *start; /* parameters of a fit that differs by a term; or NULL */
  int slow_samples;    /* of the options */
  double done;         /* part of it */
  bristle_identified *result;
  bristle_fault fault;
} task;

struct batch {
  identification *id;
  bristle_identify_options options;
  task task[IDENTIFY_LAWS];
  int count;
  double before, share; /* of all the work: done before, and what these are */
  progress *bar;
  parallel_lock lock;
};

static int watch(void *context, double fraction)
{
  task *mine = context;
  batch *all = mine->all;
  double sum = 0;
  parallel_take(&all->lock);
  mine->done = fraction;
  for (int i = 0; i < all->count; i++) sum += all->task[i].done;
  const int stop = progress_show(all->bar, all->before + all->share * sum / all->count);
  parallel_give(&all->lock);
  return stop;
}

static void fit_one(void *context, int i)
{
  batch *all = context;
  task *mine = &all->task[i];
  const identification *id = all->id;
  bristle_identify_options options = all->options;
  options.progress = watch;
  options.context = mine;
  if (mine->start) options.start = mine->start, options.start_is_near = 1;
  options.slow_samples = mine->slow_samples;
  snprintf(mine->fault.what, sizeof mine->fault.what, "stopped");
  if (progress_is_stopped()) return;
  if (bristle_identify(mine->law, (const bristle_log *const *)id->log, id->logs, id->validation, &options,
                       &mine->result, &mine->fault))
    mine->result = NULL;
  watch(mine, 1);
}

/* Fits the laws of a batch and ranks what came out with what was there. What could not be fitted is noted by name. */
static void fit_batch(batch *all, const char *kind)
{
  identification *id = all->id;
  all->lock = (parallel_lock)PARALLEL_LOCK;
  for (int i = 0; i < all->count; i++) all->task[i].all = all;
  parallel_for(id->fitting.threads > 0 ? id->fitting.threads : 2, all->count, fit_one, all);
  for (int i = 0; i < all->count; i++) {
    const task *t = &all->task[i];
    if (t->result && id->results < IDENTIFY_LAWS) id->result[id->results++] = t->result;
    else if (id->failures < IDENTIFY_LAWS)
      snprintf(id->failed[id->failures++], sizeof id->failed[0], "%s%s: %.200s", t->law->name, kind, t->fault.what);
  }
  bristle_identified_rank(id->result, id->results);
}

static void fit_laws(identification *id, progress *bar, double share)
{
  batch all = { .id = id, .options = id->fitting, .share = share, .bar = bar };
  for (int i = 0; i < id->laws; i++) all.task[all.count++].law = id->law[i];
  fit_batch(&all, "");
}

/* terms that a result was given beside those of the options: a skew, a table */
static void take_terms(const bristle_identified *r, bristle_identify_options *options)
{
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (r->estimate[r->law->f64->info->nparam + t].free) options->term[t] = BRISTLE_TERM_FREE;
}

/* Friction often differs between the directions. The best laws once more with a term for that, on the samples that they
   were fitted to themselves; it costs one number. */
static void fit_skewed(identification *id, progress *bar, double before)
{
  batch all = { .id = id, .options = id->fitting, .before = before, .share = 1 - before, .bar = bar };
  all.options.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  for (int i = 0; i < id->results && all.count < SKEWED; i++) {
    const bristle_identified *plain = id->result[i];
    if (plain->law->f64->info->traits & BRISTLE_ODD)
      all.task[all.count++] = (task){ .law = plain->law,
                                      .start = plain->p,
                                      .slow_samples = !plain->law->f64->info->nstate ? 0
                                                      : plain->slow_counted          ? 1
                                                                                     : -1 };
  }
  if (all.count) fit_batch(&all, " + skew");
}

/* What the leading law leaves may follow the position: the best laws once more with a table over it. */
static void fit_over_position(identification *id, progress *bar)
{
  batch all = { .id = id, .options = id->fitting, .before = 1, .bar = bar };
  bristle_places over[BRISTLE_OVERS];
  double before, after;
  if (!bristle_identified_places(id->result[0], (const bristle_log *const *)id->log, id->logs, over, &before, &after))
    return;
  for (size_t i = 0; i < id->logs; i++) memcpy(id->log[i]->over, over, sizeof over);
  if (id->validation) memcpy(id->validation->over, over, sizeof over);
  take_terms(id->result[0], &all.options);
  for (int kind = 0; kind < BRISTLE_OVERS; kind++)
    for (int k = 0; k + 1 < over[kind].knots; k++)
      all.options.term[(kind ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT) + k] = BRISTLE_TERM_FREE;
  for (int i = 0; i < id->results && all.count < TABLED; i++) {
    int twice = 0;
    for (int k = 0; k < all.count; k++) twice |= all.task[k].law == id->result[i]->law;
    if (!twice) all.task[all.count++] = (task){ .law = id->result[i]->law, .start = id->result[i]->p };
  }
  fit_batch(&all, " over the position");
}

/* Where the samples at reversals ask for elements in parallel, laws with such are tried as well, unless the caller has
   chosen. Returns whether they were. */
static int fit_elements(identification *id, progress *bar, bristle_reversals *found)
{
  static const char *const laws[] = { "maxwell_slip", "gms" };
  batch all = { .id = id, .options = id->fitting, .before = 1, .bar = bar };
  if (!bristle_identified_reversals(id->result, id->results, (const bristle_log *const *)id->log, id->logs,
                                    &id->fitting, found))
    return 0;
  all.options.candidates = 400, all.options.refinements = 6; /* a try: it must not take longer than all the others */
  for (size_t i = 0; i < sizeof laws / sizeof *laws && !id->laws_are_given; i++)
    all.task[all.count++].law = as_asked(id, bristle_law_find(laws[i]));
  if (all.count) fit_batch(&all, "");
  return all.count > 0;
}

/* Laws that may lead are fitted again with everything a little different; of a long list the leading one, and the next
   where that costs it the lead. */
static void test_laws(identification *id)
{
  enum { ROUNDS = 5, SHORT = 12 };
  const int all = id->results <= SHORT;
  const double near = 1.3; /* times the error of the best: a delay makes up for no more */
  for (int round = 0; round < ROUNDS && !progress_is_stopped(); round++) {
    bristle_identified *chosen[IDENTIFY_LAWS];
    int count = 0;
    for (int i = 0; i < id->results; i++) {
      const int may_lead =
          i == 0
          || (all && (id->result[i]->indistinguishable || id->result[i]->held_out < near * id->result[0]->held_out));
      if (may_lead && !id->result[i]->tested) chosen[count++] = id->result[i];
    }
    if (!count || (id->fitting.decimate && !id->log[0]->phase)) return;
    bristle_identified_test(chosen, count, (const bristle_log *const *)id->log, id->logs, &id->fitting, &id->campaign);
    if (!chosen[0]->tested) return;
    for (int i = 0; i < count; i++)
      bristle_identified_instruments(chosen[i], (const bristle_log *const *)id->log, id->logs, &id->fitting,
                                     &id->campaign);
    bristle_identified_rank(id->result, id->results);
  }
}

static int has_table(const bristle_identified *r) { return r->over[0].knots || r->over[1].knots; }

/* A table that costs the law its own parameters is none to lead with: the sentence about the position remains. */
static void drop_tables(identification *id)
{
  int kept = 0;
  if (!id->results || !has_table(id->result[0]) || bristle_identified_is_whole(id->result[0])) return;
  for (int i = 0; i < id->results; i++)
    if (has_table(id->result[i])) bristle_identified_free(id->result[i]);
    else id->result[kept++] = id->result[i];
  id->results = kept;
  bristle_identified_rank(id->result, id->results);
  test_laws(id);
}

int identify_fit(identification *id)
{
  const int skewed = !id->skew_is_given && id->laws > 1;
  progress bar = progress_start("identifying");
  const double share = skewed ? (double)id->laws / (id->laws + SKEWED) : 1;
  fit_laws(id, &bar, share);
  if (skewed && id->results > 1 && !progress_is_stopped()) fit_skewed(id, &bar, share);
  bristle_identified_mend(id->result, id->results, (const bristle_log *const *)id->log, id->logs, id->validation,
                          &id->fitting);
  bristle_identified_rank(id->result, id->results);
  bristle_reversals found = { 0 };
  const int elements = id->results && !progress_is_stopped() && fit_elements(id, &bar, &found);
  if (id->results && !progress_is_stopped()) fit_over_position(id, &bar);
  test_laws(id);
  drop_tables(id);
  if (id->results) {
    bristle_identified_diagnose(id->result[0], (const bristle_log *const *)id->log, id->logs, &id->fitting);
    bristle_identified_tell_reversals(id->result[0], &found,
                                      elements ? "maxwell_slip and gms were tried as well and do not lead"
                                               : "try --model maxwell_slip,gms");
  }
  progress_end(&bar);
  if (progress_is_stopped()) return stopped_exit();
  if (id->results) return DONE;
  return identify_no_result(id);
}

/* ---- profile likelihood ---- */

static const bristle_estimate *find_free(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->law->f64->info->nparam; k++)
    if (!strcmp(r->estimate[k].name, name) && r->estimate[k].free) return &r->estimate[k];
  return NULL;
}

int identify_profile(identification *id, const char *name)
{
  bristle_fault fault;
  const bristle_identified *best = id->result[0];
  const bristle_estimate *x = find_free(best, name);
  bristle_identify_options options = id->fitting;
  if (!x)
    return usage_error("--profile %s: the best law, %s, has no fitted parameter of that name", name, best->law->name);
  take_terms(best, &options);
  double wide = isfinite(x->deviation) && x->deviation > 0 ? 4 * x->deviation : fabs(x->value);
  double lo = x->value - wide, hi = x->value + wide;
  if (lo <= 0 && x->value > 0) lo = x->value / 10, hi = fmin(hi, x->value * 10);
  id->profile_name = name;
  id->profile_unit = x->unit;
  id->profile_count = IDENTIFY_PROFILE;
  if (bristle_identify_profile(best, (const bristle_log *const *)id->log, id->logs, &options, name, IDENTIFY_PROFILE,
                               lo, hi, id->profile_value, id->profile_cost, &fault))
    return fault_exit(&fault);
  return DONE;
}
