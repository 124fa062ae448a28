/* The coupled step in two or three dimensions: given the free velocity v and the symmetric compliance W, find u with
 *
 *   R(u) = u - v + W F(u) = 0.
 *
 * For friction that does not fall with speed R is the slope of a convex function and has one zero. Where it falls there
 * may be several, and the one nearest to rest is meant, not promised: a search begins where the contact would stick if
 * it can, and only if that ends without a zero, where it would slide. Slopes are differences of the law itself, and
 * few: a step that goes well corrects them. Whatever happens, the force returned closes the host's balance. */

#ifndef BRISTLE_SMALL_MATRIX
#define BRISTLE_SMALL_MATRIX
FN vec m_times(const scalar w[BRISTLE_DIM][BRISTLE_DIM], vec a)
{
  vec r = v_zero();
  EACH(i) EACH(j) r.c[i] += w[i][j] * a.c[j];
  return r;
}

/* a x = b by elimination; pivots vanish only for matrices no host should send, and then nothing becomes infinite */
FN vec m_solve(real a[BRISTLE_DIM][BRISTLE_DIM], vec b)
{
  EACH(k)
  {
    int pivot = k;
    for (int i = k + 1; i < BRISTLE_DIM; i++)
      if (r_abs(a[i][k]) > r_abs(a[pivot][k])) pivot = i;
    EACH(j)
    {
      real swap = a[k][j];
      a[k][j] = a[pivot][j], a[pivot][j] = swap;
    }
    real swap = b.c[k];
    b.c[k] = b.c[pivot], b.c[pivot] = swap;
    real inverse = K(1) / (r_abs(a[k][k]) > K(REAL_TINY) ? a[k][k] : K(REAL_TINY));
    for (int i = k + 1; i < BRISTLE_DIM; i++) {
      real part = a[i][k] * inverse;
      for (int j = k; j < BRISTLE_DIM; j++) a[i][j] -= part * a[k][j];
      b.c[i] -= part * b.c[k];
    }
  }
  for (int i = BRISTLE_DIM - 1; i >= 0; i--) {
    for (int j = i + 1; j < BRISTLE_DIM; j++) b.c[i] -= a[i][j] * b.c[j];
    b.c[i] = b.c[i] / (r_abs(a[i][i]) > K(REAL_TINY) ? a[i][i] : K(REAL_TINY));
  }
  return b;
}

/* (shift I + gain W) x = b */
FN vec m_solve_shifted(const scalar w[BRISTLE_DIM][BRISTLE_DIM], real shift, real gain, vec b)
{
  real a[BRISTLE_DIM][BRISTLE_DIM];
  EACH(i) EACH(j) a[i][j] = gain * w[i][j] + (i == j ? shift : K(0));
  return m_solve(a, b);
}

FN int m_is_zero(const scalar w[BRISTLE_DIM][BRISTLE_DIM])
{
  EACH(i) EACH(j) if (w[i][j] != 0) return 0;
  return 1;
}

/* -a^-1 r */
FN vec m_correction(const real a[BRISTLE_DIM][BRISTLE_DIM], vec r)
{
  real copy[BRISTLE_DIM][BRISTLE_DIM];
  EACH(i) EACH(j) copy[i][j] = a[i][j];
  return v_scale(K(-1), m_solve(copy, r));
}
#endif

/* a velocity, what the law does with it, and what that leaves of the balance */
typedef struct guess {
  vec u, f, r;
  real size, rounding; /* of r */
  state s;
} guess;

/* `floor`: size of the numbers that the balance is made of, and rounded as such */
FN guess ROLE(guess_at)(const params *p, const state *s, const input *in, vec u, real floor)
{
  guess g;
  input k = *in;
  k.v = u;
  g.u = u;
  g.s = *s;
  g.f = ROLE(move)(p, &g.s, &k);
  vec lost = m_times(in->w, g.f);
  g.r = v_add(v_sub(u, in->v), lost);
  g.size = v_norm(g.r);
  g.rounding = K(4) * K(REAL_EPSILON) * (floor + v_norm(lost));
  return g;
}

/* the same, apart: everywhere but in Newton's step, where it is called most */
static __attribute__((noinline, unused)) guess ROLE(guess_apart)(const params *p, const state *s, const input *in,
                                                                 vec u, real floor)
{
  return ROLE(guess_at)(p, s, in, u, floor);
}

FN int ROLE(is_root)(const guess *g) { return g->size <= K(16) * g->rounding; }

/* dr/du at a guess, by differences of the law itself; seldom, and apart from the rest, which has copies of the law
 * enough */
static __attribute__((noinline, unused)) void ROLE(slopes)(const params *p, const state *s, const input *in,
                                                           const guess *at, real a[BRISTLE_DIM][BRISTLE_DIM])
{
  const real nudge = K(BRISTLE_F32 ? 1e-3 : 1e-8) * (v_norm(at->u) + v_norm(in->v)) + K(REAL_TINY);
  EACH(j)
  {
    vec moved = at->u;
    moved.c[j] += nudge;
    vec change = v_sub(ROLE(guess_apart)(p, s, in, moved, K(0)).r, at->r);
    EACH(i) a[i][j] = change.c[i] / nudge;
  }
}

/* Newton's iteration from a guess, with slopes a to begin with. A step that serves well corrects the slopes by itself
   (Broyden); after one that does not they are measured anew, and the next is halved until it serves. */
