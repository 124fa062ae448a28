/* A law as the reduced planar model uses it: its own kernels, on plain arrays. */
#ifndef BRISTLE_PLANAR_REDUCED_H
#define BRISTLE_PLANAR_REDUCED_H

#include "bristle/planar.h"

struct bristle_planar_law {
  const char *name;
  double (*level)(const double *p, double speed); /* of sliding friction */
  /* The force of bristles z that bend at the rates dz, at the slip speed `speed`. */
  void (*force)(const double *p, double speed, const double z[3], const double dz[3], double f[3]);
};

#endif
