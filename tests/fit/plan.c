/* Experiments: what a motion tells is what fits of noisy data show, and plans determine what they promise. */
#include "lab/loops.h"
#include "lab/plan.h"
#include "maths/random.h"
#include "support/test.h"

enum { SAMPLES = 3000 };

static double normal(random_state *random)
{
  double sum = -6; /* twelve uniform numbers: mean 0, variance 1 */
  for (int k = 0; k < 12; k++) sum += random_part(random);
  return sum;
}

static int place_of(const bristle_contact *contact, const char *name)
{
  int at = 0, wanted[64];
  const int first = bristle_param_find(contact->law->f64->info, name)->first;
  bristle_plan_wanted(contact, wanted);
  for (int j = 0; j < first; j++) at += wanted[j];
  return at;
}

TEST(plan_wants_what_is_switched_on)
{
  double p[64];
  int wanted[64];
  const bristle_law *law = bristle_law_find("lugre");
  const bristle_info *info = law->f64->info;
  bristle_defaults(info, p);
  bristle_plan_wanted(&(bristle_contact){ .law = law, .p = p }, wanted);
  CHECK(wanted[bristle_param_find(info, "sigma0")->first] && wanted[bristle_param_find(info, "fs")->first], "levels");
  CHECK(!wanted[bristle_param_find(info, "vd")->first], "vd = 1e9 is switched off");
  CHECK(!wanted[bristle_param_find(info, "gamma")->first] && !wanted[bristle_param_find(info, "limit")->first],
        "exponents and options are taken for known");
}

/* ---- a motion, and many noisy fits of it ---- */

typedef struct experiment {
  double h[SAMPLES], v[SAMPLES], x[SAMPLES], x_end[SAMPLES], f[SAMPLES];
} experiment;

static void make_experiment(experiment *e, const bristle_law *law, const double *p)
{
  double state[64] = { 0 }, at = 0;
  for (size_t i = 0; i < SAMPLES; i++) {
    const double t = 1e-3 * (double)(i + 1), next = 2e-5 * sin(6 * t) + 4e-4 * sin(1.3 * t);
    e->h[i] = 1e-3, e->x[i] = at, e->v[i] = (next - at) / 1e-3, e->x_end[i] = at = next;
    const bristle_input in = { .v = e->v[i], .x = e->x[i], .n = 1, .h = 1e-3 };
    e->f[i] = law->f64->step(p, state, &in, NULL);
  }
}

/* the scatter of parameters from many noisy records of one motion is the expected deviation; here without an offset, so
   that the expected one, which allows for it, may be a little larger */
TEST(plan_deviations_are_the_scatter_of_fits)
{
  enum { FITS = 60, COUNT = 4 };
  static const char *const searched[COUNT] = { "sigma0", "fc", "fs", "vs" };
  static experiment e;
  static double noisy[SAMPLES], zero_start[SAMPLES + 1];
  const bristle_law *law = bristle_law_find("lugre");
  const bristle_info *info = law->f64->info;
  double p[64], sum[COUNT] = { 0 }, squares[COUNT] = { 0 }, deviation[BRISTLE_PLAN_SIDE];
  int wanted[64] = { 0 };
  const double noise = 0.02;
  bristle_fault fault;
  bristle_defaults(info, p);
  for (int k = 0; k < COUNT; k++) wanted[bristle_param_find(info, searched[k])->first] = 1;
  make_experiment(&e, law, p);
  const bristle_contact contact = { .law = law, .p = p };
  const bristle_plan_motion motion = { SAMPLES, e.h, e.v, e.x, NULL, NULL, NULL };
  bristle_information information = { 0 };
  CHECK(!bristle_plan_inform(&contact, wanted, &motion, noise, &information, &fault), "%s", fault.what);
  bristle_plan_deviations(&information, deviation, NULL);
  random_state random = random_start(11);
  for (int fit = 0; fit < FITS; fit++) {
    double found[64];
    bristle_fit_result *result;
    zero_start[0] = 0;
    for (size_t i = 0; i < SAMPLES; i++) zero_start[i + 1] = e.x_end[i];
    for (size_t i = 1; i < SAMPLES; i++) noisy[i] = e.f[i - 1] + noise * normal(&random);
    const bristle_loop_record record = { SAMPLES, 1e-3, zero_start, noisy, NULL };
    const bristle_contact start = { .law = law, .p = p };
    const bristle_loop_fit job = { &start, 1, searched, COUNT, 1, &record, 0 };
    CHECK(!bristle_loop_fit_parameters(&job, NULL, found, &result, &fault), "%s", fault.what);
    for (int k = 0; k < COUNT; k++) {
      const int j = bristle_param_find(info, searched[k])->first;
      sum[k] += found[j] / p[j] - 1, squares[k] += pow(found[j] / p[j] - 1, 2);
    }
    bristle_fit_free(result);
  }
  for (int k = 0; k < COUNT; k++) {
    const double scatter = sqrt((squares[k] - sum[k] * sum[k] / FITS) / (FITS - 1));
    CHECK(scatter > 0.7 * deviation[k] && scatter < 1.35 * deviation[k], "%s: scatter %g, expected %g", searched[k],
          scatter, deviation[k]);
  }
}

