/* Random numbers that are the same on every machine (splitmix64). */
#ifndef BRISTLE_FIT_RANDOM_H
#define BRISTLE_FIT_RANDOM_H

#include <stdint.h>

typedef struct random_state {
  uint64_t at;
} random_state;

static inline random_state random_start(uint64_t seed) { return (random_state){ seed * 0x9e3779b97f4a7c15u + 1 }; }

/* between 0 and 1, ends left out */
static inline double random_part(random_state *random)
{
  uint64_t z = random->at += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return ((double)(z >> 12) + 0.5) * (1.0 / 4503599627370496.0);
}

#endif
