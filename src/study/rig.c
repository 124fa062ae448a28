/* Simulated motion instead of a measured force: scenarios and experiments. */
#include "study/study.h"

#include "maths/elementary.h"

/* ---- runs ---- */

static bristle_fault_kind open_motion(bristle_study *study, bristle_fault *fault)
{
  const bristle_study_request *q = &study->request;
  if (bristle_rig_is_experiment(q->rig, &study->experiment, fault)) return fault->kind;
  if (study->experiment) return bristle_experiment_open(q->rig, &study->motion, fault);
  for (size_t i = 0; i < q->logs; i++) study->rig_log[i] = q->log[i];
  if (q->validate) study->rig_log[q->logs] = q->validate;
  study->rigging = (bristle_rig_request){ .scenario = q->rig,
                                          .set = q->set,
                                          .free = q->free,
                                          .frees = q->frees,
                                          .free_start = q->free_start,
                                          .compare = q->compare,
                                          .reading = study->reading,
                                          .log = study->rig_log,
                                          .logs = q->logs + (q->validate != NULL),
                                          .held = q->validate != NULL };
  return bristle_rig_open(&study->rigging, &study->motion, fault);
}

/* what the other parts want to know of each record */
static bristle_fault_kind make_logs(bristle_study *study, bristle_fault *fault)
{
  const bristle_motion *m = study->motion;
  for (size_t k = 0; k < m->count - m->held && study->logs < BRISTLE_STUDY_LOGS; k++) {
    bristle_log *log = calloc(1, sizeof *log);
    if (!log) return fault_memory(fault);
    snprintf(log->file, sizeof log->file, "%s", m->run[k].name);
    memcpy(log->digest, m->run[k].digest, sizeof log->digest);
    log->rotary = m->rotary, log->count = m->run[k].count, log->stretches = 1;
    log->summary.duration = m->run[k].t[m->run[k].count - 1] - m->run[k].t[0];
    log->summary.rate = (double)(m->run[k].count - 1) / log->summary.duration;
    study->log[study->logs++] = log;
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- fits ---- */

static bristle_fault_kind fit_laws(bristle_study *study, bristle_fault *fault)
{
  study_watched w = { study, 0, study->laws };
  study_tell(study, 0);
  bristle_identify_options options = study->fitting;
  options.progress = study_watch, options.context = &w;
  for (; w.done < study->laws && !study_is_stopped(study); w.done++) {
    bristle_fault why;
    bristle_identified *result;
    const bristle_law *law = study->law[w.done];
    if (study->motion->fit(study->motion->self, law, NULL, &options, &result, &why)) {
      study_reword(study, why.what, sizeof why.what), study_reword(study, why.hint, sizeof why.hint);
      snprintf(study->failed[study->failures++], sizeof study->failed[0], "%s: %.200s%s%.30s", law->name, why.what,
               why.hint[0] ? "; " : "", why.hint);
    } else {
      bristle_motion_check(study->motion, result);
      study->result[study->results++] = result;
    }
  }
  bristle_identified_rank(study->result, study->results);
  return study_end_fits(study, fault);
}

bristle_fault_kind study_fit_rig(bristle_study *study, bristle_fault *fault)
{
  bristle_fault_kind kind = study->request.model ? study_choose_laws(study, fault) : BRISTLE_FAULT_NONE;
  if (!kind) kind = open_motion(study, fault);
  if (kind) return kind;
  if (!study->request.model) study->law[study->laws++] = study->motion->law;
  kind = make_logs(study, fault);
  return kind ? kind : fit_laws(study, fault);
}

/* ---- doubts ---- */

void study_doubt_rig(bristle_study *study)
{
  static const double USELESS = 0.25; /* of the motion: one that misses that much is not that of this rig */
  const bristle_identified *best = study->result[0];
  const char *what = strchr(best->unit, 'N') ? "force" : "motion";
  int found = 0;
  for (int k = 0; k < best->estimates; k++) found |= best->estimate[k].free && !best->estimate[k].reason[0];
  if (!(best->relative <= USELESS))
    snprintf(study->doubt, sizeof study->doubt,
             "even the best law, %s, misses %.0f %% of the %s: a force is missing in %.100s, or one of its values is "
             "wrong (option free can find it)",
             best->law->name, 100 * best->relative, what, study->request.rig);
  else if (best->validation > 2 * USELESS)
    snprintf(study->doubt, sizeof study->doubt, "the best law, %s, misses %.0f %% of the held-out %s", best->law->name,
             100 * best->validation, what);
  else if (!found)
    snprintf(study->doubt, sizeof study->doubt, "no parameter of %s is determined by these runs", best->law->name);
}
