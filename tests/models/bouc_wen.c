#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

static contact sample(double b, double c_, double n)
{
  contact c = contact_of("bouc_wen");
  set(&c, "b", b);
  set(&c, "c", c_);
  set(&c, "n", n);
  return c;
}

/* P11: n = 1, c = 0, A = 1, b = sigma0/fc is Dahl with delta = 1 */
TEST(bouc_wen_reduces_to_dahl)
{
  contact a = sample(1e5 / 1.4, 0, 1), b = contact_of("dahl");
  set(&b, "fc", 1.4);
  for (int i = 0; i < 300; i++) {
    double v = 3e-5 * sin(0.8 * i) * cos(0.31 * i * i);
    CHECK_ABS(glide(&a, v, 0.7, 1), glide(&b, v, 0.7, 1), 1e-13);
  }
}

/* section 9: dz/dx = A - q z with q = b sgn(dx) + c sgn(z), split where z passes zero */
TEST(bouc_wen_of_order_one_follows_the_reference_step)
{
  contact c = sample(1e5, 4e4, 1);
  set(&c, "A", 1.5);
  double z = 0;
  for (int i = 0; i < 300; i++) {
    double dx = 2e-5 * sin(0.8 * i) * cos(0.31 * i * i), left = dx, d = dx < 0 ? -1 : 1;
    if (z * dx < 0) {
      double q = 1e5 * d + 4e4 * (z < 0 ? -1 : 1), need = -log(-1.5 / q / (z - 1.5 / q)) / q;
      if (fabs(need) < fabs(dx)) left = dx - need, z = 0;
    }
    double q = 1e5 * d + 4e4 * (z == 0 ? d : z < 0 ? -1 : 1);
    z = 1.5 / q + (z - 1.5 / q) * exp(-q * left);
    CHECK_ABS(glide(&c, dx / 0.1, 0.1, 1), 1e5 * z, 1e-13);
  }
}

/* n = 2, c = 0: tan on the way back, tanh on the way out */
TEST(bouc_wen_of_order_two_is_tan_and_tanh)
{
  double L = 1e-5; /* (A/b)^(1/2) */
  for (double way = 1e-7; way < 1e-3; way *= 2.3) {
    contact c = sample(1e10, 0, 2);
    CHECK_NEAR(glide(&c, -way, 1, 1), -tanh(way / L), 1e-11);
    c.s[0] = -0.8 * L;
    double back = atan(0.8), s = way / L, expected = s < back ? -tan(back - s) : tanh(s - back);
    CHECK_ABS(glide(&c, way, 1, 1), expected, 1e-11);
  }
}

/* one long step against Runge-Kutta on eval, both signs of c, sharp and soft bends */
TEST(bouc_wen_step_equals_its_rates_integrated_finely)
{
  static const double orders[] = { 1, 1.5, 3, 6 }, parts[] = { -0.7, 0, 1 };
  for (int i = 0; i < 12; i++) {
    double n = orders[i % 4], b = pow(1e5, n);
    contact c = sample(b, parts[i / 4] * b, n);
    c.s[0] = -0.6e-5;
    double z = c.s[0], h = 1e-3, k[4], v = 1.7e-5;
    bristle_input in = { .v = v, .n = 1 };
    for (int step = 0; step < 1000; step++) {
      for (int stage = 0; stage < 4; stage++) {
        double at = z + (stage == 0 ? 0 : stage == 3 ? h * k[2] : 0.5 * h * k[stage - 1]);
        c.model->eval(c.p, &at, &in, &k[stage]);
      }
      z += h / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3]);
    }
    CHECK_ABS(glide(&c, v, 1, 1), 1e5 * z, 2e-8); /* where the bend at zero falls inside a Runge-Kutta step */
  }
}

/* many small steps must end where one long step ends, from beyond the limit too */
TEST(bouc_wen_steps_compose)
{
  for (double n = 1; n < 9; n += 1.7)
    for (double start = -2e-5; start < 2.1e-5; start += 0.7e-5) {
      contact a = sample(pow(1e5, n), 0.3 * pow(1e5, n), n), b;
      a.s[0] = start;
      b = a;
      CHECK_ABS(glide(&a, 2e-5, 1, 1), glide(&b, 2e-5, 1, 37), 5e-10);
    }
}

TEST(bouc_wen_never_leaves_its_limit_and_carries_the_spring)
{
  contact c = sample(2e10, 1e10, 2);
  double limit = sqrt(1 / 3e10), x = 0;
  set(&c, "a", 0.25);
  for (int i = 0; i < 200; i++) {
    bristle_input in = { .v = 0.1 * sin(0.8 * i) * cos(0.31 * i * i), .x = x, .n = 1, .h = 1e-3 };
    double f = c.model->step(c.p, c.s, &in, NULL);
    x += in.v * in.h;
    CHECK(fabs(c.s[0]) <= limit * (1 + 1e-14), "z = %g", c.s[0]);
    CHECK_NEAR(f, 1e5 * (0.25 * x + 0.75 * c.s[0]), 1e-12);
  }
}

TEST(bouc_wen_holds_half_its_level_without_drift)
{
  for (double n = 1; n < 5; n += 1.5)
    for (double h = 1e-3; h < 0.2; h *= 10) {
      rig r = { .c = sample(pow(1e5, n), 0, n), .mass = 0.01, .push = constant_push, .a = { 0.5 } };
      double x1 = 0;
      for (long i = 0; i < lround(10 / h); i++) {
        rig_step(&r, h);
        if (i == lround(1 / h) - 1) x1 = r.x;
      }
      CHECK(fabs(r.x - x1) < 1e-12 && r.x > 0, "n %g h %g: moved %g", n, h, r.x - x1);
    }
}
