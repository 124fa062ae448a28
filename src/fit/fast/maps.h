/* Laws whose state goes by an affine map from sample to sample; not installed. */
#ifndef BRISTLE_FIT_MAPS_H
#define BRISTLE_FIT_MAPS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of samples is cut into as many runs as there are lanes; step k of all runs stands side by side. Rows of
   numbers, one for each place of a block, stay in the first cache. */
enum { MAPS_LANES = 8, MAPS_RUN = 16, MAPS_BLOCK = MAPS_LANES * MAPS_RUN };
/* Derivatives by parameters of these roles, one of each at most: stiffness, damping, viscous, level, static level,
   Stribeck speed. The bristle's are by the last three, those of the level: damping and viscous part do not act on it,
   and the stiffness acts as a common factor of all but the speed. Rows of roles that a law has not are 0. */
enum { MAPS_SLOPES = 6, MAPS_LEVEL = 3, MAPS_MOVING = 3 };
enum { MAPS_STEP_ROWS = 2 + 2 * MAPS_MOVING, MAPS_BRISTLE_ROWS = 1 + MAPS_MOVING };

/* A law that goes by affine maps. p are its parameters in the order of its table. */
typedef struct maps_law {
  const char *name;
  int place[MAPS_SLOPES]; /* of the parameter of each role, or -1 */
  /* do the rare parameters have their usual values, which alone are compiled? */
  int (*suits)(const double *p);
  /* The level at each of `count` velocities: MAPS_BRISTLE_ROWS rows, itself and its derivative by each moving
     parameter. */
  void (*levels)(const double *p, size_t count, const double *v, double *out);
  /* For each of `count` steps at the velocity `slide`, where the level is known, over the time h: z' = a z + b. `out`
     receives MAPS_STEP_ROWS rows: a, b, a by each moving parameter, b by each. */
  void (*steps)(const double *p, double unit, size_t count, const double *slide, const double *h, const double *level,
                double *out);
  /* The forces of a block at the velocities v with their levels and deflections, each MAPS_BRISTLE_ROWS rows; `slope`
     receives MAPS_SLOPES rows. */
  void (*forces)(const double *p, const double *v, const double *level, const double *bristle, double *force,
                 double *slope);
} maps_law;

/* the laws with the trait BRISTLE_TRAIT_AFFINE, as cmake finds them */
extern const maps_law *const maps_laws[];

#ifdef __cplusplus
}
#endif
#endif
