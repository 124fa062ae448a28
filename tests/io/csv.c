/* Tables as people and instruments write them. */
#include "io/tables.h"

#include <time.h>

/* what instruments write above their tables: a servo amplifier, a data logger, LabVIEW, a title */
TEST(lines_above_a_table_are_passed_over)
{
  static const struct {
    const char *text, *time, *force, *time_unit, *force_unit;
    size_t rows, preamble, line;
    double t1, f1;
  } table[] = {
    { "Axis1\nNumber of data,5\nInterval(ms),0.5\nTime,Analog 1,Analog "
      "2\nms,Speed,Torque\n0,1,7\n0.5,2,8\n1,3,9\n1.5,3,9\n",
      "Time", "Analog 2 Torque", "s", "1", 4, 3, 6, 0.5e-3, 8 },
    { "\xef\xbb\xbfStamp,2020-03-16,Stamp,2020-03-16\nInterval,0.5,Interval,0.5\nChannel name,\"Force\",Channel "
      "name,\"Input 1\"\n"
      "Unit,\"mN\",Unit,\"mm\"\n0,-1,0,5\n0.5,-2,0.5,6\n1,-3,1,7\n1.5,-3,1.5,7\n",
      "#1", "Force", "1", "N", 4, 2, 5, 0.5, -2e-3 },
    { "LabVIEW "
      "Measurement\t\nSeparator\tTab\nDate\t2020/03/"
      "16\n***End_of_Header***\t\nX_Value\tForce\tComment\n0\t1\n0.1\t2\n0.2\t3\n0.3\t4\n0.4\t5\n0.5\t6\n",
      "X_Value", "Force", "1", "1", 6, 4, 6, 0.1, 2 },
    { "SWV data console, port 0\nt;F\n0;1,5\n0,5;2,5\n1;3,5\n1,5;3,5\n", "t", "F", "1", "1", 4, 1, 3, 0.5, 2.5 },
    { "recorded by hand\n0,1\n1,2\n2,3\n3,4\n", "#1", "#2", "1", "1", 4, 1, 2, 1, 2 },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_table *t = table_of(table[k].text);
    CHECK(t && t->rows == table[k].rows && t->preamble == table[k].preamble, "case %zu: %zu rows, %zu lines above", k,
          t ? t->rows : 0, t ? t->preamble : 0);
    CHECK_ABS(at(t, table[k].time, table[k].time_unit, 1), table[k].t1, 1e-15);
    CHECK_ABS(at(t, table[k].force, table[k].force_unit, 1), table[k].f1, 1e-15);
    CHECK(t && bristle_table_line(t, 0) == table[k].line, "case %zu: line %zu", k, t ? bristle_table_line(t, 0) : 0);
    bristle_table_free(t);
  }
}

TEST(clocks_and_dates_are_seconds)
{
  static const struct {
    const char *text;
    double step;
  } table[] = {
    { "t,x\n12:30:05.250,1\n12:30:05.500,2\n", 0.25 },
    { "12:30:59.75;1\n12:31:00,25;2\n", 0.5 },
    { "t,x\n2024-02-28T23:59:59.5Z,1\n2024-02-29T00:00:00Z,2\n", 0.5 }, /* a leap day */
    { "t,x\n2023-12-31 23:59:59+02:00,1\n2024-01-01 00:00:00+02:00,2\n", 1 },
    { "t;x\n28.02.2023 23:59:59,5;1\n01.03.2023 00:00:00,0;2\n", 0.5 },
    { "t,x\n12/31/2023 23:59:59,1\n1/1/2024 00:00:00,2\n", 1 },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    bristle_table *t = table_of(table[k].text);
    CHECK(t && t->rows == 2 && t->columns == 2, "case %zu", k);
    CHECK_ABS(at(t, "#1", "s", 1) - at(t, "#1", "s", 0), table[k].step, 1e-6);
    CHECK_ABS(at(t, "#2", "1", 1), 2, 0);
    bristle_table_free(t);
  }
  static const char *const bad[] = { "12:61:00", "2024-13-01T00:00:00", "2026-02-31T00:00:00", "2023-02-29 00:00:00",
                                     "12:30",    "2024-05-01",          "12:30:05 pm" };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    char text[100];
    snprintf(text, sizeof text, "t,x\n%s,1\n%s,2\n", bad[k], bad[k]);
    CHECK(strstr(complaint(text, strlen(text), "t", "s", 0), bad[k]), "%s", complaint(text, strlen(text), "t", "s", 0));
  }
}

