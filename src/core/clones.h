/* A function for three instruction sets, chosen when the program is loaded. Without contraction, and with sums in a
   fixed order, all three give the same bits. */
#ifndef BRISTLE_CLONES_H
#define BRISTLE_CLONES_H

#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
#define BRISTLE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define BRISTLE_CLONES
#endif

#endif
