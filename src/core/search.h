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
   repacked. Numbers of other kinds (BRISTLE_NUMBERS) are never side by side. */
#if defined(BRISTLE_NUMBERS)
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
  real lo, hi, slope;      /* the bracket; of the residual */
  real best, stalled;      /* smallest residual so far; evaluations since the last that paid */
  real points, bracketed;  /* residuals known; has a sign change been seen? */
  real f, part, done;      /* force; part of the last move to go on by when interpolated; how it ended */
} search;

/* how a search ends; zero: it goes on */
#define SEARCH_ON_ROOT K(1)
#define SEARCH_BY_PART K(2) /* interpolated */
#define SEARCH_ON_JUMP K(3) /* of the law: any force between its two sides is admissible, and the balance names which */

/* The evaluation at q->u left the residual r and the force f. */
FN void search_on(real v, real w, real r_lo, real r, real f, search *q, int jumps, int alone)
{
  const real u = q->u;
  /* rounding: F is a sum of terms as large as the force at rest, which is within |r_lo| + |v| of w F */
  const real tolerance = K(2) * K(REAL_EPSILON) * (r_abs(v) - r_lo + w * r_abs(f));
  const choice hit = (r_abs(r) <= tolerance) | (!alone & !(w > 0)); /* prescribed motion is one evaluation */
  q->f = f;
  q->done = SEARCH_ON_ROOT;
  if (alone && hit) return;

  const real bent = q->slope;
  const choice below = r < 0, known = q->points > 0;
  q->lo = PICK(below, u, q->lo);
  q->hi = PICK(below, q->hi, u);
  q->bracketed = PICK(below, q->bracketed, K(1));
  /* the secant's correction, in units of the last move */
  const real rise = r - q->r_last, way = u - q->u_last, part = -r / PICK(known, rise, q->slope);
  const real change = PICK(known, part * way, part), secant = u + change;
  q->slope = PICK(known, rise / way, q->slope);
  const choice within = (secant > q->lo) & (secant < q->hi);
  const choice flat = r_abs((q->slope - bent) * change * (secant - q->u_last)) <= tolerance * r_abs(u - q->u_older);
  const choice last = (q->points > K(1)) & (r_abs(part) <= K(1e-3)) & within & flat & !hit & !jumps;
  q->part = part;
  if (alone && last) {
    q->f = f + (f - q->f_last) * part;
    q->u = secant, q->done = SEARCH_BY_PART;
    return;
  }

  const choice astray = !(secant > q->lo) | (secant > K(8) * q->lo);
  real next = PICK((q->bracketed == 0) & astray, K(8) * q->lo, secant);
  /* a secant that does not pay is followed by a bisection */
  const real stalled = PICK(r_abs(r) < K(0.25) * q->best, K(0), q->stalled + K(1));
  q->best = r_min(q->best, r_abs(r));
  const choice halve = !((next > q->lo) & (next < q->hi)) | (stalled > K(2));
  next = PICK(halve, K(0.5) * (q->lo + q->hi), next);
  q->stalled = PICK(halve, K(1), stalled);
  const choice stuck = (next == u) | (next == q->lo) | (next == q->hi);
  q->done = SEARCH_ON_JUMP;
  if (alone && stuck) return;

  q->done = 0;
  if (!alone) { /* whoever has ended stays where it is */
    q->f = PICK(last, f + (f - q->f_last) * part, f);
    next = PICK(last, secant, PICK(hit | stuck, u, next));
    q->done = PICK(hit, SEARCH_ON_ROOT, PICK(last, SEARCH_BY_PART, PICK(stuck, SEARCH_ON_JUMP, K(0))));
  }
  q->u_older = q->u_last;
  q->u_last = u, q->r_last = r, q->f_last = f;
  q->u = next;
  q->points += K(1);
}

#endif
