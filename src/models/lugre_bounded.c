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
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_SMOOTH)
#define LOAD FORCE
#include "models/lugre_table.h"
#define PARAMS(P, V) LUGRE_ROWS(P) \
  P(kappa,  "1/s",   1000,     1e-3, 1e9,  LOG,    RATE, "rate at which a bristle bent beyond fs/sigma0 lets go")
#define STATES(S, V)                                                                                 \
  S(z, "m", FLOW, "mean bristle deflection")
#define RELATIONS(R) LUGRE_RELATIONS(R)
#define ADVICE(A) LUGRE_ADVICE(A)
#define COMMON(C) C(gamma, 2) C(vd, 1e9) C(limit, 0)
#define SLIDING_LEVEL(p) (p)->fc
#define INITIAL_GUESS
#include "core/model_begin.h"
#include "models/lugre_bristle.h"

KERNEL vec lugre_bounded_eval(const params *p, const state *s, const input *in, state *rate)
{
  vec bend = v_sub(in->v, lugre_bounded_slip(p, s->z, in->v));
  rate->z = v_sub(bend, v_scale(p->kappa, v_sub(s->z, held_within(p, s->z, p->fs / p->sigma0))));
  return lugre_bounded_force(p, s->z, bend, in->v);
}

/* The part of a step beyond the bound, along the bristle: y = |z| falls from `start` above its rest point towards it,
   at the rate slip + kappa. `bent` is what the motion has bent it meanwhile, without the release. */
typedef struct release {
  int beyond;
  real y_end, time, bent;
} release;

KERNEL release lugre_bounded_release(const params *p, real y, real u, real slip, real bound, real h)
{
  real rate = slip + p->kappa, drive = u + p->kappa * bound, rest = drive / rate;
  real start = y - rest, gap = bound - rest, fade = r_decay(rate * h).e;
  int returns = gap > start * fade;
  release r;
  r.beyond = y > bound;
  r.y_end = returns ? bound : rest + start * fade;
  r.time = returns ? r_min(r_log(start / r_max(gap, K(REAL_TINY))) / rate, h) : h;
  r.bent = u * r.time - (K(1) - p->kappa / rate) * (drive * r.time + (y - r.y_end));
  return r;
}

#if BRISTLE_DIM == 1
/* where a bristle beyond the bound is after its release, and what bent it */
KERNEL vec lugre_bounded_let_go(const params *p, vec z, vec v, const release *r, real bound, real slip, vec *bent)
{
  real side = r_copysign(K(1), z);
  (void)p, (void)v, (void)bound, (void)slip;
  *bent = side * r->bent;
  return side * r->y_end;
}
KERNEL real lugre_bounded_along(vec z, vec v) { return r_copysign(K(1), z) * v; }
#else
/* Across the bristle the motion turns it: a linear equation too, with the release at the mean of both ends. Along a
   line there is nothing across, and this is the scalar law. */
KERNEL vec lugre_bounded_let_go(const params *p, vec z, vec v, const release *r, real bound, real slip, vec *bent)
{
  real y = r_max(v_norm(z), K(REAL_TINY)), mean = r_max(K(0.5) * (y + r->y_end), K(REAL_TINY));
  vec ahead = v_over(z, y), across = v_sub(v, v_scale(v_dot(v, ahead), ahead));
  real x = (slip + p->kappa * r_max(K(1) - bound / mean, K(0))) * r->time;
  real turned = x > K(1e-6) ? r->time * r_decay(x).d / r_max(x, K(1e-6)) : r->time * (K(1) - K(0.5) * x);
  vec end = v_scale(turned, across);
  *bent = v_add(v_scale(r->bent, ahead), v_sub(v_scale(r->time, across), v_scale(K(0.5) * slip * r->time, end)));
  return v_add(v_scale(r->y_end, ahead), end);
}
KERNEL real lugre_bounded_along(vec z, vec v) { return v_dot(z, v) / r_max(v_norm(z), K(REAL_TINY)); }
#endif

KERNEL vec lugre_bounded_move(const params *p, state *s, const input *in)
{
  real speed = v_norm(in->v), level = lugre_bounded_level(p, speed), slip = p->sigma0 * speed / level;
  real bound = level_on(p, s->z, p->fs) / p->sigma0;
  release r = lugre_bounded_release(p, v_norm(s->z), lugre_bounded_along(s->z, in->v), slip, bound, K(in->h));
  vec bent, freed = lugre_bounded_let_go(p, s->z, in->v, &r, bound, slip, &bent);

  /* the rest of the step, or all of it, is lugre's */
  vec z = v_select(r.beyond, freed, s->z);
  real left = in->h - (r.beyond ? r.time : K(0));
  vec dz = lugre_bounded_bend(p, z, in->v, level, left);
  s->z = v_add(z, dz);
  return lugre_bounded_force(p, s->z, v_scale(K(1) / in->h, v_add(v_select(r.beyond, bent, v_zero()), dz)), in->v);
}

#include "core/model_end.h"
