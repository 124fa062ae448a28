/* Fleets: changes of known size are found, and nothing else; tables survive a restart. */
#include "support/test.h"

#include "lab/fleet.h"
#include "lab/sim.h"
#include "fit/common/sort.h"
#include "fit/signals/signal.h"
#include "maths/counter.h"
#include "maths/elementary.h"
#include "maths/exponentials.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- changes of a series ---- */

static double normal(uint64_t seed, uint64_t at) { return normal_quantile(counter_part(seed, at, 0, 0)); }

TEST(fleet_change_has_the_rate_that_it_states)
{
  enum { DAYS = 100 };
  const uint64_t series = (uint64_t)test_share(20000, 5000);
  const double rate = 1e-3, threshold = normal_quantile(1 - rate / (2 * DAYS)); /* of one series */
  double y[DAYS], scratch[2 * DAYS], scatter;
  size_t since, alarms = 0;
  for (uint64_t s = 0; s < series; s++) {
    for (uint64_t i = 0; i < DAYS; i++) y[i] = 5 + 0.1 * normal(1, s * DAYS + i);
    alarms += bristle_fleet_change(y, DAYS, scratch, &since, &scatter) > threshold;
  }
  CHECK((double)alarms <= 2 * rate * (double)series, "%zu alarms in %g series", alarms, (double)series);
  /* a jump of four times the scatter is found to the day or nearly, and one bad day is none */
  for (uint64_t i = 0; i < DAYS; i++) y[i] = 5 + 0.1 * normal(2, i) + (i >= 70 ? 0.4 : 0);
  CHECK(bristle_fleet_change(y, DAYS, scratch, &since, &scatter) > threshold && since >= 68 && since <= 72, "since %zu",
        since);
  CHECK(scatter > 0.07 && scatter < 0.14, "scatter %g", scatter);
  for (uint64_t i = 0; i < DAYS; i++) y[i] = 5 + 0.1 * normal(3, i) + (i == 50 ? 40 : 0);
  CHECK(bristle_fleet_change(y, DAYS, scratch, &since, &scatter) < threshold, "an outlier");
  CHECK(isnan(bristle_fleet_change(y, 4, scratch, &since, &scatter)), "four days");
}

typedef struct made_up {
  double jump, drift; /* at the middle; over all days; of 1 */
  double bad;         /* one day, of 1 */
} made_up;

enum { SHORTEST = 5, LONGEST = 30 };

/* the part of `series` histories of a number with 0.5 % scatter whose change is above what chance reaches with the
 * probability `rate` */
static double part_found(const made_up *how, uint64_t days, uint64_t series, double rate)
{
  double y[LONGEST], scratch[2 * LONGEST], scatter;
  size_t since, found = 0;
  for (uint64_t s = 0; s < series; s++) {
    const uint64_t bad = (uint64_t)((double)days * counter_part(12, s, (uint32_t)days, 0));
    for (uint64_t i = 0; i < days; i++)
      y[i] = 1 + 0.005 * normal(10 + days, s * days + i) + (i >= days / 2 ? how->jump : 0)
             + how->drift * (double)i / (double)(days - 1) + (i == bad ? how->bad : 0);
    found += bristle_fleet_change(y, days, scratch, &since, &scatter) > -normal_quantile(rate / (2 * (double)days));
  }
  return (double)found / (double)series;
}

TEST(fleet_short_histories_have_the_rate_that_they_state)
{
  static const uint64_t days[] = { 5, 6, 7, 8, 10, 13, 16, 20, 24, 25, 30 };
  const int series = test_share(5000, 1000);
  for (size_t k = 0; k < sizeof days / sizeof *days; k++)
    for (double rate = 1e-2; rate > 5e-4; rate /= 10) {
      const double alarms = part_found(&(made_up){ 0 }, days[k], series, rate);
      const double bad = part_found(&(made_up){ .bad = 0.2 }, days[k], series / 4, rate); /* 40 times the scatter */
      CHECK(alarms <= rate + 4 * sqrt(rate / series), "%d days: %g for %g", (int)days[k], alarms, rate);
      CHECK(bad <= rate + 4 * sqrt(rate / (series / 4)), "%d days, one bad: %g for %g", (int)days[k], bad, rate);
    }
}

