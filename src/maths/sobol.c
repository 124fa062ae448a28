/* Sobol's sequence. Each dimension has a primitive polynomial over {0, 1} and as many odd numbers as its degree; the
   rest of its direction numbers follow by recurrence. */
#include "maths/sobol.h"

/* degree, inner coefficients of the polynomial as bits, first numbers: those of Joe and Kuo, dimensions 2 to 32 */
static const struct {
  uint8_t degree, inner, first[7];
} start[SOBOL_DIMENSIONS - 1] = {
  { 1, 0, { 1 } },
  { 2, 1, { 1, 3 } },
  { 3, 1, { 1, 3, 1 } },
  { 3, 2, { 1, 1, 1 } },
  { 4, 1, { 1, 1, 3, 3 } },
  { 4, 4, { 1, 3, 5, 13 } },
  { 5, 2, { 1, 1, 5, 5, 17 } },
  { 5, 4, { 1, 1, 5, 5, 5 } },
  { 5, 7, { 1, 1, 7, 11, 19 } },
  { 5, 11, { 1, 1, 5, 1, 1 } },
  { 5, 13, { 1, 1, 1, 3, 11 } },
  { 5, 14, { 1, 3, 5, 5, 31 } },
  { 6, 1, { 1, 3, 3, 9, 7, 49 } },
  { 6, 13, { 1, 1, 1, 15, 21, 21 } },
  { 6, 16, { 1, 3, 1, 13, 27, 49 } },
  { 6, 19, { 1, 1, 1, 15, 7, 5 } },
  { 6, 22, { 1, 3, 1, 15, 13, 25 } },
  { 6, 25, { 1, 1, 5, 5, 19, 61 } },
  { 7, 1, { 1, 3, 7, 11, 23, 15, 103 } },
  { 7, 4, { 1, 3, 7, 13, 13, 15, 69 } },
  { 7, 7, { 1, 1, 3, 13, 7, 35, 63 } },
  { 7, 8, { 1, 3, 5, 9, 1, 25, 53 } },
  { 7, 14, { 1, 3, 1, 13, 9, 35, 107 } },
  { 7, 19, { 1, 3, 1, 5, 27, 61, 31 } },
  { 7, 21, { 1, 1, 5, 11, 19, 41, 61 } },
  { 7, 28, { 1, 3, 5, 3, 3, 13, 69 } },
  { 7, 31, { 1, 1, 7, 13, 1, 19, 1 } },
  { 7, 32, { 1, 3, 7, 5, 13, 19, 59 } },
  { 7, 37, { 1, 1, 3, 9, 25, 29, 41 } },
  { 7, 41, { 1, 3, 5, 13, 23, 1, 55 } },
  { 7, 42, { 1, 3, 7, 3, 13, 59, 17 } },
};

void sobol_start(sobol *s)
{
  for (int k = 0; k < SOBOL_BITS; k++) s->direction[0][k] = (uint64_t)1 << (SOBOL_BITS - 1 - k);
  for (int d = 1; d < SOBOL_DIMENSIONS; d++) {
    uint64_t *v = s->direction[d];
    const int degree = start[d - 1].degree;
    for (int k = 0; k < degree; k++) v[k] = (uint64_t)start[d - 1].first[k] << (SOBOL_BITS - 1 - k);
    for (int k = degree; k < SOBOL_BITS; k++) {
      v[k] = v[k - degree] ^ v[k - degree] >> degree;
      for (int j = 1; j < degree; j++)
        if (start[d - 1].inner >> (degree - 1 - j) & 1) v[k] ^= v[k - j];
    }
  }
}

uint64_t sobol_bits(const sobol *s, uint64_t n, int dimension)
{
  uint64_t x = 0, gray = n ^ n >> 1;
  for (int k = 0; gray && k < SOBOL_BITS; k++, gray >>= 1)
    if (gray & 1) x ^= s->direction[dimension][k];
  return x;
}
