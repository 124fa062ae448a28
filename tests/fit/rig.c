/* Scenarios identified from their own simulated, noisy logs: one of each family of rigs, several unknown keys, columns
   of the log as inputs; and what is refused. */
#include "lab/rig.h"
#include "lab/scenario.h"
#include "fit/rigs/rig.h"
#include "maths/random.h"
#include "support/test.h"

#include <unistd.h>

/* ---- made logs ---- */

static char folder[] = "/tmp/bristle-rig-XXXXXX";

static const char *write_file(const char *name, const char *text)
{
  static char path[16][80];
  static int next;
  char *to = path[next++ % 16];
  if (strstr(folder, "XXXXXX")) CHECK(mkdtemp(folder), "no place for files");
  snprintf(to, sizeof path[0], "%s/%s", folder, name);
  FILE *out = fopen(to, "w");
  CHECK(out, "%s cannot be written", to);
  if (out) fputs(text, out), fclose(out);
  return to;
}

typedef struct noisy_rows {
  FILE *out;
  int width, noisy;
  double noise;
  random_state random;
} noisy_rows;

/* noise on the first columns behind the time */
static int write_row(void *context, const double *row)
{
  noisy_rows *w = context;
  for (int i = 0; i < w->width; i++) {
    double sum = -6;
    for (int k = 0; k < 12; k++) sum += random_part(&w->random);
    fprintf(w->out, "%s%.12g", i ? "," : "", row[i] + (i > 0 && i <= w->noisy ? w->noise * sum : 0));
  }
  /* what drove it, for scenarios that name this column */
  fprintf(w->out, ",%.12g\n", 3 * sin(5 * row[0]) + 1.2 * sin(11 * row[0]));
  return 0;
}

static const char *simulate(const char *scenario, const char *name, int noisy, double noise)
{
  bristle_document *document = NULL;
  bristle_scenario *s = NULL;
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  bristle_fault fault;
  bristle_sim_error error;
  const char *path = write_file(name, "");
  CHECK(!bristle_document_read(scenario, &document, &fault), "%s", fault.what);
  CHECK(!bristle_scenario_read(bristle_document_root(document), &s, &fault), "%s", fault.what);
  if (s) {
    noisy_rows w = { fopen(path, "w"), bristle_sim_columns(&s->rig, columns), noisy, noise, random_start(5) };
    for (int i = 0; i < w.width; i++) fprintf(w.out, "%s%s [%s]", i ? "," : "", columns[i].name, columns[i].unit);
    fputs(",push [N]\n", w.out);
    CHECK(!bristle_simulate(&s->rig, &s->options, &(bristle_sim_sink){ &w, .row = write_row }, NULL, &error), "%s",
          error.what);
    fclose(w.out);
  }
  bristle_scenario_free(s);
  bristle_document_free(document);
  return path;
}

/* ---- fits ---- */

typedef struct truth {
  const char *name;
  double value, tolerance; /* tolerance: of the value, and of its deviation */
} truth;

static const bristle_range no_range = { NULL, NAN, NAN, NAN };

static bristle_rig_request request_of(const char *scenario, const char *const *log, const char *const *set,
                                      const bristle_range *free, int frees)
{
  return (bristle_rig_request){ .scenario = scenario, .log = log, .logs = 1, .set = set, .free = free, .frees = frees };
}

static bristle_identified *fit(const bristle_rig_request *request, const bristle_identify_options *options)
{
  bristle_motion *motion;
  bristle_identified *result = NULL;
  bristle_fault fault;
  CHECK(!bristle_rig_open(request, &motion, &fault), "%s: %s", request->scenario, fault.what);
  if (!motion) return NULL;
  CHECK(!motion->fit(motion->self, motion->law, NULL, options, &result, &fault), "%s: %s", request->scenario,
        fault.what);
  bristle_motion_free(motion);
  return result;
}

static void compare(const char *name, const bristle_identified *r, const truth *known, int count)
{
  for (int i = 0; r && i < count; i++) {
    const bristle_estimate *x = NULL;
    for (int k = 0; k < r->estimates; k++)
      if (!strcmp(r->estimate[k].name, known[i].name) && r->estimate[k].free) x = &r->estimate[k];
    CHECK(x && fabs(x->value / known[i].value - 1) < known[i].tolerance, "%s: %s = %g, in truth %g", name,
          known[i].name, x ? x->value : (double)NAN, known[i].value);
    CHECK(x && x->deviation < known[i].tolerance * known[i].value && fabs(x->value - known[i].value) < 5 * x->deviation,
          "%s: %s = %g +- %g, in truth %g", name, known[i].name, x ? x->value : (double)NAN,
          x ? x->deviation : (double)NAN, known[i].value);
  }
}

