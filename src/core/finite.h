/* Is a number one that can be computed with? Without libm, and true to its word under any compiler flags. */
#ifndef BRISTLE_FINITE_H
#define BRISTLE_FINITE_H

#include "core/maths.h"

FN int is_finite(double x) { return (bits_f64(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u; }

#endif
