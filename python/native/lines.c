#include "lines.h"

#include "io/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 32, THREADS = 16, FEW = 4096 }; /* bytes of a cell at most; rows that are not worth a thread */

/* digits of a number, last ones first; how many */
static int reverse_digits(uint64_t rest, char *reversed)
{
  int count = 0;
  for (; rest >= 100; rest /= 100) { /* two at a time: half as many divisions */
    const unsigned pair = (unsigned)(rest % 100);
    reversed[count++] = (char)('0' + pair % 10), reversed[count++] = (char)('0' + pair / 10);
  }
  reversed[count++] = (char)('0' + rest % 10);
  if (rest > 9) reversed[count++] = (char)('0' + rest / 10);
  return count;
}

/* the digits of what is far from 1, from the text of %.16e and its like */
static uint64_t rare_digits(double magnitude, int *exponent)
{
  char text[BRISTLE_NUMBER_SIZE];
  uint64_t digits = 0;
  int point = 0;
  const int length = bristle_number_write(magnitude, text);
  *exponent = 0;
  for (int i = 0; i < length; i++) {
    if (text[i] == '.') point = 1;
    else if (text[i] == 'e') {
      *exponent += atoi(text + i + 1);
      break;
    } else digits = digits * 10 + (uint64_t)(text[i] - '0'), *exponent -= point;
  }
  while (digits % 10 == 0) digits /= 10, ++*exponent;
  return digits;
}

static char *put_special(char *at, double value)
{
  const char *text = value == 0 ? "0.0" : "inf";
  if (value != value) return at;
  if (signbit(value)) *at++ = '-';
  memcpy(at, text, 3);
  return at + 3;
}

/* As Python writes it: exponents from 1e16 on and below 1e-4, with two digits; a point in every other number. */
static char *put_real(char *at, double value)
{
  char reversed[24];
  int exponent;
  if (value == 0 || !isfinite(value)) return put_special(at, value);
  uint64_t digits = number_digits(fabs(value), &exponent);
  if (!digits) digits = rare_digits(fabs(value), &exponent);
  const int count = reverse_digits(digits, reversed), first = exponent + count - 1; /* the power of the first */
  if (value < 0) *at++ = '-';
  if (first < -4 || first >= 16) {
    *at++ = reversed[count - 1];
    if (count > 1) *at++ = '.';
    for (int i = count - 2; i >= 0; i--) *at++ = reversed[i];
    const int power = abs(first);
    *at++ = 'e', *at++ = first < 0 ? '-' : '+';
    if (power > 99) *at++ = (char)('0' + power / 100);
    *at++ = (char)('0' + power / 10 % 10), *at++ = (char)('0' + power % 10);
    return at;
  }
  if (first < 0) {
    *at++ = '0', *at++ = '.';
    for (int i = -1; i > first; i--) *at++ = '0';
  }
  for (int i = 0; i < count; i++) {
    if (i && i == first + 1) *at++ = '.';
    *at++ = reversed[count - 1 - i];
  }
  for (int i = count; i <= first; i++) *at++ = '0';
  if (count <= first + 1) *at++ = '.', *at++ = '0';
  return at;
}

static char *put_whole(char *at, int64_t value)
{
  char reversed[24];
  int count = reverse_digits(value < 0 ? -(uint64_t)value : (uint64_t)value, reversed);
  if (value < 0) *at++ = '-';
  while (count) *at++ = reversed[--count];
  return at;
}

typedef struct part { /* the rows of one thread */
  size_t first, last, columns;
  const double *const *real;
  const int64_t *const *whole;
  bristle_lines text;
} part;

static void *write_part(void *context)
{
  part *p = context;
  char *at = p->text.start = malloc((p->last - p->first) * p->columns * CELL + 1);
  if (!at) return NULL;
  for (size_t i = p->first; i < p->last; i++)
    for (size_t j = 0; j < p->columns; j++) {
      at = p->real[j] ? put_real(at, p->real[j][i]) : put_whole(at, p->whole[j][i]);
      *at++ = j + 1 < p->columns ? ',' : '\n';
    }
  p->text.size = (size_t)(at - p->text.start);
  return NULL;
}

/* one text of all parts */
static int join(part *parts, int count, bristle_lines *text)
{
  size_t size = 0;
  int whole = 1;
  for (int k = 0; k < count; k++) size += parts[k].text.size, whole &= parts[k].text.start != NULL;
  char *start = whole ? realloc(parts[0].text.start, size + 1) : NULL;
  if (start) {
    *text = (bristle_lines){ start, parts[0].text.size };
    parts[0].text.start = NULL;
    for (int k = 1; k < count; k++) {
      memcpy(text->start + text->size, parts[k].text.start, parts[k].text.size);
      text->size += parts[k].text.size;
    }
  }
  for (int k = 0; k < count; k++) free(parts[k].text.start);
  return start != NULL;
}

int bristle_lines_write(size_t rows, size_t columns, const double *const *real, const int64_t *const *whole,
                        int threads, bristle_lines *text)
{
  part parts[THREADS];
  pthread_t thread[THREADS];
  int started[THREADS] = { 0 }, count = threads < 1 ? 1 : threads > THREADS ? THREADS : threads;
  if (rows < FEW) count = 1;
  for (int k = 0; k < count; k++) {
    const size_t first = rows * (size_t)k / (size_t)count, last = rows * ((size_t)k + 1) / (size_t)count;
    parts[k] = (part){ first, last, columns, real, whole, { NULL, 0 } };
    if (k) started[k] = !pthread_create(&thread[k], NULL, write_part, &parts[k]);
  }
  for (int k = 0; k < count; k++)
    if (!started[k]) write_part(&parts[k]);
  for (int k = 0; k < count; k++)
    if (started[k]) pthread_join(thread[k], NULL);
  return join(parts, count, text);
}

void bristle_lines_free(bristle_lines *text)
{
  free(text->start);
  *text = (bristle_lines){ NULL, 0 };
}
