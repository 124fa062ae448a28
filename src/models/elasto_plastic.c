/* Elasto-plastic (Dupont): LuGre whose bristle is purely elastic up to zba, so that it does not drift.
 *
 * At constant v the equation is one in the displacement q along the motion, and falls into three parts: up to zba
 * the bristle follows the motion exactly; beyond zm = g/sigma0 it relaxes exponentially, exactly; between them the
 * part still missing, eta = (zm - q)/(zm - zba), obeys
 *
 *   d eta/d tau = -(b eta + c eta^2),  b = 1 - zba/zm,  c = (1 - b eta) (sin(pi eta/2)/eta)^2,  tau = path/(zm - zba).
 *
 * c varies only between 1 - b and pi^2/4, and for constant c the solution is known. Four sub-steps of high order in
 * c, growing with the path, miss by 5e-5 (zm - zba) at worst, when one step crosses the whole zone, and by far less
 * when several do. eta stays within 0..1 because all weights of c are positive: the step is stable for any length.
 * The sine takes |z|: with z it would be wrong for negative z. In the plane and in space: elasto_plastic_vector.h. */
#define MODEL elasto_plastic
#define TITLE "Elasto-plastic: LuGre without drift"
#define EQUATIONS                                                                                    \
  "dz/dt = v (1 - a sigma0 z sgn(v)/g(v))\n"                                                         \
  "F     = sigma0 z + sigma1 dz/dt + sigma2 v\n"                                                     \
  "a = 0 for z v <= 0 or |z| <= zba, 1 for |z| >= zm = g/sigma0,\n"                                  \
  "    (1 + sin(pi (|z| - (zm + zba)/2)/(zm - zba)))/2 between\n"                                    \
  "g(v)  = fc + (fs - fc) exp(-|v/vs|^gamma)"
#define USE                                                                                          \
  "Where LuGre creeps away under vibration or a wavering load: haptics, positioning, holding. Same parameters plus zba."
#define LIMITS "No hysteresis below zba and no non-local memory (use gms). In load form level a small load lowers zba."
#define SOURCE "Dupont, Hayward, Armstrong, Altpeter, IEEE TAC 47 (2002)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   1e5,      1e-3,  1e12, LOG,    STIFFNESS,      "bristle stiffness")             \
  P(sigma1, "N*s/m", 316.2278, 0,     1e9,  LOG,    DAMPING,        "bristle damping")               \
  P(sigma2, "N*s/m", 0.4,      0,     1e9,  LOG,    VISCOUS,        "viscous coefficient")           \
  P(fc,     "N",     1,        1e-9,  1e9,  LOG,    LEVEL,          "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,      1e-9,  1e9,  LOG,    STATIC_LEVEL,   "static level, reached in slow sliding") \
  P(vs,     "m/s",   1e-3,     1e-9,  1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed")                \
  P(gamma,  "1",     2,        0.1,   10,   LINEAR, EXPONENT,       "Stribeck exponent")             \
  P(zba,    "m",     7e-6,     1e-15, 1e3,  LOG,    LENGTH,         "deflection up to which the contact is elastic")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean bristle deflection")
#define RELATIONS(R) R(AT_LEAST, fs, fc) R(BELOW_RATIO, zba, fc, sigma0)
#define COMMON(C) C(gamma, 2)
#define HEAVY
#include "core/model_begin.h"

enum { PLASTIC_STEPS = 4 }; /* their lengths r^k/((1 + r)(1 + r^2)) assume four */

KERNEL real elasto_plastic_level(const params *p, real speed)
{
  return stribeck_level(p->fc, p->fs, p->vs, p->gamma, speed);
}

/* alpha, as a function of the part eta of the way from zba to zm that is left */
KERNEL real elasto_plastic_share(real eta) { return K(1) - square(r_sinq(eta)); }

/* c of a bristle; in the plane alpha sees its whole length, which grows with the turn rho: elasto_plastic_vector.h */
KERNEL real elasto_plastic_bend(real eta, real rho, real b)
{
  real seen = BRISTLE_DIM == 1 ? eta : clamp(eta * (K(1) + rho) - rho / b, K(0), K(1));
  return (K(1) - b * eta) * square(r_sinq(seen) / r_max(eta, K(REAL_TINY)));
}

/* eta after a path over which the mean of c is q/phi: eta e/(1 + eta q) */
KERNEL real elasto_plastic_left(real eta, real e, real q) { return eta * e / (K(1) + eta * q); }

typedef struct plastic_step {
  real change, half; /* of eta over the step; eta in its middle */
} plastic_step;

/* One sub-step; rho at its start, middle and end. */
KERNEL plastic_step elasto_plastic_yield(real eta, real b, real step, const real rho[3])
{
  plastic_step y;
  decay half = r_decay(K(0.5) * b * step);
  real e = half.e * half.e, d = half.d * (K(1) + half.e), phi = d / b, phi_half = half.d / b;
  real c0 = elasto_plastic_bend(eta, rho[0], b);
  real c1 = elasto_plastic_bend(elasto_plastic_left(eta, half.e, phi_half * c0), rho[1], b);
  y.half = elasto_plastic_left(eta, half.e, phi_half * c1);
  real c2 = elasto_plastic_bend(y.half, rho[1], b);
  real c3 = elasto_plastic_bend(elasto_plastic_left(eta, e, phi * c2), rho[2], b);
  /* Simpson's weights under e^-(b t), exact for constant c; shortened beyond b step = 3 to stay positive */
  real sixth = r_min(step, K(3) / b) * K(1.0 / 6), middle = K(2) * sixth * r_max(half.e, K(0.22313016));
  real q = phi * c3 + sixth * (c0 - c3) + middle * (c1 + c2 - K(2) * c3);
  y.change = eta * (d + eta * q) / (K(1) + eta * q);
  return y;
}

