/* Its own friction for each direction: a law's kernels, called with the parameters of the direction of motion.
 *
 * Forwards every level is (1 + level_skew) times the table's, backwards (1 - level_skew) times; viscous_skew does the
 * same to viscous friction and drag. At rest the direction is that of the applied force, so that a law that really
 * sticks holds up to the level that a motion would meet. Stiffness and damping are the same both ways: the stored
 * energy is one function of the state, a bristle is only held at different lengths, and nothing is gained by going to
 * and fro.
 *
 * A law whose level is no row of its own says how to scale it: SKEW_LEVEL(q, k) makes the level of the set q k times as
 * high. A law whose memory is one curve for both directions says SKEW_NO_LEVEL. */

#define SYMBOL BRISTLE_CAT(MODEL, _skewed)
#ifndef HEAVY
#define HEAVY
#endif
#undef CLOSED /* what a law writes down of its coupled step holds for one level */
#undef HOLD
#undef SPLIT_STEP /* for batches only */

#define IS_LEVEL(role)                                                                               \
  ((role) == BRISTLE_ROLE_LEVEL || (role) == BRISTLE_ROLE_STATIC_LEVEL || (role) == BRISTLE_ROLE_EXCESS_LEVEL)
#define IS_VISCOUS(role) ((role) == BRISTLE_ROLE_VISCOUS || (role) == BRISTLE_ROLE_DRAG)
#ifdef SKEW_LEVEL
#define LEVEL_TURNED(role, value) (value)
#else
#define LEVEL_TURNED(role, value) (IS_LEVEL(role) ? (value)*k : (value))
#endif
#define P_TURN(name, unit, def, lo, hi, kind, role, doc)                                             \
  q.name = IS_VISCOUS(BRISTLE_ROLE_##role) ? p->name * viscous : LEVEL_TURNED(BRISTLE_ROLE_##role, p->name);
#define V_TURN(name, count, ...)                                                                     \
  for (int i_ = 0; i_ < (count); i_++) q.name[i_] = p->name[i_];

/* the set of the direction d = +1 or -1 */
FN params skewed_set(const params *p, real d)
{
  const real k = K(1) + d * p->level_skew, viscous = K(1) + d * p->viscous_skew;
  params q;
  PARAMS(P_TURN, V_TURN)
#ifdef SKEW_LEVEL
  SKEW_LEVEL(q, k)
#endif
  (void)k, (void)viscous;
  q.level_skew = p->level_skew;
  q.viscous_skew = d; /* see direction_of */
  return q;
}

FN params skewed_now(const params *p, const input *in)
{
  return skewed_set(p, in->v < K(0) || (in->v == K(0) && in->f < K(0)) ? K(-1) : K(1));
}

KERNEL real skewed_eval(const params *p, const state *s, const input *in, state *rate)
{
  const params q = skewed_now(p, in);
  return ROLE(eval)(&q, s, in, rate);
}

KERNEL real skewed_move(const params *p, state *s, const input *in)
{
  const params q = skewed_now(p, in);
  return ROLE(move)(&q, s, in);
}

KERNEL real skewed_steady(const params *p, const input *in)
{
  const params q = skewed_now(p, in);
  return ROLE(steady)(&q, in);
}

KERNEL real skewed_energy(const params *p, const state *s, const input *in)
{
  const params q = skewed_now(p, in);
  return ROLE(energy)(&q, s, in);
}

KERNEL bristle_mode skewed_mode(const params *p, const state *s, const input *in)
{
  const params q = skewed_now(p, in);
  return ROLE(mode)(&q, s, in);
}

/* a bristle that springs back pulls with the level of the other direction, so the bound is that of the higher one */
KERNEL step_bounds skewed_step_bounds(const params *p, const state *s, const input *in, real d)
{
  const params q = skewed_set(p, d);
  step_bounds g = ROLE(step_bounds)(&q, s, in, d);
  g.force_bound = g.force_bound * ((K(1) + r_abs(p->level_skew)) / (K(1) + d * p->level_skew));
  return g;
}

#ifdef STICTION
KERNEL range skewed_stick(const params *p, const state *s, const input *in)
{
  const params back = skewed_set(p, K(-1)), forth = skewed_set(p, K(1));
  return make_range(ROLE(stick)(&back, s, in).lo, ROLE(stick)(&forth, s, in).hi);
}
#endif

#ifdef INITIAL_GUESS
KERNEL real skewed_initial_guess(const params *p, const state *s, const input *in, real d, real r0, real u,
                                 real inverse)
{
  const params q = skewed_set(p, d);
  return ROLE(initial_guess)(&q, s, in, d, r0, u, inverse);
}
#endif

enum { skewed_nstate = ROLE(nstate), skewed_nparam = ROLE(nparam) };

/* from here on the law is the one above */
#undef ROLE
#define ROLE(role) BRISTLE_CAT(skewed_, role)
