#include "support/law.h"

static double constant_push(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* 2.23: sigma0 x in stick, and break-away at fc + excess t/(t + tau_dwell) after the time t at rest */
TEST(armstrong_break_away_rises_with_the_rest)
{
  for (double rest = 0.1; rest < 20; rest *= 3) {
    contact c = contact_of("armstrong");
    glide(&c, 0, rest, 1);
    CHECK_NEAR(glide(&c, 0.9e-5 / 1e-4, 1e-4, 1), 0.9, 1e-12);
    double best = 0;
    for (int i = 0; i < 2000; i++) best = fmax(best, glide(&c, 1e-2, 1e-6, 1) - 0.4e-2);
    CHECK_NEAR(best, 1 + 0.5 * rest / (rest + 1), 1e-3);
  }
}

/* the moment of break-away lies inside the step: spring and level meet where a quadratic says, for any step */
TEST(armstrong_finds_the_moment_of_break_away_inside_a_step)
{
  for (int steps = 1; steps <= 64; steps *= 4) {
    contact c = contact_of("armstrong");
    double v = 2e-5, lo = 0, hi = 1; /* sigma0 v t = fc + excess t/(t + 1), by bisection */
    for (int i = 0; i < 60; i++) {
      double t = 0.5 * (lo + hi);
      if (1e5 * v * t > 1 + 0.5 * t / (t + 1)) hi = t;
      else lo = t;
    }
    glide(&c, v, 1, steps);
    CHECK_NEAR(c.s[state_at(&c, "frozen")], lo / (lo + 1), 1e-12);
    CHECK(c.s[state_at(&c, "mode")] == 1, "mode %g", c.s[state_at(&c, "mode")]);
  }
}

/* 2.23: F = fc + excess/(1 + (v(t - tau_l)/vs)^2) + sigma2 v, for a speed that changes; tau_l far above the step,
   not a multiple of it, below it, and zero */
TEST(armstrong_sliding_force_follows_the_delayed_speed)
{
  static const double delays[] = { 0.05, 0.0203, 3e-4, 0 };
  for (int k = 0; k < 4; k++) {
    contact c = contact_of("armstrong");
    set(&c, "tau_l", delays[k]);
    set(&c, "vs", 0.02);
    glide(&c, 0, 1e3, 1);
    double h = 1e-3, worst = 0, e = 0;
    for (int i = 1; i < 1000; i++) {
      double t = i * h, v = 0.03 + 0.02 * sin(9 * t), back = t - delays[k], old = 0.03 + 0.02 * sin(9 * back);
      double f = glide(&c, v, h, 1), dry = f - 0.4 * v;
      if (i == 1) e = c.s[state_at(&c, "frozen")];
      if (back > 0.1 * delays[k] + 2 * h) worst = fmax(worst, fabs(dry - 1 - 0.5 * e / (1 + pow(old / 0.02, 2))));
    }
    CHECK(worst < (delays[k] > 0 ? 2e-3 : 1e-12), "tau_l %g: error %g", delays[k], worst);
    CHECK_NEAR(e, 1000.0 / 1001, 1e-5);
  }
}

/* the delay is a delay, not a smear: a jump of speed arrives after tau_l, within the spacing of the line */
TEST(armstrong_delay_line_keeps_a_jump_sharp)
{
  for (double h = 1e-5; h < 2e-3; h *= 3) {
    contact c = contact_of("armstrong");
    set(&c, "tau_l", 0.015);
    glide(&c, 0, 1e3, 1);
    double late = 0, done = 0, t = 0;
    for (; t < 0.03; t += h) {
      double f = glide(&c, 0.01, h, 1) - 0.4 * 0.01;
      if (f > 1.499) late = t + h;
      if (done == 0 && f < 1.006) done = t + h;
    }
    CHECK(late > 0.0135 - h && done < 0.0165 + h, "h %g: full until %g, gone at %g", h, late, done);
  }
}

/* the force is continuous when the contact sticks again, and what was left of the excess is where the rest starts */
TEST(armstrong_sticks_again_at_the_force_it_had)
{
  contact c = contact_of("armstrong");
  glide(&c, 0, 9, 1);
  double f = glide(&c, 1e-3, 0.1, 100) - 0.4e-3, e = c.s[state_at(&c, "ended")];
  CHECK_NEAR(f, 1 + 0.25 * 0.9, 1e-3);
  CHECK_NEAR(glide(&c, 0, 1, 10), f, 1e-12);
  CHECK_NEAR(glide(&c, -1e-6, 1, 10), f - 0.1, 1e-12); /* a spring now */
  double level = 0;
  for (int i = 0; i < 10000; i++) level = fmin(level, glide(&c, -3e-4, 1e-5, 1));
  CHECK_NEAR(level, -(1 + 0.5 * (e + (1 - e) * 2.083 / 3.083)), 1e-3);
}

TEST(armstrong_eval_agrees_with_the_step_in_both_modes)
{
  contact c = contact_of("armstrong");
  double f = glide(&c, 5e-6, 1, 4);
  CHECK_NEAR(force_at(&c, 5e-6), f, 1e-13);
  f = glide(&c, 2e-3, 1, 100);
  CHECK_NEAR(force_at(&c, 2e-3), f, 1e-13);
  CHECK_NEAR(steady_at(&c, 2e-3), 1 + 0.5 / 5 + 0.4 * 2e-3, 1e-14);
}

TEST(armstrong_holds_half_its_level_without_drift)
{
  for (double tau_l = 0; tau_l < 0.1; tau_l += 0.04)
    for (double h = 1e-4; h < 0.2; h *= 10) {
      rig r = { .c = contact_of("armstrong"), .mass = 0.01, .push = constant_push, .a = { 0.5 } };
      set(&r.c, "tau_l", tau_l);
      double x1 = 0;
      for (long i = 0; i < lround(10 / h); i++) {
        rig_step(&r, h);
        if (i == lround(1 / h) - 1) x1 = r.x;
      }
      CHECK(fabs(r.x - x1) < 1e-12 && fabs(r.force - 0.5) < 1e-9, "h %g: moved %g F %g", h, r.x - x1, r.force);
    }
}
