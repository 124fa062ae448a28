/* What the parts of a study share; not installed. */
#ifndef BRISTLE_STUDY_STUDY_H
#define BRISTLE_STUDY_STUDY_H

#include "lab/study.h"
#include "io/support.h"
#include "study/views.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { STUDY_SENTENCES = 16 };

static inline const bristle_log *const *study_logs(const bristle_study *study)
{
  return (const bristle_log *const *)study->log;
}

/* Which laws are fitted. */
bristle_fault_kind study_choose_laws(bristle_study *study, bristle_fault *fault);
const bristle_law *study_law_as_asked(const bristle_study *study, const bristle_law *law);
/* The laws of models/usual.def, list by list; NULL after the last. */
typedef enum study_list {
  STUDY_SWING,
  STUDY_USUAL,
  STUDY_CURVED,
  STUDY_ELEMENTS,
  STUDY_STARTS,
  STUDY_SPECIAL
} study_list;
const bristle_law *study_law_listed(study_list list, int place);

/* Names a law where what the leading one leaves differs between starts and stops. */
void study_tell_starts(bristle_study *study);

bristle_fault_kind study_read(bristle_study *study, bristle_fault *fault);
/* Fits the laws, best first. */
bristle_fault_kind study_fit(bristle_study *study, bristle_fault *fault);
bristle_fault_kind study_fit_decay(bristle_study *study, bristle_fault *fault);
bristle_fault_kind study_fit_rig(bristle_study *study, bristle_fault *fault);
/* Once more, where a delay of the force explains most of what is left. */
bristle_fault_kind study_fit_delayed(bristle_study *study, bristle_fault *fault);
/* Laws for friction that bends over the speed, and drag beside others, where it does and nobody has chosen laws. After
   delays: what a late force lacks at slow speeds looks like such a bend. */
bristle_fault_kind study_fit_curved(bristle_study *study, bristle_fault *fault);
bristle_fault_kind study_profile(bristle_study *study, bristle_fault *fault);

/* ---- parts of the fits ---- */

/* Laws that may lead are fitted again with everything a little different. */
void study_test_laws(bristle_study *study);
/* A table that costs the leading law its own parameters goes. */
void study_drop_tables(bristle_study *study);
void study_diagnose(bristle_study *study, int elements, const bristle_reversals *found);

/* A law that could not be fitted, and why. */
void study_note_failure(bristle_study *study, const bristle_law *law, const char *kind, const bristle_fault *fault);
/* Tells how far it is; nonzero: stop. One thread at a time. */
int study_tell(bristle_study *study, double done);
/* The progress of one fit among several, which are done one after the other; its context is a study_watched. */
typedef struct study_watched {
  bristle_study *study;
  int done, count;
} study_watched;
int study_watch(void *context, double fraction);
int study_is_stopped(bristle_study *study);
/* After the fits: stopped, no law at all, or BRISTLE_FAULT_NONE. */
bristle_fault_kind study_end_fits(bristle_study *study, bristle_fault *fault);
void study_reword(const bristle_study *study, char *text, size_t size);

void study_doubt_decay(bristle_study *study);
void study_doubt_rig(bristle_study *study);

/* ---- words ---- */

/* Is there a record that was not fitted? */
int study_is_validated(const bristle_study *study);
/* "lugre", or "lugre + skew" when that term was fitted. */
void study_name(const bristle_identified *r, char text[64]);
/* '*' leads, '+' explains more with parameters that are not determined, '=' cannot be told from it, else ' ' */
char study_mark(const bristle_identified *r, int place);
/* Is there an error of samples that start, stop or turn? It is shown apart. */
int study_has_slow(const bristle_study *study);
/* The 95 % interval of an estimate. What is positive has one on the logarithmic scale, that never reaches zero; others
   end at their bounds. */
void study_interval(const bristle_identified *r, int k, double interval[2]);
/* The unit of its residuals: of a force, or of the motion where that is compared. */
const char *study_unit(const bristle_identified *r);
/* What an estimate is times, where that is a column of the records' own; else "". */
const char *study_times(const bristle_identified *r, int k);
/* "12.3 +- 0.4": as many digits as the deviation allows. */
void study_number(const bristle_estimate *x, char text[64]);

void study_rig_text(const bristle_study *study, FILE *out);        /* the runs, before the ranking */
void study_rig_text_errors(const bristle_study *study, FILE *out); /* and their errors behind it */
void study_rig_json(const bristle_study *study, FILE *out);        /* "rig": ..., "laws": [...] */

#endif
