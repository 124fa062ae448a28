/* Armstrong's seven-parameter model: a spring in stick, a delayed Stribeck curve in sliding, static friction that
 * rises with the time at rest.
 *
 * The model leaves open how it passes from one to the other; the rules here are ours. Stick breaks when the spring
 * reaches the level of that moment: spring and level against time give a quadratic, so the moment is found inside
 * the step. Sliding ends when the velocity reaches zero or reverses. While sliding, z is the deflection that carries
 * the dry force, so the force stays continuous when the contact sticks again; and it rises no faster than the motion
 * bends the spring, or a body would be pushed back by a level that rises as it comes to rest. What is left of the
 * excess is stored as a fraction, and flags are read against 1/2 because a coupled step may interpolate states.
 *
 * The delay line holds velocities at moments tau_l/15 apart; the newest is `phase` old. Samples are moved, never
 * averaged, so the delay does not smear, whatever the step; with h >= tau_l the one asked for is the present one. */
#include "bristle/bristle.h"
#define MODEL armstrong
#define TITLE "Armstrong: seven parameters, with frictional memory and dwell time"
#define EQUATIONS                                                                                    \
  "stick: F = sigma0 z, dz/dt = v,  until |F| = fc + excess e\n"                                     \
  "       e = e_a + (1 - e_a) t/(t + tau_dwell), t the time in stick, e_a what was left of it when sliding ended\n"  \
  "slide: F = (fc + excess e/(1 + (v(t - tau_l)/vs)^2)) sgn v + sigma2 v, e as at break-away;\n"        \
  "       its dry part rises no faster than sigma0 |v|"
#define USE                                                                                          \
  "Machine axes in slow motion: break-away that depends on the time at rest, stick-slip that dies out above a speed " \
  "or stiffness because the Stribeck effect comes late."
#define LIMITS                                                                                       \
  "The rules of transition are ours. The sliding curve depends on the rest before it; the steady force is that after " \
  "a long rest. No damping in stick. The force jumps by sigma2 v at break-away."
#define SOURCE                                                                                       \
  "Armstrong-Helouvry, Dupont, Canudas de Wit, A survey of models, analysis tools and compensation methods, "        \
  "Automatica 30 (1994)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_ENERGY | BRISTLE_TRAIT_ONE_LEVEL)
#define LOAD FORCE
#define PAST 16
#define PARAMS(P, V)                                                                                 \
  P(sigma0,    "N/m",   1e5,  1e-3, 1e12, LOG,    STIFFNESS,      "stiffness in stick")              \
  P(fc,        "N",     1,    1e-9, 1e9,  LOG,    LEVEL,          "Coulomb level")                   \
  P(excess,    "N",     0.5,  0,    1e9,  LOG,    EXCESS_LEVEL,   "EXCESS of the static level over fc after a long rest") \
  P(vs,        "m/s",   1e-3, 1e-9, 1e3,  LOG,    STRIBECK_SPEED, "Stribeck speed: the excess has fallen to half") \
  P(tau_l,     "s",     1e-3, 0,    1e3,  LOG,    TIME,           "frictional memory: the Stribeck effect comes this much later") \
  P(tau_dwell, "s",     1,    1e-9, 1e9,  LOG,    TIME,           "time at rest after which half of the excess has come back") \
  P(sigma2,    "N*s/m", 0.4,  0,    1e9,  LOG,    VISCOUS,        "viscous coefficient")
#define STATES(S, V)                                                                                 \
  S(z,      "m",   FLOW, "deflection that carries the dry force")                                    \
  S(mode,   "1",   JUMP, "direction of sliding, 0 in stick")                                         \
  S(rest,   "s",   JUMP, "time in stick")                                                            \
  S(ended,  "1",   JUMP, "fraction of the excess left when sliding ended, or so far")                \
  S(frozen, "1",   JUMP, "fraction of the excess at break-away")                                     \
  S(phase,  "s",   JUMP, "age of the newest velocity in the delay line")                             \
  V(past, PAST, "m/s", JUMP, "delay line of velocities")
#define HEAVY
#include "core/model_begin.h"

/* part of the excess after a time in stick */
KERNEL real armstrong_rested(const params *p, const state *s, real rest)
{
  return dwell_level(r_abs(s->ended), K(1), p->tau_dwell, rest);
}

KERNEL real armstrong_spacing(const params *p) { return r_max(p->tau_l * K(1.0 / (PAST - 1)), K(REAL_TINY)); }

/* the velocity tau_l ago; v itself without delay */
KERNEL real armstrong_delayed(const params *p, const state *s, real v, scalar h)
{
  real newer = s->past[PAST - 2], older = s->past[PAST - 1];
  return p->tau_l <= K(h) ? v : older + (newer - older) * (r_abs(s->phase) / armstrong_spacing(p));
}

