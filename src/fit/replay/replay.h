/* A fit of simulated motion, whatever it is that is simulated: unknowns are those of a law (a chart) and numbers beside
   it; residuals are simulated minus measured. One search, one set of deviations for all of them. */
#ifndef BRISTLE_FIT_REPLAY_H
#define BRISTLE_FIT_REPLAY_H

#include "fit/unknowns/chart.h"
#include "fit/unknowns/features.h"
#include "io/memory.h"

#include <stdatomic.h>

/* ---- what is simulated ---- */

/* A number beside the law's own: of the axis, of a scenario, or where a run starts. */
typedef struct replay_number {
  char name[32], unit[24];
  bristle_unknown unknown;
  double start;
  double spread[2]; /* where candidates are drawn; equal: they keep the start */
  int term;         /* the term of a balance that it is, or -1 */
  int run;          /* the only run that it moves, counted from 1: its start, which nobody asks for; 0: all */
} replay_number;

/* Parameters of the law by which derivatives are wanted. */
typedef struct replay_moved {
  int count, place[BRISTLE_LAW_SIZE];
} replay_moved;

/* Runs of something with one law. Values are those of one channel after the other, each with `until` samples. */
typedef struct replay_source {
  void *self;
  const bristle_law *law;
  bristle_load load;
  int rotary;
  char unit[8]; /* of the first channel */
  size_t runs;
  int channels;
  const size_t *samples;         /* of each run */
  const double *const *t;        /* of each run */
  const double *const *measured; /* of each run: channels x samples; NaN: does not count */
  const double *noise;           /* of each channel: residuals are in units of it */
  double measured_noise;         /* of the first channel, where it is known; else 0 */
  const double *size;            /* of each channel: standard deviation about its mean in each run */
  int numbers;
  const replay_number *number;
  bristle_loss loss;
  double loss_scale; /* in units of the noise */
  /* Simulates samples 0 .. until - 1 of a run with the parameters p and the numbers b, more coarsely where that will
     do. Nonzero: it cannot be simulated. Called from several threads. */
  int (*simulate)(void *self, size_t run, size_t until, const double *p, const double *b, int coarse, double *y);
  /* The same with derivatives by the moved parameters, then the numbers, row by row. NULL: differences will do. */
  int (*tangent)(void *self, size_t run, size_t until, const double *p, const double *b, const replay_moved *moved,
                 int coarse, double *y, double *dy);
} replay_source;

/* ---- the fit ---- */

typedef struct replay {
  const chart *chart;
  const replay_source *source;
  int count; /* unknowns: those of the chart first, then the numbers */
  bristle_unknown *unknown;
  size_t *until;   /* samples of each run that are simulated and compared */
  int fold, folds; /* samples of this fold do not count; folds 0: all count */
  int coarse, threads;
  int careful;            /* differences look to both sides */
  const atomic_int *stop; /* nonzero: give up; may be NULL */
} replay;

bristle_fault_kind replay_begin(replay *m, const chart *c, const replay_source *source, memory **list,
                                bristle_fault *fault);
/* Simulated minus measured, in the unit of its channel, run after run; 0 where nothing was measured. Nonzero: it cannot
   be simulated. */
int replay_compare(const replay *m, const double *u, double *residual);
/* Residuals in units of their noise, and their derivatives by the unknowns, row by row. */
int replay_jacobian(const replay *m, const double *u, double *residual, double *jacobian);
/* From u to a minimum; u becomes the minimum. fit and cost may be NULL. */
bristle_fault_kind replay_search(const replay *m, double *u, int iterations, bristle_fit_result **fit, double *cost,
                                 bristle_fault *fault);
size_t replay_rows(const replay *m);
/* The block of BRISTLE_BLOCKS that sample i of `count` is in; and its fold, dealt without a rhythm that a swing could
   have. */
int replay_block(size_t i, size_t count);
int replay_fold(size_t i, size_t count, int folds);

/* How a search goes about it; zeros are defaults. */
typedef struct replay_effort {
  int candidates, tastes, finals; /* drawn; refined a little; refined to the end */
  double growth;                  /* s: so much of each run is fitted first, then twice as much, ...; 0: all at once */
} replay_effort;

/* Fits the law of the source. Of the options, those on parameters, candidates, refinements, folds, seed, threads and
   progress count. `simple` is the result of a simpler law for the same runs to start from, or NULL. */
bristle_fault_kind replay_fit(const replay_source *source, const features *f, const bristle_identify_options *options,
                              const replay_effort *effort, const bristle_identified *simple,
                              bristle_identified **result, bristle_fault *fault);
/* The numbers of a fit with units, deviations and doubts. */
bristle_fault_kind replay_result(const replay *m, const features *f, const bristle_fit_result *fit,
                                 bristle_identified *made, bristle_fault *fault);
/* Standard deviation about the mean of each run, together; NaN does not count. */
double replay_size(const double *const *measured, const size_t *samples, size_t runs, int channel);

#endif
