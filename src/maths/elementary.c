/* Exponentials, logarithms, powers and what follows from them; trigonometry is in angles.c. */
#include "maths/elementary.h"
#include "core/clones.h"

#include "core/maths.h"
#include "maths/exponentials.h"
#include "maths/pair.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* ---- exponentials and logarithms, with a second number for what the first one lacks ---- */

static pair sum(double a, double b) /* exactly, for |a| >= |b| or a = 0 */
{
  const double s = a + b;
  return (pair){ s, b - (s - a) };
}

/* ln 2, the first part so short that whole multiples of it are exact */
static const double LN2_HIGH = 0x1.62e42feep-1, LN2_LOW = 0x1.a39ef35793c76p-33, LN2_REST = 0x1.cc01f97b57a08p-87;

/* 2^k of a whole k for which it is a normal number */
static inline double power_of_two(double k)
{
  const double shifted = k + (0x1.8p52 + 1023); /* its last bits are k + 1023 */
  uint64_t bits;
  double power;
  memcpy(&bits, &shifted, sizeof bits);
  bits <<= 52;
  memcpy(&power, &bits, sizeof power);
  return power;
}

/* e^(x + low) without its power of two, *k, for |x| up to 708 */
static inline double exp_part(double x, double low, double *power)
{
  const double t = x * 0x1.71547652b82fep+0 + 0x1.8p52, k = t - 0x1.8p52, a = x - k * LN2_HIGH;
  const pair cut = product(k, LN2_LOW), r = sum(a, -cut.high);
  const double z = r.high, rest = (low - cut.low - k * LN2_REST) + r.low;
  double p = 1.0 / 6227020800; /* 1/13!, and so on */
  static const double terms[] = { 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                                  1.0 / 5040,      1.0 / 720,      1.0 / 120,     1.0 / 24,     1.0 / 6 };
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) p = terms[i] + z * p;
  const pair one = sum(1, z), square = product(z, 0.5 * z), two = sum(one.high, square.high);
  const double cube = z * z * z * p, small = two.low + (one.low + square.low + (cube + rest * (two.high + cube)));
  *power = k;
  return two.high + small;
}

static double exp_of(double x, double low)
{
  double k;
  const double part = exp_part(x, low, &k);
  return fabs(k) < 1000 ? part * power_of_two(k) : ldexp(part, (int)k);
}

BRISTLE_CLONES void same_exponentials(double x[EXPONENTIALS])
{
  for (int i = 0; i < EXPONENTIALS; i++) {
    double k;
    const double part = exp_part(x[i], 0, &k);
    x[i] = part * power_of_two(k);
  }
}

/* ln x for x > 0: x = 2^k m, and ln m = 2 (s + s^3/3 + ...) with s = (m - 1)/(m + 1) */
static pair log_of(double x)
{
  int k;
  double m = frexp(x, &k);
  if (m < M_SQRT1_2) m *= 2, k--;
  const double f = m - 1, d = m + 1, s = f / d;
  const pair back = product(s, d), below = sum(fmax(m, 1), fmin(m, 1)); /* m + 1 is not exact */
  const double rest = ((f - back.high) - back.low - s * below.low) / d, z = s * s;
  double p = 0;
  for (int n = 31; n > 1; n -= 2) p = z * (2.0 / n + p);
  const double tail = s * p + 2 * rest;
  const pair first = sum(2 * s, tail);
  if (k == 0) return first;
  const pair whole = sum(k * LN2_HIGH, first.high);
  return sum(whole.high, whole.low + (k * LN2_LOW + first.low));
}

double same_exp(double x)
{
  if (!(x >= -745)) return isnan(x) ? x : 0;
  return x > 710 ? HUGE_VAL : exp_of(x, 0);
}

double same_log(double x)
{
  if (!(x > 0)) return x == 0 ? -HUGE_VAL : (double)NAN;
  if (x == HUGE_VAL) return x;
  const pair y = log_of(x);
  return y.high + y.low;
}

