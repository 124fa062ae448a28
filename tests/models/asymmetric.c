#include "support/law.h"

static double constant(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

static contact make(double fcp, double fcm, double s2p, double s2m, double offset)
{
  contact c = contact_of("asymmetric");
  set(&c, "fc_plus", fcp), set(&c, "fc_minus", fcm);
  set(&c, "sigma2_plus", s2p), set(&c, "sigma2_minus", s2m), set(&c, "offset", offset);
  return c;
}

/* EMPS, published asymmetric fit: each direction has its own line */
TEST(asymmetric_lines_are_those_of_the_emps_fit)
{
  contact c = make(20.1440, 20.6277, 166.7061, 240.4236, 0);
  CHECK_NEAR(force_at(&c, 0.1), 20.1440 + 16.67061, 1e-15);
  CHECK_NEAR(force_at(&c, -0.1), -20.6277 - 24.04236, 1e-15);
  c = make(20.3935, 20.3935, 203.5034, 203.5034, -3.1648); /* symmetric fit with its offset */
  CHECK_NEAR(force_at(&c, 0.02), 203.5034 * 0.02 + 20.3935 - 3.1648, 1e-15);
  CHECK_NEAR(force_at(&c, -0.02), -203.5034 * 0.02 - 20.3935 - 3.1648, 1e-15);
}

TEST(asymmetric_with_equal_sides_is_coulomb)
{
  contact a = make(2.5, 2.5, 4, 4, 0), b = contact_of("coulomb");
  set(&b, "fc", 2.5), set(&b, "sigma2", 4);
  for (double v = -1; v <= 1; v += 0.25) CHECK_ABS(force_at(&a, v), force_at(&b, v), 0);
  for (double v = -1; v <= 1; v += 0.05) {
    bristle_input in = { .v = v, .n = 1, .w = 0.1, .h = 1e-3 };
    double ua, ub;
    CHECK_ABS(a.model->step(a.p, a.s, &in, &ua), b.model->step(b.p, b.s, &in, &ub), 0);
    CHECK_ABS(ua, ub, 0);
  }
}

/* C11 with viscous friction: t = (M/s2) ln(1 + s2 v0/fc), x = (M/s2)(v0 - (fc/s2) ln(1 + s2 v0/fc)), per direction */
TEST(asymmetric_body_stops_as_its_own_direction_says)
{
  const double m = 2, v0 = 1, h = 1e-5;
  for (int side = 0; side < 2; side++) {
    double fc = (side ? 1.5 + 0.25 : 1 - 0.25), s2 = side ? 3 : 0.5; /* the offset helps one side */
    rig r = { .c = make(1, 1.5, 0.5, 3, -0.25), .mass = m, .v = side ? -v0 : v0, .push = constant };
    double time = 0;
    for (int i = 0; i < 300000; i++) {
      rig_step(&r, h);
      if (r.v != 0) time = r.t;
    }
    CHECK_ABS(time, m / s2 * log(1 + s2 * v0 / fc), 4 * h);
    CHECK_ABS(fabs(r.x), m / s2 * (v0 - fc / s2 * log(1 + s2 * v0 / fc)), 4 * h);
    CHECK(r.v == 0, "v = %g", r.v);
  }
}

/* Rest is [offset - fc_minus, offset + fc_plus]; beyond an end the body starts on that side */
TEST(asymmetric_rest_ends_where_its_range_ends)
{
  const struct {
    double load;
    int moves;
  } table[] = { { 1.45, 0 }, { 1.55, 1 }, { -1.45, 0 }, { -1.55, -1 }, { 0, 0 } };
  for (int i = 0; i < 5; i++)
    for (double h = 1e-4; h < 0.2; h *= 100) {
      rig r = { .c = make(1, 2, 0.1, 0.1, 0.5), .mass = 0.01, .push = constant, .a = { table[i].load } };
      for (int k = 0; k < 100; k++) rig_step(&r, h);
      CHECK((r.v > 0) - (r.v < 0) == table[i].moves, "load %g: v = %g", table[i].load, r.v);
    }
  contact c = make(1, 2, 0.1, 0.1, 0.5);
  bristle_input in = { .n = 1, .f = 9 };
  CHECK_ABS(c.model->eval(c.p, c.s, &in, NULL), 1.5, 0);
  in.f = -9;
  CHECK_ABS(c.model->eval(c.p, c.s, &in, NULL), -1.5, 0);
}

/* an offset beyond the Coulomb level drives the body: by the coupled step up to (offset - fc_minus)/sigma2_minus */
TEST(asymmetric_offset_beyond_friction_drives_and_is_advised)
{
  rig r = { .c = make(1, 2, 0.1, 0.5, 5), .mass = 0.01, .push = constant };
  for (int k = 0; k < 1000; k++) rig_step(&r, 1e-2);
  CHECK_NEAR(r.v, -6.0, 1e-9);
  bristle_input none = { 0 };
  CHECK(r.c.model->advice(r.c.p, &none, NULL, 0) == 1, "no advice");
  set(&r.c, "offset", 1.9);
  CHECK(r.c.model->advice(r.c.p, &none, NULL, 0) == 0, "advice without need");
}
