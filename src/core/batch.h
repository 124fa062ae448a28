/* What batch loops need, in any number of dimensions. */

/* One library serves every x86: the batch loops are compiled for three instruction sets and chosen when the program is
   loaded. Without contraction all three give the same bits. */
#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
#define BRISTLE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BRISTLE_CLONES
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
