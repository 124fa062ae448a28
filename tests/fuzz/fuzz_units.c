/* Any bytes as a number, a unit and a quantity. */
#include "lab/io.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = malloc(size), sentence[1000], written[BRISTLE_NUMBER_SIZE];
  bristle_unit_scale unit;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  double value = 7, back;
  int which;
  if (size) memcpy(text, data, size);
  if (!bristle_unit_read(text, size, &unit, &fault) && !(unit.numerator > 0 && unit.denominator > 0)) abort();
  if (bristle_quantity_read(text, size, "N|N*m|m/s|1", &value, &which, &fault)) {
    bristle_fault_text(&fault, sentence, sizeof sentence);
    if (value != 7 || !fault.what[0] || strpbrk(sentence, "\n\r")) abort();
  } else if (!isfinite(value)) {
    abort();
  }
  if (bristle_number_read(text, size, '.', 0, &value)) {
    int length = bristle_number_write(value, written);
    if (!bristle_number_read(written, (size_t)length, '.', 0, &back) || memcmp(&value, &back, sizeof value)) abort();
  }
  free(text);
  return 0;
}
