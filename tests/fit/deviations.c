/* Deviations are honest: lines through noise that follows itself, many times, must miss the truth as often as they say.
 */
#include "record.h"
#include "maths/random.h"
#include "fit/results/variants.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 1000, REPEATS = 400 };

static double normal(random_state *random)
{
  const double a = random_part(random), b = random_part(random);
  return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

/* y = own * the one before + w + before * the last w */
static void make_noise(double own, double before, int rows, random_state *random, double *y)
{
  double last = normal(random), at = 0;
  for (int i = -200; i < rows; i++) {
    const double w = normal(random);
    at = own * at + w + before * last, last = w;
    if (i >= 0) y[i] = at;
  }
}

/* A line through y, whose truth is 0: ratios of level and slope to their deviations, with the memory of residuals and
   with the factors that are tested. */
static void fit_line(const double *y, int rows, double by_filter, double ratio[2])
{
  static double jacobian[2 * MOST], residual[MOST];
  double lever = 0, p[2] = { 0 }, squares = 0, worth, probability, factor[2];
  for (int i = 0; i < rows; i++) {
    const double t = 2.0 * i / (rows - 1) - 1;
    p[0] += y[i] / rows, p[1] += t * y[i], lever += t * t;
  }
  p[1] /= lever;
  for (int i = 0; i < rows; i++) {
    const double t = 2.0 * i / (rows - 1) - 1;
    jacobian[2 * i] = 1, jacobian[2 * i + 1] = t;
    residual[i] = p[0] + p[1] * t - y[i], squares += residual[i] * residual[i];
  }
  const double variance = squares / (rows - 2);
  double covariance[4] = { variance / rows, 0, 0, variance / lever };
  double deviation[2] = { sqrt(covariance[0]), sqrt(covariance[3]) };
  bristle_fit_result fit = {
    .count = 2, .free = 2, .noise = sqrt(variance), .deviation = deviation, .covariance = covariance
  };
  residual_memory(residual, (size_t)rows, 2, &worth, &probability);
  sandwich_factors(residual, jacobian, (size_t)rows, &fit, worth, by_filter, factor);
  for (int j = 0; j < 2; j++) ratio[j] = p[j] / (factor[j] * sqrt(worth) * deviation[j]);
}

/* part of the intervals of 95 % that hold the truth, and the root of the mean square ratio */
static double covered(double own, double before, int rows, double by_filter, double *rms)
{
  double y[MOST], inside = 0, square = 0;
  random_state random = random_start(7);
  for (int n = 0; n < REPEATS; n++) {
    double ratio[2];
    make_noise(own, before, rows, &random, y);
    fit_line(y, rows, by_filter, ratio);
    for (int j = 0; j < 2; j++) inside += fabs(ratio[j]) < 1.96, square += ratio[j] * ratio[j];
  }
  *rms = sqrt(square / (2 * REPEATS));
  return inside / (2 * REPEATS);
}

TEST(deviations_are_honest_for_noise_that_follows_itself)
{
  static const struct {
    const char *what;
    double own, before;
    int rows;
    double by_filter, least, most; /* bars of the part covered */
  } kind[] = {
    { "white noise", 0, 0, 800, 1, 0.93, 0.97 },
    { "filtered noise", 0.5, 0.5, 800, 3, 0.92, 0.97 },
    { "blue noise, as positions make it", 0, -0.4, 800, 1, 0.93, 0.98 },
    { "few rows", 0, 0, 24, 1, 0.91, 0.98 },
    { "few rows that follow each other", 0.5, 0, 40, 1, 0.86, 0.97 },
    { "few rows of what a law misses", 0.85, 0, 60, 1, 0.85, 0.97 },
    { "very few rows of it", 0.7, 0, 30, 1, 0.82, 0.97 },
    { "few filtered rows", 0.5, 0.5, 40, 3, 0.90, 0.98 },
    { "what a law misses", 0.95, 0, 800, 1, 0.87, 0.97 },
  };
  for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
    double rms;
    const double part = covered(kind[i].own, kind[i].before, kind[i].rows, kind[i].by_filter, &rms);
    CHECK(part >= kind[i].least && part <= kind[i].most, "%s: %.1f %% of the intervals hold the truth, ratio %.2f",
          kind[i].what, 100 * part, rms);
  }
}

/* a result of one parameter or two, as far as deviations go */
static void make_result(bristle_identified *r, double correlation[4], double deviation)
{
  *r = (bristle_identified){ .law = bristle_law_find("stribeck"), .correlation = correlation };
  for (int k = 0; k < 2; k++)
    r->estimate[k] = (bristle_estimate){ .value = 10 + k, .deviation = deviation, .free = 1, .unit = "N" };
  r->estimates = 2;
}

