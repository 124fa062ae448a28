/* Awrejcewicz et al.: four cases that join without a jump. With f the applied force held within +-fs and the cubic
 * A = y^2 (3 - 2 y), y = |v|/e, the three cases inside the band are one formula, f + A (fs sgn v - f):
 *   |applied| <= fs as it stands; applied beyond fs along v gives fs; beyond fs against v gives (2 A - 1) fs sgn v.
 * In the coupled step a velocity inside the band is not held, so it feels fs in its direction. */
#define MODEL awrejcewicz
#define TITLE "Awrejcewicz: continuous switch between holding force and falling friction"
#define EQUATIONS                                                                                    \
  "|v| <= e: F = f + A (fs sgn v - f) + sigma2 v,  A = (v/e)^2 (3 - 2 |v|/e),  f = applied force, at most fs\n" \
  "|v| >  e: F = fs sgn v/(1 + d (|v| - e)) + sigma2 v"
#define USE "Stick-slip and chaos studies with ordinary solvers: no events, no creep, continuous in velocity and load."
#define LIMITS                                                                                       \
  "Needs the applied force; without it (in->f = 0) the band is a cubic ramp. An applied force against the motion is " \
  "followed too, so eval can feed energy in. The fall has no floor: friction tends to 0. sigma2 is an addition."
#define SOURCE                                                                                       \
  "Awrejcewicz, Grzelczyk, Pyryev, A novel dry friction modeling and its impact on differential equations " \
  "computation and Lyapunov exponents estimation, 2008."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SET_VALUED)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fs,     "N",     1,    1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level, reached at e")         \
  P(d,      "s/m",   3,    0,    1e9, LOG,    STRIBECK_FALL,   "fall of the sliding friction per unit speed") \
  P(e,      "m/s",   1e-4, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "half width of the band")             \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define ADVICE(A)                                                                                    \
  A(d, p->d, in->w * p->d * p->fs < K(1),                                                            \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define STICTION
#define CREEP(p) ((p)->e)
#include "core/model_begin.h"

KERNEL real awrejcewicz_force(const params *p, const input *in)
{
  real speed = r_abs(in->v);
  real band = smooth_step(held_within(p, in->f, p->fs), sign(in->v) * p->fs, speed / p->e);
  real slip = r_copysign(p->fs / (K(1) + p->d * r_max(speed - p->e, K(0))), in->v);
  return (speed <= p->e ? band : slip) + p->sigma2 * in->v;
}

KERNEL range awrejcewicz_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

KERNEL step_bounds awrejcewicz_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
