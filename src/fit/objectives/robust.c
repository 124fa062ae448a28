/* Huber's loss, its scale from the residuals themselves: outliers count little. */
#include "fit/objectives/objective.h"

static void loss(int round, int full, double ordinary, bristle_fit_options *options)
{
  options->loss = round || !full ? BRISTLE_HUBER : BRISTLE_CAUCHY; /* a first pass that outliers hardly pull */
  options->loss_scale = 1.345 * ordinary;
  if (!(options->loss_scale > 0)) options->loss = BRISTLE_SQUARES;
}

extern const objective objective_robust;
const objective objective_robust = { .name = "robust", .loss = loss, .rounds = 4 }; /* it settles in two or three */
