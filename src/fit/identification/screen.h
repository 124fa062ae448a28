/* Many parameter sets side by side, to begin searches with; not installed. */
#ifndef BRISTLE_FIT_SCREEN_H
#define BRISTLE_FIT_SCREEN_H

#include "fit/residuals/experiment.h"

/* The best candidates of many, best first: `keep` rows of chart unknowns. Returns how many there are. */
int screen_candidates(const experiment *e, int candidates, int keep, unsigned long long seed, double *best,
                      bristle_fault_kind *kind, bristle_fault *fault);

#endif
