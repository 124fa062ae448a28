/* Filters, differences and resampling against closed forms and against SciPy 1.17 (15 digits written down). */
#include "fit/signals/signal.h"
#include "support/test.h"

#include <string.h>

#define FINE(call) CHECK(!(call), "%s", fault.what)

static bristle_fault fault;

/* ---- low-pass ---- */

TEST(two_passes_halve_the_amplitude_at_the_cutoff)
{
  enum { COUNT = 4000 };
  static double y[COUNT], out[COUNT];
  for (int order = 1; order <= BRISTLE_LOWPASS_ORDER; order++) {
    bristle_lowpass filter;
    FINE(bristle_lowpass_design(order, 50, 1000, &filter, &fault));
    CHECK_NEAR(bristle_lowpass_gain(&filter, 50), sqrt(0.5), 1e-14);
    CHECK_NEAR(bristle_lowpass_gain(&filter, 0), 1.0, 1e-15);
    for (double frequency = 5; frequency < 400; frequency *= 3.1) {
      double expected = pow(bristle_lowpass_gain(&filter, frequency), 2), worst = 0;
      for (int i = 0; i < COUNT; i++) y[i] = cos(2 * PI * frequency * i / 1000 + 0.3);
      FINE(bristle_lowpass_both_ways(&filter, y, COUNT, out, &fault));
      /* far from the ends: the amplitude and no phase, for every sample */
      for (int i = COUNT / 4; i < 3 * COUNT / 4; i++) worst = fmax(worst, fabs(out[i] - expected * y[i]));
      CHECK(worst < 1e-10, "order %d at %g Hz: %g", order, frequency, worst);
    }
    for (int i = 0; i < COUNT; i++) y[i] = cos(2 * PI * 50 * i / 1000);
    FINE(bristle_lowpass_both_ways(&filter, y, COUNT, y, &fault)); /* in place */
    CHECK_ABS(y[COUNT / 2], 0.5, 1e-10);
  }
}

TEST(columns_side_by_side_are_filtered_as_each_alone)
{
  enum {
    COUNT = 2100,
    MOST = 19
  }; /* and longer than the pieces that columns are filtered in, as are their ends below 2 Hz */
  static double y[MOST][COUNT], alone[MOST][COUNT];
  for (int columns = 1; columns <= MOST; columns++)
    for (size_t count = 1; count <= COUNT; count = count * 2 + 1) {
      bristle_lowpass filter;
      double *column[MOST];
      FINE(bristle_lowpass_design(columns % 3 ? 4 : 7, columns % 2 ? 20 : 1.5, 1000, &filter, &fault));
      for (int c = 0; c < columns; c++) {
        column[c] = y[c];
        for (size_t i = 0; i < count; i++) y[c][i] = cos((double)(i * i) * (0.1 + c)) + c;
        FINE(bristle_lowpass_both_ways(&filter, y[c], count, alone[c], &fault));
      }
      FINE(signal_lowpass_columns(&filter, column, columns, count, &fault));
      for (int c = 0; c < columns; c++)
        CHECK(!memcmp(y[c], alone[c], sizeof **y * count), "column %d of %d, %zu samples", c, columns, count);
    }
}

/* Butterworth 4, 100 Hz at 1 kHz, of the EMPS recipe: the gains of scipy.signal.butter(4, 0.2) */
TEST(sections_multiply_to_the_known_filter)
{
  static const double b[5] = { 0.004824343357716, 0.019297373430865, 0.028946060146297, 0.019297373430865,
                               0.004824343357716 };
  bristle_lowpass filter;
  FINE(bristle_lowpass_design(4, 100, 1000, &filter, &fault));
  const bristle_section *s = filter.section, *t = s + 1;
  double product[5] = { s->b0 * t->b0, s->b0 * t->b1 + s->b1 * t->b0, s->b0 * t->b2 + s->b1 * t->b1 + s->b2 * t->b0,
                        s->b1 * t->b2 + s->b2 * t->b1, s->b2 * t->b2 };
  for (int i = 0; i < 5; i++) CHECK_NEAR(product[i], b[i], 1e-12);
  CHECK_ABS(s->a1 + t->a1, -2.36951300718204, 1e-13);
  CHECK_ABS(s->a2 * t->a2, 0.187379492368185, 1e-14);
}

/* scipy.signal.sosfiltfilt with padlen max(3 (order + 1), ceil(rate/cutoff)) */
TEST(ends_are_treated_as_by_the_well_known_filtfilt)
{
  static const struct {
    int order;
    double cutoff, expected[6];
  } cases[] = {
    { 4,
      100,
      { 2.30020090173456, 2.39233878784309, 1.75215778967874, 2.31688441920156, 2.29913816858854, 2.57728300600425 } },
    { 1,
      30,
      { 2.29999957198964, 2.34955086354507, 1.99756572046193, 2.30999786349942, 2.46386246746324, 2.5768100107516 } },
    { 5,
      200,
      { 2.29979590791215, 2.25058368773805, 1.75417300052534, 2.31721768397904, 2.22106325171022, 2.57736072090936 } },
    { 8,
      60,
      { 2.30776477234601, 2.4558789138462, 1.77545205754596, 2.30690144404118, 2.41458635484737, 2.64930780283277 } },
  };
  static const int places[6] = { 0, 1, 17, 30, 58, 59 };
  double y[60], out[60];
  for (int i = 0; i < 60; i++) y[i] = sin(0.21 * i) + 0.3 * cos(1.9 * i) + 0.01 * i + 2;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bristle_lowpass filter;
    FINE(bristle_lowpass_design(cases[k].order, cases[k].cutoff, 1000, &filter, &fault));
    FINE(bristle_lowpass_both_ways(&filter, y, 60, out, &fault));
    for (int i = 0; i < 6; i++) CHECK_ABS(out[places[i]], cases[k].expected[i], 2e-12);
  }
}

