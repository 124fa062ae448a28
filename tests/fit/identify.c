/* Logs and identification: what is read, what is fitted, what is said about it. */
#include "bristle/digest.h"
#include "bristle/identify.h"
#include "support/test.h"

enum { ROOM = 1 << 20 };

/* ---- records made up as text ---- */

typedef struct text {
  char *data;
  size_t used;
} text;

static text text_new(const char *header)
{
  text t = { malloc(ROOM), 0 };
  if (!t.data) exit(1);
  t.used = (size_t)snprintf(t.data, ROOM, "%s\n", header);
  return t;
}

static void text_row(text *t, const char *format, double a, double b, double c)
{
  t->used += (size_t)snprintf(t->data + t->used, ROOM - t->used, format, a, b, c);
}

static bristle_fault_kind text_log(const text *t, const bristle_log_options *options, bristle_log **log,
                                   bristle_fault *fault)
{
  bristle_table *table = NULL;
  bristle_log_options none = { 0 };
  *log = NULL;
  bristle_fault_kind kind = bristle_table_parse("made up", t->data, t->used, &table, fault);
  if (!kind) kind = bristle_log_from_table(table, options ? options : &none, log, fault);
  bristle_table_free(table);
  return kind;
}

static double noise_of(int i)
{
  double s = sin(i * 12.9898) * 43758.5453;
  return 2 * (s - floor(s)) - 1;
}

static double dahl_record(int i, double scale, double *z, double *x)
{
  const double h = 1e-3, sigma0 = 4e4, fc = 2;
  double t = i * h, before = *x;
  *x = 0.01 * sin(6.2832 * 0.5 * t) + 2e-4 * sin(6.2832 * 3 * t);
  double way = *x - before, d = way >= 0 ? 1 : -1;
  if (i) *z += (fc / sigma0 * d - *z) * (1 - exp(-sigma0 * fabs(way) / fc));
  return scale * (sigma0 * *z + 0.02 * noise_of(i));
}

/* a Dahl contact as its columns t, x, F */
static text dahl_text(const char *header, const char *format, int count, double x_scale, double f_scale)
{
  text t = text_new(header);
  double z = 0, x = 0;
  for (int i = 0; i < count; i++) {
    double f = dahl_record(i, f_scale, &z, &x);
    text_row(&t, format, i * 1e-3, x * x_scale, f);
  }
  return t;
}

static bristle_identified *fit(const char *law, const bristle_log *log, bristle_identify_options *options)
{
  bristle_identified *r = NULL;
  bristle_fault fault;
  CHECK(!bristle_identify(bristle_law_find(law), &log, 1, NULL, options, &r, &fault), "%s", fault.what);
  if (!r) exit(1);
  return r;
}

static const bristle_estimate *estimate(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name)) return &r->estimate[k];
  printf("no estimate %s\n", name);
  exit(1);
}

/* ---- columns ---- */

TEST(columns_are_recognised_by_name_and_unit)
{
  static const char *const headers[] = { "t,x,F", "time_s,position_m,motor_force_N",
                                         "Time [s];Position [m];Friction force [N]", "#2 [s],weg [m],kraft [N]",
                                         "time (s)\tdisplacement (m)\tforce (N)" };
  for (size_t k = 0; k < sizeof headers / sizeof *headers; k++) {
    const char *format = strchr(headers[k], ';')    ? "%.9g;%.12g;%.12g\n"
                         : strchr(headers[k], '\t') ? "%.9g\t%.12g\t%.12g\n"
                                                    : "%.9g,%.12g,%.12g\n";
    text t = dahl_text(headers[k], format, 3000, 1, 1);
    bristle_log *log;
    bristle_fault fault;
    CHECK(!text_log(&t, NULL, &log, &fault), "%s: %s", headers[k], fault.what);
    if (log) CHECK(log->count == 3000 && log->summary.reversals > 2, "%s: %zu samples", headers[k], log->count);
    bristle_log_free(log);
    free(t.data);
  }
}

