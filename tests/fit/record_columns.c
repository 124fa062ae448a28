/* Columns as people name them: factors, shifts, arrays, clocks, and none. */
#include "record.h"

static void add_rows(double x_scale)
{
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g\n", i * 1e-3, x_scale * position(i * 1e-3), force(i, i * 1e-3));
}

static bristle_log *read_as(const char *header, double x_scale, const char *x, const char *f)
{
  bristle_fault fault = { 0 };
  bristle_log_options options = { .cutoff = -1,
                                  .column[BRISTLE_CHANNEL_POSITION] = x,
                                  .column[BRISTLE_CHANNEL_FORCE] = f };
  begin(header);
  add_rows(x_scale);
  bristle_log *log = read_with(&options, &fault);
  CHECK(log, "%s, %s, %s: %s", header, x ? x : "", f ? f : "", fault.what);
  if (!log) exit(1);
  return log;
}

TEST(a_column_takes_factor_and_shift_with_units)
{
  static const struct {
    const char *header, *x, *f;
    double x_scale, factor, shift, f_factor, f_shift;
    int rotary;
  } table[] = {
    { "t,q2,tau", "q2+0.5 rad", "tau", 1, 1, 0.5, 1, 0, 1 },
    { "t,q2,tau", "q2 + 30 deg", "tau*+1.5 N*m", 1, 1, M_PI / 6, 1.5, 0, 1 },
    { "t,q,current", "q-0.1", "current*12 N*m", 1, 1, -0.1, 12, 0, 1 },
    { "t,x_mm,voltage", "x_mm-5", "voltage*35.15 N", 1000, 1, -5e-3, 35.15, 0, 0 },
    { "t,x_mm,voltage_V", "x_mm-5 mm", "voltage*2+3 kN", 1000, 1, -5e-3, 2000, 3000, 0 },
    { "t,x,F/x-y", "x*2+1", "F/x-y*3", 1, 2, 1, 3, 0, 0 },
    { "t,x,F", "x", "F/4-1", 1, 1, 0, 0.25, -1, 0 },
    { "t,x,F", "x*1 mm", "#3*2", 1, 1e-3, 0, 2, 0, 0 },
    { "t,q2,tau", "q2 rad", "tau [N*m]", 1, 1, 0, 1, 0, 1 },
    { "t,q2,tau", "q2 [deg]", "tau(mN*m)", 180 / M_PI, 1, 0, 1e-3, 0, 1 },
    { "t,x,F y", "#2 mm", "F y [kN]", 1, 1e-3, 0, 1000, 0, 0 },
    { "t,x [mm],F", "x [mm]", "F", 1000, 1, 0, 1, 0, 0 },
    { "t,x [mm],F", "x mm", "F", 1000, 1, 0, 1, 0, 0 },
    { "t,x [mm],F [kN]", "x*2+1 mm", "F*2+3 kN", 1000, 2, 1e-3, 2000, 3000, 0 },
    { "t,x [mm],I [mA]", "x*2", "I*5 N", 1000, 2, 0, 5e-3, 0, 0 }, /* newtons per ampere */
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_log *log = read_as(table[k].header, table[k].x_scale, table[k].x, table[k].f);
    const int i = 777;
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_POSITION][i], table[k].factor * position(i * 1e-3) + table[k].shift, 1e-9);
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_FORCE][i], table[k].f_factor * force(i, i * 1e-3) + table[k].f_shift, 1e-8);
    CHECK(log->rotary == table[k].rotary, "case %zu: rotary %d", k, log->rotary);
    bristle_log_free(log);
  }
}

TEST(bad_factors_and_shifts_are_refused)
{
  static const char *const table[][2] = {
    { "F*", "expected a number after the *" },
    { "F*0", "expected a number after the *" },
    { "F*2 m", "m" },
    { "F+abc", "expected a number after the +" },
    { "G*2", "expected one named 'G'" },
    { "F [m]", "m" },
    { "F large", "expected one named 'F large'" },
    { "u [N]", "has the unit kN" },
    { "u*2 N", "count it twice" },
  };
  begin("t,x,F,u [kN]");
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g,1\n", i * 1e-3, position(i * 1e-3), force(i, i * 1e-3));
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_log_options options = { .column[BRISTLE_CHANNEL_FORCE] = table[k][0] };
    bristle_fault fault = refused(&options);
    CHECK(strstr(fault.what, table[k][1]) && fault.hint[0], "%s: '%s'", table[k][0], fault.what);
  }
}

