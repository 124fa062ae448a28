/* Identification: what is fitted, what is said about it, what is written. */
#include "lab/digest.h"
#include "fit/made_up.h"

#include <unistd.h>

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
  close(file); /* Windows does not replace open files */
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
