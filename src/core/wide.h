/* Eight numbers side by side, as a tree of vectors of the machine's own width: gcc keeps those in registers, wider ones
 * it does not. C++, for the operators; no C++ runtime is used. */
#ifndef BRISTLE_WIDE_H
#define BRISTLE_WIDE_H

#include "core/maths.h"

enum { LANES = 8 };

#if defined(__AVX512F__)
enum { NATIVE = 8 };
#elif defined(__AVX__)
enum { NATIVE = 4 };
#else
enum { NATIVE = 2 };
#endif
typedef double pack __attribute__((vector_size(NATIVE * sizeof(double))));
template <int N> struct wide {
  wide<N / 2> lo, hi;
};
template <> struct wide<NATIVE> {
  pack v;
};
typedef wide<LANES> lanes;

#define WIDE_BINARY(op)                                                                              \
  FN wide<NATIVE> operator op(wide<NATIVE> a, wide<NATIVE> b) { return { a.v op b.v }; }             \
  template <int N> FN wide<N> operator op(wide<N> a, wide<N> b) { return { a.lo op b.lo, a.hi op b.hi }; }
WIDE_BINARY(+)
WIDE_BINARY(-)
WIDE_BINARY(*)
WIDE_BINARY(/)
#undef WIDE_BINARY
FN wide<NATIVE> operator*(wide<NATIVE> a, double b) { return { a.v * b }; }
template <int N> FN wide<N> operator*(wide<N> a, double b) { return { a.lo * b, a.hi * b }; }
template <int N> FN wide<N> operator-(wide<N> a) { return a * -1.0; }
FN double lane(lanes d, int i) { return ((const double *)&d)[i]; }

#endif