TEST(a_current_for_a_force_asks_for_its_factor)
{
  bristle_log_options options = { .column[BRISTLE_CHANNEL_FORCE] = "current_A" };
  begin("t,x,current_A");
  add_rows(1);
  const bristle_fault fault = refused(&options);
  CHECK(strstr(fault.what, "found 'A'") && strstr(fault.hint, "'current_A*12 N'"), "%s; %s", fault.what, fault.hint);
}

TEST(a_share_in_percent_asks_for_its_factor)
{
  bristle_log_options options = { .column[BRISTLE_CHANNEL_FORCE] = "actual torque (% rated)" };
  begin("t,x,actual torque (% rated)");
  add_rows(1);
  const bristle_fault fault = refused(&options);
  CHECK(fault.file[0] && strstr(fault.what, "percent") && strstr(fault.hint, "(% rated)*12 N'"), "%s; %s", fault.what,
        fault.hint);
  bristle_log_free(read_as("t,q,actual torque (% rated)", 1, NULL, "actual torque (% rated)*0.024 N*m"));
}

TEST(names_of_arrays_and_topics_are_understood)
{
  bristle_log *log = read_as("time,position[3],/joint_states/effort[2]", 1, NULL, NULL);
  CHECK(!strcmp(log->column[BRISTLE_CHANNEL_POSITION], "position[3]"), "%s", log->column[BRISTLE_CHANNEL_POSITION]);
  CHECK(!strcmp(log->column[BRISTLE_CHANNEL_FORCE], "/joint_states/effort[2]"), "%s",
        log->column[BRISTLE_CHANNEL_FORCE]);
  bristle_log_free(log);
  log = read_as("time,/joint_states/position[0],/joint_states/effort[0]", 1, "position[0]", "effort[0]*2 N*m");
  CHECK_ABS(log->raw[BRISTLE_CHANNEL_FORCE][5], 2 * force(5, 5e-3), 1e-9);
  CHECK(log->rotary, "N*m");
  bristle_log_free(log);
  log = read_as("time,joint_3.position,joint_3.effort", 1, NULL, "joint_3.effort");
  CHECK(!strcmp(log->column[BRISTLE_CHANNEL_POSITION], "joint_3.position"), "%s",
        log->column[BRISTLE_CHANNEL_POSITION]);
  bristle_log_free(log);
}

TEST(a_velocity_column_can_be_ignored)
{
  bristle_fault fault;
  bristle_log_options options = { .cutoff = -1, .column[BRISTLE_CHANNEL_VELOCITY] = "none" };
  begin("t,x,v,F");
  for (int i = 0; i < COUNT; i++)
    add("%.6f,%.12g,%.12g,%.12g\n", i * 1e-3, position(i * 1e-3), 5.0, force(i, i * 1e-3));
  bristle_log *log = read_with(&options, &fault);
  CHECK(log && !log->raw[BRISTLE_CHANNEL_VELOCITY] && !log->doubtful, "%s", log ? "" : fault.what);
  bristle_log_free(log);
}

TEST(a_velocity_column_without_a_number_is_not_missed)
{
  bristle_fault fault;
  bristle_log_options options = { .cutoff = -1 };
  begin("t,x,v,a,F");
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,nan,,%.12g\n", i * 1e-3, position(i * 1e-3), force(i, i * 1e-3));
  bristle_log *log = read_with(&options, &fault);
  CHECK(log && !log->raw[BRISTLE_CHANNEL_VELOCITY] && log->count == COUNT, "%s", log ? "" : fault.what);
  bristle_log_free(log);
  options.column[BRISTLE_CHANNEL_VELOCITY] = "v"; /* asked for by name, it must have some */
  fault = refused(&options);
  CHECK(strstr(fault.what, "column 'v'"), "%s", fault.what);
}

TEST(a_table_without_time_takes_a_rate)
{
  bristle_log_options options = { .cutoff = -1 };
  begin("x,F");
  for (int i = 0; i < COUNT; i++) add("%.12g,%.12g\n", position(i * 2e-3), force(i, i * 2e-3));
  bristle_fault fault = refused(&options);
  CHECK(strstr(fault.hint, "option rate"), "%s", fault.hint);
  options.rate = 500;
  bristle_log *log = read_with(&options, &fault);
  CHECK(log && fabs(log->summary.rate - 500) < 1e-6 && log->count == COUNT, "%s", log ? "" : fault.what);
  bristle_log_free(log);
}

