/* Friction that differs between the directions, recovered from records whose truth is known. */
#include "lab/identify.h"
#include "support/test.h"

#include <unistd.h>

static const double STEP = 1e-3, LEVEL_SKEW = 0.15, VISCOUS_SKEW = -0.3;

static double noise(unsigned long long *state)
{
  double sum = 0;
  for (int i = 0; i < 12; i++) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    sum += (double)(*state >> 11) * 0x1p-53;
  }
  return sum - 6;
}

static void put(const bristle_info *info, const char *name, double value, double *p)
{
  const bristle_row *row = bristle_param_find(info, name);
  if (row) p[row->first] = value;
}

static void truth(const bristle_info *info, double *p)
{
  bristle_defaults(info, p);
  put(info, "sigma0", 2e4, p), put(info, "sigma1", 20, p), put(info, "sigma2", 30, p);
  put(info, "fc", 4, p), put(info, "fs", 6, p), put(info, "vs", 0.01, p);
  put(info, "level_skew", LEVEL_SKEW, p), put(info, "viscous_skew", VISCOUS_SKEW, p);
}

typedef struct made_up {
  int samples;
  double stroke, noise, skew;
} made_up;

/* moved by two sines; the velocity is in the file, so that nothing is filtered */
static bristle_log *record_of(const bristle_law *law, unsigned long long seed, made_up how)
{
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, x = 0;
  char *text = malloc((size_t)how.samples * 100 + 80);
  size_t used = (size_t)sprintf(text, "t [s],x [m],v [m/s],F [N]\n");
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  bristle_fault fault;
  truth(law->f64->info, p);
  for (int i = 0; i < how.samples; i++) {
    const double t = STEP * i, next = how.stroke * (sin(6.2832 * 0.7 * t) + 0.3 * sin(6.2832 * 2.3 * t));
    bristle_input in = { .v = (next - x) / STEP, .x = x, .n = 1, .h = STEP };
    double f = law->f64->step(p, s, &in, NULL) + how.skew * fabs(in.v) + how.noise * noise(&seed);
    x = next;
    used += (size_t)sprintf(text + used, "%.9g,%.12g,%.12g,%.12g\n", t, x, in.v, f);
  }
  if (bristle_table_parse("made up", text, used, &table, &fault)
      || bristle_log_from_table(table, &(bristle_log_options){ 0 }, &log, &fault))
    CHECK(0, "%s", fault.what);
  bristle_table_free(table);
  free(text);
  return log;
}

static bristle_log *record(const bristle_law *law, unsigned long long seed, double skew)
{
  return record_of(law, seed, (made_up){ .samples = 4000, .stroke = 0.02, .noise = 0.05, .skew = skew });
}

static bristle_identified *fit(const bristle_law *law, const bristle_log *log, int skew)
{
  bristle_fault fault;
  bristle_identified *r = NULL;
  bristle_identify_options options = { .folds = -1, .seed = 7 };
  options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  if (skew) options.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
  CHECK(!bristle_identify(law, &log, 1, NULL, &options, &r, &fault), "%s: %s", law->name, fault.what);
  return r;
}

TEST(skews_are_recovered_within_their_deviations)
{
  static const char *const laws[] = { "coulomb", "stribeck", "lugre", "dahl" };
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    const bristle_law *law = bristle_law_skewed(bristle_law_find(laws[i]));
    const bristle_info *info = law->f64->info;
    double p[BRISTLE_LAW_SIZE];
    bristle_log *log = record(law, 5 + i, 0);
    bristle_identified *r = fit(law, log, 0), *plain = fit(bristle_law_find(laws[i]), log, 0);
    truth(info, p);
    for (int k = 0; k < info->nparam && r; k++) {
      const bristle_estimate *x = &r->estimate[k];
      if (!x->free || !strcmp(x->name, "sigma1")) continue; /* which this motion hardly shows */
      CHECK(isfinite(x->deviation) && fabs(x->value - p[k]) <= 4 * x->deviation + 1e-3 * fabs(p[k]),
            "%s: %s = %g +- %g, true %g", laws[i], x->name, x->value, x->deviation, p[k]);
      if (strstr(x->name, "skew"))
        CHECK(x->deviation < 0.05, "%s: %s is known to %g only", laws[i], x->name, x->deviation);
    }
    CHECK(r && plain && r->rms < plain->rms && r->term[BRISTLE_TERM_OFFSET] == 0, "%s: %g with, %g without skews",
          laws[i], r ? r->rms : -1, plain ? plain->rms : -1);
    bristle_identified_free(r), bristle_identified_free(plain), bristle_log_free(log);
  }
}

