/* Dahl: friction as a spring that yields smoothly; the force depends on the path alone.
 *
 * With room = 1 - F/fc sgn v (the part of the level still free, 2 when bent fully the other way) the law says that
 * room falls by |room|^delta per length fc/sigma0. The step is its exact solution for every delta,
 *
 *   room+ = room (1 - q tau)^(1/q),   q = 1 - delta,   tau = path |room|^-q,
 *
 * written as exp(-t) with t = -ln(1 - q tau)/q, which passes smoothly through delta = 1 (t = path). The deflection
 * moves towards its limit by the part 1 - exp(-t): nothing changes at rest, and for delta < 1 the limit is reached
 * after a finite way. |F| > fc is room < 0: the same map on |room|. */
#define MODEL dahl
#define TITLE "Dahl: a spring that yields smoothly"
#define EQUATIONS                                                                                    \
  "dz/dt = v sgn(room) |room|^delta,  room = 1 - (sigma0 z/fc) sgn v\n"                              \
  "F     = sigma0 z + sigma2 v"
#define USE                                                                                          \
  "Presliding hysteresis that does not depend on speed: bearings, flexures, rope and cable damping. delta shapes "   \
  "the bend: 0 is an elastic-plastic element, 1 the usual exponential, above 1 a slow approach. "   \
  "Few parameters: the law to begin with while there are no measurements."
#define LIMITS                                                                                       \
  "No static level above fc, no Stribeck effect, no bristle damping, no lag, nothing that depends on the rate (use "  \
  "lugre); creeps under vibration below fc (use maxwell_slip or gms). "                              \
  "Independent of rate only while sigma2 = 0. delta < 1 reaches fc after a finite way; delta > 1 only in the limit."
#define SOURCE                                                                                       \
  "Dahl, Aerospace Corp. TOR-158(3107-18), 1968; AIAA J. 14 (1976) 1675; form as in Piatkowski, MMT 73 (2014), eq. (1)."
#define TRAITS                                                                                       \
  (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_RATE_FREE | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH | \
   BRISTLE_TRAIT_AFFINE)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   1e5, 1e-3, 1e12, LOG,    STIFFNESS, "stiffness around zero force")              \
  P(fc,     "N",     1,   1e-9, 1e9,  LOG,    LEVEL,     "Coulomb level")                            \
  P(delta,  "1",     1,   0,    10,   LINEAR, EXPONENT,  "Dahl exponent")                            \
  P(sigma2, "N*s/m", 0,   0,    1e9,  LOG,    VISCOUS,   "viscous coefficient")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "deflection")
#define COMMON(C) C(delta, 1)
#define HOLD
#define SATURATES
#define REDUCTIONS(R) R(kikuuwe, "delta = 0", "sigma1 = 0")
#include "core/model_begin.h"

/* The exponential needs no powers. Numbers that carry derivatives go the long way, for the slope in delta. */
#ifndef EXPONENTS_FIXED
#define EXPONENTS_FIXED (sizeof(real) == sizeof(scalar))
#endif
KERNEL int dahl_usual(const params *p) { return EXPONENTS_FIXED && p->delta == K(1); }

KERNEL real dahl_level(const params *p, real speed)
{
  (void)speed;
  return p->fc;
}

/* how far the bristle is from its level, in the direction d of motion */
KERNEL real dahl_room(const params *p, vec z, vec d)
{
  return K(1) - p->sigma0 * v_dot(d, z) / r_max(p->fc, K(REAL_TINY));
}

/* -ln(1 - q tau)/q; near q tau = 0 by the series of 2 artanh(x/(2 - x)), else nothing would be left of q = 0 */
KERNEL real dahl_exponent(real q, real tau)
{
  real x = q * tau, y = x / (K(2) - x), u = y * y;
  real series = K(1) + u * (K(1.0 / 3) + u * (K(1.0 / 5) + u * (K(1.0 / 7) + u * (K(1.0 / 9) + u * K(1.0 / 11)))));
  return r_abs(x) < K(0.1) ? tau * series * K(2) / (K(2) - x) : -r_log(r_max(K(1) - x, K(REAL_TINY))) / q;
}

KERNEL vec dahl_force(const params *p, vec z, vec v) { return v_add(v_scale(p->sigma0, z), v_scale(p->sigma2, v)); }

KERNEL vec dahl_eval(const params *p, const state *s, const input *in, state *rate)
{
  vec d = v_along(K(1), in->v);
  real bend = dahl_usual(p) ? K(1) : r_pow(r_abs(dahl_room(p, s->z, d)), p->delta - K(1));
  vec slip = v_scale(p->sigma0 * v_norm(in->v) / r_max(p->fc, K(REAL_TINY)), s->z);
  rate->z = v_scale(bend, v_sub(in->v, slip));
  return dahl_force(p, s->z, in->v);
}

KERNEL vec dahl_move(const params *p, state *s, const input *in)
{
  vec d = v_along(K(1), in->v);
  real path = p->sigma0 * in->h * v_norm(in->v) / r_max(p->fc, K(REAL_TINY));
  /* room that is zero is room below rounding: at the level a bristle still follows it, and the derivatives say so */
  real room = r_max(r_abs(dahl_room(p, s->z, d)), K(0.5) * K(REAL_EPSILON));
  real bend = dahl_usual(p) ? K(1) : r_pow(room, p->delta - K(1));
  real tau = r_min(path * bend, K(1e30)); /* finite without load too */
  real moved = r_decay(dahl_usual(p) ? tau : dahl_exponent(K(1) - p->delta, tau)).d;
  s->z = v_add(s->z, v_scale(moved, v_sub(v_along(p->fc / p->sigma0, in->v), s->z)));
  return dahl_force(p, s->z, in->v);
}

/* a step at rest: the deflection stays, and no exponential is needed to know it */
KERNEL vec dahl_hold(const params *p, const state *s) { return dahl_force(p, s->z, v_zero()); }

KERNEL vec dahl_steady(const params *p, const input *in)
{
  return v_add(v_along(v_norm(in->v) > K(0) ? p->fc : K(0), in->v), v_scale(p->sigma2, in->v));
}

KERNEL real dahl_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return K(0.5) * p->sigma0 * v_dot(s->z, s->z);
}

KERNEL bristle_mode dahl_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(v_scale(p->sigma0, s->z), p->fc, in->v, K(1e-3));
}

KERNEL step_bounds dahl_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  real room = r_max(dahl_room(p, s->z, d), K(0));
  return make_step_bounds(p->sigma0 * in->h * r_pow(room, p->delta) + p->sigma2, r_max(p->fc, p->sigma0 * v_norm(s->z)),
                          p->sigma2);
}

#include "core/model_end.h"
