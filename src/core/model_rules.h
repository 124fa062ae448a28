/* The relations between parameters that a law demands, in any number of dimensions. */

#if !BRISTLE_F32
#define BREACH(name, value, holds, text)                                                                    \
  if (!(holds)) {                                                                                    \
    if (count < max) out[count] = (bristle_breach){ #name, text, value };                          \
    count++;                                                                                         \
  }
/* the same relations as rules */
#define RELATION_BREACH(kind, ...) BREACH_##kind(__VA_ARGS__)
#define BREACH_AT_LEAST(a, b) BREACH(a, q->a, q->a >= q->b, #a " must not be below " #b)
#define BREACH_ABOVE(a, b) BREACH(a, q->a, q->a > q->b, #a " must be above " #b)
#define BREACH_BELOW_RATIO(a, b, c) BREACH(a, q->a, q->a * q->c < q->b, #a " must be below " #b "/" #c)
#define BREACH_SUM_IS_ONE(a)                                                                         \
  BREACH(a, sum_of(q->a, FIELD_SIZE(params, a)), r_abs(sum_of(q->a, FIELD_SIZE(params, a)) - K(1)) <= K(1e-9), \
         "the shares " #a " must sum to 1")
FN real sum_of(const real *a, int count)
{
  real sum = K(0);
  for (int i = 0; i < count; i++) sum += a[i];
  return sum;
}
#ifndef RULES
#define RULES(R)
#endif
#ifdef BRISTLE_SKEW /* they hold in both directions */
#define OWN_RULES ROLE(own_rules)
#else
#define OWN_RULES ROLE(rules)
#endif
#define p q /* rules are written in terms of p, like the kernels */
static int OWN_RULES(const double *values, bristle_breach *out, int max)
{
  const params *q = (const params *)values;
  int count = 0;
  RELATIONS(RELATION_BREACH)
  RULES(BREACH)
  (void)q, (void)out, (void)max;
  return count;
}
#undef p
#ifdef BRISTLE_SKEW
#include "core/skew_rules.h"
#endif
#endif
