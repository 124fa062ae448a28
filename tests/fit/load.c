/* How parameters follow the load: made-up series whose rule is known, and the seals of pneumatic cylinders. */
#include "lab/loads.h"
#include "maths/random.h"
#include "support/test.h"

enum { LOADS = 6 };

static void make_series(double exponent, double offset, double noise, double n[LOADS], double value[LOADS])
{
  random_state random = random_start(3);
  for (int i = 0; i < LOADS; i++) {
    n[i] = 10 * pow(2, i);
    value[i] = offset + 2e4 * pow(n[i] / 50, exponent);
    value[i] *= 1 + noise * 3.4641 * (random_part(&random) - 0.5);
  }
}

TEST(load_rule_is_found_through_noise)
{
  static const struct {
    double exponent, offset;
    bristle_load_rule rule;
  } cases[] = { { 0, 0, BRISTLE_RULE_CONSTANT },
                { 1, 0, BRISTLE_RULE_PROPORTIONAL },
                { 1.0 / 3, 0, BRISTLE_RULE_POWER },
                { 1, 3e4, BRISTLE_RULE_AFFINE } };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double n[LOADS], value[LOADS];
    bristle_load_law law;
    bristle_fault fault;
    char text[400];
    make_series(cases[k].exponent, cases[k].offset, 0.02, n, value);
    const bristle_load_series series = { .name = "sigma0", .count = LOADS, .n = n, .value = value };
    CHECK(!bristle_load_law_find(&series, &law, &fault), "%s", fault.what);
    CHECK(law.best == cases[k].rule, "case %zu: %s", k, bristle_load_rule_text(law.best));
    bristle_load_law_text(&series, &law, text, sizeof text);
    CHECK(strstr(text, "sigma0") == text, "%s", text);
    if (cases[k].offset > 0) continue;
    CHECK(fabs(law.exponent - cases[k].exponent) < 4 * law.exponent_deviation && law.exponent_deviation < 0.02,
          "exponent %g +- %g", law.exponent, law.exponent_deviation);
    const double expected = 2e4 * pow(law.n0 / 50, cases[k].exponent);
    CHECK_NEAR(bristle_load_law_value(&law, law.best, law.n0), expected, 0.03);
  }
}

/* the stiffness of a sphere on a plane goes with the cube root of the load: neither form of the library carries it far
 */
TEST(load_verdict_says_how_far_a_set_carries_over)
{
  double n[LOADS], value[LOADS];
  bristle_load_law law;
  bristle_fault fault;
  char text[400];
  make_series(1.0 / 3, 0, 0, n, value);
  const bristle_load_series series = { .name = "sigma0", .count = LOADS, .n = n, .value = value };
  CHECK(!bristle_load_law_find(&series, &law, &fault), "%s", fault.what);
  CHECK_NEAR(law.unchanged_reach, pow(1.05, 3), 1e-6);
  CHECK_NEAR(law.scaled_reach, pow(1.05, 1.5), 1e-6);
  CHECK_NEAR(law.unchanged_error, pow(32, 1.0 / 3) - 1, 1e-9); /* from the heaviest to the lightest of 32:1 */
  CHECK_NEAR(law.scaled_error, pow(32, 2.0 / 3) - 1, 1e-9);
  CHECK(law.best_error < 1e-9, "%g", law.best_error);
  bristle_load_law_text(&series, &law, text, sizeof text);
  CHECK(strstr(text, "power 0.33") && strstr(text, "1.2"), "%s", text);
}