TEST(a_column_may_carry_a_factor_and_a_unit)
{
  text t = dahl_text("t,x,voltage_V", "%.9g,%.12g,%.12g\n", 3000, 1000, 0.5);
  bristle_log_options options = { 0 };
  bristle_log *log;
  bristle_fault fault;
  options.column[BRISTLE_CHANNEL_FORCE] = "voltage_V*2 N";
  options.column[BRISTLE_CHANNEL_POSITION] = "x*1 mm";
  CHECK(!text_log(&t, &options, &log, &fault), "%s", fault.what);
  if (log) {
    CHECK_ABS(log->summary.force_high, 2, 0.1);
    CHECK_ABS(log->x[500], 0.01 * sin(6.2832 * 0.25) + 2e-4 * sin(6.2832 * 1.5), 1e-5);
  }
  bristle_log_free(log);
  free(t.data);
}

/* ---- weights ---- */

/* a Dahl contact whose sensor was off for half a second, with a column that says so */
static text doubtful_text(double weight_when_off)
{
  text t = text_new("t,x,F,trust");
  double z = 0, x = 0;
  for (int i = 0; i < 3000; i++) {
    const int off = i >= 1500 && i < 2000;
    const double f = dahl_record(i, 1, &z, &x);
    text_row(&t, "%.9g,%.12g,%.12g,", i * 1e-3, x, off ? f + 1.5 : f);
    t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%g\n", off ? weight_when_off : 4.0);
  }
  return t;
}

TEST(samples_count_by_their_weight)
{
  text t = doubtful_text(0);
  bristle_log_options reading = { 0 };
  bristle_identify_options options = { 0 };
  bristle_log *log[2] = { NULL, NULL };
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log[0], &fault) && !log[0]->w, "a weight must be asked for: %s", fault.what);
  reading.column[BRISTLE_CHANNEL_WEIGHT] = "trust";
  CHECK(!text_log(&t, &reading, &log[1], &fault), "%s", fault.what);
  for (int weighted = 0; weighted < 2 && log[weighted]; weighted++) {
    bristle_identified *r = fit("dahl", log[weighted], &options);
    const double fc = estimate(r, "fc")->value, sigma0 = estimate(r, "sigma0")->value;
    const double off = fmax(fabs(fc / 2 - 1), fabs(sigma0 / 4e4 - 1));
    CHECK(weighted ? off < 0.02 && r->rms < 0.02 : off > 0.02 && r->rms > 0.3, "%s: fc %g, sigma0 %g, rms %g",
          weighted ? "weighted" : "plain", fc, sigma0, r->rms);
    bristle_identified_free(r);
  }
  bristle_log_free(log[0]);
  bristle_log_free(log[1]);
  free(t.data);
}

TEST(bad_weights_are_refused)
{
  text t = doubtful_text(-1);
  bristle_log_options reading = { .column[BRISTLE_CHANNEL_WEIGHT] = "trust" };
  bristle_log *log;
  bristle_fault fault;
  CHECK(text_log(&t, &reading, &log, &fault) && strstr(fault.what, "weight -1"), "%s", fault.what);
  free(t.data);
}

TEST(gaps_make_stretches_and_empty_cells_are_left_out)
{
  text t = text_new("t,x,F");
  double z = 0, x = 0;
  for (int i = 0; i < 4000; i++) {
    double f = dahl_record(i, 1, &z, &x);
    if (i > 2000 && i < 2200) continue;
    if (i % 500 == 7) t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%g,%g,\n", i * 1e-3, x);
    else text_row(&t, "%.9g,%.12g,%.12g\n", i * 1e-3, x, f);
  }
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, NULL, &log, &fault), "%s", fault.what);
  if (log) {
    CHECK(log->stretches == 2, "%zu stretches", log->stretches);
    CHECK(log->note_count >= 2 && !log->doubtful, "%zu notes", log->note_count);
  }
  bristle_log_free(log);
  free(t.data);
}

/* ---- fits ---- */

TEST(dahl_is_found_and_its_deviations_hold)
{
  text t = dahl_text("t,x,F", "%.9g,%.12g,%.12g\n", 4000, 1, 1);
  bristle_log_options reading = { .cutoff = -1 };
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log, &fault), "%s", fault.what);
  bristle_identify_options options = { 0 };
  options.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  bristle_identified *r = fit("dahl", log, &options);
  CHECK_NEAR(estimate(r, "fc")->value, 2, 2e-3);
  CHECK_NEAR(estimate(r, "sigma0")->value, 4e4, 1e-2);
  CHECK_ABS(estimate(r, "offset")->value, 0, 4 * estimate(r, "offset")->deviation);
  CHECK_NEAR(r->rms, 0.02 / sqrt(3), 0.05);
  CHECK_ABS(r->held_out / r->rms, 1, 0.05);
  CHECK_ABS(r->energy, 1, 0.01);
  CHECK(estimate(r, "delta")->free == 0, "exponents are held unless asked for");
  bristle_identified_free(r);
  bristle_log_free(log);
  free(t.data);
}