/* a law with a skew beside it contains the law without */
TEST(a_skew_never_makes_a_fit_worse)
{
  static const char *const made[] = { "lugre", "stribeck", "dahl" }, *const fitted[] = { "stribeck", "lugre", "dahl" };
  for (size_t i = 0; i < sizeof made / sizeof *made; i++)
    for (int skewed = 0; skewed < 2; skewed++) {
      bristle_log *log = record(bristle_law_find(made[i]), 50 + i, skewed ? 3 : 0);
      for (size_t k = 0; k < sizeof fitted / sizeof *fitted; k++) {
        if ((i + k + (size_t)skewed) % (size_t)test_share(1, 2)) continue;
        bristle_identified *with = fit(bristle_law_find(fitted[k]), log, 1);
        bristle_identified *without = fit(bristle_law_find(fitted[k]), log, 0);
        bristle_identified *both[] = { with, without };
        const bristle_log *one = log;
        bristle_identify_options options = { .folds = -1, .seed = 7 };
        options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
        if (with && without) bristle_identified_mend(both, 2, &one, 1, NULL, &options);
        with = both[0], without = both[1];
        CHECK(with && without && with->rms <= without->rms * (1 + 1e-4), "%s fitted by %s: %.8g with, %.8g without",
              made[i], fitted[k], with ? with->rms : -1, without ? without->rms : -1);
        bristle_identified_free(with), bristle_identified_free(without);
      }
      bristle_log_free(log);
    }
}

/* going on from an optimum cannot lose, whatever a search of fewer samples would find on the way */
TEST(a_fit_that_goes_on_from_an_optimum_does_not_lose)
{
  static const char *const laws[] = { "dahl", "lugre" };
  const bristle_law *truth_law = bristle_law_find("stribeck");
  bristle_log *log = record_of(truth_law, 51, (made_up){ .samples = 6000, .stroke = 5.3858e-4, .noise = 0.3 });
  const bristle_log *one = log;
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    bristle_fault fault;
    bristle_identified *plain = fit(bristle_law_find(laws[i]), log, 0), *skewed = NULL;
    bristle_identify_options options = {
      .folds = -1, .seed = 7, .start = plain->p, .start_is_near = 1, .start_term = plain->term
    };
    options.term[BRISTLE_TERM_OFFSET] = options.term[BRISTLE_TERM_SKEW] = BRISTLE_TERM_FREE;
    CHECK(!bristle_identify(plain->law, &one, 1, NULL, &options, &skewed, &fault), "%s: %s", laws[i], fault.what);
    CHECK(skewed && skewed->rms <= plain->rms * (1 + 1e-9), "%s: %.9g with a skew, %.9g without", laws[i],
          skewed ? skewed->rms : -1, plain->rms);
    bristle_identified_free(skewed), bristle_identified_free(plain);
  }
  bristle_log_free(log);
}

/* the file gives the force that was fitted: the same law, the same parameters */
TEST(skews_are_written_and_read_back)
{
  const bristle_law *law = bristle_law_skewed(bristle_law_find("lugre"));
  bristle_log *log = record(law, 9, 0);
  const bristle_log *one = log;
  bristle_identified *r = fit(law, log, 0);
  char path[] = "/tmp/bristle-skew-XXXXXX.yaml", text[200];
  const int file = mkstemps(path, 5);
  close(file); /* Windows does not replace open files */
  bristle_document *document = NULL;
  bristle_friction friction = { 0 };
  bristle_fault fault;
  const bristle_friction_wanted wanted = { .dim = 1, .rotary = BRISTLE_LINEAR_OR_ROTARY };
  CHECK(file >= 0 && r && !bristle_identified_write(r, &one, 1, "--skew levels", path, &fault), "%s", fault.what);
  const int length = snprintf(text, sizeof text, "friction: {file: %s}\n", path);
  CHECK(!bristle_document_parse("made up", text, (size_t)length, &document, &fault)
            && !bristle_friction_read(bristle_node_find(bristle_document_root(document), "friction"), &wanted,
                                      &friction, &fault),
        "%s", fault.what);
  CHECK(friction.law == law && friction.info == law->f64->info, "another law");
  for (int k = 0; k < law->f64->info->nparam && r; k++) CHECK_NEAR(friction.p[k], r->p[k], 1e-15);
  bristle_document_free(document);
  unlink(path);
  bristle_identified_free(r), bristle_log_free(log);
}
