/* One law along one log; not installed. */
#ifndef BRISTLE_FIT_WALK_H
#define BRISTLE_FIT_WALK_H

#include "lab/identify.h"

/* Walks a law along a stretch of a log; derivatives where wanted. */
typedef struct walk {
  bristle_contact contact;
  const bristle_log *log;
  int derivatives;
  int rough;                  /* the force of the step itself will do: half a sample late in its viscous parts */
  size_t start;               /* the first sample of the stretch */
  double term[BRISTLE_TERMS]; /* taken off the measured force before a law at rest sees it */
  double s[BRISTLE_LAW_SIZE], ds[BRISTLE_LAW_SIZE * BRISTLE_LAW_SIZE];
} walk;

void walk_begin(walk *w, size_t stretch);
/* The friction force at sample i, which follows the one before; df has nparam numbers when derivatives are wanted. */
double walk_force(walk *w, size_t i, double *df);
/* The friction force at every sample, the terms (factors) being beside it. Nonzero: no memory. */
int walk_forces(const bristle_contact *contact, const bristle_log *log, const double *term, double *force);
/* The same of a result. */
int walk_result(const bristle_identified *r, const bristle_log *log, double *force);

#endif
