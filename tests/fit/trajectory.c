/* Simulation-error fits: the derivatives carried through the coupled step, and known axes found again. */
#include "lab/trajectory.h"
#include "maths/random.h"
#include "fit/trajectories/trajectory.h"
#include "support/test.h"

enum { SAMPLES = 600, UNKNOWNS = BRISTLE_PLANT_COUNT + 7 };
static const double PERIOD = 0.005;

/* ---- a servo on a pendulum, gear friction and all ---- */

typedef struct recording {
  double t[SAMPLES], target[SAMPLES], enabled[SAMPLES], strength[SAMPLES], position[SAMPLES];
  bristle_run run;
} recording;

static void make_recording(recording *r, double amplitude, double kp, int release)
{
  for (size_t i = 0; i < SAMPLES; i++) {
    const double t = r->t[i] = PERIOD * (double)i + 1e-4 * sin(3.0 * (double)i); /* real clocks are not even */
    r->target[i] = amplitude * (sin(2.5 * t) + 0.4 * sin(9 * t));
    r->enabled[i] = !release || t < 2;
    r->strength[i] = 1 + 0.05 * sin(20 * t);
  }
  r->run = (bristle_run){ .name = "made up",
                          .count = SAMPLES,
                          .t = r->t,
                          .target = r->target,
                          .enabled = r->enabled,
                          .strength = r->strength,
                          .kp = kp,
                          .kd = 0.01,
                          .limit = 7,
                          .mass = 0.005,
                          .gravity = 0.45,
                          .x = 0.02,
                          .v = 0.1 };
}

static bristle_axis_values true_values(const bristle_law *law)
{
  bristle_axis_values values = { .plant = { [BRISTLE_PLANT_MASS] = 0.0018,
                                            [BRISTLE_PLANT_GAIN] = 0.1,
                                            [BRISTLE_PLANT_DRAG] = 0.03,
                                            [BRISTLE_PLANT_GRAVITY] = 0.02,
                                            [BRISTLE_PLANT_TILT] = 0.015,
                                            [BRISTLE_PLANT_BIAS] = 0.003,
                                            [BRISTLE_PLANT_LOAD_DRIVE] = 12,
                                            [BRISTLE_PLANT_LOAD_OUTSIDE] = 5,
                                            [BRISTLE_PLANT_STIFFNESS] = 0.05,
                                            [BRISTLE_PLANT_DAMPING] = 0.001 } };
  static const struct {
    const char *name;
    double value;
  } known[] = { { "sigma0", 8 }, { "sigma1", 0.02 }, { "sigma2", 0.008 }, { "fc", 0.01 },
                { "fs", 0.014 }, { "vs", 0.3 },      { "gamma", 1.5 } };
  bristle_defaults(law->f64->info, values.param);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const bristle_row *row = bristle_param_find(law->f64->info, known[i].name);
    if (row) values.param[row->first] = known[i].value;
  }
  return values;
}

/* ---- derivatives ---- */

typedef struct last_row {
  double x[SAMPLES], dx[SAMPLES][UNKNOWNS];
} last_row;

static int keep_row(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  last_row *row = context;
  (void)v, (void)dv;
  row->x[i] = x;
  for (int k = 0; dx && k < UNKNOWNS; k++) row->dx[i][k] = dx[k];
  return 0;
}

/* all of the plant, then five parameters of the law, then where the run starts */
static int unknowns_of(const bristle_law *law, axis_unknown unknown[UNKNOWNS])
{
  static const char *const names[] = { "sigma0", "sigma2", "fc", "fs", "vs" };
  int count = 0;
  for (int k = 0; k < BRISTLE_PLANT_COUNT; k++) unknown[count++] = (axis_unknown){ .plant = k, .param = -1 };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const bristle_row *row = bristle_param_find(law->f64->info, names[i]);
    if (row) unknown[count++] = (axis_unknown){ .plant = -1, .param = row->first };
  }
  for (int k = 1; k <= 2; k++) unknown[count++] = (axis_unknown){ .plant = -1, .param = -1, .start = k };
  return count;
}

static double *value_at(bristle_axis_values *values, bristle_run *run, const axis_unknown *unknown)
{
  if (unknown->start) return unknown->start == 1 ? &run->x : &run->v;
  return unknown->plant >= 0 ? &values->plant[unknown->plant] : &values->param[unknown->param];
}

