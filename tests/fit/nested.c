/* A law never ends worse than one that it contains, and is found where only presliding was recorded. */
#include "lab/identify.h"
#include "support/compliance.h"
#include "support/test.h"

enum { SAMPLES = 3000 };
static const double STEP = 1e-3;

static double noise(unsigned long long *state)
{
  double sum = 0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (double)(*state >> 11) * 0x1p-53;
  }
  return sum - 6;
}

/* the law at these parameters, moved by two sines; noise relative to fc */
static bristle_log *record(const char *name, double sigma0, double fc, double stroke, double size)
{
  const bristle_law *law = bristle_law_find(name);
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, x = 0;
  unsigned long long state = 5;
  char *text = malloc(SAMPLES * 80 + 80);
  size_t used = (size_t)sprintf(text, "t [s],x [m],F [N]\n");
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  bristle_fault fault;
  bristle_defaults(law->f64->info, p);
  if (bristle_param_find(law->f64->info, "sigma0")) p[bristle_param_find(law->f64->info, "sigma0")->first] = sigma0;
  p[bristle_param_find(law->f64->info, "fc")->first] = fc;
  for (int i = 0; i < SAMPLES; i++) {
    double next = stroke * (sin(6.2832 * 0.7 * STEP * i) + 0.4 * sin(6.2832 * 3.3 * STEP * i));
    bristle_input in = { .v = (next - x) / STEP, .x = x, .n = 1, .h = STEP };
    double f = law->f64->step(p, s, &in, NULL) + size * fc * noise(&state);
    x = next;
    used += (size_t)sprintf(text + used, "%.9g,%.12g,%.12g\n", i * STEP, x, f);
  }
  if (bristle_table_parse("made up", text, used, &table, &fault)
      || bristle_log_from_table(table, &(bristle_log_options){ .cutoff = 60 }, &log, &fault))
    CHECK(0, "%s", fault.what);
  bristle_table_free(table);
  free(text);
  return log;
}

static double error_of(const char *law, const bristle_log *log)
{
  bristle_fault fault;
  bristle_identified *r = NULL;
  bristle_identify_options options = { .folds = -1, .seed = 7 };
  options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  CHECK(!bristle_identify(bristle_law_find(law), &log, 1, NULL, &options, &r, &fault), "%s: %s", law, fault.what);
  double rms = r ? r->rms : (double)NAN;
  bristle_identified_free(r);
  return rms;
}

/* reductions of the tables whose larger law can be searched as the smaller one */
TEST(nested_laws_do_not_lose)
{
  static const char *const pairs[][2] = { { "stribeck", "coulomb" },
                                          { "power", "coulomb" },
                                          { "lugre", "dahl" },
                                          { "andersson", "tanh" },
                                          { "makkar", "tanh" } };
  bristle_log *logs[] = { record("coulomb", 0, 3, 0.02, 0.3), record("dahl", 2e4, 5, 2e-3, 0.2) };
  for (size_t l = 0; l < 2; l++) {
    const size_t stride = (size_t)test_share(1, 2);
    for (size_t k = l % stride; k < sizeof pairs / sizeof *pairs; k += stride) {
      double large = error_of(pairs[k][0], logs[l]), small = error_of(pairs[k][1], logs[l]);
      CHECK(large <= small * (1 + 1e-4), "record %zu: %s %.8g, %s %.8g", l, pairs[k][0], large, pairs[k][1], small);
    }
    bristle_log_free(logs[l]);
  }
}

/* a record that never slides: neither levels nor reversals tell the stiffness, decades must be searched */
TEST(nested_presliding_is_found_by_every_bristle_law)
{
  static const char *const laws[] = { "dahl", "lugre", "elasto_plastic" };
  bristle_log *log = record("dahl", 8, 0.03, 1.5e-3, 0.05);
  double best = error_of(laws[0], log);
  for (size_t k = 1; k < sizeof laws / sizeof *laws; k++) {
    double error = error_of(laws[k], log);
    CHECK(error <= 1.1 * best, "%s %.5g, dahl %.5g", laws[k], error, best);
  }
  bristle_log_free(log);
}

