/* Levels of a set that skew.h has turned to a direction: there viscous_skew has done its work, and its place holds the
   direction, +1 or -1. Included after a law's types. */

FN real level_factor(const params *p) { return K(1) + p->viscous_skew * p->level_skew; }

FN real level_on(const params *p, real x, real level)
{
  const real same = p->viscous_skew * x; /* on the side of the motion the level is the set's own */
  return same >= K(0) ? level : level * ((K(1) - p->viscous_skew * p->level_skew) / level_factor(p));
}

FN real held_within(const params *p, real x, real level)
{
  const real most = level_on(p, x, level);
  return clamp(x, -most, most);
}
