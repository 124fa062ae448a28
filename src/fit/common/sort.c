/* Numbers in their order: of many, by eleven of their bits at a time, which takes a tenth of the time of comparisons.
 */
#include "fit/common/sort.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 256, BITS = 11, DIGITS = 6, EARLY = 3, VALUES = 1 << BITS }; /* digits from EARLY on mostly suffice */

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
static int count_digits(const double *number, size_t count, int first, uint32_t (*places)[VALUES])
{
  int ordered = 1;
  memset(places + first, 0, (size_t)(DIGITS - first) * sizeof *places);
  for (size_t i = 0; i < count; i++) {
    const uint64_t key = key_of(number[i]);
    ordered &= number[i] == number[i];
    for (int d = first; d < DIGITS; d++) places[d][digit_of(key, d)]++;
  }
  return !ordered;
}

/* By the digits from `first` on, the least important one first; numbers that agree in them keep their order. */
static void sort_by_digits(double *number, size_t count, int first, uint32_t (*places)[VALUES], double *other)
{
  double *from = number, *to = other;
  for (int d = first; d < DIGITS; d++) {
    uint32_t begin = 0, *place = places[d];
    if (place[digit_of(key_of(from[0]), d)] == count) continue; /* all alike */
    for (int k = 0; k < VALUES; k++) {
      const uint32_t here = place[k];
      place[k] = begin, begin += here;
    }
    for (size_t i = 0; i < count; i++) to[place[digit_of(key_of(from[i]), d)]++] = from[i];
    double *const swap = from;
    from = to, to = swap;
  }
  if (from != number) memcpy(number, from, count * sizeof *number);
}

/* Do the first three digits tell numbers apart? Of some of them no two may agree there and differ. */
static int differ_early(const double *number, size_t count)
{
  enum { SOME = 48 };
  uint64_t key[SOME];
  for (size_t i = 0; i < SOME; i++) key[i] = key_of(number[i * count / SOME]);
  for (int i = 0; i < SOME; i++)
    for (int k = 0; k < i; k++)
      if (key[i] != key[k] && key[i] >> BITS * EARLY == key[k] >> BITS * EARLY) return 0;
  return 1;
}

/* Numbers that are nearly in their order; 0 where they are not. */
static int settle(double *number, size_t count)
{
  size_t moves = 0;
  for (size_t i = 1; i < count && moves < 4 * count; i++) {
    const double x = number[i];
    size_t k = i;
    for (; k > 0 && number[k - 1] > x && moves < 4 * count; k--, moves++) number[k] = number[k - 1];
    number[k] = x;
  }
  return moves < 4 * count;
}

void sort_numbers(double *number, size_t count)
{
  uint32_t places[DIGITS][VALUES];
  double *other = count > FEW && count <= UINT32_MAX ? malloc(count * sizeof *other) : NULL;
  const int early = other && differ_early(number, count);
  if (!other || count_digits(number, count, early ? EARLY : 0, places)) {
    free(other);
    qsort(number, count, sizeof *number, compare);
    return;
  }
  sort_by_digits(number, count, early ? EARLY : 0, places, other);
  if (early && !settle(number, count)) {
    count_digits(number, count, 0, places);
    sort_by_digits(number, count, 0, places, other);
  }
  free(other);
}

/* Digit by digit from the first, which is sign and exponent: only numbers with the digits of the wanted one are kept.
 */
double sort_pick(double *number, size_t count, size_t place)
{
  static const struct {
    int shift, bits;
  } digit[] = { { 52, 12 }, { 41, 11 }, { 30, 11 }, { 19, 11 }, { 8, 11 }, { 0, 8 } };
  uint32_t many[2][1 << 12];
  int ordered = count <= UINT32_MAX; /* what is not a number has no place in an order */
  for (size_t i = 0; i < count; i++) ordered &= number[i] == number[i];
  if (!ordered) {
    qsort(number, count, sizeof *number, compare);
    return number[place];
  }
  for (size_t d = 0; d < sizeof digit / sizeof *digit && count > FEW; d++) {
    const int shift = digit[d].shift;
    const uint64_t mask = ((uint64_t)1 << digit[d].bits) - 1;
    size_t value = 0, kept = 0;
    memset(many[0], 0, (mask + 1) * sizeof **many);
    memset(many[1], 0, (mask + 1) * sizeof **many);
    for (size_t i = 0; i < count; i++) many[i & 1][key_of(number[i]) >> shift & mask]++; /* in turn: none waits */
    while (place >= many[0][value] + many[1][value]) place -= many[0][value] + many[1][value], value++;
    if (many[0][value] + many[1][value] == count) continue;
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
