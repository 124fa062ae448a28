/* Figures that the sources draw or claim beside their equations: what a bristle is (MotionSolve, Piatkowski), what
   Dahl's law leaves out, errors of a controlled axis (Kelly), and the mass of the body (Piatkowski). */
#include "gallery.h"

#include "maths/elementary.h"

enum { POINTS = 301 };

static double defaults_of(const char *law, double *p)
{
  bristle_defaults(bristle_law_find(law)->f64->info, p);
  return 0;
}

static void put(const char *law, double *p, const char *name, double value)
{
  p[bristle_param_find(bristle_law_find(law)->f64->info, name)->first] = value;
}

/* ---- the bristle ---- */

/* steady deflection of the default contact at a speed */
static double deflection(const char *law, double v)
{
  const bristle_model *model = bristle_law_find(law)->f64;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 };
  defaults_of(law, p);
  const bristle_input in = { .v = v, .n = 1, .h = 1e-3 / v };
  for (int i = 0; i < 10; i++) model->step(p, s, &in, NULL);
  return s[0];
}

static double deflection_at(const simulation *runs, const gallery_number *n)
{
  (void)runs;
  return deflection(n->column, n->level);
}

/* deflection over the way, at one speed */
static void bend(const char *law, double v, double *x, double *z)
{
  const bristle_model *model = bristle_law_find(law)->f64;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 };
  defaults_of(law, p);
  const double way = 1e-4 / (POINTS - 1);
  bristle_input in = { .v = v, .n = 1, .h = way / v };
  for (int i = 0; i < POINTS; i++) {
    x[i] = way * i, z[i] = s[0];
    model->step(p, s, &in, NULL);
  }
}

static void draw_bristle(const simulation *runs, bristle_report *report)
{
  static double x[3][POINTS], z[3][POINTS], v[POINTS], steady[2][POINTS];
  static const char *const laws[] = { "lugre", "lugre", "dahl" };
  static const char *const names[] = { "lugre, 0.1 mm/s", "lugre, 10 mm/s", "dahl, any speed" };
  static const double speeds[] = { 1e-4, 1e-2, 1e-4 };
  bristle_series way[3], curve[2];
  (void)runs;
  for (int k = 0; k < 3; k++) {
    bend(laws[k], speeds[k], x[k], z[k]);
    way[k] = (bristle_series){ .name = names[k],
                               .style = k == 2 ? BRISTLE_STYLE_DASHED : BRISTLE_STYLE_LINE,
                               .count = POINTS,
                               .x = x[k],
                               .y = z[k] };
  }
  for (int i = 0; i < POINTS; i++) {
    v[i] = 1e-5 * pow(10, 4.0 * i / (POINTS - 1));
    steady[0][i] = deflection("lugre", v[i]), steady[1][i] = deflection("dahl", v[i]);
  }
  for (int k = 0; k < 2; k++)
    curve[k] = (bristle_series){ .name = laws[1 + k], .count = POINTS, .x = v, .y = steady[k] };
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = "The bristle bends, then slips",
                                               .caption = "Deflection over the way from the virgin state.",
                                               .half = 1,
                                               .x = { "position", "m", 0 },
                                               .y = { "bristle deflection", "m", 0 },
                                               .series_count = 3,
                                               .series = way });
  bristle_report_plot(
      report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                               .title = "Steady deflection over the slip speed",
                               .caption = "It falls with the speed from fs/sigma0 to fc/sigma0; Dahl's does not.",
                               .half = 1,
                               .x = { "velocity", "m/s", 1 },
                               .y = { "bristle deflection", "m", 0 },
                               .series_count = 2,
                               .series = curve });
}

static const gallery_number bristle_numbers[] = {
  { "lugre, slow: fs/sigma0", "m", "1.5000e-5", deflection_at, .column = "lugre", .level = 1e-6 },
  { "lugre at vs: (fc + (fs - fc)/e)/sigma0", "m", "1.183940e-5", deflection_at, .column = "lugre", .level = 1e-3 },
  { "lugre, fast: fc/sigma0", "m", "1.000000e-5", deflection_at, .column = "lugre", .level = 0.1 },
  { "dahl, slow: fc/sigma0", "m", "1.000000e-5", deflection_at, .column = "dahl", .level = 1e-6 },
  { "dahl, fast: the same", "m", "1.000000e-5", deflection_at, .column = "dahl", .level = 0.1 },
};

/* ---- Dahl as a part of LuGre ---- */

enum { TERMS = 5 };
static const char *const taken_away[TERMS] = { "lugre", "sigma2 = 0", "sigma1 = 0 too", "fs = fc too", "dahl" };

