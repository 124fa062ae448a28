/* The fits of a study, several laws at a time, and what is tried because of what they leave. */
#include "study/batch.h"

#include "maths/elementary.h"

enum { SKEWED = 3, TABLED = 3 }; /* laws that are tried with a skew, or a table over the position, as well */

static const double SURE = 0.5; /* of the progress: the fits that there are always */

static void fit_laws(bristle_study *study, double share)
{
  batch all = { .study = study, .options = study->fitting, .share = share };
  for (int i = 0; i < study->laws; i++) all.task[all.count++].law = study->law[i];
  batch_fit(&all, "");
}

static int same_terms(const bristle_identified *a, const bristle_identified *b)
{
  const int n = a->law->f64->info->nparam;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (a->estimate[n + t].free != b->estimate[n + t].free) return 0;
  return 1;
}

/* Friction often differs between the directions. The best laws once more with a term for that, on the samples that they
   were fitted to themselves; it costs one number. */
static void fit_skewed(bristle_study *study, double before)
{
  batch all = { .study = study, .options = study->fitting, .before = before, .share = SURE - before };
  all.options.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  for (int i = 0; i < study->results && all.count < SKEWED; i++) {
    const bristle_identified *plain = study->result[i];
    if (plain->law->f64->info->traits & BRISTLE_TRAIT_ODD)
      all.task[all.count++] = (task){ .law = plain->law,
                                      .start = plain->p,
                                      .slow_fall = plain->slow_fall,
                                      .slow_samples = !plain->law->f64->info->nstate ? 0
                                                      : plain->slow_counted          ? 1
                                                                                     : -1 };
  }
  if (all.count) batch_fit(&all, " + skew");
}

/* an exponent that was held, and that shapes the way from a reversal to sliding. One of a Stribeck curve stands behind
   its speed in the law's table, and is judged with it. NULL: there is none */
static const char *held_exponent(const bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  for (int k = 1; k < info->param_rows; k++)
    if (info->param[k].role == BRISTLE_ROLE_EXPONENT && info->param[k].kind != BRISTLE_ROW_OPTION
        && info->param[k - 1].role != BRISTLE_ROLE_STRIBECK_SPEED && bristle_param_role(info, BRISTLE_ROLE_STIFFNESS)
        && !r->estimate[info->param[k].first].free)
      return info->param[k].name;
  return NULL;
}

/* A leading law that misses far more than noise, and has an exponent nobody has fitted yet, is fitted with it. The
   better of both by the ranking stays; the other says nothing more. */
static void fit_exponents(bristle_study *study)
{
  static const double FAR = 5; /* times the noise, as the verdict has it */
  batch all = { .study = study, .options = study->fitting };
  double noise = 0;
  for (size_t l = 0; l < study->logs; l++) noise = fmax(noise, study->log[l]->summary.force_noise);
  if (!(noise > 0) || !(study->result[0]->rms > FAR * noise)) return;
  for (int i = 0; i < study->results && all.count < SKEWED; i++) {
    const char *exponent = held_exponent(study->result[i]);
    int chosen = 0;
    for (int k = 0; k < BRISTLE_IDENTIFY_NAMES && exponent && study->fitting.fixed[k]; k++)
      chosen |= !strcmp(study->fitting.fixed[k], exponent);
    for (int k = 0; k < all.count; k++) chosen |= all.task[k].law == study->result[i]->law;
    if (exponent && !chosen) all.task[all.count++] = (task){ .law = study->result[i]->law, .exponent = exponent };
  }
  if (all.count) batch_fit(&all, " with its exponent");
  for (int i = 0; i < study->results; i++) /* what stands behind a better one of the same law and terms goes */
    for (int k = study->results - 1; k > i && all.count; k--)
      if (study->result[k]->law == study->result[i]->law && same_terms(study->result[k], study->result[i])) {
        bristle_identified_free(study->result[k]);
        for (int m = k--; m + 1 < study->results; m++) study->result[m] = study->result[m + 1];
        study->results--;
      }
}

static int has_stiffness(const bristle_law *law)
{
  return bristle_param_role(law->f64->info, BRISTLE_ROLE_STIFFNESS) != NULL;
}

static void add_tabled(batch *all, const bristle_identified *r)
{
  for (int k = 0; k < all->count; k++)
    if (all->task[k].law == r->law) return;
  all->task[all->count++] = (task){ .law = r->law, .like = r, .start = r->p, .slow_fall = r->slow_fall };
}

