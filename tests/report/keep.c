#include "report/support.h"
#include "support/test.h"

#define PI 3.14159265358979323846
enum { N = 100000, LIMIT = 1000 };

static const frame plain = { 0, 1, 0 };
static double xs[N], ys[N], lows[N];

static frame span_of(const double *values)
{
  frame f = frame_empty(0);
  for (int i = 0; i < N; i++) frame_take(&f, values[i]);
  frame_finish(&f);
  return f;
}

static int holds(const size_t *kept, size_t count, size_t index)
{
  for (size_t k = 0; k < count; k++)
    if (kept[k] == index) return 1;
  return 0;
}

static void check_order(const size_t *kept, size_t count, size_t limit)
{
  CHECK(kept && count <= limit, "%zu kept, limit %zu", count, limit);
  for (size_t k = 1; kept && k < count; k++)
    CHECK(kept[k - 1] < kept[k] && kept[k] < N, "sample %zu after %zu", kept[k], kept[k - 1]);
}

TEST(short_series_stay_whole)
{
  bristle_series s = { "s", BRISTLE_STYLE_LINE, LIMIT, xs, ys, NULL };
  size_t count = 0;
  for (int path = 0; path < 2; path++) {
    size_t *kept = (path ? keep_path : keep_time)(&s, &plain, &plain, LIMIT, &count);
    CHECK(count == LIMIT && kept[0] == 0 && kept[LIMIT - 1] == LIMIT - 1, "%zu", count);
    free(kept);
  }
  s.count = 0;
  free(keep_time(&s, &plain, &plain, LIMIT, &count));
  CHECK(count == 0, "%zu", count);
}

TEST(time_keeps_ends_and_the_extremes_of_every_piece)
{
  for (int i = 0; i < N; i++) xs[i] = i, ys[i] = sin(1e-3 * i) + 0.1 * sin(37.0 * i);
  ys[54321] = 9, ys[77777] = -9;
  bristle_series s = { "s", BRISTLE_STYLE_LINE, N, xs, ys, NULL };
  size_t count, *kept = keep_time(&s, &plain, &plain, LIMIT, &count);
  check_order(kept, count, LIMIT);
  CHECK(count > LIMIT / 2, "only %zu", count);
  CHECK(kept[0] == 0 && kept[count - 1] == N - 1, "an end is missing");
  CHECK(holds(kept, count, 54321) && holds(kept, count, 77777), "a spike is missing");
  /* no sample lies outside what is kept around it */
  for (size_t k = 4; k + 4 < count; k++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t j = k - 4; j <= k + 4; j++) low = fmin(low, ys[kept[j]]), high = fmax(high, ys[kept[j]]);
    for (size_t i = kept[k]; i < kept[k + 1]; i++) CHECK(ys[i] >= low && ys[i] <= high, "sample %zu sticks out", i);
  }
  free(kept);
}

TEST(time_keeps_gaps)
{
  for (int i = 0; i < N; i++) xs[i] = i, ys[i] = i % 7;
  ys[0] = ys[500] = NAN, ys[60000] = INFINITY;
  for (int i = 20000; i < 30000; i++) ys[i] = NAN;
  bristle_series s = { "s", BRISTLE_STYLE_LINE, N, xs, ys, NULL };
  size_t count, *kept = keep_time(&s, &plain, &plain, LIMIT, &count);
  check_order(kept, count, LIMIT);
  CHECK(holds(kept, count, 500) && holds(kept, count, 60000), "a single gap is closed");
  for (size_t k = 0; k < count; k++)
    if (kept[k] >= 20000 && kept[k] < 30000) CHECK(isnan(ys[kept[k]]), "sample %zu", kept[k]);
  CHECK(holds(kept, count, 0) && isnan(ys[0]), "the first sample");
  free(kept);
  for (int i = 0; i < N; i++) ys[i] = NAN;
  kept = keep_time(&s, &plain, &plain, LIMIT, &count);
  check_order(kept, count, LIMIT);
  free(kept);
}

TEST(a_band_keeps_both_of_its_edges)
{
  for (int i = 0; i < N; i++) xs[i] = i, ys[i] = 1, lows[i] = -1;
  ys[33333] = 4, lows[66666] = -5;
  bristle_series s = { "s", BRISTLE_STYLE_BAND, N, xs, ys, lows };
  size_t count, *kept = keep_time(&s, &plain, &plain, LIMIT, &count);
  check_order(kept, count, LIMIT);
  CHECK(holds(kept, count, 33333) && holds(kept, count, 66666), "an edge is cut");
  free(kept);
}

TEST(a_logarithmic_axis_has_gaps_where_it_ends)
{
  for (int i = 0; i < N; i++) xs[i] = i, ys[i] = i == 70000 ? -8 : 1;
  frame logarithmic = { 0, 1, 1 };
  bristle_series s = { "s", BRISTLE_STYLE_LINE, N, xs, ys, NULL };
  CHECK(is_gap(&s, &plain, &logarithmic, 70000) && !is_gap(&s, &plain, &plain, 70000), "-8");
  size_t count, *kept = keep_time(&s, &plain, &logarithmic, LIMIT, &count);
  CHECK(holds(kept, count, 70000), "the gap is closed");
  free(kept);
}

