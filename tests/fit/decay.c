/* Free decays: the friction of known bodies found again from their motion alone, over many seeds, and what is refused.
 */
#include "lab/decay.h"
#include "lab/sim.h"
#include "maths/random.h"
#include "support/test.h"

#include <math.h>

enum { MOST = 6000, SEEDS = 20 };

/* ---- made records ---- */

typedef struct record {
  size_t count;
  double t[MOST], y[MOST];
} record;

typedef struct copying {
  record *to;
  int column;
} copying;

static int copy_row(void *context, const double *row)
{
  const copying *c = context;
  if (c->to->count < MOST) c->to->t[c->to->count] = row[0], c->to->y[c->to->count++] = row[c->column];
  return 0;
}

/* the motion of an axis by the native solver, appended after `pause` seconds; column 1 is the position, 2 the velocity
 */
static void append_run(record *to, const bristle_axis *axis, int rotary, double end, double pace, double pause,
                       int column)
{
  const bristle_rig rig = { .kind = BRISTLE_RIG_AXIS, .rotary = rotary, .as.axis = *axis };
  const bristle_sim_options options = { .end = end, .output = pace };
  const size_t first = to->count;
  const double begin = first ? to->t[first - 1] + pace + pause : 0;
  copying c = { to, column };
  bristle_sim_stats stats = { 0 };
  bristle_sim_error error = { 0 };
  CHECK(!bristle_simulate(&rig, &options, &(bristle_sim_sink){ .context = &c, .row = copy_row }, &stats, &error), "%s",
        error.what);
  for (size_t i = first; i < to->count; i++) to->t[i] += begin;
}

static void measure(record *r, double quantum, double noise, uint64_t seed)
{
  random_state random = random_start(seed);
  for (size_t i = 0; i < r->count; i++) {
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += random_part(&random);
    r->y[i] += noise * sum;
    if (quantum > 0) r->y[i] = quantum * round(r->y[i] / quantum);
  }
}

static bristle_log *log_of(const record *r, const char *head)
{
  static char text[MOST * 48];
  size_t used = (size_t)snprintf(text, sizeof text, "%s\n", head);
  bristle_table *table = NULL;
  bristle_log *log = NULL;
  bristle_fault fault;
  for (size_t i = 0; i < r->count; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%.9g,%.12g\n", r->t[i], r->y[i]);
  CHECK(!bristle_table_parse("made.csv", text, used, &table, &fault), "%s", fault.what);
  const bristle_log_options options = { .motion_only = 1 };
  if (table) CHECK(!bristle_log_from_table(table, &options, &log, &fault), "%s", fault.what);
  bristle_table_free(table);
  return log;
}

static bristle_identified *identify(const record *r, const char *head, const bristle_decay_options *options,
                                    const char *law, size_t releases)
{
  bristle_log *log = log_of(r, head);
  bristle_decay *decay = NULL;
  bristle_identified *result = NULL;
  bristle_fault fault;
  const bristle_identify_options fitting = { .folds = -1, .candidates = 20 };
  if (!log) return NULL;
  CHECK(!bristle_decay_find(&log, 1, options, &decay, &fault), "%s", fault.what);
  if (decay) {
    CHECK(decay->count == releases, "%zu releases, expected %zu", decay->count, releases);
    CHECK(!bristle_decay_fit(decay, bristle_law_find(law), NULL, &fitting, &result, &fault), "%s", fault.what);
  }
  bristle_decay_free(decay);
  bristle_log_free(log);
  return result;
}

static const bristle_estimate *estimate(const bristle_identified *r, const char *name)
{
  for (int k = 0; k < r->estimates; k++)
    if (!strcmp(r->estimate[k].name, name)) return &r->estimate[k];
  return NULL;
}

/* ---- recovery over seeds ---- */

typedef struct truth {
  const char *name;
  double value, most; /* most: deviation relative to the value */
} truth;

typedef struct tally {
  double squares;
  int count, far;
} tally;

static void compare(const bristle_identified *r, const truth *known, int count, tally *all)
{
  for (int k = 0; k < count; k++) {
    const bristle_estimate *x = estimate(r, known[k].name);
    CHECK(x && x->free && isfinite(x->deviation), "%s was not found", known[k].name);
    if (!x || !x->free || !isfinite(x->deviation)) continue;
    const double z = (x->value - known[k].value) / x->deviation;
    CHECK(x->deviation < known[k].most * fabs(known[k].value), "%s = %g +- %g", x->name, x->value, x->deviation);
    CHECK(fabs(z) < 5, "%s = %g +- %g, in truth %g", x->name, x->value, x->deviation, known[k].value);
    all->squares += z * z, all->count++, all->far += fabs(z) > 3;
  }
}

/* `printed`: the rms that docs/experiments.md quotes */
static void check_tally(const tally *all, const char *printed)
{
  const double rms = sqrt(all->squares / all->count);
  if (getenv("DECAY_SHOW")) printf("rms z %.3f, %d of %d beyond 3\n", rms, all->far, all->count);
  CHECK(all->count > 0 && rms > 0.6 && rms < 1.4, "rms z %.3g of %d numbers", rms, all->count);
  CHECK_PRINTED(rms, printed);
  CHECK(25 * all->far <= all->count, "%d of %d beyond 3 deviations", all->far, all->count);
}

static bristle_axis body(const bristle_law *law, double *p, double mass)
{
  bristle_defaults(law->f64->info, p);
  return (bristle_axis){ .mass = mass, .contact = { .law = law, .load = BRISTLE_LOAD_FORCE, .p = p } };
}

static void set(const bristle_law *law, double *p, const char *name, double value)
{
  p[bristle_param_find(law->f64->info, name)->first] = value;
}

/* three releases of a pendulum, held between them, read by an encoder of 4096 counts */
TEST(decay_of_a_pendulum_gives_its_friction)
{
  static record r;
  const bristle_law *law = bristle_law_find("coulomb");
  double p[BRISTLE_LAW_SIZE];
  tally all = { 0 };
  static const truth known[] = {
    { "fc", 0.02, 0.02 }, { "sigma2", 0.003, 0.05 }, { "gravity", 1.2, 0.005 }, { "x0", 0.07, 0.05 }
  };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    bristle_axis axis = body(law, p, 0.0136);
    set(law, p, "fc", 0.02), set(law, p, "sigma2", 0.003);
    axis.gravity = 1.2;
    r.count = 0;
    for (int k = 0; k < 3; k++) {
      axis.x = (k % 2 ? -1 : 1) * (0.9 + 0.1 * k + 0.003 * (double)seed);
      for (int i = 0; i < 60; i++) { /* held by hand */
        r.t[r.count] = r.count ? r.t[r.count - 1] + 0.01 : 0;
        r.y[r.count++] = axis.x;
      }
      append_run(&r, &axis, 1, 5, 0.01, 0, 1);
    }
    for (size_t i = 0; i < r.count; i++) r.y[i] += 0.07;
    measure(&r, 2 * M_PI / 4096, 3e-4, seed);
    bristle_identified *found = identify(
        &r, "t [s],angle [rad]", &(bristle_decay_options){ .mass = BRISTLE_KNOWN, .mass_value = 0.0136 }, "coulomb", 3);
    if (found) compare(found, known, 4, &all);
    bristle_identified_free(found);
  }
  check_tally(&all, "1.1");
}

