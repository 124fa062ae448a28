/* Generated derivatives against central differences of the same law in extended precision (64-bit mantissa, the
 * C library's functions), extrapolated: independent of our elementary functions and of the dual numbers. */
#include "support/law.h"

#define input extended_input
#include "support/extended.h"
#undef input

#define BRISTLE_LAW(name) extern const extended_law name##_extended;
#include "models/models.def"
#undef BRISTLE_LAW

static const extended_law *const extended[] = {
#define BRISTLE_LAW(name) &name##_extended,
#include "models/models.def"
#undef BRISTLE_LAW
};

static unsigned long long seed = 7;
static double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

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

/* d out/d y_j: central differences with steps h and 2h, extrapolated; *sure is false where one-sided slopes
   disagree, i.e. at a kink, which has no derivative to compare with */
static void difference(const point *q, int j, double scale, real *slope, int *sure)
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
    real left = (at[2][i] - at[1][i]) / h, right = (at[3][i] - at[2][i]) / h;
    slope[i] = fine + (fine - coarse) / 3;
    sure[i] = fabsl(right - left) <= 1e-3L * (fabsl(left) + fabsl(right)) + 1e-12L * fabsl(at[2][i]) / h
              && fabsl(fine - coarse) <= 1e-6L * (fabsl(fine) + fabsl(coarse));
  }
}

static int has_derivative(const bristle_info *info, int direction)
{
  const bristle_row *rows = direction < 3 + info->nstate ? info->state : info->param;
  int count = direction < 3 + info->nstate ? info->state_rows : info->param_rows;
  int at = direction - 3 - (direction < 3 + info->nstate ? 0 : info->nstate);
  for (int r = 0; direction >= 3 && r < count; r++)
    if (at >= rows[r].first && at < rows[r].first + rows[r].count)
      return rows[r].kind != BRISTLE_JUMP && rows[r].kind != BRISTLE_OPTION;
  return 1;
}

/* an element of a vector that is switched off sits on its bound, where only one side exists */
static int unused(const bristle_info *info, const double *p, int index)
{
  for (int r = 0; r < info->param_rows; r++)
    if (index >= info->param[r].first && index < info->param[r].first + info->param[r].count)
      return info->param[r].count > 1 && p[index] == 0;
  return 0;
}

typedef struct tally {
  long compared, kinks;
  double worst;
} tally;

static void compare(const bristle_law *law, const point *q, tally *t)
{
  double df[3 + MAX_STATE + MAX_PARAM], d[MAX_STATE * (3 + MAX_STATE + MAX_PARAM)], s[MAX_STATE], rate[MAX_STATE],
      v_end;
  const double *p = q->y + 3 + q->nstate;
  bristle_input in = q->in;
  memcpy(s, q->y + 3, sizeof s);
  in.v = q->y[0], in.x = q->y[1], in.n = q->y[2];
  double f = q->stepping ? law->diff->step(p, s, &in, &v_end, df, d) : law->diff->eval(p, s, &in, rate, df, d);
  /* near a turning point of the Stribeck curve the end velocity is ill-conditioned: its rounding error, and with
     it that of every derivative there, grows with d v_end/d v squared */
  double condition = q->stepping ? fmax(1, fabs(1 - in.w * df[BRISTLE_D_V])) : 1;
  double tolerance = 1e-9 * fmax(1, 0.1 * condition * condition);
  for (int j = 0; j < q->directions; j++) {
    if (!has_derivative(law->f64->info, j) || (j >= 3 + q->nstate && unused(law->f64->info, p, j - 3 - q->nstate)))
      continue;
    real slope[1 + MAX_STATE];
    int sure[1 + MAX_STATE];
    double scale = fmax(fabs(q->y[j]), j == 0 ? 1e-6 : j == 1 ? 1e-6 : j < 3 + q->nstate ? 1e-6 : 1e-3);
    difference(q, j, scale, slope, sure);
    for (int i = 0; i <= q->nstate; i++) {
      double mine = i ? d[(i - 1) * q->directions + j] : df[j];
      double value = i ? q->stepping ? s[i - 1] : rate[i - 1] : f;
      CHECK(isfinite(mine), "%s d out %d / d %d", law->name, i, j);
      if (!sure[i]) {
        t->kinks++;
        continue;
      }
      double size = fmax(fabs((double)slope[i]), 0.1 * fabs(value) / scale), error = fabs(mine - (double)slope[i]);
      t->compared++;
      if (size > 0) t->worst = fmax(t->worst, error / size);
      CHECK(
          error <= tolerance * size + 1e-250,
          "%s %s: d out %d / d direction %d: generated %.15g, difference %.15g (v %g w %g h %g form %d, condition %g)",
          law->name, q->stepping ? "step" : "eval", i, j, mine, (double)slope[i], in.v, in.w, in.h, in.load, condition);
    }
  }
}

