/* Every law on the GPU, in the order of models.def: the registry of bristle/cuda.h. */
#include "cuda/law.h"

#include <cuda_runtime.h>

extern "C" {
#define BRISTLE_LAW(name)                                                                            \
  extern const cuda_law bristle_cuda_##name##_exact, bristle_cuda_##name##_fast;                     \
  extern const cuda_law_f32 bristle_cuda_##name##_exact_f32, bristle_cuda_##name##_fast_f32;         \
  extern const cuda_slopes bristle_cuda_##name##_slopes;
#include "models/models.def"
#undef BRISTLE_LAW
}

struct builds {
  const cuda_law *f64[2];
  const cuda_law_f32 *f32[2];
  const cuda_slopes *slopes;
};
static const builds laws[] = {
#define BRISTLE_LAW(name)                                                                            \
  { { &bristle_cuda_##name##_exact, &bristle_cuda_##name##_fast },                                   \
    { &bristle_cuda_##name##_exact_f32, &bristle_cuda_##name##_fast_f32 },                           \
    &bristle_cuda_##name##_slopes },
#include "models/models.def"
#undef BRISTLE_LAW
};

/* The law's place in models.def is its place here. */
static const builds *builds_of(const bristle_law *law)
{
  for (int i = 0; i < (int)(sizeof laws / sizeof *laws); i++)
    if (bristle_law_at(i) == law) return &laws[i];
  return nullptr;
}

extern "C" const bristle_law *bristle_cuda_law(const char *name) { return bristle_law_find(name); }

#define ENTRY(name, type, precision, member)                                                         \
  extern "C" int name(const bristle_law *law, bristle_cuda_build build, const type *what, void *stream) \
  {                                                                                                  \
    const builds *of = builds_of(law);                                                               \
    return of ? of->precision[build == BRISTLE_CUDA_FAST]->member(what, stream) : (int)cudaErrorInvalidValue; \
  }
ENTRY(bristle_cuda_step_n, bristle_batch, f64, step_n)
ENTRY(bristle_cuda_eval_n, bristle_batch, f64, eval_n)
ENTRY(bristle_cuda_march, bristle_ensemble, f64, march)
ENTRY(bristle_cuda_step_n_f32, bristle_batch_f32, f32, step_n)
ENTRY(bristle_cuda_eval_n_f32, bristle_batch_f32, f32, eval_n)
ENTRY(bristle_cuda_march_f32, bristle_ensemble_f32, f32, march)

extern "C" int bristle_cuda_slopes_n(const bristle_law *law, const bristle_batch *b, const double *before, double *df,
                                     double *ds, void *stream)
{
  const builds *of = builds_of(law);
  return of ? (*of->slopes)(b, before, df, ds, stream) : (int)cudaErrorInvalidValue;
}

extern "C" int bristle_cuda_devices(void)
{
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

extern "C" const char *bristle_cuda_error(int error) { return cudaGetErrorString((cudaError_t)error); }
