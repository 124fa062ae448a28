#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* 2.11: f* = K (e + T v) + B v, f = sat(f*, fc), e+ = (T f + B e)/(K T + B) */
TEST(kikuuwe_is_its_published_step)
{
  for (int damped = 0; damped < 2; damped++) {
    contact c = contact_of("kikuuwe");
    double K = 2e4, B = damped ? 45 : 0, fc = 1.3, T = 2e-3, e = 0;
    set(&c, "sigma0", K);
    set(&c, "sigma1", B);
    set(&c, "fc", fc);
    set(&c, "sigma2", 0.2);
    for (int i = 0; i < 300; i++) {
      double v = 0.05 * sin(0.8 * i) * cos(0.31 * i * i), f = fmin(fmax(K * (e + T * v) + B * v, -fc), fc);
      e = (T * f + B * e) / (K * T + B);
      CHECK_ABS(glide(&c, v, T, 1), f + 0.2 * v, 1e-13);
      CHECK_ABS(c.s[0], e, 1e-18);
    }
  }
}

TEST(kikuuwe_deflection_does_not_change_at_rest)
{
  contact c = contact_of("kikuuwe");
  glide(&c, 3.3e-4, 0.013, 7);
  double z = c.s[0];
  glide(&c, 0, 1e3, 1000);
  CHECK(c.s[0] == z && z != 0, "z from %.17g to %.17g", z, c.s[0]);
}

/* without damping it is a spring and a slider: Dahl with delta = 0 */
TEST(kikuuwe_without_damping_is_elastic_perfectly_plastic)
{
  contact c = contact_of("kikuuwe");
  set(&c, "sigma1", 0);
  double z = 0;
  for (int i = 0; i < 300; i++) {
    double dx = 3e-5 * sin(0.8 * i) * cos(0.31 * i * i);
    z = fmin(fmax(z + dx, -1e-5), 1e-5);
    CHECK_ABS(glide(&c, dx / 0.1, 0.1, 1), 1e5 * z, 1e-13);
  }
}

/* sliding at once: f = fc and the spring bends towards fc/K with the time constant B/K; the step is of first order */
TEST(kikuuwe_converges_to_its_continuous_law)
{
  double error[3];
  for (int k = 0; k < 3; k++) {
    contact c = contact_of("kikuuwe");
    glide(&c, 0.1, 5e-3, 50 << k);
    error[k] = fabs(c.s[0] / (1e-5 * (1 - exp(-5e-3 * 1e5 / 316.2278))) - 1);
  }
  CHECK(error[0] < 0.02, "error %g", error[0]);
  for (int k = 1; k < 3; k++) CHECK(error[k] < 0.52 * error[k - 1], "errors %g and %g", error[k - 1], error[k]);
}

TEST(kikuuwe_eval_is_the_limit_of_short_steps)
{
  static const double speeds[] = { 1e-4, -2e-3, 0.01, -0.5 };
  for (int i = 0; i < 4; i++)
    for (double z = -0.9e-5; z < 1e-5; z += 0.3e-5) {
      contact c = contact_of("kikuuwe");
      double rate, h = 1e-12;
      bristle_input in = { .v = speeds[i], .n = 1 };
      c.s[0] = z;
      double f = c.model->eval(c.p, c.s, &in, &rate), g = glide(&c, speeds[i], h, 1);
      CHECK_ABS(f, g, 1e-7);
      CHECK_ABS((c.s[0] - z) / h, rate, 1e-6 * fabs(rate) + 1e-8);
    }
}

TEST(kikuuwe_never_exceeds_its_level_and_never_drifts)
{
  for (double sigma1 = 0; sigma1 < 500; sigma1 += 316)
    for (double h = 1e-4; h < 0.2; h *= 10) {
      rig r = { .c = contact_of("kikuuwe"), .mass = 0.01, .push = constant_push, .a = { 0.5 } };
      set(&r.c, "sigma1", sigma1);
      double x1 = 0;
      for (long i = 0; i < lround(10 / h); i++) {
        rig_step(&r, h);
        CHECK(fabs(r.force) <= 1, "F = %g", r.force);
        if (i == lround(1 / h) - 1) x1 = r.x;
      }
      CHECK(fabs(r.x - x1) < 1e-12 && r.x > 0, "sigma1 %g h %g: x %g moved %g", sigma1, h, r.x, r.x - x1);
    }
}
