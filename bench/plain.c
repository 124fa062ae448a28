/* Compiled with -O2 and nothing else: what a careful user would write. expm1 keeps the presliding force exact. */
#include "plain.h"

#include <math.h>

void plain_step(size_t n, const plain_lugre *p, double *z, const double *v, double *f, double h)
{
  for (size_t i = 0; i < n; i++) {
    double r = v[i] / p->vs, g = p->fc + (p->fs - p->fc) * exp(-r * r);
    double part = -expm1(-p->sigma0 * fabs(v[i]) * h / g);
    double dz = (copysign(g, v[i]) / p->sigma0 - z[i]) * part;
    z[i] += dz;
    f[i] = p->sigma0 * z[i] + p->sigma1 * dz / h + p->sigma2 * v[i];
  }
}

void plain_step_f32(size_t n, const plain_lugre_f32 *p, float *z, const float *v, float *f, float h)
{
  for (size_t i = 0; i < n; i++) {
    float r = v[i] / p->vs, g = p->fc + (p->fs - p->fc) * expf(-r * r);
    float part = -expm1f(-p->sigma0 * fabsf(v[i]) * h / g);
    float dz = (copysignf(g, v[i]) / p->sigma0 - z[i]) * part;
    z[i] += dz;
    f[i] = p->sigma0 * z[i] + p->sigma1 * dz / h + p->sigma2 * v[i];
  }
}