TEST(a_straight_line_passes_every_filter_unchanged)
{
  double y[200], out[200];
  bristle_lowpass filter;
  for (int i = 0; i < 200; i++) y[i] = 3 - 0.02 * i;
  for (int order = 1; order <= 8; order++)
    for (double cutoff = 20; cutoff < 500; cutoff *= 2) {
      FINE(bristle_lowpass_design(order, cutoff, 1000, &filter, &fault));
      FINE(bristle_lowpass_both_ways(&filter, y, 200, out, &fault));
      for (int i = 60; i < 140; i++) CHECK_ABS(out[i], y[i], order > 1 ? 2e-2 : 1e-2); /* the ends fade with 1/cutoff */
      for (int i = 90; i < 110 && cutoff >= 100; i++) CHECK_ABS(out[i], y[i], 1e-7);
    }
  for (int i = 0; i < 200; i++) y[i] = 7.25;
  FINE(bristle_lowpass_both_ways(&filter, y, 200, out, &fault));
  for (int i = 0; i < 200; i++) CHECK_ABS(out[i], 7.25, 1e-13);
  FINE(bristle_lowpass_both_ways(&filter, y, 1, out, &fault));
  CHECK_ABS(out[0], 7.25, 1e-13);
}

TEST(decimation_keeps_slow_waves_and_removes_what_would_fold)
{
  enum { COUNT = 3001, FACTOR = 10, KEPT = (COUNT + FACTOR - 1) / FACTOR };
  static double slow[COUNT], fast[COUNT], out[KEPT];
  for (int i = 0; i < COUNT; i++) {
    slow[i] = sin(2 * PI * 8 * i / 1000.0);  /* 8 Hz; the new half rate is 50 Hz */
    fast[i] = sin(2 * PI * 95 * i / 1000.0); /* would appear as 5 Hz */
  }
  FINE(bristle_decimate(slow, COUNT, FACTOR, out, &fault));
  for (int i = 20; i < KEPT - 20; i++) CHECK_ABS(out[i], slow[i * FACTOR], 1.2e-3);
  FINE(bristle_decimate(fast, COUNT, FACTOR, out, &fault));
  for (int i = 20; i < KEPT - 20; i++) CHECK_ABS(out[i], 0, 1e-4);
  FINE(bristle_decimate(slow, COUNT, 1, fast, &fault));
  CHECK(!memcmp(slow, fast, sizeof slow), "a factor of 1 changes nothing");
}

/* scipy.signal.cheby1(8, 0.005, 0.08) through sosfiltfilt with padlen 27, divided by its gain at rest; every 10th */
TEST(decimation_agrees_with_another_filter_of_its_kind)
{
  static const int places[6] = { 0, 1, 7, 15, 28, 29 };
  static const double expected[6] = { 2.48971822645273, 2.19289673304469, 3.91543447787416,
                                      3.19932467030716, 4.11885990163536, 4.7183318973879 };
  double y[300], out[30];
  for (int i = 0; i < 300; i++) y[i] = sin(0.021 * i) + 0.3 * cos(0.19 * i) + 0.01 * i + 2 + 0.2 * cos(0.9 * i);
  FINE(bristle_decimate(y, 300, 10, out, &fault));
  for (int i = 0; i < 6; i++) CHECK_ABS(out[places[i]], expected[i], 1e-9);
}

TEST(impossible_filters_are_refused)
{
  bristle_lowpass filter;
  double y[3] = { 1, NAN, 2 };
  CHECK(bristle_lowpass_design(0, 10, 100, &filter, &fault) == BRISTLE_FAULT_VALUE, "order 0");
  CHECK(bristle_lowpass_design(9, 10, 100, &filter, &fault) == BRISTLE_FAULT_VALUE, "order 9");
  CHECK(bristle_lowpass_design(2, 50, 100, &filter, &fault) == BRISTLE_FAULT_VALUE, "half the rate");
  CHECK(bristle_lowpass_design(2, NAN, 100, &filter, &fault) == BRISTLE_FAULT_VALUE, "no number");
  FINE(bristle_lowpass_design(2, 10, 100, &filter, &fault));
  CHECK(bristle_lowpass_both_ways(&filter, y, 3, y, &fault) == BRISTLE_FAULT_VALUE && strstr(fault.what, "sample 2"),
        "a NaN would spoil the whole record: %s", fault.what);
}

