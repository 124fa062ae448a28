/* Which axes left their own history? Each number of an axis is compared with itself, before and after every day. */
#include "fleet/fleet.h"

#include "maths/counter.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { LEAST_DAYS = 12, LEAST_PART = 3 };
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

double bristle_fleet_change(const double *value, size_t count, double *scratch, size_t *since, double *scatter)
{
  *since = 0;
  *scatter = (double)NAN;
  if (count < LEAST_DAYS) return (double)NAN;
  const double s = scatter_of(value, count, scratch);
  memcpy(scratch, value, count * sizeof *scratch);
  const double middle = median(scratch, count);
  double all = 0, before = 0, largest = 0;
  *scatter = s;
  if (!(s > 0)) return (double)NAN;
  for (size_t i = 0; i < count; i++) all += scratch[i] = fmin(BOUND, fmax(-BOUND, (value[i] - middle) / s));
  for (size_t k = 1; k < count; k++) {
    before += scratch[k - 1];
    if (k < LEAST_PART || count - k < LEAST_PART) continue;
    const double n = (double)count, a = (double)k, b = n - a;
    const double difference = fabs(before / a - (all - before) / b) * sqrt(a * b / n);
    if (difference > largest) largest = difference, *since = k;
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

typedef struct watching {
  bristle_fleet *fleet;
  double least;
  double *y, *scratch;
  size_t *place; /* of each value among the entries of the axis */
} watching;

static void watch_number(watching *w, bristle_fleet_axis *axis, int column)
{
  const bristle_fleet_entry *entry = &w->fleet->entry[axis->first];
  size_t n = 0, since;
  double scatter;
  for (size_t i = 0; i < axis->count; i++) {
    const double x = entry[i].value[column];
    if (entry[i].status || !isfinite(x) || !isfinite(entry[i].deviation[column])) continue;
    w->place[n] = i, w->y[n++] = x;
  }
  if (n < LEAST_DAYS || 5 * n < 4 * axis->count) return; /* numbers that are not determined have no history */
  const double statistic = bristle_fleet_change(w->y, n, w->scratch, &since, &scatter);
  if (!(statistic > w->fleet->threshold) || statistic <= axis->statistic) return;
  memcpy(w->scratch, w->y, since * sizeof *w->y);
  const double before = median(w->scratch, since);
  memcpy(w->scratch, w->y + since, (n - since) * sizeof *w->y);
  const double after = median(w->scratch, n - since), change = (after - before) / fabs(before);
  if (!(fabs(change) >= w->least)) return;
  axis->column = column, axis->since = w->place[since], axis->statistic = statistic;
  axis->before = before, axis->after = after, axis->change = change;
  axis->drifts = goes_on(w->y, since, n, scatter, w->scratch);
}

void bristle_fleet_watch(bristle_fleet *f, const bristle_fleet_options *options)
{
  const double rate = options->false_alarms > 0 ? options->false_alarms : 0.01;
  double tests = 0;
  size_t longest = 0;
  for (size_t a = 0; a < f->axes; a++) {
    tests += (double)f->axis[a].count * f->columns;
    if (f->axis[a].count > longest) longest = f->axis[a].count;
  }
  /* each day of each number of each axis may raise an alarm, in either direction: their probabilities add up at most */
  f->threshold = normal_quantile(1 - rate / (2 * fmax(tests, 1)));
  watching w = { f, options->least > 0 ? options->least : 0.05, malloc(longest * sizeof(double)),
                 malloc(2 * longest * sizeof(double)), malloc(longest * sizeof(size_t)) };
  for (size_t a = 0; a < f->axes && w.y && w.scratch && w.place; a++) {
    f->axis[a].column = -1, f->axis[a].statistic = 0;
    for (int c = 0; c < f->columns; c++) watch_number(&w, &f->axis[a], c);
  }
  free(w.y), free(w.scratch), free(w.place);
}
