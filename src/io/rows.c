/* Tables and JSON that are written. Numbers have the fewest digits that read back as the same double. */
#include "io/support.h"

#include "maths/elementary.h"

#include <stdarg.h>

void bristle_rows_head(FILE *out, int count, const char *const *name, const char *const *unit)
{
  for (int i = 0; i < count; i++) fprintf(out, unit[i][0] ? "%s%s [%s]" : "%s%s", i ? "," : "", name[i], unit[i]);
  putc('\n', out);
}

int bristle_rows_write(FILE *out, int count, const double *values)
{
  char line[64 * BRISTLE_NUMBER_SIZE];
  for (int i = 0; i < count;) { /* in portions that fit */
    size_t used = 0;
    for (int k = 0; k < 63 && i < count; k++, i++) {
      used += (size_t)bristle_number_write(values[i], line + used);
      line[used++] = i + 1 < count ? ',' : '\n';
    }
    if (fwrite(line, 1, used, out) != used) return 0;
  }
  return 1;
}

static void put_text(FILE *out, const char *text)
{
  if (!text) {
    fputs("null", out);
    return;
  }
  putc('"', out);
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') fprintf(out, "\\%c", c);
    else if (c == '\n') fputs("\\n", out);
    else if (c < 0x20) fprintf(out, "\\u%04x", c);
    else putc(c, out);
  }
  putc('"', out);
}

static void put_number(FILE *out, double value)
{
  char text[BRISTLE_NUMBER_SIZE] = "null"; /* JSON has no infinities */
  if (isfinite(value)) bristle_number_write(value, text);
  fputs(text, out);
}

/* one conversion; returns what follows it, or NULL where nobody knows which argument it would take */
static const char *put_one(FILE *out, const char *at, va_list *args)
{
  switch (*at) {
  case 's':
    put_text(out, va_arg(*args, const char *));
    return at + 1;
  case 'g':
    put_number(out, va_arg(*args, double));
    return at + 1;
  case 'd':
    fprintf(out, "%d", va_arg(*args, int));
    return at + 1;
  case 'i':
    fputs(va_arg(*args, int) ? "true" : "false", out);
    return at + 1;
  case 'c': { /* nothing for 0: the comma before a first item */
    const int c = va_arg(*args, int);
    if (c) putc(c, out);
    return at + 1;
  }
  case 'z':
    if (at[1] != 'u') return NULL;
    fprintf(out, "%zu", va_arg(*args, size_t));
    return at + 2;
  case '%':
    putc('%', out);
    return at + 1;
  default:
    return NULL;
  }
}

void bristle_json_print(FILE *out, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  for (const char *at = format; *at;) {
    const char *next = *at == '%' ? put_one(out, at + 1, &args) : at + 1;
    if (!next) { /* a mistake of the caller that shows: no argument is read as something else */
      fputs(at, out);
      break;
    }
    if (*at != '%') putc(*at == '\'' ? '"' : *at, out);
    at = next;
  }
  va_end(args);
}

void table_text(FILE *out, const char *text)
{
  if (!strpbrk(text, ",\"\r\n") && *text != '#' && *text != ' ') {
    fputs(text, out);
    return;
  }
  putc('"', out);
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text == '\n' || *text == '\r' ? ' ' : *text, out); /* rows are lines for every reader of ours */
  }
  putc('"', out);
}

void bristle_json_texts(FILE *out, const char *first, size_t size, size_t count)
{
  putc('[', out);
  for (size_t i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    put_text(out, first + i * size);
  }
  putc(']', out);
}

void bristle_json_numbers(FILE *out, const double *value, size_t count)
{
  putc('[', out);
  for (size_t i = 0; i < count; i++) {
    if (i) fputs(", ", out);
    put_number(out, value[i]);
  }
  putc(']', out);
}
