/* Sweeps: their random numbers against published ones, their files, and what may not change them. */
#include "support/test.h"

#include "lab/sweep.h"
#include "maths/counter.h"
#include "maths/sobol.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- numbers ---- */

/* known answers of the authors (Random123) */
TEST(sweep_counter_gives_the_published_words)
{
  static const uint32_t known[3][10] = { { 0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 },
                                         { ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x408f276d, 0x41c83b0e, 0xa20bc7c6,
                                           0x6d5451fd },
                                         { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
                                           0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } };
  for (int i = 0; i < 3; i++) {
    uint32_t out[4];
    counter_words(known[i], known[i] + 4, out);
    for (int k = 0; k < 4; k++) CHECK(out[k] == known[i][6 + k], "%d: %08x", i, out[k]);
  }
}

TEST(sweep_normal_quantile_inverts_erfc)
{
  CHECK_ABS(normal_quantile(0.5), 0, 1e-12);
  CHECK_ABS(normal_quantile(0.975), 1.959963984540054, 1e-9);
  CHECK_ABS(normal_quantile(1e-10), -6.361340902404056, 1e-8);
  for (double p = 1e-14; p < 1; p = p < 0.5 ? 1.7 * p : p + 0.01)
    CHECK_ABS(0.5 * erfc(-normal_quantile(p) / sqrt(2)) / p, 1, 1e-8);
}

TEST(sweep_sobol_fills_every_interval_once)
{
  static const double second[] = { 0, 0.5, 0.75, 0.25, 0.375, 0.875, 0.625, 0.125 };
  static const double third[] = { 0, 0.5, 0.25, 0.75, 0.375, 0.875, 0.125, 0.625 };
  sobol *s = malloc(sizeof *s);
  const double unit = 1.0 / 4503599627370496.0;
  sobol_start(s);
  for (uint64_t n = 0; n < 8; n++) {
    CHECK_ABS((double)sobol_bits(s, n, 0) * unit, second[n], 0);
    CHECK((double)sobol_bits(s, n, 1) * unit == third[n] || n > 3, "point %d", (int)n);
  }
  for (int d = 0; d < SOBOL_DIMENSIONS; d++) {
    char seen[1024] = { 0 };
    for (uint64_t n = 0; n < 1024; n++) seen[sobol_bits(s, n, d) >> (SOBOL_BITS - 10)]++;
    for (int k = 0; k < 1024; k++) CHECK(seen[k] == 1, "dimension %d: %d points in interval %d", d, seen[k], k);
  }
  /* pairs: the mean of a product is that of independent coordinates */
  for (int d = 1; d < SOBOL_DIMENSIONS; d++) {
    double sum = 0;
    for (uint64_t n = 0; n < 4096; n++)
      sum += ((double)sobol_bits(s, n, d) * unit - 0.5) * ((double)sobol_bits(s, n, d - 1) * unit - 0.5);
    CHECK_ABS(sum / 4096, 0, 2e-3);
  }
  free(s);
}

/* ---- sweeps ---- */

static char *folder_new(void)
{
  static char name[64];
  snprintf(name, sizeof name, "%s/bristle-sweep-XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
  return mkdtemp(name);
}

static void write_text(const char *folder, const char *name, const char *text)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *out = fopen(path, "w");
  fputs(text, out);
  fclose(out);
}

static void remove_folder(const char *folder)
{
  char command[120];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  CHECK(!system(command), "%s", command);
}

#define RIG                                                                                                  \
  "scenario: {rig: spring-pull, mass: 1, stiffness: 2 N/m, speed: 0.1 m/s, time: {end: 2 s, output: 0.5 s},\n" \
  "  friction: {model: lugre, parameters: {sigma0: 1e5, sigma1: 316, sigma2: 0.4, fc: 1, fs: 1.5, vs: 1e-3}}}\n"

static bristle_sweep *sweep_of(const char *folder, const char *text, bristle_fault *fault)
{
  char path[200];
  bristle_sweep *s;
  write_text(folder, "spec.yaml", text);
  snprintf(path, sizeof path, "%s/spec.yaml", folder);
  bristle_sweep_read(path, &s, fault);
  return s;
}

static size_t column_of(const bristle_sweep *s, const char *name)
{
  for (size_t i = 0; i < s->columns; i++)
    if (!strcmp(s->column[i].name, name)) return i;
  return (size_t)-1;
}

