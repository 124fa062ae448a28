/* Logs as loggers write them are repaired, and the repair is said. */
#include "record.h"

/* ---- time ---- */

/* the stamps of a thousand samples a second, changed */
typedef double (*stamp)(int i);
static bristle_log *with_stamps(stamp t)
{
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) add("%.7f,%.12g,%.12g\n", t(i), position(i * 1e-3), force(i, i * 1e-3));
  return read_text();
}

/* what the position on the grid is off by, at most */
static double worst_position(const bristle_log *log)
{
  double worst = 0;
  for (size_t i = 0; i < log->count; i++)
    worst = fmax(worst, fabs(log->raw[BRISTLE_CHANNEL_POSITION][i] - position(log->t[i])));
  return worst;
}

static double one_back(int i) { return i == 700 ? 0.1 : i * 1e-3; }
static double one_ahead(int i) { return i == 700 ? 9.1 : i * 1e-3; }
static double repeated(int i) { return (i % 200 == 50 ? i - 1 : i) * 1e-3; }
static double restarted(int i) { return (i < 1300 ? i : i - 1300) * 1e-3; }
static double coarse(int i) { return (i / 8) * 8e-3; }
static double in_bunches(int i) { return (i / 16 + 1) * 16e-3 + (i % 16) * 2e-5; }
static double disordered(int i) { return (i % 50 == 20 ? i + 1 : i % 50 == 21 ? i - 1 : i) * 1e-3; }

TEST(a_stray_time_stamp_costs_one_row)
{
  bristle_log *log = with_stamps(one_back);
  CHECK(is_told(log, "the time stamp 0.1 s does not fit") && worst_position(log) < 1e-6, "%g", worst_position(log));
  CHECK(log->count == COUNT && log->stretches == 1 && !log->doubtful, "%zu samples", log->count);
  bristle_log_free(log);
  log = with_stamps(one_ahead);
  CHECK(is_told(log, "the time stamp 9.1 s does not fit") && worst_position(log) < 1e-6, "%g", worst_position(log));
  bristle_log_free(log);
}

/* the mean step of a log with a gap rounds, and its grid must not end behind the log for that */
TEST(a_missing_row_is_filled_in_logs_of_any_length)
{
  for (int rows = 1500; rows < 12000; rows += test_share(61, 977)) {
    begin("t,x,F");
    for (int i = 0; i < rows; i++)
      if (i != rows / 2) add("%.3f,%.9f,%.6f\n", i * 1e-3, position(i * 1e-3), force(i, i * 1e-3));
    bristle_log *log = read_text();
    CHECK(log->count == (size_t)rows && worst_position(log) < 1e-6, "%zu of %d", log->count, rows);
    bristle_log_free(log);
  }
}

TEST(repeated_time_stamps_are_left_out)
{
  bristle_log *log = with_stamps(repeated);
  CHECK(is_told(log, "15 rows repeat the time stamp before them") && worst_position(log) < 2e-6, "%g",
        worst_position(log));
  CHECK(log->stretches == 1, "%zu stretches", log->stretches);
  bristle_log_free(log);
}

TEST(a_clock_that_starts_again_begins_a_stretch)
{
  bristle_log *log = with_stamps(restarted);
  CHECK(is_told(log, "the clock starts again after 1.299 s") && log->stretches == 2, "%zu stretches", log->stretches);
  CHECK(log->count == COUNT && log->first[1] == 1300 && log->t[1300] > log->t[1299], "%zu", log->first[1]);
  bristle_log_free(log);
}

TEST(a_clock_coarser_than_the_sampling_is_spread)
{
  bristle_log *log = with_stamps(coarse);
  CHECK(is_told(log, "the clock is coarser than the sampling") && worst_position(log) < 1e-6, "%g",
        worst_position(log));
  CHECK(fabs(log->summary.rate - 1000) < 1, "%g Hz", log->summary.rate);
  bristle_log_free(log);
}

TEST(time_stamps_in_bunches_are_evened_out)
{
  bristle_log *log = with_stamps(in_bunches);
  CHECK(is_told(log, "come in bursts") && log->stretches == 1, "%zu stretches", log->stretches);
  CHECK(fabs(log->summary.rate - 1000) < 2 && log->count == COUNT, "%g Hz, %zu", log->summary.rate, log->count);
  bristle_log_free(log);
}

