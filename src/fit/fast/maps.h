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
/* Derivatives by the first parameters of the table: sigma0, sigma1, sigma2, fc, fs, vs. The bristle's are by the last
   three, those of the level: sigma1 and sigma2 do not act on it, and sigma0 acts as a common factor of all but vs. */
enum { MAPS_SLOPES = 6, MAPS_LEVEL = 3, MAPS_MOVING = 3 };
enum { MAPS_STEP_ROWS = 2 + 2 * MAPS_MOVING, MAPS_BRISTLE_ROWS = 1 + MAPS_MOVING };

/* The level at each of `count` velocities: MAPS_BRISTLE_ROWS rows, itself and its
   derivative by each moving parameter. */
void lugre_levels(const double *p, size_t count, const double *v, double *out);
/* For each of `count` steps at the velocity `slide`, where the level is known, over the time h: z' = a z + b. `out`
   receives MAPS_STEP_ROWS rows: a, b, a by each moving parameter, b by each. */
void lugre_steps(const double *p, double unit, size_t count, const double *slide, const double *h, const double *level,
                 double *out);
/* The forces of a block at the velocities v with their levels and deflections, each MAPS_BRISTLE_ROWS rows; `slope`
   receives MAPS_SLOPES rows. */
void lugre_forces(const double *p, const double *v, const double *level, const double *bristle, double *force,
                  double *slope);

#ifdef __cplusplus
}
#endif
#endif
