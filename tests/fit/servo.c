/* Sixteen recordings of a small servo on a pendulum (BAM, Duclusaud and others, 2025): a fit of half of them with a
   law whose friction grows with the torque in the gear predicts the other half better than the authors' published
   parameters of their first model (constant Coulomb and viscous friction) in the same simulation. The data are not ours
   to ship: $BRISTLE_DATA/bam_xl330, or ../shared/data/bam_xl330. */
#include "lab/trajectory.h"
#include "support/test.h"

enum { GAINS = 4, MOTIONS = 4, RUNS = GAINS * MOTIONS };

typedef struct recordings {
  bristle_table *table[RUNS];
  bristle_run run[RUNS];
} recordings;

static const double SUPPLY = 7.4;

static const double *column(const bristle_table *table, const char *name)
{
  for (size_t i = 0; i < table->columns; i++)
    if (!strcmp(table->column[i].header, name)) return table->column[i].data;
  return NULL;
}

/* the firmware's duty: encoder counts of the error times the gain by 256, in counts of 885 */
static double controller_gain(double firmware)
{
  return firmware * SUPPLY * 4096 / (2 * 3.14159265358979324) / (256 * 885);
}

static int read_run(recordings *r, int k, double gain, const char *motion)
{
  const char *folder = getenv("BRISTLE_DATA");
  char path[512];
  bristle_fault fault;
  snprintf(path, sizeof path, "%s/bam_xl330/xl330_kp%g_%s.csv", folder ? folder : "../shared/data", gain, motion);
  if (bristle_table_read(path, &r->table[k], &fault)) {
    test_skip("no %s: set BRISTLE_DATA to the folder that holds bam_xl330/", path);
    return 0;
  }
  const bristle_table *t = r->table[k];
  bristle_run *run = &r->run[k];
  *run = (bristle_run){ .name = motion,
                        .count = t->rows,
                        .t = column(t, "time_s"),
                        .target = column(t, "goal_position_rad"),
                        .position = column(t, "position_rad"),
                        .enabled = column(t, "torque_enable"),
                        .kp = controller_gain(gain),
                        .limit = SUPPLY,
                        .mass = 0.49 * 0.1 * 0.1,
                        .gravity = 0.49 * 9.80665 * 0.1 };
  CHECK(run->t && run->target && run->position && run->enabled, "%s: a column is missing", path);
  if (!run->t || !run->target || !run->position || !run->enabled) return 0;
  run->x = run->position[0];
  return 1;
}

static int read_all(recordings *r)
{
  static const double gains[GAINS] = { 100, 200, 400, 800 };
  static const char *const motions[MOTIONS] = { "sin_sin", "sin_time_square", "up_and_down", "lift_and_drop" };
  for (int k = 0; k < RUNS; k++)
    if (!read_run(r, k, gains[k / MOTIONS], motions[k % MOTIONS])) return 0;
  return 1;
}

/* a chessboard of gains and motions: each half has every gain and every motion twice */
static void split(const recordings *r, int half, bristle_run *fitted, bristle_run *held)
{
  for (int k = 0; k < RUNS; k++) {
    if ((k / MOTIONS + k % MOTIONS) % 2 == half) *fitted++ = r->run[k];
    else *held++ = r->run[k];
  }
}

static double mean_error(const bristle_trajectory *trajectory, const bristle_axis_values *values,
                         const bristle_run *run)
{
  bristle_run_error error[RUNS / 2];
  bristle_fault fault;
  double sum = 0;
  CHECK(!bristle_trajectory_errors(trajectory, values, RUNS / 2, run, error, &fault), "%s", fault.what);
  for (int k = 0; k < RUNS / 2; k++) sum += error[k].mean;
  return sum / (RUNS / 2);
}

/* both published sets: that of the recordings' own commit, and the later one from more data */
static double published_error(const bristle_run *run)
{
  static const double sets[2][6] = { { 0.3232, 4.7637, 0.001643, 0.0180, 0.00697, 0.01049 },
                                     { 0.3867, 4.0171, 0.001814, 0.0309, 0.01283, 0.00366 } };
  const bristle_law *law = bristle_law_find("coulomb");
  const bristle_trajectory trajectory = { .law = law, .step = 2.5e-3 };
  double best = HUGE_VAL;
  for (int k = 0; k < 2; k++) {
    const double *s = sets[k];
    bristle_axis_values values = { .plant = { [BRISTLE_PLANT_MASS] = s[2],
                                              [BRISTLE_PLANT_GAIN] = s[0] / s[1],
                                              [BRISTLE_PLANT_DRAG] = s[0] * s[0] / s[1],
                                              [BRISTLE_PLANT_TILT] = s[3] } };
    values.param[bristle_param_find(law->f64->info, "fc")->first] = s[4];
    values.param[bristle_param_find(law->f64->info, "sigma2")->first] = s[5];
    best = fmin(best, mean_error(&trajectory, &values, run));
  }
  return best;
}

