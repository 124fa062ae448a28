/* LuGre: the contact as one mean bristle that bends, slips and is damped.
 *
 * For constant v the bristle equation is linear in z, so the step is its exact solution: with a = sigma0|v|h/g
 * the deflection moves towards z_ss = (g/sigma0) sgn v by the fraction 1 - e^-a. That form needs one division,
 * has no 0/0 at rest and keeps |z| <= fs/sigma0 for any step. sigma1 acts on the mean bristle rate. */
#define MODEL lugre
#define TITLE "LuGre: a bristle that bends, slips and is damped"
#define EQUATIONS                                                                                    \
  "dz/dt = v - sigma0 |v| z/g(v)\n"                                                                  \
  "F     = sigma0 z + sigma1(v) dz/dt + sigma2 v\n"                                                  \
  "g(v)  = fc + (fs - fc) exp(-|v/vs|^gamma),  sigma1(v) = sigma1 exp(-(v/vd)^2)\n"                  \
  "limit = 1: sigma0 z + sigma1 dz/dt is held within +-fs; 2: sigma0 z alone is"
#define USE                                                                                          \
  "Presliding stiffness, stick-slip, frictional lag, break-away that depends on the force rate; the usual " \
  "choice for machine axes and for friction compensation."
#define LIMITS                                                                                       \
  "Drifts under vibration below break-away (use elasto_plastic or gms), has no non-local memory (use gms), and " \
  "believes any initial z: a bristle bent beyond fs/sigma0 holds or pushes without bound (use lugre_bounded)."
#define SOURCE                                                                                       \
  "Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE TAC 40 (1995) 419-425; sigma1(v): Olsson, PhD thesis, Lund 1996."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_SMOOTH | BRISTLE_TRAIT_AFFINE)
#define LOAD FORCE
#include "models/lugre_table.h"
#define PARAMS(P, V) LUGRE_ROWS(P)
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean bristle deflection")
#define RELATIONS(R) LUGRE_RELATIONS(R)
#define ADVICE(A) LUGRE_ADVICE(A)
#define COMMON(C) C(gamma, 2) C(vd, 1e9) C(limit, 0)
#define HOLD
#define REDUCTIONS(R) R(dahl, "sigma1 = 0, fs = fc", "delta = 1")
#define SLIDING_LEVEL(p) (p)->fc
#define INITIAL_GUESS
#define SPLIT_STEP
#include "core/model_begin.h"
#include "models/lugre_bristle.h"

KERNEL vec lugre_eval(const params *p, const state *s, const input *in, state *rate)
{
  rate->z = v_sub(in->v, lugre_slip(p, s->z, in->v));
  return lugre_force(p, s->z, rate->z, in->v);
}

/* the level of a step: half of its work, and all that does not need the state */
KERNEL real lugre_ahead(const params *p, const input *in) { return lugre_level(p, v_norm(in->v)); }

KERNEL vec lugre_move_on(const params *p, state *s, const input *in, real level)
{
  vec dz = lugre_bend(p, s->z, in->v, level, K(in->h));
  s->z = v_add(s->z, dz);
  return lugre_force(p, s->z, v_scale(K(1) / in->h, dz), in->v);
}

KERNEL vec lugre_move(const params *p, state *s, const input *in)
{
  return lugre_move_on(p, s, in, lugre_ahead(p, in));
}

#include "core/model_end.h"
