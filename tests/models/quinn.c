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

/* 2.10 */
TEST(quinn_force_is_its_formula)
{
  contact c = contact_of("quinn");
  set(&c, "sigma2", 0.3);
  for (double v = -2e-4; v < 2e-4; v += 1.3e-5)
    for (double f = -2; f <= 2; f += 0.5) {
      double a = fabs(v) / 1e-4, held = fmax(fmin(f, 1.5), -1.5), s = (v > 0) - (v < 0);
      CHECK_ABS(applied(&c, v, f), (a < 1 ? a * s + (1 - a) * held : s) + 0.3 * v, 1e-14);
    }
}

/* continuous in v for any applied force, and the holding force at rest */
TEST(quinn_is_continuous_and_holds_at_rest)
{
  contact c = contact_of("quinn");
  for (double f = -2; f <= 2; f += 0.25) {
    CHECK_ABS(applied(&c, 0, f), fmax(fmin(f, 1.5), -1.5), 0);
    CHECK_ABS(applied(&c, 1e-13, f), applied(&c, -1e-13, f), 1e-8);
    for (int s = -1; s <= 1; s += 2)
      CHECK_ABS(applied(&c, s * 1e-4 * (1 - 1e-9), f), applied(&c, s * 1e-4 * (1 + 1e-9), f), 1e-8);
  }
}

/* by eval alone (Runge-Kutta) a body under half load comes to rest and does not creep */
TEST(quinn_does_not_creep_under_an_ordinary_solver)
{
  rig r = { .c = contact_of("quinn"), .mass = 1, .push = constant, .v = 0.01, .a = { 0.5 } };
  while (r.t < 0.1) rig_advance(&r, 1e-5);
  CHECK(fabs(r.v) < 1e-15, "v = %g", r.v);
  CHECK_ABS(r.x, 0.01 * 0.01 / (2 * 0.5), 2e-6); /* m v0^2/2 = (fc - f) x; the band adds about e^2 */
}

TEST(quinn_without_a_static_peak_is_coulomb_when_coupled)
{
  contact q = contact_of("quinn"), c = contact_of("coulomb");
  set(&q, "fs", 1);
  for (double v = -3e-4; v < 3e-4; v += 1e-6) {
    bristle_input in = { .v = v, .n = 1, .w = 1e-4, .h = 1e-3 };
    double u, uc, f = q.model->step(q.p, q.s, &in, &u), fc = c.model->step(c.p, c.s, &in, &uc);
    CHECK_ABS(f, fc, 1e-12);
    CHECK_ABS(u, uc, 1e-18);
  }
}

TEST(quinn_holds_half_its_static_load_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("quinn"), .mass = 0.01, .push = constant, .v = 1, .a = { 0.75 } };
    while (r.t < 1) rig_step(&r, h);
    double x = r.x;
    while (r.t < 10) rig_step(&r, h);
    CHECK(r.x == x && r.v == 0, "h %g: moved %g", h, r.x - x);
    r.a[0] = 1.52;
    for (int i = 0; i < 10; i++) rig_step(&r, h);
    CHECK(r.v > 0, "held more than fs");
  }
}
