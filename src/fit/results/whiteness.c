/* How much residuals follow each other. Fitted curves that miss something leave runs of equal sign: then a thousand
   samples know less than a thousand, and the deviations must grow. */
#include "bristle/identify.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { LAGS = 20 };

static double covariance(const double *r, size_t count, size_t lag, double mean)
{
  enum { SUMS = 16 }; /* one sum alone would wait for itself */
  double sum[SUMS] = { 0 }, total = 0;
  size_t i = lag;
  for (; i + SUMS <= count; i += SUMS)
    for (size_t l = 0; l < SUMS; l++) sum[l] += (r[i + l] - mean) * (r[i + l - lag] - mean);
  for (; i < count; i++) total += (r[i] - mean) * (r[i - lag] - mean);
  for (size_t l = 0; l < SUMS; l++) total += sum[l];
  return total / (double)count;
}

/* probability of a chi-square of `freedom` beyond x (Wilson and Hilferty 1931) */
static double beyond(double x, double freedom)
{
  double t = 2 / (9 * freedom), z = (cbrt(x / freedom) - (1 - t)) / sqrt(t);
  return 0.5 * erfc(z / sqrt(2));
}

void residual_memory(const double *r, size_t count, double *worth, double *probability)
{
  double mean = 0, box = 0, n = (double)count;
  *worth = 1, *probability = 1;
  if (count < 4 * LAGS) return;
  for (size_t i = 0; i < count; i++) mean += r[i] / n;
  double variance = covariance(r, count, 0, mean);
  if (!(variance > 0)) return;
  for (size_t lag = 1; lag <= LAGS; lag++) {
    double c = covariance(r, count, lag, mean) / variance;
    box += c * c / (n - (double)lag);
  }
  *probability = beyond(n * (n + 2) * box, LAGS);
  if (*probability > 1e-4) return;
  /* the sum of correlations up to where pairs of them stop being positive (Geyer 1992) */
  double sum = 1;
  for (size_t lag = 1; lag + 1 < count / 10 && lag < 2000; lag += 2) {
    double pair = (covariance(r, count, lag, mean) + covariance(r, count, lag + 1, mean)) / variance;
    if (pair <= 0.01) break;
    sum += 2 * pair;
  }
  *worth = sum > 1 ? sum : 1;
}
