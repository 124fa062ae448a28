#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* C2: F = fc [1 - (1 - F0/fc) exp(-sigma0 x/fc)] for v > 0 and its mirror for v < 0, in one step of any length */
TEST(dahl_exponential_branches_are_exact_in_one_step)
{
  contact c = contact_of("dahl");
  set(&c, "fc", 2);
  double x = 3e-5, up = 2 * (1 - exp(-1e5 * x / 2)), down = -2 * (1 - (1 + up / 2) * exp(-1e5 * 2 * x / 2));
  CHECK_NEAR(glide(&c, x / 0.5, 0.5, 1), up, 1e-14);
  CHECK_NEAR(glide(&c, -2 * x / 0.5, 0.5, 1), down, 1e-13);
}

/* C3: u^(1-d) = u0^(1-d) - (1-d) sigma0 x/fc, for exponents on both sides of 1 and next to it */
TEST(dahl_follows_its_closed_form_for_every_exponent)
{
  static const double exponents[] = { 0, 0.3, 0.5, 0.999999, 1, 1.0000001, 1.3, 2, 3, 7 };
  for (int i = 0; i < 10; i++)
    for (double way = 1e-7; way < 1e-3; way *= 3.7) {
      contact c = contact_of("dahl");
      double delta = exponents[i], f0 = -0.4, q = 1 - delta;
      set(&c, "delta", delta);
      c.s[0] = f0 / 1e5;
      double u = 1 - f0, b = expm1(q * log(u)) - q * 1e5 * way; /* u^q - 1 loses nothing for small q */
      double end = q == 0 ? u * exp(-1e5 * way) : b > -1 ? exp(log1p(b) / q) : 0;
      CHECK_ABS(glide(&c, way, 1, 1), 1 - end, 1e-14);
    }
}

/* C3: delta < 1 reaches fc after x* = fc u0^(1-d)/(sigma0 (1-d)), and stays there */
TEST(dahl_below_one_reaches_its_level_after_a_finite_way)
{
  contact c = contact_of("dahl");
  set(&c, "delta", 0.5);
  contact d = c;
  CHECK(glide(&c, 1.99e-5, 1, 1) < 1 - 1e-6, "reached too early");
  CHECK_NEAR(glide(&d, 2.01e-5, 1, 7), 1.0, 1e-14);
}

/* 3.1: |F| > fc is the same map on |1 - F/fc|: outwards it relaxes to fc, it does not jump */
TEST(dahl_beyond_its_level_relaxes_along_the_same_map)
{
  contact c = contact_of("dahl");
  c.s[0] = 1.8e-5;
  CHECK_NEAR(glide(&c, 1e-5, 1, 1), 1 + 0.8 * exp(-1), 1e-14);
  set(&c, "delta", 2);
  c.s[0] = 1.8e-5;
  CHECK_NEAR(glide(&c, 1e-5, 1, 1), 1 + 0.8 / (1 + 0.8), 1e-14);
}

TEST(dahl_step_equals_its_rates_integrated_finely)
{
  static const double exponents[] = { 0.5, 1, 2.5 };
  for (int i = 0; i < 3; i++) {
    contact c = contact_of("dahl");
    set(&c, "delta", exponents[i]);
    c.s[0] = -0.5e-5;
    double z = c.s[0], h = 1e-4, rate, k, v = 1.2e-5;
    bristle_input in = { .v = v, .n = 1 };
    for (int n = 0; n < 10000; n++) { /* midpoint rule */
      c.model->eval(c.p, &z, &in, &rate);
      double middle = z + 0.5 * h * rate;
      c.model->eval(c.p, &middle, &in, &k);
      z += h * k;
    }
    CHECK_NEAR(glide(&c, v, 1, 1), 1e5 * z, 1e-7);
  }
}

/* C4: a closed loop of amplitude A has the tip fc tanh a and the area 4 fc^2/sigma0 (a - tanh a) */
TEST(dahl_loop_has_the_tip_and_area_of_the_closed_form)
{
  contact c = contact_of("dahl");
  double work = 0, tip = 0, h = 1e-3;
  for (int i = 0; i < 40000; i++) { /* triangle wave between -2e-5 and 2e-5, the last of ten periods */
    int phase = i % 4000;
    double before = 1e5 * c.s[0], v = phase < 1000 || phase >= 3000 ? 2e-5 : -2e-5;
    double f = glide(&c, v, h, 1);
    if (i >= 36000) work += 0.5 * (before + f) * v * h;
    if (phase == 999) tip = f;
  }
  CHECK_PRINTED(tip, "0.96402758");
  CHECK_NEAR(work, 4.143890e-5, 1e-5);
}

/* P11: delta = 0 is one Maxwell element */
TEST(dahl_with_exponent_zero_is_one_maxwell_element)
{
  contact a = contact_of("dahl"), b = contact_of("maxwell_slip");
  double k = 1e5, share = 1;
  set(&a, "delta", 0);
  set_vector(&b, "k", 1, &k);
  set_vector(&b, "alpha", 1, &share);
  for (int i = 0; i < 200; i++) {
    double v = 3e-5 * sin(1.7 * i) * cos(0.3 * i * i);
    CHECK_ABS(glide(&a, v, 0.7, 1), glide(&b, v, 0.7, 1), 1e-13);
  }
}

TEST(dahl_holds_half_its_level_without_drift_for_any_exponent)
{
  for (double delta = 0; delta < 3; delta += 0.5)
    for (double h = 1e-4; h < 0.2; h *= 10) {
      rig r = { .c = contact_of("dahl"), .mass = 0.01, .push = constant_push, .a = { 0.5 } };
      set(&r.c, "delta", delta);
      double x1 = 0;
      for (long i = 0; i < lround(10 / h); i++) {
        rig_step(&r, h);
        if (i == lround(1 / h) - 1) x1 = r.x;
      }
      CHECK(fabs(r.x - x1) < 1e-12 && r.x > 0 && r.x < 1e-4, "delta %g h %g: x %g moved %g", delta, h, r.x, r.x - x1);
    }
}
