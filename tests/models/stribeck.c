#include "support/law.h"

static double constant(const rig *r, double t, double x, double v, double extra)
{
  (void)t, (void)x, (void)v, (void)extra;
  return r->a[0];
}

/* a spring of stiffness a[0], its end pulled at a[1] */
static double spring(const rig *r, double t, double x, double v, double extra)
{
  (void)v, (void)extra;
  return r->a[0] * (r->a[1] * t - x);
}

static contact form(int which, double gamma)
{
  contact c = contact_of("stribeck");
  set(&c, "form", which);
  set(&c, "gamma", gamma);
  return c;
}

TEST(stribeck_curves_are_their_formulas)
{
  for (double v = 1e-5; v < 5e-3; v *= 1.7) {
    double u = v / 1e-3, viscous = 0.4 * v;
    for (double gamma = 0.5; gamma < 4; gamma += 0.75) {
      contact e = form(0, gamma), l = form(1, gamma);
      CHECK_ABS(force_at(&e, v), 1 + 0.5 * exp(-pow(u, gamma)) + viscous, 1e-14);
      CHECK_ABS(force_at(&l, v), 1 + 0.5 / (1 + pow(u, gamma)) + viscous, 1e-14);
    }
    contact p = form(2, 2), s = form(3, 2);
    CHECK_ABS(force_at(&p, -v), -(1.5 - 0.5 * fmin(u, 1)) - viscous, 1e-14);
    CHECK_ABS(force_at(&s, -v), (u < 1 ? -1.5 : -1) - viscous, 1e-14);
  }
  contact s = form(3, 2);
  CHECK_ABS(force_at(&s, 1e-3), 1.0004, 1e-14); /* fc from vs on */
}

/* Cristian (4) and the corrected (5): fs 25 N, fc 20 N, v_cr 5 mm/s */
TEST(stribeck_reproduces_the_start_curves_of_cristian)
{
  contact c = form(0, 1);
  set(&c, "fs", 25), set(&c, "fc", 20), set(&c, "vs", 5e-3), set(&c, "sigma2", 0);
  CHECK_PRINTED(force_at(&c, 1e-300), "25.0000");
  CHECK_PRINTED(force_at(&c, 2.5e-3), "23.0327");
  CHECK_PRINTED(force_at(&c, 5e-3), "21.8394");
  CHECK_PRINTED(force_at(&c, 10e-3), "20.6767");
  CHECK_PRINTED(force_at(&c, 15e-3), "20.2489");
  CHECK_PRINTED(force_at(&c, 25e-3), "20.0337");
  set(&c, "form", 2);
  CHECK_PRINTED(force_at(&c, 2.5e-3), "22.5");
  CHECK_PRINTED(force_at(&c, 5e-3), "20.0000");
  CHECK_PRINTED(force_at(&c, 9e-3), "20.0000");
}

/* 2.4: steepest fall in units of (fs - fc)/vs; the advice about long steps changes sides exactly there */
TEST(stribeck_advice_knows_the_steepest_fall)
{
  const struct {
    int form;
    double gamma;
    const char *fall;
  } table[] = { { 0, 2, "0.858" }, { 0, 1, "1.000" }, { 1, 2, "0.650" }, { 2, 2, "1.000" } };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    contact c = form(table[i].form, table[i].gamma);
    double steepest = 0, d = 1e-8;
    for (double v = 2e-8; v < 3e-3; v += 1e-6)
      steepest = fmax(steepest, (force_at(&c, v - d) - force_at(&c, v + d)) / (2 * d) + 0.4);
    CHECK_PRINTED(steepest * 1e-3 / 0.5, table[i].fall);
    bristle_input in = { .w = 1.01 / steepest, .h = 1 };
    CHECK(c.model->advice(c.p, &in, NULL, 0) == 1, "form %d", table[i].form);
    in.w = 0.99 / steepest;
    CHECK(c.model->advice(c.p, &in, NULL, 0) == 0, "form %d", table[i].form);
  }
}

/* C9: rigid stick-slip, M = 1, k = 2, V = 0.1, fs = 1.5, fc = 1; without and with sigma2 = 0.4 (benchmark 4.1 d) */
TEST(stribeck_step_form_gives_rigid_stick_slip)
{
  const struct {
    double sigma2, period, peak, restick;
  } table[] = { { 0, 7.611259, 0.467423, 0.5 }, { 0.4, 6.45393, 0.37682, 0.77196 } };
  for (int k = 0; k < 2; k++) {
    rig r = { .c = form(3, 2), .mass = 1, .push = spring, .a = { 2, 0.1 } };
    set(&r.c, "vs", 1e-9), set(&r.c, "sigma2", table[k].sigma2);
    double h = 1e-5, peak = 0, restick = 0, start[4] = { 0 };
    int starts = 0;
    while (r.t < 24 && starts < 3) {
      double before = r.v;
      rig_step(&r, h);
      if (before == 0 && r.v > 0) start[starts++] = r.t;
      if (before > 0 && r.v == 0) restick = 2 * (0.1 * r.t - r.x);
      peak = fmax(peak, r.v);
    }
    CHECK_ABS(start[0], 7.5, 2 * h);
    CHECK_NEAR(start[2] - start[1], table[k].period, 1e-4);
    CHECK_NEAR(peak, table[k].peak, 1e-4);
    CHECK_NEAR(restick, table[k].restick, 1e-3);
  }
}

TEST(stribeck_holds_half_its_static_load_without_drift)
{
  for (int which = 0; which < 4; which++)
    for (double h = 1e-3; h < 0.2; h *= 10) {
      rig r = { .c = form(which, 2), .mass = 0.01, .push = constant, .v = 1, .a = { 0.75 } };
      while (r.t < 1) rig_step(&r, h);
      double x = r.x;
      while (r.t < 10) rig_step(&r, h);
      CHECK(r.x == x && r.v == 0, "form %d, h %g: moved %g", which, h, r.x - x);
    }
}
