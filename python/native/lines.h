/* Columns of numbers as the text of a CSV, to the byte as Python writes them. */
#ifndef BRISTLE_LINES_H
#define BRISTLE_LINES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef struct bristle_lines {
  char *start; /* freed by bristle_lines_free */
  size_t size;
} bristle_lines;

/* Lines of numbers: column j is real[j], or where that is NULL whole[j]. What is not a number is an empty cell. The
   rows are shared between up to `threads` threads. Returns 0 without memory. */
int bristle_lines_write(size_t rows, size_t columns, const double *const *real, const int64_t *const *whole,
                        int threads, bristle_lines *text);
void bristle_lines_free(bristle_lines *text);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