static void check_derivatives(const char *name, bristle_load load)
{
  static recording r;
  static last_row exact, above, below;
  const bristle_law *law = bristle_law_find(name);
  const bristle_trajectory trajectory = { .law = law, .load = load };
  axis_unknown unknown[UNKNOWNS];
  make_recording(&r, 0.8, 8, 1);
  const bristle_axis_values values = true_values(law);
  const int count = unknowns_of(law, unknown);
  const axis_job job = { &trajectory, &r.run, &values, 2e-3, count, unknown };
  CHECK(!axis_simulate(&job, &(axis_sink){ &exact, keep_row }), "%s", name);
  for (int k = 0; k < count; k++) {
    double worst = 0, size = 0;
    for (int side = 0; side < 2; side++) {
      bristle_axis_values moved = values;
      bristle_run run = r.run;
      double *value = value_at(&moved, &run, &unknown[k]);
      *value *= side ? 1 - 1e-6 : 1 + 1e-6;
      const axis_job plain = { &trajectory, &run, &moved, 2e-3, 0, NULL };
      CHECK(!axis_simulate(&plain, &(axis_sink){ side ? &below : &above, keep_row }), "%s", name);
    }
    bristle_axis_values copy = values;
    const double change = 2e-6 * *value_at(&copy, &r.run, &unknown[k]);
    for (size_t i = 0; i < SAMPLES; i++) {
      worst = fmax(worst, fabs((above.x[i] - below.x[i]) / change - exact.dx[i][k]));
      size = fmax(size, fabs(exact.dx[i][k]));
    }
    CHECK(size > 0 && worst < 2e-5 * size, "%s, unknown %d: differs by %g of %g", name, k, worst, size);
  }
}

TEST(trajectory_derivatives_are_those_of_the_simulation)
{
  check_derivatives("lugre", BRISTLE_LOAD_LEVEL);
  check_derivatives("lugre", BRISTLE_LOAD_COEFFICIENT);
  check_derivatives("stribeck", BRISTLE_LOAD_LEVEL);
}

/* ---- known axes are found again ---- */

static void add_noise(double *y, size_t count, double size, uint64_t seed)
{
  random_state random = random_start(seed);
  for (size_t i = 0; i < count; i++) y[i] += size * 3.4641 * (random_part(&random) - 0.5);
}

static void guess_around(bristle_guess *guess, double truth, double start)
{
  *guess = (bristle_guess){ start * truth, truth / 20, truth * 20 };
}

/* two runs of a known axis, simulated, with noise on the position */
static void make_problem(recording runs[2], const bristle_law *law, bristle_run list[2])
{
  const bristle_trajectory trajectory = { .law = law, .load = BRISTLE_LOAD_LEVEL };
  bristle_axis_values values = true_values(law);
  values.plant[BRISTLE_PLANT_GRAVITY] = values.plant[BRISTLE_PLANT_BIAS] = values.plant[BRISTLE_PLANT_LOAD_OUTSIDE] = 0;
  values.plant[BRISTLE_PLANT_STIFFNESS] = values.plant[BRISTLE_PLANT_DAMPING] = 0;
  make_recording(&runs[0], 0.8, 8, 1);
  make_recording(&runs[1], 0.3, 25, 0);
  for (int k = 0; k < 2; k++) {
    CHECK(!bristle_trajectory_simulate(&trajectory, &runs[k].run, &values, runs[k].position, NULL), "run %d", k);
    add_noise(runs[k].position, SAMPLES, 5e-4, 7 + (uint64_t)k);
    runs[k].run.position = runs[k].position;
    list[k] = runs[k].run;
  }
}

static void guess_all(const bristle_law *law, double start, bristle_trajectory *trajectory, bristle_guess *param)
{
  static const char *const searched[] = { "fc", "fs", "sigma2" };
  const bristle_axis_values truth = true_values(law);
  for (int i = 0; i < law->f64->info->nparam; i++) param[i] = (bristle_guess){ .start = truth.param[i] };
  for (int i = 0; i < 3; i++) {
    const bristle_row *row = bristle_param_find(law->f64->info, searched[i]);
    guess_around(&param[row->first], truth.param[row->first], start);
  }
  trajectory->param = param;
  guess_around(&trajectory->plant[BRISTLE_PLANT_MASS], 0.0018, start);
  guess_around(&trajectory->plant[BRISTLE_PLANT_GAIN], 0.1, 1 / start);
  guess_around(&trajectory->plant[BRISTLE_PLANT_DRAG], 0.03, start);
  guess_around(&trajectory->plant[BRISTLE_PLANT_LOAD_DRIVE], 12, start);
  trajectory->plant[BRISTLE_PLANT_TILT] = (bristle_guess){ 0, -0.1, 0.1 };
}