TEST(plan_names_what_a_motion_leaves_open)
{
  static experiment e;
  double p[64], deviation[BRISTLE_PLAN_SIDE], alone[BRISTLE_PLAN_SIDE];
  const bristle_law *law = bristle_law_find("lugre");
  bristle_fault fault;
  bristle_defaults(law->f64->info, p);
  const bristle_contact contact = { .law = law, .p = p };
  for (size_t i = 0; i < SAMPLES; i++) e.h[i] = 1e-3, e.v[i] = 0.05, e.x[i] = 5e-5 * (double)i;
  const bristle_plan_motion steady = { SAMPLES - 100, e.h + 100, e.v + 100, e.x + 100, NULL, NULL, NULL };
  bristle_information information = { 0 };
  CHECK(!bristle_plan_inform(&contact, NULL, &steady, 0.01, &information, &fault), "%s", fault.what);
  bristle_plan_deviations(&information, deviation, alone);
  /* one speed in one direction: the level, the viscous part and the offset are one number */
  const int fc = place_of(&contact, "fc"), vs = place_of(&contact, "vs"), sigma2 = place_of(&contact, "sigma2");
  CHECK(deviation[fc] > 1 && alone[fc] < 1e-3, "fc: %g, alone %g", deviation[fc], alone[fc]);
  CHECK(deviation[sigma2] > 1 && alone[sigma2] < 0.1, "sigma2: %g, alone %g", deviation[sigma2], alone[sigma2]);
  CHECK(deviation[vs] > 1 && alone[vs] > 1, "vs: %g, alone %g", deviation[vs], alone[vs]);
}

/* ---- proposals ---- */

static void check_motion(const bristle_plan *plan, const bristle_plan_limits *limits)
{
  double lowest = 0, highest = 0;
  for (size_t i = 1; i < plan->samples; i++) {
    CHECK(fabs(plan->v[i]) <= 1.02 * limits->speed, "sample %zu: speed %g", i, plan->v[i]);
    CHECK_ABS(plan->x[i] - plan->x[i - 1], plan->v[i] * (plan->t[i] - plan->t[i - 1]), 1e-12 + 1e-9 * fabs(plan->x[i]));
    lowest = fmin(lowest, plan->x[i]), highest = fmax(highest, plan->x[i]);
  }
  CHECK(highest - lowest <= 1.02 * limits->stroke, "stroke %g", highest - lowest);
  CHECK(plan->t[plan->samples - 1] <= limits->duration + 0.2, "takes %g s", plan->t[plan->samples - 1]);
}

