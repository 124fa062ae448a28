/* Terms that the user brings, and files that are joined. */
#include "record.h"

#include "fit/records/motion.h"

#include <unistd.h>

/* ---- arithmetic ---- */

static int find_abc(void *context, const char *name, size_t length, int order)
{
  (void)context;
  if (length == 8 && !memcmp(name, "odd-name", 8) && !order) return 2;
  if (length == 4 && !memcmp(name, "dall", 4) && !order) return 0; /* a column, though it begins with a d */
  return length == 1 && *name >= 'a' && *name <= 'c' ? *name - 'a' + 3 * order : -1;
}

TEST(arithmetic_of_columns_is_what_it_says)
{
  static const double a[1] = { 2 }, b[1] = { 3 }, c[1] = { -0.5 }, da[1] = { 7 }, db[1] = { 11 }, dda[1] = { 13 };
  const double *const column[9] = { a, b, c, da, db, c, dda, b, c };
  static const struct {
    const char *text;
    double value;
  } table[] = {
    { "a", 2 },
    { "1 + a*b - 4/a", 5 },
    { "-a^2", -4 },
    { "2^-1", 0.5 },
    { "2^3^2", 512 },
    { "(a+b)*(a-b)", -5 },
    { "a-b-c", -0.5 },
    { "24/a/b", 4 },
    { "sin(a)*cos(b) + tan(c)", sin(2) * cos(3) + tan(-0.5) },
    { "abs(c) + sqrt(a+a) + exp(0) + sign(c)", 2.5 },
    { "d(a) + dd(a)", 20 },
    { "da*ddb", 7 * 3 },
    { "dall", 2 },
    { "`odd-name`*2e1", -10 },
    { "((((a))))", 2 },
    { "- - +a", 2 },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    expression e;
    bristle_fault fault;
    CHECK(!expression_read(table[k].text, find_abc, NULL, &e, &fault), "%s: %s", table[k].text, fault.what);
    CHECK_ABS(expression_value(&e, column, 0), table[k].value, 1e-14);
  }
}

TEST(arithmetic_that_makes_no_sense_is_refused)
{
  static const char *const table[][2] = {
    { "", "found 'the end', expected a column or a number" },
    { "a+", "expected a column or a number" },
    { "a b", "expected an operator" },
    { "(a", "expected a closing bracket" },
    { "a)", "expected an operator" },
    { "e*2", "there is no column 'e'" },
    { "log(a)", "there is no function 'log'" },
    { "d(a+b)", "expected a closing bracket" },
    { "d(2*a)", "there is no column '2'" },
    { "*a", "expected a column or a number" },
  };
  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    expression e;
    bristle_fault fault;
    CHECK(expression_read(table[k][0], find_abc, NULL, &e, &fault), "'%s' was accepted", table[k][0]);
    CHECK(strstr(fault.what, table[k][1]) && fault.hint[0], "'%s': %s", table[k][0], fault.what);
  }
  char deep[400];
  memset(deep, '(', 300), deep[300] = '\0';
  expression e;
  bristle_fault fault;
  CHECK(expression_read(deep, find_abc, NULL, &e, &fault), "300 brackets");
  for (int i = 0; i < 300; i += 2) deep[i] = '+', deep[i + 1] = 'a';
  CHECK(expression_read(deep, find_abc, NULL, &e, &fault) && strstr(fault.what, "too long"), "%s", fault.what);
}

/* ---- terms of a log ---- */

static double second(double t) { return 0.2 * sin(2 * t) + 0.1; }

static void two_joints(void)
{
  begin("t,q1,q2,tau");
  for (int i = 0; i < COUNT; i++) {
    double t = i * 1e-3;
    add("%.6f,%.12g,%.12g,%.12g\n", t, position(t), second(t), force(i, t));
  }
}

TEST(terms_are_columns_of_the_log)
{
  bristle_fault fault = { 0 };
  bristle_log_options options = { .cutoff = -1,
                                  .column[BRISTLE_CHANNEL_POSITION] = "q1",
                                  .term = { "inertia12=ddq2*cos(q1-q2)", "q2", "pull=x^2" } };
  two_joints();
  bristle_log *log = read_with(&options, &fault);
  CHECK(log && log->extras == 3, "%s", fault.what);
  if (!log) return;
  CHECK(!strcmp(log->extra_name[0], "inertia12") && !strcmp(log->extra_name[1], "q2"), "%s", log->extra_name[0]);
  const size_t i = 1234;
  const double t = 1.234, bent = -0.8 * sin(2 * t);
  CHECK_ABS(log->extra[0][i], bent * cos(position(t) - second(t)), 1e-4);
  CHECK_ABS(log->extra[1][i], second(t), 1e-9);
  CHECK_ABS(log->extra[2][i], position(t) * position(t), 1e-9);
  /* Behind a filter every term is that of what was measured, filtered: also one that jumps. */
  double *out[BRISTLE_EXTRAS] = { log->x, log->v, log->slide }; /* no longer needed */
  double *expected = malloc(sizeof *expected * log->count);
  const log_motion of = {
    .x = log->raw[BRISTLE_CHANNEL_POSITION], .v = log->raw[BRISTLE_CHANNEL_POSITION], .cutoff = 20, .filtered = 1
  };
  for (size_t k = 0; k < log->count; k++) expected[k] = pow(log->raw[BRISTLE_CHANNEL_POSITION][k], 2);
  CHECK(!motion_filter(log, 20, expected, &fault) && !log_extra_make(log, &of, out, &fault), "%s", fault.what);
  for (size_t k = 0; k < log->count; k++) CHECK_ABS(out[2][k], expected[k], 1e-15);
  CHECK_ABS(out[0][i], bent * cos(position(t) - second(t)), 1e-3);
  free(expected);
  bristle_log_free(log);
}