/* What the leading law leaves may follow the position: the best laws once more with a table over it. */
static void fit_over_position(bristle_study *study)
{
  batch all = { .study = study, .options = study->fitting };
  bristle_places over[BRISTLE_OVERS];
  double before, after;
  if (!bristle_identified_places(study->result[0], study_logs(study), study->logs, over, &before, &after)) return;
  for (size_t i = 0; i < study->logs; i++) memcpy(study->log[i]->over, over, sizeof over);
  if (study->validation) memcpy(study->validation->over, over, sizeof over);
  batch_take_terms(study->result[0], &all.options);
  for (int kind = 0; kind < BRISTLE_OVERS; kind++)
    for (int k = 0; k + 1 < over[kind].knots; k++)
      all.options.term[(kind ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT) + k] = BRISTLE_TERM_FREE;
  for (int i = 0; i < study->results && all.count < TABLED; i++) add_tabled(&all, study->result[i]);
  int rigid = 0;
  for (int k = 0; k < all.count; k++) rigid |= !has_stiffness(all.task[k].law);
  for (int i = 0; i < study->results && !rigid; i++) /* bristles may stand for what a table says */
    if ((rigid = !has_stiffness(study->result[i]->law))) add_tabled(&all, study->result[i]);
  batch_fit(&all, " over the position");
}

/* Where the samples at reversals ask for elements in parallel, laws with such are tried as well, unless the caller has
   chosen. Returns whether they were. */
static int fit_elements(bristle_study *study, bristle_reversals *found)
{
  batch all = { .study = study, .options = study->fitting };
  if (!bristle_identified_reversals(study->result, study->results, study_logs(study), study->logs, &study->fitting,
                                    found))
    return 0;
  all.options.candidates = 400, all.options.refinements = 6; /* a try: it must not take longer than all the others */
  const bristle_law *law;
  for (int i = 0; !study->request.model && (law = study_law_listed(STUDY_ELEMENTS, i)); i++)
    all.task[all.count++].law = study_law_as_asked(study, law);
  if (all.count) batch_fit(&all, "");
  return all.count > 0;
}

/* Laws that may lead are fitted again with everything a little different; of a long list the leading one, and the next
   where that costs it the lead. */
void study_test_laws(bristle_study *study)
{
  enum { ROUNDS = 5, SHORT = 12 };
  const int all = study->results <= SHORT;
  const double near = 1.3; /* times the error of the best: a delay makes up for no more */
  for (int round = 0; round < ROUNDS && !study_is_stopped(study); round++) {
    bristle_identified *chosen[BRISTLE_STUDY_LAWS];
    int count = 0;
    for (int i = 0; i < study->results; i++) {
      const int may_lead = i == 0
                           || (all
                               && (study->result[i]->indistinguishable
                                   || study->result[i]->held_out < near * study->result[0]->held_out));
      if (may_lead && !study->result[i]->tested) chosen[count++] = study->result[i];
    }
    if (!count || (study->fitting.decimate && !study->log[0]->phase)) return;
    bristle_identified_test(chosen, count, study_logs(study), study->logs, &study->fitting, &study->campaign);
    if (!chosen[0]->tested) return;
    study_tell(study, study->done + (1 - study->done) / 2);
    for (int i = 0; i < count; i++) {
      bristle_identify_options own = study->fitting;
      batch_take_terms(chosen[i], &own);
      bristle_identified_instruments(chosen[i], study_logs(study), study->logs, &study->fitting, &study->campaign);
      bristle_identified_judge_fall(chosen[i], study_logs(study), study->logs, &own);
    }
    bristle_identified_rank(study->result, study->results);
  }
}

static int has_table(const bristle_identified *r) { return r->over[0].knots || r->over[1].knots; }

/* A table that costs the law its own parameters is none to lead with: the sentence about the position remains. */
void study_drop_tables(bristle_study *study)
{
  int kept = 0;
  if (!study->results || !has_table(study->result[0]) || bristle_identified_is_whole(study->result[0])) return;
  for (int i = 0; i < study->results; i++)
    if (has_table(study->result[i])) bristle_identified_free(study->result[i]);
    else study->result[kept++] = study->result[i];
  study->results = kept;
  bristle_identified_rank(study->result, study->results);
  study_test_laws(study);
}

/* in plain words: what was tried because of the reversals, or could be */
static void advise(const bristle_study *study, int tried, char text[200])
{
  const char *const one = study_law_listed(STUDY_ELEMENTS, 0)->name, *const other =
                                                                         study_law_listed(STUDY_ELEMENTS, 1)->name;
  if (tried) snprintf(text, 200, "%s and %s were also tried and do not lead", one, other);
  else snprintf(text, 200, "try option model %s,%s", one, other);
  study_reword(study, text, 200);
}

