/* Records as loggers write them: what is known of each channel, what is repaired, and that it is said. */
#include "record.h"

/* ---- quantum ---- */

/* levels of an encoder, as they are printed and in other units */
TEST(the_quantum_of_a_channel_is_the_step_of_its_levels)
{
  static const struct {
    double step, factor, last_digit, single;
  } table[] = {
    { 1e-5, 1, 0, 0 },             /* as it is */
    { 6.2831853e-4, 1, 1e-6, 0 },  /* counts that the text rounds */
    { 4.4e-6, 1, 1e-6, 0 },        /* counts that the text rounds coarsely */
    { 5.2e-6, 57.29578, 1e-4, 0 }, /* in degrees, rounded: 2.98 of the last digit */
    { 1e-5, 39.3701, 0, 1 },       /* in inches, in single precision */
    { 7.3e-5, 1, 0, 1 },
  };
  static double y[COUNT], work[COUNT];
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    for (int i = 0; i < COUNT; i++) {
      y[i] = table[k].factor * rounded(position(i * 1e-3) + 1e-5 * noise_of(i), table[k].step);
      if (table[k].last_digit > 0) y[i] = rounded(y[i], table[k].last_digit);
      if (table[k].single > 0) y[i] = (double)(float)y[i];
    }
    double found = record_quantum(y, COUNT, 3, work) / table[k].factor;
    CHECK(fabs(found / table[k].step - 1) < 0.02, "case %zu: %g for %g", k, found, table[k].step);
  }
}

TEST(values_without_levels_have_no_quantum)
{
  static double y[COUNT], work[COUNT];
  for (int i = 0; i < COUNT; i++) y[i] = sin(0.01 * i) + 0.1 * noise_of(i);
  double found = record_quantum(y, COUNT, 3, work);
  CHECK(found < 1e-6, "%g", found);
  for (int i = 0; i < COUNT; i++) y[i] = i / 300 % 2 ? 3 : -3; /* the levels of a command */
  CHECK(record_quantum(y, COUNT, 20, work) == 0, "two levels");
}

/* about its turns a sine lies as the squares of whole numbers: their gaps are all odd multiples of the first */
TEST(a_sine_has_no_quantum)
{
  enum { FINE = 5001 };
  static double y[FINE], work[FINE];
  for (int i = 0; i < FINE; i++) y[i] = 1e-3 * cos(6.283185307179586 * i / (FINE - 1));
  double found = record_quantum(y, FINE, 3, work);
  CHECK(found == 0, "%g", found);
  for (int i = 0; i < FINE; i++) y[i] = rounded(y[i], 1e-7);
  found = record_quantum(y, FINE, 3, work);
  CHECK_NEAR(found, 1e-7, 1e-6);
}

/* ---- noise, held, saturated ---- */

TEST(noise_is_that_of_the_samples)
{
  double sum = 0;
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    double t = i * 1e-3, n = 1e-5 * noise_of(i);
    sum += n * n;
    add("%.6f,%.12g,%.12g\n", t, position(t) + n, force(i, t));
  }
  bristle_log *log = read_text();
  const bristle_channel_facts *fact = log->fact;
  CHECK(fabs(fact[BRISTLE_CHANNEL_POSITION].noise / sqrt(sum / COUNT) - 1) < 0.2, "noise %g for %g",
        fact[BRISTLE_CHANNEL_POSITION].noise, sqrt(sum / COUNT));
  CHECK(fabs(fact[BRISTLE_CHANNEL_FORCE].noise / (0.05 / sqrt(3)) - 1) < 0.2, "%g", fact[BRISTLE_CHANNEL_FORCE].noise);
  CHECK(fact[BRISTLE_CHANNEL_POSITION].held == 1 && fact[BRISTLE_CHANNEL_FORCE].saturated == 0, "nothing else");
  CHECK(log->raw[BRISTLE_CHANNEL_POSITION] && !log->raw[BRISTLE_CHANNEL_VELOCITY], "only what was measured");
  CHECK(isnan(log->velocity_lag), "no velocity, no lag");
  bristle_log_free(log);
}

