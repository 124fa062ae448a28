/* A fit of simulated motion: its unknowns are those of a law (a chart), of the axis, and where each run starts. */
#ifndef BRISTLE_FIT_REPLAY_H
#define BRISTLE_FIT_REPLAY_H

#include "fit/identify.h"
#include "fit/trajectory.h"

typedef struct replay {
  const chart *chart;
  const bristle_trajectory *trajectory; /* law, load form, runs, step; its guesses are not looked at */
  double noise;                         /* of what was measured: residuals are in units of it */
  int axis_count, axis[BRISTLE_PLANT_COUNT];
  bristle_axis_values base; /* what is known of the axis */
  int first_start;          /* unknown of the first run's position; its velocity and the other runs follow */
  int count;
  bristle_unknown *unknown;
  size_t *until;   /* samples of each run that are simulated and compared */
  int fold, folds; /* samples of this fold do not count; folds 0: all count */
  const int *stop; /* nonzero: give up; may be NULL */
  memory **list;
} replay;

/* Makes the unknowns; `axis` lists the numbers of the axis that are searched, `base` has the others. */
bristle_fault_kind replay_begin(replay *m, const chart *c, const bristle_trajectory *trajectory, double noise,
                                const int *axis, int axis_count, const bristle_axis_values *base, memory **list,
                                bristle_fault *fault);
/* Unknowns: those of the chart first, then the axis, then the starts of the runs. */
void replay_values(const replay *m, const double *u, bristle_axis_values *values);
/* A bristle_residuals; the context is the motion. */
int replay_residuals(void *context, const double *u, bristle_rows *rows);
/* Simulated minus measured at every sample of every run, one after the other; nonzero: it cannot be simulated. */
int replay_compare(const replay *m, const double *u, double *residual);
/* From u to a minimum; u becomes the minimum. *fit may be NULL, where nothing else is wanted. */
bristle_fault_kind replay_search(const replay *m, double *u, int iterations, bristle_fit_result **fit, double *cost,
                                 bristle_fault *fault);
size_t replay_rows(const replay *m);
/* The block of BRISTLE_BLOCKS that sample i of a run of `count` is in; and its fold, dealt without a rhythm that a
   swing could have. */
int replay_block(size_t i, size_t count);
int replay_fold(size_t i, size_t count, int folds);

#endif
