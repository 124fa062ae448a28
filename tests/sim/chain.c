/* Rows of masses: against one axis, against an independent integrator, their energy, avalanches, memory. */
#include "sim/rows.h"

#include "bristle/params.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { T, X, V, F, SLIDING, V_MAX, FIRST };

static bristle_rig chain_of(const char *law, double *p, size_t count)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_CHAIN };
  rig.as.chain = (bristle_chain){ .count = count,
                                  .mass = 1,
                                  .coupling = 10,
                                  .stiffness = 2,
                                  .speed = 0.1,
                                  .load = 1,
                                  .scatter = 0.01,
                                  .seed = 1,
                                  .contact = { .law = bristle_law_find(law), .p = p } };
  bristle_defaults(rig.as.chain.contact.law->f64->info, p);
  return rig;
}

TEST(chain_of_one_mass_is_the_spring_pull)
{
  static const char *const laws[] = { "lugre", "stribeck", "dahl" };
  /* a Stribeck contact lets go with no speed and speeds itself up: what it starts from is felt much later */
  static const double allowed[] = { 1e-6, 1e-5, 1e-6 };
  for (int i = 0; i < 3; i++) {
    double p[64];
    const double t[] = { 0, 100 }, ramp[] = { 0, 10 };
    bristle_rig chain = chain_of(laws[i], p, 1), axis = { .kind = BRISTLE_RIG_AXIS };
    chain.as.chain.scatter = 0;
    axis.as.axis = (bristle_axis){ .mass = 1,
                                   .stiffness = 2,
                                   .anchor = { .count = 2, .t = t, .y = ramp },
                                   .load = { .offset = 1 },
                                   .contact = chain.as.chain.contact };
    const bristle_sim_options options = { .end = 15, .output = 0.5, .rtol = 1e-10 };
    rows a = rows_run(&chain, &options), b = rows_run(&axis, &options);
    CHECK(a.count == 31 && b.count == 31, "%zu and %zu rows", a.count, b.count);
    for (size_t k = 0; k < a.count; k++) {
      CHECK_ABS(rows_value(&a, k, X), rows_value(&b, k, X), allowed[i]);
      CHECK_ABS(rows_value(&a, k, V), rows_value(&b, k, V), allowed[i]);
      CHECK_ABS(rows_value(&a, k, F), rows_value(&b, k, F), 1e-5);
      CHECK_ABS(rows_value(&a, k, FIRST), rows_value(&a, k, X), 0);
    }
    rows_free(&a);
    rows_free(&b);
  }
}

/* Nothing in the numerics may tell an end of the row from its middle: bit for bit. */
TEST(chain_masses_that_start_alike_stay_alike)
{
  double p[64];
  bristle_rig rig = chain_of("lugre", p, 9);
  rig.as.chain.scatter = 0;
  const bristle_sim_options options = { .end = 12, .output = 1 };
  rows r = rows_run(&rig, &options);
  CHECK(rows_last(&r, X) > 0.3, "it never slipped");
  for (size_t k = 0; k < r.count; k++)
    for (int i = 1; i < 9; i++) {
      CHECK_ABS(rows_value(&r, k, FIRST + 2 * i), rows_value(&r, k, FIRST), 0);
      CHECK_ABS(rows_value(&r, k, FIRST + 2 * i + 1), rows_value(&r, k, FIRST + 1), 0);
    }
  rows_free(&r);
}

/* ---- an independent integrator: classical Runge-Kutta on the law's rates ---- */

enum { MASSES = 3 };

static void rates(const bristle_chain *c, double t, const double y[3 * MASSES], double dy[3 * MASSES])
{
  for (int i = 0; i < MASSES; i++) {
    const double x = y[i], v = y[MASSES + i], plate = c->speed * t;
    const bristle_input in = { .v = v, .n = 1 };
    double force = c->stiffness * (plate - x) - c->damping * v;
    if (i > 0) force += c->coupling * (y[i - 1] - x);
    if (i + 1 < MASSES) force += c->coupling * (y[i + 1] - x);
    force -= c->contact.law->f64->eval(c->contact.p, &y[2 * MASSES + i], &in, &dy[2 * MASSES + i]);
    dy[i] = v;
    dy[MASSES + i] = force / c->mass;
  }
}