/* each of the four sub-steps is longer than the one before by this factor */
KERNEL real elasto_plastic_growth(real eta, real tau) { return r_sqrt(r_sqrt(K(1) + K(2.5) * tau * eta)); }

KERNEL real elasto_plastic_first_step(real tau, real r) { return tau / ((K(1) + r) * (K(1) + r * r)); }

/* alpha for a deflection of size y in the direction of motion */
KERNEL real elasto_plastic_alpha(real y, real zba, real zm)
{
  real eta = clamp((zm - y) / r_max(zm - zba, K(REAL_TINY)), K(0), K(1));
  return y <= zba && y < zm ? K(0) : elasto_plastic_share(eta);
}

KERNEL vec elasto_plastic_force(const params *p, vec z, vec dz, vec v)
{
  return v_add(v_add(v_scale(p->sigma0, z), v_scale(p->sigma1, dz)), v_scale(p->sigma2, v));
}

#if BRISTLE_DIM == 1
/* how much of eta is used up over the path tau */
KERNEL real elasto_plastic_used(real eta, real b, real tau)
{
  const real straight[3] = { K(0), K(0), K(0) };
  real used = K(0), r = elasto_plastic_growth(eta, tau), step = elasto_plastic_first_step(tau, r);
  for (int i = 0; i < PLASTIC_STEPS; i++) {
    real change = elasto_plastic_yield(eta, b, step, straight).change;
    used += change;
    eta = r_max(eta - change, K(0));
    step *= r;
  }
  return used;
}

/* change of a deflection q along the line of motion over a path */
KERNEL real elasto_plastic_advance(real q, real zba, real zm, real path)
{
  real elastic = clamp(zba - q, K(0), path);
  if (q >= zm) return (zm - q) * r_decay(path / zm).d;
  if (elastic >= path) return path;
  real width = r_max(zm - zba, K(REAL_EPSILON) * zm), b = width / zm;
  real eta = clamp((zm - q - elastic) / width, K(0), K(1));
  return r_min(elastic + width * elasto_plastic_used(eta, b, (path - elastic) / width), zm - q);
}

/* the share of slip that turns plastic: only a bristle bent the way it moves slips */
KERNEL real elasto_plastic_slip(vec z, vec v, real zba, real zm)
{
  real q = z * sign(v);
  return q <= K(0) ? K(0) : elasto_plastic_alpha(q, zba, zm);
}

KERNEL vec elasto_plastic_bent(const params *p, const state *s, const input *in)
{
  real zm = elasto_plastic_level(p, r_abs(in->v)) / p->sigma0, d = r_copysign(K(1), in->v);
  return d * elasto_plastic_advance(d * s->z, r_min(p->zba, zm), zm, r_abs(in->v) * in->h);
}
#else
#include "models/elasto_plastic_vector.h"
#endif

KERNEL vec elasto_plastic_eval(const params *p, const state *s, const input *in, state *rate)
{
  real speed = v_norm(in->v), zm = elasto_plastic_level(p, speed) / p->sigma0, zba = r_min(p->zba, zm);
  real slip = elasto_plastic_slip(s->z, in->v, zba, zm);
  rate->z = v_sub(in->v, v_scale(slip * speed / zm, s->z));
  return elasto_plastic_force(p, s->z, rate->z, in->v);
}

KERNEL vec elasto_plastic_move(const params *p, state *s, const input *in)
{
  vec dz = elasto_plastic_bent(p, s, in);
  s->z = v_add(s->z, dz);
  return elasto_plastic_force(p, s->z, v_scale(K(1) / in->h, dz), in->v);
}

KERNEL vec elasto_plastic_steady(const params *p, const input *in)
{
  real speed = v_norm(in->v);
  return v_add(v_along(speed > K(0) ? elasto_plastic_level(p, speed) : K(0), in->v), v_scale(p->sigma2, in->v));
}

KERNEL real elasto_plastic_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return K(0.5) * p->sigma0 * v_dot(s->z, s->z);
}

KERNEL bristle_mode elasto_plastic_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(v_scale(p->sigma0, s->z), elasto_plastic_level(p, v_norm(in->v)), in->v, p->vs);
}

KERNEL step_bounds elasto_plastic_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  real elastic = p->sigma0 * v_dot(d, s->z), most = r_max(p->fs, p->sigma0 * v_norm(s->z));
  real bend = elastic <= p->sigma0 * p->zba ? K(1) : r_max(K(1) - elastic / r_max(p->fs, K(REAL_TINY)), K(0));
  return make_step_bounds((p->sigma0 * in->h + p->sigma1) * bend + p->sigma2,
                          most * (K(1) + K(2) * p->sigma1 / (p->sigma0 * in->h)), p->sigma2);
}

#include "core/model_end.h"
