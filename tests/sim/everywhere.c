/* Every law on every rig it fits, with random admissible parameters and random programs, at default settings: each run
 * ends within a number of steps that follows from what happens, and its energy account closes, or the run says so.
 *
 * Budget: some steps for the programs, and some for each vibration of the contact on its mass. */
#include "bristle/params.h"
#include "bristle/sim.h"
#include "support/test.h"

#include <stdint.h>

enum { KNOTS = 8, SINES = 3, MOST_PARAM = 128 };

/* ---- chance ---- */

static uint64_t seed;

static double uniform(void)
{
  uint64_t z = seed += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(double a, double b) { return a + (b - a) * uniform(); }
static double decades(double a, double b) { return a * pow(b / a, uniform()); }

static double draw_number(const bristle_row *row, double initial)
{
  double value = initial;
  if (row->kind == BRISTLE_OPTION) value = floor(between(row->lo, fmin(row->hi, row->lo + 5) + 1));
  else if (row->kind != BRISTLE_LOG) value = initial * between(0.5, 1.5);
  else if (initial > 0) value = initial * decades(0.1, 10);
  else if (row->count == 1 && uniform() < 0.5) value = decades(1e-2, 1);
  return fmin(fmax(value, row->lo), row->hi);
}

/* parameters within a decade of the defaults that keep the rules of the law; set 0: the defaults */
static void draw_parameters(const bristle_law *law, int set, double *p)
{
  const bristle_info *info = law->f64->info;
  bristle_error fault;
  bristle_defaults(info, p);
  for (int tries = 0; set > 0 && tries < 1000; tries++) {
    bristle_defaults(info, p);
    for (int r = 0; r < info->param_rows; r++) {
      const bristle_row *row = &info->param[r];
      double sum = 0;
      for (int k = 0; k < row->count; k++) sum += p[row->first + k] = draw_number(row, row->initial[k]);
      for (int k = 0; row->count > 1 && !strcmp(row->unit, "1") && k < row->count; k++) p[row->first + k] /= sum;
    }
    if (!bristle_check(law->f64, p, &fault)) return;
  }
  CHECK(set == 0, "%s: no admissible parameters in 1000 tries", law->name);
}

/* ---- programs ---- */

typedef struct inputs {
  double t[KNOTS], y[KNOTS], load_t[KNOTS], load_y[KNOTS], amplitude[SINES], frequency[SINES], phase[SINES];
} inputs;

static bristle_program draw_sines(inputs *in, double size)
{
  for (int i = 0; i < SINES; i++) {
    in->amplitude[i] = size * between(0.2, 1);
    in->frequency[i] = decades(0.3, 3);
    in->phase[i] = between(0, 6.28);
  }
  return (bristle_program){ .kind = BRISTLE_PROGRAM_SINES,
                            .count = SINES,
                            .amplitude = in->amplitude,
                            .frequency = in->frequency,
                            .phase = in->phase };
}

static bristle_program draw_knots(double *t, double *y, double end, double low, double high)
{
  for (int i = 0; i < KNOTS; i++) {
    t[i] = end * i / (KNOTS - 1);
    y[i] = between(low, high);
  }
  return (bristle_program){ .count = KNOTS, .t = t, .y = y };
}

static bristle_program ramp(inputs *in, double end, double speed)
{
  in->t[0] = in->y[0] = 0;
  in->t[1] = end;
  in->y[1] = speed * end;
  return (bristle_program){ .count = 2, .t = in->t, .y = in->y };
}

/* ---- rigs ---- */

typedef struct trial {
  const bristle_law *law;
  double p[MOST_PARAM], observer[16], force, end; /* force: what the law does in sliding */
  inputs in;
  bristle_arm_link link[2];
} trial;

static bristle_axis axis_of(trial *x)
{
  return (bristle_axis){ .mass = decades(0.1, 10),
                         .load = { .offset = 1 },
                         .contact = { .law = x->law, .p = x->p, .load = x->law->f64->info->load } };
}

static bristle_driven driven_of(trial *x, int velocity)
{
  return (bristle_driven){ .velocity = velocity,
                           .load = { .offset = 1 },
                           .contact = { .law = x->law, .p = x->p, .load = x->law->f64->info->load } };
}

static bristle_rig forced_sines(trial *x)
{
  bristle_rig rig = { .as.axis = axis_of(x) };
  rig.as.axis.force = draw_sines(&x->in, x->force * decades(0.3, 5));
  return rig;
}

static bristle_rig forced_knots(trial *x)
{
  bristle_rig rig = { .as.axis = axis_of(x) };
  const double size = x->force * decades(0.5, 5);
  rig.as.axis.force = draw_knots(x->in.t, x->in.y, x->end, -size, size);
  return rig;
}

static bristle_rig spring_pull(trial *x)
{
  bristle_rig rig = { .as.axis = axis_of(x) };
  rig.as.axis.stiffness = decades(1, 1e3);
  rig.as.axis.anchor = ramp(&x->in, x->end, decades(1e-3, 1));
  return rig;
}

static bristle_rig belt(trial *x)
{
  bristle_rig rig = { .as.axis = axis_of(x) };
  rig.as.axis.stiffness = decades(1, 1e3);
  rig.as.axis.base.offset = decades(1e-3, 1);
  return rig;
}

static bristle_rig servo(trial *x)
{
  bristle_rig rig = { .as.axis = axis_of(x) };
  rig.as.axis.kp = decades(100, 1e4);
  rig.as.axis.kd = decades(1, 100);
  rig.as.axis.ki = uniform() < 0.5 ? 0 : decades(10, 1e3);
  rig.as.axis.target = draw_sines(&x->in, 0.05);
  if (uniform() < 0.3) {
    const bristle_lugre p = bristle_lugre_default();
    memcpy(x->observer, &p, sizeof p);
    rig.as.axis.observer = x->observer;
  }
  return rig;
}

static bristle_rig pendulum(trial *x)
{
  bristle_rig rig = { .as.axis = axis_of(x) };
  rig.as.axis.gravity = 10 * rig.as.axis.mass;
  rig.as.axis.x = between(0.1, 3);
  return rig;
}

static bristle_rig driven_velocity(trial *x)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN, .as.driven = driven_of(x, 1) };
  const double size = decades(1e-4, 0.3);
  rig.as.driven.motion = draw_knots(x->in.t, x->in.y, x->end, -size, size);
  return rig;
}

