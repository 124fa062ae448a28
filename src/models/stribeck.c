/* Static Stribeck friction with true stick: any force up to fs at rest, a curve that falls from fs to fc in motion.
 *
 * Four shapes of the fall are in use; `form` picks one. Trap: vs means something else in each of them, an e-fold
 * in form 0, the half-way speed in form 1, the end of the fall in forms 2 and 3. */
#define MODEL stribeck
#define TITLE "Stribeck: static level, falling curve and viscous part, with true stick"
#define EQUATIONS                                                                                    \
  "v != 0: F = g(v) sgn v + sigma2 v\n"                                                              \
  "v  = 0: F = whatever holds the body, at most fs\n"                                                \
  "form 0: g = fc + (fs - fc) exp(-|v/vs|^gamma)      (gamma 1 Tustin, 2 Gaussian, 1/2 tyres)\n"     \
  "form 1: g = fc + (fs - fc)/(1 + |v/vs|^gamma)      (gamma 2 Hess-Soom)\n"                         \
  "form 2: g = fs - (fs - fc) min(|v|/vs, 1)\n"                                                      \
  "form 3: g = fs for |v| < vs, fc from vs on"
#define USE "Machine axes and stick-slip studies when the contact may be taken as rigid: four or five parameters."
#define LIMITS                                                                                       \
  "No presliding displacement, no lag, break-away does not depend on the force rate (use lugre or gms). gamma " \
  "below 1 falls infinitely steeply at rest; gamma has no effect in forms 2 and 3."
#define SOURCE                                                                                       \
  "Tustin 1947; Hess, Soom, J. Tribol. 112 (1990); Armstrong-Helouvry, Dupont, Canudas de Wit, Automatica 30 (1994)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,          "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,   "static level")                        \
  P(vs,     "m/s",   1e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED, "Stribeck speed")                      \
  P(gamma,  "1",     2,    0.1,  10,  LINEAR, EXPONENT,       "Stribeck exponent of forms 0 and 1")  \
  P(sigma2, "N*s/m", 0.4,  0,    1e9, LOG,    VISCOUS,        "viscous coefficient")                 \
  P(form,   "1",     0,    0,    3,   OPTION, CHOICE,         "0 exponential, 1 Lorentzian, 2 piecewise linear, 3 step")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(vs, p->vs, in->w * stribeck_fall(p) * (p->fs - p->fc) < p->vs,                                   \
    "the step is long: the Stribeck drop is steeper than the inertia resolves; shorten h or expect early or late slip")
#define COMMON(C) C(form, 0) C(gamma, 2)
#define INSTANT
#define STICTION
#define REDUCTIONS(R) R(coulomb, "fs = fc", "")
#include "core/model_begin.h"

/* what is left of the drop fs - fc at a speed: 1 at rest, 0 in fast sliding */
KERNEL real stribeck_rest(const params *p, real speed)
{
  real u = speed * (K(1) / p->vs);
  if (p->form == K(2)) return K(1) - r_min(u, K(1));
  if (p->form == K(3)) return u < K(1) ? K(1) : K(0);
  real q = r_pow(u, p->gamma);
  return p->form == K(1) ? K(1) / (K(1) + q) : r_decay(q).e;
}

/* steepest fall per unit v/vs; a step has no slope to resolve, and is left out */
KERNEL real stribeck_fall(const params *p)
{
  real m = r_max(p->gamma, K(1)), c = (m - K(1)) / (m + K(1));
  real lorentz = m * r_pow(c, (m - K(1)) / m) / square(K(1) + c);
  real bent = p->form == K(1) ? lorentz : stribeck_steepness(p->gamma), straight = p->form == K(2) ? K(1) : K(0);
  return p->form < K(2) ? bent : straight;
}

KERNEL vec stribeck_force(const params *p, const input *in)
{
  real speed = v_norm(in->v), level = p->fc + (p->fs - p->fc) * stribeck_rest(p, speed);
  vec dry = v_select(speed == K(0), v_clip(in->f, p->fs), v_along(level, in->v));
  return v_add(dry, v_scale(p->sigma2, in->v));
}

KERNEL range stribeck_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

/* the falling slope would mislead the first guess; the viscous one is safe */
KERNEL step_bounds stribeck_step_bounds(const params *p, const state *s, const input *in, vec d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
