/* Numbers in their order. */
#ifndef BRISTLE_FIT_SORT_H
#define BRISTLE_FIT_SORT_H

#include <stdlib.h>

static inline int sort_compare(const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static inline void sort_numbers(double *number, size_t count) { qsort(number, count, sizeof *number, sort_compare); }

#endif