TEST(a_first_column_that_rises_evenly_is_the_time)
{
  bristle_fault fault;
  bristle_log_options options = { .cutoff = -1 };
  begin("Channel,x,F");
  for (int i = 0; i < COUNT; i++) add("%.6f,%.12g,%.12g\n", i * 2e-3, position(i * 2e-3), force(i, i * 2e-3));
  bristle_log *log = read_with(&options, &fault);
  CHECK(log && fabs(log->summary.rate - 500) < 1e-6, "%s", log ? "" : fault.what);
  bristle_log_free(log);
  begin("sample,x,F"); /* a counter is no clock */
  for (int i = 0; i < COUNT; i++) add("%d,%.12g,%.12g\n", i, position(i * 2e-3), force(i, i * 2e-3));
  fault = refused(&options);
  CHECK(strstr(fault.hint, "option rate"), "%s", fault.hint);
}

TEST(rows_that_hold_one_sensor_each_are_brought_together)
{
  begin("t,x,F");
  for (int i = 0; i < COUNT; i++) {
    double t = i * 1e-3;
    if (i % 3) add("%.6f,%.12g,\n", t, position(t));
    else add("%.6f,,%.12g\n", t, force(i, t));
  }
  bristle_log *log = read_text();
  CHECK(is_told(log, "no row has all columns: they are interpolated at the 1000 rows of the force"), "not told");
  CHECK(!log->doubtful && log->count >= 998 && log->stretches == 1, "%zu samples", log->count);
  for (size_t i = 0; i < log->count; i += 50)
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_POSITION][i], position(log->t[i]), 1e-6);
  bristle_log_free(log);
}

/* ---- clocks ---- */

static bristle_log *with_clock(const char *header, const char *format, double start, double tick)
{
  begin(header);
  for (int i = 0; i < COUNT; i++) {
    add(format[0] == 'i' ? "%.0f" : "%.6f", start + i * tick);
    add(",%.12g,%.12g\n", position(i * 2e-3), force(i, i * 2e-3));
  }
  return read_text();
}

TEST(clocks_that_count_whole_numbers_are_understood)
{
  static const struct {
    const char *header, *format;
    double start, tick;
  } table[] = {
    { "time,x,F", "i", 0, 2 },            /* ms */
    { "timestamp,x,F", "i", 17e11, 2 },   /* ms since 1970 */
    { "timestamp,x,F", "i", 17e14, 2e3 }, /* us since 1970 */
    { "%time,x,F", "i", 17e17, 2e6 },     /* ns since 1970 */
    { "stamp,x,F", "f", 17e8, 2e-3 },     /* s since 1970 */
    { "time,x,F", "i", 5000, 2000 },      /* us */
    { "time_us,x,F", "i", 5000, 2000 },
    { "millis,x,F", "i", 77, 2 },
    { "micros,x,F", "i", 77, 2e3 },
    { "time [ms],x,F", "f", 0, 2 },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_log *log = with_clock(table[k].header, table[k].format, table[k].start, table[k].tick);
    CHECK(fabs(log->summary.rate - 500) < 0.5, "case %zu: %g Hz", k, log->summary.rate);
    CHECK(log->count == COUNT && log->stretches == 1, "case %zu: %zu samples", k, log->count);
    bristle_log_free(log);
  }
}

TEST(seconds_and_nanoseconds_make_one_time)
{
  begin("header.stamp.secs,header.stamp.nsecs,position,effort");
  for (int i = 0; i < COUNT; i++)
    add("%d,%d,%.12g,%.12g\n", 1700000000 + (i + 300) / 500, (i + 300) % 500 * 2000000, position(i * 2e-3),
        force(i, i * 2e-3));
  bristle_log *log = read_text();
  CHECK(fabs(log->summary.rate - 500) < 1e-3 && log->count == COUNT && log->stretches == 1, "%g Hz, %zu stretches",
        log->summary.rate, log->stretches);
  bristle_log_free(log);
}

/* ---- what it should have been ---- */

TEST(a_reference_is_kept_beside_the_measurement)
{
  begin("t,goal_position,x,F");
  for (int i = 0; i < COUNT; i++)
    add("%.6f,%.12g,%.12g,%.12g\n", i * 1e-3, position(i * 1e-3 + 0.01), position(i * 1e-3), force(i, i * 1e-3));
  bristle_log *log = read_text();
  CHECK(log->raw[BRISTLE_CHANNEL_REFERENCE], "no reference");
  if (log->raw[BRISTLE_CHANNEL_REFERENCE]) CHECK_ABS(log->raw[BRISTLE_CHANNEL_REFERENCE][100], position(0.11), 1e-9);
  CHECK(!log->reference_is_velocity, "of the position");
  bristle_log_free(log);
}

