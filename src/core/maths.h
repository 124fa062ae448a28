/* Elementary functions without libm: branch-free, so that loops over them vectorise, and built from + - * /
 * and bit operations only, so that every compiler and target gives the same bits (never contract to FMA).
 *
 * Largest errors, measured by tests/maths.c (f32: every float; f64: 1e7 points and more against long double):
 *
 *             f64          f32         domain
 *   exp       1.1 ulp      1.1 ulp     saturates beyond +-708 (f32: +-87)
 *   decay e   1.2e-16 abs  7e-8 abs    x >= 0; exp(-x)
 *   decay d   1.5 ulp      1.5 ulp     x >= 0; 1 - exp(-x), relative accuracy down to x = 0
 *   fade      2.3e-16 abs  1.3e-7 abs  x >= 0; low + span exp(-x), for low + span = 1
 *   log       1.0 ulp      1.0 ulp     x > 0
 *   pow       1 + 2|y ln x| ulp        x >= 0
 *   tanh      3.0 ulp      3.0 ulp     everywhere
 *   sinq      4.0 ulp      4.0 ulp     sin(pi t/2), |t| <= 1
 *
 * The polynomials are near-minimax (interpolated at Chebyshev nodes in 200-bit arithmetic, then rounded). */
#ifndef BRISTLE_MATHS_H
#define BRISTLE_MATHS_H

#include <stdint.h>

#if defined(__CUDACC__)
#define FN static __host__ __device__ inline
#else
#define FN static inline __attribute__((always_inline, unused))
#endif

FN uint64_t bits_f64(double x)
{
  uint64_t b;
  __builtin_memcpy(&b, &x, 8);
  return b;
}
FN double from_bits_f64(uint64_t b)
{
  double x;
  __builtin_memcpy(&x, &b, 8);
  return x;
}
FN uint32_t bits_f32(float x)
{
  uint32_t b;
  __builtin_memcpy(&b, &x, 4);
  return b;
}
FN float from_bits_f32(uint32_t b)
{
  float x;
  __builtin_memcpy(&x, &b, 4);
  return x;
}

/* ---- double ---- */

FN double abs_f64(double x) { return __builtin_fabs(x); }
FN double sqrt_f64(double x) { return __builtin_sqrt(x); }
FN double copysign_f64(double x, double s) { return __builtin_copysign(x, s); }

/* e^r - 1 for |r| <= ln2/2; Estrin's scheme keeps the dependency chain short */
FN double expm1_core_f64(double r)
{
  double r2 = r * r, r4 = r2 * r2;
  double a = 0.50000000000000011 + r * 0.16666666666666669;
  double b = 0.041666666666624157 + r * 0.0083333333333300633;
  double c = 0.0013888888917199863 + r * 0.00019841269863042963;
  double d = 2.4801521317484083e-05 + r * 2.7557268476553695e-06;
  double e = 2.7620078203806394e-07 + r * 2.5100377619606372e-08;
  return r + r2 * ((a + r2 * b) + r4 * ((c + r2 * d) + r4 * e));
}

FN double exp_f64(double x)
{
  x = x < -708.0 ? -708.0 : x;
  x = x > 708.0 ? 708.0 : x;
  /* adding 1.5*2^52 rounds to the nearest integer and leaves it in the low bits */
  double t = x * 0x1.71547652b82fep+0 + 0x1.8p52, k = t - 0x1.8p52;
  double r = (x - k * 0x1.62e42feep-1) - k * 0x1.a39ef35793c76p-33;
  double s = from_bits_f64((bits_f64(t) + 1023u) << 52);
  return s + s * expm1_core_f64(r);
}

typedef struct {
  double e, d;
} decay_f64_t;

/* exp(-x) and 1 - exp(-x) together. One rounding in the reduction is enough: its relative error k*2^-53 is
   multiplied by 2^-k. For k = 0, d is the polynomial itself, so small x lose nothing. */
FN decay_f64_t decay_f64(double x)
{
  x = x > 500.0 ? 500.0 : x; /* far below the last bit of 1, far above the subnormals that slow a CPU down */
  double t = x * -0x1.71547652b82fep+0 + 0x1.8p52, k = t - 0x1.8p52;
  double m = expm1_core_f64(-x - k * 0x1.62e42fefa39efp-1);
  double s = from_bits_f64((bits_f64(t) + 1023u) << 52);
  decay_f64_t y = { s + s * m, (1.0 - s) - s * m };
  return y;
}

/* low + span exp(-x), by the shortest way from x: all but the last product is known before the polynomial */
FN double fade_f64(double x, double low, double span)
{
  x = x > 500.0 ? 500.0 : x;
  double t = x * -0x1.71547652b82fep+0 + 0x1.8p52, k = t - 0x1.8p52;
  double m = expm1_core_f64(-x - k * 0x1.62e42fefa39efp-1);
  double part = span * from_bits_f64((bits_f64(t) + 1023u) << 52);
  return (low + part) + part * m;
}

