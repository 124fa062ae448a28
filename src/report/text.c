/* Text that grows, and the ways to put things into it: escaped, marked up, as JSON, as base64. */
#include "report/support.h"

#include "maths/elementary.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char *make_room(text *t, size_t more)
{
  if (t->failed) return NULL;
  if (more + 1 > t->room - t->used) {
    size_t room = t->room ? t->room : 256;
    while (room - t->used < more + 1 && room < SIZE_MAX / 2) room *= 2;
    char *larger = room - t->used > more ? realloc(t->data, room) : NULL;
    if (!larger) {
      t->failed = 1;
      return NULL;
    }
    t->data = larger;
    t->room = room;
  }
  return t->data + t->used;
}

void text_drop(text *t)
{
  free(t->data);
  *t = (text){ 0 };
}

void text_add(text *t, const char *piece, size_t length)
{
  char *end = make_room(t, length);
  if (!end) return;
  memcpy(end, piece, length);
  end[length] = '\0';
  t->used += length;
}

void text_print(text *t, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *end = length < 0 ? NULL : make_room(t, (size_t)length);
  if (!end) return;
  va_start(args, format);
  vsnprintf(end, (size_t)length + 1, format, args);
  va_end(args);
  t->used += (size_t)length;
}

/* the length of the UTF-8 character at `c`, or 0 when it is broken, a control character or a surrogate */
static size_t character(const char *c)
{
  const unsigned char *u = (const unsigned char *)c;
  if (u[0] < 0x80) return (u[0] >= 0x20 && u[0] != 0x7f) || u[0] == '\n' || u[0] == '\t';
  size_t length = u[0] >= 0xc2 && u[0] < 0xe0 ? 2 : (u[0] & 0xf0) == 0xe0 ? 3 : u[0] >= 0xf0 && u[0] < 0xf5 ? 4 : 0;
  for (size_t i = 1; i < length; i++)
    if ((u[i] & 0xc0) != 0x80) return 0;
  unsigned second = u[1];
  if ((u[0] == 0xe0 && second < 0xa0) || (u[0] == 0xed && second > 0x9f)) return 0;
  if ((u[0] == 0xf0 && second < 0x90) || (u[0] == 0xf4 && second > 0x8f)) return 0;
  if (u[0] == 0xc2 && second < 0xa0) return 0; /* control characters of Latin-1 */
  return length;
}

#define REPLACEMENT "\xef\xbf\xbd"

/* one character, escaped; returns its length in the source */
static size_t put_html(text *t, const char *c)
{
  size_t length = character(c);
  switch (*c) {
  case '&':
    text_print(t, "&amp;");
    break;
  case '<':
    text_print(t, "&lt;");
    break;
  case '>':
    text_print(t, "&gt;");
    break;
  case '"':
    text_print(t, "&quot;");
    break;
  case '\'':
    text_print(t, "&#39;");
    break;
  case '+': /* 12.3 +- 0.4: a page can show the sign */
    if (strncmp(c, "+- ", 3)) text_add(t, c, 1);
    else text_print(t, "\xc2\xb1"), length = 2;
    break;
  default:
    text_add(t, length ? c : REPLACEMENT, length ? length : 3);
  }
  return length ? length : 1;
}

static void put_html_until(text *t, const char *c, const char *end)
{
  while (c < end) c += put_html(t, c);
}

void text_html(text *t, const char *plain)
{
  if (plain) put_html_until(t, plain, plain + strlen(plain));
}

/* does the text begin with `open` and go on to a `close`? Then the element is written and its end returned. */
static const char *put_marked(text *t, const char *c, const char *open, char close, const char *element)
{
  size_t length = strlen(open);
  const char *end = strncmp(c, open, length) ? NULL : strchr(c + length, close);
  if (!end) return NULL;
  text_print(t, "<%s>", element);
  put_html_until(t, c + length, end);
  text_print(t, "</%s>", element);
  return end + 1;
}

void text_rich(text *t, const char *c)
{
  while (c && *c) {
    const char *next = put_marked(t, c, "`", '`', "code");
    if (!next) next = put_marked(t, c, "_{", '}', "sub");
    if (!next) next = put_marked(t, c, "^{", '}', "sup");
    c = next ? next : c + put_html(t, c);
  }
}

void text_json(text *t, const char *c)
{
  text_add(t, "\"", 1);
  while (c && *c) {
    size_t length = character(c);
    if (!length) text_add(t, REPLACEMENT, 3);
    else if (strchr("\"\\<>&\n\t", *c)) text_print(t, "\\u%04x", (unsigned)*c); /* < could end the script element */
    else text_add(t, c, length);
    c += length ? length : 1;
  }
  text_add(t, "\"", 1);
}

void text_number(text *t, double value)
{
  char digits[BRISTLE_NUMBER_SIZE];
  if (!isfinite(value)) text_print(t, "null");
  else text_add(t, digits, (size_t)bristle_number_write(value, digits));
}

void text_fixed(text *t, double value, int decimals)
{
  char digits[400];
  int length = snprintf(digits, sizeof digits, "%.*f", decimals, fabs(value));
  int whole = (int)strspn(digits, "0123456789"); /* then the decimal mark of the locale */
  int zero = strcspn(digits, "123456789") == (size_t)length;
  text_print(t, "%s%.*s", value < 0 && !zero ? "\xe2\x88\x92" : "", whole, digits);
  if (decimals) text_print(t, ".%s", digits + length - decimals);
}

void text_count(text *t, size_t count)
{
  if (count >= 1000) {
    text_count(t, count / 1000);
    text_print(t, "\xe2\x80\xaf%03zu", count % 1000); /* a narrow space that does not break */
  } else {
    text_print(t, "%zu", count);
  }
}

static uint64_t bits_of(double value, int as_float)
{
  uint64_t wide;
  uint32_t narrow;
  float rounded = (float)value;
  memcpy(&wide, &value, sizeof wide);
  memcpy(&narrow, &rounded, sizeof narrow);
  return as_float ? narrow : wide;
}

void text_base64(text *t, const double *values, size_t count, int as_float)
{
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t each = as_float ? 4 : 8, length = (count * each + 2) / 3 * 4;
  char *out = make_room(t, length);
  if (!out) return;
  uint32_t three = 0;
  int held = 0;
  for (size_t i = 0; i < count * each; i++) {
    three = three << 8 | (uint32_t)(bits_of(values[i / each], as_float) >> 8 * (i % each) & 0xff);
    if (++held < 3) continue;
    for (int k = 18; k >= 0; k -= 6) *out++ = letters[three >> k & 63];
    three = 0, held = 0;
  }
  if (held) {
    three <<= 8 * (3 - held);
    for (int k = 18; k >= 0; k -= 6) *out++ = 18 - k > 6 * held ? '=' : letters[three >> k & 63];
  }
  *out = '\0';
  t->used += length;
}