static void runge_kutta(const bristle_chain *c, double t, double h, double y[3 * MASSES])
{
  double k[4][3 * MASSES], at[3 * MASSES];
  const double part[4] = { 0, 0.5, 0.5, 1 };
  for (int s = 0; s < 4; s++) {
    for (int i = 0; i < 3 * MASSES; i++) at[i] = y[i] + (s ? h * part[s] * k[s - 1][i] : 0);
    rates(c, t + h * part[s], at, k[s]);
  }
  for (int i = 0; i < 3 * MASSES; i++) y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

TEST(chain_of_three_agrees_with_runge_kutta)
{
  double p[64], y[3 * MASSES] = { 0 };
  bristle_rig rig = chain_of("lugre", p, MASSES);
  rig.as.chain.damping = 0.1;
  const bristle_sim_options options = { .end = 10, .output = 1, .rtol = 1e-10 };
  rows r = rows_run(&rig, &options);
  const int steps = 50000; /* each second; the bristle's own time is 30 us */
  for (int i = 0; i < MASSES; i++) y[i] = rows_value(&r, 0, FIRST + 2 * i);
  CHECK(y[0] != y[1] && fabs(y[0]) <= 0.01 && fabs(y[1]) <= 0.01, "scatter %g %g", y[0], y[1]);
  for (size_t k = 1; k < r.count; k++) {
    for (int i = 0; i < steps; i++) runge_kutta(&rig.as.chain, (double)(k - 1) + (double)i / steps, 1.0 / steps, y);
    for (int i = 0; i < MASSES; i++) {
      CHECK_ABS(rows_value(&r, k, FIRST + 2 * i), y[i], 1e-7);
      CHECK_ABS(rows_value(&r, k, FIRST + 2 * i + 1), y[MASSES + i], 1e-6);
    }
  }
  CHECK(y[0] > 0.3, "it never slipped: %g", y[0]);
  rows_free(&r);
}

TEST(chain_energy_adds_up_and_better_with_the_tolerance)
{
  static const char *const laws[] = { "lugre", "stribeck", "coulomb", "gms" };
  for (int i = 0; i < 4; i++) {
    double p[64], residual[2];
    bristle_rig rig = chain_of(laws[i], p, 10);
    rig.as.chain.damping = 0.2;
    for (int tight = 0; tight < 2; tight++) {
      const bristle_sim_options options = { .end = i == 3 ? 2 : 20, .rtol = tight ? 0 : 1e-5 };
      rows r = rows_run(&rig, &options);
      residual[tight] = rows_residual(&r);
      CHECK(r.stats.work_in > 0 && r.stats.friction > 0, "%s: work %g, friction %g", laws[i], r.stats.work_in,
            r.stats.friction);
      rows_free(&r);
    }
    CHECK(residual[1] < 1e-6, "%s: %g of the work", laws[i], residual[1]);
    CHECK(residual[1] < 0.05 * residual[0], "%s: %g at 1e-5, %g at 1e-8", laws[i], residual[0], residual[1]);
  }
}

/* Burridge and Knopoff's earthquakes: at times nothing moves, at times a few, at times most of the masses. */
TEST(chain_slips_in_avalanches_of_all_sizes)
{
  double p[64];
  bristle_rig rig = chain_of("stribeck", p, 60);
  rig.as.chain.coupling = 30;
  rig.as.chain.speed = 0.01;
  rig.as.chain.scatter = 0.3;
  const bristle_sim_options options = { .end = 100, .output = 0.1, .rtol = 1e-6 };
  rows r = rows_run(&rig, &options);
  int none = 0, few = 0, many = 0;
  double most = 0;
  for (size_t k = 1; k < r.count; k++) {
    const double sliding = rows_value(&r, k, SLIDING);
    none += sliding == 0;
    few += sliding > 0 && sliding <= 10;
    many += sliding > 30;
    most = fmax(most, rows_value(&r, k, F));
    CHECK((sliding == 0) == (rows_value(&r, k, V_MAX) == 0), "stuck masses rest exactly: %g", rows_value(&r, k, V_MAX));
  }
  CHECK(none > 100 && few > 100 && many > 10, "rows with none %d, few %d, many %d masses sliding", none, few, many);
  CHECK(most < p[1], "the mean friction %g exceeds the static level", most);
  rows_free(&r);
}

/* 0.1 s is more than the springs between the masses bear (0.01 s); the steps are divided, and nothing grows. */
TEST(chain_with_long_fixed_steps_stays_bounded)
{
  double p[64];
  bristle_rig rig = chain_of("lugre", p, 20);
  rig.as.chain.coupling = 1e4;
  const bristle_sim_options options = { .method = BRISTLE_METHOD_COUPLED, .end = 50, .output = 0.1, .step = 0.1 };
  rows r = rows_run(&rig, &options);
  for (size_t k = 0; k < r.count; k++)
    CHECK(rows_value(&r, k, V_MAX) < 2, "speed %g at %g s", rows_value(&r, k, V_MAX), rows_value(&r, k, T));
  CHECK(rows_last(&r, X) > 3 && rows_last(&r, X) < 5, "mean position %g", rows_last(&r, X));
  rows_free(&r);
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
static size_t in_use(void)
{
  const struct mallinfo2 now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

static int note_memory(void *context, double t, double h, int accepted)
{
  (void)t, (void)h, (void)accepted;
  size_t *most = context;
  const size_t now = in_use();
  if (now > *most) *most = now;
  return 0;
}

TEST(chain_needs_less_than_300_bytes_for_each_mass)
{
  double p[64], each[2];
  for (int i = 0; i < 2; i++) {
    const size_t count = i ? 100000 : 10000, before = in_use();
    size_t most = 0;
    bristle_rig rig = chain_of("lugre", p, count);
    const bristle_sim_options options = { .method = BRISTLE_METHOD_COUPLED, .end = 0.02, .step = 0.01 };
    const bristle_sim_sink sink = { .context = &most, .step = note_memory };
    bristle_sim_stats stats = { 0 };
    bristle_sim_error error = { 0 };
    CHECK(bristle_simulate(&rig, &options, &sink, &stats, &error) == BRISTLE_SIM_OK, "%s", error.what);
    each[i] = (double)(most - before) / (double)count;
    CHECK(each[i] > 100 && each[i] < 300, "%g bytes for each of %zu masses", each[i], count);
  }
  CHECK_NEAR(each[1], each[0], 0.05);
}
#endif

TEST(chain_runs_with_step_rules_and_refuses_solvers_of_one_axis)
{
  double p[64];
  bristle_rig rig = chain_of("lugre", p, 5);
  const bristle_sim_options rules = { .method = BRISTLE_METHOD_STEPRULE, .end = 10, .step = 0.01 },
                            best = { .end = 10 };
  rows a = rows_run(&rig, &rules), b = rows_run(&rig, &best);
  CHECK(a.stats.method == BRISTLE_METHOD_STEPRULE && a.stats.shortest < 0.001 && a.stats.longest > 0.005,
        "steps from %g to %g", a.stats.shortest, a.stats.longest);
  CHECK_ABS(rows_last(&a, X), rows_last(&b, X), 0.02);
  rows_free(&a);
  rows_free(&b);
  const bristle_method others[] = { BRISTLE_METHOD_NATIVE, BRISTLE_METHOD_CVODE };
  for (int i = 0; i < 2; i++) {
    const bristle_sim_options options = { .method = others[i], .end = 1 };
    const bristle_sim_sink sink = { 0 };
    bristle_sim_stats stats = { 0 };
    bristle_sim_error error = { 0 };
    CHECK(bristle_simulate(&rig, &options, &sink, &stats, &error) == BRISTLE_SIM_UNSUITABLE, "%s: %s",
          bristle_method_text(others[i]), error.what);
  }
}

TEST(chain_check_names_the_field)
{
  double p[64];
  const bristle_rig good = chain_of("lugre", p, 3);
  const bristle_sim_options options = { .end = 1 };
  bristle_sim_error error;
  CHECK(!bristle_sim_check(&good, &options, &error), "refused: %s %s", error.field, error.what);
  bristle_rig rig = good;
  rig.as.chain.count = 0;
  rows_refused(&rig, "count");
  const struct {
    double *value;
    double bad;
    const char *field;
  } wrong[] = { { &rig.as.chain.mass, -1, "mass" },
                { &rig.as.chain.mass, 0, "mass" },
                { &rig.as.chain.coupling, -1, "coupling" },
                { &rig.as.chain.stiffness, (double)NAN, "stiffness" },
                { &rig.as.chain.damping, -1e-9, "damping" },
                { &rig.as.chain.speed, (double)INFINITY, "speed" },
                { &rig.as.chain.load, -1, "load" },
                { &rig.as.chain.scatter, -1, "scatter" },
                { &p[0], -5, "sigma0" } };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const double kept = p[0];
    rig = good;
    *wrong[i].value = wrong[i].bad;
    rows_refused(&rig, wrong[i].field);
    p[0] = kept;
  }
  rig = good;
  rig.as.chain.contact.law = NULL;
  rows_refused(&rig, "friction");
}
