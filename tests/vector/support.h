/* What tests of vector laws share: every law in both dimensions, random vectors and rotations, and a body at rest. */
#ifndef VECTOR_SUPPORT_H
#define VECTOR_SUPPORT_H

#include "bristle/vector.h"
#include "support/law.h"

#define EACH_VECTOR_LAW(law, m)                                                                      \
  for (int l_ = 0; l_ < bristle_vector_law_count(); l_++)                                            \
    for (int d_ = 0; d_ < 2; d_++)                                                                   \
      for (const bristle_vector_law *law = bristle_vector_law_at(l_); law; law = NULL)               \
        for (const bristle_vector_model *m = law->f64[d_]; m; m = NULL)

static unsigned long long seed = 11;
static inline double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

static inline double dot(int dim, const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < dim; i++) sum += a[i] * b[i];
  return sum;
}
static inline double norm(int dim, const double *a) { return sqrt(dot(dim, a, a)); }

static inline void random_vector(int dim, double size, double *a)
{
  do
    for (int i = 0; i < dim; i++) a[i] = between(-1, 1);
  while (norm(dim, a) > 1 || norm(dim, a) < 0.1);
  double length = norm(dim, a);
  for (int i = 0; i < dim; i++) a[i] *= size / length;
}

/* a rotation: two random axes made orthonormal (in the plane, a random angle) */
static inline void random_rotation(int dim, double r[3][3])
{
  memset(r, 0, sizeof(double[3][3]));
  if (dim == 2) {
    double a = between(0, 6.283185307179586);
    r[0][0] = r[1][1] = cos(a), r[0][1] = -sin(a), r[1][0] = sin(a), r[2][2] = 1;
    return;
  }
  random_vector(3, 1, r[0]);
  random_vector(3, 1, r[1]);
  double along = dot(3, r[0], r[1]);
  for (int i = 0; i < 3; i++) r[1][i] -= along * r[0][i];
  double length = norm(3, r[1]);
  for (int i = 0; i < 3; i++) r[1][i] /= length;
  for (int i = 0; i < 3; i++) r[2][i] = r[0][(i + 1) % 3] * r[1][(i + 2) % 3] - r[0][(i + 2) % 3] * r[1][(i + 1) % 3];
}

static inline void turn(int dim, const double r[3][3], const double *a, double *out)
{
  for (int i = 0; i < dim; i++) out[i] = dot(dim, r[i], a);
}

typedef struct body {
  double s[MAX_STATE], v[3], x[3];
} body;

/* A body of 10 g under half the load its contact can bear, in direction d: how far it moves between 1 s and 10 s. Once
   state and velocity come back to what they were, bit for bit, they will do so again, and the rest of the time is
   known: now and then one moment is kept to look for that. */
static inline double drift(const bristle_vector_model *m, const double *d, double h)
{
  const double w = h / 0.01;
  const long all = lround(10 / h), settle = lround(1 / h);
  double p[MAX_PARAM], load[3], f[3], moved[3] = { 0 };
  body now = { { 0 }, { 0 }, { 0 } }, kept = now, settled = now;
  bristle_defaults(m->info, p);
  bristle_vector_input in = { .n = 1, .h = h, .load = m->info->load };
  for (int i = 0; i < m->dim; i++) in.v[i] = 1e-6 * d[i], in.w[i][i] = w;
  m->steady(p, &in, load);
  long i = 0, period = 0, look = 1, since = 0;
  while (i < all && !period) {
    for (int j = 0; j < m->dim; j++) in.v[j] = now.v[j] + w * 0.5 * load[j];
    m->step(p, now.s, &in, f, now.v);
    for (int j = 0; j < m->dim; j++) now.x[j] += h * now.v[j];
    if (++i == settle) settled = now;
    if (!memcmp(now.s, kept.s, sizeof now.s) && !memcmp(now.v, kept.v, sizeof now.v)) period = i - since;
    else if (i == look) kept = now, since = i, look *= 2;
  }
  for (int j = 0; j < m->dim; j++) {
    if (i > settle) moved[j] = now.x[j] - settled.x[j];
    if (period) moved[j] += (now.x[j] - kept.x[j]) / (double)period * (double)(all - (i > settle ? i : settle));
  }
  return norm(m->dim, moved);
}

#endif
