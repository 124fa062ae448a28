/* A law that becomes a smaller one for some of its parameters must not end worse than that one: it starts from its
   optimum as well. Which laws these are, and for which parameters, the reductions of its table say. */
#include "fit/identification/screen.h"
#include "fit/identification/nested.h"
#include "fit/identification/refine.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

typedef struct nested_records {
  const bristle_log *const *logs;
  size_t count;
  const bristle_log *validation;
  const bristle_identify_options *options;
} nested_records;

enum { CANDIDATES = 200, TRIED = 3, WORD = 40 };

/* ---- lists of "name = value, name = value" ---- */

typedef struct entry {
  char name[WORD], value[2 * WORD];
} entry;

/* the next entry of a list, which moves on; 0 at its end */
static int next_entry(const char **list, entry *e)
{
  int used = 0;
  if (sscanf(*list, " %39[A-Za-z0-9_] = %79[^, ]%n", e->name, e->value, &used) != 2) return 0;
  *list += used;
  while (**list == ',' || **list == ' ') (*list)++;
  return 1;
}

/* A product and quotient of numbers and parameters: the product of the known factors, and the one parameter that is not
   known with the power it has. Returns how many are not known. */
static int product_of(const bristle_info *info, const char *text, const double *p, const int *known, double *value,
                      int *unknown, int *power)
{
  int missing = 0, sign = 1;
  for (*value = 1; *text;) {
    char word[WORD], *end;
    size_t length = strcspn(text, "*/");
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    double factor = strtod(word, &end);
    if (*end) {
      const bristle_row *row = bristle_param_find(info, word);
      if (!row) return 2;
      factor = p[row->first];
      if (!known[row->first]) *unknown = row->first, *power = sign, missing++, factor = 1;
    }
    *value = sign > 0 ? *value * factor : *value / factor;
    sign = text[length] == '/' ? -1 : 1;
    text += length + (text[length] != '\0');
  }
  return missing;
}

/* ---- from the parameters of the smaller law to those of the larger one ---- */

static int is_searched(const chart *c, int place)
{
  for (int j = 0; j < c->count; j++)
    if (c->place[j] == place) return 1;
  return 0;
}

/* Of parameters with the same name, and of those that the smaller law's follow from. */
static void carry_over(const bristle_info *info, const bristle_reduction *r, const bristle_info *small, const double *q,
                       double *p, int *known)
{
  entry e;
  const char *list = r->then;
  char renamed[BRISTLE_LAW_SIZE] = { 0 };
  for (int pass = 0; pass < 2; pass++) /* the second one has what the first has found */
    for (list = r->then; next_entry(&list, &e);) {
      const bristle_row *row = bristle_param_find(small, e.name);
      int place = 0, power = 1;
      double value;
      if (!row) continue;
      renamed[row->first] = 1;
      if (product_of(info, e.value, p, known, &value, &place, &power) != 1) continue;
      p[place] = power > 0 ? q[row->first] / value : value / q[row->first];
      known[place] = 1;
    }
  for (int k = 0; k < small->param_rows; k++) {
    const bristle_row *from = &small->param[k], *to = bristle_param_find(info, from->name);
    if (!to || renamed[from->first] || to->count != from->count) continue;
    for (int i = 0; i < to->count; i++) p[to->first + i] = q[from->first + i], known[to->first + i] = 1;
  }
}

/* Nonzero when the larger law can be the smaller one with what is searched of it. */
static int embed(const chart *c, const bristle_reduction *r, const bristle_info *small, const double *q, double *p)
{
  const bristle_info *info = c->law->f64->info;
  int known[BRISTLE_LAW_SIZE] = { 0 };
  entry e;
  chart_params(c, c->guess, p);
  carry_over(info, r, small, q, p, known);
  for (const char *list = r->when; next_entry(&list, &e);) {
    const bristle_row *row = bristle_param_find(info, e.name);
    int place = 0, power = 1, all[BRISTLE_LAW_SIZE];
    double value;
    for (int k = 0; k < info->nparam; k++) all[k] = 1;
    if (!row || product_of(info, e.value, p, all, &value, &place, &power)) return 0;
    if (!is_searched(c, row->first) && c->base[row->first] != value) return 0;
    p[row->first] = value;
  }
  return 1;
}

/* ---- the smaller law's optimum ---- */

