#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* Dymore's figure 1: mu_k = 1; at the characteristic speed the smooth law has reached tanh 1 */
TEST(tanh_curve_has_the_values_of_the_manual)
{
  contact c = contact_of("tanh");
  CHECK_PRINTED(force_at(&c, 1e-3), "0.761594");
  CHECK_PRINTED(force_at(&c, 2e-3), "0.964028");
  CHECK(fabs(force_at(&c, 20e-3) - 1) < 1e-15, "fast sliding");
  set(&c, "fc", 2.5);
  set(&c, "sigma2", 4);
  for (double v = -5e-3; v < 5e-3; v += 3.7e-4) CHECK_ABS(force_at(&c, v), 2.5 * tanh(v / 1e-3) + 4 * v, 1e-14);
}

/* 2.7: under a load F < fc the body creeps at exactly vt atanh(F/fc), whatever the step */
TEST(tanh_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("tanh"), .mass = 0.01, .push = push, .a = { 0.5 } };
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 1e-3 * atanh(0.5), 1e-10);
    CHECK_PRINTED(r.v / 1e-3, "0.5493");
  }
}

TEST(tanh_step_is_its_curve)
{
  contact c = contact_of("tanh");
  CHECK_ABS(glide(&c, 4e-4, 1, 3), tanh(0.4), 1e-15);
  CHECK_ABS(steady_at(&c, -4e-4), -tanh(0.4), 1e-15);
}
