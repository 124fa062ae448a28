/* Pieces of physics that several laws share, each written once. */
#ifndef BRISTLE_PIECES_H
#define BRISTLE_PIECES_H

/* What the coupled step needs to know about a law before it looks for the end velocity. */
typedef struct step_bounds {
  real slope;       /* dF/dv at rest: how hard the contact resists the first motion */
  real force_bound; /* |F - viscous v| never exceeds this */
  real viscous;     /* slope of F at high speed */
} step_bounds;

/* Forces possible at rest. */
typedef struct range {
  real lo, hi;
} range;

FN step_bounds make_step_bounds(real slope, real force_bound, real viscous)
{
  step_bounds g = { slope, force_bound, viscous };
  return g;
}

FN range make_range(real lo, real hi)
{
  range r = { lo, hi };
  return r;
}

FN real clamp(real x, real lo, real hi) { return r_min(r_max(x, lo), hi); }
FN real saturate(real x, real level) { return clamp(x, -level, level); }
#include "core/space.h"
FN real sign(real x) { return x > K(0) ? K(1) : x < K(0) ? K(-1) : K(0); }
FN real square(real x) { return x * x; }

/* exp(-|v/vs|^gamma): 1 at rest, 0 in fast sliding */
FN real stribeck_fade(real v, real vs, real gamma) { return r_decay(r_pow(r_abs(v) * (K(1) / vs), gamma)).e; }

/* The Stribeck level: fs at rest, fc <= fs in fast sliding. Never quite 0, so that it can divide when the load is. */
FN real stribeck_level(real fc, real fs, real vs, real gamma, real v)
{
  return r_fade(r_pow(r_abs(v) * (K(1) / vs), gamma), r_max(fc, K(REAL_TINY)), fs - fc);
}

/* Steepest fall of exp(-u^gamma) per unit u, for step-size advice: 0.858 for gamma = 2. Exponents below 1 have
   an infinite slope at 0; the value for 1 is the useful one. */
FN real stribeck_steepness(real gamma)
{
  real m = r_max(gamma, K(1)), c = (m - K(1)) / m;
  return m * r_pow(c, c) * r_exp(-c);
}

/* Mean of e^-y over 0..x, (1 - e^-x)/x: the exact step of dz/dt = a - b z is z += (a - b z) h mean_decay(b h),
   also for b = 0. Small x use the series, so that neither value nor slope loses digits. */
FN real mean_decay(real x)
{
  real series = K(1) - x * K(0.5) * (K(1) - x * K(1.0 / 3) * (K(1) - x * K(0.25) * (K(1) - x * K(0.2))));
  return x < K(1e-3) ? series : r_decay(x).d / r_max(x, K(1e-3));
}

/* tanh(y)/y, smooth through 0 */
FN real tanhc(real y)
{
  return y < K(1e-3) ? K(1) - y * y * K(1.0 / 3) * (K(1) - K(0.4) * y * y) : r_tanh(y) / r_max(y, K(1e-3));
}

/* Smooth step from h0 to h1 as D goes from 0 to 1: D^2 (3 - 2 D). */
FN real smooth_step(real h0, real h1, real D)
{
  D = clamp(D, K(0), K(1));
  return h0 + (h1 - h0) * D * D * (K(3) - K(2) * D);
}

/* Static level after the time `rest` in stick (Armstrong): from start towards final with time constant tau. */
FN real dwell_level(real start, real final, real tau, real rest)
{
  return start + (final - start) * (rest / (rest + tau));
}

/* Where a bristle law stands: stuck when it hardly moves, sliding when its elastic force has come within 5 % of
   the level in the direction of motion. */
FN bristle_mode bristle_regime(vec elastic, real level, vec v, real vs)
{
  if (v_norm(v) <= K(1e-6) * vs) return BRISTLE_MODE_STUCK;
  return v_dot(elastic, v) >= K(0.95) * level * v_norm(v) ? BRISTLE_MODE_SLIDING : BRISTLE_MODE_PRESLIDING;
}

/* ---- parallel elements (Maxwell slip, GMS, Leuven) ---- */

#define ELEMENTS 10

FN vec element_deflection(vec force, real stiffness)
{
  return v_select(stiffness > K(0), v_over(force, r_max(stiffness, K(REAL_TINY))), v_zero());
}

FN vec element_force(const real *k, const vec *z)
{
  vec sum = v_zero();
  for (int i = 0; i < ELEMENTS; i++) sum = v_add(sum, v_scale(k[i], z[i]));
  return sum;
}

FN real element_energy(const real *k, const vec *z)
{
  real sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) sum += K(0.5) * k[i] * v_dot(z[i], z[i]);
  return sum;
}

FN real element_sum(const real *a)
{
  real sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) sum += a[i];
  return sum;
}

/* an element is used or not: stiffness and share are positive together */
FN int elements_paired(const real *k, const real *alpha)
{
  for (int i = 0; i < ELEMENTS; i++)
    if ((k[i] > K(0)) != (alpha[i] > K(0))) return 0;
  return 1;
}

#define ELEMENT_RULES(R)                                                                             \
  R(k, element_sum(p->k), elements_paired(p->k, p->alpha), "k and alpha must be positive for the same elements")

#endif
