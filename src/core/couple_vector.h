/* The coupled step in two or three dimensions: given the free velocity v and the symmetric compliance W, find u with
 *
 *   R(u) = u - v + W F(u) = 0.
 *
 * For friction that does not fall with speed, R is the slope of a convex function and a damped Newton iteration finds
 * its one zero from anywhere; it starts at the stick solution, so that of several zeros it meets the one nearest to
 * rest. The Jacobian is taken by differences of the law itself. Whatever happens, the force returned closes the
 * host's balance. */

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
#endif

FN vec ROLE(residual)(const params *p, const state *s, const input *in, vec u, state *t, vec *f)
{
  input k = *in;
  k.v = u;
  *t = *s;
  *f = ROLE(move)(p, t, &k);
  return v_add(v_sub(u, in->v), m_times(in->w, *f));
}

/* One Newton correction at u, where the residual is r. */
FN vec ROLE(newton)(const params *p, const state *s, const input *in, vec u, vec r)
{
  real a[BRISTLE_DIM][BRISTLE_DIM];
  const real nudge = K(BRISTLE_F32 ? 1e-3 : 1e-8) * (v_norm(u) + v_norm(in->v)) + K(REAL_TINY);
  EACH(j)
  {
    state t;
    vec f, moved = u;
    moved.c[j] += nudge;
    vec change = v_sub(ROLE(residual)(p, s, in, moved, &t, &f), r);
    EACH(i) a[i][j] = change.c[i] / nudge;
  }
  return v_scale(K(-1), m_solve(a, r));
}

FN vec ROLE(search)(const params *p, state *s, const input *in, vec u, vec rest, vec *v_end)
{
  enum { NEWTON_STEPS = 60, HALVINGS = 20 };
  state t;
  vec f, r = ROLE(residual)(p, s, in, u, &t, &f);
  const real floor = v_norm(in->v) + v_norm(m_times(in->w, rest));
  for (int i = 0; i < NEWTON_STEPS; i++) {
    const real rounding = K(4) * K(REAL_EPSILON) * (floor + v_norm(m_times(in->w, f)));
    if (v_norm(r) <= rounding) break;
    vec step = ROLE(newton)(p, s, in, u, r), best = r;
    int better = 0;
    for (int k = 0; k < HALVINGS && !better && (k == 0 || v_norm(r) > K(256) * rounding); k++) {
      state t_try;
      vec f_try, u_try = v_add(u, step), r_try = ROLE(residual)(p, s, in, u_try, &t_try, &f_try);
      better = v_norm(r_try) < v_norm(best);
      if (better) u = u_try, r = r_try, f = f_try, t = t_try;
      step = v_scale(K(0.5), step);
    }
    if (!better) break; /* rounding, or a kink: the balance decides */
  }
  if (v_norm(r) > K(64) * K(REAL_EPSILON) * (floor + v_norm(m_times(in->w, f))))
    f = m_solve_shifted(in->w, K(0), K(1), v_sub(in->v, u));
  *s = t;
  *v_end = u;
  return f;
}

FN vec ROLE(couple)(const params *p, state *s, const input *in, vec *v_end)
{
  if (m_is_zero(in->w)) { /* prescribed motion */
    *v_end = in->v;
    return ROLE(move)(p, s, in);
  }
  input k = *in;
  k.f = m_solve_shifted(in->w, K(0), K(1), in->v); /* the force that would stop the body within the step */
  vec rest, first;
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
  state t;
  vec r = ROLE(residual)(p, s, &k, v_zero(), &t, &rest);
  if (v_norm(r) == K(0)) {
    *s = t;
    *v_end = v_zero();
    return rest;
  }
#endif
  first = v_sub(in->v, m_times(in->w, rest));
  const grip g = ROLE(grip)(p, s, &k, v_along(K(1), first));
#ifdef JUMPS_AT_REST
  state moving;
  vec f, tiny = v_along(K(REAL_TINY) * K(1e6), first);
  if (v_dot(ROLE(residual)(p, s, &k, tiny, &moving, &f), first) >= K(0)) {
    *s = t;
    *v_end = v_zero();
    return k.f;
  }
#endif
  return ROLE(search)(p, s, &k, m_solve_shifted(in->w, K(1), g.slope, first), rest, v_end);
}