static bristle_rig driven_position(trial *x)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN, .as.driven = driven_of(x, 0) };
  rig.as.driven.motion = draw_sines(&x->in, decades(1e-5, 1e-2));
  return rig;
}

static bristle_rig driven_chirp(trial *x)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN, .as.driven = driven_of(x, 0) };
  x->in.amplitude[0] = decades(1e-5, 1e-2);
  rig.as.driven.motion = (bristle_program){
    .kind = BRISTLE_PROGRAM_CHIRP, .amplitude = x->in.amplitude, .f0 = 0.2, .f1 = 8, .duration = x->end
  };
  return rig;
}

static bristle_rig driven_load(trial *x)
{
  bristle_rig rig = driven_velocity(x);
  rig.as.driven.contact.load = BRISTLE_LOAD_COEFFICIENT;
  rig.as.driven.load = draw_knots(x->in.load_t, x->in.load_y, 0.9 * x->end, 0.5, 2);
  return rig;
}

static bristle_rig chain(trial *x)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_CHAIN };
  rig.as.chain = (bristle_chain){ .count = 3,
                                  .mass = decades(0.1, 10),
                                  .coupling = decades(10, 1e3),
                                  .stiffness = decades(1, 100),
                                  .speed = decades(1e-2, 1),
                                  .load = 1,
                                  .scatter = 1e-3,
                                  .contact = { .law = x->law, .p = x->p, .load = x->law->f64->info->load } };
  return rig;
}

/* the same law in both joints, at the scale of the torques of gravity: it holds, slips, or swings */
static bristle_rig arm(trial *x)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_ARM, .rotary = 1 };
  for (int i = 0; i < 2; i++) {
    x->link[i] = (bristle_arm_link){ .mass = decades(0.1, 10),
                                     .length = between(0.1, 1),
                                     .load = { .offset = 1 },
                                     .contact = { .law = x->law, .p = x->p, .load = x->law->f64->info->load },
                                     .q = between(-3, 3) };
    x->link[i].centre = 0.5 * x->link[i].length;
    x->link[i].inertia = x->link[i].mass * x->link[i].length * x->link[i].length / 12;
  }
  rig.as.arm = (bristle_arm){ .count = 2, .link = x->link };
  rig.as.arm.gravity = x->force * decades(0.3, 5) / (x->link[0].length * (x->link[0].mass + x->link[1].mass));
  x->link[1].torque = draw_sines(&x->in, x->force * decades(0.1, 1));
  return rig;
}

static const struct {
  const char *name;
  bristle_rig (*make)(trial *);
} rigs[] = {
  { "mass under sines", forced_sines },
  { "mass under knots", forced_knots },
  { "spring-pull", spring_pull },
  { "belt", belt },
  { "servo", servo },
  { "pendulum", pendulum },
  { "prescribed velocity", driven_velocity },
  { "prescribed position", driven_position },
  { "chirp", driven_chirp },
  { "varying load", driven_load },
  { "chain", chain },
  { "arm", arm },
};
enum { RIGS = sizeof rigs / sizeof *rigs };

/* ---- what is asked of a run ---- */

