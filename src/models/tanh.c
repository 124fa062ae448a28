/* Coulomb friction smoothed by tanh: Dymore's continuous law (its equation 3, read along the line of motion). */
#define MODEL tanh
#define TITLE "tanh: Coulomb friction smoothed over a small speed"
#define EQUATIONS "F = fc tanh(v/vt) + sigma2 v"
#define USE "Solvers and optimisers that need a smooth right-hand side, when slow creep at rest does not matter."
#define LIMITS                                                                                       \
  "Never sticks: under a load F < fc it creeps at exactly v = vt atanh(F/fc). No static peak. "      \
  "Small vt makes the problem stiff."
#define SOURCE "Dymore User's Manual, Coulomb friction model, eq. (3)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level")                      \
  P(vt,     "m/s",   1e-3, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "speed of the transition: 76 % of fc at vt") \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define INSTANT
#define CREEP(p) ((p)->vt)
#include "core/model_begin.h"

/* tanh(y)/y instead of a direction: smooth through rest, in any number of dimensions */
KERNEL vec tanh_force(const params *p, const input *in)
{
  real slope = p->fc / p->vt;
  return v_scale(slope * tanhc(v_norm(in->v) / p->vt) + p->sigma2, in->v);
}

KERNEL step_bounds tanh_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->fc / p->vt + p->sigma2, p->fc, p->sigma2);
}

#include "core/model_end.h"
