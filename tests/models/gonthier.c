/* Gonthier: dwell-time dependent static friction on a bristle. */
#include "support/law.h"

static double direction(double v, double ve)
{
  return fabs(v) >= ve ? copysign(1, v) : v / ve * (1.5 - 0.5 * v * v / (ve * ve));
}

TEST(gonthier_eval_is_the_formula)
{
  for (double v = -4e-3; v <= 4e-3; v += 3.3e-6)
    for (double z = -2e-5; z <= 2e-5; z += 1e-5) {
      contact c = contact_1995("gonthier");
      set(&c, "ve", 1e-4);
      c.s[0] = z, c.s[1] = 0.3;
      double s = exp(-v * v / 1e-6), rate[MAX_STATE], s1 = sqrt(1e5);
      double dz = s * v + (1 - s) * (1 / s1 * direction(v, 1e-4) - 1e5 / s1 * z), most = 1 + 0.5 * 0.3;
      bristle_input in = { .v = v };
      double f = c.model->eval(c.p, c.s, &in, rate);
      CHECK_ABS(f, fmax(-most, fmin(most, 1e5 * z + s1 * dz)) + 0.4 * v, 1e-12);
      CHECK_ABS(rate[0], dz, 1e-15);
      CHECK_NEAR(rate[1], (s - 0.3) / (s >= 0.3 ? 0.5 : 3.162278e-3), 1e-12);
    }
}

/* both states in closed form, for any step: one step is many */
TEST(gonthier_step_is_the_closed_form)
{
  const double speeds[] = { 0, 2e-7, 3e-5, -4e-4, 2e-3, -0.3 };
  for (int i = 0; i < 6; i++)
    for (double t = 1e-5; t < 2; t *= 10) {
      contact c = contact_1995("gonthier"), many = c;
      double v = speeds[i], s = exp(-v * v / 1e-6), B = -expm1(-v * v / 1e-6) * sqrt(1e5), z0 = 4e-6;
      double A = s * v - expm1(-v * v / 1e-6) * direction(v, 1e-5) / sqrt(1e5);
      c.s[0] = many.s[0] = z0, c.s[1] = many.s[1] = 0.6;
      double z = B * t < 1e-9 ? z0 + (A - B * z0) * t : A / B + (z0 - A / B) * exp(-B * t);
      double f = glide(&c, v, t, 1), g = glide(&many, v, t, 300);
      CHECK_ABS(c.s[0], z, 1e-9 * (fabs(z) + 1e-6));
      CHECK_ABS(c.s[1], s + (0.6 - s) * exp(-t / (s >= 0.6 ? 0.5 : 3.162278e-3)), 1e-15);
      CHECK_ABS(f, g, 1e-10);
      CHECK_ABS(f, force_at(&c, v), 1e-12); /* the force at the end of the step is the law's own */
    }
}

/* steady: the limit fc + (fs - fc) s where the bristle can fill it, which in slow sliding it always does */
TEST(gonthier_steady_is_a_stribeck_curve)
{
  contact c = contact_1995("gonthier");
  for (double v = 1.1e-5; v < 0.9e-3; v *= 1.5) {
    CHECK_NEAR(steady_at(&c, v), 1 + 0.5 * exp(-v * v / 1e-6) + 0.4 * v, 1e-13);
    CHECK_NEAR(steady_at(&c, -v), -steady_at(&c, v), 1e-15);
  }
  CHECK_NEAR(steady_at(&c, 0.1), 1.04, 1e-13);
  double s = exp(-9e-6 / 1e-6), open = 1 + sqrt(1e5) * 3e-3 * s / (1 - s);
  CHECK_NEAR(steady_at(&c, 3e-3), fmin(open, 1 + 0.5 * s) + 0.4 * 3e-3, 1e-13);
  CHECK(steady_at(&c, 0) == 0, "at rest");
}

/* the break-away force grows with the time at rest: fc + (fs - fc)(1 - e^-(t/tau_dw)) */
TEST(gonthier_break_away_grows_with_the_dwell_time)
{
  for (double rest = 0.01; rest < 10; rest *= 3) {
    contact c = contact_1995("gonthier");
    glide(&c, 0.1, 1, 1000);
    glide(&c, 0, rest, 1);
    double most = 0;
    for (int i = 0; i < 4000; i++) most = fmax(most, glide(&c, 5e-5, 1e-4, 1)); /* slow: 20 um in 0.4 s */
    double least = 1 + 0.5 * (1 - exp(-rest / 0.5)), last = 1 + 0.5 * (1 - exp(-(rest + 0.4) / 0.5));
    CHECK(most >= least - 5e-3 && most <= last + 1e-3, "after %g s: %g, expected %g..%g", rest, most, least, last);
  }
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0.75;
}

TEST(gonthier_holds_half_its_level_without_drift)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_1995("gonthier"), .mass = 0.01, .push = half };
    for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
    double x = r.x;
    for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
    CHECK_ABS(r.x, x, 1e-12);
  }
}
