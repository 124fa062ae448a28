/* Which laws `bristle identify` fits, and the fits. */
#include "identify.h"

#include "cli.h"
#include "progress.h"

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

int identify_laws(identification *id, const char *list)
{
  id->laws = 0;
  if (!list) list = "coulomb,stribeck,asymmetric,dahl,lugre,elasto_plastic";
  if (!strcmp(list, "all")) {
    for (int i = 0; i < bristle_law_count() && id->laws < IDENTIFY_LAWS; i++)
      if (fits_any_log(bristle_law_at(i))) id->law[id->laws++] = bristle_law_at(i);
    return DONE;
  }
  while (*list) {
    char name[64];
    size_t length = strcspn(list, ",");
    snprintf(name, sizeof name, "%.*s", (int)length, list);
    const bristle_law *law = bristle_law_find(name);
    if (!law)
      return usage_error("identify", "there is no law '%s'; did you mean '%s'?", name, bristle_law_nearest(name));
    if (id->laws < IDENTIFY_LAWS) id->law[id->laws++] = law;
    list += length + (list[length] == ',');
  }
  return id->laws ? DONE : usage_error("identify", "which laws? --model lugre,stribeck or --model all");
}

/* ---- fits ---- */

enum { SKEWED = 3 }; /* laws that are tried with a skew as well */

typedef struct watched {
  progress bar;
  int done, total;
} watched;

static int watch(void *context, double fraction)
{
  watched *w = context;
  return progress_show(&w->bar, (w->done + fraction) / w->total);
}

static bristle_fault_kind fit_law(identification *id, const bristle_law *law, const bristle_identify_options *options,
                                  bristle_fault *fault)
{
  bristle_identified *result;
  bristle_fault_kind kind = bristle_identify(law, (const bristle_log *const *)id->log, id->logs, id->validation,
                                             options, &result, fault);
  if (!kind) id->result[id->results++] = result;
  return kind;
}

static void fit_laws(identification *id, watched *w)
{
  bristle_fault fault;
  for (int i = 0; i < id->laws && !progress_is_stopped(); i++, w->done++)
    if (fit_law(id, id->law[i], &id->fitting, &fault))
      snprintf(id->failed[id->failures++], sizeof id->failed[0], "%s: %.200s", id->law[i]->name, fault.what);
  bristle_identified_rank(id->result, id->results);
}

/* Friction often differs between the directions. The best laws once more with a term for that; it costs one number. */
static void fit_skewed(identification *id, watched *w)
{
  bristle_identify_options with = id->fitting;
  bristle_fault fault;
  const bristle_law *laws[SKEWED];
  int chosen = 0;
  with.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  for (int i = 0; i < id->results && chosen < SKEWED; i++)
    if (id->result[i]->law->f64->info->traits & BRISTLE_ODD) laws[chosen++] = id->result[i]->law;
  for (int i = 0; i < chosen && id->results < IDENTIFY_LAWS && !progress_is_stopped(); i++, w->done++)
    fit_law(id, laws[i], &with, &fault); /* the law without it is there already */
  bristle_identified_rank(id->result, id->results);
}

int identify_fit(identification *id)
{
  const int skewed = !id->skew_is_given && id->laws > 1;
  watched w = { progress_start("identifying"), 0, id->laws + (skewed ? SKEWED : 0) };
  id->fitting.progress = watch;
  id->fitting.context = &w;
  fit_laws(id, &w);
  if (skewed && id->results > 1) fit_skewed(id, &w);
  progress_end(&w.bar);
  id->fitting.progress = NULL;
  if (progress_is_stopped()) {
    fputs("bristle identify: stopped; nothing was written\n", stderr);
    return FAILED;
  }
  if (id->results) return DONE;
  fprintf(stderr, "bristle identify: no law could be fitted: %s\n",
          id->failures ? id->failed[0] : "none was asked for");
  return FAILED;
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
    return usage_error("identify", "--profile %s: the best law, %s, has no fitted parameter of that name", name,
                       best->law->name);
  if (best->estimate[best->law->f64->info->nparam + BRISTLE_TERM_SKEW].free)
    options.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  double wide = isfinite(x->deviation) && x->deviation > 0 ? 4 * x->deviation : fabs(x->value);
  double lo = x->value - wide, hi = x->value + wide;
  if (lo <= 0 && x->value > 0) lo = x->value / 10, hi = fmin(hi, x->value * 10);
  id->profile_name = name;
  id->profile_unit = x->unit;
  id->profile_count = IDENTIFY_PROFILE;
  if (bristle_identify_profile(best, (const bristle_log *const *)id->log, id->logs, &options, name, IDENTIFY_PROFILE,
                               lo, hi, id->profile_value, id->profile_cost, &fault))
    return identify_fault(&fault);
  return DONE;
}
