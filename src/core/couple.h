/* The coupled step: given the free velocity v and the compliance w, find the end velocity u with
 *
 *   u - v + w F(u) = 0,    F(u) = the law's force after moving at u for the whole step,
 *
 * and advance the state with it. A contact that can hold, holds: laws with set-valued rest stick exactly. While
 * friction falls with speed less steeply than the inertia resolves (w dF/du > -1, what a law's advice is about) there
 * is one root. A longer step may have several. Then the search starts from rest and walks outwards, which finds the one
 * nearest to rest except where two lie close together on the falling side: some per cent of wildly long steps return a
 * farther one (tests/promises.c counts them). A jump of F met anywhere else is filled in, so the host's balance always
 * closes. No law's derivative is needed: a secant inside a bracket that only shrinks. */

enum { COUPLE_ITERATIONS = 200 };

/* Laws with flags or memories among their states are always evaluated at the end velocity itself. */
#define S_JUMPS(name, unit, kind, doc) +(BRISTLE_##kind == BRISTLE_JUMP)
#define SV_JUMPS(name, size, unit, kind, doc) +(BRISTLE_##kind == BRISTLE_JUMP)
enum { ROLE(jumps) = 0 STATES(S_JUMPS, SV_JUMPS) };

/* t moves on by the given part of its difference to t_last. */
FN void ROLE(extend)(state *t, const state *t_last, real part)
{
  real *a = (real *)t;
  const real *b = (const real *)t_last;
  for (int i = 0; i < ROLE(nstate); i++) a[i] += (a[i] - b[i]) * part;
}

/* Residual in the direction d of motion, at the speed u >= 0; *t receives the state after the step. */
FN real ROLE(residual)(const params *p, const state *s, const input *in, real d, real u, state *t, real *f)
{
  input k = *in;
  k.v = d * u;
  *t = *s;
  *f = ROLE(move)(p, t, &k);
  return (u - d * in->v) + in->w * d * *f;
}

/* The root between lo and hi, from a first guess and the slope expected there; r_lo is the residual at lo, or 0
   when it is not known. Until a sign change is seen the search walks outwards from the guess, so it seldom
   passes the root nearest to rest. The last correction is not evaluated: once it is small beside the last move and the
   curvature seen so far puts its error below rounding, force and state are interpolated. */
FN real ROLE(search)(const params *p, state *s, const input *in, real d, real lo, real r_lo, real hi, real u,
                     real slope, real *v_end)
{
  const real w = in->w, v = in->v;
  real u_last = lo, u_older = lo, r_last = r_lo, f_last = 0, r = 0, f = 0, tolerance = 0;
  real best = K(4) * (r_abs(v) + hi);
  int bracketed = 0, stalled = 0, points = r_lo < 0 ? 1 : 0;
  state t = *s, t_last = *s;
  for (int i = 0; i < COUPLE_ITERATIONS; i++) {
    r = ROLE(residual)(p, s, in, d, u, &t, &f);
    /* rounding: F is a sum of terms as large as the force at rest, which is within |r_lo| + |v| of w F */
    tolerance = K(2) * K(REAL_EPSILON) * (r_abs(v) - r_lo + w * r_abs(f));
    if (r_abs(r) <= tolerance) break;

    const real bent = slope;
    if (r < 0) lo = u;
    else hi = u, bracketed = 1;
    /* the secant's correction, in units of the last move */
    const real part = points > 0 ? -r / (r - r_last) : K(0);
    const real change = points > 0 ? part * (u - u_last) : -r / slope;
    if (points > 0) slope = (r - r_last) / (u - u_last);
    real next = u + change;
    if (!ROLE(jumps) && points > 1 && i > 0 && r_abs(part) <= K(1e-3) && next > lo && next < hi
        && r_abs((slope - bent) * change * (next - u_last)) <= tolerance * r_abs(u - u_older)) {
      ROLE(extend)(&t, &t_last, part);
      f += (f - f_last) * part;
      u = next;
      r = 0;
      break;
    }

    if (!bracketed && (!(next > lo) || next > K(8) * lo)) next = K(8) * lo;
    /* a secant that does not pay is followed by a bisection */
    stalled = r_abs(r) < K(0.25) * best ? 0 : stalled + 1;
    best = r_min(best, r_abs(r));
    if (!(next > lo && next < hi) || stalled > 2) next = K(0.5) * (lo + hi), stalled = 1;
    if (next == u || next == lo || next == hi) break;
    u_older = u_last;
    u_last = u, r_last = r, f_last = f, t_last = t;
    u = next;
    points++;
  }
  /* a jump of the law: any force between its two sides is admissible, and the balance names which */
  if (r_abs(r) > tolerance) f = (v - d * u) / w;
  *s = t;
  *v_end = d * u;
  return f;
}

FN real ROLE(couple)(const params *p, state *s, const input *in, real *v_end)
{
  const real w = in->w, v = in->v;
  if (!(w > 0)) { /* prescribed motion */
    *v_end = v;
    return ROLE(move)(p, s, in);
  }
  input k = *in;
  k.f = v / w; /* the force that would stop the body within the step */

  real d, r0;
#ifdef STICTION
  const range rest = ROLE(stick)(p, s, &k);
  if (v >= w * rest.lo && v <= w * rest.hi) {
    k.v = 0;
    ROLE(move)(p, s, &k);
    *v_end = 0;
    return v / w;
  }
  d = v > w * rest.hi ? K(1) : K(-1);
  r0 = d > 0 ? w * rest.hi - v : v - w * rest.lo;
#else
  state t;
  real f;
  r0 = ROLE(residual)(p, s, &k, K(1), K(0), &t, &f);
  if (r0 == 0) {
    *s = t;
    *v_end = 0;
    return f;
  }
  d = r0 < 0 ? K(1) : K(-1);
  r0 = -r_abs(r0);
#ifdef JUMPS_AT_REST
  /* the first motion would already be too much: the body rests, and the balance names the force */
  state moving;
  if (ROLE(residual)(p, s, &k, d, K(REAL_TINY), &moving, &f) >= 0) {
    *s = t;
    *v_end = 0;
    return v / w;
  }
#endif
#endif

  const grip g = ROLE(grip)(p, s, &k, d);
  const real reach = w * g.reach, sliding = K(1) + w * g.viscous;
  const real hi = (r_abs(v) + reach) / sliding * K(1 + 1e-6) + K(REAL_TINY);
  /* too fast to stop in this step: start from free sliding; else from the stick that gives way with g.slope */
  const int fast = d * v > reach;
  const real slope = fast ? sliding : K(1) + w * g.slope;
  const real lo = fast ? (d * v - reach) / sliding : K(0), guess = fast ? d * v / sliding : r_min(-r0 / slope, hi);
  return ROLE(search)(p, s, &k, d, lo, fast ? K(0) : r0, hi, guess, slope, v_end);
}