static const struct family {
  const char *name, *text, *set, *key;
  int noisy;
  double noise;
  truth known[4];
} families[] = {
  { "mass",
    "rig: mass\nmass: 2 kg\nforce: {sines: [{amplitude: 3, frequency: 5 rad/s}, {amplitude: 1.2, frequency: 11 "
    "rad/s}]}\n"
    "friction: {model: stribeck, parameters: {fc: 1 N, fs: 1.3, vs: 0.1, sigma2: 0.5}}\n"
    "solver: {method: adaptive}\ntime: {end: 3 s, output: 10 ms}\n",
    "force={column: push},mass=3 kg,friction.fc=0.6,solver.method=auto",
    "mass",
    1,
    1e-4,
    { { "mass", 2, 0.01 }, { "fc", 1, 0.05 } } },
  { "spring-pull",
    "rig: spring-pull\nmass: 1 kg\nstiffness: 100 N/m\nspeed: 30 mm/s\ninitial: {x: 50 mm}\n"
    "friction: {model: coulomb, parameters: {fc: 1 N, sigma2: 0.5}}\ntime: {end: 3 s, output: 10 ms}\n",
    "stiffness=80 N/m,friction.fc=0.6",
    "stiffness",
    1,
    1e-4,
    { { "stiffness", 100, 0.01 }, { "fc", 1, 0.02 }, { "sigma2", 0.5, 0.1 } } },
  { "belt",
    "rig: belt\nmass: 1 kg\nstiffness: 100 N/m\nspeed: 0.2 m/s\ntime: {end: 4 s, output: 10 ms}\n"
    "friction: {model: stribeck, parameters: {fc: 1 N, fs: 1.5, vs: 0.1, sigma2: 0.4}}\n",
    "friction.fc=0.8",
    "speed",
    1,
    1e-4,
    { { "speed", 0.2, 0.01 }, { "fs", 1.5, 0.02 } } },
  { "servo",
    "rig: servo\nmass: 1 kg\nkp: 1000 N/m\nki: 500\nkd: 20\ntarget: {sine: {amplitude: 10 mm, frequency: 0.5 Hz}}\n"
    "friction: {model: dahl, parameters: {sigma0: 1e4 N/m, fc: 1 N, sigma2: 0.4}}\ntime: {end: 3 s, output: 10 ms}\n",
    "mass=1.5 kg,friction.fc=0.7,friction.sigma0=2e4",
    "mass",
    1,
    5e-6,
    { { "mass", 1, 0.02 }, { "fc", 1, 0.01 }, { "sigma0", 1e4, 0.05 } } },
  { "pendulum",
    "rig: pendulum\ninertia: 0.02 kg*m^2\ngravity: 1.5 N*m\nvoltage: {sine: {amplitude: 3 V, frequency: 0.7 Hz}}\n"
    "torque_constant: 0.3 N*m/A\nresistance: 2 V/A\ninitial: {x: 0.5 rad}\ntime: {end: 3 s, output: 10 ms}\n"
    "friction: {model: coulomb, parameters: {fc: 0.03 N*m, sigma2: 0.005}}\n",
    "friction.fc=0.06,inertia=0.025 kg*m^2",
    "inertia",
    1,
    1e-3,
    { { "inertia", 0.02, 0.01 }, { "fc", 0.03, 0.05 } } },
  { "prescribed",
    "rig: prescribed\nmotion: {sines: [{amplitude: 20 um, frequency: 1 Hz}, {amplitude: 5 um, frequency: 4.3 Hz}]}\n"
    "friction: {model: dahl, parameters: {sigma0: 1e5 N/m, fc: 1 N}}\ntime: {end: 2 s, output: 5 ms}\n",
    "friction.fc=2,friction.sigma0=4e4",
    NULL,
    3,
    1e-7,
    { { "sigma0", 1e5, 0.02 }, { "fc", 1, 0.02 } } },
  { "chain",
    "rig: chain\ncount: 2\nmass: 1 kg\ncoupling: 200 N/m\nstiffness: 50 N/m\nspeed: 0.1 m/s\nscatter: 10 mm\n"
    "friction: {model: coulomb, parameters: {fc: 1 N, sigma2: 1}}\ntime: {end: 2 s, output: 20 ms}\n",
    "coupling=150 N/m,friction.fc=0.8",
    "coupling",
    9,
    1e-4,
    { { "coupling", 200, 0.02 }, { "fc", 1, 0.02 } } },
  { "planar",
    "rig: planar\nmass: 1 kg\nload: 10 N\nshape: {disk: {radius: 0.1 m}}\nreduced: true\n"
    "initial: {vx: 1 m/s, omega: 5 rad/s}\ntime: {end: 0.3 s, output: 5 ms}\n"
    "friction: {model: lugre, parameters: {sigma0: 1e3, sigma1: 1, sigma2: 0.2, fc: 0.3, fs: 0.3, vs: 50 mm/s}}\n",
    "friction.fc=0.25,friction.sigma2=0.1",
    NULL,
    3,
    1e-4,
    { { "fc", 0.3, 0.03 }, { "sigma2", 0.2, 0.1 } } },
  { "ball-joint",
    "rig: ball-joint\nmass: 1 kg\narm: 0.3 m\ninertia: [0.1 kg*m^2, 0.1 kg*m^2, 0.002 kg*m^2]\nradius: 25 mm\n"
    "initial: {tilt: 40 deg, w: [2, 0, 0]}\ntime: {end: 2 s, output: 20 ms}\n"
    "friction: {model: lugre, parameters: {sigma0: 1e3, sigma1: 10, sigma2: 0.1, fc: 0.2, fs: 0.2, vs: 10 mm/s}}\n",
    "friction.fc=0.15",
    NULL,
    5,
    1e-3,
    { { "fc", 0.2, 0.05 } } },
};