TEST(terms_that_cannot_be_made_are_refused)
{
  bristle_log_options options = { .column[BRISTLE_CHANNEL_POSITION] = "q1", .term = { "pull=q3*2" } };
  two_joints();
  bristle_fault fault = refused(&options);
  CHECK(strstr(fault.what, "there is no column 'q3'"), "%s", fault.what);
  options.term[0] = "mass=q2";
  fault = refused(&options);
  CHECK(strstr(fault.what, "the term name 'mass' is already used"), "%s", fault.what);
  options.term[0] = "#3";
  fault = refused(&options);
  CHECK(strstr(fault.what, "a term is called '#3', expected a word"), "%s", fault.what);
  options.term[0] = "odd=1/(q2-q2)";
  fault = refused(&options);
  CHECK(strstr(fault.what, "the term 'odd' is not finite at 0 s"), "%s", fault.what);
}

/* ---- joined files ---- */

static char joined[] = "/tmp/bristle-join-XXXXXX.csv";

static int write_joined(double from, double to, double step)
{
  memcpy(joined, "/tmp/bristle-join-XXXXXX.csv", sizeof joined);
  int file = mkstemps(joined, 4);
  FILE *out = file < 0 ? NULL : fdopen(file, "w");
  CHECK(out, "%s", joined);
  if (!out) return 0;
  fputs("time,F,x\n", out);
  for (double t = from; t < to; t += step)
    fprintf(out, "%.7f,%.12g,1\n", t, (velocity(t) > 0 ? 2 : -2) + 10 * velocity(t));
  return !fclose(out);
}

static bristle_log *read_joined(bristle_fault *fault)
{
  const char name[] = "/tmp/bristle-main-XXXXXX.csv";
  char path[sizeof name];
  memcpy(path, name, sizeof name);
  int file = mkstemps(path, 4);
  FILE *out = file < 0 ? NULL : fdopen(file, "w");
  CHECK(out, "%s", path);
  if (!out) return NULL;
  fputs("t,x\n", out);
  for (int i = 0; i < COUNT; i++) fprintf(out, "%.6f,%.12g\n", i * 1e-3, position(i * 1e-3));
  fclose(out);
  bristle_log *log = NULL;
  bristle_log_options options = { .cutoff = -1, .join = { joined } };
  bristle_log_read(path, &options, &log, fault);
  unlink(path), unlink(joined);
  return log;
}

TEST(files_with_different_clocks_are_joined_on_time)
{
  bristle_fault fault = { 0 };
  if (!write_joined(0.2003, 5, 1.7e-3)) return;
  bristle_log *log = read_joined(&fault);
  CHECK(log, "%s", fault.what);
  if (!log) return;
  CHECK(fabs(log->t[0] - 0.201) < 1e-9 && log->count == COUNT - 201, "from %g, %zu samples", log->t[0], log->count);
  double worst = 0;
  for (size_t i = 0; i < log->count; i++) {
    double v = velocity(log->t[i]), f = (v > 0 ? 2 : -2) + 10 * v;
    if (fabs(v) > 2e-3) worst = fmax(worst, fabs(log->raw[BRISTLE_CHANNEL_FORCE][i] - f));
  }
  CHECK(worst < 1e-4, "off by %g", worst);
  CHECK(!strcmp(log->column[BRISTLE_CHANNEL_POSITION], "x"), "%s", log->column[BRISTLE_CHANNEL_POSITION]);
  bristle_log_free(log);
}

TEST(files_that_do_not_overlap_are_not_joined)
{
  bristle_fault fault = { 0 };
  if (!write_joined(100, 103, 1e-3)) return;
  bristle_log *log = read_joined(&fault);
  CHECK(!log && strstr(fault.what, "0 of 3000 rows") && fault.hint[0], "%s", fault.what);
  bristle_log_free(log);
}
