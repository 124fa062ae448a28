/* A number with twice the digits: a second one for what the first lacks. */
#ifndef BRISTLE_MATHS_PAIR_H
#define BRISTLE_MATHS_PAIR_H

typedef struct pair {
  double high, low;
} pair;

/* a*b exactly, without FMA: both are cut in halves (Dekker) */
static inline pair product(double a, double b)
{
  const double ca = 134217729.0 * a, cb = 134217729.0 * b, ah = ca - (ca - a), bh = cb - (cb - b), al = a - ah,
               bl = b - bh, p = a * b;
  return (pair){ p, ((ah * bh - p) + ah * bl + al * bh) + al * bl };
}

#endif
