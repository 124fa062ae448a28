/* Gonthier: a bristle that follows the motion in stick and the Coulomb level in slip, with a static level that
 * grows with the time at rest.
 *
 * s = exp(-(v/vs)^2) says how much the contact sticks: 1 at rest, 0 in fast sliding. sdw follows s slowly in stick
 * (dwell) and fast in slip (break-away). For constant v both equations are linear, so the step is exact for both.
 * The elastic plus damping force is s (sigma0 z + sigma1 v) + (1 - s) fc dir(v); this form needs no dz/dt. */
#define MODEL gonthier
#define TITLE "Gonthier: bristle with dwell-time dependent static friction"
#define EQUATIONS                                                                                    \
  "dz/dt   = s v + (1 - s) (fc dir(v) - sigma0 z)/sigma1,  s = exp(-(v/vs)^2)\n"                      \
  "dsdw/dt = (s - sdw)/tau,  tau = tau_dw while s >= sdw, else tau_br\n"                             \
  "F       = sat(sigma0 z + sigma1 dz/dt, fc + (fs - fc) sdw) + sigma2 v\n"                          \
  "dir(v)  = sgn v for |v| >= ve, (v/ve)(3 - (v/ve)^2)/2 below"
#define USE "Contacts whose break-away force depends on how long they rested; no creep under a constant load below it."
#define LIMITS                                                                                       \
  "In slow sliding (|v| well below vs) z keeps growing while the force stays at its limit, so a reversal acts late. " \
  "A fresh contact (sdw = 0) holds only fc. Scalar form; structure from memory of the paper; not checked against it."
#define SOURCE "Gonthier, McPhee, Lange, Piedboeuf, Multibody System Dynamics 11 (2004)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   1e5,      1e-3, 1e12, LOG,    STIFFNESS,       "bristle stiffness")             \
  P(sigma1, "N*s/m", 316.2278, 1e-9, 1e9,  LOG,    DAMPING,         "bristle damping; sigma1/sigma0 is the time to settle in slip") \
  P(sigma2, "N*s/m", 0.4,      0,    1e9,  LOG,    VISCOUS,         "viscous coefficient")           \
  P(fc,     "N",     1,        1e-9, 1e9,  LOG,    LEVEL,           "Coulomb level")                 \
  P(fs,     "N",     1.5,      1e-9, 1e9,  LOG,    STATIC_LEVEL,    "static level after a long rest") \
  P(vs,     "m/s",   1e-3,     1e-9, 1e3,  LOG,    STRIBECK_SPEED,  "speed of the change from stick to slip") \
  P(ve,     "m/s",   1e-5,     1e-9, 1e3,  LOG,    SMOOTHING_SPEED, "speed below which the direction is smoothed") \
  P(tau_dw, "s",     0.5,      1e-9, 1e9,  LOG,    TIME,            "dwell time constant: rise of the static level at rest") \
  P(tau_br, "s",     3.162278e-3, 1e-9, 1e9, LOG,    TIME,            "break-away time constant: its loss in slip, about sigma1/sigma0")
#define STATES(S, V)                                                                                 \
  S(z,   "m", FLOW, "bristle deflection")                                                            \
  S(sdw, "1", FLOW, "how far the static level has developed, 0 to 1")
#define RELATIONS(R) R(AT_LEAST, fs, fc) R(AT_LEAST, vs, ve)
#include "core/model_begin.h"

KERNEL real gonthier_direction(const params *p, real v)
{
  real u = saturate(v / p->ve, K(1));
  return u * (K(1.5) - K(0.5) * u * u);
}

KERNEL real gonthier_limit(const params *p, real sdw) { return p->fc + (p->fs - p->fc) * sdw; }

KERNEL real gonthier_force(const params *p, real z, real sdw, real v, decay stick)
{
  real bristle = stick.e * (p->sigma0 * z + p->sigma1 * v) + stick.d * p->fc * gonthier_direction(p, v);
  return held_within(p, bristle, gonthier_limit(p, sdw)) + p->sigma2 * v;
}

KERNEL real gonthier_rate(const params *p, real z, real v, decay stick)
{
  return stick.e * v + stick.d * (p->fc * gonthier_direction(p, v) - p->sigma0 * z) / p->sigma1;
}

KERNEL real gonthier_eval(const params *p, const state *s, const input *in, state *rate)
{
  decay stick = r_decay(square(in->v / p->vs));
  rate->z = gonthier_rate(p, s->z, in->v, stick);
  rate->sdw = (stick.e - s->sdw) / (stick.e >= s->sdw ? p->tau_dw : p->tau_br);
  return gonthier_force(p, s->z, s->sdw, in->v, stick);
}

KERNEL real gonthier_move(const params *p, state *s, const input *in)
{
  decay stick = r_decay(square(in->v / p->vs));
  real settle = stick.d * p->sigma0 * in->h / p->sigma1;
  s->z += gonthier_rate(p, s->z, in->v, stick) * in->h * mean_decay(settle);
  s->sdw += (stick.e - s->sdw) * r_decay(in->h / (stick.e >= s->sdw ? p->tau_dw : p->tau_br)).d;
  return gonthier_force(p, s->z, s->sdw, in->v, stick);
}

/* the bristle settles where slip takes back what stick adds */
KERNEL real gonthier_steady(const params *p, const input *in)
{
  decay stick = r_decay(square(in->v / p->vs));
  real bristle = p->fc * gonthier_direction(p, in->v) + p->sigma1 * in->v * stick.e / r_max(stick.d, K(REAL_TINY));
  return saturate(bristle, gonthier_limit(p, stick.e)) + p->sigma2 * in->v;
}

KERNEL real gonthier_energy(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  (void)in;
  return K(0);
}

KERNEL bristle_mode gonthier_mode(const params *p, const state *s, const input *in)
{
  real limit = gonthier_limit(p, s->sdw);
  return bristle_regime(saturate(p->sigma0 * s->z, limit), r_min(limit, p->fc), in->v, p->vs);
}

KERNEL step_bounds gonthier_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real free = d * p->sigma0 * s->z < gonthier_limit(p, s->sdw) ? K(1) : K(0);
  return make_step_bounds((p->sigma0 * in->h + p->sigma1) * free + p->sigma2, gonthier_limit(p, r_max(K(1), s->sdw)),
                          p->sigma2);
}

#include "core/model_end.h"
