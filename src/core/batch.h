/* What batch loops need, in any number of dimensions. */

/* One library serves every x86: the batch loops are compiled for two instruction sets and chosen when they are called;
   processors that have neither go contact by contact, and a compiler that aims at one processor compiles one loop.
   Without contraction all give the same bits.

   EACH_PROCESSOR hands F the loop's name and its attribute; PROCESSOR_OF is this processor's row of such a table, or
   NULL. */
#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
#define EACH_PROCESSOR(F, name, ...)                                                                 \
  F(name##_avx2, __VA_ARGS__, __attribute__((target("avx2"))))                                      \
  F(name##_avx512, __VA_ARGS__, __attribute__((target("avx512f"))))
#define PROCESSOR_OF(table)                                                                          \
  (__builtin_cpu_supports("avx512f") ? &(table)[1] : __builtin_cpu_supports("avx2") ? &(table)[0] : NULL)
#else
#define EACH_PROCESSOR(F, name, ...) F(name, __VA_ARGS__, )
#define PROCESSOR_OF(table) (&(table)[0])
#endif

/* contacts are independent: tell the vectoriser that state rows do not overlap */
#if defined(__clang__)
#define BRISTLE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define BRISTLE_INDEPENDENT _Pragma("GCC ivdep")
#endif

/* The usual values of the rarely used parameters: known at compile time they cost nothing. Without any, all sets are
   common, and no loop is compiled for others. */
#ifdef COMMON
#define HAS_COMMON 1
#else
#define HAS_COMMON 0
#define COMMON(C)
#endif
#define COMMON_TEST(name, value) &&q->name == K(value)
#define COMMON_SET(name, value) q.name = K(value);

FN int ROLE(is_common)(const params *q)
{
  (void)q;
  return 1 COMMON(COMMON_TEST);
}
