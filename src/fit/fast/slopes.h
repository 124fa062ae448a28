/* `real` as a value with a few derivatives in plain doubles: a loop over samples of a law compiled with it is
 * vectorised over the samples, which the eight lanes of the library's own dual numbers prevent. Derivatives that are
 * zero cost nothing: the compiler sees it. */
#ifndef BRISTLE_FAST_SLOPES_H
#define BRISTLE_FAST_SLOPES_H

#include "core/maths.h"

typedef double scalar;
#define EXPONENTS_FIXED 1 /* no derivatives by them */
enum { SLOPES = 8 };
#define EACH_SLOPE(j) _Pragma("GCC unroll 8") for (int j = 0; j < SLOPES; j++)

struct real {
  double v, d[SLOPES];
  real() = default;
  __attribute__((always_inline)) real(double value) : v(value) { EACH_SLOPE(j) d[j] = 0; }
};

#define K(c) real(c)
#define REAL_EPSILON 0x1p-52
#define REAL_TINY 1e-250

/* a value whose slope is a times that of x plus b times that of y */
FN real chain(double value, double a, const real &x, double b, const real &y)
{
  real r;
  r.v = value;
  EACH_SLOPE(j) r.d[j] = a * x.d[j] + b * y.d[j];
  return r;
}
FN real chain(double value, double a, const real &x)
{
  real r;
  r.v = value;
  EACH_SLOPE(j) r.d[j] = a * x.d[j];
  return r;
}
FN real select(bool c, const real &a, const real &b)
{
  real r;
  r.v = c ? a.v : b.v;
  EACH_SLOPE(j) r.d[j] = c ? a.d[j] : b.d[j];
  return r;
}

FN double r_value(real x) { return x.v; }
FN real operator+(real a, real b) { return chain(a.v + b.v, 1, a, 1, b); }
FN real operator-(real a, real b) { return chain(a.v - b.v, 1, a, -1, b); }
FN real operator*(real a, real b) { return chain(a.v * b.v, b.v, a, a.v, b); }
FN real operator/(real a, real b)
{
  double inverse = 1 / b.v, q = a.v * inverse; /* one division for the value and its slopes */
  return chain(q, inverse, a, -q * inverse, b);
}
FN real operator-(real a) { return chain(-a.v, -1, a); }
FN real &operator+=(real &a, real b) { return a = a + b; }
FN real &operator-=(real &a, real b) { return a = a - b; }
FN real &operator*=(real &a, real b) { return a = a * b; }
FN bool operator<(real a, real b) { return a.v < b.v; }
FN bool operator>(real a, real b) { return a.v > b.v; }
FN bool operator<=(real a, real b) { return a.v <= b.v; }
FN bool operator>=(real a, real b) { return a.v >= b.v; }
FN bool operator==(real a, real b) { return a.v == b.v; }
FN bool operator!=(real a, real b) { return a.v != b.v; }

struct decay {
  real e, d;
};

FN real r_abs(real x) { return chain(abs_f64(x.v), x.v < 0 ? -1 : 1, x); }
FN real r_copysign(real x, real s)
{
  return chain(copysign_f64(x.v, s.v), copysign_f64(1, s.v) * copysign_f64(1, x.v), x);
}
FN real r_sqrt(real x)
{
  double y = sqrt_f64(x.v);
  return chain(y, y > 0 ? 0.5 / y : 0, x);
}
FN real r_exp(real x)
{
  double y = exp_f64(x.v);
  return chain(y, y, x);
}
FN decay r_decay(real x)
{
  decay_f64_t y = decay_f64(x.v);
  double slope = x.v > 500 ? 0 : y.e; /* an overflowed slope where the exponential is long zero */
  decay r = { chain(y.e, -slope, x), chain(y.d, slope, x) };
  return r;
}
FN real r_fade(real x, real low, real span) { return low + span * r_decay(x).e; }
FN real r_log(real x) { return chain(log_f64(x.v), 1 / x.v, x); }
/* exponents are held here; the usual one costs a product */
FN real r_pow(real x, real y)
{
  if (y.v == 2) return chain(x.v * x.v, 2 * x.v, x);
  double q = pow_f64(x.v, y.v);
  return chain(q, x.v > 0 ? q * y.v / x.v : 0, x);
}
FN real r_tanh(real x)
{
  double y = tanh_f64(x.v);
  return chain(y, 1 - y * y, x);
}
FN real r_sinq(real t) { return chain(sinq_f64(t.v), 0x1.921fb54442d18p0 * sinq_f64(1 - abs_f64(t.v)), t); }
FN real r_min(real a, real b) { return select(a.v < b.v, a, b); }
FN real r_max(real a, real b) { return select(a.v > b.v, a, b); }

struct input {
  real v, x, n, f, a;
  double w, h;
  bristle_load load;
};

#endif
