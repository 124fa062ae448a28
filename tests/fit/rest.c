/* A position that rests, but for its noise. */
#include "lab/identify.h"
#include "support/test.h"

enum { COUNT = 9000 };
static const double STEP = 1e-3, NOISE = 20e-9;

static double noise_of(unsigned long long *state)
{
  double sum = -6; /* twelve uniform numbers are nearly normal */
  for (int i = 0; i < 12; i++)
    sum += (double)((*state = *state * 6364136223846793005ull + 1442695040888963407ull) >> 11) * 0x1p-53;
  return sum;
}

static double smooth(double part)
{
  part = fmin(fmax(part, 0), 1);
  return part * part * (3 - 2 * part);
}

/* strokes between two rests: nothing before 0.5 s nor after 6.5 s */
static double stroke(double t)
{
  const double turn = 6.283185307179586;
  return smooth((t - 0.5) / 0.3) * smooth((6.5 - t) / 0.7)
         * (7e-4 * sin(turn * 0.9 * t) + 1e-2 * sin(turn * 0.31 * t) + 2e-5 * sin(turn * 3.1 * t));
}

/* far slower than noise moves: 20 nm in a second */
static double creep(double t) { return 2e-8 * t + (t > 4 ? 1e-3 * (t - 4) : 0); }

/* `speed_noise` of a measured velocity; negative: it was not measured */
static bristle_fault_kind try_record(double (*position)(double), double noise, double speed_noise, bristle_log **log,
                                     bristle_fault *fault)
{
  const bristle_law *law = bristle_law_find("lugre");
  const double p[] = { 2e6, 3000, 40, 20, 30, 2e-3, 2, 1e9, 0 };
  enum { PARTS = 20 };
  char *text = malloc(COUNT * 80 + 80);
  size_t used = (size_t)sprintf(text, "time [s],position [m],force [N]%s\n", speed_noise < 0 ? "" : ",velocity [m/s]");
  unsigned long long state = 7;
  double z = 0, rate;
  for (int i = 0; i < COUNT; i++) {
    bristle_input in = { .n = 1, .h = STEP / PARTS };
    for (int k = 0; i && k < PARTS; k++) {
      double from = (i - 1) * STEP + k * in.h;
      in.v = (position(from + in.h) - position(from)) / in.h;
      law->f64->step(p, &z, &in, NULL);
    }
    double t = i * STEP, force = law->f64->eval(p, &z, &in, &rate) + 0.05 * noise_of(&state);
    used += (size_t)sprintf(text + used, "%.6g,%.12g,%.9g", t, position(t) + noise * noise_of(&state), force);
    if (speed_noise >= 0) {
      double v = (position(t + 1e-6) - position(t - 1e-6)) / 2e-6 + speed_noise * noise_of(&state);
      used += (size_t)sprintf(text + used, ",%.9g", v);
    }
    text[used++] = '\n';
  }
  bristle_table *table = NULL;
  CHECK(!bristle_table_parse("made up", text, used, &table, fault), "%s", fault->what);
  bristle_fault_kind kind = bristle_log_from_table(table, &(bristle_log_options){ 0 }, log, fault);
  bristle_table_free(table);
  free(text);
  return kind;
}

static bristle_log *record(double (*position)(double), double noise, double speed_noise)
{
  bristle_log *log = NULL;
  bristle_fault fault;
  CHECK(!try_record(position, noise, speed_noise, &log, &fault), "%s", fault.what);
  if (!log) exit(1);
  return log;
}

static double path(const bristle_log *log, double from, double to)
{
  double sum = 0;
  for (size_t i = 1; i < log->count; i++)
    if (log->t[i - 1] >= from && log->t[i] <= to) sum += fabs(log->slide[i]) * STEP;
  return sum;
}

TEST(a_position_within_its_noise_rests)
{
  bristle_log *log = record(stroke, NOISE, -1);
  CHECK(path(log, 0.05, 0.45) < 1e-8 && path(log, 6.6, 8.9) < 1e-8, "%g m and %g m of noise", path(log, 0.05, 0.45),
        path(log, 6.6, 8.9));
  double way = 0;
  for (int i = 1; i < COUNT; i++) way += fabs(stroke(i * STEP) - stroke((i - 1) * STEP));
  CHECK_NEAR(path(log, 0, 9), way, 1e-3);
  int told = 0;
  for (size_t i = 0; i < log->note_count; i++) told |= strstr(log->note[i], "noise") != NULL;
  CHECK(told, "the notes must say that rests are taken as rests");
  bristle_log_free(log);
}

TEST(a_slow_creep_is_not_lost_in_the_noise)
{
  bristle_log *log = record(creep, 1e-9, -1);
  CHECK_ABS(path(log, 0.2, 3.8), 3.6 * 2e-8, 1.5e-8);
  bristle_log_free(log);
}

static double nowhere(double t) { return 0 * t; }

TEST(a_position_that_is_nothing_but_noise_is_refused)
{
  bristle_log *log = NULL;
  bristle_fault fault = { 0 };
  CHECK(try_record(nowhere, NOISE, -1, &log, &fault), "%zu samples of noise are taken for motion", log->count);
  CHECK(strstr(fault.what, "stays within its noise"), "%s", fault.what);
}

TEST(a_record_without_noise_is_left_as_it_is)
{
  bristle_log *log = record(stroke, 0, -1);
  for (size_t i = 0; i < log->count; i++) CHECK_ABS(log->x[i], stroke((double)i * STEP), 2e-9);
  CHECK(!log->note_count, "%s", log->note[0]);
  bristle_log_free(log);
}

/* what was put in must come out, but for what the filter of the position or the noise of the velocity itself does */
static void check_found(bristle_log *log)
{
  const bristle_log *one = log;
  bristle_identified *r = NULL;
  bristle_fault fault;
  bristle_identify_options options = { .folds = -1 };
  CHECK(!bristle_identify(bristle_law_find("lugre"), &one, 1, NULL, &options, &r, &fault), "%s", fault.what);
  if (!r) exit(1);
  CHECK_NEAR(r->p[0], 2e6, 0.02);
  CHECK_NEAR(r->p[3], 20, 0.002);
  CHECK_NEAR(r->p[4], 30, 0.03);
  CHECK(r->rms < 0.1, "%g N of 0.05 N noise", r->rms);
  bristle_identified_free(r);
  bristle_log_free(log);
}

/* Noise that bends the bristles back at rest made sigma0 a quarter too small. */
TEST(noise_at_rest_does_not_shake_the_bristles_loose) { check_found(record(stroke, NOISE, -1)); }

/* nor does that of a measured velocity, whichever of the two is the smoother */
TEST(noise_of_a_measured_velocity_does_not_either)
{
  check_found(record(stroke, 0, 1e-6));
  check_found(record(stroke, 0, 1e-5));
  check_found(record(stroke, NOISE, 1e-5));
}
