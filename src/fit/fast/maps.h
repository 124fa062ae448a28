/* Laws whose state goes by an affine map from sample to sample; not installed. */
#ifndef BRISTLE_FIT_MAPS_H
#define BRISTLE_FIT_MAPS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MAPS_BLOCK = 256, MAPS_SLOPES = 6, MAPS_ROWS = 2 + 2 * MAPS_SLOPES };

/* For each of `count` (at most MAPS_BLOCK) samples: z' = a z + b over the step at the velocity `slide`, and the force
   c z + d at the velocity v, as MAPS_ROWS rows of MAPS_BLOCK numbers: a, b, a by each parameter, b by each. */
void lugre_maps(const double *p, double unit, size_t count, const double *slide, const double *h, const double *v,
                double *step, double *force);

#ifdef __cplusplus
}
#endif
#endif
