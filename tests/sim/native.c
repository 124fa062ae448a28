/* The native solver: the 1995 LuGre experiments to their digits, convergence with the tolerance, events, the path
 * between steps, and what it must not step over. Closed forms and the other laws are in axis.c. */
#include "bristle/params.h"
#include "sim/rows.h"

static const double pull_t[] = { 0, 1000 }, pull_slow[] = { 0, 100 };

static bristle_lugre law_1995(void)
{
  bristle_lugre p = bristle_lugre_default();
  p.sigma1 = sqrt(1e5);
  return p;
}

/* 1 kg on a spring of 2 N/m whose other end moves as given */
static bristle_rig pulled(const bristle_lugre *p, const double *anchor)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  rig.as.axis = (bristle_axis){ .mass = 1,
                                .stiffness = 2,
                                .anchor = { .count = 2, .t = pull_t, .y = anchor },
                                .contact = { .law = bristle_law_find("lugre"), .p = (const double *)p } };
  return rig;
}

static bristle_rig hunting(const bristle_lugre *p)
{
  bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
  rig.as.axis = (bristle_axis){ .mass = 1,
                                .kp = 3,
                                .ki = 4,
                                .kd = 6,
                                .target = { .offset = 1 },
                                .contact = { .law = bristle_law_find("lugre"), .p = (const double *)p } };
  return rig;
}

static bristle_sim_options options_for(double end, double output, double rtol)
{
  return (bristle_sim_options){ .method = BRISTLE_METHOD_NATIVE, .end = end, .output = output, .rtol = rtol };
}

/* when column 2, the velocity, first passes a value upwards, by the line between rows; after `from` */
static double rises_past(const rows *r, double v, double from)
{
  for (size_t i = 1; i < r->count; i++) {
    const double v0 = rows_value(r, i - 1, 2), v1 = rows_value(r, i, 2), t0 = rows_value(r, i - 1, 0);
    if (t0 >= from && v0 <= v && v1 > v) return t0 + (rows_value(r, i, 0) - t0) * (v - v0) / (v1 - v0);
  }
  return NAN;
}

static double largest(const rows *r, int column)
{
  double most = -HUGE_VAL;
  for (size_t i = 0; i < r->count; i++) most = fmax(most, rows_value(r, i, column));
  return most;
}

/* ---- the experiments of 1995 ---- */

TEST(native_stick_slip_has_the_published_numbers_at_default_tolerance)
{
  const bristle_lugre p = law_1995();
  const bristle_rig rig = pulled(&p, pull_slow);
  const bristle_sim_options options = options_for(20, 1e-4, 0);
  rows r = rows_run(&rig, &options);
  const double first = rises_past(&r, 0.01, 0), second = rises_past(&r, 0.01, 11);
  CHECK(r.stats.method == BRISTLE_METHOD_NATIVE, "%s", bristle_method_text(r.stats.method));
  CHECK_ABS(first, 7.458015, 1e-6);
  CHECK_ABS(second - first, 6.36272, 1e-5);
  CHECK_PRINTED(largest(&r, 3), "1.476573");
  CHECK_PRINTED(largest(&r, 2), "0.36982");
  CHECK_PRINTED(rows_last(&r, 1), "1.2725964");
  CHECK(rows_residual(&r) < 1e-8, "%g of the work", rows_residual(&r));
  rows_free(&r);
}

TEST(native_pid_loop_hunts_as_published)
{
  const bristle_lugre p = law_1995();
  const bristle_rig rig = hunting(&p);
  const bristle_sim_options options = options_for(150, 0.005, 0);
  rows r = rows_run(&rig, &options);
  double low = HUGE_VAL, high = -HUGE_VAL, turn = 0;
  for (size_t i = 0; i < r.count; i++) {
    const double t = rows_value(&r, i, 0), x = rows_value(&r, i, 1);
    if (t < 5) turn = fmax(turn, x);
    if (t > 100) low = fmin(low, x), high = fmax(high, x);
  }
  CHECK_PRINTED(turn, "1.5005");
  CHECK_PRINTED(low, "0.93610");
  CHECK_PRINTED(high, "1.06390");
  CHECK(rows_residual(&r) < 1e-7, "%g of the work", rows_residual(&r));
  rows_free(&r);
}

/* The observer's bristle comes to rest bent beyond fs/sigma0, which is an unstable rest: a push of 1e-8 m/s the wrong
   way ends it with a hop of less than 2 cm, a quarter of the hunting without it. So the bound is not smaller than that.
 */
