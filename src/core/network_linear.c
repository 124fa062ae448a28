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

int network_cholesky(double *a, int n)
{
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) a[i * n + j] = (a[i * n + j] - network_dot(a + i * n, a + j * n, j)) / a[j * n + j];
    const double left = a[i * n + i] - network_dot(a + i * n, a + i * n, i);
    if (!(left > 0)) return 0;
    a[i * n + i] = sqrt_f64(left);
  }
  return 1;
}

void network_cholesky_forward(const double *a, int n, double *x)
{
  for (int i = 0; i < n; i++) x[i] = (x[i] - network_dot(a + i * n, x, i)) / a[i * n + i];
}

void network_cholesky_back(const double *a, int n, double *x)
{
  network_cholesky_forward(a, n, x);
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= a[j * n + i] * x[j];
    x[i] /= a[i * n + i];
  }
}
