#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* 2.16: nothing below v0, a line to fc at v1, fc beyond */
TEST(ambrosio_curve_is_its_formula)
{
  contact c = contact_of("ambrosio");
  set(&c, "fc", 2);
  set(&c, "sigma2", 3);
  for (double v = -3e-3; v < 3e-3; v += 7.7e-5) {
    double a = fabs(v), dry = a < 1e-4 ? 0 : a < 1e-3 ? 2 * (a - 1e-4) / 9e-4 : 2;
    CHECK_ABS(force_at(&c, v), copysign(dry, v) + 3 * v, 1e-14);
  }
  set(&c, "sigma2", 0);
  CHECK_ABS(force_at(&c, 0.99e-4), 0, 0);
  CHECK_ABS(force_at(&c, 5.5e-4), 1, 1e-15);
}

/* the dead band: a body below v0 coasts; under load it creeps at v0 + (v1 - v0) F/fc */
TEST(ambrosio_coasts_and_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("ambrosio"), .mass = 0.01, .push = push, .v = 0.5e-4 };
    for (int i = 0; i < 100; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 0.5e-4, 1e-12);
    r.a[0] = 0.5;
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 5.5e-4, 1e-10);
    r.a[0] = -0.2;
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, -(1e-4 + 9e-4 * 0.2), 1e-10);
  }
}

TEST(ambrosio_without_dead_band_is_a_ramp)
{
  contact c = contact_of("ambrosio");
  set(&c, "v0", 0);
  CHECK(c.model->rules(c.p, NULL, 0) == 0, "v0 = 0");
  for (double v = -9e-4; v < 1e-3; v += 1e-4) CHECK_ABS(force_at(&c, v), v / 1e-3, 1e-15);
  set(&c, "v0", 1e-3);
  CHECK(c.model->rules(c.p, NULL, 0) == 1, "v0 = v1");
}