TEST(native_observer_ends_the_hunting)
{
  const bristle_lugre p = law_1995();
  bristle_rig rig = hunting(&p);
  rig.as.axis.observer_law = bristle_law_find("lugre");
  rig.as.axis.observer = (const double *)&p;
  rig.as.axis.observer_gain = 10;
  const bristle_sim_options options = options_for(15, 0.01, 0);
  rows r = rows_run(&rig, &options);
  double apart = 0;
  for (size_t i = 0; i < r.count; i++)
    if (rows_value(&r, i, 0) > 8) apart = fmax(apart, fabs(rows_value(&r, i, 1) - 1));
  CHECK(apart < 0.02, "still %g m from the target", apart);
  CHECK(rows_residual(&r) < 1e-6, "%g of the work", rows_residual(&r));
  rows_free(&r);
}

/* Rows fall anywhere within a step, also where a step of that length would meet the pole of the linear equations. */
TEST(native_rows_stay_on_the_path)
{
  const bristle_lugre p = law_1995();
  bristle_rig rig = hunting(&p);
  rig.as.axis.observer_law = bristle_law_find("lugre");
  rig.as.axis.observer = (const double *)&p;
  rig.as.axis.observer_gain = 10;
  const bristle_sim_options options = options_for(60, 0.01, 1e-7);
  rows r = rows_run(&rig, &options);
  CHECK(largest(&r, 1) < 2, "a row at %g m", largest(&r, 1));
  rows_free(&r);
}

/* ---- accuracy ---- */

static double end_position(const bristle_rig *rig, double end, double rtol)
{
  const bristle_sim_options options = options_for(end, 0, rtol);
  rows r = rows_run(rig, &options);
  const double x = rows_last(&r, 1);
  rows_free(&r);
  return x;
}

/* The largest error of a table of tolerances over drive speeds: each row has its own bound, so that errors must fall
   regularly, with no speed at which a break-away or a landing is stepped over. */
TEST(native_error_falls_with_the_tolerance_at_every_drive_speed)
{
  static const double rtol[] = { 1e-3, 1e-5, 1e-7, 1e-9, 1e-11 }, bound[] = { 3e-3, 3e-4, 1.5e-5, 1e-7, 1e-9 };
  const bristle_lugre p = law_1995();
  for (int i = 0; i < 5; i++) {
    double worst = 0, at = 0;
    for (int k = 0; k < 16; k++) {
      const double speed = 0.05 + 0.1 * k / 15, anchor[] = { 0, 1000 * speed };
      const bristle_rig rig = pulled(&p, anchor);
      const double error = fabs(end_position(&rig, 20, rtol[i]) - end_position(&rig, 20, 1e-13));
      if (error > worst) worst = error, at = speed;
    }
    CHECK(worst < bound[i], "rtol %g: error %g m at %g m/s", rtol[i], worst, at);
  }
}

/* Seen from the moving end of the spring the ground is a belt that runs backwards. */
TEST(native_spring_pull_and_belt_are_one_system)
{
  const bristle_lugre p = law_1995();
  const bristle_rig ground = pulled(&p, pull_slow);
  bristle_rig belt = ground;
  belt.as.axis.anchor = (bristle_program){ 0 };
  belt.as.axis.base.offset = -0.1;
  belt.as.axis.v = -0.1;
  CHECK_ABS(end_position(&belt, 20, 1e-11) + 2, end_position(&ground, 20, 1e-11), 1e-8);
}

/* a start in full sliding, where the slope of friction by the bristle is dominated by its damping, takes no more steps
 */
TEST(native_start_in_sliding_costs_no_more)
{
  const bristle_lugre p = law_1995();
  bristle_rig rig = pulled(&p, pull_slow);
  rig.as.axis.anchor = (bristle_program){ 0 };
  rig.as.axis.base.offset = 0.1;
  rig.as.axis.stiffness = 10;
  const bristle_sim_options options = options_for(20, 0, 1e-6);
  rows r = rows_run(&rig, &options);
  CHECK(r.stats.steps < 1000, "%zu steps", r.stats.steps);
  CHECK(4 * r.stats.rejected < r.stats.steps, "%zu of %zu steps were tried in vain", r.stats.rejected, r.stats.steps);
  rows_free(&r);
}

TEST(native_without_ledger_moves_the_same)
{
  const bristle_lugre p = law_1995();
  const bristle_rig rig = pulled(&p, pull_slow);
  bristle_sim_options options = options_for(20, 0, 1e-8);
  rows with = rows_run(&rig, &options);
  options.no_ledger = 1;
  rows without = rows_run(&rig, &options);
  CHECK(rows_last(&with, 1) == rows_last(&without, 1), "%.17g, %.17g", rows_last(&with, 1), rows_last(&without, 1));
  CHECK(with.stats.steps == without.stats.steps, "%zu, %zu", with.stats.steps, without.stats.steps);
  rows_free(&with);
  rows_free(&without);
}

