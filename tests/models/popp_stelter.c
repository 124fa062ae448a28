#include "support/law.h"

static double constant(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* 2.19, the published example 0.4, 0.1, 1.42 s/m, 0.01 s^2/m^2 */
TEST(popp_stelter_curve_is_its_formula)
{
  contact c = contact_of("popp_stelter");
  for (double v = 1e-3; v < 30; v *= 1.6) {
    double f = (0.4 - 0.1) / (1 + 1.42 * v) + 0.1 + 0.01 * v * v;
    CHECK_NEAR(force_at(&c, v), f, 1e-14);
    CHECK_NEAR(force_at(&c, -v), -f, 1e-14);
  }
  CHECK_NEAR(force_at(&c, 1e-300), 0.4, 1e-15);
}

/* as a coefficient law it is the same formula times the load */
TEST(popp_stelter_is_the_same_law_for_coefficients)
{
  contact c = contact_of("popp_stelter");
  c.load = BRISTLE_LOAD_COEFFICIENT, c.n = 50;
  CHECK_NEAR(force_at(&c, 2), 50 * (0.3 / 3.84 + 0.1 + 0.04), 1e-14);
}

/* the unbounded l2 v^2 must not lose the root: the balance closes for every speed and compliance */
TEST(popp_stelter_coupled_step_closes_at_any_speed)
{
  contact c = contact_of("popp_stelter");
  for (double l2 = 1e-6; l2 < 1e7; l2 *= 100) {
    set(&c, "l2", l2);
    for (double v = 1e-4; v < 1e5; v *= 7)
      for (double w = 1e-6; w < 1e4; w *= 13) {
        bristle_input in = { .v = v, .n = 1, .w = w, .h = 1e-3 };
        double u, f = c.model->step(c.p, c.s, &in, &u);
        CHECK_ABS(u, v - w * f, 1e-12 * v);
        if (v <= w * 0.4) CHECK(u == 0, "v %g w %g", v, w);
        else CHECK(u > 0 && fabs(force_at(&c, u) - f) <= 1e-9 * f, "l2 %g v %g w %g: u %g f %g", l2, v, w, u, f);
      }
  }
}

TEST(popp_stelter_holds_half_its_static_load_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("popp_stelter"), .mass = 0.01, .push = constant, .v = 1, .a = { 0.2 } };
    while (r.t < 1) rig_step(&r, h);
    double x = r.x;
    while (r.t < 10) rig_step(&r, h);
    CHECK(r.x == x && r.v == 0, "h %g: moved %g", h, r.x - x);
    r.a[0] = 0.41;
    for (int i = 0; i < 10; i++) rig_step(&r, h);
    CHECK(r.v > 0, "held more than fs");
  }
}
