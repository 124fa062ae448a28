/* Quinn: Coulomb friction whose jump is replaced, over a small band, by a blend of the sliding level with the force
 * that would hold the body. At v = 0 the blend is the holding force alone, so a body at rest stays at rest: the curve
 * is continuous in v for any given applied force and yet does not creep.
 *
 * In the coupled step a velocity inside the band has an applied force beyond fs in its direction, and the blend is a
 * straight fall from fs to fc. */
#define MODEL quinn
#define TITLE "Quinn: Coulomb friction blended with the holding force over a small band"
#define EQUATIONS                                                                                    \
  "|v| >= e: F = fc sgn v + sigma2 v\n"                                                              \
  "|v| <  e: F = (|v|/e) fc sgn v + (1 - |v|/e) f + sigma2 v,  f = applied force, at most fs"
#define USE "Hosts with a continuous right-hand side that know the applied force and need stick without creep."
#define LIMITS                                                                                       \
  "Formula from memory of the paper; not checked against it. Needs the applied force; without it (in->f = 0) the " \
  "band is a plain ramp. An applied force against the motion is followed too, so eval can feed energy in. " \
  "sigma2 is an addition."
#define SOURCE "Quinn, A new regularization of Coulomb friction, J. Vib. Acoust. 126 (2004)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SET_VALUED)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level")                      \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level")                       \
  P(e,      "m/s",   1e-4, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "half width of the band")             \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(e, p->e, in->w * (p->fs - p->fc) < p->e,                                                         \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h or widen e")
#define INSTANT
#define STICTION
#define CREEP(p) ((p)->e)
#include "core/model_begin.h"

KERNEL real quinn_force(const params *p, const input *in)
{
  real part = r_min(r_abs(in->v) / p->e, K(1));
  real dry = part * r_copysign(p->fc, in->v) + (K(1) - part) * held_within(p, in->f, p->fs);
  return dry + p->sigma2 * in->v;
}

KERNEL range quinn_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

KERNEL step_bounds quinn_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