/* the k-th contact on the way from LuGre to Dahl, two cycles of 100 um at 1 Hz */
static void loop_of(int k, double *x, double *f)
{
  const char *law = k == TERMS - 1 ? "dahl" : "lugre";
  const bristle_model *model = bristle_law_find(law)->f64;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 };
  defaults_of(law, p);
  if (k < TERMS - 1 && k > 0) put(law, p, "sigma2", 0);
  if (k < TERMS - 1 && k > 1) put(law, p, "sigma1", 0);
  if (k == 3) put(law, p, "fs", 1);
  for (int i = 0; i < POINTS; i++) {
    x[i] = 1e-4 * sin(4 * 3.141592653589793 * i / (POINTS - 1));
    const double h = 2.0 / (POINTS - 1), before = i ? x[i - 1] : 0;
    const bristle_input in = { .v = (x[i] - before) / h, .n = 1, .h = h };
    f[i] = i ? model->step(p, s, &in, NULL) : 0;
  }
}

static double apart_from_dahl(const simulation *runs, const gallery_number *n)
{
  static double x[POINTS], f[POINTS], g[POINTS];
  double most = 0;
  (void)runs;
  loop_of(n->run, x, f);
  loop_of(TERMS - 1, x, g);
  for (int i = 0; i < POINTS; i++) most = fmax(most, fabs(f[i] - g[i]));
  return most;
}

static void draw_subset(const simulation *runs, bristle_report *report)
{
  static double x[TERMS][POINTS], f[TERMS][POINTS];
  bristle_series series[TERMS];
  (void)runs;
  for (int k = 0; k < TERMS; k++) {
    loop_of(k, x[k], f[k]);
    series[k] = (bristle_series){ .name = taken_away[k],
                                  .count = POINTS,
                                  .x = x[k],
                                  .y = f[k],
                                  .style = k == TERMS - 1 ? BRISTLE_STYLE_DASHED : BRISTLE_STYLE_LINE };
  }
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = "Terms taken away one by one",
                                               .x = { "position", "m", 0 },
                                               .y = { "friction force", "N", 0 },
                                               .series_count = TERMS,
                                               .series = series });
}

static const gallery_number subset_numbers[] = {
  { "all three taken away: difference from dahl", "N", "< 1e-12", apart_from_dahl, .run = 3 },
};

/* ---- errors of a controlled axis ---- */

static const gallery_run track_runs[] = {
  { "tracking", NULL, "lugre" },
  { "tracking", "friction={model: stribeck, parameters: {fc: 1 N, fs: 1.5 N, vs: 1 mm/s, sigma2: 0.4}}",
    "stribeck, static" },
  { "tracking", "friction={model: coulomb, parameters: {fc: 1e-9 N}}", "no friction" },
  { "tracking", "target=5 mm", "lugre, step" },
};
static const gallery_plot track_plots[] = {
  { .title = "Tracking error", .x = "t", .y = "error", .runs = "012", .from = 4, .to = 6 },
  { .title = "Command", .x = "t", .y = "command", .runs = "012", .from = 4, .to = 6, .half = 1 },
  { .title = "Positioning error after a step", .x = "t", .y = "error", .runs = "3", .to = 2, .half = 1 },
};
static const gallery_number track_numbers[] = {
  { "largest tracking error from 4 s on, lugre", "m", "1.386593e-3", largest, .column = "error", .from = 4 },
  { "without friction", "m", "9.94797e-5", largest, .source = GALLERY_CLOSED_FORM, .run = 2, .column = "error",
    .from = 4 },
  { "positioning error after a step of 5 mm", "m", "-3.57690e-4", last_value, .run = 3, .column = "error" },
  { "positioning error, by what static friction allows, fs/kp", "1", "< 1", last_value, .run = 3, .column = "error",
    .times = 1000 / 1.5 },
};

/* ---- the mass of the body ---- */

static const gallery_run mass_runs[] = {
  { "stick_slip", "mass=10 g,time.output=50 ms,friction={model: stribeck}", "stribeck, 10 g" },
  { "stick_slip", "mass=1 kg,time.output=50 ms,friction={model: stribeck}", "stribeck, 1 kg" },
  { "stick_slip", "mass=100 kg,time.output=50 ms,friction={model: stribeck}", "stribeck, 100 kg" },
  { "stick_slip", "mass=10 g,time.output=50 ms,friction={model: dahl}", "dahl, 10 g" },
  { "stick_slip", "mass=1 kg,time.output=50 ms,friction={model: dahl}", "dahl, 1 kg" },
  { "stick_slip", "mass=100 kg,time.output=50 ms,friction={model: dahl}", "dahl, 100 kg" },
  { "stick_slip", "mass=10 g,time.output=50 ms,friction={model: lugre}", "lugre, 10 g" },
  { "stick_slip", "mass=1 kg,time.output=50 ms,friction={model: lugre}", "lugre, 1 kg" },
  { "stick_slip", "mass=100 kg,time.output=50 ms,friction={model: lugre}", "lugre, 100 kg" },
  { "stick_slip", "mass=10 g,time.output=50 ms,friction={model: lugre},solver={rtol: 1e-11}", "lugre, 10 g, finer" },
  { "stick_slip", "mass=1 kg,time.output=50 ms,friction={model: lugre},solver={rtol: 1e-11}", "lugre, 1 kg, finer" },
  { "stick_slip", "mass=100 kg,time.output=50 ms,friction={model: lugre},solver={rtol: 1e-11}",
    "lugre, 100 kg, finer" },
};
static const gallery_plot mass_plots[] = { { .title = "Position", .x = "t", .y = "x", .runs = "678" } };

