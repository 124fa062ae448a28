/* Reading C text: comments, strings, names, brackets. */
#include "scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void buffer_add(buffer *b, const char *text, size_t length)
{
  if (b->length + length + 1 > b->room) {
    const size_t room = 2 * (b->length + length) + 256;
    char *larger = realloc(b->text, room);
    if (!larger) {
      b->failed = 1;
      return;
    }
    b->text = larger, b->room = room;
  }
  memcpy(b->text + b->length, text, length);
  b->length += length;
  b->text[b->length] = '\0';
}

void buffer_print(buffer *b, const char *format, ...)
{
  char text[4000];
  va_list args;
  va_start(args, format);
  const int length = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (length < 0 || (size_t)length >= sizeof text) b->failed = 1;
  else buffer_add(b, text, (size_t)length);
}

char *buffer_take(buffer *b)
{
  if (!b->text) buffer_add(b, "", 0);
  if (!b->failed) return b->text;
  free(b->text);
  return NULL;
}

char *buffer_read(const char *path, size_t *size)
{
  FILE *in = fopen(path, "rb");
  buffer b = { 0 };
  char part[4096];
  size_t length;
  if (!in) return NULL;
  while ((length = fread(part, 1, sizeof part, in))) buffer_add(&b, part, length);
  fclose(in);
  if (size) *size = b.length;
  return buffer_take(&b);
}

int is_name_character(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

size_t name_length(const char *at)
{
  size_t length = 0;
  if (*at >= '0' && *at <= '9') return 0;
  while (is_name_character(at[length])) length++;
  return length;
}

const char *skip_quoted(const char *at)
{
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (*at != '"' && *at != '\'') return at;
  const char quote = *at++;
  while (*at && *at != quote) at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at ? at + 1 : at;
}

const char *skip_bracket(const char *at)
{
  int depth = 0;
  while (*at) {
    const char *behind = skip_quoted(at);
    if (behind != at) {
      at = behind;
      continue;
    }
    depth += strchr("([{", *at) != NULL;
    depth -= strchr(")]}", *at) != NULL;
    at++;
    if (!depth) return at;
  }
  return at;
}
