/* The bristle that lugre and lugre_bounded share: level, force, exact bending, and all that follows from them.
 * Included by each law after core/model_begin.h; no include guard, because the names follow the law. */

KERNEL real ROLE(level)(const params *p, real v) { return stribeck_level(p->fc, p->fs, p->vs, p->gamma, v); }

/* how fast the bristle slips back per unit deflection; finite at zero load */
KERNEL real ROLE(slip)(const params *p, real v)
{
  return p->sigma0 * r_abs(v) / ROLE(level)(p, v);
}

/* Change of the deflection z over a time at constant v, exactly: by the fraction 1 - e^-a towards g/sigma0 sgn v,
   a = sigma0|v| time/g. One division, no 0/0 at rest, and never beyond the larger of |z| and g/sigma0. */
KERNEL real ROLE(bend)(const params *p, real z, real v, real sigma0_time)
{
  real g = ROLE(level)(p, v);
  real moved = r_decay(sigma0_time * r_abs(v) / g).d;
  return (r_copysign(g, v) * (K(1) / p->sigma0) - z) * moved;
}

/* the force of a bristle at deflection z that bends at the rate dz */
KERNEL real ROLE(force)(const params *p, real z, real dz, real v)
{
  real sigma1 = p->vd < K(1e9) ? p->sigma1 * stribeck_fade(v, p->vd, K(2)) : p->sigma1;
  real bristle = p->sigma0 * z + sigma1 * dz;
  return (p->limit != K(0) ? saturate(bristle, p->fs) : bristle) + p->sigma2 * v;
}

KERNEL real ROLE(steady)(const params *p, const input *in)
{
  return sign(in->v) * ROLE(level)(p, in->v) + p->sigma2 * in->v;
}

KERNEL real ROLE(energy)(const params *p, const state *s, const input *in)
{
  (void)in;
  return K(0.5) * p->sigma0 * s->z * s->z;
}

KERNEL bristle_mode ROLE(mode)(const params *p, const state *s, const input *in)
{
  return bristle_regime(p->sigma0 * s->z, ROLE(level)(p, in->v), in->v, p->vs);
}

/* a bristle bent beyond fs/sigma0 pulls with more than fs, and releases twice that at most */
KERNEL grip ROLE(grip)(const params *p, const state *s, const input *in, real d)
{
  real elastic = p->sigma0 * s->z, most = r_max(p->fs, r_abs(elastic));
  real bend = K(1) - d * elastic / r_max(p->fs, K(REAL_TINY)); /* part of the first motion that bends it further */
  return make_grip((p->sigma0 * in->h + p->sigma1) * r_max(bend, K(0)) + p->sigma2,
                   most * (K(1) + K(2) * p->sigma1 / (p->sigma0 * in->h)), p->sigma2);
}