/* Where friction falls with the speed and the leading law cannot, its level is a mean over the speeds that occur, and
   known only as far as friction changes over them. */
static void judge_fallen_level(const bristle_study *study, bristle_identified *r)
{
  const bristle_info *info = r->law->f64->info;
  int stopped = 0; /* the viscous coefficient wants to be negative, which laws do not allow */
  if (!(study->campaign.fall > 0) || bristle_param_role(info, BRISTLE_ROLE_STRIBECK_SPEED)) return;
  double low = HUGE_VAL, high = 0;
  for (size_t l = 0; l < study->logs; l++) {
    low = fmin(low, study->log[l]->summary.speed_low);
    high = fmax(high, study->log[l]->summary.speed_high);
  }
  for (int k = 0; k < info->nparam; k++)
    stopped |= bristle_param_at(info, k)->role == BRISTLE_ROLE_VISCOUS && r->estimate[k].free
               && r->estimate[k].bound < 0;
  for (int k = 0; k < info->nparam && stopped; k++) {
    bristle_estimate *x = &r->estimate[k];
    if (!x->free || bristle_param_at(info, k)->role != BRISTLE_ROLE_LEVEL) continue;
    x->deviation = hypot(x->deviation, study->campaign.fall * (high - low)); /* it may fall as much again */
    if (x->deviation > 0.5 * fabs(x->value) && !x->reason[0])
      snprintf(x->reason, sizeof x->reason,
               "friction falls with the speed, and this is a mean of it over %.2g to %.2g %s; try a law with a fall",
               low, high, bristle_speed_unit(r->rotary));
  }
}

void study_diagnose(bristle_study *study, int elements, const bristle_reversals *found)
{
  char advice[200];
  judge_fallen_level(study, study->result[0]);
  study->result[0]->against = study->campaign.against;
  bristle_identified_diagnose(study->result[0], study_logs(study), study->logs, &study->fitting);
  advise(study, elements, advice);
  if (!study->result[0]->against) bristle_identified_tell_reversals(study->result[0], found, advice);
  for (int i = 0; i < study->result[0]->findings; i++)
    study_reword(study, study->result[0]->finding[i], sizeof study->result[0]->finding[i]);
}

bristle_fault_kind study_fit(bristle_study *study, bristle_fault *fault)
{
  const int skewed = !study->request.skew_is_given && study->laws > 1;
  const double share = SURE * (skewed ? (double)study->laws / (study->laws + SKEWED) : 1);
  study->span -= study->furthest - study->from, study->from = study->furthest; /* after an earlier one: what is left */
  study_tell(study, 0);
  fit_laws(study, share);
  if (skewed && study->results > 1 && !study_is_stopped(study)) fit_skewed(study, share);
  bristle_identified_mend(study->result, study->results, study_logs(study), study->logs, study->validation,
                          &study->fitting);
  bristle_identified_rank(study->result, study->results);
  if (study->results && !study_is_stopped(study)) fit_exponents(study);
  bristle_reversals found = { 0 };
  const int elements = study->results && !study_is_stopped(study) && fit_elements(study, &found);
  if (study->results && !study_is_stopped(study)) fit_over_position(study);
  study_test_laws(study);
  study_drop_tables(study);
  if (study->results) study_diagnose(study, elements, &found);
  return study_end_fits(study, fault);
}

/* ---- profile likelihood ---- */

static const bristle_estimate *find_free(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->law->f64->info->nparam; k++)
    if (!strcmp(r->estimate[k].name, name) && r->estimate[k].free) return &r->estimate[k];
  return NULL;
}

bristle_fault_kind study_profile(bristle_study *study, bristle_fault *fault)
{
  const char *name = study->request.profile;
  const bristle_identified *best = study->result[0];
  const bristle_estimate *x = find_free(best, name);
  bristle_identify_options options = study->fitting;
  if (!x)
    return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL,
                     "option profile %s: the best law, %s, has no fitted parameter of that name", name,
                     best->law->name);
  batch_take_terms(best, &options);
  bristle_identified_take_free(best, &options);
  double wide = isfinite(x->deviation) && x->deviation > 0 ? 4 * x->deviation : fabs(x->value);
  double lo = x->value - wide, hi = x->value + wide;
  if (lo <= 0 && x->value > 0) lo = x->value / 10, hi = fmin(hi, x->value * 10);
  study->profile_unit = x->unit;
  study->profile_count = BRISTLE_STUDY_PROFILE;
  return bristle_identify_profile(best, study_logs(study), study->logs, &options, name, BRISTLE_STUDY_PROFILE, lo, hi,
                                  study->profile_value, study->profile_cost, fault);
}
