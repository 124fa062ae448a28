#include "support/compliance.h"
#include "support/arm.h"

enum { FIRST = 3 };
static unsigned long long seed = FIRST;
void any_again(void) { seed = FIRST; }
static double uniform(void)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (double)(seed >> 11) * 0x1p-53;
}
double any_between(double lo, double hi) { return lo + (hi - lo) * uniform(); }
static double normal(void) { return sqrt(-2 * log(uniform() + 1e-300)) * cos(6.283185307179586 * uniform()); }

void random_compliance(int n, double condition, double h, double *w)
{
  static double q[COMPLIANCE_MOST * COMPLIANCE_MOST];
  double value[COMPLIANCE_MOST], sum = 0;
  for (int i = 0; i < n * n; i++) q[i] = normal();
  for (int i = 0; i < n; i++) {
    double size = 0;
    for (int j = 0; j < i; j++) {
      double dot = 0;
      for (int k = 0; k < n; k++) dot += q[i * n + k] * q[j * n + k];
      for (int k = 0; k < n; k++) q[i * n + k] -= dot * q[j * n + k];
    }
    for (int k = 0; k < n; k++) size += q[i * n + k] * q[i * n + k];
    for (int k = 0; k < n; k++) q[i * n + k] /= sqrt(size);
    sum += value[i] = pow(condition, n > 1 ? -(double)i / (n - 1) : 0);
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) {
      double dot = 0;
      for (int k = 0; k < n; k++) dot += q[k * n + i] * value[k] * q[k * n + j];
      w[i * n + j] = w[j * n + i] = h * dot * n / sum;
    }
}

/* h times the inverse of m, its mean diagonal scaled to h; m is destroyed */
static void invert_scaled(int n, double *m, double h, double *w)
{
  double trace = 0;
  for (int i = 0; i < n * n; i++) w[i] = i % (n + 1) == 0;
  for (int k = 0; k < n; k++) {
    const double pivot = m[k * n + k];
    for (int j = 0; j < n; j++) m[k * n + j] /= pivot, w[k * n + j] /= pivot;
    for (int i = 0; i < n; i++) {
      const double part = i == k ? 0 : m[i * n + k];
      for (int j = 0; part != 0 && j < n; j++) m[i * n + j] -= part * m[k * n + j], w[i * n + j] -= part * w[k * n + j];
    }
  }
  for (int i = 0; i < n; i++) trace += w[i * n + i];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++) w[i * n + j] = w[j * n + i] = 0.5 * (w[i * n + j] + w[j * n + i]) * h * n / trace;
}

void random_arm_compliance(int n, double h, double *w)
{
  static double m[COMPLIANCE_MOST * COMPLIANCE_MOST], against[COMPLIANCE_MOST];
  arm a = { .n = n };
  for (int i = 0; i < n; i++) {
    a.mass[i] = any_between(0.5, 1.5) * pow(0.9, i);
    a.length[i] = any_between(0.2, 0.4) * pow(0.97, i);
    a.q[i] = any_between(-1, 1);
  }
  arm_dynamics(&a, m, against);
  invert_scaled(n, m, h, w);
}
