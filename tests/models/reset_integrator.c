#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* 3.2: (1 + a) sigma0 z in stick, sigma0 p0 in sliding */
TEST(reset_integrator_is_stiffer_until_it_breaks_away)
{
  contact c = contact_of("reset_integrator");
  set(&c, "sigma1", 0);
  CHECK_NEAR(glide(&c, 0.999e-5, 1, 3), 1.5 * 0.999, 1e-12);
  CHECK_NEAR(glide(&c, 1e-5, 1, 1000), 1.0, 1e-12);
  CHECK(c.s[0] == 1e-5, "z = %.17g", c.s[0]);
  CHECK_NEAR(glide(&c, 1e-3, 1, 1), 1.0, 1e-15);
  CHECK_NEAR(glide(&c, -0.25e-5, 1, 1), 1.5 * 0.75, 1e-12); /* back in stick at once */
}

/* section 9, away from the step that breaks: dp = clip(p + v h) - p, F = (1 + a) K p + B dp/h + viscous */
TEST(reset_integrator_follows_the_reference_step)
{
  contact c = contact_of("reset_integrator");
  set(&c, "sigma2", 0.7);
  double z = 0, h = 1e-3;
  int compared = 0;
  for (int i = 0; i < 400; i++) {
    double v = 8e-3 * sin(0.9 * i) * cos(0.37 * i * i), before = z;
    z = fmin(fmax(z + v * h, -1e-5), 1e-5);
    double held = fabs(z) < 1e-5, f = glide(&c, v, h, 1);
    int breaks = !held && z != before;
    if (!breaks) CHECK_ABS(f, 1e5 * z * (held ? 1.5 : 1) + held * 30 * (z - before) / h + 0.7 * v, 1e-12);
    if (!breaks) compared++;
    CHECK_ABS(c.s[0], z, 1e-20);
  }
  CHECK(compared > 100, "%d steps compared", compared);
}

/* a step that breaks away: between the two levels, continuous at both ends */
TEST(reset_integrator_force_is_continuous_in_the_velocity)
{
  double last = 0;
  for (int i = 0; i < 4000; i++) {
    contact c = contact_of("reset_integrator");
    set(&c, "sigma1", 0);
    double f = glide(&c, 1e-5 * i, 1e-3, 1);
    CHECK(fabs(f - last) < 2e-3, "jump of %g at v = %g", f - last, 1e-5 * i);
    CHECK(f <= 1.5 + 1e-12, "F = %g", f);
    last = f;
  }
  CHECK_NEAR(last, 1 + 0.5 * 1e-5 / (1e-5 * 3999 * 1e-3), 1e-12);
}

TEST(reset_integrator_eval_knows_both_phases)
{
  contact c = contact_of("reset_integrator");
  double rate;
  bristle_input in = { .v = 1e-3, .n = 1 };
  c.s[0] = 0.5e-5;
  CHECK_NEAR(c.model->eval(c.p, c.s, &in, &rate), 0.75 + 30e-3, 1e-14);
  CHECK(rate == 1e-3, "rate %g", rate);
  c.s[0] = 1e-5;
  CHECK_NEAR(c.model->eval(c.p, c.s, &in, &rate), 1.0, 1e-14);
  CHECK(rate == 0, "rate %g", rate);
}

TEST(reset_integrator_holds_up_to_its_static_level)
{
  for (double load = 0.5; load < 1.45; load += 0.4)
    for (double h = 1e-4; h < 0.2; h *= 10) {
      rig r = { .c = contact_of("reset_integrator"), .mass = 0.01, .push = constant_push, .a = { load } };
      double x1 = 0;
      set(&r.c, "sigma1", 2000); /* well damped: the load comes as a jump, and must not overshoot the break */
      for (long i = 0; i < lround(10 / h); i++) {
        rig_step(&r, h);
        if (i == lround(1 / h) - 1) x1 = r.x;
      }
      CHECK(fabs(r.x - x1) < 1e-12, "load %g h %g: moved %g", load, h, r.x - x1);
      CHECK_ABS(r.x, load / 1.5e5, 1e-9);
    }
}

TEST(reset_integrator_slides_above_its_static_level)
{
  rig r = { .c = contact_of("reset_integrator"), .mass = 0.01, .push = constant_push, .a = { 1.6 } };
  for (int i = 0; i < 1000; i++) rig_step(&r, 1e-3);
  CHECK_NEAR(r.v, 0.6 / 0.01, 0.02); /* accelerated by load - sigma0 p0 for one second */
}
