/* Makkar, Dixon, Sawyer and Hu: three tanh and a viscous term. The first difference rises with g2 and falls with g3,
 * so g3 < g2 is what makes it a Stribeck hump; the reversed order would feed energy in and is refused. */
#define MODEL makkar
#define TITLE "Makkar: continuously differentiable friction from three tanh"
#define EQUATIONS "F = g1 (tanh(g2 v) - tanh(g3 v)) + g4 tanh(g5 v) + g6 v"
#define USE "Adaptive and neural control that needs a differentiable friction; g1, g4 and g6 enter linearly."
#define LIMITS                                                                                       \
  "Never sticks: it creeps under any load. The static level is about g1 + g4, reached only for g3 much below g2 and " \
  "g5. Six parameters that interact: fix g2, g3, g5 before fitting the others."
#define SOURCE "Makkar, Dixon, Sawyer, Hu, A new continuously differentiable friction model, AIM 2005."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(g1, "N",     0.25, 0,    1e9, LOG,    EXCESS_LEVEL,   "height of the Stribeck hump")             \
  P(g2, "s/m",   100,  1e-3, 1e9, LOG,    SMOOTHING_RISE, "rise of the hump per unit speed")         \
  P(g3, "s/m",   10,   1e-3, 1e9, LOG,    STRIBECK_FALL,  "fall of the hump per unit speed")         \
  P(g4, "N",     0.5,  0,    1e9, LOG,    LEVEL,          "Coulomb level")                           \
  P(g5, "s/m",   100,  1e-3, 1e9, LOG,    SMOOTHING_RISE, "rise of the Coulomb part per unit speed") \
  P(g6, "N*s/m", 0.01, 0,    1e9, LOG,    VISCOUS,        "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, g2, g3)
#define ADVICE(A)                                                                                    \
  A(g3, p->g3, in->w * p->g1 * p->g3 < K(1),                                                         \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define CREEP(p) (K(1) / (p)->g5)
#define REDUCTIONS(R) R(tanh, "g1 = 0", "fc = g4, vt = 1/g5, sigma2 = g6")
#include "core/model_begin.h"

KERNEL real makkar_force(const params *p, const input *in)
{
  real hump = r_tanh(p->g2 * in->v) - r_tanh(p->g3 * in->v);
  return p->g1 * hump + p->g4 * r_tanh(p->g5 * in->v) + p->g6 * in->v;
}

KERNEL step_bounds makkar_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->g1 * (p->g2 - p->g3) + p->g4 * p->g5 + p->g6, p->g1 + p->g4, p->g6);
}

#include "core/model_end.h"
