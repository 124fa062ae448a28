/* Generated derivatives against central differences of the same law in extended precision (64-bit mantissa, the
 * C library's functions), extrapolated: independent of our elementary functions and of the dual numbers. */
#include "support/law.h"

#include "support/differences.h"

static unsigned long long seed = 7;
static double between(double lo, double hi)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return lo + (hi - lo) * (double)(seed >> 11) * 0x1p-53;
}

/* all laws, then all of them with their own friction for each direction: the order of differences.h */
static const bristle_law *law_of(int index)
{
  const int count = bristle_law_count();
  return index < count ? bristle_law_at(index) : bristle_law_skewed(bristle_law_at(index - count));
}

/* skews of both signs, where the law has something to skew */
static void random_skews(const bristle_model *m, double *p)
{
  for (int r = 0; r < m->info->param_rows; r++) {
    if (m->info->param[r].role != BRISTLE_ROLE_SKEW) continue;
    p[m->info->param[r].first] = between(-0.4, 0.4);
    if (bristle_check(m, p, NULL)) p[m->info->param[r].first] = 0;
  }
}

static int has_derivative(const bristle_info *info, int direction)
{
  const bristle_row *rows = direction < 3 + info->nstate ? info->state : info->param;
  int count = direction < 3 + info->nstate ? info->state_rows : info->param_rows;
  int at = direction - 3 - (direction < 3 + info->nstate ? 0 : info->nstate);
  for (int r = 0; direction >= 3 && r < count; r++)
    if (at >= rows[r].first && at < rows[r].first + rows[r].count)
      return rows[r].kind != BRISTLE_ROW_JUMP && rows[r].kind != BRISTLE_ROW_OPTION;
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
  long compared, kinks, jumps;
} tally;

/* Outputs, and how large they are: in sliding a rate is what is left of two large terms, each as large as the rate of a
   virgin state. */
static void sizes(const bristle_law *law, const point *q, double f, const double *out, double *value, double *natural)
{
  double virgin[MAX_STATE] = { 0 }, rate[MAX_STATE] = { 0 };
  bristle_input in = q->in;
  in.v = q->y[0], in.x = q->y[1], in.n = q->y[2];
  if (!q->stepping) law->f64->eval(q->y + 3 + q->nstate, virgin, &in, rate);
  value[0] = f, natural[0] = fabs(f);
  for (int k = 0; k < q->nstate; k++) {
    value[k + 1] = out[k];
    natural[k + 1] = fmax(fabs(out[k]), q->stepping ? fabs(q->y[3 + k]) : fabs(rate[k]));
  }
}

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
  if (!strcmp(law->name, "bouc_wen")) tolerance = fmax(tolerance, 1e-4); /* its path is a quadrature, good to 1e-7 */
  /* a step that ends on a jump of the law takes its place as given: bristle.h says so */
  const int on_jump = q->stepping && in.w > 0 && v_end != 0 && df[BRISTLE_D_V] == 1 / in.w;
  double value[1 + MAX_STATE], natural[1 + MAX_STATE];
  sizes(law, q, f, q->stepping ? s : rate, value, natural);
  for (int j = 0; j < q->directions; j++) {
    if (!has_derivative(law->f64->info, j) || (j >= 3 + q->nstate && unused(law->f64->info, p, j - 3 - q->nstate)))
      continue;
    if (on_jump && j > BRISTLE_D_V) continue;
    slopes slope[1 + MAX_STATE];
    double scale = fmax(fabs(q->y[j]), j == 0 ? 1e-6 : j == 1 ? 1e-6 : j < 3 + q->nstate ? 1e-6 : 1e-3);
    difference(q, j, scale, value, natural, slope);
    for (int i = 0; i <= q->nstate; i++) {
      const double mine = i ? d[(i - 1) * q->directions + j] : df[j];
      CHECK(isfinite(mine), "%s d out %d / d %d", law->name, i, j);
      t->compared += slope[i].same && slope[i].smooth;
      t->kinks += slope[i].same && !slope[i].smooth;
      t->jumps += !slope[i].same;
      CHECK(!slope[i].same || agrees(&slope[i], mine, 0.1 * natural[i] / scale, tolerance)
                || agrees_nearby(q, j, scale, value, natural, i, mine, tolerance)
                || unresolved(q, j, scale, value, natural, i),
            "%s %s: d out %d / d direction %d: generated %.15g, difference %.15g (left %.15g, right %.15g; v %g w %g h "
            "%g "
            "form %d, condition %g)",
            law->name, q->stepping ? "step" : "eval", i, j, mine, (double)slope[i].middle, (double)slope[i].left,
            (double)slope[i].right, in.v, in.w, in.h, in.load, condition);
    }
  }
}