TEST(broken_tables_are_no_instruments)
{
  static const char *const table[][2] = {
    { "t,x\n0,1,2\n1,2,3\n2,3,4\n3,4,5\n", "found 3 cells, expected 2" }, /* a name is missing */
    { "t,x,F\n0,1\n1,2,3\n2,3,4\n3,4,5\n4,5,6\n", "found 2 cells, expected 3" },
    { "first,second\nt,x,F\n0,1\n1,2,3\n2,3,4\n3,4,5\n4,5,6\n", "found" },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    CHECK(strstr(complaint(table[k][0], strlen(table[k][0]), "t", "1", 0), table[k][1]), "case %zu: %s", k,
          complaint(table[k][0], strlen(table[k][0]), "t", "1", 0));
}

TEST(every_usual_way_to_write_a_table_is_read)
{
  static const char *const same[] = {
    "t,v\n0,1.5\n1,-2.5e-1\n",
    "t, v\n0, 1.5\n1, -2.5e-1",
    "t;v\n0;1.5\n1;-.25\n",
    "t;v\n0;1,5\n1;-0,25\n",
    "t\tv\n0\t1,5\n1\t-0,25\n",
    "t v\n0 1.5\n1 -0.25\n",
    "t   v\n  0  1,5\n  1 -0,25  \n",
    "t [s],v [m/s]\r\n0,1.5\r\n1,-0.25\r\n",
    "t [s] v [m/s]\n0 1.5\n1 -0.25\n",
    "t (s)\tv (m/s)\n0\t1.5\n1\t-0.25\n",
    "\xef\xbb\xbft,v\n0,1.5\n1,-0.25\n",
    "# a log\n#\n\nt,v\n# in between\n0,1.5 # with a remark\n\n1,-0.25\n# the end\n",
    "# t [s], v [m/s]\n0, 1.5\n1, -0.25\n",
    "\"t [s]\",\"v [m/s]\"\n\"0\",\"1.5\"\n\"1\",\"-0.25\"\n",
    "\"t\",\"v\"\n\"0\",\"1,5\"\n\"1\",\"-0,25\"\n",
    "t,v,\n0,1.5,\n1,-0.25,\n",
    "t,v\ns,m/s\n0,1.5\n1,-0.25\n",
    "t\tv\n[ms]\t[mm/s]\n0\t1500\n1000\t-250\n",
    "t [ms],v [mm/s]\n0,1500\n1e3,-250\n",
    "time_ms;velocity_mm_s\n0;1500\n1000;-250\n",
    "Time / s;Velocity / mm/s\n0;1500\n1;-250\n",
    "sep=;\nt;v\n0;1.5\n1;-0.25\n",
    "t,v\r0,1.5\r1,-0.25\r",
    "mode,t,v\nstuck,0,1.5\nsliding,1,-0.25\n",
    "t,v,comment\n0,1.5,\"a, b\"\n1,-0.25,\"say \"\"hi\"\"\"\n",
    "velocity [m/s];time [s]\n1.5;0\n-.25;1.\n",
    "t,v\n+0,+1.5\n1E0,-2.5E-01\n",
  };
  for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
    bristle_table *table = table_of(same[i]);
    double t0 = at(table, "t|time", "s", 0), v0 = at(table, "v|velocity", "m/s", 0);
    double t1 = at(table, "t|time", "s", 1), v1 = at(table, "v|velocity", "m/s", 1);
    CHECK(table && table->rows == 2 && t0 == 0 && t1 == 1 && v0 == 1.5 && v1 == -0.25, "%s\n    gives %g %g %g %g",
          same[i], t0, v0, t1, v1);
    bristle_table_free(table);
  }
}

TEST(a_table_without_header_is_read_by_place)
{
  bristle_table *table = table_of("0 1 2\n3 4 5\n");
  CHECK(table->rows == 2 && table->columns == 3 && table->separator == ' ', "%zu x %zu", table->rows, table->columns);
  CHECK(at(table, "#2", "m", 1) == 4 && at(table, "v|#3", "m", 0) == 2, "by place");
  bristle_table_free(table);
}

TEST(a_single_column_is_a_table)
{
  bristle_table *table = table_of("v [mm/s]\n0,5\n0,7\n");
  CHECK(table && table->columns == 1 && at(table, "v", "m/s", 1) == 0.7e-3, "%g", at(table, "v", "m/s", 1));
  bristle_table_free(table);
  table = table_of("1\n2\n3");
  CHECK(table && table->columns == 1 && table->rows == 3 && at(table, "#1", "1", 2) == 3, "three numbers");
  bristle_table_free(table);
}

/* whole numbers in all the lines a guess looks at, a decimal comma later */
TEST(a_late_decimal_comma_is_found)
{
  char text[4000] = "t;v\n";
  for (int i = 0; i < 100; i++) sprintf(text + strlen(text), "%d;%d\n", i, i);
  strcat(text, "100;0,5\n");
  bristle_table *table = table_of(text);
  CHECK(table && table->mark == ',' && at(table, "v", "1", 100) == 0.5 && at(table, "v", "1", 7) == 7, "late comma");
  bristle_table_free(table);
}

