/* Any bytes behind the head of a MAT-file. */
#include "lab/io.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  enum { HEAD = 128 };
  bristle_table *table;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  char *text = malloc(HEAD + size), sentence[1000];
  memset(text, ' ', HEAD);
  memcpy(text, "MATLAB 5.0 MAT-file", 19);
  memcpy(text + HEAD - 4, "\0\1IM", 4);
  if (size) memcpy(text + HEAD, data, size);
  if (bristle_table_parse("fuzz.mat", text, HEAD + size, &table, &fault)) {
    bristle_fault_text(&fault, sentence, sizeof sentence);
    if (table || !fault.what[0] || strpbrk(sentence, "\n\r")) abort();
  } else {
    volatile double seen = 0; /* every number is read */
    for (size_t i = 0; i < table->columns; i++)
      for (size_t k = 0; k < table->rows; k++) seen = table->column[i].data[k];
    (void)seen;
    if (!table->rows || !table->columns) abort();
  }
  bristle_table_free(table);
  free(text);
  return 0;
}
