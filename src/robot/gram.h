/* Least squares from products of columns, block by block of the records; not installed. */
#ifndef BRISTLE_ROBOT_GRAM_H
#define BRISTLE_ROBOT_GRAM_H

#include <stddef.h>

enum { GRAM_BLOCKS = 48, GRAM_FOLDS = 4 };

/* `columns` columns and what they shall explain behind them; of each block the lower half of wide x wide products. */
typedef struct gram {
  int columns, wide; /* wide: columns + 1 */
  size_t rows[GRAM_BLOCKS];
  double *block; /* GRAM_BLOCKS times wide x wide */
} gram;

/* Nonzero: no memory. To be closed. */
int gram_open(gram *g, int columns);
void gram_close(gram *g);
/* row[columns] is what is to be explained */
void gram_add(gram *g, int block, const double *row);

/* The fold of each block: shuffled, so that no fold is in step with the motion. */
int gram_fold(int block);

/* Solutions of all blocks but those of a fold (-1: all of them), or but one block. x has 0 for a column that says
   nothing beside those before it. `work`: 2 wide x wide numbers. */
void gram_solve(const gram *g, int without_fold, int without_block, double *x, double *work);
/* The sum of squares that x leaves in a block. */
double gram_left(const gram *g, int block, const double *x);
/* What each block leaves of a solution that did not see it; returns the sum. */
double gram_held_out(const gram *g, double left[GRAM_BLOCKS], double *work);
/* Deviations of the last `count` columns from leaving out a block at a time; covariance (count x count) may be NULL. */
void gram_jackknife(const gram *g, int count, double *deviation, double *covariance, double *work);

#endif
