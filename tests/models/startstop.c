#include "support/law.h"

/* 1.2, data of the paper: fs 25 N, fc 20 N, vcr 5 mm/s */
static contact cristian(int form, int turning)
{
  contact c = contact_of("startstop");
  set(&c, "fs", 25), set(&c, "fc", 20), set(&c, "vcr", 5e-3);
  set(&c, "form", form), set(&c, "turning", turning);
  return c;
}

/* the force of one step from rest to v */
static double start_at(contact c, double v) { return glide(&c, v, 1e-3, 1); }

TEST(startstop_start_values_are_those_of_both_laws_in_both_readings)
{
  static const double speeds[] = { 2.5e-3, 5e-3, 10e-3, 15e-3, 25e-3 };
  static const char *const printed[] = { "23.0327", "21.8394", "20.6767", "20.2489", "20.0337" };
  for (int turning = 0; turning < 2; turning++) {
    CHECK_PRINTED(start_at(cristian(0, turning), 1e-9), "25.0000");
    for (int i = 0; i < 5; i++) {
      CHECK_PRINTED(start_at(cristian(0, turning), speeds[i]), printed[i]);
      CHECK_NEAR(start_at(cristian(1, turning), -speeds[i]), i ? -20.0 : -22.5, 1e-14); /* corrected (5) */
      CHECK_NEAR(start_at(cristian(2, turning), speeds[i]), i ? 20.0 : 25.0, 1e-14);    /* fig. 4b */
      CHECK_NEAR(start_at(cristian(3, turning), speeds[i]), 20.0, 1e-14);               /* fig. 5a */
      CHECK_NEAR(start_at(cristian(4, turning), speeds[i]), 20.0, 1e-14);               /* fig. 5b */
    }
  }
}

/* fig. 7a: a sine of velocity; the peak is met right of the zero crossings only */
TEST(startstop_sine_shows_the_hysteresis)
{
  for (int turning = 0; turning < 2; turning++)
    for (int form = 0; form < 2; form++) {
      contact c = cristian(form, turning);
      double latched = 0, last = 0;
      for (int i = 1; i < 1000; i++) {
        double v = 0.02 * sin(0.0131 * i), u = fabs(v), f = glide(&c, v, 1e-3, 1) * (v < 0 ? -1 : 1);
        if (v * last < 0) latched = 0;
        int start = turning ? !latched : u > fabs(last) || v * last <= 0;
        double law = form == 0 ? 20 + 5 * exp(-u / 5e-3) : u < 5e-3 ? 25 - 1e3 * u : 20;
        CHECK_NEAR(f, start ? law : 20.0, 1e-13); /* stopping: 20 N at every speed */
        latched = latched || u >= 5e-3, last = v;
      }
    }
}

/* a motion that turns back at 2.5 mm/s, before vcr: here the readings differ */
TEST(startstop_readings_differ_only_where_a_motion_turns_back_early)
{
  contact a = cristian(1, 0), b = cristian(1, 1);
  for (int i = 1; i <= 25; i++) CHECK_NEAR(glide(&a, 1e-4 * i, 1e-3, 1), glide(&b, 1e-4 * i, 1e-3, 1), 1e-14);
  CHECK_NEAR(glide(&a, 2e-3, 1e-3, 1), 20.0, 1e-14);
  CHECK_NEAR(glide(&b, 2e-3, 1e-3, 1), 23.0, 1e-14);
}

/* fig. 7b: trapezoids with rests; also the reversal to a smaller speed without rest is a start */
TEST(startstop_rest_and_reversal_arm_the_peak_again)
{
  for (int turning = 0; turning < 2; turning++) {
    contact c = cristian(1, turning);
    glide(&c, 0.02, 1e-3, 3);
    CHECK_NEAR(glide(&c, 1e-3, 1e-3, 1), 20.0, 1e-14);
    glide(&c, 0, 1e-3, 3);
    CHECK_NEAR(glide(&c, 1e-3, 1e-3, 1), 24.0, 1e-14);
    glide(&c, 0.02, 1e-3, 3);
    CHECK_NEAR(glide(&c, -1e-3, 1e-3, 1), -24.0, 1e-14);
  }
}

TEST(startstop_eval_takes_the_branch_from_acceleration_or_latch)
{
  contact c = cristian(1, 0);
  double rate[3];
  bristle_input in = { .v = -2.5e-3, .a = -1, .n = 1 };
  CHECK_NEAR(c.model->eval(c.p, c.s, &in, rate), -22.5, 1e-14);
  in.a = 1;
  CHECK_NEAR(c.model->eval(c.p, c.s, &in, rate), -20.0, 1e-14);
  c = cristian(1, 1);
  CHECK_NEAR(c.model->eval(c.p, c.s, &in, rate), -22.5, 1e-14);
  glide(&c, -0.02, 1e-3, 1);
  CHECK_NEAR(c.model->eval(c.p, c.s, &in, rate), -20.0, 1e-14);
}

/* 2.6: fs + (fs_inf - fs) t/(t + tau): after a rest of tau half of the way; the level belongs to that start */
TEST(startstop_static_level_grows_with_the_rest)
{
  contact c = cristian(2, 0);
  set(&c, "fs_inf", 31), set(&c, "tau_dwell", 2);
  glide(&c, 0, 2, 100);
  CHECK_NEAR(glide(&c, 1e-3, 1e-3, 1), 28.0, 1e-12);
  CHECK_NEAR(glide(&c, 2e-3, 1e-3, 1), 28.0, 1e-12);
  glide(&c, 0, 6, 100); /* a new rest counts from zero */
  CHECK_NEAR(glide(&c, 1e-3, 1e-3, 1), 29.5, 1e-12);
  CHECK_NEAR(glide(&c, -1e-3, 1e-3, 1), -25.0, 1e-12);
}

/* one coupled step of a mass of 1 kg from rest under the load */
static double pushed(contact *c, double load, double h)
{
  bristle_input in = { .v = h * load, .n = 1, .w = h, .h = h };
  double v;
  c->model->step(c->p, c->s, &in, &v);
  return v;
}

TEST(startstop_holds_its_static_level_exactly_and_more_after_a_rest)
{
  for (int form = 0; form < 5; form++)
    for (double h = 1e-3; h < 0.2; h *= 10) {
      contact c = cristian(form, form & 1);
      if (form < 4) set(&c, "fs_inf", 30);
      double level = form < 4 ? 25 : 20, later = form < 4 ? 28.75 : 20; /* after 3 s with tau = 1 s */
      for (long i = 0; i < lround(3 / h); i++) CHECK(pushed(&c, 0.99 * level, h) == 0, "form %d h %g moves", form, h);
      CHECK(pushed(&c, 0.999 * later, h) == 0, "form %d h %g: holds too little", form, h);
      CHECK(pushed(&c, 1.02 * later, h) > 0, "form %d h %g: holds too much", form, h);
    }
}
