/* Square roots of exported texts, behind core/maths.h, whose bits they use. */
#ifndef BRIDGE_ROOTS_H
#define BRIDGE_ROOTS_H

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
