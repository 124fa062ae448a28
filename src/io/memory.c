#include "io/memory.h"

#include <stdint.h>
#include <stdlib.h>

struct memory {
  struct memory *next;
  max_align_t data[];
};

void *memory_take(memory **list, size_t size)
{
  memory *block = size < SIZE_MAX / 2 ? calloc(1, sizeof *block + size) : NULL;
  if (!block) return NULL;
  block->next = *list;
  *list = block;
  return block->data;
}

void memory_give(memory **list, const void *data)
{
  while (*list && (*list)->data != data) list = &(*list)->next;
  memory *block = *list;
  if (!block) return;
  *list = block->next;
  free(block);
}

void memory_free(memory *list)
{
  while (list) {
    memory *next = list->next;
    free(list);
    list = next;
  }
}