/* enters v, held for the time h, into the delay line */
KERNEL void armstrong_record(const params *p, state *s, real v, scalar h)
{
  real spacing = armstrong_spacing(p), due = r_max((r_abs(s->phase) + h) / spacing, K(0));
  int shift = due < K(PAST) ? (int)r_value(due) : PAST;
  s->phase = shift < PAST ? (due - K(shift)) * spacing : K(0);
  for (int i = PAST - 1; i >= 0; i--) s->past[i] = i >= shift ? s->past[i - shift] : v;
}

KERNEL real armstrong_eval(const params *p, const state *s, const input *in, state *rate)
{
  real v = in->v, delayed = armstrong_delayed(p, s, v, 0), spring = p->sigma0 * s->z;
  real level = p->fc + p->excess * r_abs(s->frozen) / (K(1) + square(delayed / p->vs));
  int slides = r_abs(s->mode) > K(0.5) && s->mode * v > K(0);
  rate->z = slides && sign(v) * spring >= level ? K(0) : v;
  rate->mode = rate->rest = rate->ended = rate->frozen = rate->phase = K(0);
  for (int i = 0; i < PAST; i++) rate->past[i] = K(0);
  return slides ? held_within(p, spring, level) + p->sigma2 * v : spring;
}

KERNEL real armstrong_move(const params *p, state *s, const input *in)
{
  real v = in->v, d = sign(v), delayed;
  armstrong_record(p, s, v, in->h);
  delayed = armstrong_delayed(p, s, v, in->h);

  /* stick, from the level it may have at the start of the step (the load may have fallen) */
  int slid = r_abs(s->mode) > K(0.5), goes_on = slid && s->mode * v > K(0);
  real rest = slid ? K(0) : r_abs(s->rest);
  real from = held_within(p, s->z, (p->fc + p->excess * armstrong_rested(p, s, rest)) / p->sigma0),
       to = from + v * in->h;
  int breaks = d * p->sigma0 * to > p->fc + p->excess * armstrong_rested(p, s, rest + in->h);

  /* the moment of break-away: a y^2 - 2 half y + c = 0 for y = time in stick + tau_dwell */
  real y0 = rest + p->tau_dwell, a = r_max(p->sigma0 * r_abs(v), K(REAL_TINY));
  real half = K(0.5) * (a * y0 + p->fc + p->excess - d * p->sigma0 * from);
  real c = p->excess * (K(1) - r_abs(s->ended)) * p->tau_dwell;
  real onset = clamp((half + r_sqrt(r_max(half * half - a * c, K(0)))) / a - y0, K(0), K(in->h));

  int slides = goes_on || breaks;
  s->frozen = goes_on ? r_abs(s->frozen) : armstrong_rested(p, s, rest + onset);
  real left = s->frozen / (K(1) + square(delayed / p->vs)), level = p->fc + p->excess * left;
  s->mode = slides ? d : K(0);
  s->rest = slides ? K(0) : rest + in->h;
  s->ended = slides ? left : r_abs(s->ended);
  s->z = slides ? held_within(p, to, level / p->sigma0) : to;
  return p->sigma0 * s->z + (slides ? p->sigma2 * v : K(0));
}

KERNEL real armstrong_steady(const params *p, const input *in)
{
  return sign(in->v) * (p->fc + p->excess / (K(1) + square(in->v / p->vs))) + p->sigma2 * in->v;
}

KERNEL real armstrong_energy(const params *p, const state *s, const input *in)
{
  (void)in;
  return K(0.5) * p->sigma0 * s->z * s->z;
}

KERNEL bristle_mode armstrong_mode(const params *p, const state *s, const input *in)
{
  if (r_abs(in->v) <= K(1e-6) * p->vs) return BRISTLE_MODE_STUCK;
  return r_abs(s->mode) > K(0.5) && s->mode * in->v > K(0) ? BRISTLE_MODE_SLIDING : BRISTLE_MODE_PRESLIDING;
}

/* in stick a step moves by at most two levels of the spring, so the missing viscous force is bounded too */
KERNEL step_bounds armstrong_step_bounds(const params *p, const state *s, const input *in, real d)
{
  int slides = r_abs(s->mode) > K(0.5) && s->mode * d > K(0);
  real stiff = p->sigma0 * in->h;
  return make_step_bounds(slides ? p->sigma2 : stiff, (p->fc + p->excess) * (K(1) + K(2) * p->sigma2 / stiff),
                          p->sigma2);
}

#include "core/model_end.h"
