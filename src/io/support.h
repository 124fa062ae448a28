/* What the readers share; not installed. */
#ifndef BRISTLE_IO_SUPPORT_H
#define BRISTLE_IO_SUPPORT_H

#include "lab/io.h"

#include <float.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

enum { EXCERPT = 48 };

/* a piece of a file for a message: at most 40 bytes, control characters and broken UTF-8 as \xNN, cut with ... */
const char *excerpt(const char *text, size_t length, char out[EXCERPT]);

/* days since 1970-01-01 of the calendar; 0: there is no such day */
int calendar_day(long year, long month, long day, long *days);

/* behind "row", "sample", "log": one of them, or more */
#define PLURAL(count) ((count) == 1 ? "" : "s")

/* Prints behind the `used` bytes that are there; returns how many are used then. What does not fit is cut off: the
   result is always below `size` and a NUL stands behind it. */
size_t text_append(char *text, size_t size, size_t used, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* fills the fault (which may be NULL) and returns its kind */
bristle_fault_kind fault_set(bristle_fault *fault, bristle_fault_kind kind, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bristle_fault_kind fault_vset(bristle_fault *fault, bristle_fault_kind kind, const char *hint, const char *format,
                              va_list args);
bristle_fault_kind fault_memory(bristle_fault *fault); /* there is not enough */
/* adds the place; returns the kind */
bristle_fault_kind fault_at(bristle_fault *fault, const char *file, size_t line, size_t column);

/* a piece of a text; belongs to the caller, NULL when there is no memory */
char *text_copy(const char *text, size_t length);

/* Reads a whole regular file; "-" is the standard input, which may be a pipe of up to 1 GiB. *text has a NUL after its
   end and belongs to the caller. */
bristle_fault_kind read_whole(const char *path, char **text, size_t *size, bristle_fault *fault);
/* The same of a file that this run may also write, such as a part of a result: nobody is told that it is read. */
bristle_fault_kind read_own(const char *path, char **text, size_t *size, bristle_fault *fault);

/* A path in a document is seen from the folder of that document; one that came from an option, which has no line, from
   where the program runs. Belongs to the caller; NULL when there is no memory. */
char *path_beside(const bristle_node *node, const char *path);

/* bristle_tree_put where no other option has given this value: of two, one would be lost without a word */
struct bristle_tree;
bristle_fault_kind tree_put_once(struct bristle_tree *tree, const char *name, const char *value, const char *place,
                                 bristle_fault *fault);

/* parameters by name over those that the friction has; its law, load form and rotary are given */
bristle_fault_kind friction_parameters(const bristle_node *map, bristle_friction *friction, bristle_fault *fault);

/* "100 N/mm" is 100 and "N/mm"; nonzero: no number */
int quantity_split(const char *text, double *value, char unit[32]);

/* ---- numbers ---- */

typedef struct decimal {
  uint64_t digits; /* the first 19 significant digits */
  int exponent;    /* value = digits * 10^exponent, unless digits were dropped */
  int negative, dropped;
} decimal;

/* the end of the number at `p`, or NULL when there is none */
const char *decimal_scan(const char *p, const char *end, char mark, decimal *d);
/* correctly rounded value of what was scanned between `text` and `end`, times 10^shift */
double decimal_value(const decimal *d, const char *text, const char *end, int shift);

/* The fewest digits that read back as a positive number: digits * 10^*exponent, the last of them not 0. 0 where
   integers cannot tell: far from 1, not finite. */
uint64_t number_digits(double magnitude, int *exponent);

/* the first two for the common case, inlined: up to 19 digits, no exponent */
static inline const char *decimal_scan_quickly(const char *text, const char *end, char mark, decimal *d)
{
  const char *p = text;
  uint64_t digits = 0;
  int negative = p < end && *p == '-', fraction = 0;
  p += negative;
  const char *start = p;
  for (; p < end && (unsigned char)(*p - '0') < 10; p++) digits = digits * 10 + (uint64_t)(*p - '0');
  long count = p - start;
  if (p < end && *p == mark) {
    start = ++p;
    for (; p < end && (unsigned char)(*p - '0') < 10; p++) digits = digits * 10 + (uint64_t)(*p - '0');
    fraction = (int)(p - start);
    count += p - start;
  }
  if (count == 0 || count > 19 || (p < end && (*p | 32) == 'e')) return decimal_scan(text, end, mark, d);
  *d = (decimal){ digits, -fraction, negative, 0 };
  return p;
}

static inline double decimal_value_quickly(const decimal *d, const char *text, const char *end, int shift)
{
#if FLT_EVAL_METHOD == 0
  static const double tens[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
  int exponent = d->exponent + shift;
  if (d->digits < (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22 && !d->dropped) { /* exact: one rounding */
    double value = (double)(int64_t)d->digits;
    value = exponent < 0 ? value / tens[-exponent] : value * tens[exponent];
    return d->negative ? -value : value;
  }
#endif
  return decimal_value(d, text, end, shift);
}

/* ---- tables that are written ---- */

/* a cell with a text: in quotes where it would be several cells or lines otherwise */
void table_text(FILE *out, const char *text);

/* ---- lists of words, "sum|max" ---- */

/* place of a word in the list, or -1 */
int word_find(const char *list, const char *word, size_t length);
/* the word at a place: its start; *length is 0 beyond the end */
const char *word_at(const char *list, int place, size_t *length);
/* place of the word with the fewest edits, or -1 when none is near */
int word_nearest(const char *list, const char *word, size_t length);

/* ---- units ---- */

/* is the unit, written as `shown`, one of the wanted ones? */
bristle_fault_kind unit_fits(const bristle_unit_scale *unit, const char *shown, const char *wanted, int *which,
                             bristle_fault *fault);

static inline double unit_apply(const bristle_unit_scale *unit, double shifted)
{
  return unit->numerator == 1 && unit->denominator == 1 ? shifted : shifted * unit->numerator / unit->denominator;
}

#endif
