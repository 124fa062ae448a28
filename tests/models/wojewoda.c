#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

static contact sample(void)
{
  contact c = contact_of("wojewoda");
  set(&c, "fc", 2);
  set(&c, "fs", 2.6);
  set(&c, "a1", 30);
  set(&c, "a2", 50);
  set(&c, "sigma2", 0.4);
  return c;
}

/* 2.13: fc (1 + r G1) speeding up, fc (1 - r G2) slowing down, r = (fs - fc)/fc, G = exp(-a_i |v|/|a|) */
TEST(wojewoda_eval_has_the_two_branches)
{
  contact c = sample();
  for (double v = -0.2; v < 0.21; v += 0.1)
    for (double a = -3; a < 3.1; a += 1.5) {
      if (fabs(v) < 1e-9) continue;
      double rate, r = 0.3, g = fabs(a) < 1e-9 ? 0 : v * a > 0 ? exp(-30 * fabs(v / a)) : -exp(-50 * fabs(v / a));
      bristle_input in = { .v = v, .a = fabs(a) < 1e-9 ? 0 : a, .n = 1 };
      CHECK_NEAR(c.model->eval(c.p, c.s, &in, &rate), copysign(2 * (1 + r * g), v) + 0.4 * v, 1e-14);
    }
}

/* the step takes the mean acceleration over the step, from the velocity it remembers */
TEST(wojewoda_step_measures_the_acceleration_itself)
{
  contact c = sample();
  double h = 1e-3, v = 0, rate;
  for (int i = 0; i < 500; i++) {
    double before = v;
    v = 0.1 * sin(0.02 * i + 0.1);
    bristle_input in = { .v = v, .a = (v - before) / h, .n = 1 };
    CHECK_ABS(glide(&c, v, h, 1), c.model->eval(c.p, c.s, &in, &rate), 1e-12);
  }
}

TEST(wojewoda_loop_runs_above_the_level_upwards_and_below_it_downwards)
{
  contact c = sample();
  double up = 0, down = 0;
  for (int i = 1; i <= 200; i++) {
    double v = 1e-4 * (i <= 100 ? i : 201 - i), f = glide(&c, v, 1e-3, 1) - 0.4 * v;
    if (i == 50) up = f;
    if (i == 151) down = f;
  }
  CHECK_NEAR(up, 2 + 0.6 * exp(-30 * 0.05), 1e-12); /* v = 5e-3 at 0.1 m/s^2 */
  CHECK_NEAR(down, 2 - 0.6 * exp(-50 * 0.05), 1e-12);
}

TEST(wojewoda_starts_at_the_static_level)
{
  contact c = sample();
  CHECK_NEAR(glide(&c, 1e-9, 1e-7, 1), 2.6, 1e-5);
  CHECK(steady_at(&c, 0) == 0, "steady at rest");
  CHECK_NEAR(steady_at(&c, -1), -2.4, 1e-15);
}

TEST(wojewoda_holds_below_the_static_level_and_slides_above_it)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("wojewoda"), .mass = 0.01, .push = constant_push, .a = { 1.49 } };
    for (long i = 0; i < lround(1 / h); i++) rig_step(&r, h);
    CHECK(r.x == 0 && r.v == 0 && fabs(r.force - 1.49) < 1e-12, "h %g: x %g F %g", h, r.x, r.force);
    r.a[0] = 1.51;
    for (long i = 0; i < lround(1 / h); i++) rig_step(&r, h);
    CHECK(r.v > 1, "h %g: v %g", h, r.v); /* m dv/dt = 1.51 - F with fc < F < fs */
  }
}

/* more than 2 fc would drive a body that slows down, so the set is refused */
TEST(wojewoda_refuses_a_force_that_drives)
{
  contact c = contact_of("wojewoda");
  bristle_error error;
  set(&c, "fs", 2.1);
  CHECK(bristle_check(c.model, c.p, &error) == BRISTLE_STATUS_RULE_BROKEN, "accepted");
  set(&c, "fs", 1.9);
  CHECK(bristle_check(c.model, c.p, &error) == BRISTLE_STATUS_OK, "refused");
}
