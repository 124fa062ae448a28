/* Torque-proportional gear loss. */
#include "support/law.h"

static contact gear(double torque)
{
  contact c = contact_of("gear");
  set(&c, "mu_avg", 0.1);
  set(&c, "mu_dif", 0.03);
  set(&c, "h0", 2e-3);
  set(&c, "sigma2", 0.5);
  c.n = torque;
  return c;
}

/* driving loses mu_avg + mu_dif of the torque, being driven mu_avg - mu_dif, always against the motion */
TEST(gear_loses_more_when_it_drives_than_when_it_is_driven)
{
  for (double torque = -50; torque <= 50; torque += 20)
    for (double v = -2; v <= 2; v += 4) {
      contact c = gear(torque);
      double share = torque * v > 0 ? 0.13 : 0.07, expected = copysign(share * fabs(torque), v) + 0.5 * v;
      CHECK_NEAR(steady_at(&c, v), expected, 1e-14);
      CHECK_NEAR(glide(&c, v, 1, 3), expected, 1e-14);
    }
}

/* z = s + (z0 - s) e^-(|x|/h0) along a stroke; F follows from the formula */
TEST(gear_step_is_exact_and_counts_only_the_path)
{
  contact c = gear(20);
  c.s[0] = -0.6;
  double z = 1 + (-0.6 - 1) * exp(-3e-3 / 2e-3);
  CHECK_NEAR(glide(&c, 0.01, 0.3, 1), 0.1 * 20 * z + 0.03 * 20 * z * z + 0.5 * 0.01, 1e-14);
  CHECK_NEAR(c.s[0], z, 1e-14);
  contact slow = gear(20);
  slow.s[0] = -0.6;
  glide(&slow, 1e-4, 30, 100);
  CHECK_NEAR(slow.s[0], z, 1e-12);
  double rate[MAX_STATE];
  bristle_input in = { .v = -0.3, .n = 20 };
  slow.model->eval(slow.p, slow.s, &in, rate);
  CHECK_NEAR(rate[0], (-0.3 - 0.3 * z) / 2e-3, 1e-12);
}

/* turning the drawing round flips speed, state and torque; flipping without the torque is another situation */
TEST(gear_is_odd_only_together_with_its_torque)
{
  contact a = gear(20), b = gear(-20), c = gear(20);
  double fa = glide(&a, 0.3, 5e-3, 1);
  CHECK_NEAR(-glide(&b, -0.3, 5e-3, 1), fa, 1e-15);
  CHECK(fabs(glide(&c, -0.3, 5e-3, 1) + fa) > 0.1, "mu_dif must tell driving from driven");
  CHECK(!(a.model->info->traits & BRISTLE_TRAIT_ODD), "the trait is about speed and state alone");
}

/* with |mu_dif| = mu_avg, the worst allowed: work minus stored energy never falls, at constant torque */
TEST(gear_is_passive_up_to_the_rule)
{
  for (double torque = -20; torque <= 20; torque += 40) {
    contact c = gear(torque);
    set(&c, "mu_dif", 0.1);
    set(&c, "sigma2", 0);
    double rate[MAX_STATE], least = 0;
    for (double z = -1; z <= 1.0001; z += 0.01)
      for (double v = -1; v <= 1; v += 2) {
        const double e = 1e-6;
        bristle_input in = { .v = v, .n = torque };
        contact lo = c, hi = c;
        c.s[0] = z, lo.s[0] = z - e, hi.s[0] = z + e;
        double slope = (c.model->energy(c.p, hi.s, &in) - c.model->energy(c.p, lo.s, &in)) / (2 * e);
        double f = c.model->eval(c.p, c.s, &in, rate);
        least = fmin(least, f * v - slope * rate[0]);
        CHECK(c.model->energy(c.p, c.s, &in) >= 0, "stored energy at z = %g", z);
      }
    CHECK(least > -1e-7, "dissipates %g", least);
  }
  contact c = gear(1);
  set(&c, "mu_dif", -0.11);
  CHECK(bristle_check(c.model, c.p, NULL) == BRISTLE_STATUS_RULE_BROKEN, "gains energy");
}

TEST(gear_coefficient_form_is_the_force_form_under_a_positive_torque)
{
  contact a = gear(20), b = gear(20);
  b.load = BRISTLE_LOAD_COEFFICIENT;
  bristle_convert(a.model->info, a.p, BRISTLE_LOAD_FORCE, b.p, b.load, 20);
  for (double v = -0.3; v < 0.3; v += 0.07) {
    double f = glide(&a, v, 5e-3, 1);
    CHECK_ABS(glide(&b, v, 5e-3, 1), f, 1e-13);
  }
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

TEST(gear_holds_half_its_level_both_ways)
{
  const double load[] = { 0.5 * 0.13 * 20, -0.5 * 0.07 * 20 };
  for (int side = 0; side < 2; side++)
    for (double h = 1e-4; h < 0.2; h *= 10) {
      rig r = { .c = gear(20), .mass = 0.01, .push = half, .a = { load[side] } };
      for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
      double x = r.x;
      for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
      CHECK_ABS(r.x, x, 1e-12);
      CHECK(x * load[side] > 0, "moved to %g", x);
    }
}
