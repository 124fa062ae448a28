/* Measures of the gallery on rows whose answers are known, and when a number agrees with its reference. */
#include "gallery/gallery.h"

#include "support/test.h"

#include <math.h>

enum { ROWS = 201 };
static double t[ROWS], x[ROWS], v[ROWS], force[ROWS];

static simulation rows_of(void)
{
  simulation s = { .width = 4, .rows = ROWS };
  static const char *const names[] = { "t", "x", "v", "F" };
  double *const kept[] = { t, x, v, force };
  for (int i = 0; i < 4; i++) {
    snprintf(s.columns[i].name, sizeof s.columns[i].name, "%s", names[i]);
    s.kept[i] = kept[i];
  }
  return s;
}

/* two turns of a circle in 2 s */
static simulation circle(void)
{
  const double w = 6.283185307179586;
  for (int i = 0; i < ROWS; i++) {
    t[i] = 0.01 * i;
    x[i] = sin(w * t[i]);
    v[i] = w * cos(w * t[i]);
    force[i] = cos(w * t[i]) + 2;
  }
  return rows_of();
}

TEST(gallery_measures_between_rows)
{
  const simulation s = circle();
  const double w = 6.283185307179586;
  CHECK_ABS(value_at(&s, &(gallery_number){ .column = "x", .from = 0.123 }), sin(w * 0.123), 1e-6);
  CHECK_ABS(change(&s, &(gallery_number){ .column = "x", .from = 0.25, .to = 0.75 }), -2, 1e-12);
  CHECK_ABS(last_value(&s, &(gallery_number){ .column = "F" }), 3, 1e-12);
  CHECK_ABS(largest(&s, &(gallery_number){ .column = "x", .from = 0.3, .to = 0.7 }), x[30], 1e-3);
  CHECK_ABS(least(&s, &(gallery_number){ .column = "x" }), -1, 1e-6);
  CHECK_ABS(first_peak(&s, &(gallery_number){ .column = "x", .from = 0.5 }), 1, 1e-6);
  CHECK_ABS(crossing_time(&s, &(gallery_number){ .where = "x", .level = 0.5 }), 1.0 / 12, 1e-6);
  CHECK_ABS(crossing_time(&s, &(gallery_number){ .where = "x", .level = 0.5, .falling = 1 }), 5.0 / 12, 1e-6);
  CHECK_ABS(value_when(&s, &(gallery_number){ .column = "F", .where = "x", .level = 0.5 }), 2 + sqrt(0.75), 1e-6);
  CHECK_ABS(interval(&s, &(gallery_number){ .where = "x", .level = 0.5 }), 1, 1e-6);
  CHECK_ABS(loop_work(&s, &(gallery_number){ .from = 0, .to = 1 }), w / 2, 2e-2); /* x is not linear here */
  CHECK(isnan(crossing_time(&s, &(gallery_number){ .where = "x", .level = 5 })), "a crossing that is not there");
  CHECK(isnan(value_at(&s, &(gallery_number){ .column = "q", .from = 1 })), "a column that is not there");
}

/* rest, a parabola of speed from 0.505 to 1.495 s, rest */
TEST(gallery_finds_where_motion_begins_and_ends)
{
  for (int i = 0; i < ROWS; i++) {
    const double a = 0.505, b = 1.495;
    t[i] = 0.01 * i;
    v[i] = t[i] > a && t[i] < b ? (t[i] - a) * (b - t[i]) : 0;
    force[i] = v[i] > 0 ? 3 - v[i] : 0;
  }
  const simulation s = rows_of();
  CHECK_ABS(motion_begins(&s, &(gallery_number){ .from = 0 }), 0.505, 1e-9);
  CHECK_ABS(motion_ends(&s, &(gallery_number){ .from = 0 }), 1.495, 1e-9);
  CHECK_ABS(value_at_rest(&s, &(gallery_number){ .column = "F", .from = 0.505 }), 3, 1e-9);
  CHECK(isnan(motion_begins(&s, &(gallery_number){ .from = 1.5 })), "it rests to the end");
}

static gallery_result check(const char *reference, double computed)
{
  return gallery_check(&(gallery_number){ .reference = reference }, computed);
}

TEST(gallery_numbers_agree_to_the_digits_given)
{
  CHECK(check("1.476573", 1.4765734).within && !check("1.476573", 1.4765736).within, "digits after the point");
  CHECK(check("4.48579e-5", 4.485794e-5).within && !check("4.48579e-5", 4.485796e-5).within, "with a power of ten");
  CHECK(check("-0.01", -0.0149).within && !check("-0.01", 0.01).within, "signs");
  CHECK(check("12", 12.4).within && !check("12", 12.6).within, "whole numbers");
  CHECK(check("0.0000e-6", 4e-11).within && !check("0.0000e-6", 6e-11).within, "zero");
  CHECK(check("< 1e-6", -9e-7).within && !check("< 1e-6", -1.1e-6).within, "limits are for magnitudes");
  CHECK(!check("1.5", NAN).within && !check("< 1", NAN).within, "what could not be measured");
  CHECK_ABS(check("1.0", 1.025).part, 0.5, 1e-12);
  const gallery_number wide = { .reference = "6.5412", .within = 5e-4 };
  CHECK(gallery_check(&wide, 6.5416).within && !gallery_check(&wide, 6.5418).within, "a tolerance of its own");
}
