/* Wojewoda et al.: a static curve with two branches, higher while speeding up and lower while slowing down.
 *
 * The branch follows the acceleration. eval is told it; a step knows the velocity before it and takes the mean
 * acceleration over the step, which also makes the first step from rest start at the static level. At constant
 * speed both branches meet at fc, so the force is continuous in the acceleration. */
#define MODEL wojewoda
#define TITLE "Wojewoda: hysteresis between speeding up and slowing down"
#define EQUATIONS                                                                                    \
  "speeding up:  F = (fc + (fs - fc) exp(-a1 |v/a|)) sgn v + sigma2 v\n"                             \
  "slowing down: F = (fc - (fs - fc) exp(-a2 |v/a|)) sgn v + sigma2 v\n"                             \
  "v = 0: F = whatever holds the body, at most fs;  a = dv/dt"
#define USE "Non-reversible friction curves measured in oscillation: loops in sliding without a further state equation."
#define LIMITS                                                                                       \
  "Formula from memory of the paper; not checked against it. Needs a clean acceleration: noise switches branches. "  \
  "No presliding displacement."
#define SOURCE "Wojewoda, Stefanski, Wiercigroch, Kapitaniak, Phil. Trans. R. Soc. A 366 (2008) 747."
#define TRAITS                                                                                       \
  (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_ACCELERATION)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,     "N",     1,   1e-9, 1e9, LOG,    LEVEL,        "level at constant speed")                \
  P(fs,     "N",     1.5, 1e-9, 1e9, LOG,    STATIC_LEVEL, "static level")                           \
  P(a1,     "1/s",   100, 1e-6, 1e9, LOG,    RATE,         "how fast the peak fades while speeding up") \
  P(a2,     "1/s",   100, 1e-6, 1e9, LOG,    RATE,         "how fast the dip fades while slowing down") \
  P(sigma2, "N*s/m", 0,   0,    1e9, LOG,    VISCOUS,      "viscous coefficient")
#define STATES(S, V)                                                                                 \
  S(v_prev, "m/s", JUMP, "velocity at the end of the last step")
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define RULES(R)                                                                                     \
  R(fs, p->fs, p->fs <= K(2) * p->fc, "fs must not exceed 2 fc: the force would drive a body that slows down")
#define STICTION
#define REDUCTIONS(R) R(coulomb, "fs = fc", "")
#include "core/model_begin.h"

KERNEL real wojewoda_force(const params *p, const input *in, real a)
{
  real v = in->v, since = r_abs(v) / r_max(r_abs(a), K(REAL_TINY)); /* the time of this change of speed, from rest */
  int speeding = v * a > K(0);
  real fade = a == K(0) ? K(0) : r_decay((speeding ? p->a1 : p->a2) * since).e;
  real level = p->fc + (speeding ? fade : -fade) * (p->fs - p->fc);
  return v == K(0) ? saturate(in->f, p->fs) : sign(v) * level + p->sigma2 * v;
}

KERNEL real wojewoda_eval(const params *p, const state *s, const input *in, state *rate)
{
  (void)s;
  rate->v_prev = K(0);
  return wojewoda_force(p, in, in->a);
}

KERNEL real wojewoda_move(const params *p, state *s, const input *in)
{
  real a = (in->v - s->v_prev) / in->h;
  s->v_prev = in->v == K(0) ? K(0) : in->v; /* held at rest: no slope either */
  return wojewoda_force(p, in, a);
}

KERNEL real wojewoda_steady(const params *p, const input *in) { return sign(in->v) * p->fc + p->sigma2 * in->v; }

KERNEL real wojewoda_energy(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  (void)in;
  return K(0);
}

KERNEL bristle_mode wojewoda_mode(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  return in->v == K(0) ? BRISTLE_MODE_STUCK : BRISTLE_MODE_SLIDING;
}

KERNEL range wojewoda_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

KERNEL step_bounds wojewoda_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
