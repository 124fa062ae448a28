/* Friction from motion that nothing drives, without a force. */
#include "study/study.h"

#include "maths/elementary.h"

/* ---- fits ---- */

/* for the reader of the summary: what the free motion is like */
static void describe(bristle_study *study)
{
  const bristle_decay *d = study->decay;
  for (size_t l = 0; l < study->logs; l++) {
    bristle_log *log = study->log[l];
    log->rotary = d->rotary;
    log->summary.duration = log->t[log->count - 1] - log->t[0];
    log->summary.speed_high = d->fast;
  }
}

static void fit_law(bristle_study *study, const bristle_law *law, const bristle_identified *simple,
                    const bristle_identify_options *options)
{
  bristle_fault fault;
  bristle_identified *result;
  if (!bristle_decay_fit(study->decay, law, simple, options, &result, &fault)) study->result[study->results++] = result;
  else study_note_failure(study, law, "", &fault);
}

bristle_fault_kind study_fit_decay(bristle_study *study, bristle_fault *fault)
{
  bristle_identified *simple = NULL;
  const bristle_law *first = study_law_listed(STUDY_SWING, 0);
  if (bristle_decay_find(study->log, study->logs, &study->request.decay, &study->decay, fault)) return fault->kind;
  describe(study);
  study_watched w = { study, 0, study->laws + 1 };
  study_tell(study, 0);
  bristle_identify_options options = study->fitting, plain = { .folds = -1, .seed = study->fitting.seed };
  options.progress = plain.progress = study_watch;
  options.context = plain.context = &w;
  plain.threads = options.threads;
  /* the simplest law first: the others start from what it found */
  if (bristle_decay_fit(study->decay, first, NULL, &plain, &simple, fault)) simple = NULL;
  for (int i = 0; i < study->laws && !study_is_stopped(study); i++) {
    w.done = 1 + i;
    fit_law(study, study->law[i], simple, &options);
  }
  bristle_identified_free(simple);
  bristle_identified_rank(study->result, study->results);
  return study_end_fits(study, fault);
}

/* ---- doubts ---- */

void study_doubt_decay(bristle_study *study)
{
  static const double USELESS = 0.1; /* of the motion: a decay that misses that much was not free, or not this */
  const bristle_identified *best = study->result[0];
  int found = 0;
  for (int k = 0; k < best->law->f64->info->nparam; k++)
    found |= best->estimate[k].free && !best->estimate[k].reason[0];
  if (best->relative > USELESS)
    snprintf(
        study->doubt, sizeof study->doubt,
        "even the best law, %s, misses %.0f %% of the motion: something else acted; cut the record to the free motion "
        "with option from and option to",
        best->law->name, 100 * best->relative);
  else if (!found)
    snprintf(study->doubt, sizeof study->doubt,
             "no parameter of %s is determined: the motion hardly fades, or is too short", best->law->name);
}
