/* Reflections, a bounded linear least-squares problem by an active set, and singular values by rotations. */
#include "fit/squares/linear.h"

#include "maths/elementary.h"

#include <float.h>
#include <string.h>

double linear_length(const double *a, int count)
{
  double largest = 0, sum = 0;
  for (int i = 0; i < count; i++) largest = fabs(a[i]) > largest ? fabs(a[i]) : largest;
  if (largest == 0 || !isfinite(largest)) return largest;
  for (int i = 0; i < count; i++) sum += (a[i] / largest) * (a[i] / largest);
  return largest * sqrt(sum);
}

void linear_triangularise(double *a, int rows, int columns)
{
  for (int k = 0; k < columns && k < rows; k++) {
    double *v = a + (size_t)k * (size_t)rows, length = linear_length(v + k, rows - k);
    if (length == 0) continue;
    double pivot = v[k], image = pivot > 0 ? -length : length;
    v[k] = pivot - image;
    for (int i = k; i < rows; i++) v[i] /= length; /* scaled, so that the products below cannot overflow */
    double factor = 1 / (1 + fabs(pivot) / length);
    for (int j = k + 1; j < columns; j++) {
      double *c = a + (size_t)j * (size_t)rows, along = 0;
      for (int i = k; i < rows; i++) along += v[i] * c[i];
      along *= factor;
      for (int i = k; i < rows; i++) c[i] -= along * v[i];
    }
    v[k] = image;
    for (int i = k + 1; i < rows; i++) v[i] = 0;
  }
}

/* ---- bounds ---- */

size_t linear_bounded_work(int rows, int columns) { return (size_t)rows * (size_t)(columns + 2) + 2 * (size_t)columns; }

/* residual A x + b */
static void residual_of(const linear_bounded *l, double *residual)
{
  memcpy(residual, l->b, sizeof *residual * (size_t)l->rows);
  for (int j = 0; j < l->columns; j++)
    for (int i = 0; i < l->rows; i++) residual[i] += l->a[(size_t)j * (size_t)l->rows + (size_t)i] * l->x[j];
}

static double slope_along(const linear_bounded *l, const double *residual, int j)
{
  double sum = 0;
  for (int i = 0; i < l->rows; i++) sum += l->a[(size_t)j * (size_t)l->rows + (size_t)i] * residual[i];
  return sum;
}

/* The minimiser over the free unknowns, the others staying where they are: its change is written to `change`. A column
   that depends on those before it does not move. */
static void solve_free(const linear_bounded *l, double *change, double *matrix, double *residual)
{
  size_t rows = (size_t)l->rows;
  int free = 0;
  for (int j = 0; j < l->columns; j++)
    if (!l->at[j]) memcpy(matrix + rows * (size_t)free++, l->a + rows * (size_t)j, sizeof *matrix * rows);
  residual_of(l, residual);
  memcpy(matrix + rows * (size_t)free, residual, sizeof *matrix * rows);
  linear_triangularise(matrix, l->rows, free + 1);
  const double *right = matrix + rows * (size_t)free;
  for (int j = l->columns - 1, k = free; j >= 0; j--) {
    change[j] = 0;
    if (l->at[j]) continue;
    k--;
    double pivot = k < l->rows ? matrix[rows * (size_t)k + (size_t)k] : 0;
    double sum = k < l->rows ? -right[k] : 0;
    for (int i = j + 1, at = k + 1; i < l->columns; i++)
      if (!l->at[i]) sum -= matrix[rows * (size_t)at++ + (size_t)k] * change[i];
    double length = linear_length(matrix + rows * (size_t)k, k + 1);
    change[j] = fabs(pivot) > 64 * DBL_EPSILON * length ? sum / pivot : 0;
  }
}

/* Moves along the change until the first bound; returns 1 when one was met and holds its unknown. */
static int move_to_bound(const linear_bounded *l, const double *change)
{
  double part = 1;
  int met = 0;
  for (int j = 0; j < l->columns; j++) {
    if (l->at[j] || change[j] == 0) continue;
    double room = change[j] > 0 ? l->hi[j] - l->x[j] : l->lo[j] - l->x[j];
    if (fabs(room) < part * fabs(change[j])) part = room / change[j], met = 1;
  }
  for (int j = 0; j < l->columns; j++) {
    if (l->at[j]) continue;
    double to = l->x[j] + part * change[j];
    if (met && change[j] > 0 && (change[j] * part >= l->hi[j] - l->x[j] || to >= l->hi[j])) l->at[j] = 1;
    if (met && change[j] < 0 && (change[j] * part <= l->lo[j] - l->x[j] || to <= l->lo[j])) l->at[j] = -1;
    l->x[j] = l->at[j] > 0 ? l->hi[j] : l->at[j] < 0 ? l->lo[j] : fmin(fmax(to, l->lo[j]), l->hi[j]);
  }
  return met;
}

