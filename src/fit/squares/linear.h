/* Small dense linear algebra for a few dozen unknowns; matrices are stored column after column. */
#ifndef BRISTLE_FIT_LINEAR_H
#define BRISTLE_FIT_LINEAR_H

#include <stddef.h>

/* Turns the rows x columns matrix into its upper triangle R (A = Q R) by reflections; what was below becomes 0. */
void linear_triangularise(double *a, int rows, int columns);

/* Length of a column without overflow. */
double linear_length(const double *a, int count);

/* The smallest |A x + b| within lo <= x <= hi, where lo <= 0 <= hi. */
typedef struct linear_bounded {
  int rows, columns;
  const double *a, *b, *lo, *hi;
  double *x;    /* out */
  int *at;      /* out: -1 held at lo, +1 at hi, 0 free */
  double *work; /* linear_bounded_work(rows, columns) numbers */
} linear_bounded;
size_t linear_bounded_work(int rows, int columns);
void linear_bounded_solve(const linear_bounded *problem);

/* A = U S V' of an n x n matrix, singular values falling: a becomes U S, v (n x n) holds V. One-sided Jacobi rotations:
   small singular values keep their relative accuracy when the columns are well scaled. */
void linear_singular(double *a, int n, double *v, double *s);

#endif
