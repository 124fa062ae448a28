/* The bristle that lugre and lugre_bounded share: level, force, exact bending, and all that follows from them.
 * Included by each law after core/model_begin.h; no include guard, because the names follow the law. */
#ifndef OVER /* numbers may have a shorter division for a divisor that is never 0 */
#define OVER(a, b) ((a) / (b))
#endif

KERNEL real ROLE(level)(const params *p, real speed) { return stribeck_level(p->fc, p->fs, p->vs, p->gamma, speed); }

/* how fast the bristle slips back; finite at zero load. Solvers wait for this number, so the division, which needs the
   level, comes last. */
KERNEL vec ROLE(slip)(const params *p, vec z, vec v)
{
  return v_over(v_scale(p->sigma0 * v_norm(v), z), ROLE(level)(p, v_norm(v)));
}

/* Change of the deflection z over a time at constant v, exactly: by the fraction 1 - e^-a towards g/sigma0 sgn v,
   a = sigma0|v| time/g. One division, no 0/0 at rest, and never beyond the larger of |z| and g/sigma0. */
KERNEL vec ROLE(bend)(const params *p, vec z, vec v, real g, real time)
{
  real speed = v_norm(v), a = OVER(p->sigma0 * time * speed, g);
  real moved = r_decay(a).d;
  return v_relax(z, v, g * (K(1) / p->sigma0), time, a, moved);
}

/* the force of a bristle at deflection z that bends at the rate dz, which is known last */
KERNEL vec ROLE(force)(const params *p, vec z, vec dz, vec v)
{
  real sigma1 = p->vd < K(1e9) ? p->sigma1 * stribeck_fade(v_norm(v), p->vd, K(2)) : p->sigma1;
  vec elastic = v_scale(p->sigma0, z), damping = v_scale(sigma1, dz), viscous = v_scale(p->sigma2, v);
  if (p->limit == K(1)) return v_add(held_within(p, v_add(elastic, damping), p->fs), viscous);
  return v_add(v_add(p->limit == K(2) ? held_within(p, elastic, p->fs) : elastic, viscous), damping);
}

/* a step at rest: nothing bends, and no exponential is needed to know it */
KERNEL vec ROLE(hold)(const params *p, const state *s) { return ROLE(force)(p, s->z, v_zero(), v_zero()); }

KERNEL vec ROLE(steady)(const params *p, const input *in)
{
  real speed = v_norm(in->v);
  return v_add(v_along(speed > K(0) ? ROLE(level)(p, speed) : K(0), in->v), v_scale(p->sigma2, in->v));
}

/* a bristle whose elastic force is limited stores only the work of that force */
KERNEL real ROLE(energy)(const params *p, const state *s, const input *in)
{
  real excess = p->limit == K(2) ? r_max(v_norm(s->z) - level_on(p, s->z, p->fs) / p->sigma0, K(0)) : K(0);
  (void)in;
  return K(0.5) * p->sigma0 * (v_dot(s->z, s->z) - excess * excess);
}

KERNEL bristle_mode ROLE(mode)(const params *p, const state *s, const input *in)
{
  return bristle_regime(v_scale(p->sigma0, s->z), ROLE(level)(p, v_norm(in->v)), in->v, p->vs);
}

/* a bristle bent beyond fs/sigma0 pulls with more than fs, and releases twice that at most */
KERNEL step_bounds ROLE(step_bounds)(const params *p, const state *s, const input *in, vec d)
{
  real most = r_max(p->fs, p->sigma0 * v_norm(s->z));
  /* part of the first motion that bends it further; the reciprocal is known before the step */
  real bend = K(1) - p->sigma0 * v_dot(d, s->z) * (K(1) / r_max(p->fs, K(REAL_TINY)));
  return make_step_bounds((p->sigma0 * in->h + p->sigma1) * r_max(bend, K(0)) + p->sigma2,
                          most * (K(1) + K(2) * p->sigma1 / (p->sigma0 * in->h)), p->sigma2);
}

#if BRISTLE_DIM == 1
/* Slow motion, by series: with the bristle spent by Z = sigma0 z/fs, the level fs/(1 + q) and a = sigma0 h u/g the
 * force of a step rises by (sigma0 h + sigma1) (1 - Z (1 + q)) u (1 - a/2 + a^2/6 - ...), and one step of Newton's
 * method from u meets the balance to rounding while a and u/vs are small. Then the search ends with its first
 * evaluation. */
KERNEL real ROLE(initial_guess)(const params *p, const state *s, const input *in, real d, real r0, real u, real inverse)
{
  const real per_fs = K(1) / r_max(p->fs, K(REAL_TINY)), fall = K(1) - p->fc * per_fs;
  const real x = u * (K(1) / p->vs), y = x * x, q = fall * y * (K(1) + (fall - K(0.5)) * y);
  const real a = p->sigma0 * in->h * per_fs * u * (K(1) + q), spent = p->sigma0 * per_fs * (d * s->z);
  const real bristle = in->w * (p->sigma0 * in->h + p->sigma1),
             bend = K(1) - a * (K(0.5) - a * (K(1.0 / 6) - a * K(1.0 / 24)));
  const real rise = bristle * ((K(1) - spent) - spent * q) * bend;
  const real left = (r0 + u * (K(1) + in->w * p->sigma2 + rise)) * inverse;
  /* the balance rises at u by the part t less than at rest */
  const real t = bristle * ((K(1) - spent) * (a - K(0.5) * a * a) + K(3) * spent * q) * inverse;
  const int slow = (a < K(0.1)) & (x < K(0.1)) & (p->gamma == K(2));
  return slow ? u - left * (K(1) + t * (K(1) + t)) : u;
}
#endif
