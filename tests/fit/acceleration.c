/* Laws that ask whether a motion speeds up or slows down, on records that do not say so. */
#include "lab/identify.h"
#include "lab/sim.h"
#include "support/test.h"

enum { COUNT = 2001 };
static const double STEP = 1e-3, FC = 20, FS = 25, VCR = 5e-3, SPEED = 0.03, TURN = 6.283185307179586;

static double speed(double t) { return SPEED * sin(TURN * t); }
static double place(double t) { return SPEED / TURN * (1 - cos(TURN * t)); }

/* Cristian's relation (4), on the starting half of each stroke only */
static double friction(double t)
{
  double v = speed(t), starting = v * cos(TURN * t) > 0;
  if (fabs(v) < 1e-9) return 0;
  return copysign(FC + (starting ? (FS - FC) * exp(-fabs(v) / VCR) : 0), v);
}

static bristle_log *record(int with_velocity, int acceleration)
{
  char *text = malloc(COUNT * 60 + 60);
  size_t used = (size_t)sprintf(text, "t [s],%s,F [N]\n", with_velocity ? "v [m/s]" : "x [m]");
  for (int i = 0; i < COUNT; i++) {
    double t = i * STEP;
    used += (size_t)sprintf(text + used, "%.6g,%.12g,%.9g\n", t, with_velocity ? speed(t) : place(t), friction(t));
  }
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  bristle_fault fault;
  CHECK(!bristle_table_parse("made up", text, used, &table, &fault), "%s", fault.what);
  CHECK(!bristle_log_from_table(table, &(bristle_log_options){ .acceleration = acceleration }, &log, &fault), "%s",
        fault.what);
  bristle_table_free(table);
  free(text);
  if (!log) exit(1);
  return log;
}

static void check_found(bristle_log *log)
{
  const bristle_log *one = log;
  bristle_identified *r = NULL;
  bristle_fault fault;
  bristle_identify_options options = { .folds = -1 };
  CHECK(!bristle_identify(bristle_law_find("startstop"), &one, 1, NULL, &options, &r, &fault), "%s", fault.what);
  if (!r) exit(1);
  CHECK_NEAR(r->p[0], FC, 1e-3);
  CHECK_NEAR(r->p[1], FS, 1e-2);
  CHECK_NEAR(r->p[2], VCR, 2e-2);
  CHECK(r->rms < 5e-3, "%g N rms", r->rms);
  for (int k = 0; k < 3; k++) CHECK(!r->estimate[k].reason[0], "%s: %s", r->estimate[k].name, r->estimate[k].reason);
  char sentence[16][240];
  int said = bristle_identified_verdict(r, &one, 1, sentence, 16);
  for (int k = 0; k < said; k++) CHECK(!strstr(sentence[k], "lacks an effect"), "%s", sentence[k]);
  bristle_identified_free(r);
  bristle_log_free(log);
}

TEST(startstop_is_found_from_the_position) { check_found(record(0, 1)); }
TEST(startstop_is_found_from_the_velocity) { check_found(record(1, 1)); }

TEST(nobody_makes_an_acceleration_that_is_not_asked_for)
{
  bristle_log *log = record(0, 0);
  CHECK(!log->a, "an acceleration was made");
  bristle_log_free(log);
}

/* ---- a recorded position drives a law ---- */

static int compare_row(void *context, const double *values)
{
  double *worst = context, t = values[0];
  if (fabs(speed(t)) > 1e-4 && fabs(fabs(speed(t)) - SPEED) > 1e-6)
    *worst = fmax(*worst, fabs(values[3] - friction(t)));
  return 0;
}

TEST(a_recorded_position_tells_starting_from_stopping)
{
  static double t[COUNT], x[COUNT];
  double p[BRISTLE_LAW_SIZE], worst = 0;
  const bristle_law *law = bristle_law_find("startstop");
  bristle_defaults(law->f64->info, p);
  p[0] = FC, p[1] = FS, p[2] = VCR;
  for (int i = 0; i < COUNT; i++) t[i] = i * STEP, x[i] = place(t[i]);
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
  rig.as.driven.contact = (bristle_contact){ .law = law, .p = p };
  rig.as.driven.motion = (bristle_program){ .count = COUNT, .t = t, .y = x };
  bristle_sim_options options = { .end = t[COUNT - 1], .times = t, .time_count = COUNT };
  bristle_sim_sink sink = { .row = compare_row, .context = &worst };
  bristle_sim_error error;
  CHECK(!bristle_simulate(&rig, &options, &sink, NULL, &error), "status %d at %g s", error.status, error.t);
  /* the velocity of a piece is that of its middle, half a step early: 0.19 m/s^2 * 0.5 ms, and 1 N per mm/s */
  CHECK(worst < 0.11, "off by %g N", worst);
}