/* random parameters near the defaults, a state reached by moving, a random input */
static point random_point(int index, const bristle_law *law, int stepping, int coupled)
{
  const bristle_info *info = law->f64->info;
  point q = { .law = index,
              .stepping = stepping,
              .directions = 3 + info->nstate + info->nparam,
              .nstate = info->nstate,
              .nparam = info->nparam };
  double *s = q.y + 3, *p = s + info->nstate;
  bristle_defaults(info, p);
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    if (row->count == 1 && row->kind != BRISTLE_OPTION) {
      double value = p[row->first] * between(1, 1.2);
      if (value == 0) value = row->hi >= 1 ? between(0, 0.3) : 0;
      p[row->first] = fmin(value, row->hi);
    }
  }
  bristle_error error;
  if (bristle_check(law->f64, p, &error) != BRISTLE_OK) bristle_defaults(info, p);
  q.in = (bristle_input){ .n = between(0.5, 2),
                          .h = pow(10, between(-4, -2)),
                          .load = (bristle_load)(3 * between(0, 0.999)) };
  for (int i = 0; i < 20; i++) {
    q.in.v = between(-1, 1) * pow(10, between(-5, -1.5));
    law->f64->step(p, s, &q.in, NULL);
  }
  /* step off thresholds that the motion landed on exactly: two precisions may see them from different sides */
  for (int r = 0; r < info->state_rows; r++)
    for (int i = 0; info->state[r].kind == BRISTLE_FLOW && i < info->state[r].count; i++)
      s[info->state[r].first + i] *= between(0.9, 0.999);
  q.in.v = between(-1, 1) * pow(10, between(-5, -1.5));
  q.in.x = between(-1e-4, 1e-4);
  q.in.f = between(-1, 1);
  q.in.a = between(-1, 1);
  q.in.w = coupled ? q.in.h * pow(10, between(-1, 2)) : 0;
  q.y[0] = q.in.v, q.y[1] = q.in.x, q.y[2] = q.in.n;
  return q;
}

static void compare_all(int stepping, int coupled)
{
  for (int index = 0; index < bristle_law_count(); index++) {
    const bristle_law *law = bristle_law_at(index);
    tally t = { 0 };
    for (int i = 0; i < 60; i++) {
      point q = random_point(index, law, stepping, coupled);
      compare(law, &q, &t);
    }
    CHECK(t.compared > 2 * t.kinks && t.compared > 0, "%s: only %ld compared, %ld at kinks", law->name, t.compared,
          t.kinks);
  }
}

TEST(derivatives_of_eval_match_extended_differences) { compare_all(0, 0); }
TEST(derivatives_of_the_prescribed_step_match_extended_differences) { compare_all(1, 0); }
TEST(derivatives_of_the_coupled_step_match_extended_differences) { compare_all(1, 1); }

