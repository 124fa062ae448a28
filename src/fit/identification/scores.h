/* Errors of a fit by block of the records and phase of the motion; not installed. */
#ifndef BRISTLE_FIT_SCORES_H
#define BRISTLE_FIT_SCORES_H

#include "fit/residuals/experiment.h"

/* squares and counts of rows, by block and phase */
typedef struct scores {
  double squares[BRISTLE_BLOCKS][BRISTLE_PHASE_REST + 1], force[BRISTLE_BLOCKS][BRISTLE_PHASE_REST + 1],
      rows[BRISTLE_BLOCKS][BRISTLE_PHASE_REST + 1];
} scores;

/* Adds the rows of one fold, or all of them (fold -1). Nonzero: there is no score. */
int scores_add(const experiment *e, const double *u, int fold, scores *to);
double scores_rms(const scores *s, int phase);
/* |residual|/|force| of the samples that move; `rms`: of their residuals, or NULL */
double scores_relative(const experiment *e, const double *u, double *rms);
/* Errors of pieces that the fit did not see, each in turn. */
void scores_held_out(const experiment *e, const double *u, int folds, bristle_identified *made);

#endif
