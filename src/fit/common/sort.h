/* Numbers in their order. */
#ifndef BRISTLE_FIT_SORT_H
#define BRISTLE_FIT_SORT_H

#include <stddef.h>

/* Smaller ones first; equal ones stay as they were. */
void sort_numbers(double *number, size_t count);
/* The number that would stand at `place` then, in a fraction of the time; what is left of the numbers is of no use. */
double sort_pick(double *number, size_t count, size_t place);
/* Rows of `width` numbers, those with the smaller keys first; equal ones stay as they were. */
void sort_by_key(double *row, double *key, int count, int width);

#endif
