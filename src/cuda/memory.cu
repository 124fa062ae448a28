/* Memory on a device for callers without a CUDA runtime of their own, counted by its holders and lent through DLPack. */
#include "bristle/cuda.h"

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <new>

struct bristle_cuda_block {
  void *data;
  int device;
  std::atomic<int> holders;
};

namespace {

/* ---- DLPack 0.8, as its specification lays it out ---- */

enum { DL_FLOAT = 2, DL_CUDA = 2, DIMENSIONS = 2 };

struct dl_device {
  int32_t type, id;
};
struct dl_type {
  uint8_t code, bits;
  uint16_t lanes;
};
struct dl_tensor {
  void *data;
  dl_device device;
  int32_t dimensions;
  dl_type type;
  int64_t *shape, *strides;
  uint64_t offset;
};
struct dl_managed {
  dl_tensor tensor;
  void *context;
  void (*deleter)(dl_managed *self);
};

/* a tensor with the room for its shape; `whole` comes first, so that both have one address */
struct loan {
  dl_managed whole;
  int64_t shape[DIMENSIONS];
};

void end_loan(dl_managed *self)
{
  bristle_cuda_release((bristle_cuda_block *)self->context);
  delete (loan *)self;
}

/* the device of the thread while one of these is there */
struct using_device {
  int before;
  explicit using_device(int device) : before(-1)
  {
    if (cudaGetDevice(&before) == cudaSuccess && before != device) cudaSetDevice(device);
  }
  ~using_device()
  {
    if (before >= 0) cudaSetDevice(before);
  }
};

} // namespace

extern "C" int bristle_cuda_new(int device, size_t bytes, bristle_cuda_block **block)
{
  const using_device now(device);
  bristle_cuda_block *made = new (std::nothrow) bristle_cuda_block{ nullptr, device, { 1 } };
  *block = made;
  if (!made) return (int)cudaErrorMemoryAllocation;
  const cudaError_t error = cudaMalloc(&made->data, bytes ? bytes : 1);
  if (error == cudaSuccess) return 0;
  cudaGetLastError(); /* or the next call would report it once more */
  delete made;
  *block = nullptr;
  return (int)error;
}

extern "C" void *bristle_cuda_data(const bristle_cuda_block *block) { return block->data; }

extern "C" void bristle_cuda_release(bristle_cuda_block *block)
{
  if (!block || block->holders.fetch_sub(1) != 1) return;
  {
    const using_device now(block->device);
    cudaFree(block->data);
  }
  delete block;
}

extern "C" void *bristle_cuda_lend(bristle_cuda_block *block, size_t offset, int bits, int dimensions, const int64_t *shape)
{
  loan *made = dimensions <= DIMENSIONS ? new (std::nothrow) loan : nullptr;
  if (!made) return nullptr;
  for (int k = 0; k < dimensions; k++) made->shape[k] = shape[k];
  made->whole = { { (char *)block->data + offset, { DL_CUDA, block->device }, dimensions,
                    { DL_FLOAT, (uint8_t)bits, 1 }, made->shape, nullptr, 0 },
                  block, end_loan };
  block->holders.fetch_add(1);
  return &made->whole;
}

extern "C" void bristle_cuda_return(void *lent)
{
  dl_managed *self = (dl_managed *)lent;
  if (self && self->deleter) self->deleter(self);
}

extern "C" int bristle_cuda_use(int device, int *before)
{
  const cudaError_t error = before ? cudaGetDevice(before) : cudaSuccess;
  return (int)(error == cudaSuccess ? cudaSetDevice(device) : error);
}

extern "C" int bristle_cuda_copy(void *to, const void *from, size_t bytes, void *stream)
{
  return (int)cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, (cudaStream_t)stream);
}

extern "C" int bristle_cuda_wait(void *stream) { return (int)cudaStreamSynchronize((cudaStream_t)stream); }

extern "C" int bristle_cuda_follow(void *stream, void *after)
{
  cudaEvent_t reached;
  cudaError_t error = cudaEventCreateWithFlags(&reached, cudaEventDisableTiming);
  if (error != cudaSuccess) return (int)error;
  error = cudaEventRecord(reached, (cudaStream_t)after);
  if (error == cudaSuccess) error = cudaStreamWaitEvent((cudaStream_t)stream, reached, 0);
  cudaEventDestroy(reached);
  return (int)error;
}
