/* Memory that is given back all at once; not installed. */
#ifndef BRISTLE_IO_MEMORY_H
#define BRISTLE_IO_MEMORY_H

#include <stddef.h>

typedef struct memory memory;

/* `size` bytes, zero; NULL when there are none left. */
void *memory_take(memory **list, size_t size);
void memory_free(memory *list);
/* One of them before the others; what the list does not have (and NULL) stays as it is. */
void memory_give(memory **list, const void *data);

#endif