/* a fleet of 50 numbers that may raise one false alarm in 100 fleets */
TEST(fleet_short_histories_show_jumps_and_drifts)
{
  static const struct {
    uint64_t days;
    double jump, drift,
        despite; /* the least part that is found: 15 % at once, 14 % bit by bit, 15 % beside a bad day */
  } row[] = { { 5, 0.4, 0.15, 0 },     { 6, 0.95, 0.6, 0 },      { 7, 0.99, 0.9, 0.2 },   { 8, 0.99, 0.99, 0.6 },
              { 13, 0.99, 0.99, 0.9 }, { 24, 0.99, 0.99, 0.99 }, { 30, 0.99, 0.99, 0.99 } };
  for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
    const double jump = part_found(&(made_up){ .jump = 0.15 }, row[k].days, 1000, 0.01 / 50);
    const double drift = part_found(&(made_up){ .drift = 0.14 }, row[k].days, 1000, 0.01 / 50);
    const double despite = part_found(&(made_up){ .jump = 0.15, .bad = 0.2 }, row[k].days, 1000, 0.01 / 50);
    CHECK(jump >= row[k].jump && drift >= row[k].drift && despite >= row[k].despite, "%d days: %g, %g, %g",
          (int)row[k].days, jump, drift, despite);
  }
}

TEST(fleet_short_histories_say_when_and_how)
{
  double y[13], scratch[26], scatter;
  size_t since;
  for (uint64_t i = 0; i < 8; i++) y[i] = 5 + 0.025 * normal(31, i) + (i >= 3 ? 0.75 : 0);
  CHECK(bristle_fleet_change(y, 8, scratch, &since, &scatter) > 4 && since == 3, "since %zu", since);
  CHECK(scatter > 0.01 && scatter < 0.05, "scatter %g", scatter);
  for (uint64_t i = 0; i < 13; i++) y[i] = 5 + 0.025 * normal(32, i) + (i > 6 ? 0.1 * (double)(i - 6) : 0);
  CHECK(bristle_fleet_change(y, 13, scratch, &since, &scatter) > 4 && since >= 6 && since <= 8, "since %zu", since);
}

TEST(the_example_of_a_fleet_has_a_jump_a_drift_and_a_healthy_axis)
{
  char folder[] = "/tmp/bristle-fleet-XXXXXX", command[80];
  bristle_fleet_options o = { .threads = 2, .false_alarms = 0.01, .least = 0.05 };
  bristle_fleet *f;
  bristle_fleet_state state;
  bristle_fault fault = { .what = "" };
  o.law[o.laws++] = bristle_law_find("coulomb");
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  CHECK(!bristle_fleet_read("examples/fleet_faults/manifest.csv", &f, &fault), "%s", fault.what);
  CHECK(f && !bristle_fleet_compute(f, folder, &o, &state, &fault), "%s", fault.what);
  bristle_fleet_watch(f, &o);
  CHECK(f->axes == 3 && f->axis[0].column < 0 && f->axis[0].days == 8, "axis1: column %d", f->axis[0].column);
  CHECK(f->axis[1].column >= 0 && !f->axis[1].drifts && f->axis[1].since == 4, "axis2: since %zu", f->axis[1].since);
  CHECK(f->axis[2].column >= 0 && f->axis[2].drifts && fabs(f->axis[2].change - 0.14) < 0.03, "axis3: %g",
        f->axis[2].change);
  bristle_fleet_free(f);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(!system(command), "%s", command);
}

/* ---- made-up logs ---- */

typedef struct log_sink {
  FILE *out;
  uint64_t seed, at;
} log_sink;

static int write_row(void *context, const double *values)
{
  log_sink *s = context;
  fprintf(s->out, "%.4f,%.7f,%.6f,%.4f\n", values[0], values[1], values[2], values[3] + 0.05 * normal(s->seed, s->at));
  s->at++;
  return 0;
}