/* of the laws of the plane and of space only what sliding shows is searched */
static void hold_bristles(const struct family *f, bristle_identify_options *o)
{
  static const char *const names[] = { "sigma0", "sigma1", "vs" };
  if (strcmp(f->name, "planar") && strcmp(f->name, "ball-joint")) return;
  for (int i = 0; i < 3; i++) o->fixed[i] = names[i], o->fixed_value[i] = (double)NAN;
}

TEST(every_family_of_rigs_is_identified_from_its_own_log)
{
  for (size_t k = 0; k < sizeof families / sizeof *families; k++) {
    const struct family *f = &families[k];
    const int slow = !strcmp(f->name, "ball-joint") || !strcmp(f->name, "planar") || !strcmp(f->name, "belt");
    if (slow && !test_is_long()) continue;
    bristle_range range = no_range;
    bristle_identify_options options = { .folds = -1, .candidates = strcmp(f->name, "belt") ? 6 : 40 };
    const char *scenario = write_file("rig.yaml", f->text), *log = simulate(scenario, "log.csv", f->noisy, f->noise);
    const char *const set[] = { f->set, NULL };
    range.name = f->key;
    hold_bristles(f, &options);
    const bristle_rig_request request = request_of(scenario, &log, set, &range, f->key != NULL);
    bristle_identified *r = fit(&request, &options);
    int known = 0;
    while (known < 4 && f->known[known].name) known++;
    compare(f->name, r, f->known, known);
    bristle_identified_free(r);
  }
}

/* ---- several logs, bounds, starts ---- */

static const char block[] = "rig: spring-pull\nmass: 1 kg\nstiffness: 100 N/m\nspeed: 0 m/s\n%s"
                            "friction: {model: coulomb, parameters: {fc: %g N, sigma2: 0.5}}\n"
                            "time: {end: 2 s, output: 10 ms}\n";

static const char *write_block(const char *name, const char *start, double fc)
{
  char text[400];
  snprintf(text, sizeof text, block, start, fc);
  return write_file(name, text);
}

