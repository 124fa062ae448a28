/* The list of objectives. */
#include "fit/objectives/objective.h"

#include <string.h>

#define OBJECTIVE(name) extern const objective objective_##name;
#include "fit/objectives/objectives.def"
#undef OBJECTIVE
static const objective *const list[] = {
#define OBJECTIVE(name) &objective_##name,
#include "fit/objectives/objectives.def"
#undef OBJECTIVE
};
enum { COUNT = sizeof list / sizeof *list };

const objective *objective_of(bristle_objective which) { return list[(unsigned)which < COUNT ? which : 0]; }

const char *bristle_objective_name(int which) { return which >= 0 && which < COUNT ? list[which]->name : NULL; }
