/* Rows come in blocks of any size and leave as sums and a triangle. Always cutting at the same rows makes the cost of a
   point the same bits whether or not derivatives are computed along with it. */
#include "fit/squares/rows.h"
#include "core/clones.h"

#include "maths/elementary.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

enum { LANES = ROWS_LANES, LARGE = 64 };

/* Squares of a column below this are none: the inverse of a smaller one would overflow. The tail of a filtered spike
   gets there. */
static const double NOTHING = 1e-280;
/* Sine squared of the angle between a column and those before it, below which rounding of their products shows. */
static const double CROWDED = 1e-6;

bristle_rows_want bristle_rows_wanted(const bristle_rows *rows) { return rows->want; }

void rows_begin(bristle_rows *rows, bristle_rows_want want, const int *column, int columns)
{
  size_t side = (size_t)columns + 1;
  rows->want = want;
  rows->column = column;
  rows->columns = columns;
  rows->rows = rows->filled = 0;
  rows->cost = rows->cost_rest = rows->squares = rows->squares_rest = 0;
  rows->influence = rows->influence_slope = 0;
  rows->bad = rows->summed = rows->reflected = 0;
  if (columns) memset(rows->triangle, 0, sizeof(double) * side * side);
}

/* ---- the triangle ---- */

typedef double lanes __attribute__((vector_size(8 * LANES), aligned(8), may_alias));

