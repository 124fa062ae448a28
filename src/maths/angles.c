/* Trigonometry: series on short ranges after a reduction that keeps twice the digits. */
#include "maths/elementary.h"

#include "core/maths.h"
#include "maths/pair.h"

static pair sum(double a, double b) /* exactly (Knuth) */
{
  const double s = a + b, t = s - a;
  return (pair){ s, (a - (s - t)) + (b - t) };
}

/* pi/2 in three pieces; and again in short ones, whose products with 20 bits are exact */
static const double quarter[3] = { 0x1.921fb54442d18p0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110 };
static const double brief[3] = { 0x1.921fb54400000p+0, 0x1.0b4611a600000p-34, 0x1.3198a2e037073p-69 };

static pair reduce_far(double x, double k)
{
  const pair first = product(k, quarter[0]), second = product(k, quarter[1]);
  const pair r = sum(x, -first.high), s = sum(r.high, -first.low), t = sum(s.high, -second.high);
  return sum(t.high, r.low + s.low + t.low - second.low - k * quarter[2]);
}

/* x - k pi/2 within about +-pi/4, and k modulo 4 */
static pair reduce(double x, int *turn)
{
  if (fabs(x) > 1e15) x = fmod(x, 4 * quarter[0]); /* nothing is known of the angle any more */
  const double t = x * 0x1.45f306dc9c883p-1 + 0x1.8p52, k = t - 0x1.8p52;
  *turn = (int)(bits_f64(t) & 3);
  if (fabs(k) >= 0x1p20) return reduce_far(x, k);
  const double a = x - k * brief[0], b = k * brief[1], r = a - b, c = ((a - r) - b) - k * brief[2], high = r + c;
  return (pair){ high, (r - high) + c };
}

/* Taylor's series: what is left out is below 1e-19 for |x| <= pi/4 */
enum { TERMS = 8 };
static const double sine_terms[TERMS] = {
  -1.0 / 6,        1.0 / 120,        -1.0 / 5040,          1.0 / 362880,
  -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000
};
static const double cosine_terms[TERMS] = {
  1.0 / 24,        -1.0 / 720,         1.0 / 40320,          -1.0 / 3628800,
  1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000
};

static double series(const double terms[TERMS], double z)
{
  double p = terms[TERMS - 1];
  for (int i = TERMS - 2; i >= 0; i--) p = terms[i] + z * p;
  return p;
}

static double sine(pair r)
{
  const double z = r.high * r.high;
  return r.high + (r.high * z * series(sine_terms, z) + r.low * (1 - 0.5 * z));
}

static double cosine(pair r)
{
  const double z = r.high * r.high, half = 0.5 * z, w = 1 - half;
  return w + (((1 - w) - half) + (z * z * series(cosine_terms, z) - r.high * r.low));
}

static double turned(double x, int ahead)
{
  int turn;
  if (!isfinite(x)) return (double)NAN;
  const pair r = reduce(x, &turn);
  turn = (turn + ahead) % 4;
  const double y = turn % 2 ? cosine(r) : sine(r);
  return turn < 2 ? y : -y;
}

double same_sin(double x) { return turned(x, 0); }
double same_cos(double x) { return turned(x, 1); }

double same_tan(double x)
{
  int turn;
  if (!isfinite(x)) return (double)NAN;
  const pair r = reduce(x, &turn);
  return turn % 2 ? -cosine(r) / sine(r) : sine(r) / cosine(r);
}

/* atan(n/4) = high + low */
static const pair fourths[5] = { { 0, 0 },
                                 { 0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57 },
                                 { 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56 },
                                 { 0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56 },
                                 { 0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55 } };

/* atan(n/4) + atan(t) with t = (x - n/4)/(1 + x n/4), |t| <= 1/8 */
static pair arc(double x)
{
  const int n = (int)(4 * x + 0.5);
  const double c = 0.25 * n, t = (x - c) / (1 + x * c), z = t * t;
  double p = 0;
  for (int k = 19; k > 1; k -= 2) p = z * ((k % 4 == 1 ? 1.0 : -1.0) / k + p);
  const pair s = sum(fourths[n].high, t);
  return (pair){ s.high, s.low + (fourths[n].low + t * p) };
}

double same_atan(double x)
{
  const double a = fabs(x);
  if (isnan(x)) return x;
  if (a <= 1) {
    const pair y = arc(a);
    return copysign(y.high + y.low, x);
  }
  const pair y = arc(1 / a), s = sum(quarter[0], -y.high);
  return copysign(s.high + (s.low + (quarter[1] - y.low)), x);
}

double same_atan2(double y, double x)
{
  const double pi = 2 * quarter[0];
  if (isnan(x) || isnan(y)) return (double)NAN;
  if (y == 0) return signbit(x) ? copysign(pi, y) : y;
  if (isinf(x) && isinf(y)) return copysign(x > 0 ? 0.5 * quarter[0] : 1.5 * quarter[0], y);
  if (x == 0 || isinf(y)) return copysign(quarter[0], y);
  const double angle = same_atan(fabs(y / x));
  return copysign(x > 0 ? angle : pi - angle, y);
}

double same_asin(double x) { return fabs(x) <= 1 ? same_atan2(x, sqrt((1 - x) * (1 + x))) : (double)NAN; }
double same_acos(double x) { return fabs(x) <= 1 ? same_atan2(sqrt((1 - x) * (1 + x)), x) : (double)NAN; }
