/* GMS: C7 of the reference numbers, and Maxwell slip's memory in presliding. */
#include "support/law.h"

static contact c7(const char *law)
{
  const double k[] = { 4e4, 3e4, 2e4, 1e4 }, share[] = { 0.1, 0.2, 0.3, 0.4 };
  contact c = contact_of(law);
  set_vector(&c, "k", 4, k);
  set_vector(&c, "alpha", 4, share);
  return c;
}

TEST(gms_slow_virgin_curve_is_the_printed_one)
{
  const struct {
    double x;
    const char *f;
  } table[] = { { 5e-6, "0.45" }, { 10e-6, "0.75" }, { 15e-6, "0.90" }, { 30e-6, "1.20" }, { 60e-6, "1.50" } };
  for (int i = 0; i < 5; i++) {
    contact c = c7("gms");
    CHECK_PRINTED(glide(&c, 1e-9, table[i].x / 1e-9, 200), table[i].f);
  }
}

TEST(gms_transient_at_2_mm_per_s_is_the_printed_one)
{
  const struct {
    double t;
    const char *f;
  } table[] = { { 1e-3, "0.200800" }, { 5e-3, "0.603547" }, { 10e-3, "0.806295" } };
  for (int i = 0; i < 3; i++)
    for (int steps = 1; steps < 2000; steps *= 10) { /* exact: one step or a thousand */
      contact c = c7("gms");
      CHECK_PRINTED(glide(&c, 2e-3, table[i].t, steps), table[i].f);
    }
  contact c = c7("gms");
  CHECK_PRINTED(steady_at(&c, 2e-3), "1.009958");
  CHECK_PRINTED(glide(&c, 2e-3, 5, 1), "1.009958");
}

/* C7: F_i = alpha_i g + (F_i0 - alpha_i g) e^-(C t/g), here after a step from 2 mm/s to 0.3 mm/s */
TEST(gms_slipping_elements_are_attracted_to_the_level)
{
  contact c = c7("gms");
  glide(&c, 2e-3, 5, 1);
  const double g0 = 1 + 0.5 * exp(-4), g = 1 + 0.5 * exp(-0.09), t = 0.007;
  double f = glide(&c, 3e-4, t, 1);
  CHECK_NEAR(f, g + (g0 - g) * exp(-100 * t / g) + 0.4 * 3e-4, 1e-13);
  CHECK_NEAR(1e4 * c.s[3], 0.4 * (g + (g0 - g) * exp(-100 * t / g)), 1e-13);
}

static double pulled(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)v, (void)extra;
  return 2 * (0.1 * t - x);
}

/* Benchmark (d) of the 1995 paper with GMS: the limit cycle. The slip flags change only in steps, so there is no
   Runge-Kutta of eval; instead the exact step at the given velocity, then an explicit velocity step of 5 us. */
TEST(gms_stick_slip_follows_the_table)
{
  contact c = c7("gms");
  const double h = 5e-6;
  double x = 0, v = 0, first = 0, last = 0, period = 0, most = 0, fastest = 0;
  for (int i = 0; i * h < 27.3; i++) {
    bristle_input in = { .v = v, .n = 1, .h = h };
    double f = c.model->step(c.p, c.s, &in, NULL), next = v + h * (2 * (0.1 * i * h - x) - f);
    if (v <= 0.01 && next > 0.01) {
      double t = h * (i + (0.01 - v) / (next - v));
      if (!first) first = t;
      period = t - last, last = t;
    }
    if (i * h > 15) fastest = fmax(fastest, next), most = fmax(most, f); /* the first cycle differs */
    x += h * v, v = next;
  }
  CHECK_PRINTED(first, "7.58403");
  CHECK_PRINTED(period, "6.5412");
  CHECK_PRINTED(fastest, "0.3834");
  CHECK_ABS(most, 1.49954, 1e-5); /* differs by that much from cycle to cycle */
}

TEST(gms_stick_slip_by_coupled_steps_has_the_same_period)
{
  rig r = { .c = c7("gms"), .mass = 1, .push = pulled };
  double last = 0, period = 0;
  while (r.t < 21) {
    double v = r.v;
    rig_step(&r, 1e-4);
    if (v <= 0.01 && r.v > 0.01) period = r.t - last, last = r.t;
  }
  CHECK_NEAR(period, 6.5412, 2e-3);
}

/* GMS creeping along a path of small strokes against Maxwell slip with fs as its level */
TEST(gms_presliding_is_maxwell_slip)
{
  contact a = c7("gms"), b = c7("maxwell_slip");
  set(&a, "c", 1e9);
  set(&b, "fc", 1.5);
  const double strokes[] = { 20e-6, -14e-6, 9e-6, -5e-6, 4e-6, -3e-6, -40e-6, 60e-6 };
  for (int i = 0; i < 8; i++) {
    double v = copysign(1e-9, strokes[i]);
    glide(&a, v, fabs(strokes[i]) / 1e-9, 50), glide(&b, v, fabs(strokes[i]) / 1e-9, 50);
    CHECK_ABS(force_at(&a, 0), force_at(&b, 0), 1e-9);
  }
}

static double at_rest(contact *c, double stroke)
{
  glide(c, copysign(1e-9, stroke), fabs(stroke) / 1e-9, 20);
  return force_at(c, 0);
}

/* P5 Masing, P6 return points, P7 closed loops, with the attraction as slow as it is by default */
TEST(gms_presliding_has_masing_branches_and_return_points)
{
  contact c = c7("gms"), virgin = c7("gms");
  double f = at_rest(&c, 30e-6), half = at_rest(&virgin, 8e-6);
  CHECK_ABS(at_rest(&c, -16e-6), f - 2 * half, 1e-7);
  double turn = force_at(&c, 0);
  double top = at_rest(&c, 7e-6);
  at_rest(&c, -3e-6);
  CHECK_ABS(at_rest(&c, 3e-6), top, 1e-7);
  CHECK_ABS(at_rest(&c, -7e-6), turn, 1e-7);
  CHECK_ABS(at_rest(&c, 16e-6), f, 1e-7);
}

static double half(const rig *r, double t, double x, double v, double extra)
{
  (void)r, (void)t, (void)x, (void)v, (void)extra;
  return 0.75;
}

TEST(gms_holds_half_its_level_without_drift)
{
  for (double h = 1e-3; h < 0.2; h *= 10) {
    rig r = { .c = c7("gms"), .mass = 0.01, .push = half };
    for (int i = 0; i < 1 / h; i++) rig_step(&r, h);
    double x = r.x;
    for (int i = 0; i < 9 / h; i++) rig_step(&r, h);
    CHECK_ABS(r.x, x, 1e-12);
  }
}