/* an axis that goes to and fro; `factor` of its levels, viscous friction, Stribeck speed */
static void write_log(const char *path, int axis, int day, size_t samples, const double factor[3])
{
  const uint64_t seed = (uint64_t)(axis * 1000 + day);
  double p[BRISTLE_LAW_SIZE];
  const bristle_law *law = bristle_law_find("lugre");
  const bristle_info *info = law->f64->info;
  static const double amplitude[] = { 0.08, 0.05 }, frequency[] = { 0.5, 0.13 };
  bristle_defaults(info, p);
  static const struct {
    const char *name;
    double value;
    int factor;
  } rows[] = { { "sigma0", 1e5, -1 }, { "sigma1", 200, -1 }, { "sigma2", 12, 1 },
               { "fc", 8, 0 },        { "fs", 11, 0 },       { "vs", 8e-3, 2 } };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double own = exp(0.2 * normal(99, (uint64_t)axis * 10 + (rows[i].factor < 0 ? 9 : (uint64_t)rows[i].factor)));
    const double today = exp(0.02 * normal(seed, 1000000 + (rows[i].factor < 0 ? 9 : (uint64_t)rows[i].factor)));
    p[bristle_param_find(info, rows[i].name)->first] = rows[i].value
                                                       * (rows[i].factor < 0 ? 1
                                                                             : own * today * factor[rows[i].factor]);
  }
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
  rig.as.driven = (bristle_driven){ .motion = { BRISTLE_PROGRAM_SINES, .count = 2, .amplitude = amplitude,
                                                .frequency = frequency },
                                    .velocity = 1,
                                    .contact = { .law = law, .p = p } };
  log_sink s = { fopen(path, "w"), seed, 0 };
  fputs("t [s],x [m],v [m/s],F [N]\n", s.out);
  const bristle_sim_options o = { .end = 10, .output = 10.0 / (double)samples, .rtol = 1e-6, .no_ledger = 1 };
  bristle_simulate(&rig, &o, &(bristle_sim_sink){ &s, .row = write_row }, NULL, NULL);
  fclose(s.out);
}

enum { DRY = 3, REPLACED = 1 }; /* the axis that loses its lubrication, and the one with another gearbox */

static void make_fleet(const char *folder, int axes, int days, size_t samples)
{
  char path[200];
  snprintf(path, sizeof path, "%s/logs.csv", folder);
  FILE *list = fopen(path, "w");
  fputs("axis,day,file\n", list);
  for (int a = 0; a < axes; a++)
    for (int d = 0; d < days; d++) {
      double factor[3] = { 1, 1, 1 };
      const double since = d - 0.6 * days;
      if (a == DRY && since > 0) factor[0] = 1 + 0.5 * since / (0.4 * days), factor[1] = 1 - 0.3 * since / (0.4 * days);
      if (a == REPLACED && d >= days / 2) factor[0] = 0.8, factor[1] = 1.3, factor[2] = 1.2;
      snprintf(path, sizeof path, "%s/%d_%d.csv", folder, a, d);
      write_log(path, a, d, samples, factor);
      fprintf(list, "axis%02d,%d,%d_%d.csv\n", a, d, a, d);
    }
  fclose(list);
}

static bristle_fleet_options usual(void)
{
  bristle_fleet_options o = { .threads = 2, .false_alarms = 0.01, .least = 0.05 };
  o.law[o.laws++] = bristle_law_find("coulomb");
  o.law[o.laws++] = bristle_law_find("stribeck");
  o.law[o.laws++] = bristle_law_find("lugre");
  return o;
}

static void check_fleet(const bristle_fleet *f, int days)
{
  for (size_t a = 0; a < f->axes; a++) {
    const bristle_fleet_axis *x = &f->axis[a];
    const int expected = a == DRY || a == REPLACED;
    CHECK((x->column >= 0) == expected, "%s (%s): %s changed by %g, %g", x->name, x->law,
          x->column >= 0 ? f->name[x->column] : "nothing", x->change, x->statistic);
    for (size_t i = x->first; i < x->first + x->count; i++)
      CHECK(f->entry[i].status == BRISTLE_FLEET_FINE, "%s: %s", f->entry[i].file, f->entry[i].doubt);
  }
  const bristle_fleet_axis *dry = &f->axis[DRY], *other = &f->axis[REPLACED];
  CHECK(dry->drifts && fabs((double)dry->since - 0.75 * days) < 0.15 * days, "since %zu, drifts %d", dry->since,
        dry->drifts);
  CHECK(!other->drifts && fabs((double)other->since - days / 2) <= 2, "since %zu, drifts %d", other->since,
        other->drifts);
}

