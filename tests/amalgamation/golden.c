/* The golden bits of an amalgamation, in the lines of tests/golden/bits.txt: the motion of golden/hash.h, contact by
 * contact through the functions of bristle.c (laws.c). */
#include "golden/hash.h"

#include "laws.h"

#include <stdio.h>

/* what hash.h calls a model: its batches go to the law that `current` points to */
#define GOLDEN_LAW(real, X, suffix)                                                                  \
  static const law_entry##X *current##X;                                                             \
  static bristle_input##X input_at##X(const bristle_batch##X *b, size_t i, const real *w)            \
  {                                                                                                  \
    const bristle_input##X in = { b->v[i], b->x[i], b->n[i], 0, 0, w ? w[i] : 0, b->h, b->load };    \
    return in;                                                                                       \
  }                                                                                                  \
  static void step_all##X(const bristle_batch##X *b)                                                 \
  {                                                                                                  \
    const size_t states = (size_t)current##X->nstate;                                                \
    for (size_t i = 0; i < b->count; i++) {                                                          \
      real s[SIZE];                                                                                  \
      const bristle_input##X in = input_at##X(b, i, b->w);                                           \
      for (size_t k = 0; k < states; k++) s[k] = b->s[k * b->count + i];                             \
      b->f[i] = current##X->step(b->p, s, &in, &b->v_end[i]);                                        \
      for (size_t k = 0; k < states; k++) b->s[k * b->count + i] = s[k];                             \
    }                                                                                                \
  }                                                                                                  \
  static void eval_all##X(const bristle_batch##X *b)                                                 \
  {                                                                                                  \
    const size_t states = (size_t)current##X->nstate;                                                \
    for (size_t i = 0; i < b->count; i++) {                                                          \
      real s[SIZE], rate[SIZE];                                                                      \
      const bristle_input##X in = input_at##X(b, i, NULL);                                           \
      for (size_t k = 0; k < states; k++) s[k] = b->s[k * b->count + i];                             \
      b->f[i] = current##X->eval(b->p, s, &in, rate);                                                \
      for (size_t k = 0; k < states; k++) b->rate[k * b->count + i] = rate[k];                       \
    }                                                                                                \
  }                                                                                                  \
  static void print##X(const law_entry##X *law)                                                      \
  {                                                                                                  \
    real p[SIZE];                                                                                    \
    double initial[SIZE];                                                                            \
    law->defaults(p);                                                                                \
    for (int i = 0; i < law->nparam; i++) initial[i] = p[i];                                         \
    const bristle_row row = { .count = law->nparam, .initial = initial };                            \
    const bristle_info info = { .nstate = law->nstate, .param_rows = 1, .param = &row };             \
    const bristle_model##X model = { .info = &info, .step_n = step_all##X, .eval_n = eval_all##X };  \
    current##X = law;                                                                                \
    printf("%-17s " #suffix " %016llx\n", law->name, hash_##suffix(&model));                         \
  }

#ifndef FLOAT32_ONLY
GOLDEN_LAW(double, , f64)
#endif
GOLDEN_LAW(float, _f32, f32)

int main(void)
{
  for (int i = 0; laws_f32[i].name; i++) {
#ifndef FLOAT32_ONLY
    print(&laws[i]);
#endif
    print_f32(&laws_f32[i]);
  }
  return 0;
}
