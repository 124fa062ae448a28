/* Joint files and the verb that reads them; the verb runs inside the test, its output goes to files. */
#include "common/cli.h"

#include "lab/io.h"
#include "support/test.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

extern const verb verb_joint;

static char folder[] = "/tmp/bristle-test-XXXXXX";

static const char *in_folder(const char *name)
{
  static char path[8][200];
  static int next;
  next = (next + 1) % 8;
  if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder) != NULL, "no folder");
  snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
  return path[next];
}

__attribute__((destructor)) static void remove_folder(void)
{
  static const char *const names[] = { "out", "err", "joint.yaml", "data.csv", "old.csv" };
  if (strstr(folder, "XXXXXX")) return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(in_folder(names[i]));
  rmdir(folder);
}

static void write_file(const char *name, const char *text)
{
  FILE *file = fopen(in_folder(name), "w");
  fputs(text, file);
  fclose(file);
}

static const char *read_file(const char *path)
{
  static char text[2][60000];
  static int next;
  next = !next;
  FILE *file = fopen(path, "r");
  if (!file) return "(none)";
  text[next][fread(text[next], 1, sizeof text[next] - 1, file)] = '\0';
  fclose(file);
  return text[next];
}

/* runs the verb; what it prints is in the files out and err of the folder */
static int joint(int argc, const char *const *argv)
{
  char *arguments[16];
  int saved[2], code;
  fflush(stdout), fflush(stderr);
  for (int i = 0; i < argc; i++) arguments[i] = (char *)(uintptr_t)argv[i];
  for (int k = 0; k < 2; k++) {
    saved[k] = dup(k + 1);
    int file = open(in_folder(k ? "err" : "out"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(file, k + 1);
    close(file);
  }
  code = verb_main(&verb_joint, argc, arguments);
  fflush(stdout), fflush(stderr);
  for (int k = 0; k < 2; k++) {
    dup2(saved[k], k + 1);
    close(saved[k]);
  }
  return code;
}

static int run_on(const char *yaml, const char *csv)
{
  write_file("joint.yaml", yaml);
  write_file("data.csv", csv);
  const char *const argv[] = { in_folder("joint.yaml"), "--reactions", in_folder("data.csv") };
  return joint(3, argv);
}

/* what the verb says about a bad pair of files, without the name of the folder */
static const char *complaint(const char *yaml, const char *csv)
{
  static char expected_start[300];
  int code = run_on(yaml, csv);
  const char *said = read_file(in_folder("err"));
  snprintf(expected_start, sizeof expected_start, "bristle joint: %s/", folder);
  CHECK(code == BAD_DATA && read_file(in_folder("out"))[0] == '\0', "code %d, or output in spite of a fault", code);
  if (strncmp(said, expected_start, strlen(expected_start))) return said;
  char *end = strchr(said + strlen(expected_start), '\n');
  if (end) *end = '\0';
  return said + strlen(expected_start);
}

#define CHECK_SAYS(yaml, csv, expected)                                                              \
  do {                                                                                               \
    const char *said_ = complaint(yaml, csv);                                                        \
    CHECK(!strcmp(said_, expected), "says:\n    %s", said_);                                         \
  } while (0)

static double cell(const bristle_table *table, const char *name, const char *unit, size_t row)
{
  const bristle_column *column = NULL;
  bristle_wanted wanted = { name, unit, 0 };
  if (!table || row >= table->rows || bristle_table_pick(table, &wanted, &column, NULL)) return (double)NAN;
  return column->data[row];
}

static bristle_table *result(void)
{
  bristle_table *table = NULL;
  bristle_table_read(in_folder("out"), &table, NULL);
  return table;
}

#define BALL                                                                                         \
  "type: spherical\ngeometry: {ball_radius: 10 mm}\ninputs: reaction\n"                            \
  "friction: {model: lugre, parameters: {sigma0: 100 1/mm, sigma1: 0.316 s/mm, "                     \
  "sigma2: 0.0004 s/mm, fc: 0.25, fs: 0.3, vs: 0.1 mm/s}}\n"
#define HINGE "type: revolute\ngeometry: {pin_radius: 10 mm, friction_arm: 5 mm, bending_arm: 50 mm}\n"
#define DRY "friction: {model: coulomb, parameters: {fc: 0.2}}\n"

/* Altair's ball: r_B = 10 mm, F_N = 1000 N along z: w = (1,0,0) rad/s gives mu = -0.254, tau = -2540 N mm */
TEST(the_verb_gives_the_motionsolve_test_vector)
{
  CHECK(run_on(BALL, "t,wx,wy,wz,fx,fy,fz\n0,0,0,0,0,0,1000\n1,1,0,0,0,0,1000\n3,1,0,0,0,0,1000\n") == DONE, "%s",
        read_file(in_folder("err")));
  bristle_table *table = result();
  CHECK_PRINTED(cell(table, "tx", "N*m", 2), "-2.54000000");
  CHECK_ABS(cell(table, "ty", "N*m", 2), 0, 1e-12);
  CHECK_PRINTED(cell(table, "mu", "1", 2), "0.254000000");
  CHECK_PRINTED(cell(table, "slip", "m/s", 2), "0.010000000");
  CHECK_PRINTED(cell(table, "N", "N", 2), "1000.00000");
  bristle_table_free(table);
}

TEST(spin_about_the_load_gets_no_torque)
{
  CHECK(run_on(BALL, "t,wx,wy,wz,fx,fy,fz\n0,0,0,0,0,0,1000\n1,0,0,1,0,0,1000\n") == DONE, "runs");
  bristle_table *table = result();
  CHECK_ABS(cell(table, "tz", "N*m", 1), 0, 1e-12);
  bristle_table_free(table);
}

/* T = mu (Rp F_rad + Rn F_ax + (Rp/Rb) M_bend + T_pre/mu_s), all parts by hand */
TEST(a_hinge_adds_its_loads)
{
  CHECK(run_on(HINGE "preload: {torque: 100 N*mm}\n" DRY,
               "t [s],w [rpm],fx [N],fy [N],fz [N],mx [N*m],my "
               "[N*m]\n0,60,300,400,40,3,4\n1,60,300,400,40,3,4\n2,-60,0,0,0,0,0\n")
            == DONE,
        "%s", read_file(in_folder("err")));
  bristle_table *table = result();
  CHECK_NEAR(cell(table, "tz", "N*m", 1), -0.2 * (0.01 * 500 + 0.005 * 40 + 0.2 * 5 + 0.1 / 0.2), 1e-12);
  CHECK_NEAR(cell(table, "N", "N", 1), 500.0 + 20 + 100 + 50, 1e-12);
  CHECK_NEAR(cell(table, "tz", "N*m", 2), 0.1, 1e-12);
  CHECK_ABS(cell(table, "mu", "1", 2), 0.2, 1e-15);
  bristle_table_free(table);
}

/* 200 samples and 2000 samples of the same motion agree at the common instants */
TEST(the_result_does_not_depend_on_the_sampling)
{
  static char csv[2][200000];
  bristle_table *table[2];
  for (int k = 0; k < 2; k++) {
    int rows = k ? 2001 : 201;
    size_t used = (size_t)snprintf(csv[k], sizeof csv[k], "t,w,fx,fy,fz,mx,my\n");
    for (int i = 0; i < rows; i++) {
      double t = 2.0 * i / (rows - 1), w = 1 - fabs(1 - t); /* up and down: piecewise linear in both */
      used += (size_t)snprintf(csv[k] + used, sizeof csv[k] - used, "%.17g,%.17g,100,0,0,0,0\n", t, 1e-3 * w);
    }
    CHECK(run_on(HINGE "friction: {model: lugre, parameters: {sigma0: 1e4, sigma1: 10, sigma2: 0, fc: 0.2, fs: 0.3}}\n",
                 csv[k])
              == DONE,
          "%s", read_file(in_folder("err")));
    table[k] = result();
  }
  double largest = 0;
  for (size_t i = 0; i < 201; i++)
    largest = fmax(largest, fabs(cell(table[0], "mu", "1", i) - cell(table[1], "mu", "1", 10 * i)));
  CHECK(largest < 1e-7, "differs by %g", largest);
  bristle_table_free(table[0]);
  bristle_table_free(table[1]);
}

TEST(the_examples_run_and_give_every_column)
{
  static const char *const names[] = { "hinge", "slide", "ball", "sleeve" };
  for (int i = 0; i < 4; i++) {
    char yaml[100], csv[100];
    snprintf(yaml, sizeof yaml, "examples/joints/%s.yaml", names[i]);
    snprintf(csv, sizeof csv, "examples/joints/%s.csv", names[i]);
    const char *const argv[] = { yaml, "--reactions", csv, "-o", in_folder("friction.csv"), "--json" };
    CHECK(joint(6, argv) == DONE, "%s: %s", names[i], read_file(in_folder("err")));
    const char *summary = read_file(in_folder("out"));
    CHECK(strstr(summary, "\"work_against_friction_J\": ") && summary[0] == '{', "%s: %s", names[i], summary);
    static const char header[] = "t [s],fx [N],fy [N],fz [N],tx [N*m],ty [N*m],tz [N*m],mu,slip [m/s],N [N]";
    const char *rows = read_file(in_folder("friction.csv"));
    /* coulomb, in the sleeve, has no bristle, so no coupling of one */
    const int coupled = strstr(rows, ",lambda [m/s],C0 [1/s]\n") != NULL;
    CHECK(!strncmp(rows, header, sizeof header - 1) && coupled == (i < 3), "%s", names[i]);
    bristle_table *table;
    CHECK(!bristle_table_read(in_folder("friction.csv"), &table, NULL) && table->rows >= 101, "%s", names[i]);
    for (size_t k = 0; table && k < table->rows; k++)
      CHECK(isfinite(cell(table, "mu", "1", k)), "%s, row %zu", names[i], k);
    bristle_table_free(table);
    unlink(in_folder("friction.csv"));
  }
}

TEST(bad_joint_files_are_refused_with_their_line)
{
  const char *csv = "t,w,fx,fy,fz,mx,my\n0,0,1,1,1,1,1\n";
  CHECK_SAYS("type: revolut\n", csv,
             "joint.yaml:1:7: 'type': found 'revolut', expected revolute, translational, cylindrical, spherical or "
             "universal; did you "
             "mean 'revolute'?");
  CHECK_SAYS("name: x\n", csv, "joint.yaml:1:1: the key 'type' is missing; write type: revolute");
  CHECK_SAYS("type: revolute\ngeometry: {ball_radius: 1 mm}\n", csv,
             "joint.yaml:2:12: 'ball_radius' is no key here; did you mean 'pin_radius'?");
  CHECK_SAYS(
      "type: revolute\ngeometry:\n  pin_radius: -1 mm\n  bending_arm: 1\n" DRY, csv,
      "joint.yaml:3:15: 'pin_radius': revolute: pin_radius = -0.001 breaks a rule: a length must not be negative");
  CHECK_SAYS("type: revolute\nname: knee\ngeometry:\n  pin_radius: 1 mm\n" DRY, csv,
             "joint.yaml:4:3: 'geometry': knee: bending_arm = 0 breaks a rule: bending_arm must be above 0: bending is "
             "among the "
             "inputs");
  CHECK_SAYS(
      "type: revolute\ngeometry: {pin_radius: 1 N}\n", csv,
      "joint.yaml:2:24: 'pin_radius': found '1 N' (a force), expected a length in m; check the value and its unit");
  CHECK_SAYS(HINGE "inputs: [reaction, wind]\n" DRY, csv,
             "joint.yaml:3:20: 'inputs': found 'wind', expected preload, reaction, bending or torsion");
  CHECK_SAYS(HINGE "inputs: torsion\n" DRY, csv,
             "joint.yaml:3:9: 'inputs': revolute: inputs = 8 breaks a rule: only a translational joint carries a "
             "torsional moment");
  CHECK_SAYS(HINGE "preload: {force: 1 N}\n" DRY, csv,
             "joint.yaml:3:18: 'force': revolute: preload_force = 1 breaks a rule: this joint cannot slide: it takes a "
             "preload_torque");
  CHECK_SAYS(HINGE "combine: mix\n" DRY, csv,
             "joint.yaml:3:10: 'combine': found 'mix', expected sum or max; did you mean 'max'?");
  CHECK_SAYS(HINGE, csv,
             "joint.yaml:1:1: the key 'friction' is missing; write friction: {model: NAME, parameters: {...}}");
  CHECK_SAYS(HINGE "friction: {model: coulomb, load: force}\n", csv,
             "joint.yaml:3:11: 'friction': found the load form 'force', expected 'coefficient': a joint has no load of "
             "its own; give "
             "friction coefficients, with load: coefficient or without `load`");
  CHECK_SAYS(HINGE "friction: {model: coulomb}\n", csv,
             "joint.yaml:3:11: 'friction': the parameter 'fc' has no default in the load form 'coefficient'; give fc "
             "in 1: Coulomb "
             "level");
  CHECK_SAYS("type: universal\ngeometry: {pin_radius: 1, bending_arm: 1, cross_axis: [0, 0]}\n" DRY, csv,
             "joint.yaml:2:55: 'cross_axis': found 2 numbers, expected 3; write [1, 0, 0]");
  CHECK_SAYS("type: spherical\ngeometry: {ball_radius: 1}\nfriction: {model: karnopp}\n", csv,
             "joint.yaml:3:19: 'model': the law 'karnopp' has no vector form, and it is needed here; laws with a "
             "vector form are "
             "coulomb, stribeck, tanh, dahl, lugre, lugre_bounded, lugre_ellipse, elasto_plastic, gms");
}

TEST(bad_reactions_are_refused_with_their_line)
{
  CHECK_SAYS(HINGE DRY, "t,w,fx,fz,mx,my\n0,0,1,1,1,1\n",
             "data.csv: found the columns t, w, fx, fz, mx, my, expected one named 'fy'; name one of them 'fy [N]'");
  CHECK_SAYS(HINGE DRY, "t,w,fx,fy,fz,mx,my\n0,0,1,1,1,1,1\n1,0,1,1,nan,1,1\n",
             "data.csv:3:9: column 'fz': found 'nan', expected a number; fill the gap or delete the row");
  CHECK_SAYS(HINGE DRY, "t,w,fx,fy,fz,mx,my\n1,0,1,1,1,1,1\n0,0,1,1,1,1,1\n",
             "data.csv:3: column 't': found 0 after 1, expected growing values; sort the rows, or split the file where "
             "it starts "
             "again");
  CHECK_SAYS(
      HINGE DRY, "t,w [m/s],fx,fy,fz,mx,my\n1,0,1,1,1,1,1\n",
      "data.csv: column 'w [m/s]': found 'm/s' (a speed), expected an angular speed in rad/s; check the value and its "
      "unit");
  CHECK_SAYS(
      "type: translational\ngeometry: {overlap: 10 mm, overlap_rule: shrinks, reaction_arm: 1}\n" DRY,
      "t,v,fx,fy,mx,my,mz\n0,1,0,0,1,0,0\n0.005,1,0,0,1,0,0\n0.02,1,0,0,1,0,0\n",
      "data.csv:4: column 't': translational: x = 0.02 breaks a rule: the parts have come apart: no overlap is left");
}

TEST(wrong_calls_are_usage_errors)
{
  static const struct {
    int argc;
    const char *argv[5];
    const char *says;
  } cases[] = {
    { 0, { NULL }, "bristle joint: no joint given: name its file\n" },
    { 1, { "a.yaml" }, "bristle joint: no reactions given: use --reactions DATA.csv\n" },
    { 2, { "a.yaml", "b.yaml" }, "bristle joint: one joint at a time; got 'a.yaml' and 'b.yaml'\n" },
    { 2, { "a.yaml", "--fast" }, "bristle joint: '--fast' is not an option of this verb\n" },
    { 2, { "a.yaml", "-o" }, "bristle joint: '-o' needs the name of a file\n" },
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    CHECK(joint(cases[i].argc, cases[i].argv) == USAGE, "case %zu", i);
    const char *said = read_file(in_folder("err"));
    CHECK(!strncmp(said, cases[i].says, strlen(cases[i].says)), "%s", said);
  }
}

TEST(a_failed_run_leaves_the_old_output_alone)
{
  write_file("old.csv", "old");
  write_file("joint.yaml", HINGE DRY);
  write_file("data.csv", "t,w,fx,fy,fz,mx,my\n0,0,1,1,1,1,1\n1,0,1,1,1,1,x\n");
  const char *const bad[] = { in_folder("joint.yaml"), "--reactions", in_folder("data.csv"), "-o",
                              in_folder("old.csv") };
  CHECK(joint(5, bad) == BAD_DATA && !strcmp(read_file(in_folder("old.csv")), "old"), "the old output is gone");
  write_file("data.csv", "t,w,fx,fy,fz,mx,my\n0,0,1,1,1,1,1\n");
  const char *const nowhere[] = { in_folder("joint.yaml"), "--reactions", in_folder("data.csv"), "-o",
                                  "/nowhere/out.csv" };
  CHECK(joint(5, nowhere) == FILE_TROUBLE, "an unwritable output");
  const char *said = read_file(in_folder("err"));
  CHECK(!strcmp(said, "bristle joint: /nowhere/out.csv: the file cannot be written (No such file or directory); make "
                      "the folder first\n"),
        "%s", said);
}
