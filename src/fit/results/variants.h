/* Fits of a law to records that are a little different; not installed. */
#ifndef BRISTLE_FIT_VARIANTS_H
#define BRISTLE_FIT_VARIANTS_H

#include "fit/results/result.h"

enum {
  AS_IT_IS,
  HALF_BAND,
  EARLIER,
  LATER,
  MUCH_EARLIER,
  MUCH_LATER,
  BETWEEN,
  WITH_MASS,
  SHAKEN,
  SHAKES = 4,
  VARIANTS = SHAKEN + SHAKES
};

/* what a fit of one variant gave */
typedef struct outcome {
  int there;
  double square; /* mean of the squares of the residuals */
  double whole;  /* the same with the samples on the way to motion, where these were left out; else 0 */
  double value[BRISTLE_ESTIMATES];
} outcome;

/* Widens deviations by what parameters move; delay_squared: of the delay that may be left, in samples; step: s. */
void variants_widen(bristle_identified *r, const outcome *found, double delay_squared, double step);

#endif
