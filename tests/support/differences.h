/* Differences of the laws in extended precision, and when a generated derivative agrees with them. */
#ifndef TEST_DIFFERENCES_H
#define TEST_DIFFERENCES_H

#include "support/law.h"

#define input extended_input
#include "support/extended.h"
#undef input

#define BRISTLE_LAW(name) extern const extended_law name##_extended, name##_skewed_extended;
#include "models/models.def"
#undef BRISTLE_LAW

/* all laws, then all of them with their own friction for each direction */
static const extended_law *const extended[] = {
#define BRISTLE_LAW(name) &name##_extended,
#include "models/models.def"
#undef BRISTLE_LAW
#define BRISTLE_LAW(name) &name##_skewed_extended,
#include "models/models.def"
#undef BRISTLE_LAW
};

/* A point where derivatives are taken. Flat: v, x, n, states, parameters, as in bristle_diff. */
typedef struct point {
  int law, stepping, directions, nstate, nparam;
  double y[3 + MAX_STATE + MAX_PARAM];
  bristle_input in;
} point;

/* outputs: force, then rates or new states */
static void run_extended(const point *q, const real *y, real *out)
{
  real s[MAX_STATE], v_end;
  extended_input in = {
    .v = y[0], .x = y[1], .n = y[2], .f = q->in.f, .a = q->in.a, .w = q->in.w, .h = q->in.h, .load = q->in.load
  };
  memcpy(s, y + 3, sizeof *s * (size_t)q->nstate);
  const real *p = y + 3 + q->nstate;
  if (q->stepping) {
    out[0] = extended[q->law]->step(p, s, &in, &v_end);
    memcpy(out + 1, s, sizeof *s * (size_t)q->nstate);
  } else {
    out[0] = extended[q->law]->eval(p, s, &in, out + 1);
  }
}

/* d out/d y_j by differences with steps h and 2h, extrapolated, and from either side alone */
typedef struct slopes {
  real middle, left, right;
  int smooth; /* no kink within 2h */
  int same;   /* the two precisions see the same value, not different sides of a jump */
} slopes;

static void difference(const point *q, int j, double scale, const double *value, const double *size, slopes *d)
{
  enum { N = 1 + MAX_STATE };
  real y[3 + MAX_STATE + MAX_PARAM], at[5][N];
  const real h = 1e-5L * scale;
  for (int i = 0; i < q->directions; i++) y[i] = q->y[i];
  for (int k = 0; k < 5; k++) {
    y[j] = q->y[j] + (k - 2) * h;
    run_extended(q, y, at[k]);
  }
  for (int i = 0; i <= q->nstate; i++) {
    real fine = (at[3][i] - at[1][i]) / (2 * h), coarse = (at[4][i] - at[0][i]) / (4 * h);
    d[i].left = (3 * at[2][i] - 4 * at[1][i] + at[0][i]) / (2 * h);
    d[i].right = (4 * at[3][i] - 3 * at[2][i] - at[4][i]) / (2 * h);
    d[i].middle = fine + (fine - coarse) / 3;
    const real sum = fabsl(d[i].left) + fabsl(d[i].right), rounding = 1e-17L * fabsl(at[2][i]) / h;
    d[i].smooth = fabsl(d[i].right - d[i].left) <= 1e-7L * sum + rounding;
    d[i].same = fabsl(at[2][i] - value[i]) <= 1e-9L * size[i];
  }
}

/* The error of the difference itself grows with the third derivative, which the sides show. At a kink, or several, the
   generated derivative is that of one side or between them. */
static int agrees(const slopes *d, double mine, double natural, double tolerance)
{
  const double middle = (double)d->middle, left = (double)d->left, right = (double)d->right;
  const double size = fmax(fmax(fmax(fabs(left), fabs(right)), natural), 1e-250);
  const double bent = fabs(left - middle) + fabs(right - middle), slack = (d->smooth ? 1e3 : 3e5) * tolerance * size;
  if (fabs(mine - middle) <= tolerance * size + bent * bent / size) return 1;
  if (fabs(mine - left) <= slack || fabs(mine - right) <= slack) return 1;
  return !d->smooth && mine >= fmin(left, right) && mine <= fmax(left, right);
}

/* A state may sit on a threshold to its last bit, where the two precisions choose different sides: then the derivative
   is that of a neighbour. */
static int agrees_nearby(const point *q, int j, double scale, const double *value, const double *natural, int i,
                         double mine, double tolerance)
{
  for (int side = -1; side <= 4; side++) {
    slopes d[1 + MAX_STATE];
    const double near = side > 1 ? 1e-4 * scale : scale; /* some kinks lie close together */
    point moved = *q;
    for (int k = 0; k < q->nstate; k++) moved.y[3 + k] *= 1 + (side > 1 ? side - 3 : side) * 1e-12;
    difference(&moved, j, near, value, natural, d);
    if (agrees(&d[i], mine, 0.1 * natural[i] / scale, side > 1 ? fmax(tolerance, 1e-8) : tolerance)) return 1;
  }
  return 0;
}

/* does the difference become another one with a shorter step? Powers below 2 of something that is zero have no more
   than one derivative there, and no difference shows it. */
static int unresolved(const point *q, int j, double scale, const double *value, const double *natural, int i)
{
  slopes coarse[1 + MAX_STATE], fine[1 + MAX_STATE];
  difference(q, j, scale, value, natural, coarse);
  difference(q, j, 1e-6 * scale, value, natural, fine);
  const real size = fmaxl(fabsl(coarse[i].middle), fabsl(fine[i].middle));
  return fabsl(coarse[i].middle - fine[i].middle) > 1e-6L * size;
}

#endif