TEST(plan_determines_what_it_promises)
{
  static const char *const laws[] = { "coulomb", "stribeck", "dahl", "lugre", "elasto_plastic", "gms" };
  const bristle_plan_limits limits = {
    .speed = 0.1, .stroke = 0.05, .rate = test_share(1000, 500), .duration = 60, .noise = 0.01
  };
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    const bristle_law *law = bristle_law_find(laws[k]);
    double p[64], deviation[BRISTLE_PLAN_SIDE], worst = 0;
    bristle_fault fault;
    bristle_plan *plan;
    bristle_defaults(law->f64->info, p);
    const bristle_contact contact = { .law = law, .load = law->f64->info->load, .p = p };
    CHECK(!bristle_plan_make(&contact, NULL, &limits, NULL, &plan, &fault), "%s: %s", laws[k], fault.what);
    if (!plan) continue;
    bristle_plan_deviations(&plan->information, deviation, NULL);
    for (int j = 0; j + 1 < plan->information.side; j++) worst = fmax(worst, deviation[j]);
    CHECK(worst < 0.05, "%s: a parameter is left at %g after %d pieces", laws[k], worst, plan->count);
    check_motion(plan, &limits);
    bristle_plan_free(plan);
  }
}

/* what is known already is not measured again: nothing after the plan itself, and no more than it after a part */
TEST(plan_adds_only_what_is_missing)
{
  static experiment e;
  double p[64];
  const bristle_law *law = bristle_law_find("lugre");
  bristle_fault fault;
  bristle_plan *all = NULL, *rest = NULL, *nothing = NULL;
  bristle_defaults(law->f64->info, p);
  const bristle_plan_limits limits = { .speed = 0.1, .stroke = 0.05, .rate = 1000, .duration = 60, .noise = 0.01 };
  const bristle_plan_limits modest = {
    .speed = 0.1, .stroke = 0.05, .rate = 1000, .duration = 60, .noise = 0.01, .goal = 0.1
  };
  const bristle_contact contact = { .law = law, .p = p };
  make_experiment(&e, law, p);
  const bristle_plan_motion motion = { SAMPLES, e.h, e.v, e.x, NULL, NULL, NULL };
  bristle_information before = { 0 };
  CHECK(!bristle_plan_inform(&contact, NULL, &motion, 0.01, &before, &fault), "%s", fault.what);
  CHECK(!bristle_plan_make(&contact, NULL, &limits, NULL, &all, &fault), "%s", fault.what);
  CHECK(!bristle_plan_make(&contact, NULL, &limits, &before, &rest, &fault), "%s", fault.what);
  if (all) CHECK(!bristle_plan_make(&contact, NULL, &modest, &all->information, &nothing, &fault), "%s", fault.what);
  if (rest) CHECK(rest->samples <= all->samples, "%zu samples, %zu without the record", rest->samples, all->samples);
  if (nothing) CHECK(nothing->count == 0, "%d pieces after the whole experiment", nothing->count);
  bristle_plan_free(all), bristle_plan_free(rest), bristle_plan_free(nothing);
}

TEST(plan_refuses_impossible_machines)
{
  double p[64];
  const bristle_law *law = bristle_law_find("lugre");
  bristle_fault fault;
  bristle_plan *plan;
  bristle_defaults(law->f64->info, p);
  const bristle_contact contact = { .law = law, .p = p };
  const bristle_plan_limits no_speed = { .speed = 0, .stroke = 0.05, .rate = 1000, .duration = 60, .noise = 0.01 };
  CHECK(bristle_plan_make(&contact, NULL, &no_speed, NULL, &plan, &fault) && strstr(fault.what, "speed"), "%s",
        fault.what);
  const bristle_plan_limits slow = { .speed = 1, .stroke = 0.05, .rate = 1e-3, .duration = 60, .noise = 0.01 };
  CHECK(bristle_plan_make(&contact, NULL, &slow, NULL, &plan, &fault) && strstr(fault.what, "no candidate motion"),
        "%s", fault.what);
}

