/* The search for the end velocity of a coupled step (couple.h), without the law: given what an evaluation left, where
 * to look next.
 *
 * The root lies between lo and hi; r_lo is the residual at lo, or 0 when it is not known. Until a sign change is seen
 * the search walks outwards from its first guess, so it seldom passes the root nearest to rest. The last correction is
 * not evaluated: once it is small beside the last move and the curvature seen so far puts its error below rounding,
 * force and state are interpolated; laws with jumps are always evaluated at the end velocity itself.
 *
 * Every number is a real and every decision a choice between two values, so that many searches run side by side
 * (lanes.h); a single one (alone) leaves as soon as it can. Both give the same bits. */
#ifndef BRISTLE_SEARCH_H
#define BRISTLE_SEARCH_H

enum { COUPLE_ITERATIONS = 200 };

/* c ? a : b without a jump, whatever a compiler thinks of it. c is 0 or 1, and as wide as a real: lanes need not be
   repacked. Numbers of other kinds (BRISTLE_SCALAR) are never side by side. */
#if defined(BRISTLE_SCALAR)
typedef int choice;
FN real r_pick(choice c, real a, real b) { return c ? a : b; }
#elif BRISTLE_F32
typedef uint32_t choice;
FN real r_pick(choice c, real a, real b) { return from_bits_f32((bits_f32(a) & -c) | (bits_f32(b) & ~-c)); }
#else
typedef uint64_t choice;
FN real r_pick(choice c, real a, real b) { return from_bits_f64((bits_f64(a) & -c) | (bits_f64(b) & ~-c)); }
#endif
#define PICK(c, a, b) (alone ? ((c) ? (a) : (b)) : r_pick(c, a, b))

typedef struct search {
  real u, u_last, u_older; /* where it stands, and stood before */
  real r_last, f_last;     /* residual and force at u_last */
  real lo, hi;             /* the bracket */
  real rise;               /* of the residual over the last move; before there was one, its slope */
  real best, stalled;      /* smallest residual so far; evaluations since the last that paid */
  real points, bracketed;  /* residuals known; has a sign change been seen? */
  real f, done;            /* force; how it ended */
  real secant, part;       /* where the secant meets zero; the way there as a part of the last move */
} search;

/* how a search ends; zero: it goes on */
#define SEARCH_ON_ROOT K(1)
#define SEARCH_BY_PART K(2) /* interpolated */
#define SEARCH_ON_JUMP K(3) /* of the law: any force between its two sides is admissible, and the balance names which */

/* Three small lengths are multiplied below; in single precision that would be zero for the slowest motions. */
#if BRISTLE_F32
#define SEARCH_SCALE K(1152921504606846976) /* 2^60 */
#else
#define SEARCH_SCALE K(1)
#endif

/* What rounding leaves of a residual: F is a sum of terms as large as the force at rest, which is within |r_lo| + |v|
   of w F. */
FN real search_tolerance(real v, real w, real r_lo, real f)
{
  return K(2) * K(REAL_EPSILON) * (r_abs(v) - r_lo + w * r_abs(f));
}

/* The evaluation at q->u left the residual r and the force f. Is that the end? `known`: there is a residual at u_last;
   `curved`: and one at u_older. */
FN void search_judge(real v, real w, real r_lo, real r, real f, search *q, choice known, choice curved, int alone)
{
  const real u = q->u;
  const real tolerance = search_tolerance(v, w, r_lo, f);
  const choice hit = (r_abs(r) <= tolerance) | (!alone & !(w > 0)); /* prescribed motion is one evaluation */
  q->f = f;
  q->done = SEARCH_ON_ROOT;
  if (alone && hit) return;

  const choice below = r < 0;
  q->lo = PICK(below, u, q->lo);
  q->hi = PICK(below, q->hi, u);
  q->bracketed = PICK(below, q->bracketed, K(1));
  /* the secant's correction, in units of the last move */
  const real rise = r - q->r_last, way = u - q->u_last, part = -r / PICK(known, rise, q->rise);
  const real secant = u + PICK(known, part * way, part);
  const choice within = (secant > q->lo) & (secant < q->hi);
  /* the error that the change of slope, rise/way, leaves behind at the secant's end */
  const real before = SEARCH_SCALE * (q->u_last - q->u_older), bend = rise * before - q->rise * (SEARCH_SCALE * way);
  const choice flat = r_abs(bend * part * (secant - q->u_last)) <= tolerance * r_abs(u - q->u_older) * r_abs(before);
  const choice last = curved & (r_abs(part) <= K(1e-3)) & within & flat & !hit;
  q->rise = PICK(known, rise, q->rise);
  q->secant = secant, q->part = part;
  q->f = PICK(last, f + (f - q->f_last) * part, f);
  q->u = PICK(last, secant, u);
  q->done = PICK(hit, SEARCH_ON_ROOT, PICK(last, SEARCH_BY_PART, K(0)));
}

/* It is not: where to look next? The last evaluation was at u. */
FN void search_next(real u, real r, search *q, int alone)
{
  const choice astray = !(q->secant > q->lo) | (q->secant > K(8) * q->lo);
  real next = PICK((q->bracketed == 0) & astray, K(8) * q->lo, q->secant);
  /* a secant that does not pay is followed by a bisection */
  const real stalled = PICK(r_abs(r) < K(0.25) * q->best, K(0), q->stalled + K(1));
  q->best = r_min(q->best, r_abs(r));
  const choice halve = !((next > q->lo) & (next < q->hi)) | (stalled > K(2));
  next = PICK(halve, K(0.5) * (q->lo + q->hi), next);
  q->stalled = PICK(halve, K(1), stalled);
  const choice stuck = (next == u) | (next == q->lo) | (next == q->hi);
  q->done = PICK(stuck, SEARCH_ON_JUMP, K(0));
  q->u = PICK(stuck, u, next);
}

/* One evaluation of a search alone. */
FN void search_on(real v, real w, real r_lo, real r, real f, search *q, int jumps)
{
  const real u = q->u;
  search_judge(v, w, r_lo, r, f, q, q->points > 0, (q->points > K(1)) & !jumps, 1);
  if (q->done > 0) return;
  search_next(u, r, q, 1);
  if (q->done > 0) return;
  q->u_older = q->u_last;
  q->u_last = u, q->r_last = r, q->f_last = f;
  q->points += K(1);
}

#endif
