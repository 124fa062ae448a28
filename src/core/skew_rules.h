/* The law's own rules in both directions, and that there is something to skew. */

#define P_LEVELS(name, unit, def, lo, hi, kind, role, doc) +IS_LEVEL(BRISTLE_ROLE_##role)
#define P_VISCOUS(name, unit, def, lo, hi, kind, role, doc) +IS_VISCOUS(BRISTLE_ROLE_##role)
#define V_NOTHING(...)
#if defined(SKEW_NO_LEVEL)
enum { SKEWABLE_LEVELS = 0 };
#elif defined(SKEW_LEVEL)
enum { SKEWABLE_LEVELS = 1 };
#else
enum { SKEWABLE_LEVELS = 0 PARAMS(P_LEVELS, V_NOTHING) };
#endif
enum { SKEWABLE_VISCOUS = 0 PARAMS(P_VISCOUS, V_NOTHING) };

static int ROLE(rules)(const double *values, bristle_breach *out, int max)
{
  const params *p = (const params *)values;
  int count = 0;
  for (int d = -1; d <= 1 && !count; d += 2) {
    const params turned = skewed_set(p, K(d));
    count = ROLE(own_rules)((const double *)&turned, out, max);
  }
  BREACH(level_skew, p->level_skew, SKEWABLE_LEVELS || p->level_skew == K(0), "this law has no level that could differ")
  BREACH(viscous_skew, p->viscous_skew, SKEWABLE_VISCOUS || p->viscous_skew == K(0),
         "this law has no viscous coefficient that could differ")
  return count;
}