static int stop_at_once(void *context, size_t done, size_t of)
{
  (void)context, (void)done, (void)of;
  return 1;
}

TEST(fleet_finds_what_changed_and_nothing_else)
{
  const int is_long = test_is_long(), axes = is_long ? 20 : 5, days = is_long ? 100 : 30;
  char folder[64], path[100], command[120];
  bristle_fault fault = { .what = "" };
  bristle_fleet *f;
  bristle_fleet_state state;
  snprintf(folder, sizeof folder, "%s/bristle-fleet-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  make_fleet(folder, axes, days, 600);
  snprintf(path, sizeof path, "%s/logs.csv", folder);
  bristle_fleet_options o = usual();
  o.threads = 1, o.progress = stop_at_once;
  CHECK(!bristle_fleet_read(path, &f, &fault), "%s", fault.what);
  CHECK(f->axes == (size_t)axes && f->entries == (size_t)(axes * days), "%zu axes", f->axes);
  CHECK(!bristle_fleet_compute(f, folder, &o, &state, &fault) && state.computed == 1, "%s", fault.what);
  bristle_fleet_free(f);
  o.threads = 2, o.progress = NULL;
  CHECK(!bristle_fleet_read(path, &f, &fault), "%s", fault.what);
  CHECK(!bristle_fleet_compute(f, folder, &o, &state, &fault), "%s", fault.what);
  CHECK(state.found == 1 && state.computed == (size_t)axes - 1 && !state.missing, "%zu found", state.found);
  bristle_fleet_watch(f, &o);
  check_fleet(f, days);
  bristle_fleet_free(f);
  CHECK(!bristle_fleet_read(path, &f, &fault), "%s", fault.what); /* and once more from the tables alone */
  CHECK(!bristle_fleet_compute(f, folder, &o, &state, &fault) && state.found == (size_t)axes, "%zu found", state.found);
  bristle_fleet_watch(f, &o);
  check_fleet(f, days);
  bristle_fleet_free(f);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(!system(command), "%s", command);
}

/* ---- a whole fleet, killed ---- */

static double processor_time(void)
{
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec)
         + 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

static bristle_fleet *compute(const char *list, const char *folder, const bristle_fleet_options *o)
{
  bristle_fault fault = { .what = "" };
  bristle_fleet *f = NULL;
  bristle_fleet_state state;
  CHECK(!bristle_fleet_read(list, &f, &fault), "%s", fault.what);
  CHECK(!bristle_fleet_compute(f, folder, o, &state, &fault), "%s", fault.what);
  bristle_fleet_watch(f, o);
  return f;
}

/* The same in a process that is killed when it has written a table or two. */
static void compute_killed(const char *list, const char *folder, const bristle_fleet_options *o)
{
  char path[200];
  const pid_t child = fork();
  if (child == 0) {
    bristle_fault fault;
    bristle_fleet *f;
    bristle_fleet_state state;
    if (!bristle_fleet_read(list, &f, &fault)) (void)!bristle_fleet_compute(f, folder, o, &state, &fault);
    _exit(0);
  }
  snprintf(path, sizeof path, "%s/axis-axis01.csv", folder);
  int status = 0;
  const struct timespec moment = { 0, 2000000 };
  while (access(path, F_OK) && !waitpid(child, &status, WNOHANG)) nanosleep(&moment, NULL);
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
}

/* 2,000 logs of 20 axes over 100 days, of 10,000 samples each (700 MB of files), with BRISTLE_LONG; otherwise fewer. */
/* ---- manifests ---- */

static bristle_fault_kind read_manifest(const char *folder, const char *text, size_t *entries, bristle_fault *fault)
{
  char path[200];
  bristle_fleet *f;
  snprintf(path, sizeof path, "%s/list.csv", folder);
  FILE *out = fopen(path, "w");
  fputs(text, out);
  fclose(out);
  const bristle_fault_kind kind = bristle_fleet_read(path, &f, fault);
  *entries = kind ? 0 : f->entries;
  bristle_fleet_free(f);
  return kind;
}

TEST(fleet_manifest_is_taken_at_its_word)
{
  static const struct {
    const char *text, *says; /* NULL: it is good */
  } cases[] = {
    { "file,axis,day\na.csv,one,2026-02-28\n", NULL },
    { "\xef\xbb\xbf"
      "file,axis,day\na.csv,one,2026-02-28\n",
      NULL },
    { "file,axis,day\n\"a \"\"b\"\", c.csv\",one,7.5\n", NULL },
    { "file,axis,day\na.csv,one,2024-02-29\n", NULL },
    { "file,axis,day\na.csv,one,2026-02-29\n", "'2026-02-29' is not a day" },
    { "file,axis,day\na.csv,one,2026-02-31\n", "is not a day" },
    { "file,axis,day\na.csv,one,2026-04-31\n", "is not a day" },
    { "file,axis,day\na.csv,one,1900-02-29\n", "is not a day" },
    { "file,axis,day\na.csv,one,2026-13-01\n", "is not a day" },
    { "file,axis,day\na.csv,one,\"2026-03-01, late\"\n", "is not a day" },
    { "file,axis,day\na.csv,\"one, two\",1\n", "is not a valid axis name" },
    { "datei,axis,day\na.csv,one,1\n", "column of files" },
  };
  char folder[] = "/tmp/bristle-fleet-XXXXXX", command[80];
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    bristle_fault fault = { .what = "" };
    size_t entries;
    const bristle_fault_kind kind = read_manifest(folder, cases[i].text, &entries, &fault);
    CHECK(!kind == !cases[i].says && (kind || entries == 1), "%zu: %s", i, fault.what);
    CHECK(!cases[i].says || strstr(fault.what, cases[i].says), "%zu: %s", i, fault.what);
  }
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(!system(command), "%s", command);
}

