/* A law's entry points (BRISTLE_FINISH) in a library that is small to download and as fast where it counts. Everything
 * but the loops over a batch is compiled once. The loops are compiled apart (lean_simd.h): steps for AVX2 and, in
 * double precision, AVX-512; rates for AVX2. Other processors go contact by contact. The bits are the same everywhere.
 */
#ifdef HEAVY
#include "core/couple.h"
#include "core/model_plain.h"
#else
#define HEAVY
#undef SYMBOL
#define SYMBOL BRISTLE_CAT(MODEL, _alone)
#include "core/couple.h"
#include "core/model_plain.h"

#define LOOP(what) BRISTLE_TYPED(BRISTLE_CAT(BRISTLE_CAT(bristle_, MODEL), what))
void LOOP(_avx2_step_n)(const batch *b);
void LOOP(_avx2_eval_n)(const batch *b);
void LOOP(_avx512_step_n)(const batch *b);

static void ROLE(step_any)(const batch *b)
{
#if !BRISTLE_F32
  if (__builtin_cpu_supports("avx512f")) {
    LOOP(_avx512_step_n)(b);
    return;
  }
#endif
  if (__builtin_cpu_supports("avx2")) LOOP(_avx2_step_n)(b);
  else ROLE(step_n)(b);
}

static void ROLE(eval_any)(const batch *b)
{
  if (__builtin_cpu_supports("avx2")) LOOP(_avx2_eval_n)(b);
  else ROLE(eval_n)(b);
}

DESCRIBE(LOOP(_model), ROLE(eval_any), ROLE(step_any))
#endif
