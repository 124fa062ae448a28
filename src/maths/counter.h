/* Random numbers by counting (Philox 4x32 with ten rounds: Salmon, Moraes, Dror and Shaw 2011). A number depends on its
   place alone, so that no order, thread or restart changes it. */
#ifndef BRISTLE_COUNTER_H
#define BRISTLE_COUNTER_H

#include <stdint.h>

/* Four words from a place of four words and a seed of two. */
void counter_words(const uint32_t place[4], const uint32_t seed[2], uint32_t out[4]);
/* Between 0 and 1, ends left out: number `which` of sample `at`, in its attempt `attempt`. */
double counter_part(uint64_t seed, uint64_t at, uint32_t which, uint32_t attempt);
/* 52 bits in the same way. */
uint64_t counter_bits(uint64_t seed, uint64_t at, uint32_t which, uint32_t attempt);

/* The value that a standard normal number stays below with probability p, 0 < p < 1. */
double normal_quantile(double p);

#endif
