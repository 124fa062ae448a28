/* Loops after Piatkowski (Mech. Mach. Theory 73, 2014): the relative objective finds Dahl and LuGre again, and the
   limiting cycle time separates loops that depend on the speed from those that do not. */
#include "lab/loops.h"
#include "piatkowski/piatkowski.h"
#include "support/test.h"

enum { LOOPS = 3, SAMPLES = 1500 };
static const double PI2 = 6.28318530717958648;

/* two cycles from the virgin state at three amplitudes */
typedef struct loops {
  double x[LOOPS][SAMPLES], f[LOOPS][SAMPLES];
  bristle_loop_record record[LOOPS];
} loops;

static void make_loops(loops *l, const bristle_contact *contact, const double amplitude[LOOPS], double period)
{
  for (int k = 0; k < LOOPS; k++) {
    double state[64] = { 0 };
    bristle_input in = { .n = 1, .h = 2 * period / SAMPLES, .load = contact->load };
    for (size_t i = 0; i < SAMPLES; i++) {
      l->x[k][i] = amplitude[k] * sin(PI2 * in.h * (double)i / period);
      in.x = i ? l->x[k][i - 1] : 0;
      in.v = (l->x[k][i] - in.x) / in.h;
      l->f[k][i] = i ? contact->law->f64->step(contact->p, state, &in, NULL) : 0;
    }
    l->record[k] = (bristle_loop_record){ SAMPLES, in.h, l->x[k], l->f[k], NULL };
  }
}

static void check_recovery(const char *name, const char *const *searched, int count, const double amplitude[LOOPS],
                           double period, double factor)
{
  static loops l;
  const bristle_law *law = bristle_law_find(name);
  double truth[64], start[64], found[64];
  bristle_fault fault;
  bristle_fit_result *result;
  bristle_defaults(law->f64->info, truth);
  memcpy(start, truth, sizeof start);
  const bristle_contact contact = { .law = law, .p = truth };
  make_loops(&l, &contact, amplitude, period);
  for (int k = 0; k < count; k++)
    start[bristle_param_find(law->f64->info, searched[k])->first] *= k % 2 ? 1 / factor : factor;
  const bristle_contact guess = { .law = law, .p = start };
  const bristle_loop_fit fit = { &guess, 1, searched, count, LOOPS, l.record, 0.05 };
  CHECK(!bristle_loop_fit_parameters(&fit, NULL, found, &result, &fault), "%s", fault.what);
  if (!result) return;
  for (int k = 0; k < count; k++) {
    const int j = bristle_param_find(law->f64->info, searched[k])->first;
    CHECK(fabs(found[j] - truth[j]) < 1e-3 * truth[j], "%s of %s: %g, in truth %g (%s after %d steps)", searched[k],
          name, found[j], truth[j], bristle_fit_stop_text(result->stop), result->iterations);
  }
  bristle_fit_free(result);
}

TEST(loops_at_three_amplitudes_give_dahl_back)
{
  static const char *const searched[] = { "sigma0", "fc", "delta" };
  static const double amplitude[LOOPS] = { 5e-6, 2e-5, 1e-4 };
  check_recovery("dahl", searched, 3, amplitude, 1, 3);
}

TEST(loops_at_three_amplitudes_give_lugre_back)
{
  static const char *const searched[] = { "sigma0", "sigma1", "fc", "fs", "vs", "sigma2" };
  static const double amplitude[LOOPS] = { 1e-5, 1e-4, 2e-3 };
  check_recovery("lugre", searched, 6, amplitude, 1, 3);
}

/* ---- the limiting cycle time ---- */

static bristle_contact contact_1995(double p[64])
{
  const bristle_law *law = bristle_law_find("lugre"); /* its defaults are the set of 1995 */
  bristle_defaults(law->f64->info, p);
  return (bristle_contact){ .law = law, .p = p };
}