INLINE double total(const lanes *at)
{
  double sum[LANES];
  memcpy(sum, at, sizeof sum);
  return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

INLINE double dot(const double *a, const double *b, size_t count)
{
  lanes sum = { 0 };
  for (size_t i = 0; i < count; i += LANES) sum += *(const lanes *)(a + i) * *(const lanes *)(b + i);
  return total(&sum);
}

BRISTLE_CLONES static double sum_squares(const double *r, size_t count)
{
  lanes sum = { 0 }, other = { 0 }; /* `count` is a multiple of LANES */
  for (size_t i = 0; i + LANES < count; i += 2 * LANES) {
    sum += *(const lanes *)(r + i) * *(const lanes *)(r + i);
    other += *(const lanes *)(r + i + LANES) * *(const lanes *)(r + i + LANES);
  }
  if (count / LANES % 2) sum += *(const lanes *)(r + count - LANES) * *(const lanes *)(r + count - LANES);
  sum += other;
  return total(&sum);
}

/* Two at once: one running sum alone would wait for itself. */
INLINE void dot_two(const double *a, const double *b, const double *c, size_t count, double *with_b, double *with_c)
{
  lanes sum_b = { 0 }, sum_c = { 0 };
  for (size_t i = 0; i < count; i += LANES) {
    lanes x = *(const lanes *)(a + i);
    sum_b += x * *(const lanes *)(b + i);
    sum_c += x * *(const lanes *)(c + i);
  }
  *with_b = total(&sum_b), *with_c = total(&sum_c);
}

/* Takes `part` of v off a column and returns its dot with w, in one pass; w = NULL: with itself. */
INLINE double reflect(double *c, double part, const double *v, const double *w, size_t count)
{
  lanes sum = { 0 };
  for (size_t i = 0; i < count; i += LANES) {
    lanes rest = *(lanes *)(c + i) - part * *(const lanes *)(v + i);
    sum += rest * (w ? *(const lanes *)(w + i) : rest);
    *(lanes *)(c + i) = rest;
  }
  return total(&sum);
}

/* Two columns at once. */
INLINE void reflect_two(double *c, double *d, const double *part, const double *v, const double *w, size_t count,
                        double *along)
{
  const double part_c = part[0], part_d = part[1];
  lanes sum_c = { 0 }, sum_d = { 0 };
  for (size_t i = 0; i < count; i += LANES) {
    lanes away = *(const lanes *)(v + i), with = *(const lanes *)(w + i);
    lanes rest_c = *(lanes *)(c + i) - part_c * away, rest_d = *(lanes *)(d + i) - part_d * away;
    sum_c += rest_c * with;
    sum_d += rest_d * with;
    *(lanes *)(c + i) = rest_c;
    *(lanes *)(d + i) = rest_d;
  }
  along[0] = total(&sum_c), along[1] = total(&sum_d);
}

/* Folds a block, `count` a multiple of LANES, into the triangle: each reflection sends a column of the block into the
   triangle's diagonal. The block is used up. along[j] is the dot of column j with the column whose turn it is, made
   while the reflection before was at it. */
BRISTLE_CLONES static void fold(double *restrict triangle, double *restrict block, double *restrict along, int side,
                                size_t count)
{
  double *column[2], part[2];
  int j = 0;
  for (; j + 1 < side; j += 2)
    dot_two(block, block + (size_t)j * ROWS_STRIDE, block + (size_t)(j + 1) * ROWS_STRIDE, count, &along[j],
            &along[j + 1]);
  if (j < side) along[j] = dot(block, block + (size_t)j * ROWS_STRIDE, count);
  for (int k = 0; k < side; k++) {
    const double *v = block + (size_t)k * ROWS_STRIDE, *next = v + ROWS_STRIDE;
    double *row = triangle + k, pivot = row[(size_t)k * (size_t)side];
    const int none = along[k] < NOTHING;
    double length = sqrt(pivot * pivot + along[k]), image = none ? pivot : pivot > 0 ? -length : length;
    double first = pivot - image, factor = none ? 0 : 1 / (length * (length + fabs(pivot)));
    row[(size_t)k * (size_t)side] = image;
    for (j = k + 1; j < side;) { /* the next one alone, because the others need it; then in pairs */
      int several = j > k + 1 && j + 1 < side ? 2 : 1;
      for (int m = 0; m < several; m++) {
        double *top = row + (size_t)(j + m) * (size_t)side;
        part[m] = factor * (first * *top + along[j + m]);
        *top -= part[m] * first;
        column[m] = block + (size_t)(j + m) * ROWS_STRIDE;
      }
      if (several == 2) reflect_two(column[0], column[1], part, v, next, count, along + j);
      else along[j] = reflect(column[0], part[0], v, j == k + 1 ? NULL : next, count);
      j += several;
    }
  }
}

/* ---- products ---- */

size_t rows_products(int columns)
{
  size_t side = (size_t)columns + 1;
  return side <= ROWS_SUMMED ? LANES * side * side : 0;
}

/* The products of one column with several others. Their number is known wherever this is inlined: the sums stay in
   registers, and there are enough of them not to wait for each other. */
INLINE void add_several(lanes *to, const double *x, const double *const *with, int several, size_t count)
{
  lanes sum[LANES];
  for (int m = 0; m < several; m++) sum[m] = to[m];
  for (size_t i = 0; i < count; i += LANES) {
    const lanes factor = *(const lanes *)(x + i);
    _Pragma("GCC unroll 8") for (int m = 0; m < several; m++) sum[m] += factor * *(const lanes *)(with[m] + i);
  }
  for (int m = 0; m < several; m++) to[m] = sum[m];
}

/* all products of the last three columns */
INLINE void add_corner(lanes *to, const double *const *column, int side, size_t count)
{
  lanes xx = to[0], xy = to[1], xz = to[2], yy = to[side + 1], yz = to[side + 2], zz = to[2 * side + 2];
  for (size_t i = 0; i < count; i += LANES) {
    const lanes x = *(const lanes *)(column[0] + i), y = *(const lanes *)(column[1] + i);
    const lanes z = *(const lanes *)(column[2] + i);
    xx += x * x, xy += x * y, xz += x * z;
    yy += y * y, yz += y * z;
    zz += z * z;
  }
  to[0] = xx, to[1] = xy, to[2] = xz, to[side + 1] = yy, to[side + 2] = yz, to[2 * side + 2] = zz;
}

/* Adds the products of each column with itself and all after it; `count` is a multiple of LANES. */
BRISTLE_CLONES static void add_products(double *products, const double *const *column, int side, size_t count)
{
  const int corner = side < 3 ? side : side - 3; /* few sums would wait for themselves: the last ones go together */
  if (side >= 3) add_corner((lanes *)products + corner * (side + 1), column + corner, side, count);
  for (int k = 0; k < corner; k++) {
    lanes *row = (lanes *)products + k * side;
    for (int j = k; j < side; j += LANES) {
      const int several = side - j < LANES ? side - j : LANES;
      _Pragma("GCC unroll 8") for (int m = 1; m <= LANES; m++)
      {
        if (several == m) add_several(row + j, column[k], column + j, m, count);
      }
    }
  }
}

/* Brings the sums, as rows with the same products (Cholesky), to where the other rows wait to be reflected; 0 where
   columns are too much alike for that. */
static int unfold_products(bristle_rows *rows)
{
  const lanes *sum = (const lanes *)rows->products;
  const size_t columns = (size_t)rows->columns, side = columns + 1;
  for (size_t k = 0; k < side; k++)
    for (size_t j = k; j < side; j++) {
      double *top = rows->block + j * ROWS_STRIDE, *diagonal = rows->block + k * ROWS_STRIDE;
      double rest = total(sum + k * side + j);
      rest *= (k < columns ? rows->slope[rows->column[k]] : 1) * (j < columns ? rows->slope[rows->column[j]] : 1);
      const double whole = rest;
      for (size_t m = 0; m < k; m++) rest -= diagonal[m] * top[m];
      if (j > k) top[k] = diagonal[k] > 0 ? rest / diagonal[k] : 0;
      else if (k < columns && rest < CROWDED * whole) return 0;
      else top[k] = rest > NOTHING ? sqrt(rest) : 0;
    }
  for (size_t k = 0; k < side; k++) /* below the diagonal, and up to a whole register */
    for (size_t m = k + 1; m < side + LANES; m++) rows->block[k * ROWS_STRIDE + m] = 0;
  return 1;
}

/* ---- losses ---- */

/* rho and its first two derivatives by s = (r/scale)^2 */
static void loss_at(bristle_loss loss, double s, double rho[3])
{
  double root;
  rho[0] = s, rho[1] = 1, rho[2] = 0;
  switch (loss) {
  case BRISTLE_SQUARES:
    break;
  case BRISTLE_HUBER:
    if (s <= 1) break;
    root = sqrt(s);
    rho[0] = 2 * root - 1, rho[1] = 1 / root, rho[2] = -0.5 / (s * root);
    break;
  case BRISTLE_SOFT:
    root = sqrt(1 + s);
    rho[0] = 2 * s / (1 + root), rho[1] = 1 / root, rho[2] = -0.5 / ((1 + s) * root);
    break;
  case BRISTLE_CAUCHY:
    rho[0] = log1p(s), rho[1] = 1 / (1 + s), rho[2] = -rho[1] * rho[1];
    break;
  }
}

/* Sum plus what rounding loses: a million rows sum as exactly as ten. */
static void add_exactly(double *sum, double *rest, double term)
{
  double total = *sum + term;
  *rest += fabs(*sum) >= fabs(term) ? (*sum - total) + term : (term - total) + *sum;
  *sum = total;
}

/* Scales row i of the block so that its part of J'r is the gradient of the loss. The exact second derivative of the
   loss vanishes or turns negative for outliers; a tenth of the first one keeps J'J positive. */
static void soften(bristle_rows *rows, size_t i, const double rho[3], double s)
{
  double curvature = fmax(rho[1] + 2 * s * rho[2], 0.1 * rho[1]), root = sqrt(curvature);
  for (int j = 0; j < rows->columns; j++) rows->block[(size_t)j * ROWS_STRIDE + i] *= root;
  rows->block[(size_t)rows->columns * ROWS_STRIDE + i] *= rho[1] / root;
}

static double sum_losses(bristle_rows *rows, double *r, size_t count)
{
  double sum = 0, scale = rows->loss_scale;
  for (size_t i = 0; i < count; i++) {
    double s = (r[i] / scale) * (r[i] / scale), rho[3];
    loss_at(rows->loss, s, rho);
    sum += scale * scale * rho[0];
    rows->influence += rho[1] * r[i] * rho[1] * r[i];
    rows->influence_slope += rho[1] + 2 * s * rho[2];
    if (rows->columns && !rows->plain) soften(rows, i, rho, s);
  }
  return sum;
}

/* ---- blocks ---- */

static void flush(bristle_rows *rows)
{
  size_t count = rows->filled, padded = (count + LANES - 1) / LANES * LANES;
  double *r = rows->block + (size_t)rows->columns * ROWS_STRIDE;
  for (size_t j = 0; j <= (size_t)rows->columns; j++)
    for (size_t i = count; i < padded; i++) rows->block[j * ROWS_STRIDE + i] = 0;
  double squares = dot(r, r, padded);
  double losses = rows->loss == BRISTLE_SQUARES ? squares : sum_losses(rows, r, count);
  add_exactly(&rows->squares, &rows->squares_rest, squares);
  add_exactly(&rows->cost, &rows->cost_rest, 0.5 * losses);
  if (!isfinite(losses)) rows->bad = 1;
  else if (rows->columns) fold(rows->triangle, rows->block, rows->along, rows->columns + 1, padded);
  rows->reflected = 1;
  rows->rows += count;
  rows->filled = 0;
}

BRISTLE_CLONES static void scale(double *restrict to, const double *restrict from, double factor, size_t count)
{
  for (size_t i = 0; i < count; i++) to[i] = from[i] * factor;
}

/* `count` rows of the caller's block from `first` on, to the end of the buffer */
static void copy_rows(bristle_rows *rows, const bristle_block *b, size_t first, size_t count)
{
  size_t by_row = b->row_stride, by_column = b->column_stride;
  double *to = rows->block + rows->filled;
  if (!by_row && !by_column) by_row = (size_t)rows->unknowns, by_column = 1;
  for (int k = 0; k <= rows->columns; k++, to += ROWS_STRIDE) {
    if (k == rows->columns) {
      memcpy(to, b->residual + first, sizeof *to * count);
    } else {
      int unknown = rows->column[k];
      const double *from = b->jacobian + first * by_row + (size_t)unknown * by_column;
      double slope = rows->slope[unknown];
      if (by_row == 1) scale(to, from, slope, count);
      else
        for (size_t i = 0; i < count; i++) to[i] = from[i * by_row] * slope;
    }
    if (b->weight)
      for (size_t i = 0; i < count; i++) to[i] *= sqrt(b->weight[first + i]);
  }
}

int rows_sum(bristle_rows *rows, const bristle_block *b, size_t counted)
{
  const double *column[ROWS_SUMMED];
  const int suits = b->row_stride == 1 && !b->weight && b->count >= LARGE && b->count % LANES == 0;
  if (!suits || rows->careful || rows->loss != BRISTLE_SQUARES || rows->columns >= ROWS_SUMMED) return 0;
  double squares = sum_squares(b->residual, b->count);
  add_exactly(&rows->squares, &rows->squares_rest, squares);
  add_exactly(&rows->cost, &rows->cost_rest, 0.5 * squares);
  rows->rows += counted;
  if (!isfinite(squares)) rows->bad = 1;
  if (!rows->columns) return 1;
  if (!rows->summed) memset(rows->products, 0, sizeof(double) * rows_products(rows->columns));
  for (int k = 0; k < rows->columns; k++) column[k] = b->jacobian + (size_t)rows->column[k] * b->column_stride;
  column[rows->columns] = b->residual;
  add_products(rows->products, column, rows->columns + 1, b->count);
  rows->summed = 1;
  return 1;
}

void bristle_rows_add(bristle_rows *rows, const bristle_block *block)
{
  if (rows->columns && !block->jacobian && block->count) rows->bad = 1;
  if (rows->bad || rows_sum(rows, block, block->count)) return;
  for (size_t first = 0; first < block->count;) {
    size_t room = ROWS_BLOCK - rows->filled, left = block->count - first, count = left < room ? left : room;
    copy_rows(rows, block, first, count);
    rows->filled += count;
    first += count;
    if (rows->filled == ROWS_BLOCK) flush(rows);
  }
}

int rows_end(bristle_rows *rows)
{
  size_t side = (size_t)rows->columns + 1;
  if (rows->filled) flush(rows);
  rows->cost += rows->cost_rest;
  rows->squares += rows->squares_rest;
  if (!isfinite(rows->cost)) rows->bad = 1;
  if (rows->summed && !rows->bad) {
    if (!unfold_products(rows)) return rows->careful = 1;
    if (rows->reflected)
      fold(rows->triangle, rows->block, rows->along, rows->columns + 1, (side + LANES - 1) / LANES * LANES);
    else
      for (size_t k = 0; k < side; k++)
        memcpy(rows->triangle + k * side, rows->block + k * ROWS_STRIDE, sizeof *rows->triangle * side);
  }
  for (size_t i = 0; rows->columns && i < side * side; i++)
    if (!isfinite(rows->triangle[i])) rows->bad = 1;
  return 0;
}