/* two releases from different places, of which the scenario knows nothing; the law that made them leads */
TEST(rig_starts_of_several_logs_are_found_and_laws_ranked)
{
  const char *logs[2], *scenario = write_block("scenario.yaml", "", 0.7);
  bristle_identified *result[2] = { NULL, NULL };
  bristle_motion *motion;
  bristle_fault fault;
  char kept[2][80];
  for (int k = 0; k < 2; k++) {
    const char *start = k ? "initial: {x: -70 mm, v: 0.1 m/s}\n" : "initial: {x: 90 mm}\n";
    snprintf(kept[k], sizeof kept[k], "%s",
             simulate(write_block("made.yaml", start, 1), k ? "b.csv" : "a.csv", 1, 1e-4));
    logs[k] = kept[k];
  }
  const bristle_range range = { "stiffness", NAN, NAN, NAN };
  bristle_rig_request request = request_of(scenario, logs, NULL, &range, 1);
  request.logs = 2, request.free_start = 1;
  CHECK(!bristle_rig_open(&request, &motion, &fault), "%s", fault.what);
  if (!motion) return;
  const bristle_identify_options options = { .candidates = 4 };
  CHECK(!motion->fit(motion->self, bristle_law_find("coulomb"), NULL, &options, &result[0], &fault), "%s", fault.what);
  CHECK(!motion->fit(motion->self, bristle_law_find("tanh"), NULL, &options, &result[1], &fault), "%s", fault.what);
  static const truth known[] = { { "fc", 1, 0.02 }, { "sigma2", 0.5, 0.05 }, { "stiffness", 100, 0.01 } };
  compare("two releases", result[0], known, 3);
  if (result[0]) {
    CHECK_NEAR(result[0]->rms, 1e-4, 0.1);
    CHECK_NEAR(result[0]->held_out, 1e-4, 0.2);
    CHECK(fabs(result[0]->beside[1] - 0.09) < 2e-4, "the first run starts at %g, in truth 0.09", result[0]->beside[1]);
    CHECK(fabs(result[0]->beside[4] - 0.1) < 5e-3, "the second run starts with %g, in truth 0.1", result[0]->beside[4]);
  }
  if (result[0] && result[1]) {
    bristle_identified_rank(result, 2);
    CHECK(!strcmp(result[0]->law->name, "coulomb"), "%s leads", result[0]->law->name);
  }
  for (int k = 0; k < 2; k++) bristle_identified_free(result[k]);
  bristle_motion_free(motion);
}

/* the request and its texts are the caller's, who may use their place for something else */
TEST(rig_request_may_be_forgotten)
{
  const char *start = "initial: {x: 90 mm}\n", *log = simulate(write_block("made.yaml", start, 1), "log.csv", 1, 1e-4);
  char text[4][90] = { "mass=1 kg", "stiffness", "friction.fc" };
  const char *set[2] = { text[0], NULL }, *logs[1] = { text[3] };
  bristle_range range[2] = { { text[1], NAN, NAN, NAN }, { text[2], 0.2, NAN, 3 } };
  snprintf(text[3], sizeof text[3], "%s", log);
  bristle_rig_request request = request_of(write_block("scenario.yaml", start, 0.7), logs, set, range, 2);
  bristle_motion *motion;
  bristle_fault fault;
  bristle_identified *result = NULL;
  CHECK(!bristle_rig_open(&request, &motion, &fault), "%s", fault.what);
  if (!motion) return;
  memset(text, '#', sizeof text);
  for (int k = 0; k < 4; k++) text[k][89] = '\0';
  request = (bristle_rig_request){ .logs = 77 }, set[0] = logs[0] = text[1], range[0].name = range[1].name = "mass";
  CHECK(!motion->fit(motion->self, motion->law, NULL, &(bristle_identify_options){ .folds = -1, .candidates = 4 },
                     &result, &fault),
        "%s", fault.what);
  static const truth known[] = { { "fc", 1, 0.02 }, { "stiffness", 100, 0.01 } };
  compare("forgotten", result, known, 2);
  CHECK(!strcmp(motion->run[0].name, log), "%s", motion->run[0].name);
  bristle_identified_free(result);
  bristle_motion_free(motion);
}

TEST(rig_bounds_are_kept)
{
  const char *start = "initial: {x: 90 mm}\n", *log = simulate(write_block("made.yaml", start, 1), "log.csv", 1, 1e-4);
  const char *scenario = write_block("scenario.yaml", start, 0.7);
  const bristle_range range[2] = { { "stiffness", 50, NAN, 95 }, { "friction.fc", 0.2, NAN, 0.9 } };
  const bristle_rig_request request = request_of(scenario, &log, NULL, range, 2);
  bristle_identified *r = fit(&request, &(bristle_identify_options){ .folds = -1, .candidates = 4 });
  for (int k = 0; r && k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (!strcmp(x->name, "fc")) CHECK(x->value >= 0.2 && x->value <= 0.9, "fc = %g", x->value);
    if (strcmp(x->name, "stiffness")) continue;
    CHECK(x->value == 95 && x->bound == 1 && isinf(x->deviation), "stiffness = %g +- %g", x->value, x->deviation);
    CHECK(strstr(x->reason, "upper end"), "the reason is '%s'", x->reason);
  }
  bristle_identified_free(r);
}

