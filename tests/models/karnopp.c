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

/* 2.9: inside the band the applied force, at most fs; outside the Stribeck curve */
TEST(karnopp_force_is_the_applied_one_inside_its_band)
{
  contact c = contact_of("karnopp");
  for (double v = -0.9e-5; v < 1e-5; v += 3e-6) {
    CHECK_ABS(applied(&c, v, 0.7), 0.7, 0);
    CHECK_ABS(applied(&c, v, -1.4), -1.4, 0);
    CHECK_ABS(applied(&c, v, 9), 1.5, 0);
  }
  for (double v = 1e-5; v < 1e-2; v *= 1.5) {
    double f = 1 + 0.5 * exp(-pow(v / 1e-3, 2)) + 0.4 * v;
    CHECK_ABS(applied(&c, v, 0.7), f, 1e-14);
    CHECK_ABS(applied(&c, -v, 0.7), -f, 1e-14);
  }
}

/* under prescribed motion nothing is applied, so the band is free */
TEST(karnopp_prescribed_motion_is_free_inside_the_band)
{
  contact c = contact_of("karnopp");
  CHECK_ABS(glide(&c, 0.9e-5, 1, 3), 0, 0);
  CHECK_ABS(glide(&c, -1e-5, 1, 3), -(1 + 0.5 * exp(-1e-4) + 0.4e-5), 1e-15);
}

/* An explicit host that stops the body inside the band, as section 9 does, stops it where energy says (C11) */
TEST(karnopp_explicit_host_stops_without_chatter)
{
  contact c = contact_of("karnopp");
  set(&c, "fs", 1), set(&c, "sigma2", 0), set(&c, "dv", 1e-3);
  double v = 1, x = 0, h = 1e-4, push = 0.5, m = 2;
  for (int i = 0; i < 60000; i++) {
    if (fabs(v) < 1e-3 && fabs(push) <= 1) v = 0;
    x += h * v;
    v += h / m * (push - applied(&c, v, push));
  }
  CHECK(v == 0, "v = %g", v);
  CHECK_ABS(x, m / (2 * 0.5), 2e-3); /* m v0^2/2 = (fc - push) x */
}

/* the coupled step: held within fs, else fs inside the band and the curve outside; the balance closes */
TEST(karnopp_coupled_step_breaks_away_at_fs)
{
  contact c = contact_of("karnopp");
  const double w = 1e-4;
  for (double v = -4e-4; v < 4e-4; v += 1.3e-6) {
    bristle_input in = { .v = v, .n = 1, .w = w, .h = 1e-3 };
    double u, f = c.model->step(c.p, c.s, &in, &u);
    CHECK_ABS(u, v - w * f, 1e-18);
    if (fabs(v) <= w * 1.5) CHECK(u == 0, "v %g", v);
    else if (fabs(v) < w * 1.5 + 1e-5) CHECK_ABS(f, copysign(1.5, v), 1e-12);
    else CHECK_ABS(f, applied(&c, u, 0), 1e-12);
  }
}

TEST(karnopp_holds_half_its_static_load_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("karnopp"), .mass = 0.01, .push = constant, .v = 1, .a = { 0.75 } };
    while (r.t < 1) rig_step(&r, h);
    double x = r.x;
    while (r.t < 10) rig_step(&r, h);
    CHECK(r.x == x && r.v == 0, "h %g: moved %g", h, r.x - x);
    r.a[0] = 1.52;
    for (int i = 0; i < 10; i++) rig_step(&r, h);
    CHECK(r.v > 0, "held more than fs");
  }
}