TEST(load_rule_of_two_loads_is_not_judged)
{
  static const double n[2] = { 1, 10 }, value[2] = { 1, 9 }, same[2] = { 5, 5 }, bad[2] = { 1, -1 };
  bristle_load_law law;
  bristle_fault fault;
  const bristle_load_series two = { .name = "fc", .count = 2, .n = n, .value = value };
  CHECK(!bristle_load_law_find(&two, &law, &fault), "%s", fault.what);
  CHECK(!law.is_judged && law.best == BRISTLE_RULE_PROPORTIONAL, "%s", bristle_load_rule_text(law.best));
  const bristle_load_series one = { .name = "fc", .count = 2, .n = same, .value = value };
  CHECK(bristle_load_law_find(&one, &law, &fault) && strstr(fault.what, "same load"), "%s", fault.what);
  const bristle_load_series negative = { .name = "fc", .count = 2, .n = n, .value = bad };
  CHECK(bristle_load_law_find(&negative, &law, &fault) && strstr(fault.what, "positive"), "%s", fault.what);
}

/* ---- seals of pneumatic cylinders at four pressures (E. Zillen, TU Delft 2021) ---- */

/* half the distance between the mean friction of the two directions, of samples that move */
static int read_level(const char *seal, int bar, double *level)
{
  static const bristle_wanted wanted[3] = { { "time", "s", 0 }, { "position", "m", 0 }, { "friction_force", "N", 0 } };
  const char *folder = getenv("BRISTLE_DATA");
  const bristle_column *column[3] = { NULL };
  char path[512];
  bristle_fault fault;
  bristle_table *table;
  snprintf(path, sizeof path, "%s/pneumatic_seal/%s_%dbar.csv", folder ? folder : "../shared/data", seal, bar);
  if (bristle_table_read(path, &table, &fault)) {
    test_skip("no %s: set BRISTLE_DATA to the folder that holds pneumatic_seal/", path);
    return 0;
  }
  for (int j = 0; j < 3; j++) CHECK(!bristle_table_pick(table, &wanted[j], &column[j], &fault), "%s", fault.what);
  double sum[2] = { 0 }, count[2] = { 0 };
  enum { APART = 10 };
  for (size_t i = APART; column[2] && i + APART < table->rows; i++) {
    const double span = column[0]->data[i + APART] - column[0]->data[i - APART];
    const double speed = (column[1]->data[i + APART] - column[1]->data[i - APART]) / span;
    if (fabs(speed) < 4e-3 || span > 0.5) continue;
    sum[speed > 0] += column[2]->data[i];
    count[speed > 0]++;
  }
  *level = 0.5 * (sum[1] / count[1] - sum[0] / count[0]);
  bristle_table_free(table);
  return 1;
}

TEST(load_rules_of_pneumatic_seals)
{
  static const struct {
    const char *seal;
    double offset, slope; /* N, N/bar: of the data's own description */
  } seals[] = { { "oring", 3.39, 0.66 },
                { "napn", 2.34, 1.37 },
                { "nap310", 0.90, 0.89 },
                { "pk", 1.80, 0.67 },
                { "kdn", 5.27, 0.19 } };
  for (size_t k = 0; k < sizeof seals / sizeof *seals; k++) {
    double level[4], bar[4];
    bristle_load_law law;
    bristle_fault fault;
    char text[400];
    for (int i = 0; i < 4; i++) {
      if (!read_level(seals[k].seal, 2 * i + 1, &level[i])) return;
      bar[i] = 2 * i + 1;
    }
    const bristle_load_series series = { .name = "fc", .count = 4, .n = bar, .value = level };
    CHECK(!bristle_load_law_find(&series, &law, &fault), "%s", fault.what);
    bristle_load_law_text(&series, &law, text, sizeof text);
    printf("  %s: %s\n", seals[k].seal, text);
    /* all seals are pressed on by more than the pressure */
    CHECK(law.exponent > 0 && law.exponent < 0.9, "%s: exponent %g", seals[k].seal, law.exponent);
    for (int i = 0; i < 4; i++)
      CHECK_NEAR(bristle_load_law_value(&law, BRISTLE_RULE_AFFINE, bar[i]), seals[k].offset + seals[k].slope * bar[i],
                 0.1);
    CHECK(law.scaled_error > 0.3, "%s would be proportional to the pressure", seals[k].seal);
    CHECK(law.best_error < 0.2, "%s: %g", seals[k].seal, law.best_error);
  }
}
