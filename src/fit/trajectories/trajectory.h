/* What the parts of a simulation-error fit share. */
#ifndef BRISTLE_FIT_TRAJECTORY_H
#define BRISTLE_FIT_TRAJECTORY_H

#include "lab/trajectory.h"

enum { MOST_UNKNOWNS = BRISTLE_PLANT_COUNT + BRISTLE_LAW_SIZE + 2 };

/* What derivatives are taken by: a number of the plant, a parameter of the law, or where the run starts. */
typedef struct axis_unknown {
  int plant, param; /* places, or -1 */
  int start;        /* 1: the position at the start of the run, 2: the velocity there; 0: neither */
} axis_unknown;

/* Where simulated samples go. Derivatives are rows of `unknowns` numbers, NULL when they were not asked for. A nonzero
   return ends the simulation. */
typedef struct axis_sink {
  void *context;
  int (*sample)(void *context, size_t i, double x, double v, const double *dx, const double *dv);
} axis_sink;

typedef struct axis_job {
  const bristle_trajectory *trajectory;
  const bristle_run *run;
  const bristle_axis_values *values;
  double step;
  int unknowns; /* 0: no derivatives */
  const axis_unknown *unknown;
} axis_job;

/* 0, or nonzero when a number was no longer finite or the sink ended it. */
int axis_simulate(const axis_job *job, const axis_sink *sink);

#endif
