/* `real` as a value with eight derivative lanes. A law's file compiled with this header (as C++, for the
 * operators; no C++ runtime is used) yields its exact derivatives; nothing is differentiated by hand. */
#ifndef BRISTLE_DUAL_H
#define BRISTLE_DUAL_H

#include "core/wide.h"

typedef double scalar;

struct real {
  double v;
  lanes d;
  real() = default;
  __attribute__((always_inline)) real(double value) : v(value), d{} {}
  __attribute__((always_inline)) real(double value, lanes slope) : v(value), d(slope) {}
};

#define K(c) real(c)
#define REAL_EPSILON 0x1p-52
#define REAL_TINY 1e-250

FN double r_value(real x) { return x.v; }
/* a value found by a short cut, with the derivatives of the long way */
FN real r_value_of(real x, real slopes) { return real(x.v, slopes.d); }

FN real operator+(real a, real b) { return real(a.v + b.v, a.d + b.d); }
FN real operator-(real a, real b) { return real(a.v - b.v, a.d - b.d); }
FN real operator*(real a, real b) { return real(a.v * b.v, a.d * b.v + b.d * a.v); }
FN real operator/(real a, real b)
{
  double q = a.v / b.v;
  return real(q, (a.d - b.d * q) * (1.0 / b.v));
}
FN real operator+(real a, double b) { return real(a.v + b, a.d); }
FN real operator+(double a, real b) { return real(a + b.v, b.d); }
FN real operator-(real a, double b) { return real(a.v - b, a.d); }
FN real operator-(double a, real b) { return real(a - b.v, -b.d); }
FN real operator*(real a, double b) { return real(a.v * b, a.d * b); }
FN real operator*(double a, real b) { return real(a * b.v, b.d * a); }
FN real operator/(real a, double b) { return real(a.v / b, a.d * (1.0 / b)); }
FN real operator/(double a, real b) { return real(a) / b; }
FN real operator-(real a) { return real(-a.v, -a.d); }
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

/* at 0, |x| takes the slope of positive x, as copysign does */
FN real r_abs(real x) { return real(abs_f64(x.v), x.v < 0 ? -x.d : x.d); }
FN real r_copysign(real x, real s) { return copysign_f64(1.0, s.v) * r_abs(x); }
FN real r_sqrt(real x)
{
  double y = sqrt_f64(x.v);
  return real(y, x.d * (y > 0 ? 0.5 / y : 0.0));
}
FN real r_exp(real x)
{
  double y = exp_f64(x.v);
  return real(y, x.d * y);
}
FN decay r_decay(real x)
{
  decay_f64_t y = decay_f64(x.v);
  lanes s = x.d * y.e;
  /* a slope that overflowed where the exponential is long zero must not become 0*inf */
  if (x.v > 500.0) s = lanes{};
  decay r = { real(y.e, -s), real(y.d, s) };
  return r;
}
FN real r_fade(real x, real low, real span)
{
  double e = x.v > 500.0 ? 0.0 : decay_f64(x.v).e;
  lanes slope = e > 0 ? x.d * (span.v * e) : lanes{};
  return real(fade_f64(x.v, low.v, span.v), low.d + span.d * e - slope);
}
FN real r_log(real x) { return real(log_f64(x.v), x.d * (1.0 / x.v)); }
FN real r_pow(real x, real y)
{
  double q = pow_f64(x.v, y.v);
  /* x^y has no finite slope at 0 for y < 1; there the one-sided value 0 is returned */
  if (!(x.v > 0)) return real(q);
  return real(q, x.d * (q * y.v / x.v) + y.d * (q * log_f64(x.v)));
}
FN real r_tanh(real x)
{
  double y = tanh_f64(x.v);
  decay_f64_t u = decay_f64(2.0 * abs_f64(x.v));
  double c = 1.0 + u.e;
  return real(y, x.d * (4.0 * u.e / (c * c)));
}
FN real r_sinq(real t)
{
  double c = sinq_f64(1.0 - abs_f64(t.v)); /* cos(pi t/2) */
  return real(sinq_f64(t.v), t.d * (0x1.921fb54442d18p0 * c));
}
FN real r_min(real a, real b) { return a.v < b.v ? a : b; }
FN real r_max(real a, real b) { return a.v > b.v ? a : b; }

#if BRISTLE_DIM == 1 /* space.h has the vector input */
struct input {
  real v, x, n, f, a;
  double w, h;
  bristle_load load;
};
#endif

#endif
