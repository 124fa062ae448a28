/* Threlfall's smoothed Coulomb friction. The exponential has reached 1 - e^-3 = 0.950 of fc where the printed law
 * hands over to fc, so the curve jumps up at v0. It is offered as printed; the coupled step keeps a body whose load
 * falls into that gap at exactly v0. */
#define MODEL threlfall
#define TITLE "Threlfall: Coulomb friction rounded off by an exponential below v0"
#define EQUATIONS                                                                                    \
  "|v| <  v0: F = fc (1 - exp(-3 |v|/v0)) sgn v + sigma2 v\n"                                        \
  "|v| >= v0: F = fc sgn v + sigma2 v"
#define USE "Multibody codes that need a continuous force at rest and know the slip speed they can tolerate."
#define LIMITS                                                                                       \
  "Never sticks: under a load F < 0.950 fc it creeps at v = (v0/3) ln(fc/(fc - F)), 0.2310 v0 at fc/2. Jumps from " \
  "0.950 fc to fc at v0, as printed. No static peak. sigma2 is an addition; 0 gives the published law."
#define SOURCE "Threlfall, The inclusion of Coulomb friction in mechanisms programs, Mech. Mach. Theory 13 (1978)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level")                      \
  P(v0,     "m/s",   1e-3, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "speed from which the full level acts") \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define INSTANT
#define CREEP(p) ((p)->v0)
#include "core/model_begin.h"

KERNEL real threlfall_force(const params *p, const input *in)
{
  real u = r_abs(in->v) / p->v0;
  real dry = p->fc * (u < K(1) ? r_decay(K(3) * u).d : K(1));
  return (in->v < K(0) ? -dry : dry) + p->sigma2 * in->v;
}

KERNEL step_bounds threlfall_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(K(3) * p->fc / p->v0 + p->sigma2, p->fc, p->sigma2);
}

#include "core/model_end.h"
