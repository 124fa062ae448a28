/* libbristle-cuda without a GPU, for tests of what is built on it: "device memory" is memory, streams are numbers that
 * are written down, and the steps are those of the processor. Links against a library with the laws. */
#include "bristle/cuda.h"

#include <stdlib.h>
#include <string.h>

struct bristle_cuda_block {
  void *data;
  int device, holders;
};

/* what the test may ask for: blocks alive, the stream of the last step, streams that followed another */
int stand_in_blocks, stand_in_follows, stand_in_devices = 1, stand_in_fail;
void *stand_in_stream;
int stand_in_build;

int bristle_cuda_devices(void) { return getenv("STAND_IN_NO_GPU") ? 0 : stand_in_devices; }
const char *bristle_cuda_error(int error) { return error == 2 ? "out of memory" : "some error"; }

const bristle_law *bristle_cuda_law(const char *name) { return bristle_law_find(name); }

int bristle_cuda_new(int device, size_t bytes, bristle_cuda_block **block)
{
  if (bytes > (size_t)1 << 40) return 2;
  *block = malloc(sizeof **block);
  **block = (bristle_cuda_block){ malloc(bytes + 1), device, 1 };
  stand_in_blocks++;
  return 0;
}
void *bristle_cuda_data(const bristle_cuda_block *block) { return block->data; }
void bristle_cuda_release(bristle_cuda_block *block)
{
  if (--block->holders) return;
  free(block->data);
  free(block);
  stand_in_blocks--;
}

typedef struct tensor {
  void *data;
  int32_t type, id, dimensions;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t offset;
  void *context;
  void (*deleter)(struct tensor *self);
  int64_t room[2];
} tensor;

static void end_loan(tensor *self)
{
  bristle_cuda_release(self->context);
  free(self);
}
void *bristle_cuda_lend(bristle_cuda_block *block, size_t offset, int bits, int dimensions, const int64_t *shape)
{
  tensor *t = calloc(1, sizeof *t);
  *t = (tensor){ .data = (char *)block->data + offset, .type = 2, .id = block->device, .dimensions = dimensions };
  t->code = 2, t->bits = (uint8_t)bits, t->lanes = 1, t->shape = t->room, t->context = block, t->deleter = end_loan;
  for (int k = 0; k < dimensions; k++) t->room[k] = shape[k];
  block->holders++;
  return t;
}
void bristle_cuda_return(void *lent) { ((tensor *)lent)->deleter(lent); }

int bristle_cuda_use(int device, int *before)
{
  if (before) *before = 0;
  return device < stand_in_devices ? 0 : 101;
}
int bristle_cuda_copy(void *to, const void *from, size_t bytes, void *stream)
{
  (void)stream;
  memcpy(to, from, bytes);
  return 0;
}
int bristle_cuda_wait(void *stream)
{
  (void)stream;
  return 0;
}
int bristle_cuda_follow(void *stream, void *after)
{
  stand_in_follows++;
  return stream == after;
}

#define STEP(name, type, member, call)                                                               \
  int name(const bristle_law *law, bristle_cuda_build build, const type *b, void *stream)            \
  {                                                                                                  \
    stand_in_stream = stream, stand_in_build = build;                                                \
    if (stand_in_fail) return stand_in_fail;                                                         \
    law->member->call(b);                                                                            \
    return 0;                                                                                        \
  }
STEP(bristle_cuda_step_n, bristle_batch, f64, step_n)
STEP(bristle_cuda_eval_n, bristle_batch, f64, eval_n)
STEP(bristle_cuda_step_n_f32, bristle_batch_f32, f32, step_n)
STEP(bristle_cuda_eval_n_f32, bristle_batch_f32, f32, eval_n)

int bristle_cuda_march(const bristle_law *law, bristle_cuda_build build, const bristle_ensemble *e, void *stream)
{
  stand_in_stream = stream, stand_in_build = build;
  if (getenv("STAND_IN_FAIL")) return atoi(getenv("STAND_IN_FAIL"));
  bristle_ensemble_march(law, e);
  return stand_in_fail;
}