/* ---- between the steps, and events ---- */

typedef struct path {
  double x[2001], end;
  int filled, gaps;
} path;

static int follow(void *context, const bristle_segment *piece)
{
  path *p = context;
  if (fabs(piece->t - p->end) > 1e-12) p->gaps++;
  p->end = piece->t + piece->h;
  for (; p->filled < 2001 && p->filled * 0.01 <= p->end + 1e-12; p->filled++)
    p->x[p->filled] = bristle_segment_value(piece, p->filled * 0.01, NULL);
  return 0;
}

TEST(native_path_between_steps_meets_the_rows)
{
  static const double rtol[] = { 1e-4, 1e-6, 1e-8, 1e-10 };
  const bristle_lugre p = law_1995();
  const bristle_rig rig = pulled(&p, pull_slow);
  for (int i = 0; i < 4; i++) {
    const bristle_sim_options options = options_for(20, 0.01, rtol[i]);
    path drawn = { .filled = 0 };
    const bristle_sim_sink sink = { .context = &drawn, .segment = follow };
    rows r = rows_run(&rig, &options);
    bristle_simulate(&rig, &options, &sink, NULL, NULL);
    double apart = 0;
    for (int k = 0; k < 2001; k++) apart = fmax(apart, fabs(drawn.x[k] - rows_value(&r, (size_t)k, 1)));
    CHECK(drawn.filled == 2001 && drawn.gaps == 0, "%d points, %d gaps", drawn.filled, drawn.gaps);
    CHECK(apart < 100 * rtol[i], "rtol %g: path and rows are %g m apart", rtol[i], apart);
    rows_free(&r);
  }
}

typedef struct story {
  int count[3];
  double last[3], first[3];
} story;

static int note_event(void *context, double t, bristle_event_kind kind)
{
  story *s = context;
  if (!s->count[kind]++) s->first[kind] = t;
  s->last[kind] = t;
  return 0;
}

TEST(native_events_are_counted_and_timed)
{
  const bristle_lugre p = law_1995();
  const bristle_rig rig = pulled(&p, pull_slow);
  story loose = { { 0 }, { 0 }, { 0 } }, tight = loose;
  const bristle_sim_sink to_loose = { .context = &loose, .event = note_event },
                         to_tight = { .context = &tight, .event = note_event };
  const bristle_sim_options coarse = options_for(20, 0, 1e-7), fine = options_for(20, 0, 1e-12);
  bristle_sim_stats stats;
  bristle_simulate(&rig, &coarse, &to_loose, &stats, NULL);
  bristle_simulate(&rig, &fine, &to_tight, NULL, NULL);
  CHECK(stats.events == 13, "%zu events", stats.events);
  CHECK(tight.count[BRISTLE_EVENT_SLIP] == 3, "%d slips", tight.count[BRISTLE_EVENT_SLIP]);
  CHECK(tight.count[BRISTLE_EVENT_STICK] == 2, "%d sticks", tight.count[BRISTLE_EVENT_STICK]);
  CHECK(tight.count[BRISTLE_EVENT_REVERSAL] == 8, "%d reversals", tight.count[BRISTLE_EVENT_REVERSAL]);
  /* the same story every 6.36272 s */
  CHECK_ABS(tight.last[BRISTLE_EVENT_STICK] - tight.first[BRISTLE_EVENT_STICK], 6.36272, 5e-6);
  for (int k = 0; k < 3; k++) {
    CHECK_ABS(loose.first[k], tight.first[k], 1e-4);
    CHECK_ABS(loose.last[k], tight.last[k], 1e-4);
  }
  bristle_simulate(&rig, &fine, NULL, &stats, NULL);
  CHECK(stats.events == 13, "%zu events when nobody listens", stats.events);
}

/* ---- inputs that are no straight lines, and many bristles ---- */

static const double swing[] = { 0.3 }, swing_hz[] = { 0.7 }, shake[] = { 0.02 };

/* rates of x, v, z on the spring, with a load and a surface that swing */
static void swinging(const bristle_lugre *p, double t, const double y[3], double rate[3])
{
  const double wave = sin(2 * 3.14159265358979323846 * swing_hz[0] * t);
  const bristle_input in = { .v = y[1] - shake[0] * wave, .n = 1 + swing[0] * wave, .load = BRISTLE_LOAD_LEVEL };
  rate[0] = y[1];
  rate[1] = 2 * (0.1 * t - y[0]) - bristle_lugre_model.eval((const double *)p, y + 2, &in, rate + 2);
}

