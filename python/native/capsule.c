#include "capsule.h"

/* the end of DLPack's DLManagedTensor, behind its DLTensor of 48 bytes */
typedef struct managed {
  char tensor[48];
  void *context;
  void (*deleter)(struct managed *self);
} managed;

static int (*valid)(void *capsule, const char *name);
static void *(*content)(void *capsule, const char *name);

void bristle_capsule_interpreter(int (*is_valid)(void *capsule, const char *name),
                                 void *(*pointer)(void *capsule, const char *name))
{
  valid = is_valid;
  content = pointer;
}

void bristle_capsule_end(void *capsule)
{
  if (!valid(capsule, "dltensor")) return;
  managed *tensor = content(capsule, "dltensor");
  if (tensor->deleter) tensor->deleter(tensor);
}
