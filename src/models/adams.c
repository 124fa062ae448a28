/* The friction of an Adams CONTACT, in its own speeds: a cubic STEP through rest, another from the static to the
 * dynamic level. STEP(v, -vs, -fs, vs, fs) is written in its odd form fs (3 y - y^3)/2, y = v/vs, which has no
 * rounding noise at rest. (Joints use a different law there, with a creep state.) */
#define MODEL adams
#define TITLE "Adams CONTACT: friction from two cubic steps"
#define EQUATIONS                                                                                    \
  "|v| <  vs: F = STEP(v, -vs, -fs, vs, fs) + sigma2 v = fs (3 y - y^3)/2 + sigma2 v,  y = v/vs\n"   \
  "|v| <  vd: F = STEP(|v|, vs, fs, vd, fc) sgn v + sigma2 v\n"                                      \
  "|v| >= vd: F = fc sgn v + sigma2 v\n"                                                             \
  "STEP(x, x0, h0, x1, h1) = h0 + (h1 - h0) D^2 (3 - 2 D),  D = (x - x0)/(x1 - x0)"
#define USE "Comparison with and transfer from Adams (and other multibody) contacts: same parameters, same numbers."
#define LIMITS                                                                                       \
  "Never sticks: under a load F < fs it creeps, at 2 sin(pi/18) vs = 0.3473 vs for fs/2. "           \
  "sigma2 is an addition; 0 gives the published law."
#define SOURCE "MSC Adams, CONTACT statement: STICTION_TRANSITION_VELOCITY = vs, FRICTION_TRANSITION_VELOCITY = vd."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "dynamic level, from vd on")          \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level, at vs")                \
  P(vs,     "m/s",   1e-3, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "stiction transition speed: speed of the peak") \
  P(vd,     "m/s",   1e-2, 1e-9, 1e3, LOG,    STRIBECK_SPEED,  "friction transition speed: the fall is complete") \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc) R(ABOVE, vd, vs)
#define ADVICE(A)                                                                                    \
  A(vd, p->vd, in->w * K(1.5) * (p->fs - p->fc) < p->vd - p->vs,                                     \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define CREEP(p) ((p)->vs)
#include "core/model_begin.h"

KERNEL real adams_force(const params *p, const input *in)
{
  real y = in->v / p->vs, speed = r_abs(in->v);
  real fall = smooth_step(p->fs, p->fc, (speed - p->vs) / r_max(p->vd - p->vs, K(REAL_TINY)));
  real dry = speed < p->vs ? p->fs * y * (K(1.5) - K(0.5) * y * y) : r_copysign(fall, in->v);
  return dry + p->sigma2 * in->v;
}

KERNEL step_bounds adams_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(K(1.5) * p->fs / p->vs + p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
