/* Where a record moves freely. Nothing drives a free motion, so its swings only become smaller and its speed without
   gravity or spring only falls; what precedes (a hand, a motor, a rest before the release) is cut off. */
#include "fit/decays/decay.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

enum { FEWEST = 16, MOST_TURNS = 20000 }; /* samples of a piece; turns of a track */
static const double SMALL = 0.01;         /* of the range: motion that does not count as a swing */

/* ---- turns and rests ---- */

size_t decay_turns(const double *x, size_t first, size_t end, double band, size_t *place, size_t most)
{
  size_t count = 0, high = first, low = first;
  int up = 0; /* 1 rising, -1 falling, 0 not known yet */
  if (end <= first + 1 || most < 2) return 0;
  place[count++] = first;
  for (size_t i = first + 1; i < end; i++) {
    if (x[i] > x[high]) high = i;
    if (x[i] < x[low]) low = i;
    if (up >= 0 && x[high] - x[i] > band) {
      if (up && count < most - 1) place[count++] = high;
      up = -1, low = i;
    } else if (up <= 0 && x[i] - x[low] > band) {
      if (up && count < most - 1) place[count++] = low;
      up = 1, high = i;
    }
  }
  place[count++] = up > 0 ? high : up < 0 ? low : end - 1;
  return count;
}

/* the end of the rest that begins here: what was measured stays within a band; `first` itself where there is none */
static size_t end_of_rest(const decay_track *k, size_t first)
{
  const double *y = k->measured;
  const double limit = k->by_velocity ? fmax(5 * k->noise, 1.5 * k->quantum) : fmax(8 * k->noise, 1.5 * k->quantum);
  double low = y[first], high = low;
  size_t i = first;
  for (; i < k->count; i++) {
    low = fmin(low, y[i]), high = fmax(high, y[i]);
    if (k->by_velocity ? fmax(-low, high) > limit : high - low > limit) break;
  }
  return i > first && k->t[i - 1] - k->t[first] >= k->rest ? i : first;
}

static double median_gap(const decay_track *k, const size_t *place, size_t count, double least)
{
  double gap[256];
  size_t kept = 0;
  for (size_t i = 2; i < count && kept < 256; i++)
    if (fabs(k->x[place[i]] - k->x[place[i - 1]]) > least) gap[kept++] = k->t[place[i]] - k->t[place[i - 1]];
  sort_numbers(gap, kept);
  return kept >= 2 ? gap[kept / 2] : 0;
}

/* position and smoothed velocity */
static int fill_track(decay_track *k, memory **list)
{
  const size_t n = k->count, reach = n / 400 + 2;
  k->x = memory_take(list, sizeof *k->x * n), k->v = memory_take(list, sizeof *k->v * n);
  if (!k->x || !k->v) return 1;
  for (size_t i = 0; i < n; i++)
    k->x[i] = !k->by_velocity ? k->measured[i]
              : i             ? k->x[i - 1] + 0.5 * (k->t[i] - k->t[i - 1]) * (k->measured[i] + k->measured[i - 1])
                              : 0;
  for (size_t i = 0; i < n; i++) {
    const size_t a = i > reach ? i - reach : 0, b = i + reach < n ? i + reach : n - 1;
    k->v[i] = (k->x[b] - k->x[a]) / (k->t[b] - k->t[a]);
  }
  return 0;
}

int decay_track_look(decay_track *k, memory **list)
{
  const size_t n = k->count;
  size_t *place = memory_take(list, sizeof *place * MOST_TURNS);
  if (!place || fill_track(k, list)) return 1;
  double low = k->x[0], high = low;
  for (size_t i = 0; i < n; i++) low = fmin(low, k->x[i]), high = fmax(high, k->x[i]);
  const double duration = k->t[n - 1] - k->t[0], pace = duration / (double)(n - 1);
  k->band = SMALL * (high - low);
  if (!k->by_velocity) k->band = fmax(k->band, fmax(6 * k->noise, 1.5 * k->quantum));
  const size_t turns = decay_turns(k->x, 0, n, k->band, place, MOST_TURNS);
  k->half_period = median_gap(k, place, turns, 4 * k->band);
  k->rest = k->half_period > 0 ? 0.75 * k->half_period : fmax(8 * pace, 0.03 * duration);
  return 0;
}

/* ---- swings ---- */

typedef struct cutter {
  const decay_track *k;
  decay_piece *piece;
  size_t count, most;
} cutter;

/* from the first sample that has left the turn `a` to the end of a short rest after `end` */
static void add_swings(cutter *c, size_t a, size_t end, int rests, size_t swings, double faded)
{
  const decay_track *k = c->k;
  size_t first = a, last = end;
  while (first < end && fabs(k->x[first] - k->x[a]) <= k->band) first++;
  while (rests && last < k->count && k->t[last] - k->t[end] < 0.3 * k->rest) last++;
  if (c->count == c->most || last < first + FEWEST) return;
  c->piece[c->count++] = (decay_piece){ first, last - first, rests, swings, rests ? 0 : faded };
}