TEST(deviations_contain_a_mass_that_was_left_out)
{
  double correlation[4] = { 1, 0, 0, 1 };
  bristle_identified r;
  outcome found[VARIANTS] = { 0 };
  make_result(&r, correlation, 0.1);
  found[WITH_MASS].there = 1, found[WITH_MASS].value[0] = 17, found[WITH_MASS].value[1] = 11.05;
  variants_widen(&r, found, 0, 1e-3);
  CHECK(fabs(r.estimate[0].deviation - 7) < 0.01 && strstr(r.estimate[0].reason, "mass"), "it is %g: %s",
        r.estimate[0].deviation, r.estimate[0].reason);
  CHECK(r.estimate[1].deviation == 0.1, "a change within chance counts: %g", r.estimate[1].deviation);
}

TEST(deviations_of_a_drop_that_the_search_has_looked_for)
{
  double correlation[4] = { 1, 0, 0, 1 };
  bristle_identified r;
  const int fs = bristle_param_find(bristle_law_find("stribeck")->f64->info, "fs")->first;
  CHECK(fs == 1, "the level and the static level are not the first two parameters");
  for (int clear = 0; clear < 2; clear++) {
    make_result(&r, correlation, 0.1);
    result_judge_drop(&r, (clear ? 3.2 : 2.6) * 0.1 * sqrt(2));
    CHECK((r.estimate[fs].reason[0] == 0) == clear, "a drop of %g deviations", clear ? 3.2 : 2.6);
  }
}

TEST(deviations_of_shares_go_with_the_stiffness)
{
  bristle_log log = { 0 };
  const bristle_log *const logs[1] = { &log };
  bristle_identified r = { .law = bristle_law_find("gms") };
  const bristle_info *info = r.law->f64->info;
  const experiment e = { .law = r.law, .logs = logs, .log_count = 1 };
  bristle_defaults(info, r.p);
  for (int k = 0; k < info->nparam; k++) r.estimate[k] = (bristle_estimate){ .value = 1, .deviation = 0.1, .free = 1 };
  resolved_judge(&r, &e); /* a record in which no stiffness shows */
  CHECK(r.estimate[bristle_param_find(info, "k")->first].reason[0], "a stiffness that does not show is determined");
  CHECK(r.estimate[bristle_param_find(info, "alpha")->first].reason[0], "the share of an element that nobody sees is");
  CHECK(!r.estimate[bristle_param_find(info, "fc")->first].reason[0], "the level is not");
}

/* ---- weighted residuals ---- */

/* Coulomb and viscous friction with an offset, and noise of half a percent: error by deviation of each parameter */
static void fit_weighted(int objective, random_state *random, double z[3])
{
  static const char *const name[] = { "fc", "sigma2", "offset" };
  static const double truth[] = { 2, 10, 0.3 };
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  bristle_identify_options options = { .seed = 1, .objective = (bristle_objective)objective };
  bristle_identified *r = NULL;
  options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  begin("t,x,F");
  for (int i = 0; i < 5000; i++) {
    const double t = (i + 0.37) * 1e-3, v = velocity(t);
    add("%.4f,%.10g,%.9g\n", i * 1e-3, position(t), (v > 0 ? 2 : -2) + 10 * v + 0.3 + 0.02 * normal(random));
  }
  bristle_log *log = read_with(&(bristle_log_options){ 0 }, &fault), *const one[] = { log };
  const bristle_log *const *logs = (const bristle_log *const *)one;
  if (!log || bristle_campaign_prepare(one, 1, 1, &(bristle_log_options){ 0 }, &options, &campaign, &fault)
      || bristle_identify(bristle_law_find("coulomb"), logs, 1, NULL, &options, &r, &fault)) {
    CHECK(0, "%s", fault.what);
    exit(1);
  }
  bristle_identified_test(&r, 1, logs, 1, &options, &campaign);
  for (int k = 0; k < r->estimates; k++)
    for (int j = 0; j < 3; j++)
      if (!strcmp(r->estimate[k].name, name[j])) z[j] = (r->estimate[k].value - truth[j]) / r->estimate[k].deviation;
  bristle_identified_free(r), bristle_log_free(log);
}

TEST(deviations_are_honest_for_every_objective)
{
  static const char *const name[] = { "fc", "sigma2", "offset" };
  const int seeds = test_share(20, 6);
  for (int objective = 0; bristle_objective_name(objective); objective++) {
    double square[3] = { 0 };
    random_state random = random_start(3);
    for (int seed = 0; seed < seeds; seed++) {
      double z[3] = { 0 };
      fit_weighted(objective, &random, z);
      for (int j = 0; j < 3; j++) square[j] += z[j] * z[j] / seeds;
    }
    for (int j = 0; j < 3; j++) /* of twenty seeds the root mean square is 1 but for a sixth */
      CHECK(sqrt(square[j]) > 0.4 && sqrt(square[j]) < 1.7, "%s, %s: errors of %.2f deviations",
            bristle_objective_name(objective), name[j], sqrt(square[j]));
  }
}
