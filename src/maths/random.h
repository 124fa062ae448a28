/* Random numbers that are the same on every machine (splitmix64). */
#ifndef BRISTLE_MATHS_RANDOM_H
#define BRISTLE_MATHS_RANDOM_H

#include <stdint.h>

#define RANDOM_STEP 0x9e3779b97f4a7c15u

/* The bits of a state well mixed: numbers that follow each other give results that do not. */
static inline uint64_t random_mixed(uint64_t z)
{
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* 64 random bits; the state may begin with any number. */
static inline uint64_t random_next(uint64_t *state) { return random_mixed(*state += RANDOM_STEP); }

/* from 0 up to 1, which is left out */
static inline double random_unit(uint64_t *state) { return (double)(random_next(state) >> 11) * 0x1p-53; }

typedef struct random_state {
  uint64_t at;
} random_state;

static inline random_state random_start(uint64_t seed) { return (random_state){ seed * RANDOM_STEP + 1 }; }

/* between 0 and 1, ends left out */
static inline double random_part(random_state *random)
{
  return ((double)(random_next(&random->at) >> 12) + 0.5) * 0x1p-52;
}

#endif
