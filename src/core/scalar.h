/* `real` and everything a kernel may do with it, for plain numbers: double, or float with BRISTLE_F32.
 * dual.h is the same vocabulary for numbers that carry derivatives. */
#ifndef BRISTLE_SCALAR_H
#define BRISTLE_SCALAR_H

#include "core/maths.h"

#ifndef BRISTLE_F32
#define BRISTLE_F32 0
#endif

#if BRISTLE_F32
typedef float real;
typedef decay_f32_t decay;
#define BRISTLE_TYPED_(name) name##_f32
#define BRISTLE_TYPED(name) BRISTLE_TYPED_(name)
#define BRISTLE_MATHS(name) name##_f32
#define REAL_EPSILON 0x1p-23f
#define REAL_TINY 1e-18f /* floor of divisors: small beside any force or speed, its inverse far from overflow */
#else
typedef double real;
typedef decay_f64_t decay;
#define BRISTLE_TYPED(name) name
#define BRISTLE_MATHS(name) name##_f64
#define REAL_EPSILON 0x1p-52
#define REAL_TINY 1e-250
#endif

typedef real scalar; /* a number that never carries derivatives: step length, compliance */
#define K(c) ((real)(c))

FN scalar r_value(real x) { return x; }
FN real r_value_of(real x, real slopes) /* dual numbers: this value with those derivatives */
{
  (void)slopes;
  return x;
}
FN real r_abs(real x) { return BRISTLE_MATHS(abs)(x); }
FN real r_sqrt(real x) { return BRISTLE_MATHS(sqrt)(x); }
FN real r_copysign(real x, real s) { return BRISTLE_MATHS(copysign)(x, s); }
FN real r_exp(real x) { return BRISTLE_MATHS(exp)(x); }
FN decay r_decay(real x) { return BRISTLE_MATHS(decay)(x); }
FN real r_fade(real x, real low, real span) { return BRISTLE_MATHS(fade)(x, low, span); }
FN real r_log(real x) { return BRISTLE_MATHS(log)(x); }
FN real r_pow(real x, real y) { return BRISTLE_MATHS(pow)(x, y); }
FN real r_tanh(real x) { return BRISTLE_MATHS(tanh)(x); }
FN real r_sinq(real t) { return BRISTLE_MATHS(sinq)(t); }
FN real r_min(real a, real b) { return a < b ? a : b; }
FN real r_max(real a, real b) { return a > b ? a : b; }

#if BRISTLE_DIM == 1 /* space.h has the vector input */
typedef BRISTLE_TYPED(bristle_input) input;
#endif

#endif
