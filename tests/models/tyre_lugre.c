/* LuGre tyre, lumped, with the values often quoted for it. */
#include "support/law.h"

static double level(double v) { return 0.8 + 0.75 * exp(-sqrt(fabs(v) / 6.57)); }

/* steady: sigma0 z = g sgn v/(1 + kappa Z), Z = (g/sigma0)|roll/v| */
static double lumped(double v, double roll)
{
  double Z = level(v) / 181.54 * fabs(roll / v);
  return copysign(level(v) / (1 + 7 / (6 * 0.2) * Z), v) + 0.0018 * v;
}

static double distributed(double v, double roll)
{
  double Z = level(v) / 181.54 * fabs(roll / v), L = 0.2;
  return copysign(level(v) * (1 - Z / L * (1 - exp(-L / Z))), v) + 0.0018 * v;
}

static contact rolling(double roll, double load)
{
  contact c = contact_of("tyre_lugre");
  set(&c, "roll", roll);
  c.n = load;
  return c;
}

TEST(tyre_lugre_steady_is_the_lumped_closed_form)
{
  for (double v = 0.01; v < 20; v *= 1.7)
    for (double roll = -15; roll <= 30; roll += 15) {
      contact c = rolling(roll, 4000);
      CHECK_NEAR(steady_at(&c, v), 4000 * lumped(v, roll), 1e-13);
      CHECK_NEAR(steady_at(&c, -v), -4000 * lumped(v, roll), 1e-13);
      CHECK_NEAR(glide(&c, v, 60, 100), 4000 * lumped(v, roll), 1e-12);
    }
  contact c = rolling(0, 1); /* a locked wheel is LuGre: g sgn v + sigma2 v */
  CHECK_NEAR(steady_at(&c, 2), level(2) + 0.0036, 1e-14);
  CHECK(steady_at(&c, 0) == 0, "at rest");
}

/* z(t) = zss + (z0 - zss) e^-lt, l = sigma0|v|/g + kappa|roll| */
TEST(tyre_lugre_step_is_the_closed_form_for_any_step_length)
{
  for (double t = 1e-4; t < 2; t *= 10)
    for (double v = -3; v < 4; v += 1.5) {
      contact c = rolling(12, 1);
      c.s[0] = 2e-3;
      double l = 181.54 * fabs(v) / level(v) + 7 / (6 * 0.2) * 12, z = v / l + (2e-3 - v / l) * exp(-l * t);
      CHECK_ABS(glide(&c, v, t, 1), 181.54 * z + 0.0018 * v, 1e-14);
      CHECK_ABS(c.s[0], z, 1e-16);
    }
}

/* sigma1 acts on the mean rate in a step, on the rate itself in eval */
TEST(tyre_lugre_damping_acts_on_the_bristle_rate)
{
  contact c = rolling(12, 1);
  set(&c, "sigma1", 0.7);
  double l = 181.54 / level(1) + 7 / (6 * 0.2) * 12, z = (1 - exp(-l * 0.01)) / l;
  CHECK_NEAR(force_at(&c, 1), 0.7 + 0.0018, 1e-14);
  CHECK_NEAR(glide(&c, 1, 0.01, 1), 181.54 * z + 0.7 * z / 0.01 + 0.0018, 1e-13);
}

/* The lumped form stands for the distributed one: equal at large slip, stiffer by at most 12/7 at small slip, and
   with its peak at a similar slip. Qualitative on purpose: they are two models. */
TEST(tyre_lugre_resembles_the_distributed_patch)
{
  contact c = rolling(20, 1);
  CHECK_NEAR(steady_at(&c, 20), distributed(20, 20), 0.02);
  CHECK_NEAR(steady_at(&c, 1e-4) / distributed(1e-4, 20), 12.0 / 7, 1e-2);
  double peak = 0, peak_distributed = 0, at = 0, at_distributed = 0;
  for (double v = 0.01; v < 20; v *= 1.01) {
    double f = steady_at(&c, v), d = distributed(v, 20);
    CHECK(f > 0.9 * d && f < 1.75 * d, "at slip %g: lumped %g, distributed %g", v / 20, f, d);
    if (f > peak) peak = f, at = v;
    if (d > peak_distributed) peak_distributed = d, at_distributed = v;
  }
  CHECK_NEAR(peak, peak_distributed, 0.1);
  double ratio = at / at_distributed;
  CHECK(ratio > 0.4 && ratio < 2.5, "peaks at slip %g and %g", at / 20, at_distributed / 20);
}

/* a rolling tyre does not hold: a bristle left alone is rolled out over 1/kappa */
TEST(tyre_lugre_forgets_its_deflection_by_rolling)
{
  contact c = rolling(12, 1);
  c.s[0] = 2e-3;
  glide(&c, 0, 0.01, 1);
  CHECK_NEAR(c.s[0], 2e-3 * exp(-7 / (6 * 0.2) * 0.12), 1e-14);
}