TEST(sweep_run_is_the_scenario_with_its_keys)
{
  char *folder = folder_new(), why[400];
  bristle_fault fault = { .what = "" };
  bristle_sweep *s = sweep_of(folder,
                              RIG "keys: {stiffness: [1 N/m, 20 N/m], friction.fs: {from: 1, to: 2, count: 3}}\n"
                                  "quantities: [end.x, max.F, slips, energy.in]\nseries: [x]\n",
                              &fault);
  CHECK(s && s->runs == 6 && s->width == 3 + 4 + 5, "%s", fault.what);
  if (!s) return;
  double row[12];
  bristle_sweep_run(s, 5, row, why);
  CHECK(row[0] == 20 && row[1] == 2 && row[2] == 0, "%g %g %s", row[0], row[1], why);
  CHECK_ABS(row[3], row[11], 0); /* the last of the series is the end */
  char settings[100];
  bristle_sweep_settings(s, row, settings, sizeof settings);
  CHECK(!strcmp(settings, "stiffness=20 N/m,friction.fs=2"), "%s", settings);
  bristle_sweep_free(s);
  remove_folder(folder);
}

TEST(sweep_draws_again_what_the_law_refuses)
{
  char *folder = folder_new();
  bristle_fault fault = { .what = "" };
  /* a static level below the sliding one breaks a rule */
  bristle_sweep *s = sweep_of(folder, RIG "keys: {friction.fs: {uniform: [0, 2]}}\nruns: 40\nquantities: [steps]\n",
                              &fault);
  CHECK(s != NULL, "%s", fault.what);
  double redraws = 0, row[8];
  for (unsigned long long i = 0; s && i < s->runs; i++) {
    bristle_sweep_run(s, i, row, NULL);
    CHECK(row[0] >= 1 && row[1] == BRISTLE_SWEEP_DONE, "fs %g, status %g", row[0], row[1]);
    redraws += row[2];
  }
  CHECK(redraws > 10 && redraws < 100, "%g redraws", redraws);
  bristle_sweep_free(s);
  /* on a grid nothing is drawn again: the run is refused, and says so */
  s = sweep_of(folder, RIG "keys: {friction.fs: [0.5, 1.5]}\nquantities: [steps]\n", &fault);
  CHECK(s != NULL, "%s", fault.what);
  char why[400];
  if (s) bristle_sweep_run(s, 0, row, why);
  CHECK(row[1] == BRISTLE_SWEEP_REFUSED && isnan(row[2]) && strstr(why, "fs"), "%s", why);
  bristle_sweep_free(s);
  remove_folder(folder);
}

static int stop_soon(void *context, unsigned long long done, unsigned long long of)
{
  (void)of;
  return done >= *(unsigned long long *)context;
}

static char *bytes_of(const char *folder, const char *name, size_t *size)
{
  char path[200];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *in = fopen(path, "rb");
  char *bytes = malloc(1 << 20);
  *size = in ? fread(bytes, 1, 1 << 20, in) : 0;
  if (in) fclose(in);
  return bytes;
}

TEST(sweep_chunks_do_not_depend_on_who_computes_them)
{
  static const char text[] = RIG "keys: {speed: {uniform: [0.05 m/s, 0.2 m/s]}, stiffness: [1, 4]}\n"
                                 "runs: 25\nseed: 3\nchunk: 7\nquantities: [end.x, slips]\n";
  char *folder = folder_new(), other[100], name[64];
  bristle_fault fault = { .what = "" };
  bristle_sweep_state state;
  unsigned long long enough = 8;
  snprintf(other, sizeof other, "%s/other", folder);
  bristle_sweep *s = sweep_of(folder, text, &fault);
  CHECK(s && s->chunks == 8 && s->runs == 50, "%s", fault.what);
  if (!s) return;
  CHECK(!bristle_sweep_compute(s, folder, &(bristle_sweep_options){ .threads = 1 }, &state, &fault), "%s", fault.what);
  CHECK(state.computed == 8 && !state.missing, "%llu chunks", state.computed);
  CHECK(!mkdir(other, 0777), "%s", other);
  bristle_sweep_options part = { .threads = 2, .shard = 1, .shards = 3, .context = &enough, .progress = stop_soon };
  CHECK(!bristle_sweep_compute(s, other, &part, &state, &fault), "%s", fault.what);
  CHECK(state.stopped && state.missing == 6, "%llu missing", state.missing);
  CHECK(!bristle_sweep_compute(s, other, &(bristle_sweep_options){ .threads = 2 }, &state, &fault), "%s", fault.what);
  CHECK(state.found == 2 && state.computed == 6 && !state.missing, "%llu found", state.found);
  for (int k = 0; k <= 8; k++) {
    size_t one, two;
    snprintf(name, sizeof name, k < 8 ? "chunk-%06d.npy" : "manifest.json", k);
    char *a = bytes_of(folder, name, &one), *b = bytes_of(other, name, &two);
    CHECK(one && one == two && !memcmp(a, b, one), "%s: %zu and %zu bytes", name, one, two);
    free(a), free(b);
  }
  bristle_sweep_free(s);
  remove_folder(folder);
}

