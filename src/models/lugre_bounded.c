/* LuGre for every initial state and every change of load: beyond fs/sigma0 the bristle lets go.
 *
 * LuGre believes any deflection it is given: at rest a bristle bent to ten times fs/sigma0, by its initial value
 * or by a load that dropped, holds ten times fs for ever. Here the surplus decays at the rate kappa. Within
 * |z| <= fs/sigma0, which motion alone never leaves, this is lugre to the last bit.
 *
 * The step stays exact: beyond the bound the equation is linear too, |z| falls monotonically to a point within the
 * bound, so there is at most one change of branch and its time is a logarithm. sigma1 acts on the mean of
 * v - sigma0|v|z/g, not on the release: letting go only removes stored energy, it makes no force of its own. */
#define MODEL lugre_bounded
#define TITLE "LuGre with a bounded bristle: right for any initial state and any load change"
#define EQUATIONS                                                                                    \
  "dz/dt = b - kappa (z - sat(z, fs/sigma0)),  b = v - sigma0 |v| z/g(v)\n"                          \
  "F     = sigma0 z + sigma1(v) b + sigma2 v\n"                                                      \
  "g(v)  = fc + (fs - fc) exp(-|v/vs|^gamma),  sigma1(v) = sigma1 exp(-(v/vd)^2)\n"                  \
  "limit = 1: sigma0 z + sigma1 b is held within +-fs; 2: sigma0 z alone is"
#define USE                                                                                          \
  "LuGre where initial states are not known to be small, or where the load changes while the contact rests " \
  "(load form level): clamps, brakes, legs, grippers."
#define LIMITS "Drifts under vibration below break-away and has no non-local memory, like lugre."
#define SOURCE                                                                                       \
  "LuGre as in lugre. The problem is stated by Kelly, Lat. Am. Appl. Res. 34 (2004); this answer to it is ours, "  \
  "not the equations of that paper."
#define TRAITS (BRISTLE_ODD | BRISTLE_STICKS | BRISTLE_STEADY | BRISTLE_ENERGY | BRISTLE_SMOOTH)
#define LOAD FORCE
#include "models/lugre_table.h"
#define PARAMS(P, V) LUGRE_ROWS(P) \
  P(kappa,  "1/s",   1000,     1e-3, 1e9,  LOG,    RATE, "rate at which a bristle bent beyond fs/sigma0 lets go")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean bristle deflection")
#define RELATIONS(R) LUGRE_RELATIONS(R)
#define ADVICE(A) LUGRE_ADVICE(A)
#define COMMON(C) C(gamma, 2) C(vd, 1e9) C(limit, 0)
#define COAST(p) (p)->fc
#define FORESEE
#include "core/model_begin.h"
#include "models/lugre_bristle.h"

KERNEL real lugre_bounded_eval(const params *p, const state *s, const input *in, state *rate)
{
  real bend = in->v - lugre_bounded_slip(p, s->z, in->v);
  rate->z = bend - p->kappa * (s->z - held_within(p, s->z, p->fs / p->sigma0));
  return lugre_bounded_force(p, s->z, bend, in->v);
}

KERNEL real lugre_bounded_move(const params *p, state *s, const input *in)
{
  /* beyond the bound: y = |z| falls from `start` above its rest point towards it, at the rate slip + kappa */
  real bound = level_on(p, s->z, p->fs) / p->sigma0, side = r_copysign(K(1), s->z), y = r_abs(s->z), u = side * in->v;
  real rate = lugre_bounded_slip(p, K(1), in->v) + p->kappa, drive = u + p->kappa * bound, rest = drive / rate;
  real start = y - rest, gap = bound - rest, fade = r_decay(rate * in->h).e;
  int beyond = y > bound, returns = gap > start * fade;
  real y_end = returns ? bound : rest + start * fade;
  real time = returns ? r_min(r_log(start / r_max(gap, K(REAL_TINY))) / rate, K(in->h)) : K(in->h);
  real bent = side * (u * time - (K(1) - p->kappa / rate) * (drive * time + (y - y_end)));

  /* the rest of the step, or all of it, is lugre's */
  real z = beyond ? side * y_end : s->z;
  real left = in->h - (beyond ? time : K(0));
  real dz = lugre_bounded_bend(p, z, in->v, lugre_bounded_level(p, r_abs(in->v)), left);
  s->z = z + dz;
  return lugre_bounded_force(p, s->z, ((beyond ? bent : K(0)) + dz) * (K(1) / in->h), in->v);
}

#include "core/model_end.h"