/* another optimum is named where it lies far from what the fit calls determined, and only there */
TEST(nested_rivals_are_named)
{
  bristle_log *log = record("coulomb", 0, 3, 0.02, 0.05);
  bristle_fault fault;
  bristle_identified *r = NULL;
  bristle_identify_options options = { .folds = -1, .seed = 7 };
  CHECK(!bristle_identify(bristle_law_find("coulomb"), (const bristle_log *const *)&log, 1, NULL, &options, &r, &fault),
        "%s", fault.what);
  for (int far = 0; far < 2 && r; far++) {
    char sentence[40][240];
    int named = 0;
    r->rival_cost = 1.005;
    for (int k = 0; k < 2; k++) r->rival[k] = r->p[k] * (far ? 3 : 1.01);
    int count = bristle_identified_verdict(r, (const bristle_log *const *)&log, 1, sentence, 40);
    for (int i = 0; i < count; i++) named += strstr(sentence[i], "Another optimum") != NULL;
    CHECK(named == far, "%d sentences", named);
  }
  bristle_identified_free(r);
  bristle_log_free(log);
}

/* a result whose held-out error is `error` in every block, of which the named parameters are not determined */
static void make_result(bristle_identified *r, const char *law, double error, const char *const *unknown)
{
  *r = (bristle_identified){ .law = bristle_law_find(law), .held_out = error };
  const bristle_info *info = r->law->f64->info;
  r->estimates = info->nparam;
  for (int b = 0; b < BRISTLE_BLOCKS; b++) r->block_rows[b][0] = 100, r->block_squares[b][0] = 100 * error * error;
  for (int k = 0; k < info->nparam; k++) r->estimate[k] = (bristle_estimate){ .value = 1, .deviation = 0.1, .free = 1 };
  for (; *unknown; unknown++) r->estimate[bristle_param_find(info, *unknown)->first].deviation = HUGE_VAL;
}

TEST(nested_law_leads_where_the_larger_one_is_it_in_disguise)
{
  bristle_identified larger, smaller, *list[2] = { &larger, &smaller };
  make_result(&larger, "lugre", 0.9, (const char *const[]){ "sigma0", "fs", "vs", NULL });
  make_result(&smaller, "dahl", 1, (const char *const[]){ "sigma0", NULL });
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &smaller && larger.indistinguishable, "the larger law leads with parameters that nobody knows");
  CHECK(larger.explains_more && !smaller.explains_more, "that it explains more is not said");
  make_result(&larger, "lugre", 0.995, (const char *const[]){ "sigma0", "fs", "vs", NULL });
  make_result(&smaller, "dahl", 1, (const char *const[]){ "sigma0", NULL });
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &smaller && !larger.explains_more, "half a percent is called more");
  /* but not where it explains much more, nor where it is known as well */
  list[0] = &larger, list[1] = &smaller;
  make_result(&larger, "lugre", 0.3, (const char *const[]){ "sigma0", "fs", "vs", NULL });
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &larger, "a law that explains three times less leads");
  make_result(&larger, "lugre", 0.9, (const char *const[]){ "sigma0", NULL });
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &larger && !smaller.indistinguishable, "a law that explains less leads");
}

/* ---- what leads, whatever the numbers are ---- */

/* any numbers that belong together: errors of a law in every column, some of its parameters unknown */
static void make_any(bristle_identified *r, int slow, int validated)
{
  static const char *const laws[] = { "coulomb", "stribeck", "asymmetric", "dahl", "lugre", "elasto_plastic", "power" };
  const double error = exp(any_between(-3, 1)), late = exp(any_between(-2, 2));
  *r = (bristle_identified){ .law = bristle_law_find(laws[(int)any_between(0, 6.999)]) };
  const bristle_info *info = r->law->f64->info;
  r->estimates = info->nparam;
  for (int k = 0; k < info->nparam; k++)
    r->estimate[k] = (bristle_estimate){ .value = 1, .deviation = any_between(0, 1) < 0.3 ? 9 : 0.1, .free = 1 };
  double squares[2] = { 0 };
  for (int b = 0; b < BRISTLE_BLOCKS; b++)
    for (int k = 0; k < 1 + slow; k++) {
      r->block_rows[b][k] = 100;
      r->block_squares[b][k] = 100 * error * error * any_between(0.5, 1.5) * (k ? late * late : 1);
      squares[k] += r->block_squares[b][k] / (100 * BRISTLE_BLOCKS);
    }
  r->held_out = sqrt(squares[0]);
  r->held_out_slow = slow ? sqrt(squares[1]) : (double)NAN;
  r->slow_counted = any_between(0, 1) < 0.5;
  r->rms = r->held_out * any_between(0.8, 1), r->relative = 0.4 * r->rms;
  r->validation = validated ? r->relative * any_between(0.8, 2) : (double)NAN;
  r->bic = 2000 * log(r->rms) + 7 * info->nparam;
  r->delay_left = any_between(0, 1) < 0.3 ? any_between(0.3, 1) : 0;
  r->nothing_slides = any_between(0, 1) < 0.2;
}

