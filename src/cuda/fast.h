/* The numbers of the fast build (BRISTLE_NUMBERS): those of the processor, except that f32 takes its exponentials from
 * the hardware. exp(-x) keeps 2 units in the last place; 1 - exp(-x) is a short series where it would lose its digits.
 */
#ifndef BRISTLE_CUDA_FAST_H
#define BRISTLE_CUDA_FAST_H

#define r_decay r_decay_exact
#define r_fade r_fade_exact
#include "core/scalar.h"
#undef r_decay
#undef r_fade

#if BRISTLE_F32 && defined(__CUDA_ARCH__)
FN decay r_decay(real x)
{
  decay y;
  y.e = __expf(-x);
  const real series = x * (1.0f - x * (0.5f - x * (0.166666667f - x * 0.0416666667f)));
  y.d = x < 0.0625f ? series : 1.0f - y.e;
  return y;
}
FN real r_fade(real x, real low, real span) { return low + span * __expf(-x); }
#else
FN decay r_decay(real x) { return r_decay_exact(x); }
FN real r_fade(real x, real low, real span) { return r_fade_exact(x, low, span); }
#endif

#endif