/* the distance of every sample from the straight piece that replaces it, in widths of the plot */
static double worst_distance(const size_t *kept, size_t count, const frame *x, const frame *y)
{
  double worst = 0;
  for (size_t k = 0; k + 1 < count; k++) {
    double ax = frame_at(x, xs[kept[k]]), ay = frame_at(y, ys[kept[k]]);
    double bx = frame_at(x, xs[kept[k + 1]]) - ax, by = frame_at(y, ys[kept[k + 1]]) - ay, length = bx * bx + by * by;
    for (size_t i = kept[k] + 1; i < kept[k + 1]; i++) {
      double px = frame_at(x, xs[i]) - ax, py = frame_at(y, ys[i]) - ay;
      double along = length > 0 ? fmax(0, fmin(1, (px * bx + py * by) / length)) : 0;
      worst = fmax(worst, hypot(px - along * bx, py - along * by));
    }
  }
  return worst;
}

TEST(paths_keep_their_shape_and_their_extremes)
{
  for (int i = 0; i < N; i++) {
    double phase = 2 * PI * 20.5 * i / N;
    xs[i] = 1e-5 * sin(phase) * (1 + 0.01 * i / N);
    ys[i] = 0.8 * tanh(9 * cos(phase)) + 1e5 * xs[i];
  }
  frame x = span_of(xs), y = span_of(ys);
  bristle_series s = { "s", BRISTLE_STYLE_LINE, N, xs, ys, NULL };
  size_t count, *kept = keep_path(&s, &x, &y, LIMIT, &count);
  check_order(kept, count, LIMIT);
  CHECK(count > LIMIT / 4, "only %zu of %d are used", count, LIMIT);
  CHECK(kept[0] == 0 && kept[count - 1] == N - 1, "an end is missing");
  double worst = worst_distance(kept, count, &x, &y);
  CHECK(worst < 0.004, "a sample is %g widths off", worst);
  frame left_x = frame_empty(0), left_y = frame_empty(0);
  for (size_t k = 0; k < count; k++) frame_take(&left_x, xs[kept[k]]), frame_take(&left_y, ys[kept[k]]);
  CHECK(left_x.low == x.low && left_x.high == x.high && left_y.low == y.low && left_y.high == y.high,
        "an extreme is missing");
  free(kept);
}

TEST(paths_keep_the_points_where_they_turn_back)
{
  for (int i = 0; i < N; i++) { /* to and fro along one line, each time less far */
    int stroke = i / 1000;
    double along = i % 1000 / 1000.0, from = stroke % 2 ? 1 - 0.005 * stroke : 0.005 * stroke;
    double to = stroke % 2 ? 0.005 * (stroke + 1) : 1 - 0.005 * (stroke + 1);
    xs[i] = ys[i] = from + (to - from) * along;
  }
  frame x = span_of(xs);
  bristle_series s = { "s", BRISTLE_STYLE_LINE, N, xs, ys, NULL };
  size_t count, *kept = keep_path(&s, &x, &x, LIMIT, &count);
  check_order(kept, count, LIMIT);
  CHECK(worst_distance(kept, count, &x, &x) < 1e-3, "off by %g", worst_distance(kept, count, &x, &x));
  free(kept);
}

TEST(paths_keep_gaps_and_clouds_stay_within_the_limit)
{
  unsigned seed = 1;
  for (int i = 0; i < N; i++) {
    xs[i] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
    ys[i] = (seed = seed * 1664525u + 1013904223u) / 4294967296.0;
  }
  bristle_series s = { "s", BRISTLE_STYLE_LINE, N, xs, ys, NULL };
  size_t count, *kept = keep_path(&s, &plain, &plain, LIMIT, &count);
  check_order(kept, count, LIMIT);
  CHECK(count > LIMIT / 2, "a cloud of %zu", count);
  free(kept);
  for (int i = 0; i < N; i++) xs[i] = cos(1e-3 * i), ys[i] = i >= 40000 && i < 50000 ? (double)NAN : sin(1e-3 * i);
  frame both = { -1, 1, 0 };
  kept = keep_path(&s, &both, &both, LIMIT, &count);
  check_order(kept, count, LIMIT);
  size_t gaps = 0;
  for (size_t k = 0; k < count; k++) gaps += isnan(ys[kept[k]]) != 0;
  CHECK(gaps == 1, "%zu gaps", gaps);
  CHECK(holds(kept, count, 39999) && holds(kept, count, 50000), "the samples beside the gap");
  free(kept);
  for (int i = 0; i < N; i += 2) ys[i] = NAN; /* worse than any data */
  kept = keep_path(&s, &both, &both, LIMIT, &count);
  check_order(kept, count, LIMIT);
  free(kept);
}
