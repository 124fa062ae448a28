/* Modified Leuven: Maxwell elements behind a state that stops at the Stribeck level. */
#include "support/law.h"

static const double k[] = { 4e4, 3e4, 2e4, 1e4 }, share[] = { 0.1, 0.2, 0.3, 0.4 };
static double level(double v) { return 1 + 0.5 * exp(-(v / 1e-3) * (v / 1e-3)); }

static contact leuven(double n)
{
  contact c = contact_of("leuven");
  set_vector(&c, "k", 4, k);
  set_vector(&c, "alpha", 4, share);
  set(&c, "n", n);
  set(&c, "sigma1", 100);
  return c;
}

/* the equation, written out: z, its elements and the force */
static double formula(const double *z, double v, double n, double *dz)
{
  double force = 0;
  for (int i = 0; i < 4; i++) force += fmax(-1.5 * share[i], fmin(1.5 * share[i], k[i] * z[i]));
  double r = v == 0 ? 0 : force / copysign(level(v), v);
  *dz = v * (1 - copysign(pow(fabs(r), n), r));
  return force + 100 * *dz + 0.4 * v;
}

TEST(leuven_eval_is_the_formula)
{
  for (double n = 0.5; n <= 3; n += 0.5)
    for (double v = -3e-3; v <= 3e-3; v += 5e-4)
      for (double z = -2e-5; z <= 2e-5; z += 3e-6) {
        contact c = leuven(n);
        for (int i = 0; i < 4; i++) c.s[i] = fmax(-1.5 * share[i] / k[i], fmin(1.5 * share[i] / k[i], z));
        double dz, f = formula(c.s, v, n, &dz), rate[MAX_STATE];
        bristle_input in = { .v = v };
        CHECK_ABS(c.model->eval(c.p, c.s, &in, rate), f, 1e-12);
        CHECK_ABS(rate[3], fabs(c.s[3]) < 1.5 * share[3] / k[3] ? dz : 0, 1e-15);
      }
}

/* n = 1 and one element that does not slip: dF/dx = k (1 - F/g), the curve of Dahl and LuGre */
TEST(leuven_with_one_element_and_exponent_one_is_lugre)
{
  const double one = 1e5, whole = 1;
  for (double t = 1e-5; t < 1; t *= 10) {
    contact c = contact_of("leuven"), d = contact_1995("lugre");
    set_vector(&c, "k", 1, &one);
    set_vector(&c, "alpha", 1, &whole);
    set(&c, "n", 1);
    set(&c, "sigma1", sqrt(1e5));
    double f = glide(&d, 2e-3, t, 1);
    CHECK_NEAR(glide(&c, 2e-3, t, 1), f, 1e-12);
    double g = glide(&d, -5e-3, t, 1);
    CHECK_NEAR(glide(&c, -5e-3, t, 1), g, 1e-12);
  }
}

/* One step against many: loading, reversal, and speeding up, where the level falls below the force. */
TEST(leuven_step_is_accurate_for_any_length_and_never_passes_the_level)
{
  double worst = 0;
  for (double n = 0.5; n <= 3; n += 0.5)
    for (double path = 1e-8; path < 1e-2; path *= 3)
      for (int from = -1; from <= 1; from++) {
        const double v = 2e-3;
        contact one = leuven(n);
        glide(&one, from * 1e-5, 1, 100); /* to +-0.15..1.5 N or nothing */
        contact many = one;
        double start = 0, end = 0, fine = 0;
        for (int i = 0; i < 4; i++) start += k[i] * one.s[i];
        glide(&one, v, path / v, 1);
        glide(&many, v, path / v, 1000);
        for (int i = 0; i < 4; i++) end += k[i] * one.s[i], fine += k[i] * many.s[i];
        worst = fmax(worst, fabs(end - fine));
        CHECK(end <= fmax(level(v), start) + 1e-12, "passed the level: %g -> %g", start, end);
        CHECK(start > level(v) || end >= start - 1e-12, "fell: %g -> %g", start, end);
        CHECK(start <= level(v) || end >= level(v) - 1e-12, "fell through the level: %g -> %g", start, end);
      }
  CHECK(worst < 5e-3, "one step is off by %g N", worst);
}

TEST(leuven_error_falls_with_the_square_of_the_step)
{
  double f[4];
  const int steps[] = { 4, 8, 16, 4000 };
  for (int j = 0; j < 4; j++) {
    contact c = leuven(2);
    glide(&c, 2e-3, 0.01, steps[j]);
    f[j] = 0;
    for (int i = 0; i < 4; i++) f[j] += k[i] * c.s[i];
  }
  double e0 = fabs(f[0] - f[3]), e2 = fabs(f[2] - f[3]);
  CHECK(e0 < 1e-4 && e2 < e0 / 8, "errors %g and %g", e0, e2);
}

TEST(leuven_step_is_the_equation_by_runge_kutta)
{
  contact c = leuven(2);
  double h = 1e-6, time = 8e-3, v = 2e-3;
  for (int j = 0; j < time / h; j++) {
    double r[4][MAX_STATE], z[MAX_STATE];
    memcpy(z, c.s, sizeof z);
    for (int m = 0; m < 4; m++) {
      bristle_input in = { .v = v };
      for (int i = 0; i < 4; i++) c.s[i] = m ? z[i] + (m == 3 ? h : h / 2) * r[m - 1][i] : z[i];
      c.model->eval(c.p, c.s, &in, r[m]);
    }
    for (int i = 0; i < 4; i++) c.s[i] = z[i] + h / 6 * (r[0][i] + 2 * r[1][i] + 2 * r[2][i] + r[3][i]);
  }
  contact d = leuven(2);
  glide(&d, v, time, 400);
  for (int i = 0; i < 4; i++) CHECK_ABS(d.s[i], c.s[i], 1e-9);
}

TEST(leuven_remembers_reversal_points)
{
  contact c = leuven(4);
  const double v = 1e-6;
  glide(&c, v, 10, 100);
  double f = force_at(&c, 0);
  glide(&c, -v, 4, 40);
  glide(&c, v, 2, 20);
  glide(&c, -v, 2, 20);
  double minor = force_at(&c, 0);
  contact d = leuven(4);
  glide(&d, v, 10, 100);
  glide(&d, -v, 4, 40);
  CHECK_ABS(minor, force_at(&d, 0), 5e-3); /* the minor loop closes, but for the small creep |r|^n */
  CHECK(f - minor > 0.2, "%g and %g", f, minor);
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0.75;
}

TEST(leuven_holds_half_its_level_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = leuven(2), .mass = 0.01, .push = half };
    for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
    double x = r.x;
    for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
    CHECK_ABS(r.x, x, 1e-12);
  }
}
