/* A simulation-error fit on its way: unknowns as they are searched. */
#ifndef BRISTLE_FIT_TRAJECTORY_FIT_H
#define BRISTLE_FIT_TRAJECTORY_FIT_H

#include "fit/trajectory.h"

#include <stdatomic.h>

typedef struct trajectory_fit {
  const bristle_trajectory *trajectory;
  double step;               /* of the simulations: longer while candidates are screened */
  bristle_axis_values known; /* and the starts of what is searched */
  int count;
  char name[MOST_UNKNOWNS][32];
  bristle_unknown unknown[MOST_UNKNOWNS];
  double start[MOST_UNKNOWNS];
  int plant[MOST_UNKNOWNS], param[MOST_UNKNOWNS]; /* place of each unknown, or -1 */
  int fc, fs;                                     /* unknowns: fs is searched as its place in its range; or -1 */
  double fs_lo, fs_hi;                            /* that range */
  const atomic_int *stop;                         /* nonzero: give up; may be NULL */
} trajectory_fit;

/* derivatives of fs by fc and by its place */
void trajectory_fs_slopes(const trajectory_fit *f, double fc, double place, double *by_fc, double *by_place);

bristle_fault_kind trajectory_fit_begin(trajectory_fit *f, const bristle_trajectory *trajectory, bristle_fault *fault);
/* The numbers of the axis from those of the search. */
void trajectory_values(const trajectory_fit *f, const double *u, bristle_axis_values *values);
/* A bristle_residuals; the context is the trajectory_fit. */
int trajectory_residuals(void *context, const double *u, bristle_rows *rows);

#endif
