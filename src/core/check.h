/* What checks share: is a number one that can be computed with, and what a caller is told where one failed. */
#ifndef BRISTLE_CORE_CHECK_H
#define BRISTLE_CORE_CHECK_H

#include "bristle/bristle.h"
#include "core/maths.h"

/* without libm, and true to its word under any compiler flags */
FN int is_finite(double x) { return (bits_f64(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u; }

/* what was found, for a caller who may not want to know */
FN bristle_status refuse_with(bristle_error *error, bristle_error what)
{
  if (error) *error = what;
  return what.status;
}

#endif
