/* Numbers in their order: of many, byte by byte of their bits, which takes a tenth of the time of comparisons. */
#include "fit/common/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 256, BYTES = 8 };

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* whole numbers in the order of the numbers; both zeros are one */
static uint64_t key_of(double x)
{
  uint64_t bits;
  x += 0.0;
  memcpy(&bits, &x, sizeof bits);
  return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* nonzero: one is not a number, which has no place in an order */
static int count_bytes(const double *number, size_t count, size_t (*places)[256])
{
  memset(places, 0, BYTES * sizeof *places);
  for (size_t i = 0; i < count; i++) {
    const uint64_t key = key_of(number[i]);
    if (number[i] != number[i]) return 1;
    for (int b = 0; b < BYTES; b++) places[b][key >> 8 * b & 255]++;
  }
  return 0;
}

void sort_numbers(double *number, size_t count)
{
  size_t places[BYTES][256];
  double *other = count > FEW ? malloc(count * sizeof *other) : NULL, *from = number, *to = other;
  if (!other || count_bytes(number, count, places)) {
    free(other);
    qsort(number, count, sizeof *number, compare);
    return;
  }
  for (int b = 0; b < BYTES; b++) {
    size_t first = 0, *place = places[b];
    if (place[key_of(from[0]) >> 8 * b & 255] == count) continue; /* all alike */
    for (int k = 0; k < 256; k++) {
      const size_t here = place[k];
      place[k] = first, first += here;
    }
    for (size_t i = 0; i < count; i++) to[place[key_of(from[i]) >> 8 * b & 255]++] = from[i];
    double *const swap = from;
    from = to, to = swap;
  }
  if (from != number) memcpy(number, from, count * sizeof *number);
  free(other);
}
