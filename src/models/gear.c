/* Gear loss proportional to the transmitted torque: a direction that lags behind reversals, and two coefficients.
 *
 * z is the direction of motion, reached over the angle h0. With T the transmitted torque, signed like v, the loss
 * in steady motion is (mu_avg + mu_dif)|T| when the torque drives the motion (T v > 0) and (mu_avg - mu_dif)|T|
 * when the motion drives the torque: mu_dif T z^2 is even in z on purpose, because T carries the sign. Turning the
 * drawing round flips v, z and T together and F with them; flipping v and z alone does not.
 *
 * For constant v the state moves exactly by 1 - e^-(|v|h/h0) towards sgn v. At constant T the law is passive with
 * the stored energy h0 (mu_avg |T| z^2/2 + mu_dif T z^3/3): its slope over h0 lies between F/(1 + z) and F/(1 - z)
 * because |mu_dif| <= mu_avg. A torque that changes at z != 0 scales that store, as any load change does.
 * A step returns the force at its end: with |mu_dif| within a few per cent of mu_avg, where being driven costs almost
 * nothing, one long reversal can count up to mu_avg |T| h0/6 less work than it stores. */
#define MODEL gear
#define TITLE "Gear: loss proportional to the transmitted torque, different when driven backwards"
#define EQUATIONS                                                                                    \
  "dz/dt = (v - |v| z)/h0\n"                                                                         \
  "F     = mu_avg |T| z + mu_dif T z^2 + sigma2 v,  T the transmitted torque (input n, signed)"
#define USE                                                                                          \
  "Strain-wave, cycloid and worm gears: friction that grows with the torque carried, with an efficiency that " \
  "differs between driving and being driven. Give T as n in the form `force`."
#define LIMITS                                                                                       \
  "No friction without torque (put coulomb or lugre beside it for the no-load part). No static peak. Drifts under " \
  "vibration, like Dahl."
#define SOURCE                                                                                       \
  "github.com/google-deepmind/mujoco, issue 3528 (torque-proportional loss): the four-parameter law that fitted " \
  "strain-wave and cycloid measurements best there. The stored energy is ours."
#define TRAITS (BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(mu_avg, "1",     0.1,  1e-9, 10,  LOG,    RATIO,   "mean of the loss coefficients driving and driven") \
  P(mu_dif, "1",     0.02, -10,  10,  LINEAR, RATIO,   "half their difference; positive: driving loses more") \
  P(h0,     "m",     2e-5, 1e-9, 1e3, LOG,    LENGTH,  "travel over which a reversal takes effect")  \
  P(sigma2, "N*s/m", 0.4,  0,    1e9, LOG,    VISCOUS, "viscous coefficient, the only damping at rest")
#define STATES(S, V)                                                                                 \
  S(z, "1", FLOW, "direction of motion, -1 to 1")
#define RULES(R)                                                                                     \
  R(mu_dif, p->mu_dif, r_abs(p->mu_dif) <= p->mu_avg, "mu_dif must lie within +-mu_avg, or the gear gains energy")
#include "core/model_begin.h"

/* The signed torque. In coefficient form the load is a factor outside the law, so the law sees one unit of it. */
KERNEL real gear_torque(const input *in) { return in->load == BRISTLE_LOAD_COEFFICIENT ? K(1) : in->n; }

KERNEL real gear_force(const params *p, const input *in, real z)
{
  real T = gear_torque(in);
  return p->mu_avg * r_abs(T) * z + p->mu_dif * T * z * z + p->sigma2 * in->v;
}

KERNEL real gear_eval(const params *p, const state *s, const input *in, state *rate)
{
  rate->z = (in->v - r_abs(in->v) * s->z) / p->h0;
  return gear_force(p, in, s->z);
}

KERNEL real gear_move(const params *p, state *s, const input *in)
{
  s->z += (r_copysign(K(1), in->v) - s->z) * r_decay(r_abs(in->v) * in->h / p->h0).d;
  return gear_force(p, in, s->z);
}

KERNEL real gear_steady(const params *p, const input *in) { return gear_force(p, in, sign(in->v)); }

KERNEL real gear_energy(const params *p, const state *s, const input *in)
{
  real T = gear_torque(in), z = s->z;
  return p->h0 * z * z * (K(0.5) * p->mu_avg * r_abs(T) + p->mu_dif * T * z * K(1.0 / 3));
}

KERNEL bristle_mode gear_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(s->z, K(1), in->v, p->h0);
}

KERNEL step_bounds gear_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real T = gear_torque(in), most = r_max(K(1), r_abs(s->z));
  real stiffness = (p->mu_avg * r_abs(T) + K(2) * p->mu_dif * T * s->z) * (K(1) - d * s->z) / p->h0;
  return make_step_bounds(r_max(stiffness, K(0)) * in->h + p->sigma2,
                          (p->mu_avg + r_abs(p->mu_dif)) * r_abs(T) * most * most, p->sigma2);
}

#include "core/model_end.h"
