/* Fits of a law to records that are a little different; not installed. */
#ifndef BRISTLE_FIT_VARIANTS_H
#define BRISTLE_FIT_VARIANTS_H

#include "fit/results/result.h"

static const double DELAY_LONGEST = 0.05; /* s that controllers, buses and filters make a force late by */

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

/* Two samples that way (1: the force is late, -1: early) leave *least; longer ones are doubled until they leave more,
   at most `most`, and then closed in to a sample. 0: what is left falls to the end, which no delay does. */
double far_delay(double (*square)(void *context, double late), void *context, double way, double most, double *least);

/* Widens deviations by what parameters move; delay_squared: of the delay that may be left, in samples; step: s. */
void variants_widen(bristle_identified *r, const outcome *found, double delay_squared, double step);

#endif
