/* Which samples of a long series are shown: extremes in every piece of a time plot, the shape of a path. */
#include "report/support.h"

#include "maths/elementary.h"

#include <stdlib.h>

int is_gap(const bristle_series *s, const frame *x, const frame *y, size_t i)
{
  int band = s->style == BRISTLE_STYLE_BAND;
  return !frame_shows(x, s->x[i]) || !frame_shows(y, s->y[i]) || (band && !frame_shows(y, s->low[i]));
}

static size_t *keep_all(size_t total, size_t *count)
{
  size_t *kept = malloc((total + 1) * sizeof *kept);
  for (size_t i = 0; kept && i < total; i++) kept[i] = i;
  *count = total;
  return kept;
}

/* ---- time ---- */

static size_t put_sorted(size_t *kept, size_t count, size_t from, size_t index)
{
  size_t place = count;
  while (place > from && kept[place - 1] > index) place--;
  if (place > from && kept[place - 1] == index) return count;
  for (size_t k = count; k > place; k--) kept[k] = kept[k - 1];
  kept[place] = index;
  return count + 1;
}

/* the least, the largest and the first missing sample from begin to end */
static size_t keep_piece(const bristle_series *s, const frame *x, const frame *y, size_t begin, size_t end,
                         size_t *kept, size_t count)
{
  const double *lower = s->style == BRISTLE_STYLE_BAND ? s->low : s->y;
  size_t least = end, largest = end, gap = end, from = count;
  for (size_t i = begin; i < end; i++) {
    if (is_gap(s, x, y, i)) {
      if (gap == end) gap = i;
      continue;
    }
    if (least == end || lower[i] < lower[least]) least = i;
    if (largest == end || s->y[i] > s->y[largest]) largest = i;
  }
  if (least < end) count = put_sorted(kept, count, from, least);
  if (largest < end) count = put_sorted(kept, count, from, largest);
  if (gap < end) count = put_sorted(kept, count, from, gap);
  return count;
}

size_t *keep_time(const bristle_series *s, const frame *x, const frame *y, size_t limit, size_t *count)
{
  if (s->count <= limit) return keep_all(s->count, count);
  size_t *kept = malloc((limit + 1) * sizeof *kept), n = 0, inner = s->count - 2, gaps = 0;
  if (!kept) return NULL;
  for (size_t i = 0; i < s->count && !gaps; i++) gaps += is_gap(s, x, y, i) != 0;
  size_t pieces = (limit - 2) / (gaps ? 3 : 2);
  kept[n++] = 0;
  for (size_t k = 0; k < pieces; k++) {
    size_t begin = 1 + (size_t)((double)inner * (double)k / (double)pieces);
    size_t end = k + 1 == pieces ? 1 + inner : 1 + (size_t)((double)inner * (double)(k + 1) / (double)pieces);
    n = keep_piece(s, x, y, begin, end, kept, n);
  }
  kept[n++] = s->count - 1;
  *count = n;
  return kept;
}

/* ---- paths ---- */

/* A path is followed with straight pieces. From the last kept point, the anchor, every later point within reach
   narrows a wedge of directions that pass it closely enough; a point outside the wedge, or one that turns back, ends
   the piece. One pass over the samples, no piece farther off than about `tolerance` (in widths of the plot). */
typedef struct follower {
  const bristle_series *s;
  const frame *x, *y;
  double tolerance;
  size_t extreme[4];
  size_t *kept, count;
  size_t anchor, last, far; /* samples: the kept one, the latest, the one farthest from the anchor */
  double ax, ay, reach, heading, left, right;
  int moving, aimed; /* there is an anchor; there is a wedge */
} follower;

static void set_anchor(follower *f, size_t i)
{
  f->kept[f->count++] = f->anchor = f->last = f->far = i;
  f->ax = frame_at(f->x, f->s->x[i]);
  f->ay = frame_at(f->y, f->s->y[i]);
  f->reach = 0;
  f->moving = 1;
  f->aimed = 0;
}

/* does the piece from the anchor still hold with sample i? If so, the wedge is narrowed. */
static int follow(follower *f, size_t i)
{
  double dx = frame_at(f->x, f->s->x[i]) - f->ax, dy = frame_at(f->y, f->s->y[i]) - f->ay;
  double distance = sqrt(dx * dx + dy * dy);
  if (distance < f->reach - f->tolerance) return 0;
  if (distance > f->tolerance) {
    double direction = atan2(dy, dx), half = asin(f->tolerance / distance);
    if (!f->aimed) f->aimed = 1, f->heading = direction, f->left = -half, f->right = half;
    double turn = remainder(direction - f->heading, 2 * 3.14159265358979323846);
    if (turn < f->left || turn > f->right) return 0;
    f->left = fmax(f->left, turn - half);
    f->right = fmin(f->right, turn + half);
  }
  if (distance > f->reach) f->reach = distance, f->far = i;
  f->last = i;
  return 1;
}

static int is_extreme(const follower *f, size_t i)
{
  return i == f->extreme[0] || i == f->extreme[1] || i == f->extreme[2] || i == f->extreme[3];
}

static void finish_piece(follower *f)
{
  if (f->moving && f->last != f->anchor) f->kept[f->count++] = f->last;
  f->moving = 0;
}

/* thins out the samples in kept[0..n), in place: what is written never overtakes what is read */
static void follow_all(follower *f, size_t n)
{
  f->count = 0;
  f->moving = 0;
  for (size_t k = 0; k < n; k++) {
    size_t i = f->kept[k];
    if (is_gap(f->s, f->x, f->y, i)) {
      int again = f->count && !f->moving;
      finish_piece(f);
      if (!again) f->kept[f->count++] = i;
    } else if (!f->moving) {
      set_anchor(f, i);
    } else {
      if (!follow(f, i)) {
        set_anchor(f, f->far); /* where it turns back, or close to where it bends */
        follow(f, i);
      }
      if (is_extreme(f, i)) set_anchor(f, i);
    }
  }
  finish_piece(f);
}

static void find_extremes(follower *f)
{
  const double *values[] = { f->s->x, f->s->x, f->s->y, f->s->y };
  for (int k = 0; k < 4; k++) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < f->s->count; i++) {
      if (is_gap(f->s, f->x, f->y, i)) continue;
      double more = best == SIZE_MAX ? 1 : values[k][i] - values[k][best];
      if (best == SIZE_MAX || (k % 2 ? more > 0 : more < 0)) best = i;
    }
    f->extreme[k] = best;
  }
}

/* clouds and noise have no shape to follow: every n-th sample, and the extremes */
static void keep_every(follower *f, size_t limit)
{
  size_t step = f->s->count / (limit - 6) + 1;
  f->count = 0;
  for (size_t i = 0; i < f->s->count; i++)
    if (i % step == 0 || i + 1 == f->s->count || is_extreme(f, i)) f->kept[f->count++] = i;
}

size_t *keep_path(const bristle_series *s, const frame *x, const frame *y, size_t limit, size_t *count)
{
  const double finest = 1e-6, coarsest = 0.02;
  size_t *kept = keep_all(s->count, count);
  if (!kept || s->count <= limit) return kept;
  follower f = { .s = s, .x = x, .y = y, .kept = kept, .count = s->count };
  find_extremes(&f);
  int shapeless = s->style == BRISTLE_STYLE_POINTS;
  for (f.tolerance = finest; !shapeless && f.count > limit && f.tolerance < coarsest;
       f.tolerance *= f.count > 8 * limit ? 3 : 1.3)
    follow_all(&f, f.count);
  if (f.count > limit || shapeless) keep_every(&f, limit);
  *count = f.count;
  return kept;
}
