/* Turns a law's kernels into its descriptor: plain numbers here, derivatives in model_diff.h.
 *
 * A law with no memory writes one kernel, force(p, in), says INSTANT, and may define CREEP. Every other law writes
 *   eval(p, s, in, rate)  force and rates at an instant
 *   move(p, s, in)        exact update over in->h at the constant velocity in->v, returns the force
 *   steady(p, in), energy(p, s, in), mode(p, s, in)
 * All write step_bounds(p, s, in, d), what the coupled step may expect when it first moves in the direction d = +-1;
 * laws with set-valued rest say STICTION and write stick(p, s, in); laws whose force can jump when motion starts
 * say JUMPS_AT_REST; laws whose move is a loop of its own say HEAVY, and their batches go contact by contact. */

#ifdef INSTANT
/* at an instant there is no step: what a host says about one is not looked at */
KERNEL vec ROLE(force_at)(const params *p, const input *in)
{
  input k = *in;
#if BRISTLE_DIM == 1
  k.w = 0;
#endif
  return ROLE(force)(p, &k);
}
KERNEL vec ROLE(eval)(const params *p, const state *s, const input *in, state *rate)
{
  (void)s;
  (void)rate;
  return ROLE(force_at)(p, in);
}
KERNEL vec ROLE(move)(const params *p, state *s, const input *in)
{
  (void)s;
  return ROLE(force)(p, in);
}
KERNEL vec ROLE(steady)(const params *p, const input *in) { return ROLE(force_at)(p, in); }
KERNEL real ROLE(energy)(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  (void)in;
  return K(0);
}
#ifndef CREEP /* the speed below which a smoothed law only creeps */
#define CREEP(p) K(0)
#endif
KERNEL bristle_mode ROLE(mode)(const params *p, const state *s, const input *in)
{
  (void)p;
  (void)s;
  if (v_norm(in->v) == K(0)) return BRISTLE_MODE_STUCK;
  return v_norm(in->v) < CREEP(p) ? BRISTLE_MODE_PRESLIDING : BRISTLE_MODE_SLIDING;
}
#endif

#ifdef BRISTLE_SKEW
#include "core/skew.h"
#else
#define SYMBOL MODEL
#endif

#include "core/load.h"
#if defined(BRISTLE_FINISH) /* another end: see model_begin.h */
#include BRISTLE_FINISH
#elif BRISTLE_DIM > 1 && defined(BRISTLE_DIFF)
#include "core/model_vector_diff.h"
#elif BRISTLE_DIM > 1
#include "core/couple_vector.h"
#include "core/model_vector.h"
#elif defined(BRISTLE_DIFF)
#include "core/model_diff.h"
#else
#include "core/couple.h"
#include "core/model_plain.h"
#endif

/* What a law may know better than the search of the coupled step; none of it is needed:
 *   CLOSED     and closed(p, s, in): the end velocity of a coupled step itself, 0 at rest; there is no search then
 *   HOLD       and hold(p, s): the force of a step at rest, which leaves the state as it is
 *   SATURATES  the force comes to its bound (see step_bounds) in sliding: a fast step is first tried there
 *   SLIDING_LEVEL      SLIDING_LEVEL(p): the force of fast sliding, without its viscous part: a fast step is first
 * tried there INITIAL_GUESS    and initial_guess(p, s, in, d, r0, u, inverse): a better first guess (see couple.h)
 *   SPLIT_STEP      and ahead(p, in), move_on(p, s, in, ahead): a step in two parts, for batches (see couple.h)
 * and than the batch loops: COMMON(C) lists C(parameter, value) that are nearly always so and save work when they are.
 */