/* a flywheel, its speed in steps of a tachometer: driven up, kept at speed, left alone */
TEST(decay_of_a_flywheel_gives_its_friction)
{
  static record r;
  const bristle_law *law = bristle_law_find("coulomb");
  double p[BRISTLE_LAW_SIZE];
  tally all = { 0 };
  static const truth known[] = { { "fc", 0.4, 0.02 }, { "sigma2", 0.02, 0.02 } };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    bristle_axis axis = body(law, p, 0.25);
    set(law, p, "fc", 0.4), set(law, p, "sigma2", 0.02);
    axis.v = 90 + 0.37 * (double)seed;
    r.count = 0;
    for (int i = 0; i < 150; i++) {
      r.t[r.count] = 0.02 * i;
      r.y[r.count++] = axis.v * fmin(1, i / 80.0);
    }
    append_run(&r, &axis, 1, 30, 0.02, 0, 2);
    measure(&r, 0.05, 0.1, seed);
    bristle_identified *found = identify(
        &r, "t [s],w [rad/s]", &(bristle_decay_options){ .mass = BRISTLE_KNOWN, .mass_value = 0.25 }, "coulomb", 1);
    if (found) compare(found, known, 2, &all);
    bristle_identified_free(found);
  }
  check_tally(&all, "1.3");
}

/* a body on a spring that sticks with its last swing; the stiffness is known, the mass is not */
TEST(decay_of_a_body_on_a_spring_gives_its_friction)
{
  static record r;
  const bristle_law *law = bristle_law_find("coulomb");
  double p[BRISTLE_LAW_SIZE];
  tally all = { 0 };
  static const truth known[] = { { "fc", 1.5, 0.02 }, { "sigma2", 2, 0.05 }, { "mass", 3, 0.005 } };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    bristle_axis axis = body(law, p, 3);
    set(law, p, "fc", 1.5), set(law, p, "sigma2", 2);
    axis.stiffness = 500, axis.x = 0.05 + 1e-4 * (double)seed;
    r.count = 0;
    append_run(&r, &axis, 0, 5, 0.002, 0, 1);
    measure(&r, 1e-4, 1e-5, seed);
    bristle_identified *found = identify(&r, "t [s],x [m]",
                                         &(bristle_decay_options){ .stiffness = BRISTLE_KNOWN, .stiffness_value = 500 },
                                         "coulomb", 1);
    if (found) compare(found, known, 3, &all);
    bristle_identified_free(found);
  }
  check_tally(&all, "1.1");
}

