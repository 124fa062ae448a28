/* Fits of several laws at a time; not installed. */
#ifndef BRISTLE_STUDY_BATCH_H
#define BRISTLE_STUDY_BATCH_H

#include "study/study.h"

#include "fit/common/parallel.h"

typedef struct batch batch;

/* one law to be fitted */
typedef struct task {
  batch *all;
  const bristle_law *law;
  const char *exponent;           /* fitted though it usually is not; or NULL */
  const bristle_identified *like; /* with the same free parameters; or NULL */
  const double *start;            /* parameters of a fit that differs by a term; or NULL */
  int slow_samples;               /* of the options */
  int slow_fall;                  /* of the options */
  double done;                    /* part of it */
  bristle_identified *result;
  bristle_fault fault;
} task;

struct batch {
  bristle_study *study;
  bristle_identify_options options;
  task task[BRISTLE_STUDY_LAWS];
  int count;
  double before, share; /* of all the work: done before, and what these are; share 0: work that turned up on the way */
  parallel_lock lock;
};

/* Fits the laws of a batch and ranks what came out with what was there. What could not be fitted is noted by name. */
void batch_fit(batch *all, const char *kind);
/* Terms that a result was given beside those of the options: a skew, a table, a drag. */
void batch_take_terms(const bristle_identified *r, bristle_identify_options *options);

#endif
