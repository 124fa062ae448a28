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
  "limit = 1: sigma0 z + sigma1 dz/dt is held within +-fs"
#define USE                                                                                          \
  "Presliding stiffness, stick-slip, frictional lag, break-away that depends on the force rate; the usual " \
  "choice for machine axes and for friction compensation."
#define LIMITS                                                                                       \
  "Drifts under vibration below break-away (use elasto_plastic or gms), has no non-local memory (use gms), and " \
  "believes any initial z: a bristle bent beyond fs/sigma0 holds or pushes without bound (use lugre_bounded)."
#define SOURCE                                                                                       \
  "Canudas de Wit, Olsson, Astrom, Lischinsky, IEEE TAC 40 (1995) 419-425; sigma1(v): Olsson, PhD thesis, Lund 1996."
#define TRAITS (BRISTLE_ODD | BRISTLE_STICKS | BRISTLE_STEADY | BRISTLE_ENERGY)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   1e5,      1e-3, 1e12, LOG,    "bristle stiffness")                              \
  P(sigma1, "N*s/m", 316.2278, 0,    1e9,  LOG,    "bristle damping")                                \
  P(sigma2, "N*s/m", 0.4,      0,    1e9,  LOG,    "viscous coefficient")                            \
  P(fc,     "N",     1,        1e-9, 1e9,  LOG,    "Coulomb level, reached in fast sliding")         \
  P(fs,     "N",     1.5,      1e-9, 1e9,  LOG,    "static level, reached in slow sliding")          \
  P(vs,     "m/s",   1e-3,     1e-9, 1e3,  LOG,    "Stribeck speed: the drop from fs has decayed to 1/e") \
  P(gamma,  "1",     2,        0.1,  10,   LINEAR, "Stribeck exponent")                              \
  P(vd,     "m/s",   1e9,      1e-9, 1e9,  LOG,    "speed at which sigma1 has decayed to 1/e; 1e9 = constant sigma1") \
  P(limit,  "1",     0,        0,    1,    OPTION, "1 limits the bristle force to fs")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean bristle deflection")
#define RULES(R)                                                                                     \
  R(fs, p->fs, p->fs >= p->fc, "fs must not be below fc")
#define ADVICE(A)                                                                                    \
  A(sigma2, p->sigma2, p->vd < K(9.33) * p->fc / p->sigma1 || p->sigma2 * p->fc >= p->sigma1 * (p->fs - p->fc), \
    "not passive: sigma2 < sigma1 (fs - fc)/fc, so friction can feed energy in; choose vd < 9.33 fc/sigma1")  \
  A(vs, p->vs, in->w * stribeck_steepness(p->gamma) * (p->fs - p->fc) < p->vs,                       \
    "the step is long: the Stribeck drop is steeper than the inertia resolves; shorten h or expect early or late slip")
#define COMMON(C) C(gamma, 2) C(vd, 1e9) C(limit, 0)
#include "core/model_begin.h"
#include "models/lugre_bristle.h"

KERNEL vec lugre_eval(const params *p, const state *s, const input *in, state *rate)
{
  rate->z = v_sub(in->v, v_scale(lugre_slip(p, in->v), s->z));
  return lugre_force(p, s->z, rate->z, in->v);
}

KERNEL vec lugre_move(const params *p, state *s, const input *in)
{
  vec dz = lugre_bend(p, s->z, in->v, K(in->h));
  s->z = v_add(s->z, dz);
  return lugre_force(p, s->z, v_scale(K(1) / in->h, dz), in->v);
}

#include "core/model_end.h"
