/* The receiving end of bristle_rows_add: sums the cost and folds the rows into a triangle. */
#ifndef BRISTLE_FIT_ROWS_H
#define BRISTLE_FIT_ROWS_H

#include "lab/fit.h"

/* 256 rows of ten columns stay in the first cache. Columns a power of two apart would make a processor take a load from
   one for a load of what was just stored to another. */
enum { ROWS_BLOCK = 256, ROWS_STRIDE = ROWS_BLOCK + 8 };
/* running sums of a product of columns; the most columns whose products are summed */
enum { ROWS_LANES = 8, ROWS_SUMMED = 32 };

struct bristle_rows {
  int unknowns;
  const int *column;   /* the unknowns whose derivatives are wanted, in the triangle's order */
  int columns;         /* how many */
  const double *slope; /* dp/du of each unknown, u being what the search varies */
  bristle_rows_want want;
  bristle_loss loss;
  double loss_scale;
  int plain; /* leave the loss out of the triangle (but not out of the sums) */

  /* R of [J r], (columns + 1) x (columns + 1), column after column. For a robust loss J and r are scaled such that
     J'r is the gradient of the cost and J'J a positive approximation of its Hessian. */
  double *triangle;
  size_t rows;
  double cost, squares;
  double influence, influence_slope; /* sums of psi^2 and of dpsi/dr, psi = d(loss)/dr */
  int bad;                           /* something was not finite, or missing */
  int careful; /* reflect all rows; if not, the products of the columns of large blocks may be summed instead */

  /* private */
  double cost_rest, squares_rest; /* what the sums have rounded away */
  size_t filled;
  double *block;    /* (columns + 1) x ROWS_STRIDE */
  double *along;    /* columns + 1 */
  int reflected;    /* some rows are in the triangle */
  int summed;       /* some rows are in `products`, not yet in the triangle */
  double *products; /* of each pair of columns, rows_products(columns) in all */
};

/* `columns` may be 0: then only the sums are made. */
void rows_begin(bristle_rows *rows, bristle_rows_want want, const int *column, int columns);
/* Summing products squares the condition of the columns. Returns 1 where that was too much: all rows must be given once
   more, and now (and for ever) `careful` is set. */
int rows_end(bristle_rows *rows);
size_t rows_products(int columns);
/* What bristle_rows_add does with a large block of which `counted` rows are rows and the others zero; 0 where it would
   rather not. */
int rows_sum(bristle_rows *rows, const bristle_block *block, size_t counted);

#endif
