#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

TEST(bengisu_akay_curve_is_its_formula)
{
  contact c = contact_of("bengisu_akay");
  set(&c, "sigma2", 3);
  const double fs = 1.5, fc = 1, v0 = 1e-4, xi = 1e3;
  for (double v = -3e-3; v < 3e-3; v += 1.7e-5) {
    double a = fabs(v);
    double dry = a < v0 ? fs - fs / (v0 * v0) * (a - v0) * (a - v0) : fc + (fs - fc) * exp(-xi * (a - v0));
    CHECK_ABS(force_at(&c, v), copysign(dry, v) + 3 * v, 1e-14);
  }
}

/* 2.15: continuous at v0, where it has exactly the static level and its maximum */
TEST(bengisu_akay_peaks_at_fs)
{
  contact c = contact_of("bengisu_akay");
  CHECK_ABS(force_at(&c, 1e-4), 1.5, 1e-15);
  CHECK_ABS(force_at(&c, 1e-4 * (1 - 1e-9)), 1.5, 1e-12);
  for (double v = 1e-6; v < 1; v *= 1.1) CHECK(force_at(&c, v) <= 1.5, "v = %g", v);
}

/* v = v0 (1 - sqrt(1 - F/fs)), 0.2929 v0 at fs/2 */
TEST(bengisu_akay_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("bengisu_akay"), .mass = 0.01, .push = push, .a = { 0.75 } };
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 1e-4 * (1 - sqrt(0.5)), 1e-10);
    CHECK_PRINTED(r.v / 1e-4, "0.2929");
  }
}

TEST(bengisu_akay_refuses_a_static_level_below_the_coulomb_level)
{
  contact c = contact_of("bengisu_akay");
  CHECK(c.model->rules(c.p, NULL, 0) == 0, "defaults");
  set(&c, "fs", 0.5);
  CHECK(c.model->rules(c.p, NULL, 0) == 1, "fs < fc");
}
