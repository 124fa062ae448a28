/* The compiler's own functions, written out. */
#ifndef BRIDGE_WRITTEN_OUT_H
#define BRIDGE_WRITTEN_OUT_H

#define __builtin_memcpy(to, from, size) memcpy(to, from, size)
#define __builtin_fabs(x) from_bits_f64(bits_f64(x) & 0x7fffffffffffffffu)
#define __builtin_fabsf(x) from_bits_f32(bits_f32(x) & 0x7fffffffu)
#define __builtin_copysign(x, s)                                                                     \
  from_bits_f64((bits_f64(x) & 0x7fffffffffffffffu) | (bits_f64(s) & 0x8000000000000000u))
#define __builtin_copysignf(x, s) from_bits_f32((bits_f32(x) & 0x7fffffffu) | (bits_f32(s) & 0x80000000u))
#define __builtin_sqrt(x) root_f64(x)
#define __builtin_sqrtf(x) root_f32(x)

static double root_f64(double x);
static float root_f32(float x);

#endif