TEST(the_same_seed_gives_the_same_bits_on_any_number_of_threads)
{
  text t = dahl_text("t,x,F", "%.9g,%.12g,%.12g\n", 2000, 1, 1);
  bristle_log_options reading = { .cutoff = -1 };
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log, &fault), "%s", fault.what);
  bristle_identify_options one = { .threads = 1, .seed = 3, .folds = -1 },
                           two = { .threads = 3, .seed = 3, .folds = -1 };
  bristle_identified *a = fit("lugre", log, &one), *b = fit("lugre", log, &two);
  CHECK(!memcmp(a->p, b->p, sizeof a->p), "%.17g and %.17g", a->p[0], b->p[0]);
  bristle_identified_free(a), bristle_identified_free(b);
  bristle_log_free(log);
  free(t.data);
}

TEST(the_relative_objective_finds_loops_without_noise_to_a_thousandth)
{
  text t = text_new("t,x,F");
  double z = 0, x = 0;
  static const double sizes[3] = { 2e-5, 1e-4, 1e-3 };
  for (int i = 0; i < 6000; i++) {
    double before = x, time = i * 1e-3;
    x = sizes[i / 2000] * sin(6.283185307179586 * time);
    double way = x - before, d = way >= 0 ? 1 : -1;
    if (i) z += (2.0 / 4e4 * d - z) * (1 - exp(-4e4 * fabs(way) / 2));
    text_row(&t, "%.9g,%.17g,%.17g\n", time, x, 4e4 * z);
  }
  bristle_log_options reading = { .cutoff = -1 };
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log, &fault), "%s", fault.what);
  bristle_identify_options options = { .objective = BRISTLE_RELATIVE, .folds = -1 };
  bristle_identified *r = fit("dahl", log, &options);
  CHECK_NEAR(estimate(r, "fc")->value, 2, 1e-3);
  CHECK_NEAR(estimate(r, "sigma0")->value, 4e4, 1e-3);
  bristle_identified_free(r);
  bristle_log_free(log);
  free(t.data);
}

TEST(the_robust_objective_is_hardly_moved_by_outliers)
{
  text t = text_new("t,x,F");
  double z = 0, x = 0;
  for (int i = 0; i < 4000; i++) {
    double f = dahl_record(i, 1, &z, &x);
    text_row(&t, "%.9g,%.12g,%.12g\n", i * 1e-3, x, i % 97 == 5 ? 40 : f);
  }
  bristle_log_options reading = { .cutoff = -1 };
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log, &fault), "%s", fault.what);
  bristle_identify_options robust = { .objective = BRISTLE_ROBUST, .folds = -1 }, plain = { .folds = -1 };
  robust.term[BRISTLE_TERM_OFFSET] = plain.term[BRISTLE_TERM_OFFSET] = BRISTLE_TERM_FREE;
  bristle_identified *a = fit("dahl", log, &robust), *b = fit("dahl", log, &plain);
  CHECK_NEAR(estimate(a, "fc")->value, 2, 5e-3);
  CHECK(fabs(estimate(b, "offset")->value) > 20 * fabs(estimate(a, "offset")->value), "plain %g, robust %g",
        estimate(b, "offset")->value, estimate(a, "offset")->value);
  int told = 0;
  for (size_t i = 0; i < log->note_count; i++) told |= strstr(log->note[i], "outliers") != NULL;
  CHECK(told, "the notes must name the outliers");
  bristle_identified_free(a), bristle_identified_free(b);
  bristle_log_free(log);
  free(t.data);
}

