/* Reset integrator (Haessig and Friedland): the position is integrated up to +-p0, where the contact slides.
 *
 * The deflection of a step is exact: it follows the motion and is held at p0 in its direction. The model's force
 * drops from (1 + a) sigma0 p0 to sigma0 p0 at the break; a step that contains the break takes the extra stiffness
 * for the part of its way before it. So the force stays continuous in the velocity, as a coupled step likes it, and
 * no step gives back energy that the break has spent. */
#define MODEL reset_integrator
#define TITLE "Reset integrator: a stiffer spring until it breaks away"
#define EQUATIONS                                                                                    \
  "dz/dt = 0 if z has reached p0 in the direction of v, else v\n"                                    \
  "F = (1 + a(z)) sigma0 z + sigma1 dz/dt + sigma2 v,  a(z) = a for |z| < p0, else 0"
#define USE "Cheap simulation of stick with a static peak: sliding level sigma0 p0, break-away level (1 + a) sigma0 p0."
#define LIMITS                                                                                       \
  "The force jumps at break-away and on reversal; no Stribeck curve, no lag. No parameter is a force: to follow the " \
  "normal load use the coefficient form."
#define SOURCE                                                                                       \
  "Haessig, Friedland, On the modeling and simulation of friction, ASME JDSMC 113 (1991). sigma2 is added here."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_PASSIVE)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   1e5,  1e-3,  1e12, LOG,    STIFFNESS, "stiffness of the sliding level: it is sigma0 p0") \
  P(p0,     "m",     1e-5, 1e-12, 1e3,  LOG,    LENGTH,    "deflection at which the contact slides") \
  P(a,      "1",     0.5,  0,     100,  LINEAR, RATIO,     "extra stiffness in stick: break-away at (1 + a) sigma0 p0") \
  P(sigma1, "N*s/m", 30,   0,     1e9,  LOG,    DAMPING,   "damping in stick")                       \
  P(sigma2, "N*s/m", 0,    0,     1e9,  LOG,    VISCOUS,   "viscous coefficient")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "integrated position, held within +-p0")
#define REDUCTIONS(R) R(kikuuwe, "a = 0, sigma1 = 0", "fc = sigma0*p0, sigma1 = 0")
#define SKEW_LEVEL(q, k) q.p0 = q.p0 * k;
#include "core/model_begin.h"

KERNEL real reset_integrator_eval(const params *p, const state *s, const input *in, state *rate)
{
  rate->z = sign(in->v) * s->z >= p->p0 ? K(0) : in->v;
  real extra = r_abs(s->z) < level_on(p, s->z, p->p0) ? p->a : K(0);
  return p->sigma0 * s->z * (K(1) + extra) + p->sigma1 * rate->z + p->sigma2 * in->v;
}

KERNEL real reset_integrator_move(const params *p, state *s, const input *in)
{
  real d = r_copysign(K(1), in->v), way = r_abs(in->v) * in->h, from = d * s->z;
  real to = r_max(r_min(from + way, p->p0), from); /* exactly p0 when the break is reached */
  real stuck = to < K(0) ? K(0) : (to - from) / r_max(way, K(REAL_TINY));
  real part = r_abs(to) < level_on(p, d * to, p->p0) ? K(1) : r_min(stuck, K(1));
  s->z = d * to;
  return p->sigma0 * s->z * (K(1) + p->a * part) + p->sigma1 * d * (to - from) * (K(1) / in->h) + p->sigma2 * in->v;
}

KERNEL real reset_integrator_steady(const params *p, const input *in)
{
  return sign(in->v) * p->sigma0 * p->p0 + p->sigma2 * in->v;
}

/* the spring of the stick phase; deflections beyond p0 can only be set from outside */
KERNEL real reset_integrator_energy(const params *p, const state *s, const input *in)
{
  real inside = r_min(r_abs(s->z), level_on(p, s->z, p->p0));
  (void)in;
  return K(0.5) * p->sigma0 * (p->a * inside * inside + s->z * s->z);
}

KERNEL bristle_mode reset_integrator_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(s->z, p->p0, in->v, K(1e-3));
}

KERNEL step_bounds reset_integrator_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real stuck = d * s->z < p->p0 ? K(1) : K(0), furthest = r_max(p->p0, r_abs(s->z));
  return make_step_bounds(stuck * ((K(1) + p->a) * p->sigma0 * in->h + p->sigma1) + p->sigma2,
                          (K(1) + p->a) * p->sigma0 * furthest + K(2) * p->sigma1 * furthest / in->h, p->sigma2);
}

#include "core/model_end.h"