/* does the last swing come to rest by itself? A hand that catches it stops it in full motion */
static int stops_softly(const decay_track *k, size_t turn, size_t end)
{
  double most = 0;
  if (end >= k->count) return 0;
  for (size_t i = turn + 1; i <= end; i++) most = fmax(most, fabs(k->x[i] - k->x[i - 1]));
  const double last = fmax(fabs(k->x[end] - k->x[end - 1]), fabs(k->x[end - 1] - k->x[end - 2]));
  return last <= k->band || last < 0.35 * most;
}

/* within a motion between two rests: the stretches of turns whose swings do not grow */
static void cut_motion(cutter *c, size_t first, size_t end, int rests)
{
  static const double SLACK = 1.0; /* bands by which a swing may seem to grow */
  const decay_track *k = c->k;
  size_t place[1024];
  const size_t turns = decay_turns(k->x, first, end, k->band, place, 1024);
  for (size_t a = 0; a + 1 < turns;) {
    size_t b = a + 1;
    const double begun = fabs(k->x[place[b]] - k->x[place[a]]);
    double swing = begun, whole = begun; /* whole: the last that a turn ended, and not the record */
    while (b + 1 < turns) {
      const double next = fabs(k->x[place[b + 1]] - k->x[place[b]]);
      if (next > swing + SLACK * k->band) break;
      swing = next, b++;
      if (b + 1 < turns || rests) whole = swing;
    }
    const int last = b + 1 == turns, stops = last && rests && stops_softly(k, place[b - 1], end);
    const size_t to = !last ? place[b] : stops || !rests ? end : place[b - 1];
    if (begun > 4 * k->band) add_swings(c, place[a], to, stops, b - a, begun > 0 ? whole / begun : 1);
    a = last ? turns : b;
  }
}

size_t decay_cut_swings(const decay_track *k, decay_piece *piece, size_t most)
{
  cutter c = { k, piece, 0, most };
  size_t begun = 0;
  for (size_t i = 0; i < k->count;) {
    const size_t end = end_of_rest(k, i);
    if (end == i) {
      i++;
      continue;
    }
    if (i > begun) cut_motion(&c, begun, i, 1);
    begun = end > 0 ? end - 1 : 0;
    i = end;
  }
  if (begun + 1 < k->count) cut_motion(&c, begun, k->count, 0);
  /* strokes without a turn are a hand's where there are real swings */
  size_t kept = 0, most_swings = 0;
  for (size_t i = 0; i < c.count; i++) most_swings = piece[i].swings > most_swings ? piece[i].swings : most_swings;
  for (size_t i = 0; i < c.count; i++)
    if (most_swings < 3 || piece[i].swings > 1) piece[kept++] = piece[i];
  return kept;
}

/* ---- coasts ---- */

static double smooth_speed(const decay_track *k, size_t i) { return fabs(k->v[i]); }

/* from shortly after the highest speed to where the speed has fallen to its end */
size_t decay_cut_coasts(const decay_track *k, decay_piece *piece, size_t most)
{
  static const double KEPT = 0.98,
                      TURN = 0.05; /* of the highest speed: where a coast begins; what counts as a change */
  double top = 0;
  size_t count = 0, peak = 0, low = 0;
  for (size_t i = 0; i < k->count; i++) top = fmax(top, smooth_speed(k, i));
  for (size_t i = 0; i <= k->count && count < most; i++) {
    const double speed = i < k->count ? smooth_speed(k, i) : HUGE_VAL; /* the end closes the last one */
    if (speed < smooth_speed(k, low)) low = i;
    if (speed <= smooth_speed(k, low) + TURN * top) continue;
    /* it speeds up again: what fell from the peak to the low was a coast */
    const double high = smooth_speed(k, peak), end_speed = smooth_speed(k, low);
    size_t first = peak, last = low + 1;
    for (size_t j = peak; j < low; j++)
      if (smooth_speed(k, j) > KEPT * high) first = j + 1;
    const double nothing = fmax(4 * k->noise * (k->by_velocity ? 1 : 0), 0.01 * top);
    const int rests = end_speed < nothing;
    if (rests) { /* the rest itself is as good as a few samples of it */
      last = first;
      while (last < low && smooth_speed(k, last) > nothing) last++;
      for (size_t j = 0; j < 4 && last < low; j++) last++;
    }
    /* a body that only friction acts on does not turn back */
    const int turns_back = i < k->count && k->v[i] * k->v[peak] < 0 && i < last + 8;
    if (high - end_speed > 4 * TURN * top && last >= first + FEWEST && !turns_back)
      piece[count++] = (decay_piece){ first, last - first, rests, 0, end_speed / high };
    if (i == k->count) break;
    peak = low = i;
    while (i + 1 < k->count && smooth_speed(k, i + 1) >= (1 - TURN) * smooth_speed(k, peak)) {
      i++;
      if (smooth_speed(k, i) >= smooth_speed(k, peak)) peak = i;
    }
    low = i;
  }
  return count;
}
