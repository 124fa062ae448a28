/* Numbers in their order: of many, by eleven of their bits at a time, which takes a tenth of the time of comparisons.
 */
#include "fit/common/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 256, BITS = 11, DIGITS = 6, VALUES = 1 << BITS };

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

static uint32_t digit_of(uint64_t key, int digit) { return (uint32_t)(key >> BITS * digit) & (VALUES - 1); }

/* nonzero: one is not a number, which has no place in an order */
static int count_digits(const double *number, size_t count, uint32_t (*places)[VALUES])
{
  memset(places, 0, DIGITS * sizeof *places);
  for (size_t i = 0; i < count; i++) {
    const uint64_t key = key_of(number[i]);
    if (number[i] != number[i]) return 1;
    for (int d = 0; d < DIGITS; d++) places[d][digit_of(key, d)]++;
  }
  return 0;
}

void sort_numbers(double *number, size_t count)
{
  uint32_t places[DIGITS][VALUES];
  double *other = count > FEW && count <= UINT32_MAX ? malloc(count * sizeof *other) : NULL, *from = number,
         *to = other;
  if (!other || count_digits(number, count, places)) {
    free(other);
    qsort(number, count, sizeof *number, compare);
    return;
  }
  for (int d = 0; d < DIGITS; d++) {
    uint32_t first = 0, *place = places[d];
    if (place[digit_of(key_of(from[0]), d)] == count) continue; /* all alike */
    for (int k = 0; k < VALUES; k++) {
      const uint32_t here = place[k];
      place[k] = first, first += here;
    }
    for (size_t i = 0; i < count; i++) to[place[digit_of(key_of(from[i]), d)]++] = from[i];
    double *const swap = from;
    from = to, to = swap;
  }
  if (from != number) memcpy(number, from, count * sizeof *number);
  free(other);
}

/* Digit by digit from the first, which is sign and exponent: only numbers with the digits of the wanted one are kept.
 */
double sort_pick(double *number, size_t count, size_t place)
{
  static const struct {
    int shift, bits;
  } digit[] = { { 52, 12 }, { 41, 11 }, { 30, 11 }, { 19, 11 }, { 8, 11 }, { 0, 8 } };
  size_t many[1 << 12];
  for (size_t i = 0; i < count; i++)
    if (number[i] != number[i]) { /* it has no place in an order */
      qsort(number, count, sizeof *number, compare);
      return number[place];
    }
  for (size_t d = 0; d < sizeof digit / sizeof *digit && count > FEW; d++) {
    const int shift = digit[d].shift;
    const uint64_t mask = ((uint64_t)1 << digit[d].bits) - 1;
    size_t value = 0, kept = 0;
    memset(many, 0, (mask + 1) * sizeof *many);
    for (size_t i = 0; i < count; i++) many[key_of(number[i]) >> shift & mask]++;
    while (place >= many[value]) place -= many[value++];
    if (many[value] == count) continue;
    for (size_t i = 0; i < count; i++) {
      number[kept] = number[i];
      kept += (key_of(number[i]) >> shift & mask) == value;
    }
    count = kept;
  }
  if (count > FEW) return number[place]; /* all alike */
  qsort(number, count, sizeof *number, compare);
  return number[place];
}

void sort_by_key(double *row, double *key, int count, int width)
{
  for (int i = 1; i < count; i++)
    for (int k = i; k > 0 && key[k] < key[k - 1]; k--) {
      double keep = key[k], *a = row + (size_t)k * (size_t)width, *b = a - width;
      key[k] = key[k - 1], key[k - 1] = keep;
      for (int j = 0; j < width; j++) keep = a[j], a[j] = b[j], b[j] = keep;
    }
}
