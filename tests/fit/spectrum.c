/* Transforms against their definition, densities against SciPy 1.17, and cut-offs against the best that hindsight
 * finds. */
#include "lab/fit.h"
#include "support/test.h"

#include <stdint.h>

#define PI 3.14159265358979323846
#define FINE(call) CHECK(!(call), "%s", fault.what)

static bristle_fault fault;

TEST(a_transform_of_any_length_is_the_sum_it_stands_for)
{
  static const size_t lengths[] = { 1, 2, 3, 7, 8, 30, 64, 97, 100, 255 };
  for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
    size_t n = lengths[k];
    double re[256], im[256], x[256], y[256];
    for (size_t i = 0; i < n; i++) re[i] = x[i] = cos(0.3 * (double)(i * i)), im[i] = y[i] = sin(1.1 * (double)i) - 0.2;
    FINE(bristle_fourier(re, im, n, 0, &fault));
    for (size_t f = 0; f < n; f++) {
      double a = 0, b = 0;
      for (size_t i = 0; i < n; i++) {
        double angle = -2 * PI * (double)(f * i % n) / (double)n;
        a += x[i] * cos(angle) - y[i] * sin(angle);
        b += x[i] * sin(angle) + y[i] * cos(angle);
      }
      CHECK_ABS(re[f], a, 1e-12);
      CHECK_ABS(im[f], b, 1e-12);
    }
    FINE(bristle_fourier(re, im, n, 1, &fault));
    for (size_t i = 0; i < n; i++) CHECK_ABS(re[i] / (double)n, x[i], 1e-13);
    for (size_t i = 0; i < n; i++) CHECK_ABS(im[i] / (double)n, y[i], 1e-13);
  }
}

/* scipy.signal.welch(y, 1000, nperseg=64 or 75) */
TEST(power_densities_agree_with_welch)
{
  static const int even_at[] = { 0, 1, 2, 3, 10, 19, 20, 31, 32 }, odd_at[] = { 0, 1, 2, 3, 10, 19, 37 };
  static const double even[] = { 0.000143429648931082, 0.00285247670065892,  0.0207626662013313,
                                 0.00778709976002349,  6.2081435686267e-08,  0.00163241320117712,
                                 0.00110237966944489,  8.57432568632557e-11, 3.7589441713284e-11 };
  static const double odd[] = { 0.000616210906899528, 0.000317900258262395, 0.0178007887320155,  0.0181486846058493,
                                3.91761033883474e-07, 7.75138512879395e-08, 6.39258873233786e-12 };
  double y[500], density[40], variance = 0, total = 0;
  for (int i = 0; i < 500; i++) y[i] = sin(0.21 * i) + 0.3 * cos(1.9 * i) + 0.01 * cos(0.001 * i * i);
  FINE(bristle_power_density(y, 500, 1000, 64, density, &fault));
  for (int k = 0; k < 9; k++) CHECK_ABS(density[even_at[k]], even[k], 1e-11 * even[k] + 1e-18);
  for (int k = 0; k <= 32; k++) total += density[k] * 1000 / 64;
  for (int i = 0; i < 500; i++) variance += y[i] * y[i] / 500;
  CHECK_NEAR(total, variance, 0.03);
  FINE(bristle_power_density(y, 500, 1000, 75, density, &fault));
  for (int k = 0; k < 7; k++) CHECK_ABS(density[odd_at[k]], odd[k], 1e-11 * odd[k] + 1e-18);
  CHECK(bristle_power_density(y, 500, 1000, 501, density, &fault) == BRISTLE_FAULT_VALUE, "longer than the record");
}

/* ---- cut-offs ---- */

enum { COUNT = 4000 };
static const double rate = 1000;

/* normal numbers from a counter; the same everywhere */
static double normal(uint64_t *seed)
{
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    sum += (double)(*seed >> 11) / 9007199254740992.0;
  }
  return sum;
}

