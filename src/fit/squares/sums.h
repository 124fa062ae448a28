/* Sums of products of a few columns, from which least squares of any of them follow; not installed. */
#ifndef BRISTLE_FIT_SUMS_H
#define BRISTLE_FIT_SUMS_H

enum { SUMS_COLUMNS = 33, SUMS_BLOCKS = 24, SUMS_FOLDS = 4 };

typedef struct sums {
  double n;
  double matrix[SUMS_COLUMNS][SUMS_COLUMNS]; /* of the columns with each other; the lower half is filled */
  double right[SUMS_COLUMNS], square;        /* with the force, and of the force with itself */
  double rough[SUMS_COLUMNS], rough_square;  /* with the force before any filter */
} sums;

/* A set of columns: bit k is column k. */
typedef unsigned long long sums_set;

void sums_add_row(sums *s, int columns, const double *row, double force, double rough);
/* Takes all but what a column has to do with from sums of rows that differ in that column only. */
void sums_take_others(sums *to, const sums *from, int column);
/* Takes `factor` times a column off both forces. */
void sums_take_off(sums *s, int column, double factor);
/* x has 0 where a column is not in the set, or says nothing. Returns the sum of squares that is left. */
double sums_solve(const sums *s, sums_set set, double x[SUMS_COLUMNS]);
/* The sum of squares that x leaves of the force, or of the unfiltered one. */
double sums_left(const sums *s, const double x[SUMS_COLUMNS]);
double sums_left_rough(const sums *s, const double x[SUMS_COLUMNS]);
/* Mean square of what a column has of its own beside the others of the set. */
double sums_own_part(const sums *s, sums_set set, int column);

/* The same columns, block by block of the record. */
typedef struct sums_blocks {
  sums block[SUMS_BLOCKS];
} sums_blocks;
void sums_total(const sums_blocks *b, sums *total);
/* Which fold each block belongs to: shuffled, because folds in step with the motion would leave whole speeds or
   directions out. */
void sums_deal(int fold[SUMS_BLOCKS]);
/* Root mean square of blocks that the fit did not see, dealt into folds by a shuffle. */
double sums_held_out(const sums_blocks *b, sums_set set);
/* Covariance of the solution, from leaving out a block at a time: residuals that follow each other are in it. */
void sums_jackknife(const sums_blocks *b, sums_set set, double covariance[SUMS_COLUMNS][SUMS_COLUMNS]);
/* x' V^-1 x for some of the columns: how far from zero they are together. */
double sums_wald(const sums_blocks *b, sums_set set, sums_set tested);

#endif
