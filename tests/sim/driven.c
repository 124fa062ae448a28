/* Prescribed motion through the simulator: closed forms, reversals that cannot be jumped over, any sampling. */
#include "bristle/params.h"
#include "lab/sim.h"
#include "support/test.h"

typedef struct seen {
  int rows;
  double t, x, v, f, z, largest;
} seen;

static int look(void *context, const double *row)
{
  seen *s = context;
  s->rows++;
  s->t = row[0];
  s->x = row[1];
  s->v = row[2];
  s->f = row[3];
  s->z = row[4];
  s->largest = fmax(s->largest, row[3]);
  return 0;
}

static bristle_rig driven(const char *law, const double *p, bristle_program motion, int velocity)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
  rig.as.driven = (bristle_driven){ .motion = motion,
                                    .velocity = velocity,
                                    .contact = { .law = bristle_law_find(law), .p = p } };
  return rig;
}

static seen run(const bristle_rig *rig, bristle_sim_options options, bristle_sim_stats *stats)
{
  seen s = { 0 };
  bristle_sim_error error = { 0 };
  const bristle_sim_sink sink = { .context = &s, .row = look };
  const bristle_sim_status status = bristle_simulate(rig, &options, &sink, stats, &error);
  CHECK(status == BRISTLE_SIM_OK, "%s: %s", error.field, error.what);
  return s;
}

TEST(dahl_loop_has_the_force_and_work_of_its_closed_form)
{
  bristle_dahl p = bristle_dahl_default();
  p.sigma0 = 1e5;
  p.fc = 1;
  const double amplitude = 2e-5, frequency = 1;
  const bristle_rig rig = driven(
      "dahl", (const double *)&p,
      (bristle_program){ .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = &amplitude, .frequency = &frequency },
      0);
  bristle_sim_stats a, b;
  run(&rig, (bristle_sim_options){ .end = 10.25, .output = 0.25 }, &a);
  const seen s = run(&rig, (bristle_sim_options){ .end = 11.25, .output = 0.25 }, &b);
  CHECK_PRINTED(s.f, "0.96402758");
  CHECK_NEAR(b.work_in - a.work_in, 4.143890e-5, 1e-6);
}

TEST(lugre_at_constant_velocity_is_its_closed_form_at_any_output)
{
  bristle_lugre p = bristle_lugre_default();
  const double v = 2e-3, g = 1 + 0.5 * exp(-4), z_end = g / 1e5, lambda = 1e5 * v / g;
  for (double output = 1e-4; output < 0.02; output *= 3) {
    const bristle_rig rig = driven("lugre", (const double *)&p, (bristle_program){ .offset = v }, 1);
    bristle_sim_stats stats;
    const seen s = run(&rig, (bristle_sim_options){ .end = 0.013, .output = output }, &stats);
    CHECK_NEAR(s.z, z_end * (1 - exp(-lambda * 0.013)), 1e-9);
    CHECK_ABS(s.x, v * 0.013, 1e-15);
  }
}

/* an adaptive solver that looks at the bristle alone would jump over whole reversals here: z is constant in sliding */
TEST(no_reversal_is_jumped_over)
{
  bristle_lugre p = bristle_lugre_default();
  const double amplitude = 0.02, frequency = 0.2;
  const bristle_rig rig = driven(
      "lugre", (const double *)&p,
      (bristle_program){ .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = &amplitude, .frequency = &frequency },
      1);
  bristle_sim_stats stats;
  const seen s = run(&rig, (bristle_sim_options){ .end = 50 }, &stats);
  CHECK(stats.events >= 19, "%zu events in 20 half periods", stats.events);
  CHECK_ABS(s.v, 0, 1e-12);
  const seen quarter = run(&rig, (bristle_sim_options){ .end = 48.75 }, &stats);
  CHECK_NEAR(quarter.f, -(1 + 0.4 * 0.02), 1e-6); /* sliding the other way */
}

