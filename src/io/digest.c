/* SHA-256 (FIPS 180-4), so that a model file can say exactly which data it comes from. */
#include "lab/digest.h"

#include <stdint.h>
#include <string.h>

static uint32_t turn(uint32_t x, int by) { return x >> by | x << (32 - by); }

/* The constants are the first 32 bits of the fractional parts of roots of primes; computed, not listed. */
static uint32_t fraction_of_root(unsigned prime, int cube)
{
  /* the largest y with y^2 <= prime 2^64, or y^3 <= prime 2^96: the root times 2^32 */
  uint64_t y = 0;
  for (int bit = 36; bit >= 0; bit--) {
    uint64_t trial = y | (uint64_t)1 << bit;
    __extension__ typedef unsigned __int128 wide;
    wide square = (wide)trial * trial;
    int fits;
    if (!cube) fits = square <= (wide)prime << 64;
    else fits = square <= (((wide)prime << 96) / trial); /* trial^3 <= prime 2^96 */
    if (fits) y = trial;
  }
  return (uint32_t)y;
}

typedef struct tables {
  int are_filled;
  uint32_t start[8], round[64];
} tables;

static _Thread_local tables constants; /* once in each thread: they take as long as 10 kB */

static void fill_tables(tables *t)
{
  if (t->are_filled) return;
  int found = 0;
  for (unsigned n = 2; found < 64; n++) {
    int prime = 1;
    for (unsigned d = 2; d * d <= n; d++)
      if (n % d == 0) prime = 0;
    if (!prime) continue;
    if (found < 8) t->start[found] = fraction_of_root(n, 0);
    t->round[found++] = fraction_of_root(n, 1);
  }
  t->are_filled = 1;
}

static void block(const tables *t, uint32_t state[8], const unsigned char *bytes)
{
  uint32_t w[64], s[8];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8
           | bytes[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t a = w[i - 15], b = w[i - 2];
    w[i] = w[i - 16] + (turn(a, 7) ^ turn(a, 18) ^ a >> 3) + w[i - 7] + (turn(b, 17) ^ turn(b, 19) ^ b >> 10);
  }
  memcpy(s, state, sizeof s);
  for (int i = 0; i < 64; i += 8) /* eight rounds turn the names once around, and nothing moves */
    for (int k = 0; k < 8; k++) {
      uint32_t *const h = &s[(7 - k) & 7];
      const uint32_t a = s[(8 - k) & 7], b = s[(9 - k) & 7], c = s[(10 - k) & 7];
      const uint32_t e = s[(12 - k) & 7], f = s[(13 - k) & 7], g = s[(14 - k) & 7];
      const uint32_t one = *h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + t->round[i + k]
                           + w[i + k];
      s[(11 - k) & 7] += one;
      *h = one + (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    }
  for (int i = 0; i < 8; i++) state[i] += s[i];
}

void bristle_digest(const void *data, size_t size, char text[65])
{
  tables *t = &constants;
  uint32_t state[8];
  const unsigned char *bytes = data;
  unsigned char last[128] = { 0 };
  fill_tables(t);
  memcpy(state, t->start, sizeof state);
  size_t whole = size / 64 * 64, rest = size - whole, end = rest < 56 ? 64 : 128;
  for (size_t i = 0; i < whole; i += 64) block(t, state, bytes + i);
  if (rest) memcpy(last, bytes + whole, rest);
  last[rest] = 0x80;
  for (int i = 0; i < 8; i++) last[end - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
  for (size_t i = 0; i < end; i += 64) block(t, state, last + i);
  for (int i = 0; i < 64; i++) text[i] = "0123456789abcdef"[state[i / 8] >> (28 - 4 * (i % 8)) & 15];
  text[64] = '\0';
}
