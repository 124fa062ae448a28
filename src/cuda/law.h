/* What a law compiled for the GPU offers to the registry (registry.cu). */
#ifndef BRISTLE_CUDA_LAW_H
#define BRISTLE_CUDA_LAW_H

#include "bristle/cuda.h"

typedef struct cuda_law {
  int (*step_n)(const bristle_batch *b, void *stream), (*eval_n)(const bristle_batch *b, void *stream);
  int (*march)(const bristle_ensemble *e, void *stream);
} cuda_law;
typedef struct cuda_law_f32 {
  int (*step_n)(const bristle_batch_f32 *b, void *stream), (*eval_n)(const bristle_batch_f32 *b, void *stream);
  int (*march)(const bristle_ensemble_f32 *e, void *stream);
} cuda_law_f32;
typedef int (*cuda_slopes)(const bristle_batch *b, const double *before, double *df, double *ds, void *stream);

#endif
