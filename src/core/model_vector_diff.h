/* The derivatives of a law in two or three dimensions; the counterpart of model_diff.h, with one internal direction
 * for each component of the end velocity: (I + W F_u) du = dv - W F_theta. */
#include "bristle/vector.h"

#define VECTOR_NAME(model) BRISTLE_CAT(BRISTLE_CAT(bristle_, model), BRISTLE_CAT(_vector, BRISTLE_DIM))
#define VECTOR_DIFF(model) BRISTLE_CAT(VECTOR_NAME(model), _diff)
extern "C" {
extern const bristle_vector_model VECTOR_NAME(MODEL);
extern const bristle_vector_diff VECTOR_DIFF(MODEL);
}

namespace {

enum {
  NPARAM = ROLE(nparam),
  NSTATE = ROLE(nstate),
  D_LOAD = BRISTLE_DIM,
  D_STATE = D_LOAD + 1,
  D_PARAM = D_STATE + NSTATE,
  DIRECTIONS = D_PARAM + NPARAM,
  COLUMNS = DIRECTIONS + BRISTLE_DIM /* and the end velocity */
};

FN lanes unit(int direction, int first)
{
  double one[LANES] = { 0 };
  if (direction >= first && direction < first + LANES) one[direction - first] = 1.0;
  lanes d;
  __builtin_memcpy(&d, one, sizeof d);
  return d;
}

/* a x = b for one right-hand side, plain numbers */
FN void solve(double a[BRISTLE_DIM][BRISTLE_DIM], double b[BRISTLE_DIM])
{
  EACH(k)
  {
    int pivot = k;
    for (int i = k + 1; i < BRISTLE_DIM; i++)
      if (abs_f64(a[i][k]) > abs_f64(a[pivot][k])) pivot = i;
    EACH(j)
    {
      double swap = a[k][j];
      a[k][j] = a[pivot][j], a[pivot][j] = swap;
    }
    double swap = b[k];
    b[k] = b[pivot], b[pivot] = swap;
    for (int i = k + 1; i < BRISTLE_DIM; i++) {
      double part = a[i][k] / a[k][k];
      for (int j = k; j < BRISTLE_DIM; j++) a[i][j] -= part * a[k][j];
      b[i] -= part * b[k];
    }
  }
  for (int i = BRISTLE_DIM - 1; i >= 0; i--) {
    for (int j = i + 1; j < BRISTLE_DIM; j++) b[i] -= a[i][j] * b[j];
    b[i] /= a[i][i];
  }
}

FN int is_coupled(const bristle_vector_input *in)
{
  EACH(i) EACH(j) if (in->w[i][j] != 0) return 1;
  return 0;
}

struct seeds {
  params p, loaded;
  state s;
  input in;
  real gain;
};

/* the stopping force W^-1 v, with its slopes in v */
FN void seed_stop(input *k, const bristle_vector_input *in, int first)
{
  double value[BRISTLE_DIM], a[BRISTLE_DIM][BRISTLE_DIM];
  EACH(i)
  {
    value[i] = in->v[i];
    EACH(j) a[i][j] = in->w[i][j];
  }
  solve(a, value);
  EACH(i) k->f.c[i] = real(value[i]);
  EACH(j)
  {
    double column[BRISTLE_DIM];
    EACH(i)
    {
      column[i] = i == j ? 1.0 : 0.0;
      EACH(l) a[i][l] = in->w[i][l];
    }
    solve(a, column);
    EACH(i) k->f.c[i].d = k->f.c[i].d + unit(j, first) * column[i];
  }
}

FN void seed(seeds *x, const double *p, const double *s, const bristle_vector_input *in, const double *v, int coupled,
             int first)
{
  for (int j = 0; j < NPARAM; j++) ((real *)&x->p)[j] = real(p[j], unit(D_PARAM + j, first));
  for (int k = 0; k < NSTATE; k++) ((real *)&x->s)[k] = real(s[k], unit(D_STATE + k, first));
  input k;
  EACH(i)
  {
    k.v.c[i] = real(v[i], unit(coupled ? DIRECTIONS + i : i, first));
    k.f.c[i] = real(in->f[i]);
    EACH(j) k.w[i][j] = in->w[i][j];
  }
  if (coupled) seed_stop(&k, in, first);
  k.n = real(in->n, unit(D_LOAD, first));
  k.h = in->h;
  k.load = in->load;
  x->gain = ROLE(apply_load)(&x->p, &k, &x->loaded, &x->in);
}

void diff_eval(const double *p, const double *s, const bristle_vector_input *in, double *force, double *rate,
               double *df, double *drate)
{
  for (int first = 0; first < DIRECTIONS; first += LANES) {
    seeds x;
    state dot;
    seed(&x, p, s, in, in->v, 0, first);
    vec f = v_scale(x.gain, ROLE(eval)(&x.loaded, &x.s, &x.in, &dot));
    for (int l = 0; l < LANES && first + l < DIRECTIONS; l++) {
      EACH(i) df[i * DIRECTIONS + first + l] = lane(f.c[i].d, l);
      for (int k = 0; k < NSTATE; k++) drate[k * DIRECTIONS + first + l] = lane(((real *)&dot)[k].d, l);
    }
    EACH(i) force[i] = f.c[i].v;
    for (int k = 0; k < NSTATE; k++) rate[k] = ((real *)&dot)[k].v;
  }
}

/* du for one direction, from the raw slopes of the force */
FN void end_velocity_slope(const bristle_vector_input *in, const double raw_f[BRISTLE_DIM][COLUMNS], int j,
                           double du[BRISTLE_DIM])
{
  double a[BRISTLE_DIM][BRISTLE_DIM];
  EACH(i)
  {
    du[i] = i == j ? 1.0 : 0.0;
    EACH(k)
    {
      a[i][k] = i == k ? 1.0 : 0.0;
      du[i] -= in->w[i][k] * raw_f[k][j];
      EACH(l) a[i][k] += in->w[i][l] * raw_f[l][DIRECTIONS + k];
    }
  }
  solve(a, du);
}

void diff_step(const double *p, double *s, const bristle_vector_input *in, double *force, double *v_end, double *df,
               double *ds)
{
  double before[NSTATE + 1], v[BRISTLE_DIM], raw_f[BRISTLE_DIM][COLUMNS], raw_s[NSTATE * COLUMNS + 1];
  const int coupled = is_coupled(in);
  for (int k = 0; k < NSTATE; k++) before[k] = s[k];
  VECTOR_NAME(MODEL).step(p, s, in, force, v);
  if (v_end) EACH(i) v_end[i] = v[i];
  for (int first = 0; first < COLUMNS; first += LANES) {
    seeds x;
    seed(&x, p, before, in, v, coupled, first);
    vec f = v_scale(x.gain, ROLE(move)(&x.loaded, &x.s, &x.in));
    for (int l = 0; l < LANES && first + l < COLUMNS; l++) {
      EACH(i) raw_f[i][first + l] = lane(f.c[i].d, l);
      for (int k = 0; k < NSTATE; k++) raw_s[k * COLUMNS + first + l] = lane(((real *)&x.s)[k].d, l);
    }
  }
  for (int j = 0; j < DIRECTIONS; j++) {
    double du[BRISTLE_DIM] = { 0 };
    if (coupled) end_velocity_slope(in, raw_f, j, du);
    EACH(i)
    {
      df[i * DIRECTIONS + j] = raw_f[i][j];
      EACH(k) df[i * DIRECTIONS + j] += raw_f[i][DIRECTIONS + k] * du[k];
    }
    for (int m = 0; m < NSTATE; m++) {
      ds[m * DIRECTIONS + j] = raw_s[m * COLUMNS + j];
      EACH(k) ds[m * DIRECTIONS + j] += raw_s[m * COLUMNS + DIRECTIONS + k] * du[k];
    }
  }
}

} // namespace

const bristle_vector_diff VECTOR_DIFF(MODEL) = { DIRECTIONS, diff_eval, diff_step };