/* what 1 + x lost in rounding is put back to first order */
double same_log1p(double x)
{
  const double u = 1 + x;
  if (!(u > 0) || u == HUGE_VAL) return same_log(u);
  const pair y = log_of(u);
  return y.high + (y.low - ((u - 1) - x) / u);
}

double same_log2(double x)
{
  int exponent;
  const double m = frexp(x, &exponent);
  if (!(x > 0) || x == HUGE_VAL) return same_log(x);
  return m == 0.5 ? exponent - 1 : same_log(x) * 0x1.71547652b82fep+0;
}

double same_log10(double x) { return same_log(x) * 0x1.bcb7b1526e50ep-2; }

/* x^n for whole n: exact where the result is, as for powers of ten */
static double whole_power(double x, int n)
{
  double y = 1;
  for (int k = n < 0 ? -n : n; k; k >>= 1, x *= x)
    if (k & 1) y *= x;
  return n < 0 ? 1 / y : y;
}

double same_pow(double x, double y)
{
  if (y == floor(y) && fabs(y) <= 64) return whole_power(x, (int)y);
  if (isnan(x) || isnan(y) || x < 0)
    return x < 0 && y == floor(y) ? (fmod(y, 2) == 0 ? 1 : -1) * same_pow(-x, y) : (double)NAN;
  if (x == 0 || x == HUGE_VAL) return (x == 0) == (y > 0) ? 0 : HUGE_VAL;
  const pair a = log_of(x), b = product(y, a.high);
  if (!(fabs(b.high) < 700)) return same_exp(b.high);
  return exp_of(b.high, b.low + y * a.low);
}

double same_exp2(double x) { return x == floor(x) && fabs(x) < 2000 ? ldexp(1, (int)x) : same_exp(x * M_LN2); }

/* a cube root to a few places, and one step of Newton's method */
double same_cbrt(double x)
{
  if (x == 0 || !isfinite(x)) return x;
  const double a = fabs(x), y = exp_f64(log_f64(a) / 3), z = y - (y - a / (y * y)) / 3;
  return x < 0 ? -z : z;
}

double same_hypot(double x, double y)
{
  const double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
  if (a == HUGE_VAL || a == 0 || isnan(x) || isnan(y)) return a == HUGE_VAL || a == 0 ? a : (double)NAN;
  const double scale = a > 1e150 ? 0x1p-600 : a < 1e-150 ? 0x1p600 : 1; /* squares that neither overflow nor vanish */
  return sqrt(a * scale * (a * scale) + b * scale * (b * scale)) / scale;
}

double same_sinh(double x)
{
  const double a = fabs(x), e = same_exp(a);
  if (a > 1) return copysign(0.5 * e - 0.5 / e, x);
  const double d = decay_f64(a).d; /* 1 - e^-a */
  return copysign(0.5 * d * (1 + e), x);
}

double same_cosh(double x)
{
  const double e = same_exp(fabs(x));
  return 0.5 * e + 0.5 / e;
}

double same_asinh(double x)
{
  const double a = fabs(x);
  if (a > 1e150) return copysign(same_log(a) + M_LN2, x);
  return copysign(same_log1p(a + a * a / (1 + sqrt(1 + a * a))), x);
}

/* Below 2 by the series of erf, whose terms are all positive; above by the continued fraction. */
double same_erfc(double x)
{
  const double root_pi = 1.7724538509055160273, square = x * x;
  if (isnan(x)) return x;
  if (x < 0) return 2 - same_erfc(-x);
  if (x < 2) {
    double term = x, sum = x;
    for (int n = 1; n < 80; n++) sum += term *= 2 * square / (2 * n + 1);
    return 1 - 2 / root_pi * same_exp(-square) * sum;
  }
  double rest = 0;
  for (int n = 120; n > 0; n--) rest = 0.5 * n / (x + rest);
  return same_exp(-square) / (root_pi * (x + rest));
}
