/* Least squares from sums of products: quick enough to try hundreds of filters, terms and folds. */
#include "fit/squares/sums.h"
#include "maths/random.h"
#include "maths/elementary.h"

#include <string.h>

void sums_add_row(sums *s, int columns, const double *row, double force, double rough)
{
  s->n++;
  for (int i = 0; i < columns; i++) {
    for (int j = 0; j <= i; j++) s->matrix[i][j] += row[i] * row[j];
    s->right[i] += row[i] * force;
    s->rough[i] += row[i] * rough;
  }
  s->square += force * force;
  s->rough_square += rough * rough;
}

void sums_take_others(sums *to, const sums *from, int column)
{
  double row[SUMS_COLUMNS], below[SUMS_COLUMNS];
  const double right = to->right[column], rough = to->rough[column];
  memcpy(row, to->matrix[column], sizeof row);
  for (int i = column + 1; i < SUMS_COLUMNS; i++) below[i] = to->matrix[i][column];
  *to = *from;
  memcpy(to->matrix[column], row, sizeof row);
  for (int i = column + 1; i < SUMS_COLUMNS; i++) to->matrix[i][column] = below[i];
  to->right[column] = right;
  to->rough[column] = rough;
}

static void sums_add(sums *to, const sums *from, double factor)
{
  to->n += factor * from->n;
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    for (int j = 0; j <= i; j++) to->matrix[i][j] += factor * from->matrix[i][j];
    to->right[i] += factor * from->right[i];
    to->rough[i] += factor * from->rough[i];
  }
  to->square += factor * from->square;
  to->rough_square += factor * from->rough_square;
}

static double product(const sums *s, int i, int j) { return i > j ? s->matrix[i][j] : s->matrix[j][i]; }

void sums_take_off(sums *s, int column, double factor)
{
  const double own = s->matrix[column][column];
  s->square += factor * (factor * own - 2 * s->right[column]);
  s->rough_square += factor * (factor * own - 2 * s->rough[column]);
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    s->right[i] -= factor * product(s, i, column);
    s->rough[i] -= factor * product(s, i, column);
  }
}

/* Cholesky of the columns brought to length 1; a column that hardly differs from those before it is left out. */
typedef struct factors {
  int count, column[SUMS_COLUMNS];
  double length[SUMS_COLUMNS], lower[SUMS_COLUMNS][SUMS_COLUMNS];
} factors;

static void factorise(const sums *s, sums_set set, factors *f)
{
  f->count = 0;
  for (int c = 0; c < SUMS_COLUMNS; c++) {
    if (!(set >> c & 1) || !(s->matrix[c][c] > 0)) continue;
    const int i = f->count;
    double rest = 1, *row = f->lower[i];
    f->length[i] = sqrt(s->matrix[c][c]);
    for (int j = 0; j < i; j++) {
      double sum = product(s, c, f->column[j]) / (f->length[i] * f->length[j]);
      for (int k = 0; k < j; k++) sum -= row[k] * f->lower[j][k];
      row[j] = sum / f->lower[j][j];
      rest -= row[j] * row[j];
    }
    if (rest < 1e-10) continue;
    row[i] = sqrt(rest);
    f->column[f->count++] = c;
  }
}

double sums_solve(const sums *s, sums_set set, double x[SUMS_COLUMNS])
{
  factors f;
  double y[SUMS_COLUMNS], left = s->square;
  memset(x, 0, sizeof *x * SUMS_COLUMNS);
  factorise(s, set, &f);
  for (int i = 0; i < f.count; i++) {
    y[i] = s->right[f.column[i]] / f.length[i];
    for (int k = 0; k < i; k++) y[i] -= f.lower[i][k] * y[k];
    y[i] /= f.lower[i][i];
    left -= y[i] * y[i];
  }
  for (int i = f.count - 1; i >= 0; i--) {
    for (int k = i + 1; k < f.count; k++) y[i] -= f.lower[k][i] * y[k];
    y[i] /= f.lower[i][i];
  }
  for (int i = 0; i < f.count; i++) x[f.column[i]] = y[i] / f.length[i];
  return fmax(left, 0);
}

