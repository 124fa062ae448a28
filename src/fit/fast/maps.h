/* Laws whose state goes by an affine map from sample to sample; not installed. */
#ifndef BRISTLE_FIT_MAPS_H
#define BRISTLE_FIT_MAPS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A block of samples is cut into as many runs as there are lanes; step k of all runs stands side by side. The rows of a
   block stay in the first cache. */
enum { MAPS_LANES = 8, MAPS_RUN = 16, MAPS_BLOCK = MAPS_LANES * MAPS_RUN };
/* derivatives by the first parameters of the table; only some of them act on the state */
enum { MAPS_SLOPES = 6, MAPS_MOVING = 4 };
static const int maps_moving[MAPS_MOVING] = { 0, 3, 4, 5 }; /* sigma0, fc, fs, vs: not the two that damp */
enum { MAPS_STEP_ROWS = 2 + 2 * MAPS_MOVING, MAPS_FORCE_ROWS = 2 + 2 * MAPS_SLOPES };

/* For each of `count` (at most MAPS_BLOCK) steps at the velocity `slide` over the time h: z' = a z + b. `out` receives
   MAPS_STEP_ROWS rows of MAPS_BLOCK numbers: a, b, a by each moving parameter, b by each. */
void lugre_steps(const double *p, double unit, size_t count, const double *slide, const double *h, double *out);
/* The force c z + d at the velocity v: MAPS_FORCE_ROWS rows likewise, by all parameters. */
void lugre_forces(const double *p, double unit, size_t count, const double *v, double *out);

#ifdef __cplusplus
}
#endif
#endif