TEST(fleet_survives_a_kill)
{
  const int whole = getenv("BRISTLE_LONG") != NULL, axes = whole ? 20 : 4, days = whole ? 100 : 20;
  char folder[64], list[100], once[100], killed[100], command[400];
  bristle_fleet_options o = usual();
  snprintf(folder, sizeof folder, "%s/bristle-fleet-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  snprintf(list, sizeof list, "%s/logs.csv", folder);
  snprintf(once, sizeof once, "%s/once", folder);
  snprintf(killed, sizeof killed, "%s/killed", folder);
  CHECK(!mkdir(once, 0700) && !mkdir(killed, 0700), "%s", folder);
  make_fleet(folder, axes, days, whole ? 10000 : 300);
  const double begin = processor_time();
  bristle_fleet *f = compute(list, once, &o);
  if (whole) printf("%.1f ms of a processor for each log\n", 1e3 * (processor_time() - begin) / (axes * days));
  if (whole) check_fleet(f, days);
  for (size_t a = 0; a < f->axes && whole; a++)
    if (f->axis[a].column >= 0)
      printf("%s: %s by %.0f %%, since day %zu, %s\n", f->axis[a].name, f->name[f->axis[a].column],
             100 * f->axis[a].change, f->axis[a].since, f->axis[a].drifts ? "and goes on" : "at once");
  bristle_fleet_free(f);
  o.threads = 1;
  compute_killed(list, killed, &o);
  bristle_fleet_free(compute(list, killed, &o));
  snprintf(command, sizeof command, "rm -f '%s'/*part*; diff -r '%s' '%s'", killed, once, killed);
  CHECK(!system(command), "%s", command);
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(!system(command), "%s", command);
}

/* ---- what fleets made faster ---- */

TEST(fleet_sort_is_that_of_comparisons)
{
  enum { MOST = 5000 };
  static double a[MOST], b[MOST];
  for (int round = 0; round < 40; round++) {
    const size_t count = round < 3 ? (size_t)round : 1 + (size_t)(counter_part(5, (uint64_t)round, 0, 0) * MOST);
    for (size_t i = 0; i < count; i++) {
      const double part = counter_part(6, i, (uint32_t)round, 0);
      const double value = round % 4 == 0   ? normal(7, i)
                           : round % 4 == 1 ? floor(8 * part) - 4
                           : round % 4 == 2 ? (part < 0.3   ? -0.0
                                               : part < 0.6 ? 0.0
                                                            : 1e-320 * part)
                                            : ldexp(part - 0.5, (int)(2000 * part) - 1000);
      a[i] = b[i] = value;
    }
    sort_numbers(a, count);
    for (size_t i = 1; i < count; i++) { /* by insertion, which keeps equal ones in their order */
      const double x = b[i];
      size_t k = i;
      for (; k && b[k - 1] > x; k--) b[k] = b[k - 1];
      b[k] = x;
    }
    CHECK(!memcmp(a, b, count * sizeof *a), "round %d of %zu", round, count);
    for (size_t k = 0; k < 9 && count; k++) {
      const size_t place = k * (count - 1) / 8;
      for (size_t i = 0; i < count; i++) a[i] = b[(i * 7 + 3) % count]; /* some left out, and others twice */
      double own[MOST];
      memcpy(own, a, count * sizeof *a);
      sort_numbers(own, count);
      CHECK(sort_pick(a, count, place) == own[place], "round %d: %zu of %zu", round, place, count);
    }
  }
}

TEST(fleet_exponentials_are_those_of_one)
{
  for (uint64_t i = 0; i < 2000; i++) {
    double x[EXPONENTIALS], alone[EXPONENTIALS];
    for (uint32_t k = 0; k < EXPONENTIALS; k++) {
      const double part = counter_part(8, i, k, 0);
      x[k] = i == 0 ? 100.0 * k - 350 : i < 1000 ? 1400 * part - 700 : -ldexp(part, (int)(i % 60) - 50);
      alone[k] = same_exp(x[k]);
    }
    same_exponentials(x);
    CHECK(!memcmp(x, alone, sizeof x), "%llu", (unsigned long long)i);
  }
}

/* the filter of two sections at once is that of one after the other: a record and its parts, in either direction */
TEST(fleet_filter_of_columns_is_that_of_one)
{
  enum { COUNT = 700, MOST = 11 };
  static double column[MOST][COUNT], alone[MOST][COUNT];
  for (int order = 1; order <= 8; order++) {
    bristle_lowpass filter;
    bristle_fault fault;
    double *some[MOST];
    CHECK(!bristle_lowpass_design(order, 7, 100, &filter, &fault), "order %d", order);
    for (int c = 0; c < MOST; c++) {
      some[c] = column[c];
      for (uint64_t i = 0; i < COUNT; i++) column[c][i] = normal(9, i + 1000 * (uint64_t)c) + c;
      double y[COUNT + 200]; /* plainly: with its odd reflection, section by section, there and back */
      const size_t period = (size_t)ceil(100.0 / 7), least = 3 * ((size_t)order + 1);
      const size_t pad = period > least ? period : least, length = COUNT + 2 * pad;
      for (size_t i = 0; i < length; i++)
        y[i] = i < pad           ? 2 * column[c][0] - column[c][pad - i]
               : i < pad + COUNT ? column[c][i - pad]
                                 : 2 * column[c][COUNT - 1] - column[c][2 * COUNT + pad - 2 - i];
      for (int pass = 0; pass < 2 * filter.sections; pass++) {
        const int back = pass >= filter.sections;
        const bristle_section *s = &filter.section[pass % filter.sections];
        double first = 0, second = 0;
        for (size_t k = 0; k < length; k++) {
          double *at = &y[back ? length - 1 - k : k], in = *at;
          if (!k) second = (s->b2 - s->a2) * in, first = (s->b1 - s->a1) * in + second;
          *at = s->b0 * in + first;
          first = s->b1 * in - s->a1 * *at + second;
          second = s->b2 * in - s->a2 * *at;
        }
      }
      memcpy(alone[c], y + pad, sizeof alone[c]);
      double own[COUNT];
      CHECK(!bristle_lowpass_both_ways(&filter, column[c], COUNT, own, &fault), "order %d", order);
      CHECK(!memcmp(own, alone[c], sizeof own), "order %d: a column alone", order);
    }
    CHECK(!signal_lowpass_columns(&filter, some, MOST, COUNT, &fault), "order %d", order);
    CHECK(!memcmp(column, alone, sizeof column), "order %d: columns side by side", order);
  }
}
