/* Friction that rises with a power of the speed: a constant level and b |v|^n, with true stick.
 *
 * Below 1 the exponent makes the curve concave, as thin films, greases and gears do: it is infinitely steep at rest, so
 * nothing here divides by the speed, and the coupled step meets the curve by a bracket, not by its slope. */
#define MODEL power
#define TITLE "Power: a level and a power of the speed, with true stick"
#define EQUATIONS                                                                                    \
  "v != 0: F = (fc + b |v|^n) sgn v\n"                                                               \
  "v  = 0: F = whatever holds the body, at most fc"
#define USE                                                                                          \
  "Friction that rises less than in proportion to the speed (n < 1: greased gears, seals, joints of robots), or more " \
  "(n > 1)."
#define LIMITS                                                                                       \
  "No static peak, no presliding displacement, no lag. b is the force at 1 m/s and has the unit N s^n/m^n. A small n " \
  "can hardly be told from a higher fc unless the speeds span decades."
#define SOURCE                                                                                       \
  "Herschel, Bulkley, Kolloid-Z. 39 (1926) for greases; for gears and joints the usual extension of Coulomb friction."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc, "N",     1,   1e-9, 1e9, LOG,    LEVEL,   "Coulomb level")                                   \
  P(b,  "N*s/m", 1,   0,    1e9, LOG,    VISCOUS, "force of the rising part at 1 m/s; N s^n/m^n")    \
  P(n,  "1",     0.6, 0.05, 5,   LINEAR, POWER,   "power of the speed; 1 is coulomb")
#define STATES(S, V)
#define REDUCTIONS(R) R(coulomb, "n = 1", "sigma2 = b")
#define INSTANT
#define STICTION
#include "core/model_begin.h"

KERNEL real power_force(const params *p, const input *in)
{
  real level = p->fc + p->b * r_pow(r_abs(in->v), p->n);
  return in->v == K(0) ? saturate(in->f, p->fc) : r_copysign(level, in->v);
}

KERNEL range power_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fc, p->fc);
}

/* within a step the speed stays below the free one, so the force is bounded by its value there */
KERNEL step_bounds power_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)d;
  return make_step_bounds(K(0), p->fc + p->b * r_pow(r_abs(in->v), p->n), K(0));
}

#include "core/model_end.h"
