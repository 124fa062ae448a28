#include "support/law.h"

static double constant(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

static double applied(const contact *c, double v, double f)
{
  bristle_input in = { .v = v, .n = 1, .f = f };
  return c->model->eval(c->p, c->s, &in, NULL);
}

/* the four cases of section 9, one by one */
static double four_cases(double v, double fe, double fs, double d, double e)
{
  double s = (v > 0) - (v < 0), a = v / e * (v / e) * (3 - 2 * fabs(v) / e);
  if (fabs(v) > e) return fs / (1 + d * (fabs(v) - e)) * s;
  if (fabs(fe) <= fs) return a * (fs * s - fe) + fe;
  if (v * fe >= 0) return copysign(fs, fe);
  return (2 * a - 1) * fs * s;
}

TEST(awrejcewicz_force_is_its_four_cases)
{
  contact c = contact_of("awrejcewicz");
  set(&c, "fs", 1.5), set(&c, "d", 700);
  for (double v = -3e-4; v < 3e-4; v += 1.3e-5)
    for (double f = -3; f <= 3; f += 0.25) CHECK_ABS(applied(&c, v, f), four_cases(v, f, 1.5, 700, 1e-4), 1e-14);
}

/* every border: v = 0 and |v| = e for any applied force, |f| = fs for any velocity */
TEST(awrejcewicz_has_no_jump_anywhere)
{
  contact c = contact_of("awrejcewicz");
  const double tiny = 1e-9;
  for (double f = -2; f <= 2; f += 0.125)
    for (int b = -1; b <= 1; b++) CHECK_ABS(applied(&c, 1e-4 * (b - tiny), f), applied(&c, 1e-4 * (b + tiny), f), 2e-8);
  for (double v = -2e-4; v < 2e-4; v += 7e-6)
    for (int b = -1; b <= 1; b += 2) CHECK_ABS(applied(&c, v, b * (1 - tiny)), applied(&c, v, b * (1 + tiny)), 2e-8);
}

/* by eval alone a body under half load does not creep: A ~ v^2, so v fades like 1/t and the way like a logarithm */
TEST(awrejcewicz_slows_down_in_its_band_under_an_ordinary_solver)
{
  rig r = { .c = contact_of("awrejcewicz"), .mass = 1, .push = constant, .v = 0.01, .a = { 0.5 } };
  while (r.t < 1) rig_advance(&r, 1e-5);
  double rate = 3 * (1 - 0.5) / (1e-4 * 1e-4); /* m dv/dt = -rate v^2 near rest */
  CHECK_NEAR(r.v, 1 / rate, 0.05);
}

TEST(awrejcewicz_coupled_step_is_the_constant_level_in_the_band)
{
  contact c = contact_of("awrejcewicz");
  const double w = 1e-4;
  for (double v = -3e-4; v < 3e-4; v += 1.3e-6) {
    bristle_input in = { .v = v, .n = 1, .w = w, .h = 1e-3 };
    double u, f = c.model->step(c.p, c.s, &in, &u);
    CHECK_ABS(u, v - w * f, 1e-18);
    if (fabs(v) <= w) CHECK(u == 0, "v %g", v);
    else CHECK_ABS(f, four_cases(u, v / w, 1, 3, 1e-4), 1e-12);
  }
}

TEST(awrejcewicz_holds_half_its_static_load_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("awrejcewicz"), .mass = 0.01, .push = constant, .v = 0.1, .a = { 0.5 } };
    while (r.t < 1) rig_step(&r, h);
    double x = r.x;
    while (r.t < 10) rig_step(&r, h);
    CHECK(r.x == x && r.v == 0, "h %g: moved %g", h, r.x - x);
    r.a[0] = 1.01;
    for (int i = 0; i < 10; i++) rig_step(&r, h);
    CHECK(r.v > 0, "held more than fs");
  }
}
