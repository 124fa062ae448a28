/* Charts: every law's unknowns, there and back, with their derivatives, and which of them a law is linear in. */
#include "fit/unknowns/chart.h"
#include "fit/unknowns/features.h"
#include "support/test.h"

/* an axis of ordinary size */
static features ordinary(void)
{
  return (features){ .dry = 2,
                     .peak = 3,
                     .fall = 2e-3,
                     .viscous = 5,
                     .stiffness = 1e5,
                     .slow = 1e-4,
                     .fast = 0.2,
                     .high = 0.18,
                     .travel = 0.1,
                     .step = 1e-3,
                     .duration = 10,
                     .size = 5,
                     .load = 1 };
}

static int make(chart *c, const char *name, const bristle_identify_options *options)
{
  features f = ordinary();
  bristle_fault fault;
  return chart_make(c, bristle_law_find(name), BRISTLE_LOAD_FORCE, &f, options, &fault) == BRISTLE_FAULT_NONE;
}

TEST(charts_of_every_law_go_there_and_back)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const char *name = bristle_law_at(i)->name;
    bristle_identify_options none = { 0 };
    chart c;
    double u[BRISTLE_LAW_SIZE], back[BRISTLE_LAW_SIZE], p[BRISTLE_LAW_SIZE];
    bristle_breach breach;
    CHECK(make(&c, name, &none), "%s", name);
    for (int j = 0; j < c.count; j++) u[j] = fmin(fmax(1.1 * c.guess[j], c.unknown[j].lo), c.unknown[j].hi);
    chart_params(&c, u, p);
    chart_unknowns(&c, p, back);
    for (int j = 0; j < c.count; j++) CHECK_NEAR(back[j], u[j], 1e-9);
    CHECK(bristle_law_at(i)->f64->rules(p, &breach, 1) == 0, "%s: %s", name, breach.rule);
  }
}

TEST(charts_of_every_law_have_their_derivatives)
{
  for (int i = 0; i < bristle_law_count(); i++) {
    const char *name = bristle_law_at(i)->name;
    bristle_identify_options none = { 0 };
    chart c;
    double p[BRISTLE_LAW_SIZE], other[BRISTLE_LAW_SIZE], by[BRISTLE_LAW_SIZE], row[BRISTLE_LAW_SIZE];
    CHECK(make(&c, name, &none), "%s", name);
    chart_params(&c, c.guess, p);
    for (int k = 0; k < c.nparam; k++)
      row[k] = p[k] != 0 ? (1 + 0.1 * k) / p[k] : 1; /* of some function of the parameters */
    chart_derivatives(&c, c.guess, p, row, by);
    for (int j = 0; j < c.count; j++) {
      double u[BRISTLE_LAW_SIZE], change = 0, part = 1e-6 * (c.guess[j] != 0 ? c.guess[j] : 1);
      memcpy(u, c.guess, sizeof u);
      u[j] += part;
      chart_params(&c, u, other);
      for (int k = 0; k < c.nparam; k++) change += row[k] * (other[k] - p[k]);
      CHECK(fabs(change / part - by[j]) <= 1e-4 * fabs(by[j]) + 1e-6 / fabs(part) * 1e-6, "%s, %s: %g and %g", name,
            c.unknown[j].name, change / part, by[j]);
    }
    if (c.last >= 0) continue; /* shares do not go by columns */
    int parts = 0;
    for (int j = 0; j < c.count; j++) parts += c.kind[j] == CHART_PART;
    if (parts) continue;
    int at[BRISTLE_LAW_SIZE];
    for (int k = 0; k < c.nparam; k++) at[k] = k;
    chart_columns(&c, p, at, row, 1);
    for (int j = 0; j < c.count; j++) CHECK_NEAR(row[j], by[j], 1e-12);
  }
}

static int is_linear(const chart *c, const char *name)
{
  for (int j = 0; j < c->count; j++)
    if (!strcmp(c->unknown[j].name, name)) return c->linear[j];
  return -1;
}

TEST(charts_know_what_a_law_is_linear_in)
{
  static const struct {
    const char *law, *name;
    int linear;
  } known[] = {
    { "coulomb", "fc", 1 },        { "coulomb", "sigma2", 1 },  { "stribeck", "fc", 1 },
    { "stribeck", "fs", 1 },       { "stribeck", "vs", 0 },     { "power", "b", 1 },
    { "power", "n", 0 },           { "dahl", "fc", 1 },         { "dahl", "sigma0", 0 },
    { "lugre", "fc", 1 },          { "lugre", "sigma1", 1 },    { "lugre", "sigma2", 1 },
    { "lugre", "sigma0", 0 },      { "lugre", "fs", 0 },        { "gms", "fc", 1 },
    { "maxwell_slip", "fc", 1 },   { "kikuuwe", "fc", 1 },      { "kikuuwe", "sigma1", 0 },
    { "elasto_plastic", "fc", 1 }, { "bouc_wen", "sigma0", 1 },
  };
  for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
    bristle_identify_options none = { 0 };
    chart c;
    CHECK(make(&c, known[k].law, &none), "%s", known[k].law);
    CHECK(is_linear(&c, known[k].name) == known[k].linear, "%s: %s", known[k].law, known[k].name);
  }
}

/* with its stiffness fixed a bristle law is no longer linear in its level */
TEST(charts_do_not_call_a_level_linear_where_another_force_is_fixed)
{
  bristle_identify_options fixed = { .fixed = { "sigma0" }, .fixed_value = { 1e5 } };
  chart c;
  CHECK(make(&c, "lugre", &fixed), "lugre");
  CHECK(is_linear(&c, "fc") == 0 && is_linear(&c, "sigma2") == 1 && c.level < 0, "level %d", c.level);
}
