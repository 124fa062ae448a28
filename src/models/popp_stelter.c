/* Popp and Stelter: friction that first falls with speed and then grows with its square. The source writes it for a
 * coefficient; here it is a force, with the same formula for both.
 *
 * l2 v^2 has no bound, but friction only slows the body down, so the end velocity of a coupled step is never beyond
 * the free one. With l2 |v_free| taken as the viscous slope, what remains of l2 u^2 for u up to v_free is at most
 * l2 v_free^2/4: that is the bound. */
#define MODEL popp_stelter
#define TITLE "Popp-Stelter: hyperbolic fall and quadratic growth, with true stick"
#define EQUATIONS                                                                                    \
  "v != 0: F = [(fs - fc)/(1 + l1 |v|) + fc + l2 v^2] sgn v\n"                                       \
  "v  = 0: F = whatever holds the body, at most fs"
#define USE "Stick-slip and chaos studies; friction that passes a minimum on its way to high speed."
#define LIMITS "No presliding, no lag. fc is the level the fall tends to; with l2 > 0 it is never reached."
#define SOURCE                                                                                       \
  "Popp, Stelter, Stick-slip vibrations and chaos, Phil. Trans. R. Soc. A 332 (1990); the defaults are its example."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fs, "N",         0.4,  1e-9, 1e9, LOG,    STATIC_LEVEL,  "static level (mu0)")                   \
  P(fc, "N",         0.1,  1e-9, 1e9, LOG,    LEVEL,         "level the falling part tends to (mu1)") \
  P(l1, "s/m",       1.42, 0,    1e9, LOG,    STRIBECK_FALL, "fall: half of fs - fc is gone at 1/l1") \
  P(l2, "N*s^2/m^2", 0.01, 0,    1e9, LOG,    DRAG,          "growth with the square of the speed")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(l1, p->l1, in->w * p->l1 * (p->fs - p->fc) < K(1),                                               \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define STICTION
#define REDUCTIONS(R) R(coulomb, "fs = fc, l2 = 0", "sigma2 = 0")
#include "core/model_begin.h"

KERNEL real popp_stelter_force(const params *p, const input *in)
{
  real level = (p->fs - p->fc) / (K(1) + p->l1 * r_abs(in->v)) + p->fc;
  real dry = in->v == K(0) ? saturate(in->f, p->fs) : r_copysign(level, in->v);
  return dry + p->l2 * r_abs(in->v) * in->v;
}

KERNEL range popp_stelter_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

KERNEL step_bounds popp_stelter_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real slope = p->l2 * r_abs(in->v);
  (void)s;
  (void)d;
  return make_step_bounds(K(0), p->fs + K(0.25) * slope * r_abs(in->v), slope);
}

#include "core/model_end.h"
