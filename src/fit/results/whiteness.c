/* How strongly residuals are correlated. Fitted curves that miss something leave runs of equal sign: then a thousand
   samples know less than a thousand, and the deviations must grow. */
#include "lab/identify.h"
#include "core/clones.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { LAGS = 20, FEWEST = 16 };

/* A chance of white residuals below which they count as following each other; few of them cannot prove as much. */
static const double WHITE = 1e-4, WHITE_OF_FEW = 1e-2;

/* `r` is what differs from the mean */
BRISTLE_CLONES static double covariance(const double *r, size_t count, size_t lag)
{
  enum { SUMS = 16 }; /* one sum alone would wait for itself */
  double sum[SUMS] = { 0 }, total = 0;
  size_t i = lag;
  for (; i + SUMS <= count; i += SUMS)
    for (size_t l = 0; l < SUMS; l++) sum[l] += r[i + l] * r[i + l - lag];
  for (; i < count; i++) total += r[i] * r[i - lag];
  for (size_t l = 0; l < SUMS; l++) total += sum[l];
  return total / (double)count;
}

/* probability of a chi-square of `freedom` beyond x (Wilson and Hilferty 1931) */
static double beyond(double x, double freedom)
{
  double t = 2 / (9 * freedom), z = (cbrt(x / freedom) - (1 - t)) / sqrt(t);
  return 0.5 * erfc(z / sqrt(2));
}

/* the sum of correlations up to where pairs of them stop being positive (Geyer 1992) */
static double worth_of_many(const double *r, size_t count, double variance)
{
  double sum = 1;
  for (size_t lag = 1; lag + 1 < count / 10 && lag < 2000; lag += 2) {
    double pair = (covariance(r, count, lag) + covariance(r, count, lag + 1)) / variance;
    if (pair <= 0.01) break;
    sum += 2 * pair;
  }
  return sum;
}

/* Of few residuals only the first two correlations are known, and these are too small, since the unknowns have followed
   a part of the residuals (Kendall 1954, here for any number of unknowns); the others shrink as the second does. */
static double worth_of_few(const double *r, size_t count, double variance, int unknowns)
{
  const double n = (double)count, k = unknowns, least = 4, most = 0.4; /* rows that are left; part that was followed */
  double c[2] = { covariance(r, count, 1) / variance, covariance(r, count, 2) / variance };
  const double whole = (c[0] + k / n) / fmax(1 - (k + 2) / n, 0.5);
  const double followed = fmin(fmax((whole - c[0]) / (1 - c[0]), 0), most);
  for (int i = 0; i < 2; i++) c[i] += followed * (1 - c[i]);
  if (!(c[0] > 0)) return 1;
  return fmin(1 + 2 * c[0] / (1 - fmin(fmax(c[1] / c[0], 0), 0.95)), fmax(n / least, 1));
}

static void follow(const double *r, size_t count, int unknowns, double *worth, double *probability)
{
  const int few = count < 4 * LAGS;
  const size_t lags = few ? count / 4 : LAGS;
  double box = 0, n = (double)count, variance = covariance(r, count, 0);
  if (!(variance > 0)) return;
  for (size_t lag = 1; lag <= lags; lag++) {
    double c = covariance(r, count, lag) / variance;
    box += c * c / (n - (double)lag);
  }
  *probability = beyond(n * (n + 2) * box, (double)lags);
  if (*probability > (few ? WHITE_OF_FEW : WHITE)) return;
  *worth = fmax(few ? worth_of_few(r, count, variance, unknowns) : worth_of_many(r, count, variance), 1);
}

void residual_memory(const double *r, size_t count, int unknowns, double *worth, double *probability)
{
  double mean = 0, n = (double)count;
  *worth = 1, *probability = 1;
  if (count < FEWEST) return;
  for (size_t i = 0; i < count; i++) mean += r[i] / n;
  double *apart = malloc(sizeof *apart * count);
  for (size_t i = 0; apart && i < count; i++) apart[i] = r[i] - mean;
  if (apart) follow(apart, count, unknowns, worth, probability);
  free(apart);
}
