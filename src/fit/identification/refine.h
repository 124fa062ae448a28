/* Searches from several starts; not installed. */
#ifndef BRISTLE_FIT_REFINE_H
#define BRISTLE_FIT_REFINE_H

#include "fit/residuals/experiment.h"

/* How far a search goes: a few steps; as far as a thinned record can say; from the minimum of all data to that of a
   part; near the minimum; to the last digit. */
typedef enum refine_depth { REFINE_TASTE, REFINE_COARSE, REFINE_AGAIN, REFINE_QUICK, REFINE_FULL } refine_depth;

/* One search; the loss of the objective included. */
bristle_fault_kind refine_one(const experiment *e, const double *start, refine_depth depth, bristle_fit_result **result,
                              bristle_fault *fault);
/* The full search from a start that may be far off: the way there on fewer samples, the end on all of them. */
bristle_fault_kind refine_given(const experiment *e, const double *start, bristle_fit_result **result,
                                bristle_fault *fault);
/* From each of `count` starts (rows of e->unknowns), on several threads; cost[i] is infinite where it failed. The ends
   replace the starts. Returns nonzero when the caller's progress wants to stop. */
int refine_all(const experiment *e, double *starts, int count, refine_depth depth, double *cost);

#endif
