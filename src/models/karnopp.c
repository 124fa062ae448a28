/* Karnopp: every speed below dv counts as rest, where friction equals the applied force up to fs.
 *
 * That makes an explicit host stick without finding the instant of zero speed, if it tells in->f. The coupled step
 * needs no band, rest at v = 0 is exact there; a velocity inside the band that is not held breaks away and feels fs.
 * Trap: under eval alone the band does not stop the body; it only stops its acceleration, so a body that enters
 * the band keeps up to dv. The host must set v = 0, as Karnopp does. */
#define MODEL karnopp
#define TITLE "Karnopp: a band of speeds that counts as rest, Stribeck curve outside"
#define EQUATIONS                                                                                    \
  "|v| <  dv: F = applied force, at most fs; not held in a coupled step: F = fs sgn v\n"             \
  "|v| >= dv: F = g(v) sgn v + sigma2 v\n"                                                           \
  "g(v) = fc + (fs - fc) exp(-|v/vs|^gamma)"
#define USE "Explicit hosts that know the applied force and must not chatter at rest; event-free stick-slip."
#define LIMITS                                                                                       \
  "Needs the applied force. Without it (prescribed motion, in->f = 0) there is no friction inside the band. Jumps at " \
  "dv; eval leaves a drift of up to dv; it follows an applied force against the motion too, so eval can feed energy in."
#define SOURCE                                                                                       \
  "Karnopp, Computer simulation of stick-slip friction in mechanical dynamic systems, ASME JDSMC 107 (1985)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SET_VALUED)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level")                       \
  P(vs,     "m/s",   1e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED,  "Stribeck speed: the drop from fs has decayed to 1/e") \
  P(gamma,  "1",     2,    0.1,  10,  LINEAR, EXPONENT,        "Stribeck exponent")                  \
  P(sigma2, "N*s/m", 0.4,  0,    1e9, LOG,    VISCOUS,         "viscous coefficient")                \
  P(dv,     "m/s",   1e-5, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "half width of the band that counts as rest")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(vs, p->vs, in->w * stribeck_steepness(p->gamma) * (p->fs - p->fc) < p->vs,                       \
    "the step is long: the Stribeck drop is steeper than the inertia resolves; shorten h or expect early or late slip")
#define COMMON(C) C(gamma, 2)
#define INSTANT
#define STICTION
#define CREEP(p) ((p)->dv)
#include "core/model_begin.h"

KERNEL real karnopp_force(const params *p, const input *in)
{
  real held = in->w > 0 && in->v != K(0) ? r_copysign(p->fs, in->v) : held_within(p, in->f, p->fs);
  real slip = r_copysign(stribeck_level(p->fc, p->fs, p->vs, p->gamma, in->v), in->v) + p->sigma2 * in->v;
  return r_abs(in->v) < p->dv ? held : slip;
}

KERNEL range karnopp_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

/* inside the band the viscous part is missing, which the bound has to cover */
KERNEL step_bounds karnopp_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(K(0), p->fs + p->sigma2 * p->dv, p->sigma2);
}

#include "core/model_end.h"
