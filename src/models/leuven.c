/* Modified Leuven: Maxwell elements driven by a state that lags behind the motion as they approach the level.
 *
 * The elements see a displacement that grows by 1 - sgn(r)|r|^n per unit of motion, r = Fh sgn(v)/g: all of it at
 * zero force, none at the Stribeck level, backwards above it. At constant v that is a scalar equation in the path,
 * without a closed form for general n. With 1 - sgn(r)|r|^n = (1 - r) m(r) and a line for Fh the solution is an
 * exponential; eight sub-steps of it, growing with the path, with m and the stiffness from the middle of each, are
 * of second order. Elements that reach their level only soften Fh, so r never passes 1: bounded for any step.
 * Element levels are alpha_i fs, so that together they can carry the static level. */
#include "bristle/bristle.h"
#define MODEL leuven
#define TITLE "Modified Leuven: hysteresis with memory under a Stribeck curve"
#define EQUATIONS                                                                                    \
  "dz/dt = v (1 - sgn(r)|r|^n),  r = Fh sgn(v)/g(v),  Fh = sum k_i z_i\n"                            \
  "k_i z_i follows k_i z and is held within +-alpha_i fs,  sum alpha_i = 1\n"                        \
  "F     = Fh + sigma1 dz/dt + sigma2 v\n"                                                           \
  "g(v)  = fc + (fs - fc) exp(-|v/vs|^gamma)"
#define USE                                                                                          \
  "Presliding hysteresis with non-local memory joined smoothly to the Stribeck curve, with LuGre's damping. " \
  "Prefer gms for new work; this one for published parameter sets. The law before its modification is leuven_original."
#define LIMITS                                                                                       \
  "Creeps a little under vibration about a mean load, by |r|^n (use gms or elasto_plastic). The step is of second "  \
  "order, not exact."
#define SOURCE                                                                                       \
  "Swevers, Al-Bender, Ganseman, Prajogo, IEEE TAC 45 (2000) 675; Lampaert, Swevers, Al-Bender, IEEE TAC 47 (2002) 683."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_ONE_LEVEL)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  V(k,     ELEMENTS, "N/m", (8e4, 6e4, 4e4, 2e4),   0, 1e12, LOG,    STIFFNESS,      "stiffness of each element") \
  V(alpha, ELEMENTS, "1",   (0.1, 0.2, 0.3, 0.4),   0, 1,    LINEAR, SHARE,          "share of each element in the level") \
  P(n,      "1",     2,        0.1,  10,   LINEAR, EXPONENT,       "exponent of the transition to sliding") \
  P(sigma1, "N*s/m", 316.2278, 0,    1e9,  LOG,    DAMPING,        "damping")                        \
  P(sigma2, "N*s/m", 0.4,      0,    1e9,  LOG,    VISCOUS,        "viscous coefficient")            \
  P(fc,     "N",     1,        1e-9, 1e9,  LOG,    LEVEL,          "Coulomb level")                  \
  P(fs,     "N",     1.5,      1e-9, 1e9,  LOG,    STATIC_LEVEL,   "static level, and the sum of the element levels") \
  P(vs,     "m/s",   1e-3,     1e-9, 1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed")                 \
  P(gamma,  "1",     2,        0.1,  10,   LINEAR, EXPONENT,       "Stribeck exponent")
#define STATES(S, V)                                                                                 \
  V(z, ELEMENTS, "m", FLOW, "deflection of each element")
#define RELATIONS(R) R(AT_LEAST, fs, fc) R(SUM_IS_ONE, alpha)
#define RULES(R) ELEMENT_RULES(R)
#define COMMON(C) C(gamma, 2) C(n, 2)
#define HEAVY
#include "core/model_begin.h"

enum { LEUVEN_STEPS = 8 }; /* their lengths r^k/((1 + r)(1 + r^2)(1 + r^4)) assume eight */

KERNEL real leuven_level(const params *p, real v)
{
  return r_max(stribeck_level(p->fc, p->fs, p->vs, p->gamma, v), K(REAL_TINY));
}

/* force of element i after the displacement dz */
KERNEL real leuven_element(const params *p, const state *s, int i, real dz)
{
  return held_within(p, p->k[i] * (s->z[i] + dz), p->alpha[i] * p->fs);
}

KERNEL real leuven_elements(const params *p, const state *s, real dz)
{
  real sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) sum += leuven_element(p, s, i, dz);
  return sum;
}