/* a log of another rig: a heavier body on a softer spring, and no number that could explain it */
TEST(rig_that_does_not_fit_its_log_misses_the_motion)
{
  const char *start = "initial: {x: 90 mm}\n", *log = simulate(write_block("made.yaml", start, 1), "log.csv", 1, 1e-4);
  const char *scenario = write_block("scenario.yaml", start, 1);
  const char *const set[] = { "mass=4 kg,stiffness=30 N/m", NULL };
  const bristle_rig_request request = request_of(scenario, &log, set, NULL, 0);
  bristle_identified *r = fit(&request, &(bristle_identify_options){ .folds = -1, .candidates = 4 });
  if (r) CHECK(r->relative > 0.25 && r->rms > 5 * r->measured_noise, "it misses %g of the motion only", r->relative);
  bristle_identified_free(r);
}

/* ---- what is refused ---- */

TEST(rig_mistakes_are_named)
{
  static const struct {
    const char *scenario, *key, *log, *expected;
    double lo, hi;
  } cases[] = {
    { "rig: mass\nmas: 1\nfriction: {model: coulomb}\n", NULL, NULL, "mas", NAN, NAN },
    { "rig: mass\nmass: 1\nfriction: {model: coulomb}\n", "stiffness", NULL, "neither the scenario has such a key", NAN,
      NAN },
    { "rig: mass\nmass: 1\nforce: {sine: {amplitude: 1, frequency: 1}}\nfriction: {model: coulomb}\n", "force", NULL,
      "no number", NAN, NAN },
    { "rig: mass\nmass: 1\nfriction: {model: coulomb}\ninitial: {v: 0}\n", "initial.v", NULL,
      "the start value 0 gives no scale", NAN, NAN },
    { "rig: mass\nmass: 1\nforce: {column: motor}\nfriction: {model: coulomb}\n", NULL, NULL, "motor", NAN, NAN },
    { "rig: mass\nmass: 1\nfriction: {model: coulomb}\n", NULL, "t,z\n0,1\n", "expected 20 at least", NAN, NAN },
    { "rig: pendulum\ninertia: 1\nfriction: {model: coulomb}\n", NULL, NULL, "rad", NAN, NAN },
    { "rig: planar\nmass: 1\nload: 1\nshape: {disk: {radius: 1}}\nfriction: {model: lugre, parameters: {fc: 0.2, "
      "fs: 0.3, sigma0: 1e3, sigma1: 1, sigma2: 0}}\n",
      NULL, NULL, "nothing in this table can be compared", NAN, NAN },
  };
  char text[4000] = "t [s],x_block [m]\n";
  for (int i = 0; i < 60; i++) snprintf(text + strlen(text), 40, "%g,%g\n", 0.1 * i, 0.01 * sin(i));
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const bristle_range range = { cases[k].key, cases[k].lo, NAN, cases[k].hi };
    const char *scenario = write_file("scenario.yaml", cases[k].scenario);
    const char *log = write_file("log.csv", cases[k].log ? cases[k].log : text);
    const bristle_rig_request request = request_of(scenario, &log, NULL, &range, cases[k].key != NULL);
    bristle_motion *motion;
    bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
    CHECK(bristle_rig_open(&request, &motion, &fault) && !motion, "case %zu was accepted", k);
    CHECK(strstr(fault.what, cases[k].expected) || strstr(fault.hint, cases[k].expected), "case %zu says: %s; %s", k,
          fault.what, fault.hint);
    bristle_motion_free(motion);
  }
}

/* what stands in the union of a rig with a driver of its own is not the contact of an axis */
TEST(rig_with_a_driver_of_its_own_is_not_fitted)
{
  const bristle_rig_driver own = { .check = NULL };
  const bristle_rig axis = { .kind = BRISTLE_RIG_AXIS }, arm = { .kind = BRISTLE_RIG_ARM };
  const bristle_rig hosted = { .kind = BRISTLE_RIG_AXIS, .driver = &own };
  CHECK(rig_facts_of(&axis) && rig_facts_of(&axis)->has_start, "an axis has no facts");
  CHECK(!rig_facts_of(&arm) && !rig_facts_of(&hosted), "an arm or a rig of its own would be fitted");
}