/* a pushed block that slides to a stop: the push is no free motion */
TEST(decay_of_a_sliding_block_gives_its_friction)
{
  static record r;
  const bristle_law *law = bristle_law_find("stribeck");
  double p[BRISTLE_LAW_SIZE];
  tally all = { 0 };
  static const truth known[] = { { "fc", 8, 0.03 } };
  for (uint64_t seed = 0; seed < SEEDS; seed++) {
    bristle_axis axis = body(law, p, 2);
    set(law, p, "fc", 8), set(law, p, "fs", 8), set(law, p, "sigma2", 0);
    axis.v = 1.2 + 0.01 * (double)seed;
    r.count = 0;
    for (int i = 0; i < 100; i++) { /* at rest, then accelerated */
      const double pushed = fmax(0, 0.002 * (i - 50));
      r.t[r.count] = 0.002 * i;
      r.y[r.count++] = 0.5 * axis.v / 0.1 * pushed * pushed;
    }
    axis.x = r.y[r.count - 1] + 0.5 * 0.002 * axis.v;
    append_run(&r, &axis, 0, 1.2, 0.002, 0, 1);
    measure(&r, 5e-5, 1e-5, seed);
    bristle_identified *found = identify(
        &r, "t [s],x [m]", &(bristle_decay_options){ .mass = BRISTLE_KNOWN, .mass_value = 2 }, "coulomb", 1);
    if (found) compare(found, known, 1, &all);
    bristle_identified_free(found);
  }
  check_tally(&all, "0.8");
}

/* ---- ratios, other sensors, the shape of the law ---- */

/* without inertia and gravity the ratios are found, and said to be ratios; a gyro instead of an encoder */
TEST(decay_without_a_scale_gives_ratios)
{
  static record r;
  const bristle_law *law = bristle_law_find("coulomb");
  double p[BRISTLE_LAW_SIZE];
  bristle_axis axis = body(law, p, 0.0136);
  set(law, p, "fc", 0.02), set(law, p, "sigma2", 0.003);
  axis.gravity = 1.2, axis.x = 1.1;
  r.count = 0;
  append_run(&r, &axis, 1, 6, 0.005, 0, 2);
  measure(&r, 0, 0.01, 3);
  bristle_identified *found = identify(&r, "t [s],gyro velocity [rad/s]", &(bristle_decay_options){ 0 }, "coulomb", 1);
  if (!found) return;
  const bristle_estimate *fc = estimate(found, "fc"), *gravity = estimate(found, "gravity");
  CHECK(fc && gravity && fabs(fc->value - 0.02 / 0.0136) < 4 * fc->deviation && fc->deviation < 0.02 * fc->value,
        "fc %g +- %g", fc ? fc->value : 0, fc ? fc->deviation : 0);
  CHECK(gravity && fabs(gravity->value - 1.2 / 0.0136) < 4 * gravity->deviation, "gravity %g +- %g",
        gravity ? gravity->value : 0, gravity ? gravity->deviation : 0);
  CHECK(fc && !strcmp(fc->unit, "N*m/(kg*m^2)"), "unit %s", fc ? fc->unit : "");
  CHECK(strstr(found->note, "per unit inertia") && !strcmp(found->unit, "rad/s"), "%s, in %s", found->note,
        found->unit);
  bristle_identified_free(found);
}

/* friction that falls with the speed is told from constant one */
TEST(decay_shows_the_stribeck_drop)
{
  static record r;
  const bristle_law *law = bristle_law_find("stribeck");
  double p[BRISTLE_LAW_SIZE];
  bristle_axis axis = body(law, p, 0.0136);
  set(law, p, "fc", 0.02), set(law, p, "fs", 0.035), set(law, p, "vs", 1), set(law, p, "sigma2", 0.001);
  axis.gravity = 1.2, axis.x = 1.1;
  r.count = 0;
  append_run(&r, &axis, 1, 6, 0.005, 0, 1);
  measure(&r, 2 * M_PI / 4096, 3e-4, 5);
  static const truth known[] = { { "fc", 0.02, 0.05 }, { "fs", 0.035, 0.05 }, { "vs", 1, 0.1 } };
  const bristle_decay_options options = { .mass = BRISTLE_KNOWN, .mass_value = 0.0136 };
  bristle_identified *found = identify(&r, "t [s],angle [rad]", &options, "stribeck", 1);
  bristle_identified *simple = identify(&r, "t [s],angle [rad]", &options, "coulomb", 1);
  tally all = { 0 };
  if (found) compare(found, known, 3, &all);
  if (found && simple)
    CHECK(found->bic < simple->bic - 100, "stribeck misses %g rad, coulomb %g", found->rms, simple->rms);
  bristle_identified_free(found), bristle_identified_free(simple);
}

