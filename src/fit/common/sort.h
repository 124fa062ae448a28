/* Numbers in their order. */
#ifndef BRISTLE_FIT_SORT_H
#define BRISTLE_FIT_SORT_H

#include <stddef.h>

/* Smaller ones first; equal ones stay as they were. */
void sort_numbers(double *number, size_t count);

#endif
