/* Numbers taken from the rows of runs. Rows are exact at their times; what lies between is interpolated. */
#include "gallery.h"

#include "maths/elementary.h"

#include <string.h>

const double *run_column(const simulation *s, const char *name)
{
  for (int i = 0; i < s->width; i++)
    if (!strcmp(s->columns[i].name, name)) return s->kept[i];
  return NULL;
}

/* the last row that is not after t */
static size_t row_before(const simulation *s, double t)
{
  const double *time = s->kept[0];
  size_t low = 0, high = s->rows;
  while (high - low > 1) {
    const size_t middle = (low + high) / 2;
    *(time[middle] <= t ? &low : &high) = middle;
  }
  return low;
}

/* the cubic through the four rows around t */
static double cubic(const simulation *s, const double *y, double t)
{
  const double *time = s->kept[0];
  size_t first = row_before(s, t);
  if (s->rows < 4) return NAN;
  first = first < 1 ? 0 : first + 3 > s->rows ? s->rows - 4 : first - 1;
  if (first + 4 > s->rows) first = s->rows - 4;
  double sum = 0;
  for (size_t i = first; i < first + 4; i++) {
    double weight = 1;
    for (size_t k = first; k < first + 4; k++)
      if (k != i) weight *= (t - time[k]) / (time[i] - time[k]);
    sum += weight * y[i];
  }
  return sum;
}

double run_value(const simulation *s, const char *column, double t)
{
  const double *y = run_column(s, column);
  return y ? cubic(s, y, t) : (double)NAN;
}

double value_at(const simulation *runs, const gallery_number *n)
{
  return run_value(&runs[n->run], n->column, n->from);
}

double change(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  return run_value(s, n->column, n->to) - run_value(s, n->column, n->from);
}

double last_value(const simulation *runs, const gallery_number *n)
{
  const double *y = run_column(&runs[n->run], n->column);
  return y ? y[runs[n->run].rows - 1] : (double)NAN;
}

/* ---- extremes ---- */

/* the top of the parabola through three neighbours, the middle one being the highest or lowest */
static double top(const double *y)
{
  const double bend = y[0] - 2 * y[1] + y[2], slope = y[2] - y[0];
  return bend != 0 ? y[1] - slope * slope / (8 * bend) : y[1];
}

static double extreme(const simulation *runs, const gallery_number *n, double sign)
{
  const simulation *s = &runs[n->run];
  const double *y = run_column(s, n->column), *t = s->kept[0];
  size_t best = s->rows;
  for (size_t i = 0; y && i < s->rows; i++)
    if (t[i] >= n->from && (n->to <= 0 || t[i] <= n->to) && (best == s->rows || sign * y[i] > sign * y[best])) best = i;
  if (best == s->rows) return NAN;
  if (best == 0 || best + 1 == s->rows) return y[best];
  const int slopes = sign * y[best] < fmax(sign * y[best - 1], sign * y[best + 1]); /* it goes on outside the span */
  return slopes ? y[best] : top(y + best - 1);
}

double largest(const simulation *runs, const gallery_number *n) { return extreme(runs, n, 1); }

double least(const simulation *runs, const gallery_number *n) { return extreme(runs, n, -1); }

double first_peak(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *y = run_column(s, n->column);
  for (size_t i = row_before(s, n->from) + 1; y && i + 1 < s->rows; i++)
    if (y[i] > y[i - 1] && y[i] >= y[i + 1]) return top(y + i - 1);
  return NAN;
}

/* ---- crossings ---- */

static double crossing_after(const simulation *s, const gallery_number *n, double from)
{
  const double *y = run_column(s, n->where), *t = s->kept[0], sign = n->falling ? -1 : 1;
  for (size_t i = row_before(s, from) + 1; y && i < s->rows; i++) {
    if (!(sign * (y[i - 1] - n->level) < 0 && sign * (y[i] - n->level) >= 0) || t[i] <= from) continue;
    double low = t[i - 1], high = t[i];
    for (int k = 0; k < 60; k++) {
      const double middle = 0.5 * (low + high);
      *(sign * (cubic(s, y, middle) - n->level) < 0 ? &low : &high) = middle;
    }
    return high;
  }
  return NAN;
}

double crossing_time(const simulation *runs, const gallery_number *n)
{
  return crossing_after(&runs[n->run], n, n->from);
}

double value_when(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double t = crossing_after(s, n, n->from);
  return isnan(t) ? t : run_value(s, n->column, t);
}

double interval(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double first = crossing_after(s, n, n->from);
  if (isnan(first)) return first;
  const size_t behind = row_before(s, first) + 1; /* the first row that is across */
  return crossing_after(s, n, s->kept[0][behind]) - first;
}

/* ---- rest ---- */

/* where the parabola through three rows is zero, near the row `near` of them */
static double zero_beside(const double *t, const double *v, int near)
{
  const double first = (v[1] - v[0]) / (t[1] - t[0]), second = (v[2] - v[1]) / (t[2] - t[1]);
  const double bend = (second - first) / (t[2] - t[0]);
  double at = t[near];
  for (int i = 0; i < 50; i++) /* Newton: the root is a fraction of a row away */
    at -= (v[0] + (at - t[0]) * (first + bend * (at - t[1]))) / (first + bend * (2 * at - t[0] - t[1]));
  return at;
}

static double turning_after(const simulation *s, double from)
{
  const double *t = s->kept[0], *v = run_column(s, "v");
  for (size_t i = row_before(s, from) + 3; v && i < s->rows; i++)
    if (v[i - 1] > 0 && v[i] <= 0) return zero_beside(t + i - 3, v + i - 3, 2);
  return NAN;
}

double turning_interval(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double first = turning_after(s, n->from);
  return turning_after(s, first) - first;
}

double motion_begins(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *t = s->kept[0], *v = run_column(s, "v");
  for (size_t i = row_before(s, n->from) + 1; v && i + 2 < s->rows; i++)
    if (v[i] != 0 && v[i - 1] == 0) return zero_beside(t + i, v + i, 0);
  return NAN;
}

double motion_ends(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *t = s->kept[0], *v = run_column(s, "v");
  for (size_t i = row_before(s, n->from) + 3; v && i < s->rows; i++)
    if (v[i] == 0 && v[i - 1] != 0) return zero_beside(t + i - 3, v + i - 3, 2);
  return NAN;
}

/* ---- others ---- */

double value_at_rest(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *y = run_column(s, n->column), *v = run_column(s, "v");
  const size_t first = row_before(s, n->from) + 1;
  if (!y || !v || first + 4 > s->rows) return NAN;
  double sum = 0;
  for (size_t i = first; i < first + 4; i++) {
    double weight = 1;
    for (size_t k = first; k < first + 4; k++)
      if (k != i) weight *= -v[k] / (v[i] - v[k]);
    sum += weight * y[i];
  }
  return sum;
}

double loop_work(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *x = run_column(s, "x"), *force = run_column(s, "F");
  const size_t last = row_before(s, n->to * (1 + 1e-12));
  double work = 0;
  if (!x || !force) return NAN;
  for (size_t i = row_before(s, n->from * (1 + 1e-12)); i + 2 <= last; i += 2) /* Simpson: x is linear within */
    work += (x[i + 2] - x[i]) / 6 * (force[i] + 4 * force[i + 1] + force[i + 2]);
  return work;
}
