/* Plain squares: every newton counts the same. */
#include "fit/objectives/objective.h"

extern const objective objective_absolute;
const objective objective_absolute = { .name = "absolute" };
