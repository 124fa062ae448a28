/* Another device that marches the runs of a sweep: libbristle-cuda, loaded when it is asked for. */
#ifndef CLI_DEVICE_H
#define CLI_DEVICE_H

#include "bristle/cuda.h"

typedef struct device {
  void *library;
  int (*devices)(void);
  const char *(*error)(int error);
  const bristle_law *(*law)(const char *name);
  int (*new_block)(int device, size_t bytes, bristle_cuda_block **block);
  void *(*data)(const bristle_cuda_block *block);
  void (*release)(bristle_cuda_block *block);
  int (*copy)(void *to, const void *from, size_t bytes, void *stream);
  int (*wait)(void *stream);
  int (*march)(const bristle_law *law, bristle_cuda_build build, const bristle_ensemble *e, void *stream);
} device;

/* Loads it, or prints why not and returns an exit code. */
int device_find(device *d);
/* bristle_ensemble_march there; what stands in the caller's memory goes and comes back. Nonzero: `why` says what
 * failed. */
int device_march(const device *d, const bristle_law *law, const bristle_ensemble *e, char why[200]);

#endif
