/* Normal equations, block by block: fits without a block cost no pass over the data. */
#include "robot/gram.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

static const double NOTHING_NEW = 1e-11; /* of a column's square, beside those before it */

int gram_open(gram *g, int columns)
{
  const size_t wide = (size_t)columns + 1;
  *g = (gram){ .columns = columns, .wide = columns + 1 };
  g->block = calloc(GRAM_BLOCKS * wide * wide, sizeof *g->block);
  return !g->block;
}

void gram_close(gram *g)
{
  free(g->block);
  g->block = NULL;
}

static double *block_of(const gram *g, int block)
{
  return g->block + (size_t)block * (size_t)g->wide * (size_t)g->wide;
}

void gram_add(gram *g, int block, const double *row)
{
  double *m = block_of(g, block);
  g->rows[block]++;
  for (int i = 0; i < g->wide; i++, m += g->wide)
    for (int j = 0; j <= i; j++) m[j] += row[i] * row[j];
}

int gram_fold(int block)
{
  static const unsigned char order[] = { 2, 0, 3, 1, 1, 3, 0, 2, 3, 2, 1, 0 };
  return order[block % (int)sizeof order];
}

static void sum_blocks(const gram *g, int fold, int one, double *m)
{
  const size_t size = (size_t)g->wide * (size_t)g->wide;
  memset(m, 0, size * sizeof *m);
  for (int b = 0; b < GRAM_BLOCKS; b++) {
    if (b == one || (fold >= 0 && gram_fold(b) == fold)) continue;
    const double *from = block_of(g, b);
    for (size_t k = 0; k < size; k++) m[k] += from[k];
  }
}

/* Cholesky in place; a column that says nothing new gets a zero on the diagonal */
static void factor(double *m, int n, int wide)
{
  for (int k = 0; k < n; k++) {
    double *row = m + k * wide;
    const double whole = row[k];
    for (int j = 0; j < k; j++) {
      double sum = row[j];
      for (int i = 0; i < j; i++) sum -= row[i] * m[j * wide + i];
      row[j] = m[j * wide + j] > 0 ? sum / m[j * wide + j] : 0;
    }
    double rest = whole;
    for (int j = 0; j < k; j++) rest -= row[j] * row[j];
    row[k] = rest > NOTHING_NEW * whole ? sqrt(rest) : 0;
  }
}

void gram_solve(const gram *g, int without_fold, int without_block, double *x, double *work)
{
  const int n = g->columns, wide = g->wide;
  double *m = work;
  sum_blocks(g, without_fold, without_block, m);
  factor(m, n, wide);
  const double *right = m + n * wide;
  for (int k = 0; k < n; k++) {
    double sum = right[k];
    for (int j = 0; j < k; j++) sum -= m[k * wide + j] * x[j];
    x[k] = m[k * wide + k] > 0 ? sum / m[k * wide + k] : 0;
  }
  for (int k = n - 1; k >= 0; k--) {
    double sum = x[k];
    for (int j = k + 1; j < n; j++) sum -= m[j * wide + k] * x[j];
    x[k] = m[k * wide + k] > 0 ? sum / m[k * wide + k] : 0;
  }
}

double gram_left(const gram *g, int block, const double *x)
{
  const int n = g->columns, wide = g->wide;
  const double *m = block_of(g, block), *right = m + n * wide;
  double sum = right[n];
  for (int i = 0; i < n; i++) {
    const double *row = m + i * wide;
    double inner = row[i] * x[i];
    for (int j = 0; j < i; j++) inner += 2 * row[j] * x[j];
    sum += x[i] * (inner - 2 * right[i]);
  }
  return sum > 0 ? sum : 0;
}

double gram_held_out(const gram *g, double left[GRAM_BLOCKS], double *work)
{
  double total = 0, *x = work + g->wide * g->wide;
  for (int fold = 0; fold < GRAM_FOLDS; fold++) {
    gram_solve(g, fold, -1, x, work);
    for (int b = 0; b < GRAM_BLOCKS; b++)
      if (gram_fold(b) == fold) total += left[b] = gram_left(g, b, x);
  }
  return total;
}

void gram_jackknife(const gram *g, int count, double *deviation, double *covariance, double *work)
{
  const int n = g->columns, at = n - count;
  double *x = work + g->wide * g->wide, mean[64] = { 0 }, sum[64][64] = { { 0 } };
  int used = 0;
  for (int b = 0; b < GRAM_BLOCKS; b++) used += g->rows[b] > 0;
  for (int b = 0, pass = 0; pass < 2; b = 0, pass++)
    for (; b < GRAM_BLOCKS; b++) {
      if (!g->rows[b]) continue;
      gram_solve(g, -1, b, x, work);
      for (int i = 0; i < count; i++) {
        if (!pass) mean[i] += x[at + i] / used;
        else
          for (int j = 0; j <= i; j++) sum[i][j] += (x[at + i] - mean[i]) * (x[at + j] - mean[j]);
      }
    }
  const double factor_of = used > 1 ? (double)(used - 1) / used : HUGE_VAL;
  for (int i = 0; i < count; i++) {
    deviation[i] = sqrt(factor_of * sum[i][i]);
    for (int j = 0; covariance && j <= i; j++)
      covariance[i * count + j] = covariance[j * count + i] = factor_of * sum[i][j];
  }
}
