/* Has a series of days changed? Long histories by medians, which bear any share of bad days; short ones by Student's
   distribution, which knows how little a scatter of few days is worth. */
#include "fleet/fleet.h"

#include "maths/counter.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* From so many days on medians of differences find a drift over the whole history as well as a jump; below, a change is
   part of them (tests/fleet.c has rates for both). */
enum { LONG = 25, LEAST_PART = 3 };
static const double BOUND = 3; /* times the scatter: what a single day may count */

static int rising(const void *one, const void *other)
{
  const double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

static double median(double *x, size_t n)
{
  qsort(x, n, sizeof *x, rising);
  return n ? 0.5 * (x[n / 2] + x[(n - 1) / 2]) : (double)NAN;
}

static double median_of(const double *x, size_t n, double *scratch)
{
  memcpy(scratch, x, n * sizeof *scratch);
  return median(scratch, n);
}

/* ---- long histories ---- */

/* From differences of days that are 1, 2 or 5 apart, so that neither a jump nor a slow change is taken for scatter; the
   largest, so that days that follow each other do not make it too small. */
static double scatter_of(const double *y, size_t n, double *scratch)
{
  static const size_t apart[] = { 1, 2, 5 };
  double largest = 0;
  for (size_t k = 0; k < sizeof apart / sizeof *apart && apart[k] < n / 2; k++) {
    const size_t count = n - apart[k];
    for (size_t i = 0; i < count; i++) scratch[i] = fabs(y[i + apart[k]] - y[i]);
    largest = fmax(largest, median(scratch, count) / (0.6744897501960817 * sqrt(2)));
  }
  return largest;
}

/* Does it go on changing after the change, or is it as large on its first days as on its last? */
static int goes_on(const double *y, size_t since, size_t count, double scatter, double *scratch)
{
  const size_t third = (count - since) / 3;
  if (third < 3) return 0;
  memcpy(scratch, y + since, third * sizeof *scratch);
  const double early = median(scratch, third);
  memcpy(scratch, y + count - third, third * sizeof *scratch);
  const double late = median(scratch, third);
  return fabs(late - early) > 4 * scatter / sqrt((double)third);
}

static fleet_shift long_change(const double *value, size_t count, double *scratch)
{
  fleet_shift c = { .statistic = (double)NAN, .scatter = scatter_of(value, count, scratch) };
  const double middle = median_of(value, count, scratch);
  double all = 0, before = 0;
  if (!(c.scatter > 0)) return c;
  c.statistic = 0;
  for (size_t i = 0; i < count; i++) all += scratch[i] = fmin(BOUND, fmax(-BOUND, (value[i] - middle) / c.scatter));
  for (size_t k = 1; k < count; k++) {
    before += scratch[k - 1];
    if (k < LEAST_PART || count - k < LEAST_PART) continue;
    const double n = (double)count, a = (double)k, b = n - a;
    const double difference = fabs(before / a - (all - before) / b) * sqrt(a * b / n);
    if (difference > c.statistic) c.statistic = difference, c.since = k;
  }
  c.before = median_of(value, c.since, scratch);
  c.after = median_of(value + c.since, count - c.since, scratch);
  c.drifts = goes_on(value, c.since, count, c.scatter, scratch);
  return c;
}

/* ---- short histories ---- */

/* A change is a shape: 0 before a day, and from it on 1 (a jump) or 1, 2, 3, ... (a drift). */
typedef struct shape {
  int drifts;
  size_t since;
} shape;

static double shape_at(const shape *s, size_t day)
{
  return day < s->since ? 0 : s->drifts ? (double)(day - s->since + 1) : 1;
}

typedef struct moments {
  double n, g, y, gg, gy, yy;
} moments;

static void add_day(moments *m, double weight, double g, double y)
{
  m->n += weight, m->g += weight * g, m->y += weight * y;
  m->gg += weight * g * g, m->gy += weight * g * y, m->yy += weight * y * y;
}

static double squares_about_mean(const moments *m) { return fmax(0, m->yy - m->y * m->y / m->n); }

static double slope(const moments *m) { return (m->gy - m->g * m->y / m->n) / (m->gg - m->g * m->g / m->n); }

static double squares_about_shape(const moments *m)
{
  return fmax(0, squares_about_mean(m) - slope(m) * (m->gy - m->g * m->y / m->n));
}

/* The probability that chance leaves so small a part 1 - r2 of the squares: of Student's t = r sqrt(f / (1 - r2)), in
   both directions. The incomplete beta function, by its series, which keeps its digits where the part is small. */
static double chance_of(double part, int freedom)
{
  double a = 0.5 * freedom, beta = freedom % 2 ? 3.141592653589793 : 2, term = 1, sum = 0;
  for (double b = freedom % 2 ? 0.5 : 1; b < a; b++) beta *= b / (b + 0.5);
  part = fmin(1, fmax(part, 1e-14)); /* what rounding leaves */
  for (int k = 0; k < 2000; k++) {
    sum += term / (a + k);
    term *= part * (k + 0.5) / (k + 1);
    if (term < 1e-12 * sum) break;
  }
  return fmin(1, exp(a * log(part)) * sum / beta);
}

/* the best explanation by a change, with all days or with one left aside */
typedef struct explained {
  double part, squares; /* of the squares about the mean; what stays */
  double rival;         /* what stays where as many single days are taken for bad ones instead */
  shape shape;
  moments moments;
} explained;

static size_t first_since(size_t count, int drifts) { return drifts ? 1 : count < 10 ? 2 : LEAST_PART; }

static size_t last_since(size_t count, int drifts) { return drifts ? count - 3 : count - first_since(count, 0); }

static void try_shape(const double *y, size_t count, size_t aside, const shape *s, explained *best)
{
  moments m = { .n = 0 };
  size_t after = 0;
  for (size_t i = 0; i < count; i++)
    if (i != aside) add_day(&m, 1, shape_at(s, i), y[i]), after += i >= s->since;
  const size_t least = first_since(count, 0);
  if (!s->drifts && (after < least || (size_t)m.n - after < least)) return;
  const double all = squares_about_mean(&m), left = squares_about_shape(&m);
  if (!(all > 0) || left / all >= best->part) return;
  best->part = left / all, best->squares = left, best->shape = *s, best->moments = m;
}

/* `aside`: a day that does not count; `count`: none */
static void try_all(const double *y, size_t count, size_t aside, explained *best)
{
  for (int drifts = 0; drifts < 2; drifts++)
    for (size_t since = first_since(count, drifts); since <= last_since(count, drifts); since++)
      try_shape(y, count, aside, &(shape){ drifts, since }, best);
  for (size_t bad = 0; bad < count; bad++) {
    moments m = { .n = 0 };
    for (size_t i = 0; i < count; i++)
      if (i != aside && i != bad) add_day(&m, 1, 0, y[i]);
    if (bad != aside) best->rival = fmin(best->rival, squares_about_mean(&m));
  }
}

/* Each shape, and each choice of a day that is left aside (from 7 days on), is a test of its own: their chances add up
   at most, whatever the days are. A change that explains less than bad days would is none. */
static fleet_shift short_change(const double *value, size_t count, double *scratch)
{
  const double middle = median_of(value, count, scratch);
  const double shapes = (double)(last_since(count, 0) - first_since(count, 0) + last_since(count, 1)
                                 - first_since(count, 1) + 2);
  const int families = count < 7 ? 1 : 2;
  fleet_shift c = { .statistic = 0, .scatter = (double)NAN };
  double least = 1;
  for (size_t i = 0; i < count; i++) scratch[i] = value[i] - middle;
  for (int left = 0; left < families; left++) {
    explained best = { .part = 1, .rival = HUGE_VAL };
    for (size_t aside = left ? 0 : count; aside < (left ? count : count + 1); aside++)
      try_all(scratch, count, aside, &best);
    if (best.part >= 1 || best.squares >= best.rival) continue;
    const int freedom = (int)count - 2 - left;
    const double chance = families * shapes * (left ? (double)count : 1) * chance_of(best.part, freedom);
    if (chance >= least) continue;
    const moments *m = &best.moments;
    const double rise = slope(m), from = middle + (m->y - rise * m->g) / m->n;
    least = chance;
    c = (fleet_shift){ .since = best.shape.since,
                       .drifts = best.shape.drifts,
                       .scatter = sqrt(best.squares / freedom),
                       .before = from,
                       .after = from + rise * shape_at(&best.shape, count - 1) };
  }
  /* on the scale of long histories, where each day is a test */
  c.statistic = -normal_quantile(fmax(least, 1e-300) / (2 * (double)count));
  return c;
}

fleet_shift fleet_change(const double *value, size_t count, double *scratch)
{
  if (count < BRISTLE_FLEET_DAYS) return (fleet_shift){ .statistic = (double)NAN, .scatter = (double)NAN };
  return count < LONG ? short_change(value, count, scratch) : long_change(value, count, scratch);
}

double bristle_fleet_change(const double *value, size_t count, double *scratch, size_t *since, double *scatter)
{
  const fleet_shift c = fleet_change(value, count, scratch);
  *since = c.since, *scatter = c.scatter;
  return c.statistic;
}
