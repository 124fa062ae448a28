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
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  V(k,     ELEMENTS, "N/m", (4e4, 3e4, 2e4, 1e4),   0, 1e12, LOG,    STIFFNESS,      "stiffness of each element") \
  V(alpha, ELEMENTS, "1",   (0.1, 0.2, 0.3, 0.4),   0, 1,    LINEAR, SHARE,          "share of each element in the level") \
  P(c,      "N/s",   100,  1e-6, 1e12, LOG,    FORCE_RATE,     "attraction: rate c/g towards the Stribeck level") \
  P(fc,     "N",     1,    1e-9, 1e9,  LOG,    LEVEL,          "Coulomb level")                      \
  P(fs,     "N",     1.5,  1e-9, 1e9,  LOG,    STATIC_LEVEL,   "static level")                       \
  P(vs,     "m/s",   1e-3, 1e-9, 1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed")                     \
  P(gamma,  "1",     2,    0.1,  10,   LINEAR, EXPONENT,       "Stribeck exponent")                  \
  P(sigma1, "N*s/m", 0,    0,    1e9,  LOG,    DAMPING,        "damping of the elements")            \
  P(sigma2, "N*s/m", 0.4,  0,    1e9,  LOG,    VISCOUS,        "viscous coefficient")
#define STATES(S, V)                                                                                 \
  V(z,    ELEMENTS, "m", FLOW, "deflection of each element")                                         \
  V(slip, ELEMENTS, "1", JUMP, "1 while the element slips, 0 while it sticks")
#define RELATIONS(R) R(AT_LEAST, fs, fc) R(SUM_IS_ONE, alpha)
#define RULES(R) ELEMENT_RULES(R)
#define COMMON(C) C(gamma, 2)
#define JUMPS_AT_REST /* an element that slipped and stops feels no attraction any more */
#include "core/model_begin.h"

KERNEL real gms_level(const params *p, vec v) { return stribeck_level(p->fc, p->fs, p->vs, p->gamma, v_norm(v)); }

/* an element slips on while the motion goes its way; at rest or after a reversal it sticks */
KERNEL int gms_slips_on(real slip, vec f, vec v) { return slip > K(0.5) && v_dot(f, v) > K(0); }

KERNEL vec gms_eval(const params *p, const state *s, const input *in, state *rate)
{
  real g = gms_level(p, in->v);
  vec sum = v_scale(p->sigma2, in->v);
  for (int i = 0; i < ELEMENTS; i++) {
    vec f = v_scale(p->k[i], s->z[i]);
    int at_level = v_dot(f, in->v) > K(0) && v_norm(f) >= p->alpha[i] * g;
    vec attraction = v_scale(p->c, v_sub(v_along(p->alpha[i], in->v), v_scale(K(1) / g, f)));
    vec dz = v_select(gms_slips_on(s->slip[i], f, in->v) || at_level, element_deflection(attraction, p->k[i]), in->v);
    rate->z[i] = v_scale(p->k[i] > K(0) ? K(1) : K(0), dz);
    rate->slip[i] = K(0);
    sum = v_add(sum, v_add(f, v_scale(p->sigma1 * p->alpha[i], rate->z[i])));
  }
  return sum;
}

KERNEL vec gms_move(const params *p, state *s, const input *in)
{
  real g = gms_level(p, in->v);
  vec sum = v_scale(p->sigma2, in->v);
  for (int i = 0; i < ELEMENTS; i++) {
    real level = p->alpha[i] * g;
    vec f = v_scale(p->k[i], s->z[i]), move = v_scale(p->k[i] * in->h, in->v), trial = v_add(f, move);
    int slipped = gms_slips_on(s->slip[i], f, in->v);
    int slips = slipped || (v_dot(trial, in->v) > K(0) && v_norm(trial) > level);
    /* stick up to the level, then the attraction for the rest of the step */
    real stick = slipped ? K(0) : v_onset(f, move, level);
    vec onset = v_add(f, v_scale(stick, move)), goal = v_along(level, in->v);
    real fade = r_decay(p->c * in->h * (K(1) - stick) / g).e;
    vec slid = v_add(goal, v_scale(fade, v_sub(onset, goal)));
    vec z_end = element_deflection(v_select(slips, slid, trial), p->k[i]);
    vec dz = v_sub(z_end, s->z[i]);
    sum = v_add(sum, v_add(v_scale(p->k[i], z_end), v_scale(p->sigma1 * p->alpha[i] * (K(1) / in->h), dz)));
    s->z[i] = z_end;
    s->slip[i] = slips && p->k[i] > K(0) ? K(1) : K(0);
  }
  return sum;
}

KERNEL vec gms_steady(const params *p, const input *in)
{
  return v_add(v_along(v_norm(in->v) > K(0) ? gms_level(p, in->v) : K(0), in->v), v_scale(p->sigma2, in->v));
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

KERNEL step_bounds gms_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  real stiffness = K(0), damped = K(0);
  for (int i = 0; i < ELEMENTS; i++) {
    stiffness += p->k[i] * v_dot(d, s->z[i]) < p->alpha[i] * p->fs ? p->k[i] : K(0);
    damped += K(2) * p->alpha[i] * p->alpha[i] * p->fs / r_max(p->k[i], K(REAL_TINY)) * (p->k[i] > K(0) ? K(1) : K(0));
  }
  return make_step_bounds(stiffness * in->h + p->sigma1 + p->sigma2, p->fs + p->sigma1 * damped / in->h, p->sigma2);
}

#include "core/model_end.h"