/* the way there is sought on fewer samples, all of which count: not every tenth of them once more */
TEST(robust_fits_of_long_decimated_records_are_right)
{
  text t = text_new("t,x,F");
  double z = 0, x = 0;
  for (int i = 0; i < 20000; i++) {
    double f = dahl_record(i, 1, &z, &x);
    text_row(&t, "%.6g,%.10g,%.7g\n", i * 1e-3, x, f);
  }
  bristle_log_options reading = { .cutoff = -1 };
  bristle_log *log;
  bristle_fault fault;
  CHECK(!text_log(&t, &reading, &log, &fault), "%s", fault.what);
  bristle_identify_options robust = { .objective = BRISTLE_ROBUST, .folds = -1, .decimate = 10 };
  bristle_identified *a = fit("dahl", log, &robust);
  CHECK_NEAR(estimate(a, "fc")->value, 2, 5e-3);
  CHECK(a->rows == 2000, "%zu rows", a->rows);
  bristle_identified_free(a);
  bristle_log_free(log);
  free(t.data);
}

TEST(numbers_that_the_data_do_not_contain_are_named)
{
  text t = text_new("t,x,v,F"); /* fast sliding only: neither stiffness nor Stribeck speed can be seen */
  for (int i = 0; i < 3000; i++) {
    double v = i / 500 % 2 ? -0.1 - 1.8e-3 * (i % 500) : 0.1 + 1.8e-3 * (i % 500);
    t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%.9g,%.12g,%.12g,%.12g\n", i * 0.01, 0.0, v,
                               (v > 0 ? 3 : -3) + 4 * v + 0.05 * noise_of(i));
  }
  bristle_log_options reading = { 0 };
  reading.column[BRISTLE_CHANNEL_VELOCITY] = "v";
  bristle_log *log;
  bristle_fault fault;
  bristle_table *table = NULL;
  /* the position column is made up: use the velocity alone */
  char *x = strstr(t.data, "x,");
  x[0] = 'y';
  CHECK(!bristle_table_parse("made up", t.data, t.used, &table, &fault), "%s", fault.what);
  CHECK(!bristle_log_from_table(table, &reading, &log, &fault), "%s", fault.what);
  bristle_table_free(table);
  bristle_identify_options options = { .folds = -1 };
  bristle_identified *r = fit("lugre", log, &options);
  CHECK(estimate(r, "sigma0")->reason[0], "sigma0 = %g +- %g", estimate(r, "sigma0")->value,
        estimate(r, "sigma0")->deviation);
  CHECK(!estimate(r, "sigma2")->reason[0], "sigma2 can be seen: %s", estimate(r, "sigma2")->reason);
  CHECK_NEAR(estimate(r, "sigma2")->value, 4, 0.05);
  bristle_identified_free(r);
  bristle_log_free(log);
  free(t.data);
}

/* ---- bad data ---- */

typedef enum bad_kind {
  CONSTANT_FORCE,
  NO_MOTION,
  ONE_DIRECTION,
  THREE_SAMPLES,
  ALL_NAN,
  TIME_BACK,
  SWAPPED,
  TURNED_SIGN,
  WRONG_UNIT,
  BAD_KINDS
} bad_kind;

static text bad_text(bad_kind kind)
{
  text t = text_new(kind == WRONG_UNIT ? "t,x,v,F" : "t,x,F");
  double z = 0, x = 0;
  for (int i = 0; i < (kind == THREE_SAMPLES ? 3 : 2000); i++) {
    double f = dahl_record(i, 1, &z, &x), time = i * 1e-3;
    if (kind == ALL_NAN) t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%g,nan,nan\n", time);
    else if (kind == CONSTANT_FORCE) text_row(&t, "%.9g,%.12g,%.12g\n", time, x, 1.5);
    else if (kind == NO_MOTION) text_row(&t, "%.9g,%.12g,%.12g\n", time, 0.25, f);
    else if (kind == ONE_DIRECTION) text_row(&t, "%.9g,%.12g,%.12g\n", time, 0.1 * time, 2 + 0.02 * noise_of(i));
    else if (kind == TIME_BACK) text_row(&t, "%.9g,%.12g,%.12g\n", i % 2 ? time : time - 0.5, x, f);
    else if (kind == SWAPPED) text_row(&t, "%.9g,%.12g,%.12g\n", time, f, x);
    else if (kind == TURNED_SIGN) text_row(&t, "%.9g,%.12g,%.12g\n", time, x, -f);
    else if (kind == WRONG_UNIT)
      t.used += (size_t)snprintf(t.data + t.used, ROOM - t.used, "%.9g,%.12g,%.12g,%.12g\n", time, x,
                                 1000 * (0.031416 * cos(3.1416 * time) + 3.76992e-3 * cos(18.8496 * time)), f);
    else text_row(&t, "%.9g,%.12g,%.12g\n", time, x, f);
  }
  return t;
}

