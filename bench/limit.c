/* The limit of one core: fused multiply-adds that do not wait for each other, in the widest registers. */
#include "limit.h"

enum { CHAINS = 12 }; /* as many as latency times units asks for, and no more than registers hold */

#define FMAS(name, real, bytes, target)                                                              \
  typedef real name##_lanes __attribute__((vector_size(bytes)));                                     \
  target static double name(int rounds)                                                              \
  {                                                                                                  \
    name##_lanes x[CHAINS], sum = { 0 }, a = sum + (real)0.999, b = sum + (real)0.001;               \
    for (int k = 0; k < CHAINS; k++) x[k] = sum + (real)k;                                           \
    for (int i = 0; i < rounds; i++)                                                                 \
      _Pragma("GCC unroll 12") for (int k = 0; k < CHAINS; k++) x[k] = x[k] * a + b;                 \
    for (int k = 0; k < CHAINS; k++) sum += x[k];                                                    \
    return (double)sum[0];                                                                           \
  }

#ifdef __x86_64__
FMAS(f64_avx512, double, 64, __attribute__((target("avx512f"))))
FMAS(f32_avx512, float, 64, __attribute__((target("avx512f"))))
FMAS(f64_avx2, double, 32, __attribute__((target("avx2,fma"))))
FMAS(f32_avx2, float, 32, __attribute__((target("avx2,fma"))))
#else
FMAS(f64_any, double, 16, )
FMAS(f32_any, float, 16, )
#endif

double limit_run(int avx512, int single, int rounds, double *count)
{
#ifdef __x86_64__
  const int lanes = (avx512 ? 64 : 32) / (single ? 4 : 8);
  *count = (double)rounds * CHAINS * lanes;
  if (avx512) return single ? f32_avx512(rounds) : f64_avx512(rounds);
  return single ? f32_avx2(rounds) : f64_avx2(rounds);
#else
  (void)avx512;
  *count = (double)rounds * CHAINS * (single ? 4 : 2);
  return single ? f32_any(rounds) : f64_any(rounds);
#endif
}
