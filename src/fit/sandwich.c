/* Deviations where residuals follow each other and are not alike everywhere: Newey and West's sum of the scores, with
   Andrews' bandwidth. What it adds to the plain deviations is a factor for each unknown. */
#include "fit/result.h"

#include <math.h>
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

/* the weighted sum of products of scores, seen through a direction: c' S c for the row c of the covariance */
static double along(const double *score, size_t rows, int n, const double *c, size_t lags, double *work)
{
  double sum = 0;
  for (size_t i = 0; i < rows; i++) {
    work[i] = 0;
    for (int j = 0; j < n; j++) work[i] += c[j] * score[i * (size_t)n + (size_t)j];
    sum += work[i] * work[i];
  }
  for (size_t lag = 1; lag <= lags; lag++) {
    double pair = 0;
    for (size_t i = lag; i < rows; i++) pair += work[i] * work[i - lag];
    sum += 2 * (1 - (double)lag / (double)(lags + 1)) * pair;
  }
  return sum;
}

void sandwich_factors(const double *r, double *jacobian, size_t rows, const bristle_fit_result *fit, double worth,
                      double *factor)
{
  const int n = fit->count;
  const size_t width = (size_t)n;
  double *score = jacobian, *work = malloc(sizeof *work * (rows + 1));
  const double variance = fit->noise * fit->noise;
  for (int j = 0; j < n; j++) factor[j] = 1;
  if (work && variance > 0) {
    for (size_t i = 0; i < rows; i++)
      for (size_t j = 0; j < width; j++) score[i * width + j] *= r[i];
    const size_t lags = bandwidth(score, rows, n);
    for (int j = 0; j < n; j++) {
      const double *row = fit->covariance + (size_t)j * width, plain = row[j] * worth;
      if (!(plain > 0) || !isfinite(fit->deviation[j])) continue;
      const double spread = along(score, rows, n, row, lags, work) / (variance * variance);
      factor[j] = sqrt(fmax(spread / plain, 1));
    }
  }
  free(work);
}
