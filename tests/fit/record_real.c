/* What is found in measured records that nobody here has made: quanta, lags, clocks and jumps, from $BRISTLE_DATA or
   ../shared/data. */
#include "record.h"

static bristle_log *read_real(const char *file, const bristle_log_options *options)
{
  const char *folder = getenv("BRISTLE_DATA");
  char path[600];
  bristle_fault fault = { 0 };
  bristle_log *log = NULL;
  snprintf(path, sizeof path, "%s/%s", folder && *folder ? folder : "../shared/data", file);
  bristle_fault_kind kind = bristle_log_read(path, options, &log, &fault);
  if (kind == BRISTLE_FAULT_FILE) test_skip("no %s: set BRISTLE_DATA to the folder that holds it", path);
  else CHECK(!kind, "%s", fault.what);
  return log;
}

TEST(a_servo_that_lost_counts_is_mended)
{
  bristle_log *log = read_real("servo_torque/inertia_coulomb_viscous_01.csv", &(bristle_log_options){ .cutoff = -1 });
  if (!log) return;
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_POSITION].quantum, 2 * M_PI / 1e4, 1e-3);
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_VELOCITY].quantum, 0.2 * M_PI / 10, 1e-3);
  CHECK(log->fact[BRISTLE_CHANNEL_VELOCITY].held == 1 && log->fact[BRISTLE_CHANNEL_FORCE].saturated == 0, "a command");
  CHECK(fabs(log->velocity_lag - 1.5e-3) < 1e-4, "lag %g", log->velocity_lag);
  CHECK(is_told(log, "the position jumps by -0.068") && is_told(log, "1 spike of the velocity"), "not told");
  bristle_log_free(log);
}

TEST(a_servo_register_lags_by_twenty_milliseconds)
{
  bristle_log_options options = { .cutoff = -1, .inverse = 1, .column[BRISTLE_CHANNEL_FORCE] = "motor_voltage*1 N*m" };
  bristle_log *log = read_real("bam_xl330/xl330_kp400_sin_sin.csv", &options);
  if (!log) return;
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_POSITION].quantum, 2 * M_PI / 4096, 1e-3);
  CHECK(fabs(log->velocity_lag - 20e-3) < 1e-3, "lag %g", log->velocity_lag);
  CHECK(log->raw[BRISTLE_CHANNEL_REFERENCE] && !log->reference_is_velocity, "no reference");
  bristle_log_free(log);
}

TEST(a_timer_of_a_desktop_is_seen_through)
{
  bristle_log *log = read_real("cycloidal_gearbox/speedramp_baseline_onyx_100s.csv",
                               &(bristle_log_options){ .cutoff = -1 });
  if (!log) return;
  CHECK(is_told(log, "the time stamps jitter") && fabs(log->summary.rate - 64) < 0.1, "%g Hz", log->summary.rate);
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_POSITION].quantum, 2 * M_PI / 65536, 2e-3);
  CHECK(log->raw[BRISTLE_CHANNEL_VELOCITY] && log->reference_is_velocity && isnan(log->velocity_lag), "two velocities");
  bristle_log_free(log);
}

TEST(a_quantum_that_the_last_digit_hides_is_found)
{
  bristle_log *log = read_real("pneumatic_seal/oring_3bar.csv", &(bristle_log_options){ .cutoff = -1 });
  if (!log) return;
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_POSITION].quantum, 4.39e-6, 0.01);
  CHECK(is_told(log, "short pieces") && log->stretches == 2, "%zu stretches", log->stretches);
  bristle_log_free(log);
}

TEST(a_controller_that_stamps_truly_is_believed)
{
  bristle_log_options options = { .cutoff = -1,
                                  .inverse = 1,
                                  .column[BRISTLE_CHANNEL_POSITION] = "q3",
                                  .column[BRISTLE_CHANNEL_VELOCITY] = "dq3",
                                  .column[BRISTLE_CHANNEL_FORCE] = "current3*11.13 N*m" };
  bristle_log *log = read_real("ur10e_joints/joint_3.csv", &options);
  if (!log) return;
  CHECK(is_told(log, "put on a uniform grid") && fabs(log->summary.rate - 93.8) < 0.1, "%g Hz", log->summary.rate);
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_POSITION].quantum, 1e-4, 1e-6);
  bristle_log_free(log);
}
