/* What a law's parameters are, whatever its table calls them: values by role, for hosts that serve every law. */
#ifndef BRISTLE_ROLES_H
#define BRISTLE_ROLES_H

#include "bristle/bristle.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BRISTLE_LAW_SIZE = 64 }; /* no law has more parameters, or more states */

/* One more trait of a law: its switches depend on the level, and a step during which a load moves the level does not
   converge, however short it is. */
enum { BRISTLE_ONE_LEVEL = 1024 };

/* The value of the first row of a role, `missing` where the law has none. Of a vector, its first element. */
double bristle_role_value(const bristle_info *law, const double *p, bristle_role role, double missing);
/* Friction that must be overcome to slide: the static level, or the level with what is on top of it; 0: unknown. */
double bristle_static_level(const bristle_info *law, const double *p);
/* Stiffness before sliding, of a vector law that along the first axis; 0: unknown, or spread over several elements. */
double bristle_stiffness(const bristle_info *law, const double *p);
/* A copy of the parameters (nparam) without anything on top of the level: friction in sliding only. */
void bristle_sliding_only(const bristle_info *law, const double *p, double *copy);
/* The first speed in the table at which the law changes, by its Stribeck curve or by smoothing; NULL: none. */
const bristle_row *bristle_law_speed(const bristle_info *law);
/* The exponent of the curve over that speed: its row comes right after it. 2, a Gaussian, where there is none. */
double bristle_law_exponent(const bristle_info *law, const double *p);

#ifdef __cplusplus
}
#endif
#endif
