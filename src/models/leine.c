/* The switch model of Leine et al.: slip outside a narrow band, transition or stick inside it.
 *
 * In stick the published model prescribes dv/dt = -v sqrt(k/M) to draw the velocity to the middle of the band. As a
 * force that is applied force + pull v with pull = sqrt(k M); it is held within +-fs here, because a contact cannot
 * give more. The coupled step does not need it: rest at v = 0 is exact, and a velocity inside the band that is not
 * held is in transition. */
#define MODEL leine
#define TITLE "Leine switch model: slip, transition and stick around a narrow band"
#define EQUATIONS                                                                                    \
  "|v| >  eta:              F = fs sgn v/(1 + d |v|) + sigma2 v          slip\n"                     \
  "|v| <= eta, |f| >  fs:   F = fs sgn f + sigma2 v                      transition\n"               \
  "|v| <= eta, |f| <= fs:   F = f + pull v, within +-fs, + sigma2 v      stick;  f = applied force"
#define USE "Stick-slip limit cycles and their bifurcations with ordinary solvers, preferably with event location."
#define LIMITS                                                                                       \
  "Needs the applied force. Jumps at the border of the band. The fall has no floor: friction tends to 0. An applied " \
  "force against the motion is followed too, so eval can feed energy in. sigma2 is an addition."
#define SOURCE                                                                                       \
  "Leine, van Campen, de Kraker, van den Steen, Stick-slip vibrations induced by alternate friction models, " \
  "Nonlinear Dyn. 16 (1998)."
#define TRAITS (BRISTLE_TRAIT_ODD | BRISTLE_TRAIT_STICKS | BRISTLE_TRAIT_STEADY | BRISTLE_TRAIT_SET_VALUED)
#define LOAD FORCE
#define PARAMS(P, V)                                                                                 \
  P(fs,     "N",     1,    1e-9, 1e9, LOG,    STATIC_LEVEL,    "static level")                       \
  P(d,      "s/m",   3,    0,    1e9, LOG,    STRIBECK_FALL,   "fall of the sliding friction per unit speed") \
  P(eta,    "m/s",   1e-6, 1e-9, 1e3, LOG,    SMOOTHING_SPEED, "half width of the band")             \
  P(pull,   "N*s/m", 1,    0,    1e9, LOG,    DAMPING,         "alignment in stick, sqrt(k M); no effect on coupled steps") \
  P(sigma2, "N*s/m", 0,    0,    1e9, LOG,    VISCOUS,         "viscous coefficient")
#define STATES(S, V)
#define ADVICE(A)                                                                                    \
  A(d, p->d, in->w * p->d * p->fs < K(1),                                                            \
    "the step is long: friction falls with speed faster than the inertia resolves; shorten h")
#define INSTANT
#define STICTION
#define CREEP(p) ((p)->eta)
#include "core/model_begin.h"

KERNEL real leine_force(const params *p, const input *in)
{
  real slip = r_copysign(p->fs / (K(1) + p->d * r_abs(in->v)), in->v);
  real stick = held_within(p, in->f + p->pull * in->v, p->fs);
  real most = level_on(p, in->f, p->fs), transition = r_copysign(most, in->f);
  real band = r_abs(in->f) <= most ? stick : transition;
  return (r_abs(in->v) > p->eta ? slip : band) + p->sigma2 * in->v;
}

KERNEL range leine_stick(const params *p, const state *s, const input *in)
{
  (void)s;
  (void)in;
  return make_range(-p->fs, p->fs);
}

KERNEL step_bounds leine_step_bounds(const params *p, const state *s, const input *in, real d)
{
  (void)s;
  (void)in;
  (void)d;
  return make_step_bounds(p->sigma2, p->fs, p->sigma2);
}

#include "core/model_end.h"