/* ---- differences ---- */

TEST(differences_are_exact_for_squares_at_any_times)
{
  const double t[7] = { 0, 0.1, 0.25, 0.3, 0.7, 1, 1.01 };
  double y[7], slope[7], even[7];
  for (int i = 0; i < 7; i++) y[i] = 3 * t[i] * t[i] - 2 * t[i] + 5, even[i] = 0.09 * i * i - 0.2 * i;
  FINE(bristle_differentiate(t, 0, y, 7, slope, &fault));
  for (int i = 0; i < 7; i++) CHECK_ABS(slope[i], 6 * t[i] - 2, 2e-13);
  FINE(bristle_differentiate(NULL, 0.1, even, 7, slope, &fault));
  for (int i = 0; i < 7; i++) CHECK_ABS(slope[i], 1.8 * i - 2, 1e-13);
  /* numpy.gradient(sin(t), t, edge_order=2) */
  static const double expected[6] = { 1.00414639, 0.99252195, 0.96769462, 0.95226037, 0.74932501, 0.56569697 };
  for (int i = 0; i < 6; i++) y[i] = sin(t[i]);
  FINE(bristle_differentiate(t, 0, y, 6, slope, &fault));
  for (int i = 0; i < 6; i++) CHECK_ABS(slope[i], expected[i], 6e-9);
  CHECK(bristle_differentiate(t, 0, y, 2, slope, &fault) == BRISTLE_FAULT_VALUE, "two samples have no parabola");
  CHECK(bristle_differentiate(even, 0, y, 6, slope, &fault) == BRISTLE_FAULT_VALUE, "time runs backwards");
}

TEST(resampling_is_exact_for_squares_and_of_third_order)
{
  double error[2];
  for (int fine = 0; fine < 2; fine++) {
    enum { MOST = 400 };
    double t[MOST], y[MOST], square[MOST], out[MOST];
    size_t count = fine ? 400 : 200;
    for (size_t i = 0; i < count; i++) {
      double u = (double)i / (double)(count - 1);
      t[i] = 2 * u + 0.05 * sin(20 * u); /* uneven, and growing */
      y[i] = sin(5 * t[i]);
      square[i] = t[i] * t[i] - t[i];
    }
    double step = t[count - 1] / 299;
    FINE(bristle_resample(t, square, count, 0, step, 300, out, &fault));
    for (int i = 0; i < 300; i++) CHECK_ABS(out[i], (i * step) * (i * step) - i * step, 1e-13);
    FINE(bristle_resample(t, y, count, 0, step, 300, out, &fault));
    error[fine] = 0;
    for (int i = 0; i < 300; i++) error[fine] = fmax(error[fine], fabs(out[i] - sin(5 * i * step)));
    CHECK(bristle_resample(t, y, count, 0, step, 301, out, &fault) == BRISTLE_FAULT_VALUE, "beyond the end");
    CHECK(bristle_resample(t, y, count, -0.1, step, 10, out, &fault) == BRISTLE_FAULT_VALUE, "before the start");
  }
  CHECK(error[0] < 5e-5 && error[0] / error[1] > 6, "%g, with twice the samples %g", error[0], error[1]);
}

/* ---- time stamps ---- */

TEST(time_stamps_are_told_uniform_jittered_broken_or_backwards)
{
  double t[100];
  bristle_timing timing;
  for (int i = 0; i < 100; i++) t[i] = 5 + 0.001 * i;
  FINE(bristle_timing_examine(t, 100, 0, &timing, &fault));
  CHECK(timing.uniform && !timing.gaps && !timing.backwards && timing.jitter < 1e-9, "jitter %g", timing.jitter);
  CHECK_NEAR(timing.step, 0.001, 1e-9);
  t[40] += 0.0001;
  FINE(bristle_timing_examine(t, 100, 0, &timing, &fault));
  CHECK(!timing.uniform && !timing.gaps, "one stamp is late");
  CHECK_ABS(timing.jitter, 0.1, 1e-9);
  FINE(bristle_timing_examine(t, 100, 0.2, &timing, &fault));
  CHECK(timing.uniform, "a tolerance of 20 %% covers it");
  for (int i = 60; i < 100; i++) t[i] += 0.007;
  FINE(bristle_timing_examine(t, 100, 0.2, &timing, &fault));
  CHECK(!timing.uniform && timing.gaps == 1 && timing.first_gap == 59 && timing.missing == 7, "%zu gaps, %zu missing",
        timing.gaps, timing.missing);
  t[20] = t[19];
  FINE(bristle_timing_examine(t, 100, 0.2, &timing, &fault));
  CHECK(timing.backwards == 1 && timing.first_backwards == 19, "%zu backwards", timing.backwards);
  t[3] = NAN;
  CHECK(bristle_timing_examine(t, 100, 0, &timing, &fault) == BRISTLE_FAULT_VALUE, "no time at all");
  CHECK(bristle_timing_examine(t, 1, 0, &timing, &fault) == BRISTLE_FAULT_VALUE, "one sample has no step");
}
