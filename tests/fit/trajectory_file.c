/* Experiment files: the example is read and its axis found again; mistakes are named with their place. */
#include "lab/trajectory.h"
#include "support/test.h"

#include <unistd.h>

static const char example[] = "examples/servo/servo.yaml";

TEST(experiment_example_gives_the_servo_back)
{
  static const struct {
    const char *name;
    double value, tolerance;
  } truth[] = { { "mass", 0.0018, 0.02 }, { "gain", 0.12, 0.01 },     { "drag", 0.035, 0.01 },
                { "tilt", 0.02, 0.02 },   { "load_drive", 20, 0.03 }, { "fc", 0.008, 0.02 },
                { "fs", 0.012, 0.03 },    { "vs", 0.2, 0.1 },         { "sigma2", 0.008, 0.01 } };
  bristle_trajectory_file *file;
  bristle_identified *r = NULL;
  bristle_run_error error[4];
  bristle_fault fault;
  CHECK(!bristle_trajectory_file_read(example, &file, &fault), "%s: %s", fault.file, fault.what);
  if (!file) return;
  CHECK(file->fitted == 3 && file->held == 1 && file->trajectory.rotary, "%zu and %zu runs", file->fitted, file->held);
  CHECK(!strcmp(file->run[3].name, "check.csv") && file->run[1].kp == 20, "the order of the runs");
  CHECK(!bristle_trajectory_fit(&file->trajectory, &(bristle_identify_options){ .candidates = 200, .folds = -1 }, &r,
                                &fault),
        "%s", fault.what);
  for (size_t j = 0; r && j < sizeof truth / sizeof *truth; j++) {
    const bristle_estimate *found = NULL;
    for (int k = 0; k < r->estimates; k++)
      if (!strcmp(r->estimate[k].name, truth[j].name) && r->estimate[k].free) found = &r->estimate[k];
    CHECK(found && fabs(found->value / truth[j].value - 1) < truth[j].tolerance, "%s = %g, in truth %g", truth[j].name,
          found ? found->value : (double)NAN, truth[j].value);
  }
  if (r) {
    bristle_axis_values values;
    bristle_trajectory_values(&file->trajectory, r, &values);
    CHECK(!bristle_trajectory_errors(&file->trajectory, &values, 4, file->run, error, &fault), "%s", fault.what);
    CHECK(error[3].mean < 1.5e-3, "the run held out is off by %g rad; one count is 0.0015", error[3].mean);
  }
  bristle_identified_free(r);
  bristle_trajectory_file_free(file);
}

TEST(experiment_file_serves_other_laws)
{
  bristle_trajectory_file *file;
  bristle_fault fault;
  CHECK(!bristle_trajectory_file_read(example, &file, &fault), "%s: %s", fault.file, fault.what);
  if (!file) return;
  const bristle_law *law = bristle_law_find("coulomb");
  CHECK(!bristle_trajectory_file_law(file, law, &fault), "%s", fault.what);
  CHECK(file->trajectory.law == law, "the law was not changed");
  CHECK(file->trajectory.param[bristle_param_find(law->f64->info, "fc")->first].hi == 0.1, "fc keeps its bounds");
  bristle_trajectory_file_free(file);
}

/* ---- mistakes ---- */

static const char *const head = "columns: {target: target, enabled: enabled}\n";

TEST(experiment_mistakes_are_named)
{
  static const struct {
    const char *text, *expected;
    size_t line;
  } cases[] = {
    { "unknown: {fc: [1, 2]}\nruns: [{file: '%s/slow.csv'}]\n", "'model' is missing", 2 },
    { "model: stribek\nunknown: {fc: [1, 2]}\nruns: [{file: '%s/slow.csv'}]\n", "did you mean 'stribeck'", 2 },
    { "model: coulomb\nunknown: {fx: [1, 2]}\nruns: [{file: '%s/slow.csv'}]\n", "'fx' is neither", 3 },
    { "model: coulomb\nunknown: {fc: [2, 1]}\nruns: [{file: '%s/slow.csv'}]\n", "do not rise", 3 },
    { "model: coulomb\nunknown: {fc: [1]}\nruns: [{file: '%s/slow.csv'}]\n", "found 1 numbers", 3 },
    { "model: coulomb\nunknown: {inertia: [1 m, 2 m]}\nruns: [{file: '%s/slow.csv'}]\n", "m", 3 },
    { "model: stribeck\nunknown: {form: [0, 2]}\nruns: [{file: '%s/slow.csv'}]\n", "option", 3 },
    { "model: coulomb\nunknown: {fc: [1, 2]}\nruns: []\n", "found 0 runs", 4 },
    { "model: coulomb\nunknown: {fc: [1, 2]}\nruns: [{file: '%s/slow.csv', held: true}]\n", "held out", 4 },
    { "model: coulomb\nunknown: {fc: [1, 2]}\nruns: [{file: '%s/slow.csv', kq: 1}]\n", "kq", 4 },
    { "model: coulomb\nunknown: {fc: [1, 2]}\nruns: [{file: '%s/missing.csv'}]\n", "cannot be read", 0 },
    { "model: coulomb\nunkown: {fc: [1, 2]}\nruns: [{file: '%s/slow.csv'}]\n", "unkown", 3 },
  };
  char path[] = "/tmp/bristle-experiment-XXXXXX", folder[4096];
  const int made = mkstemp(path);
  CHECK(made >= 0 && realpath("examples/servo", folder), "no place for a file");
  if (made < 0) return;
  close(made);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    bristle_trajectory_file *file;
    bristle_fault fault;
    FILE *out = fopen(path, "w");
    CHECK(out, "%s cannot be written", path);
    if (!out) break;
    fputs(head, out);
    fprintf(out, cases[k].text, folder);
    fclose(out);
    CHECK(bristle_trajectory_file_read(path, &file, &fault) && !file, "case %zu was accepted", k);
    CHECK(strstr(fault.what, cases[k].expected), "case %zu says: %s", k, fault.what);
    CHECK(!cases[k].line || fault.line == cases[k].line || fault.line == 1, "case %zu: line %zu", k, fault.line);
    bristle_trajectory_file_free(file);
  }
  remove(path);
}
