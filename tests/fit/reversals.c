/* Presliding and sliding that one bristle cannot hold together: said of elements in parallel, not of one bristle. */
#include "record.h"

/* strokes over many lengths of the presliding, with small ones on top; five times as slow in the first half */
static double stroke(double t)
{
  const double s = t < 4 ? t : 4 + 5 * (t - 4);
  return 4e-4 * sin(2.1 * s) + 1.2e-4 * sin(7.7 * s + 0.4);
}

static bristle_log *record_of(const char *name, bristle_fault *fault)
{
  enum { PARTS = 10, SAMPLES = 8000 };
  const bristle_law *law = bristle_law_find(name);
  const bristle_info *info = law->f64->info;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, x = stroke(0), f = 0;
  static const double stiffness[] = { 3e5, 6e4, 2e4, 6e3 }, share[] = { 0.4, 0.2, 0.2, 0.2 };
  const bristle_row *k = bristle_param_find(info, "k"), *alpha = bristle_param_find(info, "alpha");
  bristle_defaults(info, p);
  for (int i = 0; k && i < k->count; i++) p[k->first + i] = i < 4 ? stiffness[i] : 0;
  for (int i = 0; alpha && i < alpha->count; i++) p[alpha->first + i] = i < 4 ? share[i] : 0;
  if (!k) p[bristle_param_find(info, "sigma0")->first] = 1e5, p[bristle_param_find(info, "sigma1")->first] = 50;
  p[bristle_param_find(info, "fc")->first] = 4, p[bristle_param_find(info, "fs")->first] = 5;
  p[bristle_param_find(info, "vs")->first] = 1e-3, p[bristle_param_find(info, "sigma2")->first] = 40;
  begin("t [s],x [m],F [N]");
  for (int i = 0; i < SAMPLES; i++) {
    for (int j = 1; j <= PARTS && i; j++) {
      const double next = stroke(1e-3 * (i - 1 + (double)j / PARTS));
      const bristle_input in = { .v = (next - x) / (1e-3 / PARTS), .n = 1, .h = 1e-3 / PARTS };
      f = law->f64->step(p, s, &in, NULL);
      x = next;
    }
    add("%.6g,%.10g,%.9g\n", 1e-3 * i, x, f + 0.02 * noise_of(i));
  }
  return read_with(&(bristle_log_options){ 0 }, fault);
}

static int asks_for_elements(const char *name)
{
  static const char *const laws[] = { "dahl", "lugre" };
  bristle_fault fault = { 0 };
  bristle_campaign campaign;
  bristle_identify_options options = { .seed = 1 };
  const bristle_log_options reading = { 0 };
  bristle_identified *r[2] = { NULL };
  bristle_reversals found;
  bristle_log *log = record_of(name, &fault), *const one[] = { log };
  CHECK(log, "%s", fault.what);
  if (!log) exit(1);
  options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  CHECK(!bristle_campaign_prepare(one, 1, 1, &reading, &options, &campaign, &fault), "%s", fault.what);
  for (int i = 0; i < 2; i++)
    CHECK(
        !bristle_identify(bristle_law_find(laws[i]), (const bristle_log *const *)one, 1, NULL, &options, &r[i], &fault),
        "%s: %s", laws[i], fault.what);
  const int asks = bristle_identified_reversals(r, 2, (const bristle_log *const *)one, 1, &options, &found);
  for (int i = 0; i < 2; i++)
    printf("  %s, %s: moving %.3g, slow %.3g N, counted %d\n", name, laws[i], r[i]->held_out, r[i]->held_out_slow,
           r[i]->slow_counted);
  printf("  %s: misses %.3g N after %zu turns\n", name, found.missed, found.turns);
  if (asks) {
    bristle_identified_tell_reversals(r[0], &found, "try gms");
    CHECK(strstr(r[0]->finding[0], "no other law with one bristle fits both") && strstr(r[0]->finding[0], "gms"), "%s",
          r[0]->finding[0]);
  }
  bristle_identified_free(r[0]), bristle_identified_free(r[1]), bristle_log_free(log);
  return asks;
}

TEST(elements_in_parallel_are_offered_where_one_bristle_fails) { CHECK(asks_for_elements("gms"), "not offered"); }

TEST(elements_are_not_offered_for_one_bristle) { CHECK(!asks_for_elements("lugre"), "offered"); }
