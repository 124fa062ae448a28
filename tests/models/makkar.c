#include "support/law.h"

static double push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

TEST(makkar_curve_is_its_formula)
{
  contact c = contact_of("makkar");
  const double g[] = { 0.4, 70, 9, 0.7, 120, 0.3 };
  const char *name[] = { "g1", "g2", "g3", "g4", "g5", "g6" };
  for (int i = 0; i < 6; i++) set(&c, name[i], g[i]);
  for (double v = -1; v < 1; v += 0.013)
    CHECK_ABS(force_at(&c, v), g[0] * (tanh(g[1] * v) - tanh(g[2] * v)) + g[3] * tanh(g[4] * v) + g[5] * v, 1e-14);
}

/* for g3 << g2, g5 the peak approaches g1 + g4, and fast sliding leaves g4 */
TEST(makkar_levels_are_g1_plus_g4_and_g4)
{
  contact c = contact_of("makkar");
  set(&c, "g2", 1e6), set(&c, "g5", 1e6), set(&c, "g3", 1), set(&c, "g6", 0);
  double peak = 0;
  for (double v = 1e-8; v < 1; v *= 1.1) peak = fmax(peak, force_at(&c, v));
  CHECK(peak < 0.75 && peak > 0.7499, "peak %.9f", peak);
  CHECK_ABS(force_at(&c, 30), 0.5, 1e-15);
}

/* one tanh only: creep atanh(F/g4)/g5 */
TEST(makkar_without_hump_creeps_like_tanh)
{
  for (double h = 1e-4; h < 0.2; h *= 10) {
    rig r = { .c = contact_of("makkar"), .mass = 0.01, .push = push, .a = { 0.25 } };
    set(&r.c, "g1", 0), set(&r.c, "g6", 0);
    for (int i = 0; i < 1000; i++) rig_step(&r, h);
    CHECK_NEAR(r.v, atanh(0.5) / 100, 1e-10);
  }
}

TEST(makkar_refuses_a_hump_that_would_feed_energy)
{
  contact c = contact_of("makkar");
  CHECK(c.model->rules(c.p, NULL, 0) == 0, "defaults");
  set(&c, "g3", 101);
  CHECK(c.model->rules(c.p, NULL, 0) == 1, "g3 > g2");
}
