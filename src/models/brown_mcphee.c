/* Brown and McPhee: tanh for the Coulomb part, and a rational hump of height exactly 1 at vt for the Stribeck part.
 * Infinitely smooth; the peak is at vt to within 7e-4 fc. */
#define MODEL brown_mcphee
#define TITLE "Brown-McPhee: smooth friction with its static peak at vt"
#define EQUATIONS                                                                                    \
  "F = fc tanh(4 v/vt) + (fs - fc) (v/vt)/(0.25 (v/vt)^2 + 0.75)^2 + sigma2 v"
#define USE "Optimisation, optimal control and real-time code: smooth of every order, physical parameters, cheap."
#define LIMITS                                                                                       \
  "Never sticks: it creeps under any load (0.25 vt atanh(F/fc) if fs = fc, 0.1373 vt at fc/2; less with a static " \
  "peak). The Stribeck part fades like v^-3, slower than the exponential curves."
#define SOURCE                                                                                       \
  "Brown, McPhee, A continuous velocity-based friction model for dynamics and control with physically meaningful " \
  "parameters, J. Comput. Nonlinear Dyn. 11 (2016)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,    1e-9, 1e9, LOG,    LEVEL,          "Coulomb level, reached in fast sliding") \
  P(fs,     "N",     1.5,  1e-9, 1e9, LOG,    STATIC_LEVEL,   "static level, reached at vt")         \
  P(vt,     "m/s",   1e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED, "speed of the peak")                   \
  P(sigma2, "N*s/m", 0.4,  0,    1e9, LOG,    VISCOUS,        "viscous coefficient")
#define STATES(S, V)
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define ADVICE(A)                                                                                    \
  A(vt, p->vt, in->w * K(0.4444) * (p->fs - p->fc) < p->vt,                                          \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define CREEP(p) ((p)->vt)
#define REDUCTIONS(R) R(tanh, "fs = fc", "vt = vt/4")
#include "core/model_begin.h"

KERNEL real brown_mcphee_force(const params *p, const input *in)
{
  real u = in->v / p->vt, q = K(1) / (K(0.25) * u * u + K(0.75));
  return p->fc * r_tanh(K(4) * u) + (p->fs - p->fc) * (u * q * q) + p->sigma2 * in->v;
}

KERNEL step_bounds brown_mcphee_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real slope = (K(4) * p->fc + K(16.0 / 9) * (p->fs - p->fc)) / p->vt;
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(slope + p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