TEST(sweep_names_a_damaged_chunk)
{
  char *folder = folder_new(), path[200];
  bristle_fault fault = { .what = "" };
  bristle_sweep_state state;
  bristle_sweep *s = sweep_of(folder, RIG "keys: {speed: [0.1, 0.2, 0.3]}\nchunk: 1\nquantities: [end.x]\n", &fault);
  CHECK(s && !bristle_sweep_compute(s, folder, &(bristle_sweep_options){ .threads = 1 }, &state, &fault), "%s",
        fault.what);
  if (!s) return;
  CHECK(!bristle_sweep_check(s, folder, &fault), "%s", fault.what);
  snprintf(path, sizeof path, "%s/chunk-000001.npy", folder);
  FILE *file = fopen(path, "r+b");
  fseek(file, 200, SEEK_SET);
  const int byte = fgetc(file);
  fseek(file, 200, SEEK_SET);
  fputc(byte ^ 1, file);
  fclose(file);
  CHECK(bristle_sweep_check(s, folder, &fault) && strstr(fault.file, "chunk-000001.npy")
            && strstr(fault.what, "damaged"),
        "%s: %s", fault.file, fault.what);
  bristle_sweep_summary *sum;
  CHECK(bristle_sweep_sum(s, folder, &sum, &fault) && strstr(fault.file, "chunk-000001"), "%s", fault.file);
  CHECK(!truncate(path, 300), "cut");
  CHECK(!bristle_sweep_compute(s, folder, &(bristle_sweep_options){ .threads = 1 }, &state, &fault) && state.again == 1,
        "%s", fault.what);
  CHECK(!bristle_sweep_check(s, folder, &fault), "%s", fault.what);
  bristle_sweep_free(s);
  /* another spec does not take the folder */
  s = sweep_of(folder, RIG "keys: {speed: [0.1, 0.2]}\nchunk: 1\nquantities: [end.x]\n", &fault);
  CHECK(s && bristle_sweep_compute(s, folder, &(bristle_sweep_options){ .threads = 1 }, &state, &fault)
            && strstr(fault.what, "another sweep"),
        "%s", fault.what);
  bristle_sweep_free(s);
  remove_folder(folder);
}

/* A body that slides to rest under Coulomb friction: x = v^2 m/(2 fc), so that logarithms add up and shares of the
   variance are known: those of 2 log v and log fc. Its end is stopped, so energies are m v^2/2. */
TEST(sweep_indices_are_those_of_a_known_function)
{
  char *folder = folder_new();
  bristle_fault fault = { .what = "" };
  bristle_sweep_state state;
  bristle_sweep *s = sweep_of(folder,
                              "scenario: {rig: mass, mass: 1 kg, initial: {v: 1 m/s}, time: {end: 3 s},\n"
                              "  friction: {model: coulomb, parameters: {fc: 1, sigma2: 0}}}\n"
                              "keys: {friction.fc: {uniform: [1, 3]}, mass: {uniform: [1, 2]}}\n"
                              "sampling: sobol\nindices: true\nruns: 512\nquantities: [end.x, energy.friction]\n",
                              &fault);
  CHECK(s && s->runs == 2048, "%s", fault.what);
  if (!s) return;
  CHECK(!bristle_sweep_compute(s, folder, &(bristle_sweep_options){ .threads = 1 }, &state, &fault), "%s", fault.what);
  bristle_sweep_summary *sum;
  CHECK(!bristle_sweep_sum(s, folder, &sum, &fault), "%s", fault.what);
  const size_t x = column_of(s, "end.x") * s->columns, e = column_of(s, "energy.friction") * s->columns;
  /* x = m/(2 fc): E m^2 = 7/3, E m = 3/2, E 1/fc^2 = 1/3, E 1/fc = log(3)/2 */
  const double vm = 7.0 / 3 - 2.25, f1 = log(3) / 2, vf = 1.0 / 3 - f1 * f1, all = (7.0 / 3) / 3 - 2.25 * f1 * f1;
  CHECK_ABS(sum->share[x + 0], 2.25 * vf / all, 0.02);
  CHECK_ABS(sum->share[x + 1], f1 * f1 * vm / all, 0.02);
  CHECK_ABS(sum->total[x + 0], (2.25 * vf + vm * vf) / all, 0.02);
  CHECK_ABS(sum->share[e + 0], 0, 1e-6);
  CHECK_ABS(sum->share[e + 1], 1, 0.02);
  CHECK_ABS(sum->total[e + 1], 1, 0.02);
  bristle_sweep_summary_free(sum);
  bristle_sweep_free(s);
  remove_folder(folder);
}