/* the same velocity, linear between samples, given with many or few samples */
TEST(the_result_does_not_depend_on_the_sampling)
{
  static const char *const laws[] = { "lugre",        "dahl",          "elasto_plastic", "gms",
                                      "maxwell_slip", "bliman_sorine", "bouc_wen" };
  const double coarse_t[] = { 0, 0.2, 0.6, 0.8, 1.3 }, coarse_y[] = { 0, 2e-3, -2e-3, -1e-4, 3e-3 };
  enum { FINE = 1301 };
  static double t[FINE], y[FINE];
  const bristle_program coarse = { .count = 5, .t = coarse_t, .y = coarse_y };
  for (int i = 0; i < FINE; i++) {
    t[i] = 1e-3 * i;
    const bristle_piece piece = bristle_program_piece(&coarse, t[i]);
    y[i] = bristle_program_value(&coarse, &piece, t[i], NULL);
  }
  const bristle_program fine = { .count = FINE, .t = t, .y = y };
  for (size_t k = 0; k < sizeof laws / sizeof *laws; k++) {
    double p[64];
    bristle_defaults(bristle_law_find(laws[k])->f64->info, p);
    const bristle_rig few = driven(laws[k], p, coarse, 1), many = driven(laws[k], p, fine, 1);
    bristle_sim_stats stats;
    const bristle_sim_options options = { .end = 1.3, .rtol = 1e-11 };
    const seen a = run(&few, options, &stats), b = run(&many, options, &stats);
    CHECK(fabs(a.f - b.f) <= 1e-8 * fabs(a.f), "%s: F %.15g with 5 samples, %.15g with 1301", laws[k], a.f, b.f);
    CHECK(fabs(a.z - b.z) <= 1e-8 * fabs(a.z), "%s: z %.15g with 5 samples, %.15g with 1301", laws[k], a.z, b.z);
  }
}

/* From slow sliding to 0.1 m/s in a jump: with constant sigma1 the bristle's damping pushes while it relaxes, and the
   law is not passive; with little damping it is. */
TEST(broken_passivity_is_noticed)
{
  const double t[] = { 0, 5, 5, 6 }, y[] = { 1e-5, 1e-5, 0.1, 0.1 };
  for (int damped = 0; damped < 2; damped++) {
    bristle_lugre p = bristle_lugre_default();
    if (!damped) p.sigma1 = 1;
    const bristle_rig rig = driven("lugre", (const double *)&p, (bristle_program){ .count = 4, .t = t, .y = y }, 1);
    bristle_sim_stats stats;
    run(&rig, (bristle_sim_options){ .end = 6 }, &stats);
    CHECK(stats.has_energy, "lugre knows its energy");
    CHECK(damped ? stats.given_back > 1e-6 : stats.given_back < 1e-12, "sigma1 = %g gives back %g J", p.sigma1,
          stats.given_back);
  }
}

TEST(rows_come_at_the_times_asked_for)
{
  bristle_lugre p = bristle_lugre_default();
  const bristle_rig rig = driven("lugre", (const double *)&p, (bristle_program){ .offset = 1e-3 }, 1);
  const double times[] = { 0, 0.1, 0.15, 0.9, 1 };
  bristle_sim_stats stats;
  seen s = run(&rig, (bristle_sim_options){ .end = 1, .times = times, .time_count = 5 }, &stats);
  CHECK(s.rows == 5 && s.t == 1, "%d rows up to %g s", s.rows, s.t);
  s = run(&rig, (bristle_sim_options){ .end = 1, .output = 0.1 }, &stats);
  CHECK(s.rows == 11 && s.t == 1, "%d rows up to %g s", s.rows, s.t);
  s = run(&rig, (bristle_sim_options){ .end = 1, .output = 0.3 }, &stats);
  CHECK(s.rows == 5 && s.t == 1, "%d rows up to %g s", s.rows, s.t);
}

