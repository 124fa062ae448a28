#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* 2.22, as documented: vSt = sqrt(2) vbrk, vC = vbrk/10 */
TEST(simscape_curve_is_its_formula)
{
  contact c = contact_of("simscape");
  const double e = exp(1), vst = sqrt(2) * 1e-3, vc = 1e-4;
  for (double v = -1e-2; v < 1e-2; v += 1.3e-4) {
    double f = sqrt(2 * e) * 0.5 * exp(-(v / vst) * (v / vst)) * v / vst + tanh(v / vc) + 0.4 * v;
    CHECK_ABS(force_at(&c, v), f, 1e-14);
  }
}

/* at vbrk: the break-away level plus the viscous part */
TEST(simscape_peak_is_fs_at_vbrk)
{
  contact c = contact_of("simscape");
  CHECK_ABS(force_at(&c, 1e-3), 1.5 + 0.4e-3, 5e-9);
  set(&c, "sigma2", 0);
  double peak = 0, at = 0;
  for (double v = 1e-5; v < 1; v *= 1.001)
    if (force_at(&c, v) > peak) peak = force_at(&c, at = v);
  CHECK(peak <= 1.5 && peak > 1.49999, "peak %.9f", peak);
  CHECK_NEAR(at, 1e-3, 2e-3);
}

/* without a static peak it is tanh(10 v/vbrk): 0.05493 vbrk at half load */
TEST(simscape_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("simscape"), .mass = 0.01, .push = push, .a = { 0.5 } };
    set(&r.c, "fs", 1), set(&r.c, "sigma2", 0);
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 1e-4 * atanh(0.5), 1e-10);
    CHECK_PRINTED(r.v / 1e-3, "0.05493");
  }
}

/* the hump falls by at most (2/e)(fs - fc)/vbrk, at sqrt(3) vbrk; the advice turns there */
TEST(simscape_advice_knows_the_steepest_fall)
{
  contact c = contact_of("simscape");
  double v = sqrt(3) * 1e-3, d = 1e-7, fall = (force_at(&c, v - d) - force_at(&c, v + d)) / (2 * d) + 0.4;
  CHECK_NEAR(fall, 2 / exp(1) * 0.5 / 1e-3, 1e-4);
  bristle_input in = { .w = 1.01 / fall, .h = 1 };
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 1, "long step");
  in.w = 0.99 / fall;
  CHECK(c.model->advice(c.p, &in, NULL, 0) == 0, "short step");
}
