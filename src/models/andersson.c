/* Andersson, Soderberg and Bjorklund: the Stribeck curve times tanh. Trap: the product never reaches fs, because the
 * curve has begun to fall before tanh is near 1; the peak comes close to fs only for vt much below vs. */
#define MODEL andersson
#define TITLE "Andersson: Stribeck curve smoothed by tanh, plus viscous"
#define EQUATIONS "F = [fc + (fs - fc) exp(-|v/vs|^gamma)] tanh(v/vt) + sigma2 v"
#define USE "Lubricated and mixed contacts in solvers that need a smooth force; tanh with a Stribeck peak."
#define LIMITS                                                                                       \
  "Never sticks: well below vs it creeps under a load F at about v = vt atanh(F/fs), 0.5493 vt at fs/2. The peak " \
  "stays below fs. The paper writes tanh(k v); here vt = 1/k."
#define SOURCE                                                                                       \
  "Andersson, Soderberg, Bjorklund, Friction models for sliding dry, boundary and mixed lubricated contacts, " \
  "Tribol. Int. 40 (2007)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,           "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level of the Stribeck curve; a bound of the peak") \
  P(vs,     "m/s",   1e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED,  "Stribeck speed: the drop from fs has decayed to 1/e") \
  P(gamma,  "1",     2,    0.1,  10,  LINEAR, EXPONENT,        "Stribeck exponent")                  \
  P(vt,     "m/s",   1e-4, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "speed of the transition through rest") \
  P(sigma2, "N*s/m", 0.4,  0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(vt, p->vt, p->fs == p->fc || K(5) * p->vt <= p->vs,                                              \
    "vt is not small beside vs: the peak stays clearly below fs")                                    \
  A(vs, p->vs, in->w * stribeck_steepness(p->gamma) * (p->fs - p->fc) < p->vs,                       \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define COMMON(C) C(gamma, 2)
#define INSTANT
#define CREEP(p) ((p)->vt)
#define REDUCTIONS(R) R(tanh, "fs = fc", "")
#include "core/model_begin.h"

KERNEL real andersson_force(const params *p, const input *in)
{
  return stribeck_level(p->fc, p->fs, p->vs, p->gamma, in->v) * r_tanh(in->v / p->vt) + p->sigma2 * in->v;
}

KERNEL step_bounds andersson_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->fs / p->vt + p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
