/* The coupled step: given the free velocity v and the compliance w, find the end velocity u with
 *
 *   u - v + w F(u) = 0,    F(u) = the law's force after moving at u for the whole step,
 *
 * and advance the state with it. A contact that can hold, holds: laws with set-valued rest stick exactly. While
 * friction falls with speed less steeply than the inertia resolves (w dF/du > -1, what a law's advice is about) there
 * is one root. A longer step may have several. Then the search starts from rest and walks outwards, which finds the one
 * nearest to rest except where two lie close together on the falling side: some per cent of wildly long steps return a
 * farther one (tests/promises.c counts them). A jump of F met anywhere else is filled in, so the host's balance always
 * closes. No law's derivative is needed: a secant inside a bracket that only shrinks.
 *
 * What a law may know better (none of it is needed):
 *   CLOSED     closed(p, s, in): the end velocity itself, 0 at rest; no search. tests/closed.c compares with one
 *   HOLD       hold(p, s): the force of a step at rest, which leaves the state as it is
 *   SATURATES  the force comes to its bound (see step_bounds) in sliding: a fast step is first tried there
 *   SLIDING_LEVEL      the force of fast sliding, without its viscous part: a fast step is first tried there
 *   INITIAL_GUESS    initial_guess(p, s, in, d, r0, u, inverse): a better first guess than u, the one by step_bounds's
 * slope; the step at rest leaves r0 of the balance, inverse is the change of u for a change of it; OVER divides there
 * and about batches:
 *   SPLIT_STEP      ahead(p, in): what a step at in->v computes without the state, and move_on(p, s, in, that): the
 * rest. In loops of their own each waits less for its numbers: a processor looks ahead as far as its registers last
 */

#include "core/search.h"

/* Laws with flags or memories among their states are always evaluated at the end velocity itself. */
#define S_JUMPS(name, unit, kind, doc) +(BRISTLE_ROW_##kind == BRISTLE_ROW_JUMP)
#define SV_JUMPS(name, size, unit, kind, doc) +(BRISTLE_ROW_##kind == BRISTLE_ROW_JUMP)
enum { ROLE(jumps) = 0 STATES(S_JUMPS, SV_JUMPS) };

/* Residual in the direction d of motion, at the speed u >= 0; *t receives the state after the step. */
FN real ROLE(residual)(const params *p, const state *s, const input *in, real d, real u, state *t, real *f)
{
  input k = *in;
  k.v = r_copysign(u, d);
  *t = *s;
  *f = ROLE(move)(p, t, &k);
  return (u - d * in->v) + in->w * d * *f;
}

#ifdef SPLIT_STEP
/* The same in two parts, the law's `ahead` and what it leaves. */
FN real ROLE(residual_ahead)(const params *p, const input *in, real d, real u)
{
  input k = *in;
  k.v = r_copysign(u, d);
  return ROLE(ahead)(p, &k);
}

FN real ROLE(residual_on)(const params *p, const state *s, const input *in, real d, real u, real ahead, state *t,
                          real *f)
{
  input k = *in;
  k.v = r_copysign(u, d);
  *t = *s;
  *f = ROLE(move_on)(p, t, &k, ahead);
  return (u - d * in->v) + in->w * d * *f;
}
#endif

#if defined(CLOSED) && !defined(BRISTLE_ONLY_SEARCH)

FN real ROLE(root)(const params *p, state *s, const input *in, real *v_end)
{
  input k = *in;
  k.v = *v_end = ROLE(closed)(p, s, in);
  const real f = ROLE(move)(p, s, &k);
#ifdef STICTION
  return k.v == K(0) ? in->v / in->w : f;
#else
  return f;
#endif
}

#else

/* ---- where a search begins ---- */

#if defined(INITIAL_GUESS) && !BRISTLE_F32 /* single precision hardly sees more than the first guess */
#define HAS_INITIAL_GUESS
#endif

typedef struct start {
  choice rests; /* no search is needed: the contact rests, */
  real f_rest;  /* with this force */
  real d, lo, r_lo, hi, guess, slope;
#ifdef HAS_INITIAL_GUESS
  real inverse; /* of slope */
#endif
} start;

/* Does the contact rest? If not, in which direction does it move, and what is left of the balance at rest? A step at
   rest left r and f; where a law jumps there, the first motion leaves r_first. */
FN real ROLE(judge_rest)(const params *p, const state *s, const input *in, real r, real f, start *b)
{
  const real w = in->w, v = in->v;
#ifdef STICTION
  const range rest = ROLE(stick)(p, s, in);
  (void)r, (void)f;
  b->rests = (v >= w * rest.lo) & (v <= w * rest.hi);
  b->f_rest = v / w;
  b->d = v > w * rest.hi ? K(1) : K(-1);
  return b->d > 0 ? w * rest.hi - v : v - w * rest.lo;
#else
  (void)p, (void)s, (void)w, (void)v;
  b->rests = r == 0;
  b->f_rest = f;
  b->d = r < 0 ? K(1) : K(-1);
  return -r_abs(r);
#endif
}

/* the first motion would already be too much: the body rests, and the balance names the force */
FN void ROLE(judge_first)(const input *in, real r_first, start *b)
{
  const choice back = (r_first >= 0) & !b->rests;
  b->f_rest = back ? in->v / in->w : b->f_rest;
  b->rests |= back;
}

