#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* the STEP function of the manual */
static double step(double x, double x0, double h0, double x1, double h1)
{
  double d = (x - x0) / (x1 - x0);
  return x <= x0 ? h0 : x >= x1 ? h1 : h0 + (h1 - h0) * d * d * (3 - 2 * d);
}

/* 1.5, Adams CONTACT, friction as resistance */
TEST(adams_curve_is_made_of_steps)
{
  contact c = contact_of("adams");
  set(&c, "sigma2", 0.3);
  for (double v = -2e-2; v < 2e-2; v += 1.3e-4) {
    double a = fabs(v), f = a < 1e-3 ? step(v, -1e-3, -1.5, 1e-3, 1.5) : copysign(step(a, 1e-3, 1.5, 1e-2, 1), v);
    CHECK_ABS(force_at(&c, v), f + 0.3 * v, 1e-14);
  }
}

/* continuous with zero slope at vs and vd */
TEST(adams_joins_smoothly_at_both_speeds)
{
  contact c = contact_of("adams");
  const double at[] = { 1e-3, 1e-2 }, level[] = { 1.5, 1 };
  for (int i = 0; i < 2; i++) {
    CHECK_ABS(force_at(&c, at[i]), level[i], 1e-15);
    for (int side = -1; side <= 1; side += 2) CHECK_ABS(force_at(&c, at[i] * (1 + side * 1e-6)), level[i], 1e-11);
  }
}

/* (3 y - y^3)/2 = 1/2 has the root y = 2 sin(pi/18): the creep speed at half load */
TEST(adams_creeps_at_the_closed_form_speed)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("adams"), .mass = 0.01, .push = push, .a = { 0.75 } };
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, 2e-3 * sin(acos(-1) / 18), 1e-10);
    CHECK_PRINTED(r.v / 1e-3, "0.3473");
  }
}

TEST(adams_refuses_transition_speeds_in_the_wrong_order)
{
  contact c = contact_of("adams");
  CHECK(c.model->rules(c.p, NULL, 0) == 0, "defaults");
  set(&c, "vd", 1e-3);
  CHECK(c.model->rules(c.p, NULL, 0) == 1, "vd = vs");
}
