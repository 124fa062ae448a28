/* Closes a law of one state whose step and force are affine in it: both as numbers a and b of a z + b, with their
 * derivatives by the parameters, for many samples at once. The law's text is evaluated at z = 0 and at one other z.
 *
 * Only the usual values of the rare parameters: they are known at compile time here. */
#include "fit/fast/maps.h"

#include "core/batch.h"

namespace {

/* the six parameters that are searched, in the order of the table; the others keep their usual values */
FN params seeded(const double *p)
{
  params q;
#pragma GCC unroll 16
  for (int j = 0; j < ROLE(nparam); j++) {
    real *to = (real *)&q + j;
    *to = real(p[j]);
    if (j < SLOPES) to->d[j] = 1;
  }
  COMMON(COMMON_SET)
  return q;
}

FN void put(const real &zero, const real &other, double unit, double *out, size_t stride, size_t i)
{
  const double part = 1 / unit;
  out[i] = (other.v - zero.v) * part;
  out[stride + i] = zero.v;
  EACH_SLOPE(j)
  {
    out[(size_t)(2 + j) * stride + i] = (other.d[j] - zero.d[j]) * part;
    out[(size_t)(2 + SLOPES + j) * stride + i] = zero.d[j];
  }
}

} // namespace

BRISTLE_CLONES void BRISTLE_CAT(MODEL, _maps)(const double *p, double unit, size_t count, const double *slide,
                                              const double *h, const double *v, double *step, double *force)
{
  const params q = seeded(p);
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    input in;
    in.v = real(slide[i]), in.x = in.n = in.f = in.a = real(0), in.w = 0, in.h = h[i], in.load = BRISTLE_LOAD_FORCE;
    state zero = { real(0) }, other = { real(unit) };
    ROLE(move)(&q, &zero, &in);
    ROLE(move)(&q, &other, &in);
    put(zero.z, other.z, unit, step, MAPS_BLOCK, i);
  }
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    input in;
    in.v = real(v[i]), in.x = in.n = in.f = in.a = real(0), in.w = 0, in.h = 1, in.load = BRISTLE_LOAD_FORCE;
    const state zero = { real(0) }, other = { real(unit) };
    state rate;
    const real at_zero = ROLE(eval)(&q, &zero, &in, &rate), at_other = ROLE(eval)(&q, &other, &in, &rate);
    put(at_zero, at_other, unit, force, MAPS_BLOCK, i);
  }
}
