/* The quick way along a log is the way of every law, only quicker. */
#include "fit/residuals/walk.h"
#include "fit/fast/fast.h"
#include "support/test.h"

enum { COUNT = 3000 };

/* a record with reversals between the samples and blocks of nothing but fast sliding, in two stretches, the second one
   in motion from its start */
static bristle_log *record(void)
{
  char *text = malloc(COUNT * 100), *end = text;
  end += sprintf(end, "t,x,v,F\n");
  for (int i = 0; i < COUNT; i++) {
    double t = i * 1e-3 + (i > 1500 ? 0.1 : 0), v = 0.05 * sin(9 * t) + 2e-3 * sin(61 * t);
    double x = -0.05 / 9 * cos(9 * t) - 2e-3 / 61 * cos(61 * t);
    end += sprintf(end, "%.9g,%.17g,%.17g,%.17g\n", t, x, v, v > 0 ? 1.0 : -1.0);
  }
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  bristle_fault fault;
  CHECK(!bristle_table_parse("made up", text, (size_t)(end - text), &table, &fault), "%s", fault.what);
  CHECK(!bristle_log_from_table(table, &(bristle_log_options){ 0 }, &log, &fault), "%s", fault.what);
  bristle_table_free(table);
  free(text);
  if (!log) exit(1);
  return log;
}

static void compare(const bristle_law *law)
{
  bristle_log *log = record();
  double p[BRISTLE_LAW_SIZE], df[BRISTLE_LAW_SIZE], worst = 0, worst_slope[MAPS_SLOPES] = { 0 };
  double largest[MAPS_SLOPES] = { 0 };
  walk *slow = calloc(1, sizeof *slow);
  fast_walk *quick = FAST_NEW(fast_walk);
  fast_block *block = FAST_NEW(fast_block);
  const bristle_log *one = log;
  fast_layout *layout = fast_layout_make(&one, 1);
  if (!layout) exit(1);
  bristle_defaults(law->f64->info, p);
  const maps_law *maps = fast_law(law, BRISTLE_LOAD_FORCE, p);
  CHECK(maps != NULL, "%s with its defaults goes the quick way", law->name);
  if (!maps) return;
  CHECK(log->stretches == 2, "%zu stretches", log->stretches);
  size_t seen = 0, sliding = 0;
  for (size_t k = 0; k < log->stretches; k++) {
    *slow = (walk){ .contact = { .law = law, .p = p }, .log = log, .derivatives = 1 };
    walk_begin(slow, k);
    fast_begin(quick, maps, p);
    for (size_t b = layout->first[k]; b < layout->first[k + 1]; b++) {
      fast_next(quick, layout, b, block);
      sliding += layout->span[b].slowest >= quick->fast;
      for (size_t i = 0; i < layout->span[b].count; i++, seen++) {
        double f = walk_force(slow, layout->span[b].first + i, df);
        worst = fmax(worst, fabs(f - block->force[fast_place(i)]));
        for (int j = 0; j < MAPS_SLOPES; j++) {
          double slope = maps->place[j] >= 0 ? df[maps->place[j]] : 0;
          worst_slope[j] = fmax(worst_slope[j], fabs(slope - block->slope[j][fast_place(i)]));
          largest[j] = fmax(largest[j], fabs(slope));
        }
      }
    }
  }
  CHECK(seen == log->count, "%zu of %zu samples", seen, log->count);
  CHECK(sliding > 0 && (sliding < layout->blocks || maps->place[MAPS_LEVEL + 2] < 0), "%zu of %zu blocks slide",
        sliding, layout->blocks);
  CHECK(worst < 1e-5, "forces differ by %g N", worst);
  for (int j = 0; j < MAPS_SLOPES; j++)
    if (maps->place[j] >= 0)
      CHECK(worst_slope[j] < 1e-4 * largest[j], "%s, %s: %g of %g", law->name,
            bristle_param_at(law->f64->info, maps->place[j])->name, worst_slope[j], largest[j]);
  fast_layout_free(layout);
  free(slow), free(quick), free(block);
  bristle_log_free(log);
}

TEST(fast_forces_and_derivatives_are_those_of_the_law)
{
  int seen = 0;
  for (int i = 0; i < bristle_law_count(); i++) {
    const bristle_law *law = bristle_law_at(i);
    if (!(law->f64->info->traits & BRISTLE_TRAIT_AFFINE)) continue;
    compare(law);
    seen++;
  }
  CHECK(seen >= 2, "%d affine laws", seen);
}