TEST(units_in_names_are_understood)
{
  static const struct {
    const char *header, *name, *unit;
  } cases[] = {
    { "position_m", "position", "m" },
    { "velocity_firmware_rad_s", "velocity_firmware", "rad/s" },
    { "output_torque_estimate_Nm", "output_torque_estimate", "Nm" },
    { "a_m_s2", "a", "m/s2" },
    { "speed_m_per_s", "speed", "m/s" },
    { "v [m/s]", "v", "m/s" },
    { "F(N)", "F", "N" },
    { "mu [-]", "mu", "1" },
    { "pwm_counts", "pwm_counts", "" },
    { "torque_enable", "torque_enable", "" },
    { "v (filtered)", "v (filtered)", "" },
    { "force_pulses_as_stored", "force_pulses_as_stored", "" },
    { "x", "x", "" },
    { "phi [\xc2\xb0]", "phi", "\xc2\xb0" },
    { "velocity mm/s", "velocity", "mm/s" },
    { "velocity_mm_s", "velocity", "mm/s" },
    { "velocity rad / s", "velocity", "rad / s" },
    { "pos_um", "pos", "um" },
    { "force_kN", "force", "kN" },
    { "force N", "force", "N" },
    { "torque N m", "torque", "N m" },
    { "motor torque Nm", "motor torque", "Nm" },
    { "Weg in mm", "Weg", "mm" },
    { "speed (rpm)", "speed", "rpm" },
    { "x.mm", "x", "mm" },
    { "x in", "x", "in" },
    { "current A", "current", "A" },
    { "axis 3 deg", "axis 3", "deg" },
    /* words, not units: a phase, a joint, a limit, a force of the phase A */
    { "phase A", "phase A", "" },
    { "force A", "force A", "" },
    { "joint N", "joint N", "" },
    { "force min", "force min", "" },
    { "motor.s", "motor.s", "" },
    { "joint_3.position", "joint_3.position", "" },
    { "velocity act", "velocity act", "" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    snprintf(text, sizeof text, "%s,q\n1,2\n", cases[i].header);
    bristle_table *table = table_of(text);
    CHECK(table && !strcmp(table->column[0].name, cases[i].name) && !strcmp(table->column[0].unit, cases[i].unit),
          "%s: '%s' in '%s'", cases[i].header, table->column[0].name, table->column[0].unit);
    bristle_table_free(table);
  }
}

TEST(one_unknown_unit_does_not_lose_the_others)
{
  bristle_table *table = table_of("t,velocity,counts,F\ns,mm/s,inc,kN\n1,2,3,4\n2,3,4,5\n");
  CHECK(table && table->rows == 2 && at(table, "velocity", "m/s", 0) == 2e-3 && at(table, "F", "N", 0) == 4000,
        "units of the second line");
  CHECK(table && table->column[2].origin == BRISTLE_UNIT_ORIGIN_UNKNOWN, "inc");
  bristle_table_free(table);
}

TEST(columns_are_found_by_their_best_name)
{
  bristle_table *table = table_of("Velocity,v,T,FX\n1,2,3,4\n");
  CHECK(at(table, "v|velocity", "m/s", 0) == 2 && at(table, "velocity|v", "m/s", 0) == 1, "the first alias wins");
  CHECK(at(table, "fx", "N", 0) == 4, "longer names in any case");
  bristle_table_free(table);
  CHECK_SAYS("T,v\n1,2\n", "t|time", "s",
             "data.csv: found the columns T, v, expected one named 't'; name one of them 't [s]'");
  CHECK_SAYS("1,2\n3,4\n", "t", "s",
             "data.csv: found 2 columns without a name, expected one named 't'; add a line of names above the numbers");
  CHECK_SAYS("v,V_m,v\n1,2,3\n", "v", "m/s",
             "data.csv: columns 1 ('v') and 3 ('v') have the same name, expected one; rename one of them");
  CHECK_SAYS_FLAGS("x,v\n1,2\n", "t", "s", BRISTLE_OPTIONAL, "accepted");
}

TEST(table_lines_are_those_of_the_file)
{
  bristle_table *table = table_of("# a\nt\n1\n2\n\n3\n# b\n\n4\n5\n");
  static const size_t lines[] = { 3, 4, 6, 9, 10 };
  for (size_t i = 0; i < 5; i++)
    CHECK(bristle_table_line(table, i) == lines[i], "row %zu: %zu", i, bristle_table_line(table, i));
  bristle_table_free(table);
}

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

TEST(table_speed)
{
  enum { ROWS = 200000 };
  size_t used = 0, room = (size_t)ROWS * 60;
  char *text = malloc(room);
  for (int way = 0; way < 2; way++) {
    used = (size_t)sprintf(text, "t [s],x [mm],v [m/s],F [N]\n");
    for (int i = 0; i < ROWS; i++) {
      double t = 1e-3 * i, x = sin(t);
      used += (size_t)snprintf(text + used, room - used, way ? "%.3f,%.17g,%.17g,%.6g\n" : "%.3f,%.6g,%.6g,%.4g\n", t,
                               x, cos(t), x * 37);
    }
    bristle_table *table;
    double start = seconds();
    bristle_table_parse("data.csv", text, used, &table, NULL);
    double time = seconds() - start;
    CHECK(table && table->rows == ROWS && at(table, "x", "m", 0) == 0, "a large table");
    printf("  %s digits: %.2f million rows of 4 cells per second, %.0f MB/s\n", way ? "17" : "6", 1e-6 * ROWS / time,
           1e-6 * (double)used / time);
    bristle_table_free(table);
  }
  free(text);
}