/* the sensitivity step is the step's Jacobian applied along a path: compare with one long chain of Jacobians */
TEST(sensitivity_step_is_the_chain_of_step_derivatives)
{
  for (int index = 0; index < bristle_law_count(); index++) {
    const bristle_law *law = bristle_law_at(index);
    for (int coupled = 0; coupled < 2; coupled++) {
      point q = random_point(index, law, 1, coupled);
      const int n = q.nstate, m = q.nparam, D = q.directions;
      double s[MAX_STATE] = { 0 }, t[MAX_STATE] = { 0 }, ds[MAX_STATE * MAX_PARAM] = { 0 },
             chain[MAX_STATE * MAX_PARAM] = { 0 };
      double df[MAX_PARAM], jf[3 + MAX_STATE + MAX_PARAM], js[MAX_STATE * (3 + MAX_STATE + MAX_PARAM)];
      const double *p = q.y + 3 + n;
      for (int i = 0; i < 30; i++) {
        q.in.v = between(-1, 1) * pow(10, between(-5, -2));
        double a = law->diff->sensitivity(p, s, &q.in, NULL, df, ds), b = law->diff->step(p, t, &q.in, NULL, jf, js);
        CHECK_NEAR(a, b, 1e-12);
        double next[MAX_STATE * MAX_PARAM], f[MAX_PARAM];
        for (int j = 0; j < m; j++) {
          if (!has_derivative(law->f64->info, 3 + n + j)) continue;
          f[j] = jf[3 + n + j];
          for (int k = 0; k < n; k++) f[j] += jf[3 + k] * chain[k * m + j];
          for (int i2 = 0; i2 < n; i2++) {
            next[i2 * m + j] = js[i2 * D + 3 + n + j];
            for (int k = 0; k < n; k++) next[i2 * m + j] += js[i2 * D + 3 + k] * chain[k * m + j];
          }
          CHECK(fabs(f[j] - df[j]) <= 1e-9 * (fabs(f[j]) + fabs(df[j])) + 1e-9 * fabs(a / (fabs(p[j]) + 1e-9)),
                "%s: dF/dp%d chain %g, sensitivity %g", law->name, j, f[j], df[j]);
          for (int k = 0; k < n; k++) chain[k * m + j] = next[k * m + j];
        }
      }
    }
  }
}

/* the force at an instant after some steps: derivatives of eval, chained with those of the states */
TEST(sensitivity_of_an_instant_is_the_chain_of_eval_derivatives)
{
  for (int index = 0; index < bristle_law_count(); index++) {
    const bristle_law *law = bristle_law_at(index);
    point q = random_point(index, law, 1, 0);
    const int n = q.nstate, m = q.nparam;
    double s[MAX_STATE] = { 0 }, rate[MAX_STATE], ds[MAX_STATE * MAX_PARAM] = { 0 }, df[MAX_PARAM];
    double by[3 + MAX_STATE + MAX_PARAM], rate_by[MAX_STATE * (3 + MAX_STATE + MAX_PARAM)];
    const double *p = q.y + 3 + n;
    for (int i = 0; i < 30; i++) {
      q.in.v = between(-1, 1) * pow(10, between(-5, -2));
      law->diff->sensitivity(p, s, &q.in, NULL, df, ds);
      double a = law->diff->instant(p, s, &q.in, df, ds), b = law->diff->eval(p, s, &q.in, rate, by, rate_by);
      CHECK_NEAR(a, b, 1e-12);
      for (int j = 0; j < m; j++) {
        if (!has_derivative(law->f64->info, 3 + n + j)) continue;
        double f = by[3 + n + j];
        for (int k = 0; k < n; k++) f += by[3 + k] * ds[k * m + j];
        CHECK(fabs(f - df[j]) <= 1e-9 * (fabs(f) + fabs(df[j])) + 1e-9 * fabs(a / (fabs(p[j]) + 1e-9)),
              "%s: dF/dp%d chain %g, instant %g", law->name, j, f, df[j]);
      }
    }
  }
}

/* closed forms of C1: LuGre at constant v from z0; dF/dz0, dF/dsigma2, dz/dz0 and the explicit dF/dsigma1 */
TEST(lugre_step_derivatives_match_the_closed_form)
{
  contact c = contact_1995("lugre");
  double z0 = 4e-6, v = 2e-3, h = 1e-3, df[32], ds[32], s[1] = { z0 };
  double g = 1 + 0.5 * exp(-4), lam = 1e5 * v / g, e = exp(-lam * h);
  bristle_input in = { .v = v, .n = 1, .h = h };
  c.law->diff->step(c.p, s, &in, NULL, df, ds);
  CHECK_NEAR(ds[BRISTLE_D_STATE], e, 1e-13);
  CHECK_NEAR(df[BRISTLE_D_STATE], 1e5 * e + sqrt(1e5) * (e - 1) / h, 1e-12);
  const int first = BRISTLE_D_STATE + 1;
  double z1 = g / 1e5 + (z0 - g / 1e5) * e;
  CHECK_NEAR(df[first + 1], (z1 - z0) / h, 1e-11);
  CHECK_NEAR(df[first + 2], v, 1e-15);
}