TEST(rows_out_of_order_are_sorted)
{
  bristle_log *log = with_stamps(disordered);
  CHECK(is_told(log, "some rows were out of order"), "not told");
  CHECK(log->count == COUNT && log->stretches == 1, "%zu samples", log->count);
  for (int i = 20; i < 22; i++)
    CHECK(log->raw[BRISTLE_CHANNEL_POSITION][i] != position(log->t[i]), "the made-up rows are exchanged");
  bristle_log_free(log);
}

/* samples that were taken at uneven times, and even ones with uneven stamps */
static bristle_log *jittered(int stamps_only)
{
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    double t = i * 1e-3, off = t + 2e-4 * noise_of(i + 5000);
    if (i % 300 == 100) continue; /* a few rows are missing */
    add("%.7f,%.12g,%.12g\n", off, position(stamps_only ? t : off), force(i, t));
  }
  return read_text();
}

TEST(uneven_samples_are_put_on_a_grid)
{
  bristle_log *log = jittered(0);
  CHECK(is_told(log, "put on a uniform grid"), "not told");
  CHECK(worst_position(log) < 1e-7 && log->stretches == 1, "off by %g", worst_position(log));
  for (size_t i = 2; i < log->count; i++)
    if (fabs((log->t[i] - log->t[i - 1]) * log->summary.rate - 1) > 1e-6) CHECK(0, "step at %zu", i);
  bristle_log_free(log);
}

TEST(even_samples_with_uneven_stamps_are_seen_by_their_motion)
{
  bristle_log *log = jittered(1);
  CHECK(is_told(log, "the time stamps jitter"), "not told");
  double worst = 0, start = log->t[0];
  for (size_t i = 0; i < log->count; i++)
    worst = fmax(
        worst, fabs(log->raw[BRISTLE_CHANNEL_POSITION][i] - position((log->t[i] - start) * 1e-3 * log->summary.rate)));
  CHECK(worst < 1e-7, "off by %g", worst);
  bristle_log_free(log);
}

/* 86 samples 14 us apart in the pauses of a log of 500 Hz */
TEST(bursts_shorter_than_a_step_are_left_out)
{
  double t = 0;
  begin("t,x,F");
  for (int piece = 0, n = 0; piece < 8; piece++) {
    for (int i = 0; i < (piece % 2 ? 86 : 900); i++, n++, t += piece % 2 ? 14e-6 : 2e-3)
      add("%.7f,%.9f,%.6f\n", t, position(t), force(n, t));
    t += 0.5;
  }
  bristle_log *log = read_text();
  CHECK(is_told(log, "344 samples in short pieces between gaps were left out"), "not told");
  CHECK(log->stretches == 4 && log->count == 3600, "%zu stretches, %zu samples", log->stretches, log->count);
  bristle_log_free(log);
}

TEST(short_pieces_between_gaps_are_left_out)
{
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++)
    if (i < 2000 || i % 100 < 30) add("%.6f,%.12g,%.12g\n", i * 1e-3, position(i * 1e-3), force(i, i * 1e-3));
  bristle_log *log = read_text();
  CHECK(is_told(log, "in short pieces between gaps were left out") && log->stretches == 1, "%zu", log->stretches);
  bristle_log_free(log);
}

/* ---- positions ---- */

typedef double (*reading)(int i);
static bristle_log *with_positions(const char *header, reading x)
{
  begin(header);
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g\n", i * 1e-3, x(i), force(i, i * 1e-3));
  return read_text();
}

static double angle(int i) { return 5e2 * position(i * 1e-3) + 2; }
static double wrapped(int i) { return angle(i) - 2 * M_PI * floor(angle(i) / (2 * M_PI)); }
static double degrees(int i) { return wrapped(i) * 180 / M_PI; }
static double counts(int i) { return fmod(rounded(angle(i) * 1000, 1) + 40960, 4096); }
static double shifted(int i) { return position(i * 1e-3) + (i < 1234 ? 0 : 0.0042); }
static double spiked(int i) { return position(i * 1e-3) + (i == 500 || i == 501 || i == 1700 ? 0.03 : 0); }

static double worst_against(const bristle_log *log, reading x, double factor)
{
  const double *found = log->raw[BRISTLE_CHANNEL_POSITION];
  double worst = 0;
  for (int i = 0; i < COUNT; i++) worst = fmax(worst, fabs((found[i] - found[0]) - factor * (x(i) - x(0))));
  return worst;
}

