/* Bliman-Sorine: friction as a linear system in the distance travelled; order 2 has a static peak.
 *
 * Over the path s = int |v| dt both parts are plain exponentials towards the direction of motion, so the step is
 * exact. The states are parts of the levels f1 and f2: dimensionless, and the same in every load form. */
#define MODEL bliman_sorine
#define TITLE "Bliman-Sorine: hysteresis linear in the distance travelled"
#define EQUATIONS                                                                                    \
  "order 2: dz1/dt = (v - |v| z1)/(eta ef),  dz2/dt = (v - |v| z2)/ef,  F = f1 z1 - f2 z2 + sigma2 v\n"      \
  "order 1: dz1/dt = (v - |v| z1)/ef,  F = f1 z1 + sigma2 v   (Dahl with delta = 1, fc = f1, sigma0 = f1/ef)"
#define USE                                                                                          \
  "A break-away peak that depends on distance, not on speed, with few parameters; slides at f1 - f2. The peak comes " \
  "after the way eta ef/(1 - eta) ln(f1/(eta f2))."
#define LIMITS                                                                                       \
  "No Stribeck curve in speed: the peak returns after every reversal, at any speed. Creeps under vibration. "        \
  "Independent of rate only while sigma2 = 0. Stored energy is defined for order 1 only."
#define SOURCE "Bliman, Sorine, Easy-to-use realistic dry friction models for automatic control, ECC 1995."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_RATE_FREE | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(f1,     "N",     2,    1e-9,  1e9,   LOG,    STATIC_LEVEL, "level of the fast part; the whole level for order 1") \
  P(f2,     "N",     1,    0,     1e9,   LOG,    EXCESS_LEVEL, "level of the slow part, taken off: slides at f1 - f2") \
  P(ef,     "m",     4e-5, 1e-12, 1e3,   LOG,    LENGTH,       "length of the slow part; of the only part for order 1") \
  P(eta,    "1",     0.2,  1e-3,  0.999, LINEAR, RATIO,        "length of the fast part relative to ef") \
  P(order,  "1",     2,    1,     2,     OPTION, CHOICE,       "1 = without, 2 = with a static peak") \
  P(sigma2, "N*s/m", 0,    0,     1e9,   LOG,    VISCOUS,      "viscous coefficient")
#define STATES(S, V)                                                                                 \
  S(z1, "1", FLOW, "fast part: -1 to 1 of f1")                                                       \
  S(z2, "1", FLOW, "slow part: -1 to 1 of f2; rests in order 1")
#define RULES(R)                                                                                     \
  R(f2, p->f2, p->order == K(1) || p->f2 < p->f1, "f2 must be below f1")
#define COMMON(C) C(order, 2)
#define REDUCTIONS(R) R(dahl, "order = 1", "sigma0 = f1/ef, fc = f1, delta = 1")
#define SKEW_LEVEL(q, k) /* the deflections end at level_factor instead of 1 */
#include "core/model_begin.h"

/* 1/length of each part */
KERNEL real bliman_sorine_fast(const params *p) { return K(1) / (p->order == K(1) ? p->ef : p->eta * p->ef); }
KERNEL real bliman_sorine_slow(const params *p) { return p->order == K(1) ? K(0) : K(1) / p->ef; }

KERNEL real bliman_sorine_force(const params *p, const state *s, real v)
{
  return p->f1 * s->z1 - (p->order == K(1) ? K(0) : p->f2 * s->z2) + p->sigma2 * v;
}

KERNEL real bliman_sorine_eval(const params *p, const state *s, const input *in, state *rate)
{
  real k = level_factor(p);
  rate->z1 = (in->v - r_abs(in->v) * s->z1 / k) * bliman_sorine_fast(p);
  rate->z2 = (in->v - r_abs(in->v) * s->z2 / k) * bliman_sorine_slow(p);
  return bliman_sorine_force(p, s, in->v);
}

KERNEL real bliman_sorine_move(const params *p, state *s, const input *in)
{
  real k = level_factor(p), d = r_copysign(k, in->v), way = r_abs(in->v) * in->h / k;
  s->z1 += (d - s->z1) * r_decay(way * bliman_sorine_fast(p)).d;
  s->z2 += (d - s->z2) * r_decay(way * bliman_sorine_slow(p)).d;
  return bliman_sorine_force(p, s, in->v);
}

KERNEL real bliman_sorine_steady(const params *p, const input *in)
{
  return sign(in->v) * level_factor(p) * (p->f1 - (p->order == K(1) ? K(0) : p->f2)) + p->sigma2 * in->v;
}

KERNEL real bliman_sorine_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return p->order == K(1) ? K(0.5) * p->f1 * p->ef * s->z1 * s->z1 : K(0);
}

KERNEL bristle_mode bliman_sorine_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(s->z1, level_factor(p), in->v, K(1e-3));
}

KERNEL step_bounds bliman_sorine_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real k = level_factor(p), fast = p->f1 * bliman_sorine_fast(p), slow = p->f2 * bliman_sorine_slow(p);
  real rise = fast * (K(1) - d * s->z1 / k) - slow * (K(1) - d * s->z2 / k);
  return make_step_bounds(in->h * r_max(rise, K(0)) + p->sigma2,
                          p->f1 * r_max(r_abs(s->z1), k) + p->f2 * r_max(r_abs(s->z2), k), p->sigma2);
}

#include "core/model_end.h"