FN guess ROLE(search)(const params *p, const state *s, const input *in, guess at, real a[BRISTLE_DIM][BRISTLE_DIM],
                      int measured, real floor)
{
  enum { STEPS = 60, HALVINGS = 20 };
  for (int i = 0; i < STEPS && at.size > at.rounding; i++) {
    vec step = m_correction(a, at.r);
    guess next = ROLE(guess_at)(p, s, in, v_add(at.u, step), floor);
    if (!(next.size < K(0.25) * at.size)) {
      const int rounded = ROLE(is_root)(&at); /* only that is left */
      if ((rounded || !measured) && next.size < at.size) at = next;
      if (rounded) break;
      if (!measured) {
        ROLE(slopes)(p, s, in, &at, a);
        measured = 1;
        continue;
      }
      for (int k = 0; k < HALVINGS && !(next.size < at.size); k++) {
        step = v_scale(K(0.5), step);
        next = ROLE(guess_apart)(p, s, in, v_add(at.u, step), floor);
      }
      if (!(next.size < at.size)) break;
      at = next;
      ROLE(slopes)(p, s, in, &at, a);
      continue;
    }
    const real length = v_dot(step, step);
    EACH(k) EACH(j) a[k][j] += next.r.c[k] * step.c[j] / r_max(length, K(REAL_TINY));
    at = next;
    measured = 0;
  }
  return at;
}

/* Where a contact with the constant resistance `level` would slide: u + level W u/|u| = v, roughly, as a start. */
FN vec ROLE(slide)(const input *in, real level)
{
  enum { ROUNDS = 4 };
  vec u = in->v;
  for (int i = 0; i < ROUNDS; i++)
    u = m_solve_shifted(in->w, K(1), level / r_max(v_norm(u), K(REAL_TINY) * level), in->v);
  return u;
}

/* slopes of that resistance and of the viscous one */
FN void ROLE(slide_slopes)(const input *in, vec u, real level, real viscous, real a[BRISTLE_DIM][BRISTLE_DIM])
{
  const real per = level / r_max(v_norm(u), K(REAL_TINY) * level);
  const vec d = v_along(K(1), u);
  EACH(i) EACH(j)
  {
    a[i][j] = (i == j ? K(1) : K(0)) + (per + viscous) * in->w[i][j];
    EACH(k) a[i][j] -= per * in->w[i][k] * d.c[k] * d.c[j];
  }
}

/* Of several zeros the one nearest to rest: a contact that can hold is searched from where it would stick, and from
   sliding only if that fails; one that cannot, the other way round. The last starts are speeds in between. */
FN guess ROLE(find)(const params *p, const state *s, const input *in, vec rest)
{
  enum { STARTS = 6, STUCK = 0, SLIDING = 1 };
  const vec lost = m_times(in->w, rest), first = v_sub(in->v, lost);
  const real floor = v_norm(in->v) + v_norm(lost);
  const step_bounds g = ROLE(step_bounds)(p, s, in, v_along(K(1), first));
  const vec stuck = m_solve_shifted(in->w, K(1), g.slope, first);
  const int holds = v_norm(v_add(rest, v_scale(g.slope, stuck))) <= g.force_bound;
  const real level = r_max(v_norm(ROLE(steady)(p, in)) - g.viscous * v_norm(in->v), K(REAL_TINY));
  real a[BRISTLE_DIM][BRISTLE_DIM], part = K(1);
  guess best;
  for (int k = 0; k < STARTS; k++) {
    const int kind = k < 2 && !holds ? 1 - k : k;
    vec u = stuck;
    if (kind == SLIDING) u = ROLE(slide)(in, level);
    if (kind > SLIDING) u = v_scale(part, in->v), part = part * K(0.2);
    guess at = ROLE(guess_apart)(p, s, in, u, floor);
    if (kind == STUCK) EACH(i) EACH(j) a[i][j] = g.slope * in->w[i][j] + (i == j ? K(1) : K(0));
    else if (kind == SLIDING) ROLE(slide_slopes)(in, u, level, g.viscous, a);
    else ROLE(slopes)(p, s, in, &at, a);
    at = ROLE(search)(p, s, in, at, a, kind > SLIDING, floor);
    if (k == 0 || at.size < best.size) best = at;
    if (ROLE(is_root)(&best)) break;
  }
  return best;
}

FN vec ROLE(couple)(const params *p, state *s, const input *in, vec *v_end)
{
  if (m_is_zero(in->w)) { /* prescribed motion */
    *v_end = in->v;
    return ROLE(move)(p, s, in);
  }
  input k = *in;
  k.f = m_solve_shifted(in->w, K(0), K(1), in->v); /* the force that would stop the body within the step */
  vec rest;
#ifdef STICTION
  const real level = ROLE(stick)(p, s, &k).hi;
  if (v_norm(k.f) <= level) {
    k.v = v_zero();
    ROLE(move)(p, s, &k);
    *v_end = v_zero();
    return k.f;
  }
  rest = v_along(level, k.f);
#else
  const guess still = ROLE(guess_apart)(p, s, &k, v_zero(), v_norm(in->v));
  rest = still.f;
  if (ROLE(is_root)(&still)) {
    *s = still.s;
    *v_end = v_zero();
    return rest;
  }
#endif
#ifdef JUMPS_AT_REST
  const vec first = v_sub(in->v, m_times(in->w, rest));
  if (v_dot(ROLE(guess_apart)(p, s, &k, v_scale(K(1e-9), first), K(0)).r, first) >= K(0)) {
    *s = still.s;
    *v_end = v_zero();
    return k.f;
  }
#endif
  const guess end = ROLE(find)(p, s, &k, rest);
  *s = end.s;
  *v_end = end.u;
  return ROLE(is_root)(&end) ? end.f : m_solve_shifted(in->w, K(0), K(1), v_sub(in->v, end.u));
}
