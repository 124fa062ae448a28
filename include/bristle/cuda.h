/* Friction on an NVIDIA GPU: every law, compiled by nvcc from the same file as for the processor.
 *
 * All pointers inside the structures are device memory, parameters and programs too; the structures themselves are the
 * caller's. Calls return when the work is in the stream, not when it is done. They return 0, or an error of the CUDA
 * runtime, which bristle_cuda_error puts into words. Nothing is allocated.
 *
 * Two builds. Exact: the same bits as the processor, in both precisions. Fast: products and sums contracted, divisions
 * and exponentials of the hardware in f32; its error is stated in docs/cuda.md and tested. */
#ifndef BRISTLE_CUDA_H
#define BRISTLE_CUDA_H

#include "bristle/ensemble.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bristle_cuda_build { BRISTLE_CUDA_EXACT, BRISTLE_CUDA_FAST } bristle_cuda_build;

/* One step of a batch, prescribed or coupled, and force and rates at an instant, as bristle_model's step_n and eval_n.
   `stream` is a cudaStream_t, NULL for the default one. */
int bristle_cuda_step_n(const bristle_law *law, bristle_cuda_build build, const bristle_batch *b, void *stream);
int bristle_cuda_eval_n(const bristle_law *law, bristle_cuda_build build, const bristle_batch *b, void *stream);
int bristle_cuda_step_n_f32(const bristle_law *law, bristle_cuda_build build, const bristle_batch_f32 *b, void *stream);
int bristle_cuda_eval_n_f32(const bristle_law *law, bristle_cuda_build build, const bristle_batch_f32 *b, void *stream);

/* Many steps of an ensemble; bodies stay in registers from the first step to the last. */
int bristle_cuda_march(const bristle_law *law, bristle_cuda_build build, const bristle_ensemble *e, void *stream);
int bristle_cuda_march_f32(const bristle_law *law, bristle_cuda_build build, const bristle_ensemble_f32 *e,
                           void *stream);

/* How many devices there are; 0 where there is no driver. */
int bristle_cuda_devices(void);
const char *bristle_cuda_error(int error);

#ifdef __cplusplus
}
#endif
#endif
