/* Generalised Maxwell slip: Maxwell elements whose slip level follows the Stribeck curve with a lag.
 *
 * A stuck element is a spring; it starts to slip when it reaches alpha_i g(v), then its force is attracted to
 * that level at the rate c/g and stays slipping until the velocity reverses. The step is exact for constant v:
 * the onset of slip is found inside the step, the attraction is an exponential. Elements with k = alpha = 0 are
 * unused. The state is the deflection z_i = F_i/k_i, so that it means the same in every load form. */
#define MODEL gms
#define TITLE "Generalised Maxwell slip: elements that stick, slip and lag"
#define EQUATIONS                                                                                    \
  "stick: dF_i/dt = k_i v            until |F_i| = alpha_i g(v)\n"                                   \
  "slip:  dF_i/dt = c (alpha_i sgn v - F_i/g(v))   until v reverses\n"                               \
  "F = sum F_i + sigma1 sum alpha_i dz_i/dt + sigma2 v,  z_i = F_i/k_i,  sum alpha_i = 1\n"          \
  "g(v) = fc + (fs - fc) exp(-|v/vs|^gamma)"
#define USE                                                                                          \
  "The most complete law here: hysteresis with non-local memory in presliding, Stribeck curve and lag in sliding, " \
  "no drift. For precise positioning with many reversals."
#define LIMITS "Many parameters: needs slow presliding loops and velocity steps to be identified. c is a force rate."
#define SOURCE                                                                                       \
  "Lampaert, Al-Bender, Swevers, PhysCon 2003; Al-Bender, Lampaert, Swevers, IEEE TAC 50 (2005) 1883. "  \
  "sigma1 (damping of the elements) is optional there and 0 by default here."
#define TRAITS (BRISTLE_ODD | BRISTLE_STICKS | BRISTLE_STEADY | BRISTLE_ENERGY)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  V(k,     ELEMENTS, "N/m", (4e4, 3e4, 2e4, 1e4),   0, 1e12, LOG,    "stiffness of each element")    \
  V(alpha, ELEMENTS, "1",   (0.1, 0.2, 0.3, 0.4),   0, 1,    LINEAR, "share of each element in the level") \
  P(c,      "N/s",   100,  1e-6, 1e12, LOG,    "attraction: rate c/g towards the Stribeck level")    \
  P(fc,     "N",     1,    1e-9, 1e9,  LOG,    "Coulomb level")                                      \
  P(fs,     "N",     1.5,  1e-9, 1e9,  LOG,    "static level")                                       \
  P(vs,     "m/s",   1e-3, 1e-9, 1e3,  LOG,    "Stribeck speed")                                     \
  P(gamma,  "1",     2,    0.1,  10,   LINEAR, "Stribeck exponent")                                  \
  P(sigma1, "N*s/m", 0,    0,    1e9,  LOG,    "damping of the elements")                            \
  P(sigma2, "N*s/m", 0.4,  0,    1e9,  LOG,    "viscous coefficient")
#define STATES(S, V)                                                                                 \
  V(z,    ELEMENTS, "m", FLOW, "deflection of each element")                                         \
  V(slip, ELEMENTS, "1", JUMP, "direction in which each element slips, 0 while it sticks")
#define RULES(R)                                                                                     \
  R(fs, p->fs, p->fs >= p->fc, "fs must not be below fc")                                            \
  ELEMENT_RULES(R)
#define COMMON(C) C(gamma, 2)
#define JUMPS_AT_REST /* an element that slipped and stops feels no attraction any more */
#include "core/model_begin.h"

KERNEL real gms_level(const params *p, real v) { return stribeck_level(p->fc, p->fs, p->vs, p->gamma, v); }

KERNEL real gms_eval(const params *p, const state *s, const input *in, state *rate)
{
  real g = gms_level(p, in->v), d = sign(in->v), sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) {
    real f = p->k[i] * s->z[i];
    int slips = d != K(0) && (s->slip[i] == d || d * f >= p->alpha[i] * g);
    real dz = slips ? element_deflection(p->c * (p->alpha[i] * d - f / g), p->k[i]) : in->v;
    rate->z[i] = p->k[i] > K(0) ? dz : K(0);
    rate->slip[i] = K(0);
    sum += f + p->sigma1 * p->alpha[i] * rate->z[i];
  }
  return sum + p->sigma2 * in->v;
}

KERNEL real gms_move(const params *p, state *s, const input *in)
{
  real g = gms_level(p, in->v), d = sign(in->v), sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) {
    real level = p->alpha[i] * g, f = p->k[i] * s->z[i], trial = f + p->k[i] * in->v * in->h;
    int slipped = d != K(0) && s->slip[i] == d;
    int slips = slipped || (d != K(0) && d * trial > level);
    /* the part of the step before the element reaches its level */
    real whole = p->k[i] * r_abs(in->v) * in->h, gap = r_max(level - d * f, K(0));
    real stick = slipped ? K(0) : r_min(gap / r_max(whole, K(REAL_TINY)), K(1));
    real onset = slipped ? f : d * r_max(level, d * f);
    real fade = r_decay(p->c * in->h * (K(1) - stick) / g).e;
    real f_end = slips ? d * level + (onset - d * level) * fade : trial;
    real z_end = element_deflection(f_end, p->k[i]);
    sum += f_end + p->sigma1 * p->alpha[i] * (z_end - s->z[i]) * (K(1) / in->h);
    s->z[i] = z_end;
    s->slip[i] = slips && p->k[i] > K(0) ? d : K(0);
  }
  return sum + p->sigma2 * in->v;
}

KERNEL real gms_steady(const params *p, const input *in)
{
  return sign(in->v) * gms_level(p, in->v) + p->sigma2 * in->v;
}

KERNEL real gms_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return element_energy(p->k, s->z);
}

KERNEL bristle_mode gms_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(element_force(p->k, s->z), gms_level(p, in->v), in->v, p->vs);
}

KERNEL grip gms_grip(const params *p, const state *s, const input *in, real d)
{
  real stiffness = K(0), damped = K(0);
  for (int i = 0; i < ELEMENTS; i++) {
    stiffness += d * p->k[i] * s->z[i] < p->alpha[i] * p->fs ? p->k[i] : K(0);
    damped += element_deflection(K(2) * p->alpha[i] * p->alpha[i] * p->fs, p->k[i]);
  }
  return make_grip(stiffness * in->h + p->sigma1 + p->sigma2, p->fs + p->sigma1 * damped / in->h, p->sigma2);
}

#include "core/model_end.h"
