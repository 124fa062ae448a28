#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

TEST(brown_mcphee_curve_is_its_formula)
{
  contact c = contact_of("brown_mcphee");
  for (double v = -2e-2; v < 2e-2; v += 1.7e-4) {
    double u = v / 1e-3;
    CHECK_ABS(force_at(&c, v), tanh(4 * u) + 0.5 * u / pow(0.25 * u * u + 0.75, 2) + 0.4 * v, 1e-14);
  }
}

/* 2.20: at vt the force is fs - 6.7e-4 fc (and the viscous part); nowhere more than fs */
TEST(brown_mcphee_peak_is_fs_at_vt)
{
  contact c = contact_of("brown_mcphee");
  set(&c, "sigma2", 0);
  CHECK_PRINTED(1.5 - force_at(&c, 1e-3), "6.7e-4");
  double peak = 0, at = 0;
  for (double v = 1e-5; v < 1; v *= 1.001)
    if (force_at(&c, v) > peak) peak = force_at(&c, at = v);
  CHECK(peak <= 1.5 && peak > 1.499, "peak %.9f", peak);
  CHECK_NEAR(at, 1e-3, 0.01);
}

/* without a static peak it is tanh(4 v/vt): creep 0.25 vt atanh(F/fc), 0.1373 vt at half load */
TEST(brown_mcphee_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("brown_mcphee"), .mass = 0.01, .push = push, .a = { 0.5 } };
    set(&r.c, "fs", 1), set(&r.c, "sigma2", 0);
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 0.25e-3 * atanh(0.5), 1e-10);
    CHECK_PRINTED(r.v / 1e-3, "0.1373");
  }
}

/* the hump falls by at most (4/9)(fs - fc)/vt, at sqrt(3) vt; the advice turns there */
TEST(brown_mcphee_advice_knows_the_steepest_fall)
{
  contact c = contact_of("brown_mcphee");
  double v = sqrt(3) * 1e-3, d = 1e-7, fall = (force_at(&c, v - d) - force_at(&c, v + d)) / (2 * d) + 0.4;
  CHECK_NEAR(fall, 4.0 / 9 * 0.5 / 1e-3, 1e-4);
  bristle_input in = { .w = 1.01 / fall, .h = 1 };
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 1, "long step");
  in.w = 0.99 / fall;
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 0, "short step");
}
