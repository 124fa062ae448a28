/* Any bytes as a table: the reader and the columns of what it read. */
#include "lab/io.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const bristle_wanted wanted[] = {
    { "t|time|#1", "s", 0 },
    { "v|velocity|#2", "m/s|rad/s", BRISTLE_GAPS },
    { "N|load|#3", "N", BRISTLE_OPTIONAL },
  };
  bristle_table *table;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  char *text = malloc(size), sentence[1000]; /* a copy without room behind it, so that every byte too far is seen */
  if (size) memcpy(text, data, size);
  if (bristle_table_parse("fuzz.csv", text, size, &table, &fault)) {
    bristle_fault_text(&fault, sentence, sizeof sentence);
    if (table || !fault.kind || !fault.what[0] || strpbrk(sentence, "\n\r")) abort();
  } else {
    volatile double seen; /* every number is read */
    for (size_t i = 0; i < table->columns; i++)
      for (size_t k = 0; k < table->rows; k++) seen = table->column[i].data[k];
    (void)seen;
    for (size_t k = 0; k < table->rows; k++)
      if (bristle_table_line(table, k) < k + 1) abort();
    for (int i = 0; i < 3; i++) {
      const bristle_column *column;
      bristle_fault_kind kind = bristle_table_pick(table, &wanted[i], &column, &fault);
      if (kind ? column != NULL : !column && !(wanted[i].flags & BRISTLE_OPTIONAL)) abort();
      if (column) bristle_table_check_increasing(table, column, &fault);
      bristle_fault_text(&fault, sentence, sizeof sentence);
    }
    if (table->rows == 0 || table->columns == 0) abort();
  }
  bristle_table_free(table);
  free(text);
  return 0;
}
