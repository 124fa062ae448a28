/* The numbers of exported texts: those of core/scalar.h, with the compiler's own functions written out, so that any C99
 * compiler gives the same bits. Not compiled: the preprocessor makes texts of it (cmake/bridge.cmake). */
#ifndef BRIDGE_NUMBERS_H
#define BRIDGE_NUMBERS_H

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

#include "core/scalar.h"

/* The square root of a number that is not negative, correctly rounded, one binary digit in each of 54 rounds. */
FN double root_f64(double x)
{
  if (!(x > 0.0 && x < 0x1p1023)) return x;
  const int tiny = x < 0x1p-1022;
  const uint64_t b = bits_f64(tiny ? x * 0x1p54 : x), odd = ~(b >> 52) & 1u;
  const uint64_t top = ((b & 0xfffffffffffffu) | 0x10000000000000u) << odd;
  uint64_t root = 0, rest = 0;
  for (int i = 0; i < 54; i++) {
    rest = (rest << 2) | (i < 27 ? (top >> (52 - 2 * i)) & 3u : 0u);
    root <<= 1;
    if (rest > 2 * root) rest -= 2 * root + 1u, root += 1u;
  }
  const double y = from_bits_f64((((b >> 52) - 1023u - odd + 2046u) >> 1 << 52) + ((root + 1u) >> 1)
                                 - 0x10000000000000u);
  return tiny ? y * 0x1p-27 : y;
}

/* the same in 25 rounds */
FN float root_f32(float x)
{
  if (!(x > 0.0f && x < 0x1p127f)) return x;
  const int tiny = x < 0x1p-126f;
  const uint32_t b = bits_f32(tiny ? x * 0x1p24f : x), odd = ~(b >> 23) & 1u;
  const uint32_t top = ((b & 0x7fffffu) | 0x800000u) << (1u + odd);
  uint32_t root = 0, rest = 0;
  for (int i = 0; i < 25; i++) {
    rest = (rest << 2) | (i < 13 ? (top >> (24 - 2 * i)) & 3u : 0u);
    root <<= 1;
    if (rest > 2 * root) rest -= 2 * root + 1u, root += 1u;
  }
  const float y = from_bits_f32((((b >> 23) - 127u - odd + 254u) >> 1 << 23) + ((root + 1u) >> 1) - 0x800000u);
  return tiny ? y * 0x1p-12f : y;
}

#endif
