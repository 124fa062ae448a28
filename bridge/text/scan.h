/* Reading C text: comments, strings, names, brackets. */
#ifndef BRIDGE_SCAN_H
#define BRIDGE_SCAN_H

#include <stddef.h>

typedef struct buffer {
  char *text;
  size_t length, room;
  int failed; /* no memory */
} buffer;
void buffer_add(buffer *b, const char *text, size_t length);
void buffer_print(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* its text, or NULL when memory was short; belongs to the caller */
char *buffer_take(buffer *b);
/* A whole file, ended by a zero byte; `size` may be NULL. NULL: it cannot be read. Belongs to the caller. */
char *buffer_read(const char *path, size_t *size);

int is_name_character(char c);
size_t name_length(const char *at); /* 0 when no name begins here */
/* The end of the comment, string or character constant that begins here; `at` itself when none does. */
const char *skip_quoted(const char *at);
/* The end of the bracket that begins here, behind its partner. */
const char *skip_bracket(const char *at);

#endif
