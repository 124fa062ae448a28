/* A law's entry points for the reduced planar model (see model_begin.h): level and force of its bristle. */
#include "core/batch.h"
#include "planar/reduced.h"

static double ROLE(planar_level)(const double *p, double speed) { return ROLE(level)((const params *)p, speed); }

FN void ROLE(planar_forces)(params q, int common, double speed, const double z[3], const double dz[3], double f[3])
{
  if (common) { COMMON(COMMON_SET) }
  for (int i = 0; i < 3; i++) f[i] = ROLE(force)(&q, z[i], dz[i], speed);
}

/* Compiled twice: usual values switch parts of the law off that gcc otherwise computes and throws away. */
static void ROLE(planar_force)(const double *p, double speed, const double z[3], const double dz[3],
                               double f[restrict 3])
{
  const params *q = (const params *)p;
  if (ROLE(is_common)(q)) ROLE(planar_forces)(*q, 1, speed, z, dz, f);
  else ROLE(planar_forces)(*q, 0, speed, z, dz, f);
}

extern const struct bristle_planar_law BRISTLE_CAT(planar_, MODEL);
const struct bristle_planar_law BRISTLE_CAT(planar_, MODEL) = { BRISTLE_STR(MODEL), ROLE(planar_level),
                                                                ROLE(planar_force) };