TEST(bad_data_get_a_verdict_in_plain_words_and_no_confident_answer)
{
  static const struct {
    bad_kind kind;
    int refused;
    const char *words;
  } table[] = {
    { CONSTANT_FORCE, 1, "constant" },
    { NO_MOTION, 1, "never changes" },
    { ONE_DIRECTION, 0, "one way only" },
    { THREE_SAMPLES, 1, "too few" },
    { ALL_NAN, 1, "too few" },
    { TIME_BACK, 1, "goes back" },
    { SWAPPED, 1, "drives the motion" },
    { TURNED_SIGN, 1, "drives the motion" },
    { WRONG_UNIT, 0, "position and velocity disagree" },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    text t = bad_text(table[k].kind);
    bristle_log_options reading = { .cutoff = -1 };
    bristle_log *log;
    bristle_fault fault = { 0 };
    bristle_fault_kind kind = text_log(&t, &reading, &log, &fault);
    CHECK((kind != 0) == table[k].refused, "case %zu: %s", k, kind ? fault.what : "was accepted");
    if (kind) {
      CHECK(strstr(fault.what, table[k].words), "case %zu says '%s', expected '%s'", k, fault.what, table[k].words);
      CHECK(fault.hint[0], "case %zu: '%s' has no hint", k, fault.what);
    } else {
      int told = 0;
      char sentence[8][240];
      for (size_t i = 0; i < log->note_count; i++) told |= strstr(log->note[i], table[k].words) != NULL;
      CHECK(told && log->doubtful, "case %zu: no note says '%s'", k, table[k].words);
      bristle_identify_options options = { .folds = -1, .candidates = 200 };
      bristle_identified *r = fit("coulomb", log, &options);
      const bristle_log *one = log;
      CHECK(bristle_identified_verdict(r, &one, 1, sentence, 8) > 0, "no verdict");
      CHECK(strstr(sentence[0], "Do not trust"), "case %zu: '%s'", k, sentence[0]);
      bristle_identified_free(r);
    }
    bristle_log_free(log);
    free(t.data);
  }
}

/* ---- model files ---- */

TEST(digests_are_those_of_the_standard)
{
  char digest[65];
  bristle_digest("", 0, digest);
  CHECK(!strcmp(digest, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), "%s", digest);
  bristle_digest("abc", 3, digest);
  CHECK(!strcmp(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"), "%s", digest);
  bristle_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, digest);
  CHECK(!strcmp(digest, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"), "%s", digest);
}

TEST(model_files_read_back_as_the_same_law)
{
  text t = dahl_text("t,x,F", "%.9g,%.12g,%.12g\n", 2000, 1, 1);
  bristle_log_options reading = { .cutoff = -1 };
  bristle_log *log;
  bristle_fault fault;
  char path[] = "/tmp/bristle-model-XXXXXX", line[200];
  CHECK(!text_log(&t, &reading, &log, &fault), "%s", fault.what);
  bristle_identify_options options = { .folds = -1 };
  bristle_identified *r = fit("dahl", log, &options);
  const bristle_log *one = log;
  int file = mkstemp(path);
  CHECK(file >= 0 && !bristle_identified_write(r, &one, 1, "--model dahl", path, &fault), "%s", fault.what);
  bristle_document *document = NULL;
  int length = snprintf(line, sizeof line, "friction: {file: %s}\n", path);
  CHECK(!bristle_document_parse("test", line, (size_t)length, &document, &fault), "%s", fault.what);
  if (document) {
    bristle_friction friction;
    bristle_friction_wanted wanted = { .dim = 1 };
    CHECK(!bristle_friction_read(bristle_node_find(bristle_document_root(document), "friction"), &wanted, &friction,
                                 &fault),
          "%s", fault.what);
    for (int k = 0; k < r->law->f64->info->nparam; k++) CHECK_ABS(friction.p[k], r->p[k], 0);
  }
  bristle_document_free(document);
  remove(path);
  bristle_identified_free(r);
  bristle_log_free(log);
  free(t.data);
}