/* a value of a parameter anywhere it is likely to be: around its default, at whole numbers, at a bound */
static double wide_value(const bristle_row *row)
{
  const double usual = row->initial[0], pick = between(0, 1);
  if (row->kind == BRISTLE_ROW_OPTION) return floor(between(row->lo, row->hi + 0.999));
  if (row->hi - row->lo <= 20) { /* exponents, shares, ratios */
    const double value = pick < 0.2 ? row->lo : between(row->lo, fmin(row->hi, row->lo + 3));
    return pick > 0.8 ? fmin(ceil(value), row->hi) : value;
  }
  if (row->lo == 0 && pick < 0.2) return 0;
  const double value = (usual != 0 ? usual : 0.3) * pow(10, between(-1, 1));
  return fmin(fmax(value, row->lo), row->hi);
}

static void wide_parameters(const bristle_law *law, double *p)
{
  const bristle_info *info = law->f64->info;
  for (int r = 0; r < info->param_rows; r++) {
    const double kept = p[info->param[r].first];
    if (info->param[r].count > 1 || between(0, 1) < 0.3) continue;
    p[info->param[r].first] = wide_value(&info->param[r]);
    if (bristle_check(law->f64, p, NULL) != BRISTLE_STATUS_OK) p[info->param[r].first] = kept;
  }
}

/* off thresholds that the motion landed on exactly: two precisions may see them from different sides */
static void step_off(const bristle_info *info, double *s)
{
  for (int r = 0; r < info->state_rows; r++)
    for (int i = 0; info->state[r].kind == BRISTLE_ROW_FLOW && i < info->state[r].count; i++)
      s[info->state[r].first + i] *= between(0.9, 0.999);
}

/* A point with parameters far from the defaults, reached by a long motion; two of three lie in sliding, the state as
   the motion left it: at its level to the last bit. */
static point wide_point(int index, const bristle_law *law, int stepping, int coupled)
{
  const bristle_info *info = law->f64->info;
  point q = { .law = index,
              .stepping = stepping,
              .directions = 3 + info->nstate + info->nparam,
              .nstate = info->nstate,
              .nparam = info->nparam };
  double *s = q.y + 3, *p = s + info->nstate;
  bristle_defaults(info, p);
  wide_parameters(law, p);
  q.in = (bristle_input){ .n = between(0.5, 2),
                          .h = pow(10, between(-4, -2)),
                          .load = (bristle_load)(3 * between(0, 0.999)) };
  const int sliding = between(0, 1) < 0.67;
  const double speed = between(-1, 1) * pow(10, between(-4, 0));
  for (int i = 0; i < 400; i++) {
    q.in.v = sliding && i > 200 ? speed : between(-1, 1) * pow(10, between(-5, -1.5));
    law->f64->step(p, s, &q.in, NULL);
    q.in.x += q.in.v * q.in.h;
  }
  /* leuven's elements leave over the last millionth before their level, which is finer than any difference */
  if (!strcmp(law->name, "leuven")) step_off(info, s);
  q.in.v = speed;
  q.in.f = between(-1, 1);
  q.in.a = between(-1, 1);
  if (coupled) {
    double t[MAX_STATE], v = q.in.v;
    memcpy(t, s, sizeof t);
    q.in.w = q.in.h * pow(10, between(-2, 1));
    bristle_input there = q.in;
    there.w = 0;
    q.in.v += q.in.w * law->f64->step(p, t, &there, NULL); /* so that it goes on at about this speed */
    if (!isfinite(q.in.v)) q.in.v = v;
    if (q.in.v == v) q.in.v *= 1.001; /* without friction it would go on at the very speed that a law may remember */
  }
  q.y[0] = q.in.v, q.y[1] = q.in.x, q.y[2] = q.in.n;
  return q;
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
    if (row->count == 1 && row->kind != BRISTLE_ROW_OPTION) {
      double value = p[row->first] * between(1, 1.2);
      if (value == 0) value = row->hi >= 1 ? between(0, 0.3) : 0;
      p[row->first] = fmin(value, row->hi);
    }
  }
  bristle_error error;
  if (bristle_check(law->f64, p, &error) != BRISTLE_STATUS_OK) bristle_defaults(info, p);
  random_skews(law->f64, p);
  q.in = (bristle_input){ .n = between(0.5, 2),
                          .h = pow(10, between(-4, -2)),
                          .load = (bristle_load)(3 * between(0, 0.999)) };
  for (int i = 0; i < 20; i++) {
    q.in.v = between(-1, 1) * pow(10, between(-5, -1.5));
    law->f64->step(p, s, &q.in, NULL);
  }
  step_off(info, s);
  q.in.v = between(-1, 1) * pow(10, between(-5, -1.5));
  q.in.x = between(-1e-4, 1e-4);
  q.in.f = between(-1, 1);
  q.in.a = between(-1, 1);
  q.in.w = coupled ? q.in.h * pow(10, between(-1, 2)) : 0;
  q.y[0] = q.in.v, q.y[1] = q.in.x, q.y[2] = q.in.n;
  return q;
}

