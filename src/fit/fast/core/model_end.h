/* Closes a law of one state whose step and force are affine in it: both as numbers a and b of a z + b, with their
 * derivatives by the parameters, for many samples at once. The law's text is evaluated at z = 0 and at one other z.
 *
 * Only the usual values of the rare parameters: they are known at compile time here. */
#include "fit/fast/maps.h"

#include "core/batch.h"

namespace {

/* the parameters, each with its derivative by itself where it is one of those searched */
struct numbers {
  double p[ROLE(nparam)];
};

FN numbers copied(const double *p)
{
  numbers n;
  for (int j = 0; j < ROLE(nparam); j++) n.p[j] = p[j];
  return n;
}

/* Called for each sample: only there does the compiler see the usual values of the rare ones, and leave out what they
   switch off. The rest is the same for all samples and moves out of the loop. */
FN params seeded(const numbers &n)
{
  params q;
#pragma GCC unroll 16
  for (int j = 0; j < ROLE(nparam); j++) {
    real *to = (real *)&q + j;
    *to = real(n.p[j]);
    if (j < SLOPES) to->d[j] = 1;
  }
  COMMON(COMMON_SET)
  return q;
}

} // namespace

BRISTLE_CLONES void BRISTLE_CAT(MODEL, _steps)(const double *p, double unit, size_t count, const double *slide,
                                               const double *h, double *out)
{
  const numbers n = copied(p);
  const double part = 1 / unit;
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    const params q = seeded(n);
    input in;
    in.v = real(slide[i]), in.x = in.n = in.f = in.a = real(0), in.w = 0, in.h = h[i], in.load = BRISTLE_LOAD_FORCE;
    state zero = { real(0) }, other = { real(unit) };
    ROLE(move)(&q, &zero, &in);
    ROLE(move)(&q, &other, &in);
    out[i] = (other.z.v - zero.z.v) * part;
    out[MAPS_BLOCK + i] = zero.z.v;
    _Pragma("GCC unroll 8") for (int j = 0; j < MAPS_MOVING; j++)
    {
      out[(size_t)(2 + j) * MAPS_BLOCK + i] = (other.z.d[maps_moving[j]] - zero.z.d[maps_moving[j]]) * part;
      out[(size_t)(2 + MAPS_MOVING + j) * MAPS_BLOCK + i] = zero.z.d[maps_moving[j]];
    }
  }
}

BRISTLE_CLONES void BRISTLE_CAT(MODEL, _forces)(const double *p, double unit, size_t count, const double *v,
                                                double *out)
{
  const numbers n = copied(p);
  const double part = 1 / unit;
  BRISTLE_INDEPENDENT
  for (size_t i = 0; i < count; i++) {
    const params q = seeded(n);
    input in;
    in.v = real(v[i]), in.x = in.n = in.f = in.a = real(0), in.w = 0, in.h = 1, in.load = BRISTLE_LOAD_FORCE;
    const state zero = { real(0) }, other = { real(unit) };
    state rate;
    const real at_zero = ROLE(eval)(&q, &zero, &in, &rate), at_other = ROLE(eval)(&q, &other, &in, &rate);
    out[i] = (at_other.v - at_zero.v) * part;
    out[MAPS_BLOCK + i] = at_zero.v;
    EACH_SLOPE(j)
    {
      out[(size_t)(2 + j) * MAPS_BLOCK + i] = (at_other.d[j] - at_zero.d[j]) * part;
      out[(size_t)(2 + SLOPES + j) * MAPS_BLOCK + i] = at_zero.d[j];
    }
  }
}
