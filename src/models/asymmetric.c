/* Coulomb and viscous friction with its own values for each direction, plus a constant offset: the law identified
 * on the EMPS axis. Rest is the range between the two one-sided limits of the curve, so the offset moves it; with
 * |offset| above the Coulomb levels that range no longer contains 0 and the contact itself drives the body. */
#define MODEL asymmetric
#define TITLE "Asymmetric: Coulomb and viscous friction for each direction, with an offset"
#define EQUATIONS                                                                                    \
  "v > 0: F = offset + fc_plus + sigma2_plus v\n"                                                    \
  "v < 0: F = offset - fc_minus + sigma2_minus v\n"                                                  \
  "v = 0: F = whatever holds the body, between offset - fc_minus and offset + fc_plus"
#define USE                                                                                          \
  "Axes measured in both directions: linear in all parameters, so every log of two directions determines it. Not " \
  "separable: the offset from fc_plus - fc_minus; hold one of them (offset 0, or fc_plus = fc_minus)."
#define LIMITS                                                                                       \
  "No static peak, no presliding, no lag. The offset is an applied force in disguise (amplifier, gravity): it can " \
  "feed energy in."
#define SOURCE                                                                                       \
  "Janot, Gautier, Brunot, Data set and reference models of EMPS, Nonlinear System Identification Benchmarks 2019."
#define TRAITS (BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc_plus,      "N",     1, 1e-9, 1e9, LOG,    LEVEL,   "Coulomb level for v > 0")                 \
  P(fc_minus,     "N",     1, 1e-9, 1e9, LOG,    LEVEL,   "Coulomb level for v < 0")                 \
  P(sigma2_plus,  "N*s/m", 0, 0,    1e9, LOG,    VISCOUS, "viscous coefficient for v > 0")           \
  P(sigma2_minus, "N*s/m", 0, 0,    1e9, LOG,    VISCOUS, "viscous coefficient for v < 0")           \
  P(offset,       "N",     0, -1e9, 1e9, LINEAR, OFFSET,  "constant force, counted as friction")
#define STATES(S, V)
#define ADVICE(A)                                                                                    \
  A(offset, p->offset, p->offset <= p->fc_minus && p->offset >= -p->fc_plus,                         \
    "the offset exceeds the Coulomb level: the contact moves a body that nothing pushes")
#define INSTANT
#define STICTION
#define CLOSED
#define REDUCTIONS(R)                                                                                \
  R(coulomb, "fc_minus = fc_plus, sigma2_minus = sigma2_plus, offset = 0", "fc = fc_plus, sigma2 = sigma2_plus")
#include "core/model_begin.h"

KERNEL range asymmetric_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(p->offset - p->fc_minus, p->offset + p->fc_plus);
}

KERNEL real asymmetric_force(const params *p, const input *in)
{
  real lo = p->offset - p->fc_minus, hi = p->offset + p->fc_plus;
  real dry = in->v > K(0) ? hi : in->v < K(0) ? lo : clamp(in->f, lo, hi);
  return dry + (in->v > K(0) ? p->sigma2_plus : p->sigma2_minus) * in->v;
}

KERNEL real asymmetric_closed(const params *p, const state *s, const input *in)
{
  range rest = asymmetric_stick(p, s, in);
  real left = in->v - clamp(in->v, in->w * rest.lo, in->w * rest.hi);
  return left / (K(1) + in->w * (left > K(0) ? p->sigma2_plus : p->sigma2_minus));
}

KERNEL step_bounds asymmetric_step_bounds(const params *p, const state *s, const input *in, real d)
{
  range rest = asymmetric_stick(p, s, in);
  real viscous = d > K(0) ? p->sigma2_plus : p->sigma2_minus;
  return make_step_bounds(viscous, r_abs(d > K(0) ? rest.hi : rest.lo), viscous);
}

#include "core/model_end.h"
