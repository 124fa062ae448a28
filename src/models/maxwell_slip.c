/* Maxwell slip (Iwan, Prandtl-Ishlinskii): springs that each slip at their own level, side by side.
 *
 * An element follows the motion elastically and is held at its level: the update by a displacement is exact for
 * any step. Unused elements have k = alpha = 0. */
#define MODEL maxwell_slip
#define TITLE "Maxwell slip: parallel spring-slider elements"
#define EQUATIONS                                                                                    \
  "k_i z_i follows k_i x and is held within +-alpha_i fc\n"                                          \
  "F = sum k_i z_i + sigma2 v,  sum alpha_i = 1"
#define USE                                                                                          \
  "Rate-independent presliding hysteresis with non-local memory: Masing branches, closed minor loops, return points."
#define LIMITS "No Stribeck effect, no lag, no dependence on rate (use gms)."
#define SOURCE "Iwan, J. Appl. Mech. 33 (1966); Prandtl 1928, Ishlinskii 1944."
#define TRAITS                                                                                       \
  (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_RATE_FREE | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_PASSIVE)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  V(k,     ELEMENTS, "N/m", (4e4, 3e4, 2e4, 1e4),   0, 1e12, LOG,    STIFFNESS, "stiffness of each element") \
  V(alpha, ELEMENTS, "1",   (0.1, 0.2, 0.3, 0.4),   0, 1,    LINEAR, SHARE,     "share of each element in the level") \
  P(fc,     "N",     1, 1e-9, 1e9, LOG,    LEVEL,     "Coulomb level of all elements together")      \
  P(sigma2, "N*s/m", 0, 0,    1e9, LOG,    VISCOUS,   "viscous coefficient")
#define STATES(S, V)                                                                                 \
  V(z, ELEMENTS, "m", FLOW, "deflection of each element")
#define RELATIONS(R) R(SUM_IS_ONE, alpha)
#define RULES(R) ELEMENT_RULES(R)
#include "core/model_begin.h"

KERNEL real maxwell_slip_eval(const params *p, const state *s, const input *in, state *rate)
{
  real sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) {
    real f = p->k[i] * s->z[i];
    int slips = in->v * f > K(0) && r_abs(f) >= p->alpha[i] * p->fc;
    rate->z[i] = slips || !(p->k[i] > K(0)) ? K(0) : in->v;
    sum += held_within(p, f, p->alpha[i] * p->fc);
  }
  return sum + p->sigma2 * in->v;
}

/* the force path is not linear over the step; the force returned is the one at its end */
KERNEL real maxwell_slip_move(const params *p, state *s, const input *in)
{
  real sum = K(0);
  for (int i = 0; i < ELEMENTS; i++) {
    real f = held_within(p, p->k[i] * (s->z[i] + in->v * in->h), p->alpha[i] * p->fc);
    s->z[i] = element_deflection(f, p->k[i]);
    sum += f;
  }
  return sum + p->sigma2 * in->v;
}

KERNEL real maxwell_slip_steady(const params *p, const input *in) { return sign(in->v) * p->fc + p->sigma2 * in->v; }

KERNEL real maxwell_slip_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return element_energy(p->k, s->z);
}

KERNEL bristle_mode maxwell_slip_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(element_force(p->k, s->z), p->fc, in->v, K(1e-3));
}

KERNEL step_bounds maxwell_slip_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real stiffness = K(0);
  for (int i = 0; i < ELEMENTS; i++) stiffness += d * p->k[i] * s->z[i] < p->alpha[i] * p->fc ? p->k[i] : K(0);
  return make_step_bounds(stiffness * in->h + p->sigma2, p->fc, p->sigma2);
}

#include "core/model_end.h"