static int is_better_in_all(const bristle_identified *a, const bristle_identified *b)
{
  return a->rms < b->rms && a->relative < b->relative && a->held_out < b->held_out && a->bic < b->bic
         && !(a->held_out_slow >= b->held_out_slow) && !(a->validation >= b->validation);
}

TEST(nothing_leads_that_is_worse_in_every_column_than_a_law_without_a_mark)
{
  enum { MOST = 7 };
  static bristle_identified r[MOST];
  for (int round = 0; round < 20000; round++) {
    bristle_identified *list[MOST];
    const int count = 2 + (int)any_between(0, MOST - 2 + 0.999), slow = any_between(0, 1) < 0.5,
              validated = any_between(0, 1) < 0.3;
    for (int i = 0; i < count; i++) list[i] = &r[i], make_any(&r[i], slow, validated);
    bristle_identified_rank(list, count);
    for (int i = 1; i < count; i++) {
      const bristle_identified *lead = list[0], *other = list[i];
      if (!is_better_in_all(other, lead)) continue;
      CHECK(other->indistinguishable || other->explains_more, "round %d: %s leads, %s is better and has no mark", round,
            lead->law->name, other->law->name);
      CHECK(!other->explains_more || !bristle_identified_is_whole(other),
            "round %d: nothing about %s is unknown, and it does not lead", round, other->law->name);
      const int hidden = other->relative <= 0.25 && lead->relative > 0.25 && other->explains_more;
      CHECK(!hidden || lead->held_out < 1.2 * other->held_out, "round %d: %s explains %.0f %%, %s leads with %.0f %%",
            round, other->law->name, 100 * other->relative, lead->law->name, 100 * lead->relative);
    }
  }
}

TEST(a_law_that_explains_is_not_hidden_by_one_that_does_not)
{
  bristle_identified bristly, rigid, *list[2] = { &rigid, &bristly };
  make_result(&bristly, "lugre", 0.13, (const char *const[]){ "sigma0", "fs", "vs", NULL });
  make_result(&rigid, "coulomb", 0.3, (const char *const[]){ NULL });
  bristly.rms = bristly.relative = 0.13, rigid.rms = rigid.relative = 0.3;
  bristly.bic = 1, rigid.bic = 2;
  bristly.held_out_slow = bristly.validation = rigid.held_out_slow = rigid.validation = (double)NAN;
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &bristly, "a law that misses 30 %% leads where another misses 13 %%");
}

TEST(one_unknown_number_of_a_curve_does_not_cost_a_better_law_the_lead)
{
  bristle_identified better, plain, *list[2] = { &better, &plain };
  make_result(&plain, "dahl", 1, (const char *const[]){ NULL });
  make_result(&better, "lugre", 0.8, (const char *const[]){ "vs", NULL });
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &better, "lugre is demoted for its Stribeck speed");
  make_result(&better, "lugre", 0.8, (const char *const[]){ "vs", NULL });
  better.nothing_slides = 1;
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &plain, "where nothing slides a fall leads that nobody knows");
  make_result(&plain, "coulomb", 1, (const char *const[]){ NULL });
  make_result(&better, "power", 0.8, (const char *const[]){ "fc", NULL });
  bristle_identified_rank(list, 2);
  CHECK(list[0] == &better, "power is demoted for a level of nothing");
}