TEST(a_register_slower_than_the_log_is_seen)
{
  static double y[COUNT];
  for (int k = 1; k < 15; k += 3) {
    for (int i = 0; i < COUNT; i++) y[i] = rounded(position((i - i % k) * 1e-3), 1e-6);
    double held = record_held(y, COUNT, 1e-6);
    CHECK(fabs(held - k) < 0.05 * k, "held for %g samples, expected %d", held, k);
  }
  for (int i = 0; i < COUNT; i++) y[i] = rounded(position(i * 1e-3), 5e-4); /* a coarse encoder is fresh */
  CHECK(record_held(y, COUNT, 5e-4) == 1, "a coarse encoder is held for %g", record_held(y, COUNT, 5e-4));
  for (int i = 0; i < COUNT; i++) y[i] = 0.1 * (i / 25 % 7); /* a staircase that is meant */
  CHECK(record_held(y, COUNT, 0) >= 1, "a staircase");
}

/* ---- lag ---- */

static bristle_log *with_velocity(double step, double (*of)(double t), double lag, double noise)
{
  begin("t,x,v,F");
  for (int i = 0; i < COUNT; i++) {
    double t = i * step;
    add("%.6f,%.12g,%.12g,%.12g\n", t, position(t), of(t - lag) + noise * noise_of(i), force(i, t));
  }
  return read_text();
}

static bristle_log *with_lag(double lag, double noise) { return with_velocity(2e-3, velocity, lag, noise); }

TEST(a_velocity_that_lags_is_found_out)
{
  bristle_log *log = with_lag(0.0153, 1e-4);
  CHECK(fabs(log->velocity_lag - 0.0153) < 2e-4, "%g", log->velocity_lag);
  CHECK(is_told(log, "the velocity column is 15.3 ms behind the position"), "not told");
  bristle_log_free(log);
  log = with_lag(-0.005, 1e-4);
  CHECK(fabs(log->velocity_lag + 0.005) < 2e-4, "%g", log->velocity_lag);
  bristle_log_free(log);
}

TEST(a_shift_that_explains_nothing_is_no_lag)
{
  bristle_log *log = with_lag(0, 1e-3);
  CHECK(isnan(log->velocity_lag), "%g", log->velocity_lag);
  bristle_log_free(log);
  log = with_lag(0.002, 0.3); /* hidden by noise */
  CHECK(isnan(log->velocity_lag), "%g", log->velocity_lag);
  bristle_log_free(log);
}

/* the answer must come from the position alone */
TEST(a_velocity_that_lags_by_many_samples_is_not_used)
{
  static const double lag[] = { 0.075, -0.11, 0.3 };
  for (int k = 0; k < 3; k++) {
    bristle_log *log = with_velocity(0.01, velocity, lag[k], 1e-4);
    CHECK(fabs(log->velocity_lag - lag[k]) < 2e-3, "%g for %g", log->velocity_lag, lag[k]);
    CHECK(is_told(log, "the position: it is not used"), "not told");
    CHECK(!log->raw[BRISTLE_CHANNEL_VELOCITY] && !log->doubtful, "it is used, or a doubt");
    for (size_t i = 20; i + 20 < log->count; i++)
      if (fabs(log->v[i] - velocity(log->t[i])) > 2e-3) CHECK(0, "%g for %g", log->v[i], velocity(log->t[i]));
    bristle_log_free(log);
  }
}

static double rising(double t) { return 0.02 * sin(1.7 * t * t / 30); }
static double turned(double t) { return -velocity(t); }

TEST(a_velocity_that_is_not_that_of_the_position_is_not_used)
{
  bristle_log *log = with_velocity(0.01, rising, 0, 1e-4);
  CHECK(is_told(log, "they do not describe one motion") && log->doubtful, "not told");
  CHECK(!log->raw[BRISTLE_CHANNEL_VELOCITY], "it is used");
  bristle_log_free(log);
  log = with_velocity(0.01, turned, 0, 1e-4);
  CHECK(is_told(log, "position and velocity disagree") && log->doubtful, "not told");
  bristle_log_free(log);
  log = with_velocity(0.01, velocity, 3, 1e-4); /* clocks that began at different times */
  CHECK(log->doubtful, "no doubt");
  bristle_log_free(log);
}
