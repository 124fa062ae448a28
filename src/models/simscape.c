/* The translational friction block of Simscape: a Gaussian hump whose top is exactly fs - fc at vbrk, on a tanh that
 * is complete there (tanh 10 = 1 - 4e-9). With u = v/vbrk the hump is u exp((1 - u^2)/2): the sqrt(2e) of the
 * documentation cancels against its Stribeck speed sqrt(2) vbrk. */
#define MODEL simscape
#define TITLE "Simscape: break-away hump, Coulomb and viscous parts, all smooth"
#define EQUATIONS                                                                                    \
  "F = sqrt(2 e) (fs - fc) exp(-(v/vst)^2) v/vst + fc tanh(v/vc) + sigma2 v\n"                       \
  "vst = sqrt(2) vbrk,  vc = vbrk/10"
#define USE "Comparison with and transfer from Simscape models: same parameters, same numbers."
#define LIMITS                                                                                       \
  "Never sticks: it creeps under any load (0.1 vbrk atanh(F/fc) if fs = fc, 0.05493 vbrk at fc/2; less with a static " \
  "peak). Stiff: the Coulomb part turns over within vbrk/10."
#define SOURCE "MathWorks, Simscape reference, Translational Friction block (fs is its breakaway friction force)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,   "break-away level, reached at vbrk")   \
  P(vbrk,   "m/s",   1e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED, "break-away speed: speed of the peak") \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,          "Coulomb level, reached in fast sliding") \
  P(sigma2, "N*s/m", 0.4,  0,    1e9, LOG,    VISCOUS,        "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(vbrk, p->vbrk, in->w * K(0.7358) * (p->fs - p->fc) < p->vbrk,                                    \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define CREEP(p) ((p)->vbrk)
#define REDUCTIONS(R) R(tanh, "fs = fc", "vt = vbrk/10")
#include "core/model_begin.h"

KERNEL real simscape_force(const params *p, const input *in)
{
  real u = in->v / p->vbrk;
  real hump = K(1.6487212707001282) * u * r_decay(K(0.5) * u * u).e; /* sqrt(e) u exp(-u^2/2) */
  return (p->fs - p->fc) * hump + p->fc * r_tanh(K(10) * u) + p->sigma2 * in->v;
}

KERNEL step_bounds simscape_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real slope = (K(1.6487212707001282) * (p->fs - p->fc) + K(10) * p->fc) / p->vbrk;
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(slope + p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
