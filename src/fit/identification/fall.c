/* Where the bound of Stribeck speeds gives way. Free ones end with a level of nothing on most real joints: any curve
   that bends is half of a Stribeck curve somewhere. So a larger one counts only where it explains pieces that the fit
   did not see clearly better, and where its level comes out above nothing. A fall that is not over at the largest speed
   shows its level through its shape alone, so what another exponent would change belongs to the deviations. */
#include "fit/identification/fall.h"

#include "fit/identification/nested.h"
#include "fit/results/result.h"
#include "maths/elementary.h"

#include <stdio.h>

/* twice what the ranking asks for to tell one law from another */
static const double BETTER = 0.98; /* of the error of what was held out */
static const double CLEARLY = 2;   /* deviations of the difference */
static const double LEVEL = 3;     /* deviations of the level, as of the drop to it */

static bristle_role role_at(const bristle_identified *r, int k) { return bristle_param_at(r->law->f64->info, k)->role; }

static int is_held(const bristle_identified *r)
{
  for (int k = 0; k < r->law->f64->info->nparam; k++)
    if (role_at(r, k) == BRISTLE_ROLE_STRIBECK_SPEED && r->estimate[k].free && r->estimate[k].bound > 0) return 1;
  return 0;
}

/* the exponent that stands behind the Stribeck speed in the law's table; NULL: the law has but one shape */
static const bristle_row *exponent_of(const bristle_info *info)
{
  for (int k = 0; k + 1 < info->param_rows; k++)
    if (info->param[k].role == BRISTLE_ROLE_STRIBECK_SPEED && info->param[k + 1].role == BRISTLE_ROLE_EXPONENT)
      return &info->param[k + 1];
  return NULL;
}

/* the same where it is not fitted anyway */
static const char *held_exponent(const bristle_identified *r)
{
  const bristle_row *row = exponent_of(r->law->f64->info);
  return row && !r->estimate[row->first].free ? row->name : NULL;
}

/* A stiffness that nobody knows leads a search astray: its column is rounding. */
static void hold_unknown(const bristle_identified *r, bristle_identify_options *options)
{
  int names = 0;
  while (names < BRISTLE_IDENTIFY_NAMES - 1 && options->fixed[names]) names++;
  for (int k = 0; k < r->law->f64->info->nparam && names < BRISTLE_IDENTIFY_NAMES - 1; k++) {
    const bristle_row *row = bristle_param_at(r->law->f64->info, k);
    if (row->count != 1 || row->role != BRISTLE_ROLE_STIFFNESS || !result_is_undetermined(&r->estimate[k])) continue;
    options->fixed[names] = row->name, options->fixed_value[names++] = r->p[k];
  }
}

/* the law once more on the samples that a result was fitted to, from there, without folds */
static bristle_identified *fit_near(const bristle_identified *r, const fall_records *records, const char *exponent)
{
  bristle_identify_options options = *records->options;
  bristle_identified *found = NULL;
  bristle_fault ignored;
  int names = 0;
  options.slow_fall = !exponent || r->slow_fall;
  options.start_is_near = 1, options.folds = -1, options.progress = NULL;
  options.start = r->p, options.start_term = r->term;
  options.slow_samples = slow_basis(r);
  bristle_identified_take_free(r, &options);
  while (names < BRISTLE_IDENTIFY_NAMES - 1 && options.free[names]) names++;
  options.free[names] = exponent;
  hold_unknown(r, &options);
  return identify_plainly(r->law, records->logs, records->count, NULL, &options, &found, &ignored) ? NULL : found;
}

/* what the fall consists of, and what is told from it */
static int belongs(bristle_role role)
{
  return role == BRISTLE_ROLE_STRIBECK_SPEED || role == BRISTLE_ROLE_LEVEL || role == BRISTLE_ROLE_STATIC_LEVEL
         || role == BRISTLE_ROLE_VISCOUS;
}

void fall_judge_shape(bristle_identified *r, const fall_records *records)
{
  const char *exponent = held_exponent(r);
  if (!exponent || records->options->only_to_rank) return;
  bristle_identified *other = fit_near(r, records, exponent);
  for (int k = 0; k < r->law->f64->info->nparam; k++) {
    bristle_estimate *x = &r->estimate[k];
    if (!x->free || !belongs(role_at(r, k))) continue;
    if (r->slow_fall) x->deviation = other ? hypot(x->deviation, other->p[k] - x->value) : HUGE_VAL;
    else if (other) x->deviation = hypot(x->deviation, other->p[k] - x->value);
    if (!x->reason[0] && result_is_undetermined(x))
      snprintf(x->reason, sizeof x->reason,
               r->slow_fall ? "the fall is not over at the largest speeds, and another shape of it would change this "
                              "by %.2g %s; record faster motion"
                            : "another shape of the fall would change this by %.2g %s; record steady speeds below, in "
                              "and above the fall",
               x->deviation, x->unit);
  }
  bristle_identified_free(other);
}

void bristle_identified_judge_fall(bristle_identified *r, const bristle_log *const *logs, size_t count,
                                   const bristle_identify_options *options)
{
  const fall_records records = { logs, count, NULL, options };
  int known = 0;
  for (int k = 0; k < r->law->f64->info->nparam; k++)
    known |= role_at(r, k) == BRISTLE_ROLE_STRIBECK_SPEED && r->estimate[k].free
             && !result_is_undetermined(&r->estimate[k]);
  if (known && !r->slow_fall) fall_judge_shape(r, &records);
}

/* levels and speeds of the fall are determined */
static int shows_the_fall(const bristle_identified *r)
{
  for (int k = 0; k < r->law->f64->info->nparam; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!x->free) continue;
    if (role_at(r, k) == BRISTLE_ROLE_STRIBECK_SPEED && result_is_undetermined(x)) return 0;
    if (role_at(r, k) == BRISTLE_ROLE_LEVEL && !(x->value > LEVEL * x->deviation)) return 0;
  }
  return 1;
}

/* all of it free, with pieces held out */
static bristle_identified *fit_wide(const bristle_identified *held, const fall_records *records)
{
  bristle_identify_options options = *records->options;
  bristle_identified *near = fit_near(held, records, NULL), *found = NULL;
  bristle_fault ignored;
  if (!near) return NULL;
  options.slow_fall = options.start_is_near = 1, options.progress = NULL;
  options.start = near->p, options.start_term = near->term;
  options.slow_samples = slow_basis(held);
  if (identify_plainly(held->law, records->logs, records->count, records->validation, &options, &found, &ignored))
    found = NULL;
  bristle_identified_free(near);
  return found;
}

static int is_asked_for(const bristle_identified *held, const bristle_identified *found)
{
  double ratio, deviations;
  ranking_gain(held, found, &ratio, &deviations);
  return ratio < BETTER && deviations > CLEARLY && shows_the_fall(found);
}

bristle_identified *fall_beyond_bound(const bristle_identified *held, const fall_records *records)
{
  const bristle_identify_options *options = records->options;
  if (options->slow_fall || options->start || options->only_to_rank || !isfinite(held->held_out) || !is_held(held)
      || (exponent_of(held->law->f64->info) && !held_exponent(held)))
    return NULL;
  bristle_identified *found = fit_wide(held, records);
  if (!found || is_asked_for(held, found)) return found;
  bristle_identified_free(found);
  return NULL;
}
