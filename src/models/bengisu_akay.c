/* Bengisu and Akay: a parabola up to the static level at v0, then an exponential fall. Continuous, but the slope
 * jumps at v0 from 0 to -xi (fs - fc). */
#define MODEL bengisu_akay
#define TITLE "Bengisu-Akay: parabola to the static level at v0, then exponential fall"
#define EQUATIONS                                                                                    \
  "|v| <  v0: F = [fs - (fs/v0^2) (|v| - v0)^2] sgn v + sigma2 v\n"                                  \
  "|v| >= v0: F = [fc + (fs - fc) exp(-xi (|v| - v0))] sgn v + sigma2 v"
#define USE "Friction-induced vibration with a continuous force: a true static peak fs at a known speed v0."
#define LIMITS                                                                                       \
  "Never sticks: under a load F < fs it creeps at v = v0 (1 - sqrt(1 - F/fs)), 0.2929 v0 at fs/2. "  \
  "sigma2 is an addition; 0 gives the published law."
#define SOURCE "Bengisu, Akay, Stability of friction-induced vibrations, J. Sound Vib. 171 (1994)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level, reached at v0")        \
  P(v0,     "m/s",   1e-4, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "speed of the peak")                  \
  P(xi,     "s/m",   1e3,  1e-6, 1e9, LOG,    STRIBECK_FALL,   "decay of the peak per unit speed")   \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(xi, p->xi, in->w * p->xi * (p->fs - p->fc) < K(1),                                               \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define CREEP(p) ((p)->v0)
#include "core/model_begin.h"

KERNEL real bengisu_akay_force(const params *p, const input *in)
{
  real speed = r_abs(in->v), u = speed / p->v0;
  real rise = p->fs * (in->v / p->v0) * (K(2) - u); /* fs (1 - (1 - u)^2), free of cancellation at rest */
  real fall = p->fc + (p->fs - p->fc) * r_decay(p->xi * r_max(speed - p->v0, K(0))).e;
  return (u < K(1) ? rise : r_copysign(fall, in->v)) + p->sigma2 * in->v;
}

KERNEL step_bounds bengisu_akay_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(K(2) * p->fs / p->v0 + p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