static void guess_servo(const bristle_law *law, bristle_trajectory *t, bristle_guess *param)
{
  static const struct {
    const char *name;
    bristle_guess guess;
  } levels[] = { { "fc", { 0.02, 1e-4, 0.3 } },
                 { "fs", { 0.03, 1e-4, 0.5 } },
                 { "vs", { 0.2, 0.01, 5 } },
                 { "sigma2", { 0.005, 1e-5, 0.1 } },
                 { "gamma", { 1, 1, 1 } } };
  double initial[BRISTLE_LAW_SIZE];
  bristle_defaults(law->f64->info, initial);
  for (int i = 0; i < law->f64->info->nparam; i++) param[i] = (bristle_guess){ .start = initial[i] };
  for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
    param[bristle_param_find(law->f64->info, levels[i].name)->first] = levels[i].guess;
  t->param = param;
  t->plant[BRISTLE_PLANT_MASS] = (bristle_guess){ 0.0015, 1e-4, 0.01 };
  t->plant[BRISTLE_PLANT_GAIN] = (bristle_guess){ 0.08, 0.02, 0.4 };
  t->plant[BRISTLE_PLANT_DRAG] = (bristle_guess){ 0.03, 0.002, 0.3 };
  t->plant[BRISTLE_PLANT_TILT] = (bristle_guess){ 0, -0.1, 0.1 };
  t->plant[BRISTLE_PLANT_LOAD_DRIVE] = (bristle_guess){ 2, 0, 2000 };
  t->plant[BRISTLE_PLANT_LOAD_OUTSIDE] = (bristle_guess){ 2, 0, 2000 };
}

/* a fit of one half, and what it and the published parameters make of both halves */
static void fit_half(const recordings *r, int half)
{
  bristle_run fitted[RUNS / 2], held[RUNS / 2];
  bristle_guess param[BRISTLE_LAW_SIZE];
  bristle_fault fault;
  bristle_identified *found;
  split(r, half, fitted, held);
  bristle_trajectory t = { .law = bristle_law_find("stribeck"),
                           .load = BRISTLE_LOAD_LEVEL,
                           .count = RUNS / 2,
                           .run = fitted,
                           .step = 2.5e-3,
                           .loss = 0.01,
                           .rotary = 1 };
  guess_servo(t.law, &t, param);
  /* the loss bends at the size of an ordinary error: what is compared in the end are mean sizes, not squares */
  const bristle_identify_options options = { .candidates = 200, .folds = -1 };
  CHECK(!bristle_trajectory_fit(&t, &options, &found, &fault), "%s", fault.what);
  if (!found) return;
  bristle_axis_values values;
  bristle_trajectory_values(&t, found, &values);
  const double ours = mean_error(&t, &values, held), theirs = published_error(held);
  const double own = mean_error(&t, &values, fitted), their_own = published_error(fitted);
  printf("  half %d: mean position error %.4f rad on held-out runs, published %.4f; on its own %.4f, %.4f\n", half,
         ours, theirs, own, their_own);
  CHECK_PRINTED(ours, half ? "0.044" : "0.052"); /* quoted in docs/experiments.md */
  CHECK(ours < 0.95 * theirs, "half %d: %g rad, published parameters %g rad", half, ours, theirs);
  CHECK(own < 0.75 * their_own, "half %d: %g rad, published parameters %g rad", half, own, their_own);
  bristle_identified_free(found);
}

/* the simulation with the published parameters always, and the fits, a quarter of a minute each, in the complete test
 */
TEST(servo_friction_that_grows_with_the_torque_predicts_unseen_runs)
{
  static recordings r;
  if (read_all(&r))
    for (int half = 0; half < 2; half++) {
      bristle_run fitted[RUNS / 2], held[RUNS / 2];
      split(&r, half, fitted, held);
      CHECK_PRINTED(published_error(held), half ? "0.056" : "0.066");
      if (test_is_long()) fit_half(&r, half);
    }
  for (int k = 0; k < RUNS; k++) bristle_table_free(r.table[k]);
}