/* ---- what the results are made of ---- */

/* a chunk of another model may not be taken over: nonzero where the folder is refused */
static int refuses_folder(const char *folder, const char *spec)
{
  char results[120];
  bristle_fault fault = { .what = "" };
  bristle_sweep_state state;
  snprintf(results, sizeof results, "%s/results", folder);
  mkdir(results, 0777);
  bristle_sweep *s = sweep_of(folder, spec, &fault);
  CHECK(s != NULL, "%s: %s", fault.file, fault.what);
  if (!s) return -1;
  const int refused = bristle_sweep_compute(s, results, &(bristle_sweep_options){ .threads = 2 }, &state, &fault) != 0;
  CHECK(!refused || strstr(fault.what, "another sweep"), "%s", fault.what);
  bristle_sweep_free(s);
  return refused;
}

static void remove_results(const char *folder)
{
  char results[120];
  snprintf(results, sizeof results, "%s/results", folder);
  remove_folder(results);
}

#define MODEL(fc) "bristle: 1\nmodel: coulomb\nparameters: {fc: " fc ", sigma2: 0}\n"
#define BODY                                                                                  \
  "rig: mass, mass: 1 kg, initial: {v: 1 m/s}, time: {end: 1 s, output: 0.5 s}, friction: " \
  "{model: coulomb, parameters: {fc: 1, sigma2: 0}}"
#define BARE "{rig: mass, mass: 1 kg, initial: {v: 1 m/s}, time: {end: 1 s, output: 0.5 s}, friction: {file: one.yaml}}\n"

TEST(sweep_is_known_by_every_file_that_it_opens)
{
  static const struct {
    const char *what, *spec, *changed;
  } cases[] = {
    { "in the scenario", "scenario: " BARE "keys: {mass: [1, 2]}\nquantities: [end.v]\n", "one.yaml" },
    { "in another file", "scenario: body.yaml\nkeys: {mass: [1, 2]}\nquantities: [end.v]\n", "one.yaml" },
    { "the other file", "scenario: body.yaml\nkeys: {mass: [1, 2]}\nquantities: [end.v]\n", "body.yaml" },
    { "set", "scenario: body.yaml\nset: {friction.file: %s/two.yaml}\nkeys: {mass: [1, 2]}\nquantities: [end.v]\n",
      "two.yaml" },
    { "first of the keys",
      "scenario: body.yaml\nkeys: {friction.file: [%s/one.yaml, %s/two.yaml]}\nquantities: [end.v]\n", "one.yaml" },
    { "second of the keys",
      "scenario: body.yaml\nkeys: {friction.file: [%s/one.yaml, %s/two.yaml]}\nquantities: [end.v]\n", "two.yaml" },
    { "not there yet", "scenario: body.yaml\nkeys: {friction.file: [%s/one.yaml, %s/new.yaml]}\nquantities: [end.v]\n",
      "new.yaml" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *folder = folder_new(), spec[600];
    write_text(folder, "one.yaml", MODEL("1"));
    write_text(folder, "two.yaml", MODEL("2"));
    write_text(folder, "body.yaml", BARE);
    snprintf(spec, sizeof spec, cases[i].spec, folder, folder);
    CHECK(refuses_folder(folder, spec) == 0, "%s: new", cases[i].what);
    CHECK(refuses_folder(folder, spec) == 0, "%s: unchanged", cases[i].what);
    write_text(folder, cases[i].changed, strcmp(cases[i].changed, "body.yaml") ? MODEL("0.5") : "{" BODY "}\n");
    CHECK(refuses_folder(folder, spec) == 1, "%s: results of the old %s were taken over", cases[i].what,
          cases[i].changed);
    remove_results(folder);
    CHECK(refuses_folder(folder, spec) == 0, "%s: changed", cases[i].what);
    remove_folder(folder);
  }
}