/* what a hundred times the tolerance changes in the position at the end */
static double finer(const simulation *runs, const gallery_number *n)
{
  gallery_number coarse = *n;
  coarse.run -= 3;
  return last_value(runs, n) - last_value(runs, &coarse);
}

static double steps_ratio(const simulation *runs, const gallery_number *n)
{
  return (double)runs[n->run + 2].stats.steps / (double)runs[n->run].stats.steps;
}

static const gallery_number mass_numbers[] = {
  { "dahl: steps with 100 kg by those with 10 g", "1", "< 0.1", steps_ratio, .run = 3 },
  { "stribeck: the same", "1", "< 1", steps_ratio, .run = 0 },
  { "lugre, 10 g: what a finer tolerance changes", "m", "< 1e-6", finer, .run = 9, .column = "x" },
  { "lugre, 1 kg", "m", "< 1e-6", finer, .run = 10, .column = "x" },
  { "lugre, 100 kg", "m", "< 1e-6", finer, .run = 11, .column = "x" },
};

static void draw_mass(const simulation *runs, bristle_report *report)
{
  static const double mass[3] = { 0.01, 1, 100 };
  static const char *const names[3] = { "stribeck, static", "dahl", "lugre" };
  double steps[3][3];
  bristle_series series[3];
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < 3; i++) steps[k][i] = (double)runs[3 * k + i].stats.steps;
    series[k] = (bristle_series){ .name = names[k], .count = 3, .x = mass, .y = steps[k] };
  }
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = "Steps for 20 s of stick-slip",
                                               .caption = "Error control at the same tolerance. A light body on "
                                                          "undamped bristles is a fast oscillator.",
                                               .x = { "mass", "kg", 1 },
                                               .y = { "steps", NULL, 1 },
                                               .series_count = 3,
                                               .series = series });
}

const gallery_figure gallery_sources[] = {
  { .name = "bristle",
    .title = "MotionSolve and Piatkowski, figures 1: what a bristle is",
    .text = "A mean bristle stands for all of them. It bends with the motion, and its deflection in steady sliding is "
            "the force over the stiffness: with LuGre it is smaller at speed, with Dahl always the same.",
    GALLERY_NUMBERS_OF(bristle_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_bristle },
  { .name = "dahl_subset",
    .title = "MotionSolve, figure 3: Dahl as a part of LuGre",
    .text =
        "Without viscous friction, without the damping of the bristles and without a static peak LuGre is Dahl's law. "
        "The terms that the figure has in red are taken away here one after the other.",
    GALLERY_NUMBERS_OF(subset_numbers, GALLERY_LIMIT),
    .draw = draw_subset },
  { .name = "tracking",
    .title = "Kelly: positioning and tracking errors of a controlled axis",
    .text =
        "A PD controller follows a sine of 10 mm at 0.5 Hz, and a step of 5 mm. Friction adds an error of about fc/kp "
        "in motion and leaves up to fs/kp at rest. The paper names these errors; the axis and its numbers are ours.",
    GALLERY_RUNS_OF(track_runs),
    GALLERY_PLOTS_OF(track_plots),
    GALLERY_NUMBERS_OF(track_numbers, GALLERY_SOLVER) },
  { .name = "body_mass",
    .title = "Piatkowski: the mass of the body, efficiency and convergence",
    .text = "The same spring pulls bodies of 10 g to 100 kg. Dahl's law, whose bristles have no damping, costs more "
            "steps the lighter the body is; LuGre's damping and a static law hardly notice. All of them converge: a "
            "finer tolerance does not move the end.",
    GALLERY_RUNS_OF(mass_runs),
    GALLERY_PLOTS_OF(mass_plots),
    GALLERY_NUMBERS_OF(mass_numbers, GALLERY_LIMIT),
    .draw = draw_mass },
  { .name = NULL },
};
