#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

TEST(threlfall_curve_is_its_formula)
{
  contact c = contact_of("threlfall");
  set(&c, "fc", 2);
  set(&c, "sigma2", 3);
  for (double v = -3e-3; v < 3e-3; v += 7.7e-5) {
    double a = fabs(v), dry = a < 1e-3 ? 2 * (1 - exp(-3 * a / 1e-3)) : 2;
    CHECK_ABS(force_at(&c, v), copysign(dry, v) + 3 * v, 1e-15);
  }
}

/* 2.14: 0.950 fc on the left of v0, fc on the right, as printed */
TEST(threlfall_jumps_at_v0_as_printed)
{
  contact c = contact_of("threlfall");
  CHECK_PRINTED(force_at(&c, 1e-3 * (1 - 1e-12)), "0.950");
  CHECK_ABS(force_at(&c, 1e-3), 1, 0);
}

/* v = (v0/3) ln(fc/(fc - F)), 0.2310 v0 at half load; a load inside the gap is carried at v0 */
TEST(threlfall_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("threlfall"), .mass = 0.01, .push = push, .a = { 0.5 } };
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 1e-3 / 3 * log(2), 1e-10);
    CHECK_PRINTED(r.v / 1e-3, "0.2310");
    r.a[0] = 0.97;
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 1e-3, 1e-9);
    CHECK_NEAR(r.force, 0.97, 1e-6);
  }
}

TEST(threlfall_step_is_its_curve)
{
  contact c = contact_of("threlfall");
  CHECK_ABS(glide(&c, -4e-4, 1, 3), expm1(-1.2), 1e-15);
}
