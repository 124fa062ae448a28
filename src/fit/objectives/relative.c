/* Each residual by the force: slow friction counts as much as fast. */
#include "fit/objectives/objective.h"

static double least_force(const bristle_identify_options *options, double largest)
{
  return (options->floor > 0 ? options->floor : 0.05) * largest;
}

extern const objective objective_relative;
const objective objective_relative = { .name = "relative", .least_force = least_force };
