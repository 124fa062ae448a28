/* Kikuuwe: Coulomb friction in series with a spring and damper, by projection.
 *
 * The model is its own step: backward Euler on the spring, the force projected on +-fc. The force is then exact
 * for a constant velocity; the deflection while sliding is first order and stable for any step. Written as an
 * increment, the deflection does not move by a single bit at rest, and sigma1 = 0 needs no special case. */
#define MODEL kikuuwe
#define TITLE "Kikuuwe: Coulomb friction behind a spring and damper"
#define EQUATIONS                                                                                    \
  "f = sigma0 z + sigma1 dz/dt,  |f| <= fc\n"                                                        \
  "dz/dt = v while |f| < fc; beyond, f stays at +-fc and dz/dt follows from it\n"                    \
  "F = f + sigma2 v;  a step: f = clip(sigma0 (z + h v) + sigma1 v, -fc, fc), z+ = (h f + sigma1 z)/(sigma0 h + sigma1)"
#define USE                                                                                          \
  "Real-time and haptic simulation with a fixed step: never exceeds fc, never rings, damps the contact in stick."
#define LIMITS "No static peak, no Stribeck effect; all presliding motion is elastic."
#define SOURCE                                                                                       \
  "Kikuuwe, Takesue, Sano, Mochiyama, Fujimoto, Fixed-step friction simulation, IROS 2005. sigma2 is added here."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_PASSIVE)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   1e5,      1e-3, 1e12, LOG,    STIFFNESS, "contact stiffness")                   \
  P(sigma1, "N*s/m", 316.2278, 0,    1e9,  LOG,    DAMPING,   "contact damping")                     \
  P(fc,     "N",     1,        1e-9, 1e9,  LOG,    LEVEL,     "Coulomb level")                       \
  P(sigma2, "N*s/m", 0,        0,    1e9,  LOG,    VISCOUS,   "viscous coefficient")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "deflection of the spring")
#define CLOSED
#include "core/model_begin.h"

KERNEL real kikuuwe_eval(const params *p, const state *s, const input *in, state *rate)
{
  real spring = p->sigma0 * s->z, trial = spring + p->sigma1 * in->v, f = held_within(p, trial, p->fc);
  real sliding = p->sigma1 > K(0) ? (f - spring) / r_max(p->sigma1, K(REAL_TINY)) : K(0);
  int slides = r_abs(trial) >= level_on(p, trial, p->fc) && (p->sigma1 > K(0) || in->v * s->z > K(0));
  rate->z = slides ? sliding : in->v;
  return f + p->sigma2 * in->v;
}

KERNEL real kikuuwe_move(const params *p, state *s, const input *in)
{
  real f = held_within(p, p->sigma0 * (s->z + in->h * in->v) + p->sigma1 * in->v, p->fc);
  s->z += in->h * (f - p->sigma0 * s->z) / (p->sigma0 * in->h + p->sigma1);
  return f + p->sigma2 * in->v;
}

KERNEL real kikuuwe_steady(const params *p, const input *in) { return sign(in->v) * p->fc + p->sigma2 * in->v; }

KERNEL real kikuuwe_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return K(0.5) * p->sigma0 * s->z * s->z;
}

KERNEL bristle_mode kikuuwe_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(p->sigma0 * s->z + p->sigma1 * in->v, p->fc, in->v, K(1e-3));
}

/* the spring decides, unless it would pull with more than fc: a larger force is a smaller velocity, and the clip of the
   one is that of the other */
KERNEL real kikuuwe_closed(const params *p, const state *s, const input *in)
{
  real stiffness = p->sigma0 * in->h + p->sigma1 + p->sigma2, sliding = K(1) + in->w * p->sigma2;
  real stuck = (in->v - in->w * (p->sigma0 * s->z)) / (K(1) + in->w * stiffness), most = in->w * p->fc;
  return clamp(stuck, (in->v - most) / sliding, (in->v + most) / sliding);
}

KERNEL step_bounds kikuuwe_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real stuck = d * p->sigma0 * s->z < p->fc ? K(1) : K(0);
  return make_step_bounds(stuck * (p->sigma0 * in->h + p->sigma1) + p->sigma2, p->fc, p->sigma2);
}

#include "core/model_end.h"
