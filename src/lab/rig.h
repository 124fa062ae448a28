/* Measured runs of something that can be simulated: a scenario (bristle/scenario.h) or the axis of an experiment file
 * (lab/trajectory.h). What is fitted is the difference between simulated and measured columns; unknowns are the
 * parameters of the law and numbers beside it. The result is that of any identification (lab/identify.h).
 */
#ifndef BRISTLE_LAB_RIG_H
#define BRISTLE_LAB_RIG_H

#include "lab/identify.h"

enum { BRISTLE_MOTION_CHANNELS = 8 };

typedef struct bristle_motion_run {
  const char *name;
  char digest[65]; /* of its file */
  int held;        /* not fitted, only checked */
  size_t count;
  const double *t, *measured; /* measured: one channel after the other; NaN where there is nothing */
  const double *target;       /* for pictures; or NULL */
} bristle_motion_run;

typedef struct bristle_motion {
  const char *title;      /* or NULL */
  const bristle_law *law; /* that of the file */
  int rotary;
  size_t count, held; /* all runs, those fitted first; how many are held out */
  bristle_motion_run *run;
  int channels;
  char channel[BRISTLE_MOTION_CHANNELS][24], unit[BRISTLE_MOTION_CHANNELS][16];
  double noise[BRISTLE_MOTION_CHANNELS]; /* errors of several channels count in units of it */
  void *self;
  /* Fits a law. Of the options, those on parameters, candidates, refinements, folds, seed, threads and progress count;
     `simple` is a result for the same runs to start from, or NULL. */
  bristle_fault_kind (*fit)(void *self, const bristle_law *law, const bristle_identified *simple,
                            const bristle_identify_options *options, bristle_identified **result, bristle_fault *fault);
  /* Simulates a run with a result: channels x count values. Nonzero: it cannot be simulated. */
  int (*simulate)(void *self, const bristle_identified *result, size_t run, double *y);
  void (*release)(void *self);
} bristle_motion;

/* Errors of one run, of its first channel. */
typedef struct bristle_motion_error {
  double mean, rms, largest; /* of |simulated - measured|; infinite where it cannot be simulated */
} bristle_motion_error;
bristle_fault_kind bristle_motion_errors(const bristle_motion *motion, const bristle_identified *result,
                                         bristle_motion_error *error, bristle_fault *fault);
/* Sets result->validation from the runs that are held out, all channels together: error relative to the motion. */
void bristle_motion_check(const bristle_motion *motion, bristle_identified *result);
void bristle_motion_free(bristle_motion *motion); /* NULL is fine */

/* ---- scenarios ---- */

typedef struct bristle_rig_request {
  const char *scenario;   /* file */
  const char *const *set; /* "mass=2 kg", ended by NULL; or NULL */
  /* What is searched: keys of the scenario ("mass", "initial.x"), in the unit that it has them in, and parameters that
     usually are fixed or have bounds. lo NaN: no range is given. */
  const bristle_range *free;
  int frees;
  int free_start;      /* position and velocity at the start of each run are searched */
  const char *compare; /* "x,v=speed": simulated columns, and those of the logs; NULL: the motion, else the force */
  bristle_log_options reading; /* columns, from and to */
  const char *const *log;
  size_t logs, held; /* the last `held` are not fitted */
} bristle_rig_request;

/* *motion is NULL when the scenario or a log cannot be used. The request may be forgotten afterwards. */
bristle_fault_kind bristle_rig_open(const bristle_rig_request *request, bristle_motion **motion, bristle_fault *fault);
/* An experiment file (lab/trajectory.h): one with runs of its own. Everything else is a scenario. */
bristle_fault_kind bristle_rig_is_experiment(const char *path, int *is_experiment, bristle_fault *fault);
bristle_fault_kind bristle_experiment_open(const char *path, bristle_motion **motion, bristle_fault *fault);

#endif
