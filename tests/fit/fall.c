/* The bound of Stribeck speeds, a quarter of those that occur, gives way where the records ask for it, and only there.
 */
#include "lab/identify.h"
#include "support/test.h"

enum { SAMPLES = 4000 };
static const double STEP = 1e-3, FASTEST = 0.2;

static double chance(unsigned long long *state)
{
  double sum = 0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (double)(*state >> 11) * 0x1p-53;
  }
  return sum - 6;
}

static double usual(double v) { return 3 + 2 * exp(-pow(v / (0.05 * FASTEST), 2)) + 4 * v; }
static double slow(double v) { return 3 + 4 * exp(-pow(v / (0.4 * FASTEST), 2)) + 20 * v; }
static double line(double v) { return 8 - 20 * v; }
static double concave(double v) { return 2 + 12 * sqrt(v); }

/* friction over the speed, moved by three sines; noise of 0.03 N */
static bristle_identified *fit(double (*curve)(double), int folds, bristle_log **log)
{
  unsigned long long state = 11;
  char *text = malloc(SAMPLES * 80 + 80);
  size_t used = (size_t)sprintf(text, "t [s],x [m],v [m/s],F [N]\n");
  bristle_table *table = NULL;
  bristle_identified *r = NULL;
  bristle_fault fault;
  for (int i = 0; i < SAMPLES; i++) {
    static const double part[3] = { 0.6, 0.25, 0.15 }, w[3] = { 3.1, 7.7, 17.9 }, phase[3] = { 0, 1, 2 };
    double x = 0, v = 0;
    for (int k = 0; k < 3; k++) {
      x -= FASTEST * part[k] / w[k] * cos(w[k] * STEP * i + phase[k]);
      v += FASTEST * part[k] * sin(w[k] * STEP * i + phase[k]);
    }
    const double f = (v > 0 ? 1 : -1) * curve(fabs(v)) + 0.03 * chance(&state);
    used += (size_t)sprintf(text + used, "%.9g,%.12g,%.12g,%.9g\n", i * STEP, x, v, f);
  }
  bristle_identify_options options = { .folds = folds, .seed = 3 };
  CHECK(!bristle_table_parse("made up", text, used, &table, &fault), "%s", fault.what);
  CHECK(!bristle_log_from_table(table, &(bristle_log_options){ .cutoff = -1 }, log, &fault), "%s", fault.what);
  CHECK(!bristle_identify(bristle_law_find("stribeck"), (const bristle_log *const *)log, 1, NULL, &options, &r, &fault),
        "%s", fault.what);
  bristle_table_free(table);
  free(text);
  return r;
}

static const bristle_estimate *find(const bristle_identified *r, const char *name)
{
  return &r->estimate[bristle_param_find(r->law->f64->info, name)->first];
}

static void check_near(const bristle_identified *r, const char *name, double truth)
{
  const bristle_estimate *x = find(r, name);
  CHECK(!x->reason[0] && fabs(x->value - truth) < 0.1 * truth && fabs(x->value - truth) < 3 * x->deviation,
        "%s %.5g +- %.2g, truth %g; %s", name, x->value, x->deviation, truth, x->reason);
}

TEST(fall_bound_gives_way_where_it_is_asked_for)
{
  bristle_log *log = NULL;
  bristle_identified *r = fit(slow, 0, &log);
  CHECK(r->slow_fall, "the bound has held: vs %.4g", find(r, "vs")->value);
  check_near(r, "fc", 3), check_near(r, "fs", 7), check_near(r, "vs", 0.4 * FASTEST), check_near(r, "sigma2", 20);
  bristle_identified_free(r), bristle_log_free(log);
}

TEST(fall_bound_holds_elsewhere)
{
  bristle_log *log = NULL;
  bristle_identified *r = fit(usual, 0, &log);
  CHECK(!r->slow_fall, "the bound has given way");
  check_near(r, "fc", 3), check_near(r, "vs", 0.05 * FASTEST);
  bristle_identified_free(r), bristle_log_free(log);
  r = fit(concave, 0, &log);
  CHECK(!r->slow_fall, "the bound has given way: vs %.4g", find(r, "vs")->value);
  bristle_identified_free(r), bristle_log_free(log);
}

/* a line that falls has no level, whatever an exponential fits to it */
TEST(fall_of_another_shape_has_no_level)
{
  bristle_log *log = NULL;
  bristle_identified *r = fit(line, 0, &log);
  CHECK(find(r, "fc")->reason[0], "fc %.4g +- %.2g", find(r, "fc")->value, find(r, "fc")->deviation);
  bristle_identified_free(r), bristle_log_free(log);
}

/* without pieces held out nothing asks: neither the level nor what rises with the speed is known then */
TEST(fall_at_its_bound_leaves_level_and_slope_undetermined)
{
  bristle_log *log = NULL;
  bristle_identified *r = fit(slow, -1, &log);
  CHECK(!r->slow_fall && find(r, "vs")->bound > 0, "vs %.4g", find(r, "vs")->value);
  CHECK(strstr(find(r, "fc")->reason, "still falls"), "fc %.4g: %s", find(r, "fc")->value, find(r, "fc")->reason);
  CHECK(strstr(find(r, "sigma2")->reason, "still falls"), "sigma2 %.4g: %s", find(r, "sigma2")->value,
        find(r, "sigma2")->reason);
  bristle_identified_free(r), bristle_log_free(log);
}
