/* Start/stop friction (Cristian): the static peak is met when a motion starts, not when it stops.
 *
 * Starting, the level falls from the static level to fc with speed; stopping, it is fc down to rest. The paper does
 * not say what a motion does that turns back before it has passed vcr, so both readings are offered. Its equation
 * (5) is printed with fc where fs must stand; form 1 is the corrected line. All memory is in jumps (last velocity,
 * latch, dwell time), so there is nothing to integrate. A latch is read against 1/2 because a coupled step may
 * interpolate states between two trial velocities. */
#define MODEL startstop
#define TITLE "Start/stop: a static peak on starting only"
#define EQUATIONS                                                                                    \
  "starting, form 0: F = (fc + (fl - fc) exp(-|v|/vcr)) sgn v + sigma2 v\n"                          \
  "          form 1: the level falls from fl to fc on a line up to vcr;  form 2: fl below vcr, then fc\n"    \
  "          form 3: fl at v = 0 only;  form 4: fc everywhere, also at rest\n"                       \
  "stopping: F = fc sgn v + sigma2 v;  v = 0: F = whatever holds the body, at most fl\n"             \
  "turning 0: starting while |v| grows;  turning 1: until |v| passes vcr, then stopping until v = 0 or reversal\n"   \
  "fl = fs + (fs_inf - fs) t/(t + tau_dwell) after the time t at rest"
#define USE "Hydraulic cylinders and seals: machines that start with a jerk, stop softly and stick harder after a rest."
#define LIMITS                                                                                       \
  "The force jumps where a motion turns; with turning 0, noise looks like turning. No presliding displacement. "   \
  "The formula of the dwell time is Armstrong's; the paper only says that the static level depends on it."
#define SOURCE "Cristian, Mathematical modelling and numerical simulation of Coulomb friction, eq. (4), (5), fig. 3-5."
#define TRAITS                                                                                       \
  (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_PASSIVE | BRISTLE_TRAIT_SET_VALUED | BRISTLE_TRAIT_ACCELERATION)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fc,        "N",     1,    0,    1e9, LOG,    LEVEL,          "kinetic level")                    \
  P(fs,        "N",     1.25, 0,    1e9, LOG,    STATIC_LEVEL,   "static level of a start without rest before it") \
  P(vcr,       "m/s",   5e-3, 1e-9, 1e3, LOG,    STRIBECK_SPEED, "critical speed: e-folding in form 0, end of the peak in 1 and 2") \
  P(sigma2,    "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,        "viscous coefficient")              \
  P(fs_inf,    "N",     0,    0,    1e9, LOG,    STATIC_LEVEL,   "static level after a long rest; no effect below fs") \
  P(tau_dwell, "s",     1,    1e-9, 1e9, LOG,    TIME,           "rest after which half of the way to fs_inf is done") \
  P(form,      "1",     0,    0,    4,   OPTION, CHOICE,         "peak: 0 exponential, 1 line, 2 step, 3 at rest only, 4 none") \
  P(turning,   "1",     0,    0,    1,   OPTION, CHOICE,         "what ends a start: 0 slowing down, 1 passing vcr")
#define STATES(S, V)                                                                                 \
  S(v_prev, "m/s", JUMP, "velocity at the end of the last step")                                     \
  S(latch,  "1",   JUMP, "1 once the motion has passed vcr")                                         \
  S(rest,   "s",   JUMP, "time at rest before this motion, or so far")
#define RELATIONS(R) R(AT_LEAST, fs, fc)
#define STICTION
#define REDUCTIONS(R) R(coulomb, "form = 4", "")
#include "core/model_begin.h"

/* A speed that grows by less than this part of itself per second stands: derivatives of measured motion have signs on
   plateaus, too, and those are rounding. Steps know both speeds, so that a part of them is enough, however long the
   step is: a slow motion may take hours to speed up. */
#define STANDS K(1e-4)
#define ROUNDING K(1e-9)

/* static level after a rest */
KERNEL real startstop_level(const params *p, real rest)
{
  real aged = dwell_level(p->fs, r_max(p->fs, p->fs_inf), p->tau_dwell, r_abs(rest));
  return p->form == K(4) ? p->fc : aged;
}

/* the force of a start or stop that began after the given rest */
KERNEL real startstop_force(const params *p, const input *in, int start, real rest)
{
  real level = startstop_level(p, rest), u = r_abs(in->v) / p->vcr;
  real line = p->form == K(1) ? K(1) - u : p->form == K(2) ? K(1) : K(0);
  real peak = p->form == K(0) ? r_decay(u).e : u < K(1) ? line : K(0);
  real dry = p->fc + (start ? peak : K(0)) * (level - p->fc);
  return in->v == K(0) ? saturate(in->f, level) : sign(in->v) * dry + p->sigma2 * in->v;
}

KERNEL real startstop_eval(const params *p, const state *s, const input *in, state *rate)
{
  int latched = r_abs(s->latch) > K(0.5) && in->v * s->v_prev > K(0);
  rate->v_prev = rate->latch = rate->rest = K(0);
  int rising = in->v * in->a > STANDS * in->v * in->v;
  return startstop_force(p, in, p->turning == K(0) ? rising : !latched, s->rest);
}

KERNEL real startstop_move(const params *p, state *s, const input *in)
{
  real v = in->v;
  int resting = v == K(0), goes_on = v * s->v_prev > K(0), rested = s->v_prev == K(0);
  int latched = goes_on && r_abs(s->latch) > K(0.5);
  int rising = !goes_on || r_abs(v) - r_abs(s->v_prev) > ROUNDING * r_abs(v);
  s->rest = (goes_on || rested ? s->rest : K(0)) + (resting ? K(in->h) : K(0));
  s->latch = !resting && (latched || r_abs(v) >= p->vcr) ? K(1) : K(0);
  s->v_prev = resting ? K(0) : v;
  return startstop_force(p, in, p->turning == K(0) ? rising : !latched, s->rest);
}

KERNEL real startstop_steady(const params *p, const input *in)
{
  input k = *in;
  k.f = K(0);
  return startstop_force(p, &k, p->turning != K(0) && r_abs(in->v) < p->vcr, K(0));
}

KERNEL real startstop_energy(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  (void)in;
  return K(0);
}

KERNEL bristle_mode startstop_mode(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  return in->v == K(0) ? BRISTLE_MODE_STUCK : BRISTLE_MODE_SLIDING;
}

KERNEL range startstop_stick(const params *p, const state *s, const input *in)
{
  real level = startstop_level(p, s->v_prev == K(0) ? s->rest : K(0));
  (void)in;
  return make_range(-level, level);
}

KERNEL step_bounds startstop_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, r_max(p->fs, p->fs_inf), p->sigma2);
}

#include "core/model_end.h"
