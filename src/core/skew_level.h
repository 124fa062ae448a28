/* Levels of a set that skew.h has turned to a direction: there viscous_skew has done its work, and its place holds the
   direction, +1 or -1. Included after a law's types. */

FN real direction_of(const params *p) { return p->viscous_skew; }

FN real level_factor(const params *p) { return K(1) + direction_of(p) * p->level_skew; }

FN real level_on(const params *p, real x, real level)
{
  const real other = K(1) - direction_of(p) * p->level_skew;
  return direction_of(p) * x >= K(0) ? level : level * (other / level_factor(p));
}

FN real held_within(const params *p, real x, real level)
{
  const real most = level_on(p, x, level);
  return clamp(x, -most, most);
}
