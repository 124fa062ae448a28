#include "lines.h"

#include "io/support.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* bytes of a cell and of its digits at most; rows that are not worth a thread */
enum { CELL = 32, DIGITS = 24, THREADS = 16, FEW = 4096 };

/* digits of a number into a text of DIGITS bytes; how many */
static int write_digits(uint64_t rest, char *text)
{
  static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                              "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                              "8081828384858687888990919293949596979899";
  char backwards[2 * DIGITS];
  int at = DIGITS;
  for (; rest >= 100; rest /= 100) memcpy(backwards + (at -= 2), pairs + 2 * (rest % 100), 2);
  if (rest > 9) memcpy(backwards + (at -= 2), pairs + 2 * rest, 2);
  else backwards[--at] = (char)('0' + rest);
  memcpy(text, backwards + at,
         DIGITS); /* what comes behind them is not used: a length that is known is copied at once */
  return DIGITS - at;
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

static char *put_exponent(char *at, int power)
{
  const int size = abs(power);
  *at++ = 'e', *at++ = power < 0 ? '-' : '+';
  if (size > 99) *at++ = (char)('0' + size / 100);
  *at++ = (char)('0' + size / 10 % 10), *at++ = (char)('0' + size % 10);
  return at;
}

/* `whole` digits, a point, and what is left of `count` */
static char *put_parted(char *at, const char *digits, int count, int whole)
{
  memcpy(at, digits, DIGITS);
  if (count <= whole) return at + count;
  at[whole] = '.';
  memcpy(at + whole + 1, digits + whole, DIGITS);
  return at + count + 1;
}

/* As Python writes it: exponents from 1e16 on and below 1e-4, with two digits; a point in every other number. */
static char *put_real(char *at, double value)
{
  char text[2 * DIGITS];
  int exponent;
  if (value == 0 || !isfinite(value)) return put_special(at, value);
  uint64_t digits = number_digits(fabs(value), &exponent);
  if (!digits) digits = rare_digits(fabs(value), &exponent);
  const int count = write_digits(digits, text), first = exponent + count - 1; /* the power of the first */
  if (value < 0) *at++ = '-';
  if (first < -4 || first >= 16) return put_exponent(put_parted(at, text, count, 1), first);
  if (first < 0) {
    memcpy(at, "0.000", 5);
    at += 1 - first;
    memcpy(at, text, DIGITS);
    return at + count;
  }
  at = put_parted(at, text, count, first + 1);
  for (int i = count; i <= first; i++) *at++ = '0';
  if (count <= first + 1) *at++ = '.', *at++ = '0';
  return at;
}

static char *put_whole(char *at, int64_t value)
{
  if (value < 0) *at++ = '-';
  return at + write_digits(value < 0 ? -(uint64_t)value : (uint64_t)value, at);
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
  char *at = p->text.start = malloc((p->last - p->first) * p->columns * CELL + 2 * DIGITS);
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