TEST(an_angle_that_wraps_round_is_unwrapped)
{
  bristle_log *log = with_positions("t,x [rad],F", wrapped);
  CHECK(is_told(log, "wraps round") && worst_against(log, angle, 1) < 1e-9, "%g", worst_against(log, angle, 1));
  bristle_log_free(log);
  log = with_positions("t,x [deg],F", degrees);
  CHECK(is_told(log, "wraps round") && worst_against(log, angle, 1) < 1e-9, "%g", worst_against(log, angle, 1));
  bristle_log_free(log);
  log = with_positions("t,x,F", counts);
  CHECK(is_told(log, "wraps round 7 times at 4096"), "not told");
  CHECK(worst_against(log, angle, 1000) < 1.01, "%g", worst_against(log, angle, 1000));
  bristle_log_free(log);
}

static double true_position(int i) { return position(i * 1e-3); }

TEST(a_jump_that_is_no_motion_is_taken_out)
{
  bristle_log *log = with_positions("t,x,F", shifted);
  CHECK(is_told(log, "the position jumps by 0.0042 at 1.234 s"), "not told");
  CHECK(worst_against(log, true_position, 1) < 1e-6, "%g", worst_against(log, true_position, 1));
  bristle_log_free(log);
  log = with_positions("t,x,F", spiked);
  CHECK(is_told(log, "2 spikes of the position cannot be motion"), "not told");
  CHECK(worst_against(log, true_position, 1) < 1e-5, "%g", worst_against(log, true_position, 1));
  bristle_log_free(log);
}

static double glued(int i) { return i < 1500 ? position(i * 1e-3) : 0.5 + position(3 - i * 1e-3); }

TEST(two_records_in_one_file_are_two_stretches)
{
  bristle_fault fault = { 0 };
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g\n", i * 1e-3, glued(i), force(i, i * 1e-3));
  bristle_log *log = read_with(&(bristle_log_options){ .cutoff = -1, .inverse = 1 }, &fault);
  CHECK(log, "%s", fault.what);
  if (!log) return;
  CHECK(is_told(log, "which cannot be motion: a new stretch begins there"), "not told");
  CHECK(log->stretches == 2 && log->first[1] == 1500 && worst_against(log, glued, 1) < 1e-12, "%zu stretches",
        log->stretches);
  bristle_log_free(log);
}

/* a machine that sticks and slips moves by jumps, seen by a slow log */
static double stick_slip(int i)
{
  return 1e-3 * (i / 150) * (i < 1500 ? 1 : 0) + (i < 1500 ? 0 : 1e-3 * (20 - i / 150));
}

TEST(slips_are_motion)
{
  bristle_fault fault = { 0 };
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g\n", i * 1e-3, stick_slip(i), force(i, i * 1e-3));
  bristle_log *log = read_with(&(bristle_log_options){ .cutoff = -1, .inverse = 1 }, &fault);
  CHECK(log, "%s", fault.what);
  if (log) CHECK(worst_against(log, stick_slip, 1) < 1e-12, "%g", worst_against(log, stick_slip, 1));
  bristle_log_free(log);
}

/* ---- registers and limits ---- */

TEST(a_held_register_is_bridged_between_its_fresh_values)
{
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g\n", i * 1e-3, position((i - i % 6) * 1e-3), force(i, i * 1e-3));
  bristle_log *log = read_text();
  CHECK(is_told(log, "the position is updated only every 6 samples"), "not told");
  log->count -= 5;                                                     /* nothing follows the last fresh value */
  CHECK(worst_position(log) < 2e-5, "off by %g", worst_position(log)); /* held: up to 3e-4 */
  CHECK_NEAR(log->fact[BRISTLE_CHANNEL_POSITION].held, 6, 1e-9);
  bristle_log_free(log);
}

static bristle_log *cut_off_at(double limit, double noise)
{
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    double t = i * 1e-3, f = 2 * velocity(t) / 0.06 + noise * noise_of(i);
    add("%.6f,%.12g,%.12g\n", t, position(t), fmax(-limit, fmin(limit, f)));
  }
  return read_text();
}

