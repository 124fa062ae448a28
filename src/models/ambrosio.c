/* Ambrosio: Coulomb friction with a dead band below v0 and a ramp from v0 to v1. The dead band keeps a solver from
 * chattering; its price is that a body at rest feels no friction at all. */
#define MODEL ambrosio
#define TITLE "Ambrosio: Coulomb friction with a dead band and a ramp"
#define EQUATIONS "F = fc min(max((|v| - v0)/(v1 - v0), 0), 1) sgn v + sigma2 v"
#define USE "Impact and crash simulations with many contacts, where rest does not matter."
#define LIMITS                                                                                       \
  "Never sticks: under a load F < fc it creeps at v = v0 + (v1 - v0) F/fc, (v0 + v1)/2 at fc/2; below v0 nothing " \
  "resists. No static peak. sigma2 is an addition; 0 gives the published law."
#define SOURCE                                                                                       \
  "Ambrosio, Impact of rigid and flexible multibody systems, in: Virtual Nonlinear Multibody Systems, 2003."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level")                      \
  P(v0,     "m/s",   1e-4, 0,    1e3, LOG,    SMOOTHING_SPEED, "speed below which there is no friction") \
  P(v1,     "m/s",   1e-3, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "speed from which the full level acts") \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(ABOVE, v1, v0)
#define INSTANT
#define CREEP(p) ((p)->v1)
#include "core/model_begin.h"

KERNEL real ambrosio_force(const params *p, const input *in)
{
  real ramp = (r_abs(in->v) - p->v0) / r_max(p->v1 - p->v0, K(REAL_TINY));
  real dry = p->fc * clamp(ramp, K(0), K(1));
  return (in->v < K(0) ? -dry : dry) + p->sigma2 * in->v;
}

/* the slope over the whole rise: that of the dead band says nothing */
KERNEL step_bounds ambrosio_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->fc / p->v1 + p->sigma2, p->fc, p->sigma2);
}

#include "core/model_end.h"
