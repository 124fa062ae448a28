#include "support/law.h"

static contact curve(double fc, double b, double n)
{
  contact c = contact_of("power");
  set(&c, "fc", fc), set(&c, "b", b), set(&c, "n", n);
  return c;
}

TEST(power_curves_are_their_formula)
{
  for (double n = 0.05; n <= 5; n *= 1.5)
    for (double v = 1e-9; v < 10; v *= 7) {
      contact c = curve(2, 3, n);
      CHECK_NEAR(force_at(&c, v), 2 + 3 * pow(v, n), 1e-14);
      CHECK_NEAR(force_at(&c, -v), -(2 + 3 * pow(v, n)), 1e-14);
    }
}

TEST(power_of_one_is_coulomb)
{
  contact c = curve(2, 3, 1), other = contact_of("coulomb");
  set(&other, "fc", 2), set(&other, "sigma2", 3);
  for (double v = -2; v <= 2; v += 0.25) CHECK_NEAR(force_at(&c, v), force_at(&other, v), 1e-15);
}

/* the slope of |v|^n is infinite at rest: neither value nor derivative may become 0/0 */
TEST(power_below_one_is_finite_at_rest)
{
  for (double n = 0.05; n < 1; n += 0.05) {
    contact c = curve(1, 2, n);
    bristle_input in = { .n = 1, .f = 0.4 };
    double rate[1], df[8] = { 0 }, none[8];
    CHECK_NEAR(c.model->eval(c.p, c.s, &in, rate), 0.4, 1e-15);
    CHECK_NEAR(c.law->diff->eval(c.p, c.s, &in, rate, df, none), 0.4, 1e-15);
    for (int j = 0; j < c.law->diff->directions; j++)
      CHECK(isfinite(df[j]), "n = %g: derivative %d is %g", n, j, df[j]);
    in.v = 1e-300;
    CHECK_NEAR(c.model->eval(c.p, c.s, &in, rate), 1 + 2 * pow(1e-300, n), 1e-14);
  }
}

/* u + w (fc + b u^n) = v has one root: the step finds it however steep the curve is there */
TEST(power_coupled_step_meets_the_curve)
{
  for (double n = 0.05; n < 3; n *= 1.4)
    for (double w = 1e-6; w < 1e3; w *= 30)
      for (double v = 1e-9; v < 10; v *= 50) {
        contact c = curve(0.5, 2, n);
        bristle_input in = { .v = v, .n = 1, .w = w, .h = 1e-3 };
        double u, f = c.model->step(c.p, c.s, &in, &u);
        if (v <= 0.5 * w) {
          CHECK(u == 0, "n %g, w %g, v %g: u = %g", n, w, v, u);
          continue;
        }
        CHECK_ABS(u + w * f, v, 1e-12 * v);
        if (u > 1e-14 * v) CHECK_NEAR(f, 0.5 + 2 * pow(u, n), 1e-6);
      }
}