TEST(a_force_that_is_cut_off_does_not_count_there)
{
  bristle_log *log = cut_off_at(1.7, 0.01);
  const bristle_channel_facts *fact = &log->fact[BRISTLE_CHANNEL_FORCE];
  CHECK(fact->saturated > 0.02 && fact->saturated < 0.2, "%g", fact->saturated);
  CHECK(is_told(log, "the force saturates at -1.7 and 1.7"), "not told");
  CHECK(log->w, "no weights");
  for (size_t i = 0; log->w && i < log->count; i++)
    if ((log->w[i] == 0) != (fabs(log->f[i]) >= 1.7 && log->w[i] == 0)) CHECK(0, "sample %zu", i);
  bristle_log_free(log);
  log = cut_off_at(0.6, 0.01); /* for most of the time */
  CHECK(log->fact[BRISTLE_CHANNEL_FORCE].saturated > 0.5, "%g", log->fact[BRISTLE_CHANNEL_FORCE].saturated);
  bristle_log_free(log);
  log = cut_off_at(10, 0.01);
  CHECK(log->fact[BRISTLE_CHANNEL_FORCE].saturated == 0 && !log->w, "nothing is cut off");
  bristle_log_free(log);
}

/* ---- forces that step ---- */

/* what a force drives: a mass of 2 kg with friction of 5 N, ten pieces to a sample; x and F of each sample */
static bristle_log *driven_by(double (*drive)(int i, double x))
{
  double x = 0, v = 0, f = drive(0, 0);
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    f = drive(i, x);
    add("%.6f,%.10g,%.12g\n", i * 1e-3, rounded(x, 1e-7), f);
    for (int k = 0; k < 10; k++) {
      v += 1e-4 / 2 * (f - (v > 0 ? 5 : -5) - 20 * v);
      x += 1e-4 * v;
    }
  }
  bristle_fault fault = { 0 };
  bristle_log *log = read_with(&(bristle_log_options){ .cutoff = -1, .inverse = 1 }, &fault);
  CHECK(log, "%s", fault.what);
  if (!log) exit(1);
  return log;
}

static double square_wave(int i, double x)
{
  (void)x;
  return i / 33 % 2 ? -20 : 20;
}
static double relay_with_a_pause(int i, double x)
{
  (void)x;
  return i % 40 < 4 ? 0 : i / 40 % 2 ? -20 : 20;
}
static double staircase(int i, double x)
{
  (void)x;
  return (i / 33 % 2 ? -20 : 20) + 5 * noise_of(i / 33);
}
static double register_of_eight(int i, double x)
{
  (void)x;
  return 20 * sin(0.012 * (i - i % 8)) + 9 * sin(0.031 * (i - i % 8));
}

static int is_bridged(const bristle_log *log)
{
  for (size_t i = 0; i < log->note_count; i++)
    if (strstr(log->note[i], "is updated only every") || strstr(log->note[i], "saturates at")) return 1;
  return 0;
}

TEST(a_force_that_steps_is_no_register)
{
  double (*const drive[])(int, double) = { square_wave, relay_with_a_pause, staircase };
  for (int k = 0; k < 3; k++) {
    bristle_log *log = driven_by(drive[k]);
    CHECK(!is_bridged(log), "force %d: %s", k, log->note[0]);
    for (size_t i = 0; i < log->count; i++)
      if (fabs(log->raw[BRISTLE_CHANNEL_FORCE][i] - drive[k]((int)i, 0)) > 1e-9)
        CHECK(0, "force %d changes at %zu", k, i);
    bristle_log_free(log);
  }
}

/* the same mass, its force read in every eighth sample only */
TEST(a_register_of_a_force_is_bridged)
{
  double x = 0, v = 0;
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    add("%.6f,%.10g,%.12g\n", i * 1e-3, rounded(x, 1e-7), register_of_eight(i, 0));
    for (int k = 0; k < 10; k++) {
      const double at = i + 0.1 * k, f = 20 * sin(0.012 * at) + 9 * sin(0.031 * at);
      v += 1e-4 / 2 * (f - (v > 0 ? 5 : -5) - 20 * v);
      x += 1e-4 * v;
    }
  }
  bristle_fault fault = { 0 };
  bristle_log *log = read_with(&(bristle_log_options){ .cutoff = -1, .inverse = 1 }, &fault);
  CHECK(log && is_told(log, "the force is updated only every 8 samples"), "%s", fault.what);
  bristle_log_free(log);
}

/* strokes of one speed each, as long as the others: friction steps with the motion, in many levels */
TEST(friction_that_steps_with_the_motion_is_no_register)
{
  double x = 0;
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    const double v = (i / 33 % 2 ? -1 : 1) * (0.05 + 0.02 * noise_of(i / 66));
    add("%.6f,%.10g,%.12g\n", i * 1e-3, x, (v > 0 ? 2 : -2) + 10 * v);
    x += 1e-3 * v;
  }
  bristle_log *log = read_text();
  CHECK(!is_bridged(log), "%s", log->note[0]);
  bristle_log_free(log);
}