/* pieces that take longer than the experiment are not worked out, and laws with many states are asked about fewer */
TEST(a_plan_considers_only_what_fits)
{
  const bristle_plan_limits hour = {
    .speed = 0.1, .stroke = 0.05, .rate = test_share(1000, 250), .duration = 60, .noise = 0.01
  };
  bristle_plan_limits second = hour;
  second.duration = 1;
  int considered[2][2];
  for (int k = 0; k < 4; k++) {
    const bristle_law *law = bristle_law_find(k / 2 ? "leuven" : "lugre");
    double p[BRISTLE_LAW_SIZE];
    bristle_defaults(law->f64->info, p);
    const bristle_contact given = { .law = law, .load = law->f64->info->load, .p = p };
    bristle_plan *plan;
    bristle_fault fault;
    CHECK(bristle_plan_make(&given, NULL, k % 2 ? &second : &hour, NULL, &plan, &fault) == BRISTLE_FAULT_NONE, "%s",
          fault.what);
    considered[k / 2][k % 2] = plan->considered;
    bristle_plan_free(plan);
  }
  CHECK(considered[0][1] < considered[0][0], "%d and %d pieces", considered[0][1], considered[0][0]);
  CHECK(2 * considered[1][0] <= considered[0][0] + 20, "%d and %d pieces", considered[1][0], considered[0][0]);
}

/* the largest values of a planned motion, from its samples */
typedef struct peaks {
  double speed, acceleration, jerk, force;
} peaks;

static peaks peaks_of(const bristle_plan *plan, const bristle_contact *contact, double mass)
{
  peaks p = { 0 };
  double state[64] = { 0 }, before = 0;
  for (size_t i = 1; i < plan->samples; i++) {
    const double h = plan->t[i] - plan->t[i - 1], a = (plan->v[i] - plan->v[i - 1]) / h;
    const bristle_input in = { .v = plan->v[i], .x = plan->x[i - 1], .n = 1, .h = h };
    p.speed = fmax(p.speed, fabs(plan->v[i])), p.acceleration = fmax(p.acceleration, fabs(a));
    p.jerk = fmax(p.jerk, fabs(a - before) / h);
    p.force = fmax(p.force, fabs(contact->law->f64->step(contact->p, state, &in, NULL) + mass * a));
    before = a;
  }
  return p;
}

TEST(plan_keeps_the_limits_of_the_machine)
{
  double p[64];
  const bristle_law *law = bristle_law_find("lugre");
  bristle_fault fault = { 0 };
  bristle_plan *plan = NULL;
  bristle_defaults(law->f64->info, p);
  const bristle_contact contact = { .law = law, .p = p };
  const bristle_plan_limits any = {
    .speed = 0.1, .stroke = 0.05, .rate = test_share(1000, 500), .duration = 30, .noise = 0.01, .mass = 2
  };
  CHECK(!bristle_plan_make(&contact, NULL, &any, NULL, &plan, &fault), "%s", fault.what);
  if (!plan) return;
  const peaks free_ones = peaks_of(plan, &contact, any.mass);
  bristle_plan_free(plan);
  bristle_plan_limits limits[4] = { any, any, any, any };
  limits[0].acceleration = 0.1 * free_ones.acceleration;
  limits[1].jerk = 2;
  limits[2].force = 0.9 * free_ones.force;
  limits[3].acceleration = 0.2, limits[3].jerk = 5, limits[3].force = 0.9 * free_ones.force;
  for (int k = 0; k < 4; k++) {
    const bristle_plan_limits *l = &limits[k];
    CHECK(!bristle_plan_make(&contact, NULL, l, NULL, &plan, &fault) && plan->count, "case %d: %s", k, fault.what);
    if (!plan) return;
    const peaks found = peaks_of(plan, &contact, l->mass);
    CHECK(found.speed <= 1.001 * l->speed, "case %d: speed %g", k, found.speed);
    CHECK(!l->acceleration || found.acceleration <= 1.001 * l->acceleration, "case %d: %g of %g m/s^2", k,
          found.acceleration, l->acceleration);
    CHECK(!l->jerk || found.jerk <= 1.001 * l->jerk, "case %d: %g of %g m/s^3", k, found.jerk, l->jerk);
    /* pieces start from rest, but with the bristle that the one before has bent: at the turn that adds up to twice */
    CHECK(!l->force || found.force <= 1.05 * l->force, "case %d: %g of %g N", k, found.force, l->force);
    bristle_plan_free(plan);
  }
  bristle_plan_limits weak = any;
  weak.force = 1e-9; /* less than the smallest sine takes */
  CHECK(bristle_plan_make(&contact, NULL, &weak, NULL, &plan, &fault) && strstr(fault.hint, "more force"), "%s; %s",
        fault.what, fault.hint);
}