static double left_of(const sums *s, const double *right, double square, const double *x)
{
  double left = square;
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    if (x[i] == 0) continue;
    left -= 2 * x[i] * right[i];
    for (int j = 0; j < SUMS_COLUMNS; j++) left += x[i] * x[j] * product(s, i, j);
  }
  return fmax(left, 0);
}

double sums_left(const sums *s, const double x[SUMS_COLUMNS]) { return left_of(s, s->right, s->square, x); }
double sums_left_rough(const sums *s, const double x[SUMS_COLUMNS]) { return left_of(s, s->rough, s->rough_square, x); }

double sums_own_part(const sums *s, sums_set set, int column)
{
  sums other = *s;
  double x[SUMS_COLUMNS];
  for (int i = 0; i < SUMS_COLUMNS; i++) other.right[i] = product(s, i, column);
  other.square = s->matrix[column][column];
  return s->n > 0 ? sums_solve(&other, set & ~((sums_set)1 << column), x) / s->n : 0;
}

/* ---- blocks ---- */

void sums_total(const sums_blocks *b, sums *total)
{
  memset(total, 0, sizeof *total);
  for (int k = 0; k < SUMS_BLOCKS; k++) sums_add(total, &b->block[k], 1);
}

void sums_deal(int fold[SUMS_BLOCKS])
{
  random_state random = random_start(24);
  for (int k = 0; k < SUMS_BLOCKS; k++) fold[k] = k % SUMS_FOLDS;
  for (int k = SUMS_BLOCKS - 1; k > 0; k--) {
    const int other = (int)(random_part(&random) * (k + 1)), keep = fold[k];
    fold[k] = fold[other], fold[other] = keep;
  }
}

double sums_held_out(const sums_blocks *b, sums_set set)
{
  sums total;
  int fold[SUMS_BLOCKS];
  double squares = 0;
  sums_deal(fold);
  sums_total(b, &total);
  for (int f = 0; f < SUMS_FOLDS; f++) {
    sums seen = total, unseen = { 0 };
    double x[SUMS_COLUMNS];
    for (int k = 0; k < SUMS_BLOCKS; k++)
      if (fold[k] == f) sums_add(&seen, &b->block[k], -1), sums_add(&unseen, &b->block[k], 1);
    sums_solve(&seen, set, x);
    squares += sums_left(&unseen, x);
  }
  return total.n > 0 ? sqrt(squares / total.n) : 0;
}

void sums_jackknife(const sums_blocks *b, sums_set set, double covariance[SUMS_COLUMNS][SUMS_COLUMNS])
{
  sums total;
  double x[SUMS_BLOCKS][SUMS_COLUMNS], mean[SUMS_COLUMNS] = { 0 };
  int used = 0;
  sums_total(b, &total);
  for (int k = 0; k < SUMS_BLOCKS; k++) {
    if (!(b->block[k].n > 0)) continue;
    sums rest = total;
    sums_add(&rest, &b->block[k], -1);
    sums_solve(&rest, set, x[used]);
    for (int i = 0; i < SUMS_COLUMNS; i++) mean[i] += x[used][i];
    used++;
  }
  memset(covariance, 0, sizeof(double) * SUMS_COLUMNS * SUMS_COLUMNS);
  for (int k = 0; k < used; k++)
    for (int i = 0; i < SUMS_COLUMNS; i++)
      for (int j = 0; j < SUMS_COLUMNS; j++)
        covariance[i][j] += (x[k][i] - mean[i] / used) * (x[k][j] - mean[j] / used) * (used - 1.0) / used;
}

double sums_wald(const sums_blocks *b, sums_set set, sums_set tested)
{
  sums total, distance = { .n = 1 };
  double x[SUMS_COLUMNS], v[SUMS_COLUMNS][SUMS_COLUMNS], y[SUMS_COLUMNS];
  sums_total(b, &total);
  sums_solve(&total, set, x);
  sums_jackknife(b, set, v);
  for (int i = 0; i < SUMS_COLUMNS; i++) {
    for (int j = 0; j <= i; j++) distance.matrix[i][j] = v[i][j];
    distance.right[i] = x[i];
  }
  sums_solve(&distance, tested, y); /* V^-1 x */
  double sum = 0;
  for (int i = 0; i < SUMS_COLUMNS; i++)
    if (tested >> i & 1) sum += x[i] * y[i];
  return sum;
}