/* ---- what is refused ---- */

static void refuse(const record *r, const char *head, bristle_decay_options options, const char *expected)
{
  bristle_log *log = log_of(r, head);
  bristle_decay *decay = NULL;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  if (!log) return;
  CHECK(bristle_decay_find(&log, 1, &options, &decay, &fault) && !decay, "accepted, expected: %s", expected);
  CHECK(strstr(fault.what, expected), "says: %s", fault.what);
  bristle_decay_free(decay);
  bristle_log_free(log);
}

TEST(decay_refuses_what_is_not_free)
{
  static record sine, growing, still, fall;
  for (size_t i = 0; i < 1000; i++) {
    const double t = 0.01 * (double)i;
    sine.t[i] = growing.t[i] = still.t[i] = t;
    sine.y[i] = sin(6 * t), growing.y[i] = (0.1 + 0.1 * t) * sin(6 * t), still.y[i] = 0.3;
  }
  sine.count = growing.count = still.count = 1000;
  measure(&still, 0, 1e-4, 1);
  for (size_t i = 0; i < 34; i++) {
    fall.t[i] = 0.01 * (double)i;
    fall.y[i] = i < 20 ? 1 : i < 26 ? 1 - 0.03 * (double)((i - 20) * (i - 20)) : 0.1;
  }
  fall.count = 34;
  const bristle_decay_options pendulum = { .mass = BRISTLE_KNOWN, .mass_value = 1, .gravity = BRISTLE_FREE };
  refuse(&sine, "t [s],x [rad]", pendulum, "does not decay");
  refuse(&growing, "t [s],x [rad]", pendulum, "does not decay");
  refuse(&still, "t [s],x [rad]", pendulum, "no free motion");
  refuse(&fall, "t [s],x [rad]", pendulum, "no free motion");
  refuse(&sine, "t [s],v [m/s]", (bristle_decay_options){ .stiffness = BRISTLE_ABSENT }, "no free motion");
  refuse(&sine, "t [s],x [m]", pendulum, "belongs to a pendulum");
  refuse(&sine, "t [s],x [rad]", (bristle_decay_options){ .units = BRISTLE_DECAY_LINEAR }, "in angles");
}

/* ---- a real one ---- */

/* an unpowered servo with a pendulum of 0.335 kg at 0.105 m, let go once: m g l = 0.345 N m, its own inertia unknown */
TEST(decay_of_a_real_servo_is_followed_to_its_counts)
{
  const char *folder = getenv("BRISTLE_DATA");
  char path[512];
  bristle_log *log = NULL;
  bristle_decay *decay = NULL;
  bristle_identified *found = NULL;
  bristle_fault fault;
  snprintf(path, sizeof path, "%s/bam_noload/pendulum_backdrive_fall.csv", folder ? folder : "../shared/data");
  if (bristle_log_read(path, &(bristle_log_options){ .motion_only = 1 }, &log, &fault)) {
    test_skip("no %s: set BRISTLE_DATA to the folder that holds bam_noload/", path);
    return;
  }
  const bristle_decay_options options = { .gravity = BRISTLE_KNOWN, .gravity_value = 0.345 };
  CHECK(!bristle_decay_find(&log, 1, &options, &decay, &fault), "%s", fault.what);
  if (decay) {
    CHECK(decay->count == 1 && decay->run[0].t[0] > 0.55 && decay->run[0].t[decay->run[0].count - 1] < 1.8,
          "%zu releases, the first from %g s", decay->count, decay->run[0].t[0]);
    CHECK(!bristle_decay_fit(decay, bristle_law_find("coulomb"), NULL, &(bristle_identify_options){ .folds = -1 },
                             &found, &fault),
          "%s", fault.what);
  }
  if (found) {
    /* one count is 0.0015 rad; the arm alone has 0.0037 kg m^2, the gear train adds its own */
    CHECK(found->rms < 0.0015, "off by %g rad", found->rms);
    CHECK(found->term[BRISTLE_TERM_MASS] > 0.0037 && found->term[BRISTLE_TERM_MASS] < 0.1, "inertia %g",
          found->term[BRISTLE_TERM_MASS]);
    /* it hangs 0.26 rad from where it stopped if 0 is level: friction held at least that; level within its deviation */
    const bristle_estimate *fc = estimate(found, "fc");
    CHECK(fc && fc->value > 0.05 && fc->value < 0.3, "fc %g", fc ? fc->value : 0);
  }
  bristle_identified_free(found);
  bristle_decay_free(decay);
  bristle_log_free(log);
}