/* position and force of a screw, with units of their own */
static bristle_log *read_screw(const char *header, double x_scale, double f_scale, double lead, double radius,
                               bristle_fault *fault)
{
  const bristle_log_options options = { .cutoff = -1, .lead = lead, .radius = radius };
  begin(header);
  for (int i = 0; i < COUNT; i++)
    add("%.6f,%.12g,%.12g\n", i * 1e-3, x_scale * position(i * 1e-3), f_scale * force(i, i * 1e-3));
  return read_with(&options, fault);
}

TEST(bare_units_at_the_end_of_a_name_are_read)
{
  static const char *const headers[] = {
    "t,position mm,force kN",  "t,pos_mm,force_kN",          "t,x.mm,force.kN",
    "t,Weg in mm,Kraft in kN", "t,position (mm),force (kN)", "t,position,force\ns,mm,kN"
  };
  for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
    bristle_fault fault = { 0 };
    bristle_log *log = read_screw(headers[k], 1e3, 1e-3, 0, 0, &fault);
    CHECK(log, "%s: %s", headers[k], fault.what);
    if (!log) continue;
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_POSITION][777], position(0.777), 1e-9);
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_FORCE][777], force(777, 0.777), 1e-8);
    if (strchr(headers[k], '.') || strstr(headers[k], "n mm,force")) CHECK(is_told(log, "read as its unit"), "%zu", k);
    bristle_log_free(log);
  }
}

TEST(names_tell_a_rotation_where_no_unit_does)
{
  static const struct {
    const char *header;
    int rotary, told;
  } table[] = { { "t,q2,tau2", 1, 1 },
                { "t,joint_1_position,joint_1_effort", 1, 1 },
                { "t,position,torque", 1, 1 },
                { "t,theta,current_torque", 1, 1 },
                { "t,x,F", 0, 0 },
                { "t,position,force", 0, 0 },
                { "t,q,force", 0, 0 },
                { "t,q_rad,tau", 1, 0 },
                { "t,q_mm,effort", 0, 0 },
                { "t,sequence_position,effort", 0, 0 } };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_log *log = read_as(table[k].header, 1, NULL, NULL);
    CHECK(log->rotary == table[k].rotary, "%s: rotary %d", table[k].header, log->rotary);
    CHECK(is_told(log, "taken for a rotation") == table[k].told, "%s: told", table[k].header);
    bristle_log_free(log);
  }
}

TEST(a_length_beside_a_torque_needs_a_lead)
{
  static const char *const mixed[] = { "t,x [mm],tau [Nm]", "t,velocity mm/s,torque Nm", "t,q [rad],F [N]",
                                       "t,q_deg,force_N" };
  for (size_t k = 0; k < sizeof mixed / sizeof *mixed; k++) {
    bristle_fault fault = { 0 };
    CHECK(!read_screw(mixed[k], 1, 1, 0, 0, &fault), "%s is accepted", mixed[k]);
    CHECK(strstr(fault.what, "travel per turn is missing") && strstr(fault.hint, "option lead '10 mm'"), "%s; %s",
          fault.what, fault.hint);
  }
  static const struct {
    const char *header;
    double x_scale, f_scale, lead, radius; /* what is written for metres and newtons */
  } table[] = {
    { "t,x [mm],tau [Nm]", 1e3, 0.01 / (2 * M_PI), 0.01, 0 },
    { "t,q [rad],tau [Nm]", 2 * M_PI / 0.01, 0.01 / (2 * M_PI), 0.01, 0 },
    { "t,q [rad],F [N]", 1 / 0.02, 1, 0, 0.02 },
    { "t,q,tau [Nm]", 1 / 0.02, 0.02, 0, 0.02 },
    { "t,q [rev],tau", 1 / 0.01, 0.01 / (2 * M_PI), 0.01, 0 },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_fault fault = { 0 };
    bristle_log *log = read_screw(table[k].header, table[k].x_scale, table[k].f_scale, table[k].lead, table[k].radius,
                                  &fault);
    CHECK(log && !log->rotary && is_told(log, "became lengths"), "%s: %s", table[k].header, fault.what);
    if (!log) continue;
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_POSITION][777], position(0.777), 1e-9);
    CHECK_ABS(log->raw[BRISTLE_CHANNEL_FORCE][777], force(777, 0.777), 1e-8);
    bristle_log_free(log);
  }
  bristle_fault fault = { 0 };
  CHECK(!read_screw("t,x [mm],F [N]", 1, 1, 0.01, 0, &fault) && strstr(fault.what, "nothing to convert"), "%s",
        fault.what);
}
