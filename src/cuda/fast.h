/* The numbers of the fast build (BRISTLE_SCALAR): those of the processor, except for exponentials and the division
 * OVER. In f32 the hardware gives them: exp(-x) keeps 2 units in the last place; 1 - exp(-x) is a short series where it
 * would lose its digits. In f64 they are as short as fused products allow: relative errors of 3e-15 for exp(-x) and
 * 1 - exp(-x), 3e-16 for the division, whose divisor must be neither 0 nor infinite. */
#ifndef BRISTLE_CUDA_FAST_H
#define BRISTLE_CUDA_FAST_H

#define r_decay r_decay_exact
#define r_fade r_fade_exact
#include "core/scalar.h"
#undef r_decay
#undef r_fade

#if BRISTLE_F32 && defined(__CUDA_ARCH__)
FN decay r_decay(real x)
{
  decay y;
  y.e = __expf(-x);
  const real series = x * (1.0f - x * (0.5f - x * (0.166666667f - x * 0.0416666667f)));
  y.d = x < 0.0625f ? series : 1.0f - y.e;
  return y;
}
FN real r_fade(real x, real low, real span) { return low + span * __expf(-x); }
#elif defined(__CUDA_ARCH__)
/* exp(-x) = 2^k (1 + part f), x >= 0: k whole and |f| <= 1/2 */
typedef struct twos {
  int k;
  real f, part;
} twos;

/* x, but not above 500 and a little: the upper halves of doubles, read as floats, are in the order of the doubles. What
   is infinite or no number is 500 too; kernels.h sees to it that no velocity that is no number is lost. */
FN real fast_most(real x)
{
  float upper = __int_as_float(__double2hiint(x));
  asm("min.f32 %0, %0, %1;" : "+f"(upper) : "f"(3.98828125f));
  return __hiloint2double(__float_as_int(upper), __double2loint(x));
}

FN twos fast_twos(real x)
{
  const real log2_e = 0x1.71547652b82fep+0, whole = 0x1.8p52;
  x = fast_most(x);
  const real t = whole - x * log2_e, f = (whole - t) - x * log2_e;
  /* (2^f - 1)/f, near-minimax as in core/maths.h but for its first coefficient, which keeps slow steps right */
  real p = 7.069370048972087e-09;
  p = p * f + 1.0203121063391729e-07;
  p = p * f + 1.3215459672143349e-06;
  p = p * f + 1.525268684626772e-05;
  p = p * f + 0.00015403530412216073;
  p = p * f + 0.0013333558179043112;
  p = p * f + 0.009618129107624945;
  p = p * f + 0.055504108664760424;
  p = p * f + 0.24022650695910072;
  p = p * f + 0.6931471805599453;
  const twos y = { __double2loint(t), f, p };
  return y;
}

/* 2^k y for a y whose exponent has room for k */
FN real fast_scale(int k, real y) { return __hiloint2double(__double2hiint(y) + (k << 20), __double2loint(y)); }

FN decay r_decay(real x)
{
  const twos y = fast_twos(x);
  const real s = fast_scale(y.k, 1.0), part = fast_scale(y.k, y.part);
  const decay both = { s + part * y.f, (1.0 - s) - part * y.f };
  return both;
}

FN real r_fade(real x, real low, real span)
{
  const twos y = fast_twos(x);
  return low + span * fast_scale(y.k, 1.0 + y.part * y.f);
}

/* a/b */
FN real fast_over(real a, real b)
{
  real r;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
  const real e = 1.0 - b * r, q = a * r;
  return q + q * (e + e * e);
}
#define OVER(a, b) fast_over(a, b)
#else
FN decay r_decay(real x) { return r_decay_exact(x); }
FN real r_fade(real x, real low, real span) { return r_fade_exact(x, low, span); }
#endif

#endif
