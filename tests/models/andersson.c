#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

TEST(andersson_curve_is_its_formula)
{
  contact c = contact_of("andersson");
  for (double gamma = 0.5; gamma < 4; gamma += 0.75) {
    set(&c, "gamma", gamma);
    for (double v = -3e-3; v < 3e-3; v += 7.7e-5)
      CHECK_ABS(force_at(&c, v), (1 + 0.5 * exp(-pow(fabs(v) / 1e-3, gamma))) * tanh(v / 1e-4) + 0.4 * v, 1e-14);
  }
}

TEST(andersson_without_a_peak_is_tanh)
{
  contact a = contact_of("andersson"), t = contact_of("tanh");
  set(&a, "fs", 1);
  set(&t, "vt", 1e-4), set(&t, "sigma2", 0.4), set(&t, "fc", 1);
  for (double v = -1e-3; v < 1e-3; v += 3.3e-5) CHECK_ABS(force_at(&a, v), force_at(&t, v), 1e-15);
}

/* 2.18: the peak stays below fs unless vs >> vt, and the advice says when */
TEST(andersson_peak_stays_below_fs)
{
  const double vt[] = { 1e-3, 1e-4, 1e-6 }, least[] = { 0.99, 1.4, 1.4999 }, most[] = { 1.1, 1.49, 1.5 };
  for (int i = 0; i < 3; i++) {
    contact c = contact_of("andersson");
    set(&c, "vt", vt[i]), set(&c, "sigma2", 0);
    double peak = 0;
    for (double v = 1e-7; v < 1e-1; v *= 1.01) peak = fmax(peak, force_at(&c, v));
    CHECK(peak > least[i] && peak < most[i], "vt %g: peak %.6f", vt[i], peak);
    bristle_input none = { 0 };
    CHECK(c.model->advice(c.p, &none, NULL, 0) == (i == 0), "vt %g", vt[i]);
  }
}

/* for vt << vs the creep speed is vt atanh(F/fs) */
TEST(andersson_creeps_like_tanh_at_the_static_level)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("andersson"), .mass = 0.01, .push = push, .a = { 0.75 } };
    set(&r.c, "vt", 1e-7);
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 1e-7 * atanh(0.5), 1e-6);
  }
}
