/* The records as candidates of a screening walk along them; not installed. */
#ifndef BRISTLE_FIT_COURSE_H
#define BRISTLE_FIT_COURSE_H

#include "fit/residuals/experiment.h"
#include "io/memory.h"

/* The record as steps, those of all logs one after the other; h = 0 starts anew. */
typedef struct course {
  size_t count;
  double *h, *slide, *v, *x, *n, *f, *w;
  double *basis[BRISTLE_TERMS]; /* orthonormal columns of the linear terms */
  int terms;
} course;

/* Thinned to about so many steps; nonzero: not enough memory. */
int course_make(course *c, const experiment *e, size_t steps, memory **list);

#endif
