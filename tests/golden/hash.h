/* One hash per law and precision over a fixed motion, the same for every compiler, optimisation level and instruction
 * set: tests/golden.c prints them, bits.txt keeps them, `bristle doctor` compares. */
#ifndef GOLDEN_HASH_H
#define GOLDEN_HASH_H

#include "bristle/bristle.h"

#include <string.h>

typedef unsigned long long u64;

/* Values in their order, each from its least significant byte on, whatever order the machine keeps its bytes in. */
static u64 hash_values(u64 hash, const void *data, size_t count, size_t size)
{
  const unsigned char *byte = data;
  const unsigned one = 1;
  const size_t flip = *(const unsigned char *)&one ? 0 : size - 1; /* sizes are powers of two: k ^ flip counts back */
  for (; count--; byte += size)
    for (size_t k = 0; k < size; k++) hash = (hash ^ byte[k ^ flip]) * 1099511628211u; /* FNV-1a */
  return hash;
}

/* A motion built from exact arithmetic only: speeds in powers of two times small fractions, both signs. */
static double speed(unsigned i)
{
  unsigned r = i * 2654435761u;
  double mantissa = 1 + (double)(r >> 16 & 1023) / 1024, scale = 1;
  for (unsigned k = r >> 8 & 15; k < 20; k++) scale /= 2;
  return (r & 1 ? -1 : 1) * mantissa * scale * 16;
}

enum { COUNT = 257, STEPS = 40, SIZE = 64 };

#define GOLDEN(REAL, INPUT, BATCH, MODEL, SUFFIX)                                                    \
  static u64 hash_##SUFFIX(const MODEL *m)                                                           \
  {                                                                                                  \
    static REAL p[SIZE], s[SIZE * COUNT], v[COUNT], x[COUNT], n[COUNT], w[COUNT], f[COUNT], end[COUNT], rate[SIZE * COUNT]; \
    const size_t nstate = (size_t)m->info->nstate;                                                   \
    u64 hash = 14695981039346656037u;                                                                \
    for (int r = 0; r < m->info->param_rows; r++)                                                    \
      for (int i = 0; i < m->info->param[r].count; i++)                                              \
        p[m->info->param[r].first + i] = (REAL)m->info->param[r].initial[i];                         \
    for (int load = 0; load < 3; load++) {                                                           \
      memset(s, 0, sizeof s);                                                                        \
      for (unsigned step = 0; step < STEPS; step++) {                                                \
        for (unsigned i = 0; i < COUNT; i++) {                                                       \
          v[i] = (REAL)speed(step * COUNT + i);                                                      \
          x[i] = (REAL)speed(i) / 1024;                                                              \
          n[i] = (REAL)(i % 7) / 4;                                                                  \
          w[i] = (REAL)(1 + i % 5) / 1024;                                                           \
        }                                                                                            \
        BATCH b = { COUNT, p, 0, s, v, x, n, step % 4 == 3 ? w : NULL, (REAL)1 / 1024, (bristle_load)load, f, end, rate }; \
        m->step_n(&b);                                                                               \
        hash = hash_values(hash, f, COUNT, sizeof *f);                                               \
        hash = hash_values(hash, end, COUNT, sizeof *end);                                           \
        m->eval_n(&b);                                                                               \
        hash = hash_values(hash, f, COUNT, sizeof *f);                                               \
        hash = hash_values(hash, rate, nstate * COUNT, sizeof *rate);                                \
      }                                                                                              \
      hash = hash_values(hash, s, nstate * COUNT, sizeof *s);                                        \
    }                                                                                                \
    return hash;                                                                                     \
  }

GOLDEN(double, bristle_input, bristle_batch, bristle_model, f64)
GOLDEN(float, bristle_input_f32, bristle_batch_f32, bristle_model_f32, f32)

#endif
