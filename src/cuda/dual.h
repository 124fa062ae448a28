/* The numbers of the derivatives on the GPU (BRISTLE_SCALAR): those of core/dual.h on lanes that a thread keeps in
 * registers. Four at a time: with eight, laws with many parameters live in spilled memory. */
#ifndef BRISTLE_CUDA_DUAL_H
#define BRISTLE_CUDA_DUAL_H

#include "core/maths.h"

#define BRISTLE_WIDE_H /* the vectors of the processor, whose place these lanes take */
enum { LANES = 4 };
struct lanes {
  double of[LANES];
};
#define LANES_BINARY(op)                                                                             \
  FN lanes operator op(lanes a, lanes b)                                                             \
  {                                                                                                  \
    lanes c;                                                                                         \
    for (int i = 0; i < LANES; i++) c.of[i] = a.of[i] op b.of[i];                                    \
    return c;                                                                                        \
  }
LANES_BINARY(+)
LANES_BINARY(-)
LANES_BINARY(*)
LANES_BINARY(/)
#undef LANES_BINARY
FN lanes operator*(lanes a, double b)
{
  lanes c;
  for (int i = 0; i < LANES; i++) c.of[i] = a.of[i] * b;
  return c;
}
FN lanes operator-(lanes a) { return a * -1.0; }
FN double lane(const lanes &d, int i) { return d.of[i]; }

#define always_inline host, device /* the attribute of the constructors there */
#include "core/dual.h"
#undef always_inline

#endif