/* Stiffness of the elements that take part in a motion in direction d; never zero, it divides. An element leaves
   over the last millionth before its level: a plain comparison would depend on the rounding of k (W/k). */
KERNEL real leuven_stiffness(const params *p, const state *s, real d)
{
  real sum = K(1e-12);
  for (int i = 0; i < ELEMENTS; i++) {
    real level = p->alpha[i] * p->fs, gap = K(1) - d * p->k[i] * s->z[i] / r_max(level, K(REAL_TINY));
    sum += p->k[i] * clamp(gap * K(1e6), K(0), K(1));
  }
  return sum;
}

/* (1 - sgn(r)|r|^n)/(1 - r), which is n at r = 1 */
KERNEL real leuven_pull(real r, real n)
{
  real u = K(1) - r, power = r_pow(r_abs(r), n);
  real near = n * (K(1) - (n - K(1)) * K(0.5) * u * (K(1) - (n - K(2)) * K(1.0 / 3) * u));
  return r_abs(u) < K(1e-4) ? near : (K(1) - (r < K(0) ? -power : power)) / u;
}

KERNEL real leuven_eval(const params *p, const state *s, const input *in, state *rate)
{
  real force = leuven_elements(p, s, K(0)), r = force * sign(in->v) / leuven_level(p, in->v);
  real dz = in->v * (K(1) - r) * leuven_pull(r, p->n);
  for (int i = 0; i < ELEMENTS; i++) {
    real f = p->k[i] * s->z[i];
    int held = dz * f > K(0) && r_abs(f) >= level_on(p, f, p->alpha[i] * p->fs);
    rate->z[i] = held || !(p->k[i] > K(0)) ? K(0) : dz;
  }
  return force + p->sigma1 * dz + p->sigma2 * in->v;
}

KERNEL real leuven_move(const params *p, state *s, const input *in)
{
  real g = leuven_level(p, in->v), d = r_copysign(K(1), in->v), path = r_abs(in->v) * in->h, moved = K(0);
  real q = r_sqrt(r_sqrt(r_sqrt(K(1) + path * element_sum(p->k) / g)));
  real step = path / ((K(1) + q) * (K(1) + q * q) * (K(1) + q * q * q * q));
  real force = K(0);
  for (int i = 0; i < ELEMENTS; i++) { /* a load that dropped has lowered the levels */
    real f = leuven_element(p, s, i, K(0));
    s->z[i] = element_deflection(f, p->k[i]);
    force += f;
  }
  for (int j = 0; j < LEUVEN_STEPS; j++) {
    real r = d * force / g, u = K(1) - r, pull = leuven_pull(r, p->n);
    real stiffness = leuven_stiffness(p, s, u < K(0) ? -d : d);
    real half = d * u * (g / stiffness) * r_decay(stiffness * pull * K(0.5) * step / g).d;
    real middle = leuven_elements(p, s, half);
    /* the chord over the first half is not below the one over the whole: r cannot pass 1 */
    real chord = r_max(half == K(0) ? stiffness : (middle - force) / half, K(1e-12));
    real pull_middle = leuven_pull(d * middle / g, p->n);
    real dz = d * u * (g / chord) * r_decay(chord * pull_middle * step / g).d;
    force = K(0);
    for (int i = 0; i < ELEMENTS; i++) {
      real f = leuven_element(p, s, i, dz);
      s->z[i] = element_deflection(f, p->k[i]);
      force += f;
    }
    moved += dz;
    step *= q;
  }
  return force + p->sigma1 * moved * (K(1) / in->h) + p->sigma2 * in->v;
}

KERNEL real leuven_steady(const params *p, const input *in)
{
  return sign(in->v) * leuven_level(p, in->v) + p->sigma2 * in->v;
}

KERNEL real leuven_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return element_energy(p->k, s->z);
}

KERNEL bristle_mode leuven_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(leuven_elements(p, s, K(0)), leuven_level(p, in->v), in->v, p->vs);
}

KERNEL step_bounds leuven_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real span = K(0), r = d * leuven_elements(p, s, K(0)) / r_max(p->fs, K(REAL_TINY));
  for (int i = 0; i < ELEMENTS; i++) span = r_max(span, element_deflection(K(2) * p->alpha[i] * p->fs, p->k[i]));
  real follow = r_max((K(1) - r) * leuven_pull(r, p->n), K(0));
  return make_step_bounds((leuven_stiffness(p, s, d) * in->h + p->sigma1) * follow + p->sigma2,
                          p->fs + p->sigma1 * span / in->h, p->sigma2);
}

#include "core/model_end.h"