static double sliding_force(const bristle_law *law, const double *p)
{
  const bristle_input at = { .v = 1e-2, .n = 1 };
  const double force = law->f64->info->traits & BRISTLE_STEADY ? fabs(law->f64->steady(p, &at)) : 1;
  return force > 0 && isfinite(force) ? force : 1;
}

/* the stiffness of the contact at rest, by its own derivatives */
static double stiffness_of(const trial *x)
{
  enum { N = BRISTLE_SIM_STATES };
  const bristle_input slow = { .v = 1e-12, .n = 1 };
  double z[N] = { 0 }, rate[N], df[BRISTLE_D_STATE + N], drate[N * (BRISTLE_D_STATE + N)], sum = 0;
  x->law->diff->jacobian(x->p, z, &slow, rate, df, drate);
  for (int k = 0; k < x->law->f64->info->nstate; k++) sum += fmax(0, df[BRISTLE_D_STATE + k] * rate[k] / slow.v);
  return isfinite(sum) ? sum : 0;
}

/* entries of delay lines in a second: a law that samples its motion does so whatever happens */
static double entries(const trial *x)
{
  const bristle_row *row = bristle_param_find(x->law->f64->info, "tau_l");
  return row ? 15 / fmax(x->p[row->first], 1e-9) : 0;
}

static size_t budget_of(const trial *x, const bristle_rig *rig)
{
  const double mass = rig->kind == BRISTLE_RIG_AXIS    ? rig->as.axis.mass
                      : rig->kind == BRISTLE_RIG_CHAIN ? rig->as.chain.mass
                      : rig->kind == BRISTLE_RIG_ARM   ? 0.1 * x->link[1].mass * x->link[1].length * x->link[1].length
                                                       : HUGE_VAL;
  const double vibrations = x->end * sqrt(stiffness_of(x) / mass) / 6.28;
  return (size_t)(40000 + 200 * vibrations + 8 * entries(x) * x->end);
}

static void run(const bristle_law *law, size_t rig_index, int set, double end)
{
  const int many = rigs[rig_index].make == chain || rigs[rig_index].make == arm;
  trial x = { .law = law, .end = many ? end / 3 : end };
  bristle_sim_stats stats;
  bristle_sim_error error = { 0 };
  seed = ((uint64_t)(uintptr_t)set << 32) + rig_index;
  for (const char *c = law->name; *c; c++) seed = seed * 31 + (uint64_t)*c;
  draw_parameters(law, set, x.p);
  x.force = sliding_force(law, x.p);
  const bristle_rig rig = rigs[rig_index].make(&x);
  const bristle_sim_options options = { .end = x.end, .output = x.end / 100, .most_steps = budget_of(&x, &rig) };
  const bristle_sim_status status = bristle_simulate(&rig, &options, NULL, &stats, &error);
  CHECK(status == BRISTLE_SIM_OK, "%s on %s, set %d: %s at %g s", law->name, rigs[rig_index].name, set, error.what,
        error.t);
  /* a residual above 1e-6 is told by the tool; one above 1e-3 would be a wrong run */
  CHECK(status || fabs(stats.residual) <= 1e-3 * stats.work_done, "%s on %s, set %d: residual %.2g", law->name,
        rigs[rig_index].name, set, stats.residual / stats.work_done);
}

TEST(every_law_runs_on_every_rig)
{
  const int long_run = test_is_long() || getenv("BRISTLE_LONG") != NULL, sets = long_run ? 6 : 2;
  for (int l = 0; l < bristle_law_count(); l++)
    for (size_t r = 0; r < RIGS; r++)
      for (int set = 0; set < sets; set++) run(bristle_law_at(l), r, set, long_run ? 3 : 0.3);
}

/* what could not be finished before: 1 kg, 30 N/m, 0.1 m/s, the defaults of each law */
TEST(belt_ends_with_every_law)
{
  for (int l = 0; l < bristle_law_count(); l++) {
    const bristle_law *law = bristle_law_at(l);
    double p[MOST_PARAM];
    bristle_defaults(law->f64->info, p);
    const bristle_rig rig = { .as.axis = { .mass = 1,
                                           .stiffness = 30,
                                           .base = { .offset = 0.1 },
                                           .load = { .offset = 1 },
                                           .contact = { .law = law, .p = p, .load = law->f64->info->load } } };
    const bristle_sim_options options = { .end = 3, .most_steps = 20000 };
    bristle_sim_stats stats;
    bristle_sim_error error = { 0 };
    const bristle_sim_status status = bristle_simulate(&rig, &options, NULL, &stats, &error);
    CHECK(status == BRISTLE_SIM_OK, "%s: %s at %g s", law->name, error.what, error.t);
    CHECK(status || fabs(stats.residual) <= 1e-6 * stats.work_done, "%s: residual %.2g", law->name,
          stats.residual / stats.work_done);
  }
}
