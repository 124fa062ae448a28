/* LuGre tyre, lumped: one mean bristle for the contact patch, carried out of it by the rolling of the wheel.
 *
 * v is the slip speed of the patch (rolling speed minus road speed). The rolling speed itself is not a state of the
 * contact but enters the equation; the host writes it into `roll` at each step. For constant v and roll the
 * equation is linear, so the step is its exact solution. roll = 0, the locked wheel, is lugre. */
#define MODEL tyre_lugre
#define TITLE "LuGre tyre: the bristles roll out of the contact patch"
#define EQUATIONS                                                                                    \
  "dz/dt = v - sigma0 |v| z/g(v) - kappa |roll| z\n"                                                 \
  "F     = sigma0 z + sigma1 dz/dt + sigma2 v\n"                                                     \
  "g(v)  = fc + (fs - fc) exp(-|v/vs|^gamma),  kappa about 7/(6 L), L the length of the patch"
#define USE                                                                                          \
  "Longitudinal tyre force in braking and driving, transient and steady, with one state: anti-lock and traction " \
  "control studies, vehicle models in real time."
#define LIMITS                                                                                       \
  "One mean deflection for the whole patch: small slip is stiffer than in the distributed model (6/7 against 1/2 of " \
  "sigma0 L per unit slip). roll must be set by the host at each step. A rolling tyre does not hold a load at v = 0."
#define SOURCE                                                                                       \
  "Canudas de Wit, Tsiotras, Velenis, Basset, Gissinger, Vehicle System Dynamics 39 (2003): lumped form and values."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_SMOOTH)
#define LOAD COEFFICIENT
#define PARAMS(P, V)                                                                                 \
  P(sigma0, "N/m",   181.54, 1e-3, 1e12, LOG,    STIFFNESS,      "tread stiffness")                  \
  P(sigma1, "N*s/m", 0,      0,    1e9,  LOG,    DAMPING,        "tread damping")                    \
  P(sigma2, "N*s/m", 0.0018, 0,    1e9,  LOG,    VISCOUS,        "viscous coefficient")              \
  P(fc,     "N",     0.8,    1e-9, 1e9,  LOG,    LEVEL,          "kinetic level")                    \
  P(fs,     "N",     1.55,   1e-9, 1e9,  LOG,    STATIC_LEVEL,   "static level")                     \
  P(vs,     "m/s",   6.57,   1e-9, 1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed")                   \
  P(gamma,  "1",     0.5,    0.1,  10,   LINEAR, EXPONENT,       "Stribeck exponent")                \
  P(kappa,  "1/m",   5.8333333333333333, 0, 1e6, LOG, PER_LENGTH, "loss of deflection per length rolled: 7/(6 L), L = 0.2 m") \
  P(roll,   "m/s",   10,     -1e3, 1e3,  LINEAR, SETTING,        "rolling speed of the wheel, set by the host; 0 = locked")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean tread deflection")
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define REDUCTIONS(R) R(lugre, "roll = 0", "vd = 1e9, limit = 0")
#include "core/model_begin.h"

KERNEL real tyre_lugre_level(const params *p, real v) { return stribeck_level(p->fc, p->fs, p->vs, p->gamma, v); }

/* rate at which a deflection is lost, by slip and by rolling */
KERNEL real tyre_lugre_loss(const params *p, real v)
{
  return p->sigma0 * r_abs(v) / r_max(tyre_lugre_level(p, v), K(REAL_TINY)) + p->kappa * r_abs(p->roll);
}

KERNEL real tyre_lugre_force(const params *p, real z, real dz, real v)
{
  return p->sigma0 * z + p->sigma1 * dz + p->sigma2 * v;
}

KERNEL real tyre_lugre_eval(const params *p, const state *s, const input *in, state *rate)
{
  rate->z = in->v - tyre_lugre_loss(p, in->v) * s->z;
  return tyre_lugre_force(p, s->z, rate->z, in->v);
}

KERNEL real tyre_lugre_move(const params *p, state *s, const input *in)
{
  real a = tyre_lugre_loss(p, in->v) * in->h;
  real dz = in->v * in->h * mean_decay(a) - s->z * r_decay(a).d;
  s->z += dz;
  return tyre_lugre_force(p, s->z, dz * (K(1) / in->h), in->v);
}

KERNEL real tyre_lugre_steady(const params *p, const input *in)
{
  real z = in->v / r_max(tyre_lugre_loss(p, in->v), K(REAL_TINY));
  return tyre_lugre_force(p, z, K(0), in->v);
}

KERNEL real tyre_lugre_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return K(0.5) * p->sigma0 * s->z * s->z;
}

KERNEL bristle_mode tyre_lugre_mode(const params *p, const state *s, const input *in)
{
  return bristle_regime(p->sigma0 * s->z, tyre_lugre_level(p, in->v), in->v, p->vs);
}

KERNEL step_bounds tyre_lugre_step_bounds(const params *p, const state *s, const input *in, real d)
{
  real elastic = p->sigma0 * s->z, most = r_max(p->fs, r_abs(elastic));
  real bend = r_max(K(1) - d * elastic / r_max(p->fs, K(REAL_TINY)), K(0));
  real kept = mean_decay(p->kappa * r_abs(p->roll) * in->h);
  return make_step_bounds((p->sigma0 * in->h + p->sigma1) * bend * kept + p->sigma2,
                          most * (K(1) + K(2) * p->sigma1 / (p->sigma0 * in->h)), p->sigma2);
}

#include "core/model_end.h"
