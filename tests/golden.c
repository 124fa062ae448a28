/* One hash per law and precision over a fixed motion: the same bits for every compiler, optimisation level and
 * instruction set. Built without the harness so that it also runs as WebAssembly. */
#include "golden/hash.h"

#include <stdio.h>

#define BRISTLE_LAW(name)                                                                            \
  extern const bristle_model bristle_##name##_model;                                                 \
  extern const bristle_model_f32 bristle_##name##_model_f32;
#include "models/models.def"
#undef BRISTLE_LAW

int main(void)
{
#define BRISTLE_LAW(name)                                                                            \
  printf("%-17s f64 %016llx\n", #name, hash_f64(&bristle_##name##_model));                           \
  printf("%-17s f32 %016llx\n", #name, hash_f32(&bristle_##name##_model_f32));
#include "models/models.def"
  return 0;
}
