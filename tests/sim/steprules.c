/* Dymore's step rules in simulations: the host's step is asked for, of several contacts the slowest decides, and the
 * strategy parameters are the user's. */
#include "bristle/params.h"
#include "sim/rows.h"

static bristle_rig chain_of(const bristle_lugre *p)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_CHAIN };
  rig.as.chain = (bristle_chain){ .count = 5,
                                  .mass = 1,
                                  .coupling = 5,
                                  .stiffness = 2,
                                  .speed = 0.1,
                                  .load = 1,
                                  .scatter = 0.2,
                                  .contact = { .law = bristle_law_find("lugre"), .p = (const double *)p } };
  return rig;
}

TEST(step_rule_without_a_step_of_the_host_is_refused)
{
  const bristle_lugre p = bristle_lugre_default();
  const bristle_rig rig = chain_of(&p);
  const bristle_sim_options options = { .method = BRISTLE_METHOD_STEPRULE, .end = 1 };
  bristle_sim_error error = { 0 };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT, "%s", error.what);
  CHECK(!strcmp(error.field, "step"), "field %s", error.field);
}

/* how many steps the rule asks for between the rows, by the slowest of the masses */
static double steps_asked_for(const rows *r, const bristle_steprule *rule, int first, int count)
{
  double sum = 0;
  for (size_t i = 1; i < r->count; i++) {
    double slowest = HUGE_VAL;
    for (int k = 0; k < count; k++) slowest = fmin(slowest, fabs(rows_value(r, i, first + 2 * k)));
    if (slowest / rule->speed < rule->c[1]) /* the rule is in control */
      sum += (rows_value(r, i, 0) - rows_value(r, i - 1, 0)) / bristle_steprule_length(rule, slowest);
  }
  return sum;
}

TEST(of_several_contacts_the_smallest_step_wins)
{
  const bristle_lugre p = bristle_lugre_default();
  const bristle_rig rig = chain_of(&p);
  bristle_steprule rule;
  bristle_error fault;
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&rig, columns);
  int first = 0;
  while (first < width && strcmp(columns[first].name, "v1")) first++;
  bristle_steprule_take(&rule, BRISTLE_STEPRULE_LUGRE, rig.as.chain.contact.law->f64->info, (const double *)&p, &fault);
  rows r = rows_run(
      &rig, &(bristle_sim_options){ .method = BRISTLE_METHOD_STEPRULE, .end = 5, .step = 0.01, .output = 1e-3 });
  const double asked = steps_asked_for(&r, &rule, first, 5);
  CHECK(asked > 10000 && (double)r.stats.steps > 0.95 * asked, "%zu steps, the rule asks for %.0f", r.stats.steps,
        asked);
  rows_free(&r);
}

/* the centre of a spinning disk hardly slips: it decides, though the rim is fast */
TEST(slowest_cell_of_a_patch_decides)
{
  const bristle_lugre p = {
    .sigma0 = 1e4, .sigma1 = 10, .sigma2 = 0, .fc = 0.3, .fs = 0.4, .vs = 0.01, .gamma = 2, .vd = 1e9
  };
  bristle_rig rig = { .kind = BRISTLE_RIG_SLIDER };
  rig.as.slider = (bristle_slider){
    .mass = 1,
    .inertia = 0.01,
    .load = 1,
    .width = 0.02,
    .height = 0.02,
    .cells = 3, /* the middle one turns about itself */
    .v = { 0, 0, 50 },
    .contact = { .vector = bristle_vector_law_find("lugre"), .load = BRISTLE_LOAD_COEFFICIENT, .p = (const double *)&p }
  };
  const bristle_sim_options options = { .method = BRISTLE_METHOD_STEPRULE, .end = 0.02, .step = 0.01 };
  rows r = rows_run(&rig, &options);
  const double shortest = 0.02 * p.fc / (p.sigma0 * p.vs);
  CHECK_NEAR(r.stats.longest, shortest, 0.02);
  rows_free(&r);
}

TEST(strategy_parameters_are_the_users)
{
  const bristle_lugre p = bristle_lugre_default();
  bristle_rig rig = { .as.axis = { .mass = 1,
                                   .stiffness = 2,
                                   .force = { .offset = 0.1 },
                                   .contact = { .law = bristle_law_find("lugre"), .p = (const double *)&p } } };
  bristle_sim_options options = { .method = BRISTLE_METHOD_STEPRULE, .end = 0.1, .step = 0.01 };
  rows by_law = rows_run(&rig, &options);
  CHECK_NEAR(by_law.stats.shortest, 0.02 * p.fc / (p.sigma0 * p.vs), 1e-3);
  options.strategy = (bristle_sim_strategy){ .rule = BRISTLE_SIM_RULE_COULOMB, .given = { 1 }, .c = { 2e-4 } };
  rows coulomb = rows_run(&rig, &options);
  CHECK_NEAR(coulomb.stats.shortest, 2e-4, 1e-3); /* it grows with the speed; the last one ends the run */
  rows_free(&by_law);
  rows_free(&coulomb);
  options.strategy.c[0] = 1; /* above dt_max */
  bristle_sim_error error = { 0 };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT, "%s", error.what);
}