TEST(cycle_limit_of_the_1995_set_is_two_seconds)
{
  double p[64];
  const bristle_contact contact = contact_1995(p);
  const bristle_cycle_limit limit = bristle_cycle_limit_of(&contact, 1, 1e-5, 0.01);
  CHECK_NEAR(limit.damping, 1.99, 2e-3);
  CHECK_NEAR(limit.stribeck, 0.36, 1e-2);
  CHECK(limit.period == limit.damping, "%g s", limit.period);
}

TEST(cycle_limit_separates_loops_that_depend_on_the_speed)
{
  static const double amplitudes[] = { 2e-6, 1e-5, 3e-5, 1e-4 };
  double p[64];
  const bristle_contact contact = contact_1995(p);
  for (size_t k = 0; k < sizeof amplitudes / sizeof *amplitudes; k++) {
    const double limit = bristle_cycle_limit_of(&contact, 1, amplitudes[k], 0.01).period, slow = 1000 * limit;
    for (double factor = 1; factor < 20; factor *= 2) {
      const double apart = bristle_loop_difference(&contact, 1, amplitudes[k], factor * limit, slow, NULL);
      /* damping and Stribeck curve add up where both matter, and the limit is that of the larger */
      CHECK(apart < 0.0101, "amplitude %g, %g times the limit: %g apart", amplitudes[k], factor, apart);
    }
    const double below = bristle_loop_difference(&contact, 1, amplitudes[k], limit / 5, slow, NULL);
    CHECK(below > 0.01, "amplitude %g, a fifth of the limit: only %g apart", amplitudes[k], below);
  }
}

TEST(cycle_limit_of_rate_free_laws_is_zero)
{
  double p[64];
  const bristle_law *law = bristle_law_find("dahl");
  bristle_defaults(law->f64->info, p);
  const bristle_contact contact = { .law = law, .p = p };
  CHECK(bristle_cycle_limit_of(&contact, 1, 1e-5, 0.01).period == 0, "dahl has a limit");
  const double apart = bristle_loop_difference(&contact, 1, 1e-5, 1e-3, 10, NULL);
  CHECK(apart >= 0 && apart < 1e-9, "loops %g apart", apart);
}

/* where loops change with their period, there is a limit, and it separates; "none" only where they do not change */
TEST(measured_cycle_limit_separates_loops_of_every_law)
{
  const double amplitude = 1e-5, tolerance = 0.01;
  for (int k = 0; k < bristle_law_count(); k++) {
    double p[64], most;
    const bristle_law *law = bristle_law_at(k);
    bristle_defaults(law->f64->info, p);
    const bristle_contact contact = { .law = law, .p = p };
    const bristle_cycle_measured limit = bristle_cycle_limit_measure(&contact, 1, amplitude, tolerance);
    const double level = bristle_role_value(law->f64->info, p, BRISTLE_ROLE_LEVEL, 0);
    const double change = bristle_loop_difference(&contact, 1, amplitude, 1e-6, 1e6, &most);
    CHECK(limit.kind != BRISTLE_CYCLE_RATE_FREE || change <= 1e-9 * most, "%s: none, and loops differ by %g N",
          law->name, change);
    CHECK(limit.kind != BRISTLE_CYCLE_AGES, "%s follows the time", law->name);
    if (limit.kind != BRISTLE_CYCLE_LIMITED || !(level > 0)) continue;
    const double above = bristle_loop_difference(&contact, 1, amplitude, 1.001 * limit.period, limit.slow, NULL);
    const double below = bristle_loop_difference(&contact, 1, amplitude, 0.999 * limit.period, limit.slow, NULL);
    CHECK(above <= 1.01 * tolerance * level && below >= 0.99 * tolerance * level, "%s: %g and %g N around %g s",
          law->name, above, below, limit.period);
  }
}

