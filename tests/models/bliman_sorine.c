#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

static contact second_order(double f1, double f2, double ef, double eta)
{
  contact c = contact_of("bliman_sorine");
  set(&c, "f1", f1);
  set(&c, "f2", f2);
  set(&c, "ef", ef);
  set(&c, "eta", eta);
  return c;
}

/* 3.3: from rest F(s) = f1 (1 - exp(-s/(eta ef))) - f2 (1 - exp(-s/ef)), in one step or in many */
TEST(bliman_sorine_virgin_curve_is_the_closed_form)
{
  for (int steps = 1; steps < 200; steps *= 13)
    for (double s = 1e-6; s < 1e-2; s *= 3) {
      contact c = second_order(3, 1.8, 2e-4, 0.35);
      double expected = 3 * (1 - exp(-s / 7e-5)) - 1.8 * (1 - exp(-s / 2e-4));
      CHECK_NEAR(glide(&c, s, 1, steps), expected, 1e-12);
    }
}

/* 3.3: the peak comes after s* = eta ef/(1 - eta) ln(f1/(eta f2)) */
TEST(bliman_sorine_peak_is_where_the_formula_says)
{
  double f1 = 2, f2 = 1, ef = 1e-4, eta = 0.2, at = eta * ef / (1 - eta) * log(f1 / (eta * f2)), best = 0, where = 0;
  contact c = second_order(f1, f2, ef, eta);
  for (int i = 1; i <= 20000; i++) {
    double f = glide(&c, 1e-4, 1e-4, 1);
    if (f > best) best = f, where = i * 1e-8;
  }
  CHECK_ABS(where, at, 2e-8);
  CHECK_NEAR(best, f1 * (1 - exp(-at / (eta * ef))) - f2 * (1 - exp(-at / ef)), 1e-8);
  CHECK_NEAR(steady_at(&c, 0.3), f1 - f2, 1e-15);
}

/* the reference step of section 9, in forces, along a path with many reversals */
TEST(bliman_sorine_follows_the_reference_step)
{
  double f1 = 2.5, f2 = 1.1, ef = 1e-4, eta = 0.3, x1 = 0, x2 = 0;
  contact c = second_order(f1, f2, ef, eta);
  for (int i = 0; i < 300; i++) {
    double dx = 1e-4 * sin(0.8 * i) * cos(0.31 * i * i), d = dx < 0 ? -1 : 1;
    x1 = d * f1 + (x1 - d * f1) * exp(-fabs(dx) / (eta * ef));
    x2 = -d * f2 + (x2 + d * f2) * exp(-fabs(dx) / ef);
    CHECK_ABS(glide(&c, dx / 0.01, 0.01, 1), x1 + x2, 1e-13);
  }
}

/* P11: order 1 is Dahl with delta = 1, fc = f1, sigma0 = f1/ef */
TEST(bliman_sorine_of_order_one_is_dahl)
{
  contact a = contact_of("bliman_sorine"), b = contact_of("dahl");
  set(&a, "order", 1);
  set(&a, "f1", 1.7);
  set(&a, "ef", 2e-5);
  set(&a, "sigma2", 0.3);
  set(&b, "fc", 1.7);
  set(&b, "sigma0", 1.7 / 2e-5);
  set(&b, "sigma2", 0.3);
  bristle_input in = { .n = 1 };
  for (int i = 0; i < 300; i++) {
    double v = 3e-4 * sin(0.8 * i) * cos(0.31 * i * i);
    CHECK_ABS(glide(&a, v, 0.05, 1), glide(&b, v, 0.05, 1), 1e-13);
    CHECK_NEAR(a.model->energy(a.p, a.s, &in), b.model->energy(b.p, b.s, &in), 1e-12);
  }
}

TEST(bliman_sorine_step_equals_its_rates_integrated_finely)
{
  contact c = contact_of("bliman_sorine");
  c.s[0] = -0.3;
  c.s[1] = 0.5;
  double y[2] = { -0.3, 0.5 }, h = 1e-4, rate[2], k[2], v = -1e-4;
  bristle_input in = { .v = v, .n = 1 };
  for (int n = 0; n < 10000; n++) {
    c.model->eval(c.p, y, &in, rate);
    double middle[2] = { y[0] + 0.5 * h * rate[0], y[1] + 0.5 * h * rate[1] };
    c.model->eval(c.p, middle, &in, k);
    y[0] += h * k[0], y[1] += h * k[1];
  }
  CHECK_NEAR(glide(&c, v, 1, 1), 2 * y[0] - y[1], 1e-6);
}

TEST(bliman_sorine_holds_half_its_level_without_drift)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("bliman_sorine"), .mass = 0.01, .push = constant_push };
    double x1 = 0;
    for (long i = 0; i < lround(10 / h); i++) {
      r.a[0] = fmin(0.7, 1.4 * (double)i * h); /* brought up within half a second */
      rig_step(&r, h);
      if (i == lround(1 / h) - 1) x1 = r.x;
    }
    CHECK(fabs(r.x - x1) < 1e-12 && r.x < 1e-4, "h %g: x %g moved %g", h, r.x, r.x - x1);
  }
}
