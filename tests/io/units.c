#include "lab/io.h"
#include "support/test.h"

static double read_as(const char *text, const char *unit)
{
  double value = (double)NAN;
  bristle_fault fault;
  bristle_quantity_read(text, strlen(text), unit, &value, NULL, &fault);
  return value;
}

/* the sentence for a bad quantity */
static const char *complaint(const char *text, const char *unit)
{
  static char sentence[700];
  double value = 7;
  bristle_fault fault;
  if (!bristle_quantity_read(text, strlen(text), unit, &value, NULL, &fault)) return "accepted";
  CHECK(value == 7, "%s changed the value", text);
  bristle_fault_text(&fault, sentence, sizeof sentence);
  return sentence;
}

#define CHECK_SAYS(text, unit, expected)                                                             \
  do {                                                                                               \
    const char *said_ = complaint(text, unit);                                                       \
    CHECK(!strcmp(said_, expected), "'%s' says:\n    %s", text, said_);                              \
  } while (0)

TEST(quantities_are_converted_exactly)
{
  static const struct {
    const char *text, *unit;
    double value;
  } cases[] = {
    { "100 N/mm", "N/m", 1e5 },
    { "0.1 mm", "m", 1e-4 },
    { "10 ms", "s", 0.01 },
    { "0.1 m/s", "m/s", 0.1 },
    { "30 Nm", "N*m", 30 },
    { "1.5 kN", "N", 1500 },
    { "7", "N", 7 },
    { "  -2.5e-3  ", "m", -2.5e-3 },
    { "36 km/h", "m/s", 10 },
    { "2.5 kg*m^2", "kg*m^2", 2.5 },
    { "3 kg m2", "kg*m^2", 3 },
    { "4 1/s", "1/s", 4 },
    { "4/s", "1/s", 4 },
    { "5 s^-1", "1/s", 5 },
    { "5 Hz", "1/s", 5 },
    { "50 %", "1", 0.5 },
    { "12 um", "m", 12e-6 },
    { "12 \xc2\xb5m", "m", 12e-6 },
    { "12 \xce\xbcm", "m", 12e-6 },
    { "9 N\xc2\xb7m", "N*m", 9 },
    { "9 N m", "N*m", 9 },
    { "9 N.m", "N*m", 9 },
    { "6 mm\xc2\xb2", "m^2", 6e-6 },
    { "8 m s\xe2\x81\xbb\xc2\xb9", "m/s", 8 },
    { "2 m s-1", "m/s", 2 },
    { "1 J", "N*m", 1 },
    { "2 N*m/rad", "N*m/rad", 2 },
    { "3 Nms/rad", "N*m*s/rad", 3 },
    { "1 N/(m/s)", "N*s/m", 1 },
    { "1 N/m/s", "N/m/s", 1 },
    { "250 mNm", "N*m", 0.25 },
    { "1 in", "m", 0.0254 },
    { "2 bar", "Pa", 2e5 },
    { "1 kgf", "N", 9.80665 },
    { "90 min", "s", 5400 },
    { "1e3m", "m", 1000 },
    { "0.3 s/mm", "s/m", 300 },
    { "5 g", "kg", 0.005 },
    { "1 m**2", "m^2", 1 },
    { "1 N*s^2/m^2", "N*s^2/m^2", 1 },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    CHECK(read_as(cases[i].text, cases[i].unit) == cases[i].value, "%s: %.17g, %s", cases[i].text,
          read_as(cases[i].text, cases[i].unit), complaint(cases[i].text, cases[i].unit));
}

TEST(angles_are_converted_to_radians)
{
  CHECK_NEAR(read_as("180 deg", "rad"), 3.14159265358979323846, 1e-16);
  CHECK_NEAR(read_as("5 \xc2\xb0", "rad"), 5 * 3.14159265358979323846 / 180, 2e-16);
  CHECK_NEAR(read_as("12 rpm", "rad/s"), 12 * 2 * 3.14159265358979323846 / 60, 3e-16);
  CHECK_NEAR(read_as("2 rev/s", "rad/s"), 4 * 3.14159265358979323846, 3e-16);
  CHECK_NEAR(read_as("1 N*m/deg", "N*m/rad"), 180 / 3.14159265358979323846, 3e-16);
}

TEST(a_unit_chooses_between_linear_and_rotary)
{
  double value;
  int which = 9;
  bristle_quantity_read("2 N*s/m", 7, "N*s/m|N*m*s/rad", &value, &which, NULL);
  CHECK(which == 0, "%d", which);
  bristle_quantity_read("2 Nms/rad", 9, "N*s/m|N*m*s/rad", &value, &which, NULL);
  CHECK(which == 1, "%d", which);
  bristle_quantity_read("2", 1, "N*s/m|N*m*s/rad", &value, &which, NULL);
  CHECK(which == -1, "%d", which);
}

TEST(a_wrong_dimension_names_both)
{
  CHECK_SAYS("5 mm", "N/m", "found '5 mm' (a length), expected a stiffness in N/m; check the value and its unit");
  CHECK_SAYS(
      "5 N*m", "N*m/rad",
      "found '5 N*m' (a torque), expected a rotary stiffness in N*m/rad; angles count: rad, deg and rev are units "
      "of their own");
  CHECK_SAYS(
      "5 Hz", "rad/s",
      "found '5 Hz' (a frequency), expected an angular speed in rad/s; angles count: rad, deg and rev are units of "
      "their own");
  CHECK_SAYS("5 m", "1", "found '5 m' (a length), expected a plain number; write the number without a unit");
  CHECK_SAYS("5 kg^2", "N|N*m",
             "found '5 kg^2', expected a force in N or a torque in N*m; check the value and its unit");
}

TEST(bad_units_are_refused_with_a_hint)
{
  CHECK_SAYS("5 mmm", "m", "'mmm' is no unit; did you mean 'mm'?");
  CHECK_SAYS("5 deq", "rad", "'deq' is no unit; did you mean 'deg'?");
  CHECK_SAYS("5 x", "m",
             "'x' is no unit; known are m, kg, s, N, A, V, K, rad, deg, rpm, Hz, min and others, with prefixes");
  CHECK_SAYS(
      "5 N/m*s", "N*s/m",
      "in the unit 'N/m*s' found '*s', expected '/' or the end; write N*s/m or N/(m*s): a product after '/' can be "
      "read in two ways");
  CHECK_SAYS(
      "5/s m", "1/s",
      "in the unit '/s m' found 'm', expected '/' or the end; write N*s/m or N/(m*s): a product after '/' can be "
      "read in two ways");
  CHECK_SAYS("5 N/", "N",
             "the unit 'N/' ends where the name of a unit was expected; write units like N/mm, kg*m^2 or 1/s");
  CHECK_SAYS("5 m^", "m", "the unit 'm^' ends where a whole power was expected; write powers like m^2 or s^-1");
  CHECK_SAYS("5 m^2.5", "m",
             "in the unit 'm^2.5' found '.5', expected a whole power up to 9; write powers like m^2 or s^-1");
  CHECK_SAYS("5 m^22", "m",
             "in the unit 'm^22' found '2', expected a whole power up to 9; write powers like m^2 or s^-1");
  CHECK_SAYS("5 (N", "N", "the unit '(N' ends where ')' was expected");
  CHECK_SAYS("5 N)", "N", "in the unit 'N)' found ')', expected the end of the unit");
  CHECK_SAYS("5 2", "N",
             "in the unit '2' found '2', expected the name of a unit; write units like N/mm, kg*m^2 or 1/s");
  CHECK_SAYS("5 \x01\xff", "N",
             "in the unit '\\x01\\xff' found '\\x01\\xff', expected the name of a unit; write units like "
             "N/mm, kg*m^2 or 1/s");
  CHECK_SAYS("5 (((((((((m)))))))))", "m",
             "in the unit '(((((((((m)))))))))' found 'm)))))))))', expected fewer parentheses");
  CHECK_SAYS("5 Tm^9*Tm^9*Tm^9", "m", "the unit 'Tm^9*Tm^9*Tm^9' ends where a unit of a reasonable size was expected");
}

TEST(what_is_no_number_is_refused)
{
  CHECK_SAYS("", "m", "found '', expected a length in m; write a number, with or without a unit: 0.1 or 0.1 m");
  CHECK_SAYS("fast", "m/s",
             "found 'fast', expected a speed in m/s; write a number, with or without a unit: 0.1 or 0.1 m/s");
  CHECK_SAYS("N*m/rad", "N*m/rad",
             "found 'N*m/rad', expected a rotary stiffness in N*m/rad; write a number, with or without a unit: 0.1 or "
             "0.1 N*m/rad");
  CHECK_SAYS("1,5 N", "N", "found '1,5 N', expected a number; write a decimal point, not a comma");
  CHECK_SAYS("nan", "N", "found 'nan', expected a force in N; write a number, with or without a unit: 0.1 or 0.1 N");
  CHECK_SAYS(".inf", "N", "found '.inf', expected a force in N; write a number, with or without a unit: 0.1 or 0.1 N");
  CHECK_SAYS("1e999 N", "N", "found '1e999 N', expected a finite number; numbers end at 1.8e308");
  CHECK_SAYS("1e300 GN^9", "N^9", "found '1e300 GN^9', expected a finite number; numbers end at 1.8e308");
}
