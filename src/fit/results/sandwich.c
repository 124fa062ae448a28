/* Deviations where residuals are correlated and vary in size: Newey and West's sum of the scores, with
   Andrews' bandwidth. What it makes of the plain deviations is a factor for each unknown.

   It is right where many residuals are noise, filtered or not, also where that noise is blue, as differentiated
   positions make it. Where they follow each other for longer than the filter makes them, something is missing in the
   law and the bandwidth is too short; of few rows the sum is uncertain. There the plain deviations with the memory of
   the residuals (Geyer) count where they are larger. */
#include "fit/results/result.h"
#include "core/clones.h"

#include "maths/elementary.h"

#include <stdlib.h>

/* bandwidth for a Bartlett window, from the correlation of neighbours */
static size_t bandwidth(const double *score, size_t rows, int n)
{
  double sum = 0, used = 0;
  for (int j = 0; j < n; j++) {
    double own = 0, next = 0;
    for (size_t i = 0; i < rows; i++) {
      const double s = score[i * (size_t)n + (size_t)j];
      own += s * s;
      if (i) next += s * score[(i - 1) * (size_t)n + (size_t)j];
    }
    if (!(own > 0)) continue;
    const double r = fmin(fmax(next / own, -0.97), 0.97);
    sum += 4 * r * r / ((1 - r * r) * (1 - r * r)), used++;
  }
  const double wide = used > 0 ? 1.1447 * cbrt(sum / used * (double)rows) : 0;
  return (size_t)fmin(wide, 0.2 * (double)rows);
}

/* Of few rows such a sum is small, since the fit has followed them, and uncertain. The first is made up for as it is in
   the plain variance; by the second the quantile of 97.5 % of a ratio to the root of the sum is larger than that of the
   normal distribution (Kiefer and Vogelsang 2005, Bartlett's window). */
static double few_rows(size_t lags, size_t rows, int unknowns)
{
  const double n = (double)rows, b = (double)(lags + 1) / n;
  const double quantile = lags > 0 ? 1 + b * (2.9694 + b * (0.4160 - b * 0.5324)) / 1.9600 : 1;
  return quantile * sqrt(n / fmax(n - unknowns, 1));
}

/* The same for the plain deviations: the unknowns have followed as many of the rows that are worth something. */
static double few_worth(double worth, size_t rows, int unknowns)
{
  const double n = (double)rows / fmax(worth, 1);
  return sqrt(fmax(n / fmax(n - unknowns, 1), 1));
}

enum { SIDE = 8 };

/* Sums of products for SIDE lags from `lag` on, side by side in lanes; each is added up in the order that it has alone.
 */
BRISTLE_CLONES static void pairs_at(const double *work, size_t rows, size_t lag, double pair[SIDE])
{
  for (size_t k = 0; k < SIDE; k++)
    for (size_t i = lag + k; i < lag + SIDE && i < rows; i++) pair[k] += work[i] * work[i - lag - k];
  for (size_t i = lag + SIDE; i < rows; i++)
    for (size_t k = 0; k < SIDE; k++) pair[k] += work[i] * work[i - lag - k];
}

/* the weighted sum of products of scores, seen through a direction: c' S c for the row c of the covariance */
static double along(const double *score, size_t rows, int n, const double *c, size_t lags, double *work)
{
  double sum = 0;
  for (size_t i = 0; i < rows; i++) {
    work[i] = 0;
    for (int j = 0; j < n; j++) work[i] += c[j] * score[i * (size_t)n + (size_t)j];
    sum += work[i] * work[i];
  }
  size_t lag = 1;
  for (; lag + SIDE - 1 <= lags; lag += SIDE) {
    double pair[SIDE] = { 0 };
    pairs_at(work, rows, lag, pair);
    for (size_t k = 0; k < SIDE; k++) sum += 2 * (1 - (double)(lag + k) / (double)(lags + 1)) * pair[k];
  }
  for (; lag <= lags; lag++) {
    double pair = 0;
    for (size_t i = lag; i < rows; i++) pair += work[i] * work[i - lag];
    sum += 2 * (1 - (double)lag / (double)(lags + 1)) * pair;
  }
  return sum;
}

double sandwich_variance(const double *row, size_t rows)
{
  const double one = 1;
  double *work = malloc(sizeof *work * (rows + 1));
  const double sum = work ? along(row, rows, 1, &one, bandwidth(row, rows, 1), work) : HUGE_VAL;
  free(work);
  return fmax(sum, 0);
}

void sandwich_factors(const double *r, double *jacobian, size_t rows, const bristle_fit_result *fit, double worth,
                      double by_filter, double *factor)
{
  static const double LONGER = 1.5, FEW = 20; /* times what the filter makes; spans of the window */
  const int n = fit->count;
  const size_t width = (size_t)n;
  double *score = jacobian, *work = malloc(sizeof *work * (rows + 1));
  const double variance = fit->noise * fit->noise;
  for (int j = 0; j < n; j++) factor[j] = 1;
  if (work && variance > 0) {
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < width; j++) score[i * width + j] *= r[i];
    const size_t lags = bandwidth(score, rows, n);
    const double larger = few_rows(lags, rows, fit->free);
    const int unsure = worth > LONGER * by_filter || (double)rows < FEW * (double)(lags + 1);
    const double least = unsure ? few_worth(worth, rows, fit->free) : 0;
    for (int j = 0; j < n; j++) {
      const double *row = fit->covariance + (size_t)j * width, plain = row[j] * worth;
      if (!(plain > 0) || !isfinite(fit->deviation[j])) continue;
      const double spread = along(score, rows, n, row, lags, work) / (variance * variance);
      if (spread > 0) factor[j] = fmax(larger * sqrt(spread / plain), least);
    }
  }
  free(work);
}
