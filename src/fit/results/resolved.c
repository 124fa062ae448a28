/* Is the way before sliding in the data at all? A bristle that bends within a sample or two cannot be told from a rigid
   contact with a force that comes a sample late, whatever its deviation says. */
#include "fit/residuals/walk.h"
#include "fit/results/result.h"

#include "maths/elementary.h"

#include <stdlib.h>

static const double FEWEST = 5;  /* rows in which the stiffness shows, one after the other */
static const double SHOWS = 0.2; /* of its largest effect */

static int is_presliding(const bristle_row *row)
{
  return row->role == BRISTLE_ROLE_STIFFNESS || row->role == BRISTLE_ROLE_LENGTH
         || row->role == BRISTLE_ROLE_PER_LENGTH;
}

/* all of them together a little stiffer */
static int stiffen(const bristle_info *info, const double *p, double *stiffer)
{
  int found = 0;
  const int only = bristle_param_role(info, BRISTLE_ROLE_STIFFNESS) != NULL; /* lengths follow where there are both */
  for (int k = 0; k < info->nparam; k++) {
    const bristle_row *row = bristle_param_at(info, k);
    const int here = only ? row->role == BRISTLE_ROLE_STIFFNESS : is_presliding(row);
    stiffer[k] = here ? p[k] * 1.001 : p[k];
    found |= here && p[k] != 0;
  }
  return found;
}

/* runs of samples in which the change shows, and their number of samples */
static void count_runs(const bristle_log *log, const double *change, double limit, double *runs, double *samples)
{
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      if (!(fabs(change[i]) > limit)) continue;
      ++*samples;
      *runs += i == log->first[k] || !(fabs(change[i - 1]) > limit);
    }
}

/* mean number of rows, one after the other, in which the stiffness shows; infinite for rigid laws */
static double resolved_rows(const bristle_identified *r, const experiment *e)
{
  double stiffer[BRISTLE_LAW_SIZE], runs = 0, samples = 0, largest = 0;
  if (!r->law->f64->info->nstate || !stiffen(r->law->f64->info, r->p, stiffer)) return HUGE_VAL;
  const bristle_contact stiff = { .law = r->law, .load = r->load, .p = stiffer };
  double **change = calloc(e->log_count, sizeof *change);
  int failed = !change;
  for (size_t l = 0; l < e->log_count && !failed; l++) {
    const bristle_log *log = e->logs[l];
    double *other = malloc(sizeof *other * (log->count + 1));
    change[l] = malloc(sizeof **change * (log->count + 1));
    failed = !other || !change[l] || walk_result(r, log, change[l]) || walk_forces(&stiff, log, r->term, other);
    for (size_t i = 0; i < log->count && !failed; i++) {
      change[l][i] -= other[i];
      largest = fmax(largest, fabs(change[l][i]));
    }
    free(other);
  }
  for (size_t l = 0; l < e->log_count && !failed; l++)
    count_runs(e->logs[l], change[l], SHOWS * largest, &runs, &samples);
  for (size_t l = 0; change && l < e->log_count; l++) free(change[l]);
  free(change);
  if (failed) return HUGE_VAL;
  const double every = e->decimate > 1 ? (double)e->decimate : 1;
  return runs > 0 ? samples / runs / every : 0;
}

int resolved_enough(const bristle_identified *r, const experiment *e) { return resolved_rows(r, e) >= FEWEST; }

/* the stiffness before sliding, how elements share it, and what acts only while it does */
static void forget(bristle_identified *r, const char *reason)
{
  const bristle_info *info = r->law->f64->info;
  for (int k = 0; k < info->nparam; k++) {
    bristle_estimate *x = &r->estimate[k];
    const bristle_row *row = bristle_param_at(info, k);
    const int goes_with_it = row->role == BRISTLE_ROLE_SHARE || row->role == BRISTLE_ROLE_DAMPING;
    if (!x->free || (!is_presliding(row) && !goes_with_it)) continue;
    x->deviation = HUGE_VAL;
    snprintf(x->reason, sizeof x->reason, "%s", reason);
  }
}

void resolved_judge(bristle_identified *r, const experiment *e)
{
  char reason[200];
  const double rows = resolved_rows(r, e);
  if (rows < FEWEST) {
    snprintf(reason, sizeof reason,
             "the contact bends and slides within %.1f samples%s, as a rigid one with a small delay would; record "
             "slower reversals",
             rows * (e->decimate > 1 ? (double)e->decimate : 1),
             e->logs[0]->filtered ? " (the filter counted in)" : "");
    forget(r, reason);
  } else if (e->moving_only) {
    forget(r, "the force at reversals, starts and stops does not follow this law; record slow reversals, many samples "
              "each");
  }
}

/* ---- elements ---- */

static int is_of_element(const bristle_row *row)
{
  return row->count > 1 && (row->role == BRISTLE_ROLE_STIFFNESS || row->role == BRISTLE_ROLE_SHARE);
}

/* Elements share one level and one way: where two of them stand for one of the contact's, another one stands for two.
 */
void resolved_judge_elements(bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  int unknown = 0;
  for (int k = 0; k < info->nparam; k++)
    unknown |= is_of_element(bristle_param_at(info, k)) && result_is_undetermined(&r->estimate[k]);
  for (int k = 0; k < info->nparam && unknown; k++) {
    bristle_estimate *x = &r->estimate[k];
    if (!x->free || !is_of_element(bristle_param_at(info, k))) continue;
    x->deviation = HUGE_VAL;
    if (!x->reason[0])
      snprintf(x->reason, sizeof x->reason,
               "at least one element is not determined, and elements can stand in for each other; their common curve "
               "is determined; use fewer elements");
  }
}