static void compare_all(int first, int stepping, int coupled)
{
  for (int index = first; index < first + bristle_law_count(); index++) {
    const bristle_law *law = law_of(index);
    tally t = { 0 };
    for (int i = 0; i < test_share(60, 20); i++) {
      point q = random_point(index, law, stepping, coupled);
      compare(law, &q, &t);
    }
    CHECK(t.compared > 2 * (t.kinks + t.jumps) && t.compared > 0, "%s: only %ld compared, %ld at kinks, %ld at jumps",
          law->name, t.compared, t.kinks, t.jumps);
  }
}

static void compare_wide(int first, int stepping, int coupled)
{
  for (int index = first; index < first + bristle_law_count(); index++) {
    const bristle_law *law = law_of(index);
    tally t = { 0 };
    for (int i = 0; i < test_share(150, 40); i++) {
      point q = wide_point(index, law, stepping, coupled);
      compare(law, &q, &t);
    }
    CHECK(t.compared > 4 * t.jumps, "%s: only %ld compared, %ld at kinks, %ld at jumps", law->name, t.compared, t.kinks,
          t.jumps);
  }
}

TEST(wide_derivatives_of_eval_match_extended_differences) { compare_wide(0, 0, 0); }
TEST(wide_derivatives_of_the_prescribed_step_match_extended_differences) { compare_wide(0, 1, 0); }
TEST(wide_derivatives_of_the_coupled_step_match_extended_differences) { compare_wide(0, 1, 1); }
TEST(derivatives_of_eval_match_extended_differences) { compare_all(0, 0, 0); }
TEST(derivatives_of_the_prescribed_step_match_extended_differences) { compare_all(0, 1, 0); }
TEST(derivatives_of_the_coupled_step_match_extended_differences) { compare_all(0, 1, 1); }

/* the sensitivity step is the step's Jacobian applied along a path: compare with one long chain of Jacobians */
static void chain_sensitivities(int first)
{
  for (int index = first; index < first + bristle_law_count(); index++) {
    const bristle_law *law = law_of(index);
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

TEST(sensitivity_step_is_the_chain_of_step_derivatives) { chain_sensitivities(0); }

TEST(derivatives_of_skewed_laws_match_extended_differences)
{
  const unsigned long long kept = seed; /* the other tests go on with their own numbers */
  const int skewed = bristle_law_count();
  compare_all(skewed, 0, 0);
  compare_all(skewed, 1, 0);
  compare_all(skewed, 1, 1);
  chain_sensitivities(skewed);
  if (test_is_long()) {
    compare_wide(skewed, 1, 0);
    compare_wide(skewed, 1, 1);
  }
  seed = kept;
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