/* three waves and their derivatives: a slow stroke and two faster ones; none is periodic in the record */
static double motion(double t, int derivative)
{
  static const double amplitude[3] = { 0.1, 0.02, 0.004 }, frequency[3] = { 0.43, 3.1, 10.7 }, phase[3] = { 0.3, 1, 2 };
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    double w = 2 * PI * frequency[i];
    sum += amplitude[i] * pow(w, derivative) * sin(w * t + phase[i] + derivative * PI / 2);
  }
  return sum;
}

/* root mean square error of a derivative after filtering, away from the ends */
static double error_of(const double *y, double cutoff, int derivative)
{
  static double smooth[COUNT], slope[COUNT];
  bristle_lowpass filter;
  double squares = 0;
  FINE(bristle_lowpass_design(4, cutoff, rate, &filter, &fault));
  FINE(bristle_lowpass_both_ways(&filter, y, COUNT, smooth, &fault));
  for (int d = 0; d < derivative; d++) {
    FINE(bristle_differentiate(NULL, 1 / rate, smooth, COUNT, slope, &fault));
    memcpy(smooth, slope, sizeof smooth);
  }
  for (int i = 200; i < COUNT - 200; i++) squares += pow(smooth[i] - motion(i / rate, derivative), 2);
  return sqrt(squares / (COUNT - 400));
}

TEST(a_chosen_cutoff_is_nearly_as_good_as_the_best_in_hindsight)
{
  static double y[COUNT];
  for (int derivative = 0; derivative <= 2; derivative++)
    for (int level = -5; level <= -2; level++)
      for (int seed = 1; seed <= test_share(3, 1); seed++) {
        uint64_t random = (uint64_t)seed;
        double best = HUGE_VAL, at = 0, noise = pow(10, level);
        bristle_cutoff cutoff;
        for (int i = 0; i < COUNT; i++) y[i] = motion(i / rate, 0) + noise * normal(&random);
        FINE(bristle_cutoff_choose(y, COUNT, rate, 4, derivative, &cutoff, &fault));
        for (double f = 1; f < 400; f *= 1.08) {
          double error = error_of(y, f, derivative);
          if (error < best) best = error, at = f;
        }
        double chosen = error_of(y, cutoff.frequency, derivative);
        CHECK(chosen < 1.1 * best, "derivative %d, noise %g: %g at %g Hz, the best is %g at %g Hz", derivative, noise,
              chosen, cutoff.frequency, best, at);
        CHECK(fabs(cutoff.noise / noise - 1) < 0.05 && !cutoff.at_end, "noise %g, found %g", noise, cutoff.noise);
      }
}

TEST(a_record_without_noise_asks_for_no_filter)
{
  static double y[COUNT];
  bristle_cutoff cutoff;
  for (int i = 0; i < COUNT; i++) y[i] = motion(i / rate, 0);
  FINE(bristle_cutoff_choose(y, COUNT, rate, 4, 0, &cutoff, &fault));
  CHECK(cutoff.noise < 1e-6, "noise %g at %g Hz", cutoff.noise, cutoff.frequency);
  CHECK(bristle_cutoff_choose(y, 63, rate, 4, 0, &cutoff, &fault) == BRISTLE_FAULT_VALUE, "too short");
  CHECK(bristle_cutoff_choose(y, COUNT, rate, 9, 0, &cutoff, &fault) == BRISTLE_FAULT_VALUE, "order 9");
}

/* an encoder of 5 um: rounding is nearly white while the motion passes many counts */
TEST(quantisation_is_found_as_noise)
{
  static double y[COUNT];
  const double count = 5e-6;
  bristle_cutoff cutoff;
  for (int i = 0; i < COUNT; i++) y[i] = count * floor(motion(i / rate, 0) / count + 0.5);
  FINE(bristle_cutoff_choose(y, COUNT, rate, 4, 0, &cutoff, &fault));
  CHECK_NEAR(cutoff.noise, count / sqrt(12), 0.1);
  CHECK(error_of(y, cutoff.frequency, 0) < 0.4 * count / sqrt(12), "%g Hz leaves %g", cutoff.frequency,
        error_of(y, cutoff.frequency, 0));
}
