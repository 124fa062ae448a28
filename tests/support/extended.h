/* `real` as long double with the C library's functions: the laws once more, in 64-bit precision, as an oracle
 * for derivatives and rounding that shares no elementary function with the library. */
#ifndef EXTENDED_H
#define EXTENDED_H

#include <math.h>

#define FN static inline __attribute__((unused))
typedef long double real;
typedef long double scalar;
typedef struct {
  real e, d;
} decay;
#define K(c) ((real)(c))
#define REAL_EPSILON 0x1p-63L
#define REAL_TINY 1e-250L

FN scalar r_value(real x) { return x; }
FN real r_value_of(real x, real slopes)
{
  (void)slopes;
  return x;
}
FN real r_abs(real x) { return fabsl(x); }
FN real r_sqrt(real x) { return sqrtl(x); }
FN real r_copysign(real x, real s) { return copysignl(x, s); }
FN real r_exp(real x) { return expl(x); }
FN decay r_decay(real x)
{
  decay y = { expl(-x), -expm1l(-x) };
  return y;
}
FN real r_fade(real x, real low, real span) { return low + span * expl(-x); }
FN real r_log(real x) { return logl(x); }
FN real r_pow(real x, real y) { return powl(x, y); }
FN real r_tanh(real x) { return tanhl(x); }
FN real r_sinq(real t) { return sinl(1.57079632679489661923132169163975144L * t); }
FN real r_min(real a, real b) { return a < b ? a : b; }
FN real r_max(real a, real b) { return a > b ? a : b; }

typedef struct input {
  real v, x, n, f, a, w, h;
  bristle_load load;
} input;

typedef struct extended_law {
  real (*eval)(const real *p, const real *s, const input *in, real *rate);
  real (*step)(const real *p, real *s, const input *in, real *v_end);
} extended_law;

#endif
