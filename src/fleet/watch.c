/* Which axes have changed? Each number of an axis is compared with itself, before and after every day. */
#include "fleet/fleet.h"

#include "maths/counter.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* Trends under the alarm: as many times as likely in a fleet without changes. */
enum { TREND = 10 };

typedef struct watching {
  bristle_fleet *fleet;
  double least;
  double *y, *scratch;
  size_t *place; /* of each value among the entries of the axis */
} watching;

/* The days of a number. 0: it has no history, because it is not determined in one of five, or is too short. */
static size_t take_history(watching *w, const bristle_fleet_axis *axis, int column)
{
  const bristle_fleet_entry *entry = &w->fleet->entry[axis->first];
  size_t n = 0, fine = 0;
  for (size_t i = 0; i < axis->count; i++) {
    const double x = entry[i].value[column];
    fine += !entry[i].status;
    if (entry[i].status || !isfinite(x) || !isfinite(entry[i].deviation[column])) continue;
    w->place[n] = i, w->y[n++] = x;
  }
  return n >= BRISTLE_FLEET_DAYS && 5 * n >= 4 * fine ? n : 0;
}

static void watch_number(watching *w, bristle_fleet_axis *axis, int column)
{
  const size_t n = take_history(w, axis, column);
  const fleet_shift c = fleet_change(w->y, n, w->scratch);
  const double change = (c.after - c.before) / fabs(c.before);
  if (!(c.statistic > w->fleet->trend_threshold) || !(fabs(change) >= w->least)) return;
  const bristle_fleet_shift found = { column, w->place[c.since], c.before, c.after, change, c.statistic, c.drifts };
  if (c.statistic > axis->trend.statistic) axis->trend = found;
}

static void watch_axis(watching *w, bristle_fleet_axis *axis)
{
  axis->column = -1, axis->statistic = 0, axis->days = 0;
  axis->trend = (bristle_fleet_shift){ .column = -1 };
  for (size_t i = axis->first; i < axis->first + axis->count; i++) axis->days += !w->fleet->entry[i].status;
  for (int c = 0; c < w->fleet->columns; c++) watch_number(w, axis, c);
  const bristle_fleet_shift *t = &axis->trend;
  if (!(t->statistic > w->fleet->threshold)) return;
  axis->column = t->column, axis->since = t->since, axis->statistic = t->statistic, axis->drifts = t->drifts;
  axis->before = t->before, axis->after = t->after, axis->change = t->change;
  axis->trend.column = -1;
}

void bristle_fleet_watch(bristle_fleet *f, const bristle_fleet_options *options)
{
  const double rate = options->false_alarms > 0 ? options->false_alarms : 0.01;
  double tests = 0;
  size_t longest = 0;
  for (size_t a = 0; a < f->axes; a++)
    if (f->axis[a].count > longest) longest = f->axis[a].count;
  watching w = { f, options->least > 0 ? options->least : 0.05, malloc((longest + 1) * sizeof(double)),
                 malloc(2 * (longest + 1) * sizeof(double)), malloc((longest + 1) * sizeof(size_t)) };
  const int room = w.y && w.scratch && w.place;
  for (size_t a = 0; a < f->axes && room; a++)
    for (int c = 0; c < f->columns; c++) tests += (double)take_history(&w, &f->axis[a], c);
  /* each day of each number of each axis may raise an alarm, in either direction: their probabilities add up at most */
  f->threshold = -normal_quantile(rate / (2 * fmax(tests, 1)));
  f->trend_threshold = -normal_quantile(fmin(1, TREND * rate) / (2 * fmax(tests, 1)));
  for (size_t a = 0; a < f->axes && room; a++) watch_axis(&w, &f->axis[a]);
  free(w.y), free(w.scratch), free(w.place);
}
