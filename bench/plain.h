/* The baseline: LuGre's exact step as a plain scalar loop with the C library's functions. */
#ifndef PLAIN_H
#define PLAIN_H
#include <stddef.h>

typedef struct plain_lugre {
  double sigma0, sigma1, sigma2, fc, fs, vs;
} plain_lugre;
typedef struct plain_lugre_f32 {
  float sigma0, sigma1, sigma2, fc, fs, vs;
} plain_lugre_f32;

void plain_step(size_t n, const plain_lugre *p, double *z, const double *v, double *f, double h);
void plain_step_f32(size_t n, const plain_lugre_f32 *p, float *z, const float *v, float *f, float h);

#endif