/* of a contact that does not rest and leaves r0 of its balance there */
FN void ROLE(bracket)(const params *p, const state *s, const input *in, real r0, start *b, int alone)
{
  const real w = in->w, v = in->v;
  const step_bounds g = ROLE(step_bounds)(p, s, in, b->d);
  const real lost = w * g.force_bound, sliding = K(1) + w * g.viscous;
  /* 1/(1 + x) is at most 1 - x + x^2 and 1: a bound needs no division */
  const real x = w * g.viscous, yield = r_min(K(1) - x + x * x, K(1));
  b->hi = (r_abs(v) + lost) * yield * K(1 + 1e-6) + K(REAL_TINY);
  /* too fast to stop in this step: start from free sliding; else from the stick that gives way with g.slope */
  const choice fast = b->d * v > lost;
  b->slope = PICK(fast, sliding, K(1) + w * g.slope);
#ifdef SLIDING_LEVEL
  const real first = PICK(fast, b->d * v - w * SLIDING_LEVEL(p), -r0);
#else
  const real first = PICK(fast, b->d * v, -r0);
#endif
#if defined(INITIAL_GUESS) && !defined(SATURATES) /* a bound, as of hi: no division but one */
  b->lo = PICK(fast, (b->d * v - lost) * r_max(K(1) - x, K(0)), K(0));
#else
  b->lo = PICK(fast, (b->d * v - lost) / sliding, K(0));
#endif
#ifdef HAS_INITIAL_GUESS
  b->inverse = OVER(K(1), b->slope);
  b->guess = first * b->inverse;
#else
  b->guess = PICK(fast, first / b->slope, r_min(first / b->slope, b->hi));
#endif
#ifdef SATURATES
  b->guess = PICK(fast, b->lo, b->guess); /* the root, if the force has come to its bound */
#endif
  b->r_lo = PICK(fast, K(0), r0);
}

#ifdef HAS_INITIAL_GUESS
/* the first guess of slow motion, better */
FN real ROLE(sharpen)(const params *p, const state *s, const input *in, const start *b, int alone)
{
  const choice slow = b->r_lo < 0;
  return PICK(slow, r_min(ROLE(initial_guess)(p, s, in, b->d, b->r_lo, b->guess, b->inverse), b->hi), b->guess);
}
#endif

/* a step at rest; laws that rest by themselves need only its state */
FN real ROLE(still)(const params *p, const state *s, const input *in, state *t, real *f)
{
#ifdef HOLD
  for (int i = 0; i < ROLE(nstate); i++) ((real *)t)[i] = ((const real *)s)[i] + K(0); /* as a move of nothing does */
  *f = ROLE(hold)(p, s);
  return (K(0) - in->v) + in->w * *f;
#else
  return ROLE(residual)(p, s, in, K(1), K(0), t, f);
#endif
}

FN start ROLE(begin)(const params *p, const state *s, const input *in, state *t)
{
  start b;
  real f = 0, r = 0;
#ifndef STICTION
  r = ROLE(still)(p, s, in, t, &f);
#endif
  const real r0 = ROLE(judge_rest)(p, s, in, r, f, &b);
#ifdef STICTION
  if (b.rests) ROLE(still)(p, s, in, t, &f);
#endif
#ifdef JUMPS_AT_REST
  state moving;
  if (!b.rests) ROLE(judge_first)(in, ROLE(residual)(p, s, in, b.d, K(REAL_TINY), &moving, &f), &b);
#endif
  if (b.rests) return b;
  ROLE(bracket)(p, s, in, r0, &b, 1);
#ifdef HAS_INITIAL_GUESS
  b.guess = ROLE(sharpen)(p, s, in, &b, 1);
#endif
  return b;
}

/* ---- the search ---- */

FN search ROLE(search_from)(const input *in, const start *b)
{
  /* in the order of the fields: C++ has no other way before 2020 */
  search q = { b->guess, b->lo, b->lo, b->r_lo, K(0), b->lo, b->hi, b->slope,
               K(0),     K(0),  K(0),  K(0),    K(0), K(0),  K(0),  K(0) };
  q.best = K(4) * (r_abs(in->v) + b->hi);
  q.points = b->r_lo < 0 ? K(1) : K(0);
  return q;
}

/* t moves on by the given part of its difference to t_last */
FN void ROLE(extend)(state *t, const state *t_last, real part)
{
  real *a = (real *)t;
  const real *b = (const real *)t_last;
  for (int i = 0; i < ROLE(nstate); i++) a[i] += (a[i] - b[i]) * part;
}

FN real ROLE(root)(const params *p, state *s, const input *in, real *v_end)
{
  state t, t_last = *s;
  const start b = ROLE(begin)(p, s, in, &t);
  if (b.rests) {
    *s = t;
    *v_end = 0;
    return b.f_rest;
  }
  search q = ROLE(search_from)(in, &b);
  for (int i = 0; i < COUPLE_ITERATIONS && !(q.done > 0); i++) {
    real f;
    const real r = ROLE(residual)(p, s, in, b.d, q.u, &t, &f);
    search_on(in->v, in->w, b.r_lo, r, f, &q, ROLE(jumps) > 0);
    if (q.done == SEARCH_BY_PART) ROLE(extend)(&t, &t_last, q.part);
    t_last = t;
  }
  *s = t;
  *v_end = b.d * q.u;
  return q.done == SEARCH_ON_ROOT || q.done == SEARCH_BY_PART ? q.f : (in->v - *v_end) / in->w;
}

#endif

FN real ROLE(couple)(const params *p, state *s, const input *in, real *v_end)
{
  if (!(in->w > 0)) { /* prescribed motion */
    *v_end = in->v;
    return ROLE(move)(p, s, in);
  }
  input k = *in;
  k.f = in->v / in->w; /* the force that would stop the body within the step */
  return ROLE(root)(p, s, &k, v_end);
}
