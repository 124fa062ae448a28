/* Friction that bends over the speed: laws for that, and drag beside the laws that have been fitted. */
#include "study/batch.h"

#include "maths/elementary.h"

enum { LAWS = 5 }; /* that are tried with a drag */

/* ---- drag ---- */

static size_t records_of(const bristle_study *study, bristle_log **list)
{
  for (size_t i = 0; i < study->logs; i++) list[i] = study->log[i];
  if (study->validation) list[study->logs] = study->validation;
  return study->logs + (study->validation != NULL);
}

/* Laws that get a drag: the leading one, and those whose curve over the speed is no more than a level and a viscous
   part, which is what a bend spoils. */
static void choose_laws(const bristle_study *study, batch *all)
{
  for (int i = 0; i < study->results && all->count < LAWS; i++) {
    const bristle_identified *r = study->result[i];
    int twice = 0;
    for (int k = 0; k < all->count; k++) twice |= all->task[k].law == r->law;
    if (twice || (i > 0 && bristle_param_role(r->law->f64->info, BRISTLE_ROLE_STRIBECK_SPEED))) continue;
    if (bristle_param_role(r->law->f64->info, BRISTLE_ROLE_POWER)) continue;
    all->task[all->count++] = (task){ .law = r->law, .start = r->p, .slow_fall = r->slow_fall };
  }
}

/* The laws with a drag of that exponent, among the results. */
static bristle_fault_kind fit_drag(bristle_study *study, double exponent, bristle_fault *fault)
{
  batch all = { .study = study, .options = study->fitting, .before = 1 };
  bristle_log *list[BRISTLE_STUDY_LOGS + 1];
  const bristle_fault_kind kind = bristle_drag_add(list, records_of(study, list), exponent, fault);
  if (kind) return kind;
  batch_take_terms(study->result[0], &all.options);
  all.options.term[BRISTLE_TERM_EXTRA + study->log[0]->extras - 1] = BRISTLE_TERM_FREE;
  choose_laws(study, &all);
  batch_fit(&all, " + drag");
  return kind;
}

/* the best with a drag, which is no longer among the results, nor are the others with one */
static bristle_identified *take_best(bristle_study *study)
{
  bristle_identified *best = NULL;
  int kept = 0;
  for (int i = 0; i < study->results; i++) {
    bristle_identified *r = study->result[i];
    if (!bristle_identified_has_drag(r)) study->result[kept++] = r;
    else if (!best || r->held_out < best->held_out) bristle_identified_free(best), best = r;
    else bristle_identified_free(r);
  }
  study->results = kept;
  bristle_identified_rank(study->result, study->results);
  return best;
}

/* for one more term, of a name that the caller has not given to another */
static int has_room(const bristle_log *log)
{
  for (size_t k = 0; k < log->extras; k++)
    if (!strcmp(log->extra_name[k], "drag")) return 0;
  return log->extras < BRISTLE_EXTRAS;
}

/* A drag is tried with a power below one, and with the square; what helps is searched for its exponent. */
static bristle_fault_kind look_for_drag(bristle_study *study, bristle_fault *fault)
{
  static const struct {
    double first, low, high;
  } ranges[] = { { 0.5, 0.1, 0.85 }, { 2, 1.2, 5 } };
  bristle_log *list[BRISTLE_STUDY_LOGS + 1];
  const size_t count = records_of(study, list);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  double exponent = 0, least = HUGE_VAL;
  if (!study->log[0]->phase || !has_room(study->log[0])) return kind;
  for (int k = 0; k < 2 && !kind && !study_is_stopped(study); k++) {
    kind = fit_drag(study, ranges[k].first, fault);
    bristle_identified *best = take_best(study);
    if (best && best->held_out < least && bristle_identified_drag_helps(best, study->result[0])) {
      least = best->held_out;
      exponent = bristle_identified_exponent(best, study_logs(study), study->logs, &study->fitting, ranges[k].low,
                                             ranges[k].high);
    }
    bristle_identified_free(best);
    if (!kind) bristle_drag_forget(list, count);
  }
  return exponent > 0 && !kind ? fit_drag(study, exponent, fault) : kind;
}

/* ---- laws ---- */

/* A bend that a bristle explains better, known or not, is the way to motion or a late force, and no curve. */
static void drop_curved(bristle_study *study, int before)
{
  int better = 0, kept = 0;
  for (int i = 0; i < study->results; i++)
    better |= study->result[i]->explains_more && !bristle_identified_has_drag(study->result[i]);
  if (study->results == before || !better) return;
  for (int i = 0; i < study->results; i++) {
    const bristle_law *law, *mine = study->result[i]->law;
    int curved = bristle_identified_has_drag(study->result[i]);
    for (int k = 0; (law = study_law_listed(STUDY_CURVED, k)); k++) curved |= mine == study_law_as_asked(study, law);
    if (curved) bristle_identified_free(study->result[i]);
    else study->result[kept++] = study->result[i];
  }
  study->results = kept;
  bristle_identified_rank(study->result, study->results);
}

bristle_fault_kind study_fit_curved(bristle_study *study, bristle_fault *fault)
{
  static const double CLEARLY = 3; /* deviations */
  batch all = { .study = study, .options = study->fitting, .before = 1 };
  const bristle_identified *led = study->result[0];
  bristle_reversals found = { 0 };
  const bristle_law *law;
  if (study->request.model
      || !(fabs(study->campaign.concavity) > CLEARLY || bristle_identified_bends(led, study_logs(study), study->logs)))
    return BRISTLE_FAULT_NONE;
  for (int i = 0; (law = study_law_listed(STUDY_CURVED, i)); i++)
    all.task[all.count++].law = study_law_as_asked(study, law);
  const int before = study->results;
  batch_take_terms(led, &all.options);
  batch_fit(&all, "");
  if (look_for_drag(study, fault)) return fault->kind;
  study_test_laws(study);
  for (int i = 0; i < study->results; i++)
    bristle_identified_widen_by_drag(study->result[i], study_logs(study), study->logs, &study->fitting);
  drop_curved(study, before);
  study_drop_tables(study);
  if (study->results && study->result[0] != led) study_diagnose(study, 0, &found);
  return study_end_fits(study, fault);
}
