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

/* 2.24: slip, transition and stick */
TEST(leine_force_is_its_three_cases)
{
  contact c = contact_of("leine");
  set(&c, "fs", 1.5), set(&c, "eta", 1e-3), set(&c, "pull", 20);
  for (double v = 1.1e-3; v < 10; v *= 1.7) CHECK_ABS(applied(&c, -v, 0.3), -1.5 / (1 + 3 * v), 1e-15);
  for (double v = -0.9e-3; v < 1e-3; v += 2e-4) {
    CHECK_ABS(applied(&c, v, 2), 1.5, 0);
    CHECK_ABS(applied(&c, v, -2), -1.5, 0);
    CHECK_ABS(applied(&c, v, 0.3), 0.3 + 20 * v, 1e-15);
    CHECK(fabs(applied(&c, v, 1.499)) <= 1.5, "more than fs");
  }
}

/* stick aligns the velocity: dv/dt = -v sqrt(k/M), so v = v0 exp(-sqrt(k/M) t) by eval alone */
TEST(leine_stick_draws_the_velocity_to_zero)
{
  const double k = 400, m = 0.25, rate = sqrt(k / m);
  rig r = { .c = contact_of("leine"), .mass = m, .push = constant, .v = 0.9e-3, .a = { 0.5 } };
  set(&r.c, "eta", 1e-3), set(&r.c, "pull", sqrt(k * m));
  for (int i = 0; i < 1000; i++) rig_advance(&r, 1e-4);
  CHECK_NEAR(r.v, 0.9e-3 * exp(-rate * 0.1), 1e-8);
}

/* Body stopped by fs/(1 + d v) alone: t = M (v0 + d v0^2/2)/fs, x = M (v0^2/2 + d v0^3/3)/fs */
TEST(leine_body_stops_where_the_closed_form_says)
{
  const double m = 2, h = 1e-5;
  rig r = { .c = contact_of("leine"), .mass = m, .push = constant, .v = 0.5 };
  double time = 0;
  for (int i = 0; i < 250000; i++) {
    rig_step(&r, h);
    if (r.v > 0) time = r.t;
  }
  CHECK(r.v == 0, "v = %g", r.v);
  CHECK_NEAR(time, m * (0.5 + 3 * 0.125), 1e-4);
  CHECK_NEAR(r.x, m * (0.125 + 0.125), 1e-4);
}

TEST(leine_coupled_step_is_in_transition_inside_the_band)
{
  contact c = contact_of("leine");
  set(&c, "eta", 1e-4), set(&c, "pull", 1e6);
  const double w = 1e-4;
  for (double v = -3e-4; v < 3e-4; v += 1.3e-6) {
    bristle_input in = { .v = v, .n = 1, .w = w, .h = 1e-3 };
    double u, f = c.model->step(c.p, c.s, &in, &u);
    CHECK_ABS(u, v - w * f, 1e-18);
    if (fabs(v) <= w) CHECK(u == 0, "v %g", v);
    else if (fabs(u) < 0.999e-4) CHECK_ABS(f, copysign(1, v), 1e-12);
    else if (fabs(u) > 1.001e-4) CHECK_ABS(f, copysign(1 / (1 + 3 * fabs(u)), v), 1e-12);
  }
}

TEST(leine_holds_half_its_static_load_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("leine"), .mass = 0.01, .push = constant, .v = 0.1, .a = { 0.5 } };
    while (r.t < 1) rig_step(&r, h);
    double x = r.x;
    while (r.t < 10) rig_step(&r, h);
    CHECK(r.x == x && r.v == 0, "h %g: moved %g", h, r.x - x);
    r.a[0] = 1.01;
    for (int i = 0; i < 10; i++) rig_step(&r, h);
    CHECK(r.v > 0, "held more than fs");
  }
}
