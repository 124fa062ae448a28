/* Plain numbers, as in scalar.h, for small libraries (BRISTLE_LEAN): entry points of a law share its kernels. */
#include "core/scalar.h"

#undef FN
#define FN static inline __attribute__((unused))
