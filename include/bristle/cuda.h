/* Friction on an NVIDIA GPU: every law, compiled by nvcc from the same file as for the processor.
 *
 *   #include <bristle/cuda.h>
 *   #include <stdio.h>
 *   int main(void)
 *   {
 *     printf("%d GPUs, lugre %s\n", bristle_cuda_devices(), bristle_cuda_law("lugre") ? "is there" : "is missing");
 *   }
 *
 * All pointers inside the structures are device memory, parameters and programs too; the structures themselves are the
 * caller's. Calls return when the work is in the stream, not when it is done. They return 0, or an error of the CUDA
 * runtime, which bristle_cuda_error puts into words. Nothing is allocated but by bristle_cuda_new.
 *
 * Two builds. Exact: the same bits as the processor, in both precisions. Fast: products and sums contracted, shorter
 * exponentials and divisions, those of the hardware in f32. Over 10000 steps forces of prescribed motion differ from
 * the exact ones by at most 3e-15 of the largest in f64 and 2e-6 in f32, positions of coupled bodies by 1e-13 and 3e-4;
 * of armstrong and leuven by more (docs/cuda.md). tests/cuda/bits.cu allows ten times as much. A velocity that is no
 * number gives a force that is none there, but perhaps finite states.
 */
#ifndef BRISTLE_CUDA_H
#define BRISTLE_CUDA_H

#include "bristle/ensemble.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bristle_cuda_build { BRISTLE_CUDA_EXACT, BRISTLE_CUDA_FAST } bristle_cuda_build;

/* The law of this name in the library that this one stands on, NULL if there is none. A program that has the laws in
   another library as well asks here: laws are known by their addresses. */
const bristle_law *bristle_cuda_law(const char *name);

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

/* Derivatives of the step that step_n has just made with b (exact build, double): b->s, b->f and b->v_end are its
   results, `before` are the states at its beginning. Direction d of contact i is df[d*count + i], of its state k
   ds[(k*directions + d)*count + i], in the order of bristle_diff. Within rounding those of the processor. */
int bristle_cuda_slopes_n(const bristle_law *law, const bristle_batch *b, const double *before, double *df, double *ds,
                          void *stream);

/* How many devices there are; 0 where there is no driver. */
int bristle_cuda_devices(void);
const char *bristle_cuda_error(int error);

/* Memory for callers without a CUDA runtime of their own. A block has one holder when it is made, one more for each
   tensor that is lent of it, and is freed when the last lets go. */
typedef struct bristle_cuda_block bristle_cuda_block;
int bristle_cuda_new(int device, size_t bytes, bristle_cuda_block **block);
void *bristle_cuda_data(const bristle_cuda_block *block);
void bristle_cuda_release(bristle_cuda_block *block);
/* A DLManagedTensor of one or two dimensions that begins `offset` bytes into the block, of floats of 32 or 64 bits;
   NULL where there is no memory for it. Any such tensor that nobody took is given back. */
void *bristle_cuda_lend(bristle_cuda_block *block, size_t offset, int bits, int dimensions, const int64_t *shape);
void bristle_cuda_return(void *lent);

/* Sets the device of this thread (`before`, unless NULL, receives the one it had); copies from and to anywhere; waits
   for a stream; makes a stream wait for what is in another by now. */
int bristle_cuda_use(int device, int *before);
int bristle_cuda_copy(void *to, const void *from, size_t bytes, void *stream);
int bristle_cuda_wait(void *stream);
int bristle_cuda_follow(void *stream, void *after);

#ifdef __cplusplus
}
#endif
#endif
