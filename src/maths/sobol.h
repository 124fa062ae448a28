/* Sobol's sequence: points that fill a cube evenly (Sobol 1967; Joe and Kuo 2008 for the numbers it starts from). */
#ifndef BRISTLE_SOBOL_H
#define BRISTLE_SOBOL_H

#include <stdint.h>

enum { SOBOL_DIMENSIONS = 32, SOBOL_BITS = 52 };

typedef struct sobol {
  uint64_t direction[SOBOL_DIMENSIONS][SOBOL_BITS];
} sobol;

void sobol_start(sobol *s);
/* Coordinate of point n, as SOBOL_BITS bits of a fraction. A fixed shift by exclusive or keeps the evenness. */
uint64_t sobol_bits(const sobol *s, uint64_t n, int dimension);

#endif