static const bristle_estimate *estimate(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name) && r->estimate[k].free) return &r->estimate[k];
  CHECK(0, "%s was not found", name);
  return NULL;
}

TEST(trajectory_finds_a_known_servo_again)
{
  static recording runs[2];
  static const double plant[5] = { 0.0018, 0.1, 0.03, 0.015, 12 };
  static const char *const plant_names[5] = { "mass", "gain", "drag", "tilt", "load_drive" };
  static const char *const names[3] = { "sigma2", "fc", "fs" };
  bristle_run list[2];
  bristle_guess param[BRISTLE_LAW_SIZE];
  bristle_fault fault;
  bristle_identified *r;
  const bristle_law *law = bristle_law_find("lugre");
  make_problem(runs, law, list);
  bristle_trajectory trajectory = { .law = law, .load = BRISTLE_LOAD_LEVEL, .count = 2, .run = list };
  guess_all(law, 2, &trajectory, param);
  CHECK(!bristle_trajectory_fit(&trajectory, &(bristle_identify_options){ .candidates = 100 }, &r, &fault), "%s",
        fault.what);
  if (!r) return;
  int count = 0;
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  CHECK(count == 8, "%d unknowns", count);
  for (int k = 0; k < 5; k++) {
    const bristle_estimate *u = estimate(r, plant_names[k]);
    if (!u) continue;
    CHECK(u->deviation > 0 && fabs(u->value - plant[k]) < 4 * u->deviation, "%s = %g +- %g, in truth %g", u->name,
          u->value, u->deviation, plant[k]);
    CHECK(u->deviation < 0.05 * plant[k], "%s: +- %g", u->name, u->deviation);
  }
  static const double levels[3] = { 0.008, 0.01, 0.014 };
  for (int k = 0; k < 3; k++) {
    const bristle_estimate *u = estimate(r, names[k]);
    if (!u) continue;
    CHECK(fabs(u->value - levels[k]) < 4 * u->deviation && u->deviation < 0.1 * levels[k], "%s = %g +- %g, in truth %g",
          u->name, u->value, u->deviation, levels[k]);
  }
  CHECK_NEAR(r->rms, 5e-4, 0.1);
  bristle_identified_free(r);
}

/* a carriage pushed by a known force, its velocity measured: mass and friction, no controller */
TEST(trajectory_finds_a_mass_from_its_velocity)
{
  static double t[SAMPLES], force[SAMPLES], velocity[SAMPLES];
  const bristle_law *law = bristle_law_find("stribeck");
  bristle_axis_values truth = { .plant = { [BRISTLE_PLANT_MASS] = 2, [BRISTLE_PLANT_GAIN] = 1 } };
  bristle_guess param[BRISTLE_LAW_SIZE];
  bristle_fault fault;
  bristle_identified *r;
  bristle_defaults(law->f64->info, truth.param);
  for (size_t i = 0; i < SAMPLES; i++) {
    t[i] = PERIOD * (double)i;
    force[i] = 3 * sin(5 * t[i]) + 1.2 * sin(11 * t[i]);
  }
  bristle_run run = { .count = SAMPLES, .t = t, .input = force };
  bristle_trajectory trajectory = { .law = law, .load = BRISTLE_LOAD_FORCE, .param = param, .count = 1, .run = &run };
  CHECK(!bristle_trajectory_simulate(&trajectory, &run, &truth, NULL, velocity), "the truth");
  add_noise(velocity, SAMPLES, 1e-3, 21);
  run.velocity = velocity;
  for (int i = 0; i < law->f64->info->nparam; i++) param[i] = (bristle_guess){ .start = truth.param[i] };
  const int fc = bristle_param_find(law->f64->info, "fc")->first,
            viscous = bristle_param_find(law->f64->info, "sigma2")->first;
  param[fc] = (bristle_guess){ 0.4, 0.1, 10 };
  param[viscous] = (bristle_guess){ 1, 0.01, 10 };
  trajectory.plant[BRISTLE_PLANT_MASS] = (bristle_guess){ 5, 0.1, 50 };
  trajectory.plant[BRISTLE_PLANT_GAIN].start = 1;
  CHECK(!bristle_trajectory_fit(&trajectory, NULL, &r, &fault), "%s", fault.what);
  if (!r) return;
  CHECK_NEAR(r->term[BRISTLE_TERM_MASS], 2, 0.01);
  CHECK_NEAR(r->p[fc], truth.param[fc], 0.02);
  CHECK_NEAR(r->p[viscous], truth.param[viscous], 0.1);
  bristle_identified_free(r);
}