TEST(bad_rigs_and_options_are_refused_by_field)
{
  bristle_lugre p = bristle_lugre_default();
  const double t[] = { 0, 1, 0.5 }, y[] = { 0, 1, 2 };
  bristle_rig rig = driven("lugre", (const double *)&p, (bristle_program){ .count = 3, .t = t, .y = y }, 1);
  bristle_sim_error error = { 0 };
  bristle_sim_options options = { .end = 1 };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT && !strcmp(error.field, "motion"),
        "%s", error.field);
  rig = driven("lugre", (const double *)&p, (bristle_program){ .offset = (double)NAN }, 1);
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT && !strcmp(error.field, "motion"),
        "%s", error.field);
  rig = driven("lugre", (const double *)&p, (bristle_program){ 0 }, 1);
  options.end = 0;
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT && !strcmp(error.field, "end"),
        "%s", error.field);
  options = (bristle_sim_options){ .end = 1, .output = -1 };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT && !strcmp(error.field, "output"),
        "%s", error.field);
  options = (bristle_sim_options){ .end = 1, .method = BRISTLE_METHOD_COUPLED };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT && !strcmp(error.field, "step"),
        "%s", error.field);
  p.sigma0 = -1;
  options = (bristle_sim_options){ .end = 1 };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_BAD_INPUT && !strcmp(error.field, "sigma0"),
        "%s", error.field);
}

/* a level that moves within a step is seen at one value: these two laws cannot follow it, and say so */
TEST(laws_that_cannot_follow_moving_levels_are_refused)
{
  static const double t[] = { 0, 1 }, n[] = { 1, 2 };
  static const char *const laws[] = { "leuven", "armstrong" };
  for (int i = 0; i < 2; i++) {
    double p[64];
    const bristle_law *law = bristle_law_find(laws[i]);
    bristle_defaults(law->f64->info, p);
    bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
    rig.as.driven = (bristle_driven){ .motion = { .offset = 1e-3 },
                                      .velocity = 1,
                                      .load = { .count = 2, .t = t, .y = n },
                                      .contact = { .law = law, .p = p, .load = BRISTLE_LOAD_LEVEL } };
    bristle_sim_options options = { .end = 0.01 };
    bristle_sim_error error = { 0 };
    CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_UNSUITABLE, "%s ran", laws[i]);
    CHECK(strstr(error.what, "use load: coefficient"), "%s", error.what);
    options.method = BRISTLE_METHOD_COUPLED;
    options.step = 1e-5;
    CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_OK, "%s: %s", laws[i], error.what);
    options.method = BRISTLE_METHOD_AUTO;
    rig.as.driven.load = (bristle_program){ .offset = 2 };
    CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_OK, "%s: %s", laws[i], error.what);
  }
}

/* zba does not follow the load: where the levels fall below it the law is another one, in corners at every step */
TEST(levels_that_fall_below_what_they_carry_are_refused)
{
  static const double t[] = { 0, 1 }, low[] = { 1, 0.6 }, high[] = { 1, 0.8 };
  const bristle_law *law = bristle_law_find("elasto_plastic");
  double p[64];
  bristle_defaults(law->f64->info, p); /* zba sigma0/fc = 0.7 */
  bristle_rig rig = { .kind = BRISTLE_RIG_DRIVEN };
  rig.as.driven = (bristle_driven){ .motion = { .offset = 1e-3 },
                                    .velocity = 1,
                                    .load = { .count = 2, .t = t, .y = low },
                                    .contact = { .law = law, .p = p, .load = BRISTLE_LOAD_LEVEL } };
  const bristle_sim_options options = { .end = 0.01 };
  bristle_sim_error error = { 0 };
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_UNSUITABLE, "it ran");
  CHECK(strstr(error.what, "the load falls to 0.6, zba = 7e-06 breaks a rule"), "%s", error.what);
  rig.as.driven.load.y = high;
  CHECK(bristle_simulate(&rig, &options, NULL, NULL, &error) == BRISTLE_SIM_OK, "%s", error.what);
}
