/* Starts from the optima of the smaller laws that a law contains; not installed. */
#ifndef BRISTLE_FIT_NESTED_H
#define BRISTLE_FIT_NESTED_H

#include "fit/residuals/experiment.h"
#include "fit/unknowns/features.h"

enum { NESTED_MOST = 3 };

/* Rows of e->unknowns, NESTED_MOST at most; returns how many. */
int nested_starts(const experiment *e, const features *f, double *starts);

/* slow_samples of another fit of the samples that a result was fitted to. */
int slow_basis(const bristle_identified *r);

#endif