FN double log_f64(double x)
{
  /* lift subnormals; then x = 2^k m with m in [sqrt(1/2), sqrt(2)) */
  double small = x < 0x1p-1022 ? 54.0 : 0.0;
  x = x < 0x1p-1022 ? x * 0x1p54 : x;
  uint64_t b = bits_f64(x), top = b - 0x3fe6a09e667f3bcdu;
  double k = (double)(int32_t)((int64_t)top >> 52) - small;
  double f = from_bits_f64(b - (top & 0xfff0000000000000u)) - 1.0;
  double s = f / (2.0 + f), z = s * s, z2 = z * z;
  double p = (0.66666666666666696 + z * 0.39999999999898889)
             + z2
                   * ((0.28571428626253836 + z * 0.22222211089379496)
                      + z2 * ((0.18182892432536871 + z * 0.15331611722055008) + z2 * 0.14617807153417325));
  /* log(1+f) = f - (f^2/2 - s (f^2/2 + z p)): the large part f is exact */
  double hf = 0.5 * f * f;
  return k * 0x1.62e42feep-1 - ((hf - (s * (hf + z * p) + k * 0x1.a39ef35793c76p-33)) - f);
}

FN double pow_f64(double x, double y)
{
  if (y == 2.0) return x * x;
  double q = exp_f64(y * log_f64(x));
  return x > 0.0 ? q : (y == 0.0 ? 1.0 : x - x);
}

FN double tanh_f64(double x)
{
  decay_f64_t y = decay_f64(2.0 * abs_f64(x));
  return copysign_f64(y.d / (1.0 + y.e), x);
}

/* sin(pi t/2) for |t| <= 1 */
FN double sinq_f64(double t)
{
  double z = t * t, z2 = z * z, z4 = z2 * z2;
  double a = -0.64596409750624628 + z * 0.079692626246166881;
  double b = -0.0046817541353151798 + z * 0.00016044118475928187;
  double c = -3.5988431248215753e-06 + z * 5.6921493422236771e-08;
  double d = -6.6852422043249383e-10 + z * 5.8942741628951081e-12;
  /* pi/2 = hi + lo */
  return t * 0x1.921fb54442d18p0 + t * (z * ((a + z2 * b) + z4 * (c + z2 * d)) + 0x1.1a62633145c07p-54);
}

/* ---- float: the same, shorter ---- */

FN float abs_f32(float x) { return __builtin_fabsf(x); }
FN float sqrt_f32(float x) { return __builtin_sqrtf(x); }
FN float copysign_f32(float x, float s) { return __builtin_copysignf(x, s); }

FN float expm1_core_f32(float r)
{
  float r2 = r * r;
  float a = 0.5f + r * 0.166665778f, b = 0.0416665561f + r * 0.00836317427f;
  return r + r2 * (a + r2 * (b + r2 * 0.00139261771f));
}

FN float exp_f32(float x)
{
  x = x < -87.0f ? -87.0f : x;
  x = x > 87.0f ? 87.0f : x;
  float t = x * 0x1.715476p+0f + 0x1.8p23f, k = t - 0x1.8p23f;
  float r = (x - k * 0x1.62e4p-1f) - k * 0x1.7f7d1cp-20f;
  float s = from_bits_f32((bits_f32(t) + 127u) << 23);
  return s + s * expm1_core_f32(r);
}

typedef struct {
  float e, d;
} decay_f32_t;

FN decay_f32_t decay_f32(float x)
{
  x = x > 60.0f ? 60.0f : x;
  float t = x * -0x1.715476p+0f + 0x1.8p23f, k = t - 0x1.8p23f;
  float m = expm1_core_f32(-x - k * 0x1.62e43p-1f);
  float s = from_bits_f32((bits_f32(t) + 127u) << 23);
  decay_f32_t y = { s + s * m, (1.0f - s) - s * m };
  return y;
}

FN float fade_f32(float x, float low, float span)
{
  x = x > 60.0f ? 60.0f : x;
  float t = x * -0x1.715476p+0f + 0x1.8p23f, k = t - 0x1.8p23f;
  float m = expm1_core_f32(-x - k * 0x1.62e43p-1f);
  float part = span * from_bits_f32((bits_f32(t) + 127u) << 23);
  return (low + part) + part * m;
}

FN float log_f32(float x)
{
  float small = x < 0x1p-126f ? 24.0f : 0.0f;
  x = x < 0x1p-126f ? x * 0x1p24f : x;
  uint32_t b = bits_f32(x), top = b - 0x3f3504f3u;
  float k = (float)((int32_t)top >> 23) - small;
  float f = from_bits_f32(b - (top & 0xff800000u)) - 1.0f;
  float s = f / (2.0f + f), z = s * s;
  float p = 0.666666865f + z * (0.399887592f + z * 0.295809865f), hf = 0.5f * f * f;
  return k * 0x1.62e4p-1f - ((hf - (s * (hf + z * p) + k * 0x1.7f7d1cp-20f)) - f);
}

FN float pow_f32(float x, float y)
{
  if (y == 2.0f) return x * x;
  float q = exp_f32(y * log_f32(x));
  return x > 0.0f ? q : (y == 0.0f ? 1.0f : x - x);
}

FN float tanh_f32(float x)
{
  decay_f32_t y = decay_f32(2.0f * abs_f32(x));
  return copysign_f32(y.d / (1.0f + y.e), x);
}

FN float sinq_f32(float t)
{
  float z = t * t;
  float p = -0.645964086f + z * (0.0796917528f + z * (-0.00467738183f + z * 0.000153397879f));
  return t * 0x1.921fb6p0f + t * (z * p - 0x1.777a5cp-25f);
}

#endif