/* Lets go of the held unknown whose release gains most; returns 0 when none gains. */
static int release_one(const linear_bounded *l, double *residual)
{
  int best = -1;
  double steepest = 64 * DBL_EPSILON;
  residual_of(l, residual);
  double size = linear_length(residual, l->rows);
  for (int j = 0; j < l->columns; j++) {
    double length = linear_length(l->a + (size_t)j * (size_t)l->rows, l->rows);
    if (!l->at[j] || l->lo[j] == l->hi[j] || length == 0 || size == 0) continue;
    double gain = slope_along(l, residual, j) * l->at[j] / (length * size);
    if (gain > steepest) steepest = gain, best = j;
  }
  if (best >= 0) l->at[best] = 0;
  return best >= 0;
}

void linear_bounded_solve(const linear_bounded *l)
{
  double *matrix = l->work, *residual = matrix + (size_t)l->rows * (size_t)(l->columns + 1);
  double *change = residual + l->rows;
  for (int j = 0; j < l->columns; j++) {
    double slope = slope_along(l, l->b, j);
    l->x[j] = 0;
    l->at[j] = l->lo[j] == l->hi[j] || (l->lo[j] == 0 && slope > 0) ? -1 : l->hi[j] == 0 && slope < 0 ? 1 : 0;
  }
  /* each round holds or releases one unknown and lowers the residual: the cap only guards against rounding */
  for (int round = 0; round < 10 * l->columns + 10; round++) {
    solve_free(l, change, matrix, residual);
    if (move_to_bound(l, change)) continue;
    if (!release_one(l, residual)) break;
  }
}

/* ---- singular values ---- */

static void rotate(double *x, double *y, int n, double c, double s)
{
  for (int i = 0; i < n; i++) {
    double u = x[i], v = y[i];
    x[i] = c * u - s * v;
    y[i] = s * u + c * v;
  }
}

/* makes the columns p and q orthogonal; returns 0 when they already were */
static int make_orthogonal(double *x, double *y, double *vx, double *vy, int n)
{
  double xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < n; i++) xx += x[i] * x[i], yy += y[i] * y[i], xy += x[i] * y[i];
  if (xy == 0 || fabs(xy) <= DBL_EPSILON * sqrt(xx) * sqrt(yy)) return 0;
  double zeta = (yy - xx) / (2 * xy);
  double t = (zeta > 0 ? 1 : -1) / (fabs(zeta) + hypot(1, zeta)), c = 1 / hypot(1, t);
  rotate(x, y, n, c, c * t);
  rotate(vx, vy, n, c, c * t);
  return 1;
}

static void swap_columns(double *x, double *y, int n)
{
  for (int i = 0; i < n; i++) {
    double keep = x[i];
    x[i] = y[i];
    y[i] = keep;
  }
}

void linear_singular(double *a, int n, double *v, double *s)
{
  enum { SWEEPS = 60 };
  size_t m = (size_t)n;
  for (size_t i = 0; i < m * m; i++) v[i] = i % (m + 1) == 0;
  for (int sweep = 0, turned = 1; turned && sweep < SWEEPS; sweep++) {
    turned = 0;
    for (size_t p = 0; p + 1 < m; p++)
      for (size_t q = p + 1; q < m; q++) turned |= make_orthogonal(a + p * m, a + q * m, v + p * m, v + q * m, n);
  }
  for (size_t k = 0; k < m; k++) s[k] = linear_length(a + k * m, n);
  for (size_t k = 0; k + 1 < m; k++) {
    size_t largest = k;
    for (size_t j = k + 1; j < m; j++)
      if (s[j] > s[largest]) largest = j;
    if (largest == k) continue;
    double keep = s[k];
    s[k] = s[largest];
    s[largest] = keep;
    swap_columns(a + k * m, a + largest * m, n);
    swap_columns(v + k * m, v + largest * m, n);
  }
}