TEST(trajectory_result_does_not_depend_on_threads)
{
  static recording runs[2];
  bristle_run list[2];
  bristle_guess param[BRISTLE_LAW_SIZE];
  bristle_fault fault;
  bristle_identified *r[2] = { NULL, NULL };
  const bristle_law *law = bristle_law_find("stribeck");
  make_problem(runs, law, list);
  bristle_trajectory trajectory = { .law = law, .load = BRISTLE_LOAD_LEVEL, .count = 2, .run = list, .step = 5e-3 };
  guess_all(law, 1.5, &trajectory, param);
  for (int k = 0; k < 2; k++) {
    const bristle_identify_options options = {
      .candidates = test_share(30, 6), .refinements = test_share(3, 1), .threads = 1 + 2 * k, .seed = 5
    };
    CHECK(!bristle_trajectory_fit(&trajectory, &options, &r[k], &fault), "%s", fault.what);
  }
  if (r[0] && r[1])
    CHECK(!memcmp(r[0]->p, r[1]->p, sizeof r[0]->p) && !memcmp(r[0]->estimate, r[1]->estimate, sizeof r[0]->estimate)
              && r[0]->held_out == r[1]->held_out,
          "errors %.17g and %.17g", r[0]->rms, r[1]->rms);
  bristle_identified_free(r[0]), bristle_identified_free(r[1]);
}

/* ---- what cannot be fitted is said ---- */

static int stop_at_once(void *context, double fraction)
{
  (void)context, (void)fraction;
  return 1;
}

TEST(trajectory_refuses_what_cannot_be_fitted)
{
  static recording runs[2];
  bristle_run list[2];
  bristle_guess param[BRISTLE_LAW_SIZE];
  bristle_identified *r;
  const bristle_law *law = bristle_law_find("stribeck");
  make_problem(runs, law, list);
  for (int k = 0; k < 6; k++) {
    bristle_trajectory trajectory = { .law = law, .load = BRISTLE_LOAD_LEVEL, .count = 2, .run = list, .step = 5e-3 };
    bristle_identify_options options = { .candidates = 3, .refinements = 1 };
    bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
    static const char *const expected[6] = {
      "no runs", "nothing is to be searched", "outside its bounds", "neither a position", "does not grow", "stopped"
    };
    double times[SAMPLES];
    bristle_run bad = list[1];
    guess_all(law, 1.5, &trajectory, param);
    if (k == 0) trajectory.count = 0;
    if (k == 1)
      for (int i = 0; i < law->f64->info->nparam; i++) param[i].lo = param[i].hi = 0;
    if (k == 1)
      for (int i = 0; i < BRISTLE_PLANT_COUNT; i++) trajectory.plant[i] = (bristle_guess){ .start = 1 };
    if (k == 2) trajectory.plant[BRISTLE_PLANT_MASS].start = 100;
    if (k == 3) bad.position = NULL;
    if (k == 4) {
      memcpy(times, bad.t, sizeof times);
      times[100] = times[98];
      bad.t = times;
    }
    if (k == 3 || k == 4) trajectory.run = &bad, trajectory.count = 1;
    if (k == 5) options.progress = stop_at_once;
    CHECK(bristle_trajectory_fit(&trajectory, &options, &r, &fault) && !r, "case %d was accepted", k);
    CHECK(strstr(fault.what, expected[k]), "case %d says: %s", k, fault.what);
    bristle_identified_free(r);
  }
}
