/* The end of a law for the reduced planar model (see model_begin.h): level and force of its bristle. */
#include "planar/reduced.h"

static double ROLE(planar_level)(const double *p, double speed) { return ROLE(level)((const params *)p, speed); }

static void ROLE(planar_force)(const double *p, double speed, const double z[3], const double dz[3], double f[3])
{
  for (int i = 0; i < 3; i++) f[i] = ROLE(force)((const params *)p, z[i], dz[i], speed);
}

extern const struct bristle_planar_law BRISTLE_CAT(planar_, MODEL);
const struct bristle_planar_law BRISTLE_CAT(planar_, MODEL) = { BRISTLE_STR(MODEL), ROLE(planar_level),
                                                                ROLE(planar_force) };
