/* Dense linear algebra of the network: small matrices in the caller's memory, rows one after the other. */
#include "core/network.h"

int network_factor(double *a, int n, double *order)
{
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (abs_f64(a[i * n + k]) > abs_f64(a[pivot * n + k])) pivot = i;
    order[k] = pivot;
    if (!(abs_f64(a[pivot * n + k]) > 1e-300)) return 0;
    for (int j = 0; pivot != k && j < n; j++) {
      const double swap = a[k * n + j];
      a[k * n + j] = a[pivot * n + j], a[pivot * n + j] = swap;
    }
    const double inverse = 1 / a[k * n + k];
    for (int i = k + 1; i < n; i++) {
      const double part = a[i * n + k] * inverse;
      a[i * n + k] = part;
      if (part == 0) continue;
      for (int j = k + 1; j < n; j++) a[i * n + j] -= part * a[k * n + j];
    }
  }
  return 1;
}

void network_back(const double *lu, int n, const double *order, double *x)
{
  for (int k = 0; k < n; k++) {
    const int pivot = (int)order[k];
    const double swap = x[k];
    x[k] = x[pivot], x[pivot] = swap;
  }
  for (int i = 0; i < n; i++) x[i] -= network_dot(lu + i * n, x, i);
  for (int i = n - 1; i >= 0; i--)
    x[i] = (x[i] - network_dot(lu + i * n + i + 1, x + i + 1, n - i - 1)) / lu[i * n + i];
}

/* Unrolled for small n the matrix lives in registers. What is taken off an entry is multiplied out before the pivot is
   divided by: divisions are what such a chain waits for. */
#define UNROLLED _Pragma("GCC unroll 8")
enum { SMALL = 8 };

FN int solve_small(const double *matrix, const int n, double *x)
{
  double a[SMALL][SMALL];
  int negative = 0;
  UNROLLED for (int i = 0; i < n; i++) UNROLLED for (int j = i; j < n; j++) a[i][j] = matrix[i * n + j];
  UNROLLED for (int k = 0; k < n; k++)
  {
    const double pivot = a[k][k], inverse = 1 / pivot;
    if (!(abs_f64(pivot) > 1e-300)) return -1;
    negative += pivot < 0;
    UNROLLED for (int i = k + 1; i < n; i++)
    {
      UNROLLED for (int j = i; j < n; j++) a[i][j] -= (a[k][i] * a[k][j]) * inverse;
      x[i] -= (a[k][i] * x[k]) * inverse;
    }
    UNROLLED for (int i = k + 1; i < n; i++) a[k][i] *= inverse;
    x[k] *= inverse;
  }
  UNROLLED for (int k = n - 1; k > 0; k--) UNROLLED for (int i = 0; i < k; i++) x[i] -= a[i][k] * x[k];
  return negative;
}

static int solve_large(const double *matrix, int n, double *a, double *x)
{
  int negative = 0;
  for (int i = 0; i < n; i++)
    for (int j = i; j < n; j++) a[i * n + j] = matrix[i * n + j];
  for (int k = 0; k < n; k++) {
    double *row = a + k * n;
    const double inverse = 1 / row[k];
    if (!(abs_f64(row[k]) > 1e-300)) return -1;
    negative += row[k] < 0;
    for (int i = k + 1; i < n; i++) {
      const double part = row[i] * inverse;
      double *to = a + i * n;
      for (int j = i; j < n; j++) to[j] -= part * row[j];
      x[i] -= part * x[k];
    }
    for (int i = k + 1; i < n; i++) row[i] *= inverse;
    x[k] *= inverse;
  }
  for (int k = n - 1; k >= 0; k--) x[k] -= network_dot(a + k * n + k + 1, x + k + 1, n - k - 1);
  return negative;
}

int network_solve_symmetric(const double *a, int n, double *memory, double *x)
{
  switch (n) {
  case 0:
    return 0;
  case 1:
    return solve_small(a, 1, x);
  case 2:
    return solve_small(a, 2, x);
  case 3:
    return solve_small(a, 3, x);
  case 4:
    return solve_small(a, 4, x);
  case 5:
    return solve_small(a, 5, x);
  case 6:
    return solve_small(a, 6, x);
  case 7:
    return solve_small(a, 7, x);
  case SMALL:
    return solve_small(a, SMALL, x);
  default:
    return solve_large(a, n, memory, x);
  }
}