static int fit_small(const experiment *e, const features *f, const bristle_law *law, double *q)
{
  bristle_identify_options options = *e->options;
  bristle_fault ignored;
  bristle_fault_kind kind;
  chart c;
  experiment small;
  double best[TRIED * BRISTLE_LAW_SIZE], starts[TRIED * UNKNOWNS] = { 0 }, cost[TRIED];
  memset(options.free, 0, sizeof options.free), memset(options.fixed, 0, sizeof options.fixed);
  options.start = NULL, options.progress = NULL;
  if (!law->diff || law->f64->info->nparam > BRISTLE_LAW_SIZE) return 0;
  if (chart_make(&c, law, e->load, f, &options, &ignored)) return 0;
  small = *e;
  small.law = law, small.chart = &c, small.options = &options, small.layout = NULL, small.unknowns = c.count;
  for (int t = 0; t < BRISTLE_TERMS; t++) small.term_at[t] = e->term_at[t] >= 0 ? small.unknowns++ : -1;
  experiment_count(&small);
  kind = BRISTLE_FAULT_NONE;
  int count = screen_candidates(&small, CANDIDATES, TRIED, options.seed + 1, best, &kind, &ignored), least = 0;
  if (kind) return 0;
  for (int i = 0; i < count; i++)
    memcpy(starts + (size_t)i * (size_t)small.unknowns, best + (size_t)i * (size_t)c.count,
           sizeof *best * (size_t)c.count);
  if (refine_all(&small, starts, count, REFINE_QUICK, cost)) return 0;
  for (int i = 1; i < count; i++)
    if (cost[i] < cost[least]) least = i;
  chart_params(&c, starts + (size_t)least * (size_t)small.unknowns, q);
  return isfinite(cost[least]);
}

/* ---- results of both ---- */

/* by how much a result of the same rows and terms is worse than another, relative to it; negative: it is better */
static double worse_than(const bristle_identified *large, const bristle_identified *small)
{
  const int at = large->law->f64->info->nparam, from = small->law->f64->info->nparam;
  if (large->rows != small->rows || large->slow_counted != small->slow_counted || !(small->fitted_rms > 0)) return -1;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (small->estimate[from + t].free && !large->estimate[at + t].free) return -1;
  return large->fitted_rms / small->fitted_rms - 1;
}

/* the parameters of the larger law that make it the smaller one, where it is one of those that it contains */
static int contains(const bristle_identified *large, const bristle_identified *small, const chart *c, double *p)
{
  const bristle_info *info = large->law->f64->info;
  if (large->law == small->law) memcpy(p, small->p, sizeof small->p);
  if (large->law == small->law) return 1;
  for (int k = 0; k < info->reductions; k++)
    if (!strcmp(info->reduction[k].law, small->law->name))
      return embed(c, &info->reduction[k], small->law->f64->info, small->p, p);
  return 0;
}

static bristle_identified *fit_from(const bristle_identified *large, const bristle_identified *small,
                                    const nested_records *records)
{
  const bristle_info *info = large->law->f64->info;
  bristle_identify_options options = *records->options;
  bristle_identified *again = NULL;
  bristle_fault ignored;
  double p[BRISTLE_LAW_SIZE];
  features f;
  chart c;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (options.term[t] == BRISTLE_TERM_NONE && large->estimate[info->nparam + t].free)
      options.term[t] = BRISTLE_TERM_FREE; /* a skew that was tried beside the others */
  bristle_identified_take_free(large, &options);
  options.progress = NULL;
  options.slow_fall = large->slow_fall || small->slow_fall;
  if (features_find(&f, records->logs, records->count, &options, &ignored)
      || chart_make(&c, large->law, large->load, &f, &options, &ignored) || !contains(large, small, &c, p))
    return NULL;
  options.start = p, options.start_term = small->term, options.start_is_near = 1;
  options.slow_samples = slow_basis(large);
  if (bristle_identify(large->law, records->logs, records->count, records->validation, &options, &again, &ignored))
    return NULL;
  if (again->rows == large->rows && again->fitted_rms < large->fitted_rms) return again;
  bristle_identified_free(again);
  return NULL;
}

void bristle_identified_mend(bristle_identified **results, int count, const bristle_log *const *logs, size_t log_count,
                             const bristle_log *validation, const bristle_identify_options *options)
{
  const nested_records records = { logs, log_count, validation, options };
  const double plainly = 1e-6;
  int *last = calloc((size_t)count + 1, sizeof *last); /* the round in which each was changed */
  int changed = 1;
  for (int round = 1; last && round <= 3 && changed; round++) { /* what one law gains, the next may need */
    changed = 0;
    for (int i = 0; i < count; i++)
      for (int k = 0; k < count; k++) {
        const int news = last[i] >= round - 1 || last[k] >= round - 1; /* else it was tried before */
        if (k == i || !news || worse_than(results[i], results[k]) < plainly) continue;
        bristle_identified *again = fit_from(results[i], results[k], &records);
        if (!again) continue;
        bristle_identified_free(results[i]);
        results[i] = again, last[i] = round, changed = 1;
      }
  }
  free(last);
}

int slow_basis(const bristle_identified *r) { return !r->law->f64->info->nstate ? 0 : r->slow_counted ? 1 : -1; }

int nested_starts(const experiment *e, const features *f, double *starts)
{
  const bristle_info *info = e->law->f64->info;
  int count = 0;
  for (int k = 0; k < info->reductions && count < NESTED_MOST; k++) {
    const bristle_law *law = bristle_law_find(info->reduction[k].law);
    double q[BRISTLE_LAW_SIZE], p[BRISTLE_LAW_SIZE];
    if (!law || !fit_small(e, f, law, q)) continue;
    if (!embed(e->chart, &info->reduction[k], law->f64->info, q, p)) continue;
    chart_unknowns(e->chart, p, starts + (size_t)count++ * (size_t)e->unknowns);
  }
  return count;
}