TEST(measured_cycle_limit_sees_viscous_friction_of_a_rate_free_law)
{
  double p[64];
  const bristle_law *law = bristle_law_find("dahl");
  bristle_defaults(law->f64->info, p);
  p[bristle_param_find(law->f64->info, "sigma2")->first] = 10;
  const bristle_contact contact = { .law = law, .p = p };
  /* 2 pi A sigma2/(tolerance fc): the viscous force alone differs */
  CHECK_NEAR(bristle_cycle_limit_measure(&contact, 1, 1e-5, 0.01).period, PI2 * 1e-5 * 10 / 0.01, 1e-3);
  CHECK_NEAR(bristle_cycle_limit_of(&contact, 1, 1e-5, 0.01).period, PI2 * 1e-5 * 10 / 0.01, 1e-12);
}

TEST(cycle_limit_follows_the_load)
{
  double p[64], coefficient[64];
  const bristle_contact contact = contact_1995(p);
  bristle_convert(contact.law->f64->info, p, BRISTLE_LOAD_FORCE, coefficient, BRISTLE_LOAD_COEFFICIENT, 10);
  const bristle_contact scaled = { .law = contact.law, .load = BRISTLE_LOAD_COEFFICIENT, .p = coefficient };
  const bristle_contact level = { .law = contact.law, .load = BRISTLE_LOAD_LEVEL, .p = p };
  const double one = bristle_cycle_limit_of(&contact, 1, 1e-5, 0.01).period;
  CHECK_NEAR(bristle_cycle_limit_of(&scaled, 10, 1e-5, 0.01).period, one, 1e-12);
  CHECK_NEAR(bristle_cycle_limit_of(&level, 10, 1e-5, 0.01).damping, one / 10, 1e-12);
}

/* ---- the page of the gallery ---- */

TEST(piatkowski_page_keeps_its_promises)
{
  piatkowski_numbers n;
  bristle_fault fault;
  CHECK(!piatkowski_page(NULL, &n, &fault), "%s", fault.what);
  CHECK(n.dahl_error < 1e-3 && n.lugre_error < 1e-3, "parameters off by %g and %g", n.dahl_error, n.lugre_error);
  /* samples of a motion forty times as fine: the cubic between them; straight pieces were off by 3.6 % */
  CHECK(n.finer_error < 1e-3, "parameters off by %g", n.finer_error);
  CHECK(n.noisy_error < 0.05 && n.noisy_deviations < 3, "with noise off by %g, %g deviations", n.noisy_error,
        n.noisy_deviations);
  CHECK(n.above < 0.0101 && n.below > 0.02, "loops %g apart above the limit, %g below", n.above, n.below);
  CHECK(n.own_load_error < 1e-4, "%g at its own load", n.own_load_error);
  CHECK(n.other_load_error > 0.05, "only %g at another load", n.other_load_error);
  CHECK(n.law_load_error < 1e-3, "%g with the load laws", n.law_load_error);
}

/* the limit goes by what parameters are, not by their names: Armstrong's law has an excess instead of a static level,
   and the exponent of the Leuven law that counts is the one of its Stribeck curve */
TEST(limiting_cycle_time_goes_by_roles)
{
  static const struct {
    const char *law, *speed;
    double exponent;
  } cases[] = { { "armstrong", "vs", 2 }, { "leuven", "vs", 3 }, { "lugre", "vs", 3 } };
  const double amplitude = 1e-3, tolerance = 0.02;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const bristle_law *law = bristle_law_find(cases[k].law);
    const bristle_info *info = law->f64->info;
    double p[64];
    bristle_defaults(info, p);
    const bristle_row *gamma = bristle_param_find(info, "gamma"), *excess = bristle_param_find(info, "excess");
    if (gamma) p[gamma->first] = cases[k].exponent;
    const double fc = p[bristle_param_find(info, "fc")->first];
    const double fs = excess ? fc + p[excess->first] : p[bristle_param_find(info, "fs")->first];
    const bristle_contact contact = { .law = law, .p = p };
    const double expected = PI2 * amplitude / p[bristle_param_find(info, cases[k].speed)->first]
                            * pow((fs - fc) / (fs * tolerance), 1 / cases[k].exponent);
    CHECK_NEAR(bristle_cycle_limit_of(&contact, 1, amplitude, tolerance).stribeck, expected, 1e-12);
  }
}