static double by_runge_kutta(const bristle_lugre *p, double end, double h)
{
  double y[3] = { 0 }, k[4][3], at[3];
  for (long i = 0; i < lround(end / h); i++) {
    const double t = (double)i * h;
    swinging(p, t, y, k[0]);
    for (int s = 1; s < 4; s++) {
      const double part = s == 3 ? h : 0.5 * h;
      for (int j = 0; j < 3; j++) at[j] = y[j] + part * k[s - 1][j];
      swinging(p, t + part, at, k[s]);
    }
    for (int j = 0; j < 3; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
  return y[0];
}

/* what it must not step over: a sine that lets go twice in each period, by 5 % or by 0.02 % of the level */
TEST(native_rest_ends_when_a_wave_passes_the_level)
{
  static const double excess[] = { 0.05, 2e-4 }, frequency[] = { 1 };
  const bristle_coulomb p = bristle_coulomb_default();
  for (int k = 0; k < 2; k++) {
    const double amplitude[] = { p.fc * (1 + excess[k]) };
    bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
    rig.as.axis = (bristle_axis){
      .mass = 1,
      .force = { .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = amplitude, .frequency = frequency },
      .contact = { .law = bristle_law_find("coulomb"), .p = (const double *)&p }
    };
    const double begins = asin(1 / (1 + excess[k])) / 6.283185307179586,
                 times[] = { 0, begins - 1e-9, begins + 1e-3, 40 };
    const bristle_sim_options options = { .method = BRISTLE_METHOD_NATIVE, .end = 40, .times = times, .time_count = 4 };
    rows r = rows_run(&rig, &options);
    CHECK(rows_value(&r, 1, 2) == 0 && rows_value(&r, 2, 2) > 0, "%g above the level: it moves with %g and %g m/s",
          excess[k], rows_value(&r, 1, 2), rows_value(&r, 2, 2));
    /* a stick and a slip in each half period; equal ways to and fro */
    CHECK(r.stats.events >= 155 && r.stats.events <= 165, "%g above the level: %zu events", excess[k], r.stats.events);
    CHECK(fabs(rows_last(&r, 1)) < 1e-9, "%g above the level: at %g m", excess[k], rows_last(&r, 1));
    rows_free(&r);
  }
}

/* the general solver sees a wave that lets go, however long it has been at rest */
TEST(adaptive_rest_ends_when_a_wave_passes_the_level)
{
  static const char *const laws[] = { "coulomb", "stribeck", "startstop", "wojewoda", "karnopp" };
  static const double frequency[] = { 1 };
  for (int l = 0; l < 5; l++) {
    double p[64];
    const bristle_law *law = bristle_law_find(laws[l]);
    bristle_defaults(law->f64->info, p);
    const bristle_row *fs = bristle_param_find(law->f64->info, "fs");
    const double level = p[(fs ? fs : bristle_param_find(law->f64->info, "fc"))->first], amplitude[] = { 1.02 * level };
    bristle_rig rig = { .kind = BRISTLE_RIG_AXIS };
    rig.as.axis = (bristle_axis){
      .mass = 1,
      .force = { .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = amplitude, .frequency = frequency },
      .contact = { .law = law, .p = p }
    };
    const bristle_sim_options options = { .method = BRISTLE_METHOD_ADAPTIVE, .end = 20 };
    rows r = rows_run(&rig, &options);
    CHECK(r.stats.events >= 75, "%s: %zu events in 20 periods", laws[l], r.stats.events);
    rows_free(&r);
  }
}

TEST(native_varying_load_and_surface_agree_with_runge_kutta)
{
  const bristle_lugre p = law_1995();
  bristle_rig rig = pulled(&p, pull_slow);
  bristle_axis *a = &rig.as.axis;
  a->load = (bristle_program){
    .kind = BRISTLE_PROGRAM_SINES, .offset = 1, .count = 1, .amplitude = swing, .frequency = swing_hz
  };
  a->base = (bristle_program){ .kind = BRISTLE_PROGRAM_SINES, .count = 1, .amplitude = shake, .frequency = swing_hz };
  a->contact.load = BRISTLE_LOAD_LEVEL;
  const bristle_sim_options options = options_for(4, 0, 1e-10);
  rows native = rows_run(&rig, &options);
  CHECK_ABS(rows_last(&native, 1), by_runge_kutta(&p, 4, 1e-5), 1e-8);
  CHECK(rows_residual(&native) < 1e-7, "%g of the work", rows_residual(&native));
  rows_free(&native);
}
