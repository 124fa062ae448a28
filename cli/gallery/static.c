/* Figures of laws without memory: Dymore's smoothing and step rules, Cristian's start and stop, Coulomb's square wave.
 */
#include "gallery.h"

#include "bristle/steprule.h"

#include "maths/elementary.h"

/* ---- tanh ---- */

static const gallery_run tanh_runs[] = { { "tanh_law", NULL, "tanh" },
                                         { "tanh_law", "friction.model=coulomb", "coulomb" } };
static const gallery_plot tanh_plots[] = {
  { .title = "Force over speed", .x = "v", .y = "F", .half = 1 },
  { .title = "Force over time", .x = "t", .y = "F", .half = 1 },
};
static const gallery_number tanh_numbers[] = {
  { "tanh 1, at the smoothing speed", "N", "0.76159416", value_when, .column = "F", .where = "v", .level = 1e-3 },
  { "tanh 5", "N", "0.99990920", largest, .column = "F" },
  { "sgn v", "N", "1.0000000", value_when, .run = 1, .column = "F", .where = "v", .level = 1e-3 },
};

static const gallery_run creep_runs[] = { { "tanh_creep", NULL, "tanh" },
                                          { "tanh_creep", "friction.vt=0.1 mm/s", "tanh, a tenth of the speed" } };
static const gallery_plot creep_plots[] = {
  { .title = "Speed", .x = "t", .y = "v", .half = 1 },
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
};
static const gallery_number creep_numbers[] = {
  { "speed of the creep, vt atanh(1/2)", "m/s", "5.49306e-4", last_value, .column = "v" },
  { "with a tenth of the smoothing speed", "m/s", "5.49306e-5", last_value, .run = 1, .column = "v" },
};

/* ---- step rules ---- */

static const gallery_run rule_runs[] = { { "stick_slip", NULL, "lugre, adaptive" },
                                         { "steprule_lugre", NULL, "lugre, step rule" },
                                         { "steprule_coulomb", NULL, "stribeck, step rule" },
                                         { "steprule_lugre", "solver.rule=lugre,solver.c4=1e9",
                                           "lugre, the rule alone" } };
enum { RULE_RUNS = sizeof rule_runs / sizeof *rule_runs };
static const gallery_plot rule_plots[] = { { .title = "Position", .x = "t", .y = "x" } };

static double rule_length(const simulation *runs, const gallery_number *n)
{
  bristle_steprule rule;
  (void)runs;
  bristle_steprule_init(&rule, BRISTLE_STEPRULE_COULOMB);
  rule.speed = 1;
  return bristle_steprule_length(&rule, n->level * rule.c[2]);
}

/* the rule for LuGre friction with the numbers of the run, at nu = level */
static double bristle_rule_length(const simulation *runs, const gallery_number *n)
{
  const bristle_friction *f = &runs[1].scenario->friction;
  bristle_steprule rule;
  bristle_error fault;
  if (bristle_steprule_take(&rule, BRISTLE_STEPRULE_LUGRE, f->info, f->p, &fault)) return NAN;
  return bristle_steprule_length(&rule, n->level * rule.c[1] * rule.speed);
}

/* the step that a run took at the time `from` */
static double step_taken(const simulation *runs, const gallery_number *n)
{
  const samples *steps = &runs[n->run].steps;
  size_t i = 0;
  while (i + 1 < steps->count && steps->t[i + 1] <= n->from) i++;
  return steps->count ? steps->y[i] : (double)NAN;
}

/* the longest step of a run over what the rule gives for the largest speed */
static double longest_step(const simulation *runs, const gallery_number *n)
{
  gallery_number speed = *n, nu = *n;
  speed.column = "v";
  const bristle_row *vs = bristle_param_find(runs[1].scenario->friction.info, "vs");
  nu.level = largest(runs, &speed) / (5 * runs[1].scenario->friction.p[vs->first]);
  return runs[n->run].stats.longest / bristle_rule_length(runs, &nu);
}

/* what a run ends with, less what the first one does */
static double beside_first(const simulation *runs, const gallery_number *n)
{
  gallery_number first = *n;
  first.run = 0;
  return last_value(runs, n) - last_value(runs, &first);
}

static const gallery_number rule_numbers[] = {
  { "Coulomb rule, step at rest", "s", "1.000000e-4", rule_length, .level = 0 },
  { "at nu = 0.5", "s", "1.410441e-4", rule_length, .level = 0.5 },
  { "at nu = 1", "s", "4.027868e-4", rule_length, .level = 1 },
  { "at nu = 2", "s", "8.773209e-4", rule_length, .level = 2 },
  { "at nu = 3", "s", "9.823287e-4", rule_length, .level = 3 },
  { "at nu = 4", "s", "9.975879e-4", rule_length, .level = 4 },
  { "LuGre rule, step at rest", "s", "2.000000e-4", bristle_rule_length, .level = 0 },
  { "at nu = 2", "s", "4.594793e-4", bristle_rule_length, .level = 2 },
  { "at nu = 4", "s", "1.055606e-3", bristle_rule_length, .level = 4 },
  { "the step it took at 5 s, in stick", "s", "2.0000e-4", step_taken, .run = 1, .from = 5 },
  { "the Coulomb rule's at 5 s", "s", "1.0000e-4", step_taken, .run = 2, .from = 5 },
  { "the rule alone: its longest step, over the rule's at the largest speed", "1", "1.00", longest_step, .run = 3 },
  { "LuGre rule, error of the position after 20 s", "m", "< 0.01", beside_first, .run = 1, .column = "x" },
};

static void draw_rule(const simulation *runs, bristle_report *report)
{
  bristle_series series[RULE_RUNS];
  for (int i = 0; i < RULE_RUNS; i++)
    series[i] = (bristle_series){
      .name = rule_runs[i].name, .count = runs[i].steps.count, .x = runs[i].steps.t, .y = runs[i].steps.y
    };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = "Length of the steps",
                              .caption = "The rules shorten the step wherever the block is slow; error control where "
                                         "something happens.",
                              .x = { "time", "s", 0 },
                              .y = { "length of a step", "s", 1 },
                              .series_count = RULE_RUNS,
                              .series = series,
                              .limit = 3000 };
  bristle_report_plot(report, &plot);
}

/* ---- start and stop ---- */

static const gallery_run sine_runs[] = {
  { "start_stop_sine", NULL, "exponential" },
  { "start_stop_sine", "friction.form=1", "line" },
  { "start_stop_sine", "motion.sine.amplitude=4 mm/s", "small, reading H1" },
  { "start_stop_sine", "motion.sine.amplitude=4 mm/s,friction.turning=1", "small, reading H2" },
};
static const bristle_mark sine_marks[] = { { .at = 0, .label = "A" },
                                           { .at = 0.5, .label = "B" },
                                           { .at = 1, .label = "C" } };
static const gallery_plot sine_plots[] = {
  { .title = "Force over time",
    .caption = "Right of A and B the motion starts: the static peak. Left of B and C it stops: the kinetic level.",
    .x = "t",
    .y = "F",
    .runs = "01",
    .marks = sine_marks,
    .mark_count = 3 },
  { .title = "Force over speed", .x = "v", .y = "F", .runs = "01", .half = 1 },
  { .title = "A motion that turns below the critical speed",
    .caption = "The paper does not say what happens there. H1: the peak ends where the motion slows down. H2: the peak "
               "stays until the critical speed was passed.",
    .x = "v",
    .y = "F",
    .runs = "23",
    .half = 1 },
};
static const gallery_number sine_numbers[] = {
  { "exponential, at the start", "N", "25.0000", value_at_rest, .column = "F" },
  { "2.5 mm/s, speeding up", "N", "23.0327", value_when, .column = "F", .where = "v", .level = 2.5e-3 },
  { "5 mm/s", "N", "21.8394", value_when, .column = "F", .where = "v", .level = 5e-3 },
  { "10 mm/s", "N", "20.6767", value_when, .column = "F", .where = "v", .level = 10e-3 },
  { "15 mm/s", "N", "20.2489", value_when, .column = "F", .where = "v", .level = 15e-3 },
  { "25 mm/s", "N", "20.0337", value_when, .column = "F", .where = "v", .level = 25e-3 },
  { "15 mm/s, slowing down", "N", "20.0000", value_when, .column = "F", .where = "v", .level = 15e-3, .falling = 1 },
  { "2.5 mm/s, slowing down", "N", "20.0000", value_when, .column = "F", .where = "v", .level = 2.5e-3, .falling = 1 },
  { "line, 2.5 mm/s, speeding up", "N", "22.5000", value_when, .run = 1, .column = "F", .where = "v", .level = 2.5e-3 },
  { "line, 5.1 mm/s", "N", "20.0000", value_when, .run = 1, .column = "F", .where = "v", .level = 5.1e-3 },
  { "line, 2.5 mm/s, slowing down", "N", "20.0000", value_when, .run = 1, .column = "F", .where = "v", .level = 2.5e-3,
    .falling = 1 },
  { "H1, turned at 4 mm/s, 2.5 mm/s slowing down", "N", "20.0000", value_when, .run = 2, .column = "F", .where = "v",
    .level = 2.5e-3, .falling = 1 },
  { "H2, the same", "N", "23.0327", value_when, .run = 3, .column = "F", .where = "v", .level = 2.5e-3, .falling = 1 },
};

static const gallery_run trapezoid_runs[] = {
  { "start_stop_trapezoid", NULL, "exponential, H1" },
  { "start_stop_trapezoid", "friction.form=1", "line, H1" },
  { "start_stop_trapezoid", "friction.turning=1", "exponential, H2" },
  { "start_stop_trapezoid", "friction.form=1,friction.turning=1", "line, H2" },
};
static const gallery_plot trapezoid_plots[] = {
  { .title = "Speed", .x = "t", .y = "v", .runs = "0", .half = 1 },
  { .title = "Force", .x = "t", .y = "F", .runs = "0123", .half = 1 },
};
static const gallery_number trapezoid_numbers[] = {
  { "exponential, at the start", "N", "25.0000", value_at_rest, .column = "F" },
  { "2.5 mm/s, speeding up", "N", "23.0327", value_when, .column = "F", .where = "v", .level = 2.5e-3 },
  { "5 mm/s, speeding up", "N", "21.8394", value_when, .column = "F", .where = "v", .level = 5e-3 },
  { "5 mm/s, slowing down", "N", "20.0000", value_when, .column = "F", .where = "v", .level = 5e-3, .falling = 1 },
  { "after a rest, the other way, 2.5 mm/s", "N", "-23.0327", value_when, .column = "F", .where = "v", .level = -2.5e-3,
    .from = 0.4, .falling = 1 },
  { "exponential, H2, 6 mm/s, speeding up", "N", "20.0000", value_when, .run = 2, .column = "F", .where = "v",
    .level = 6e-3 },
  { "held at 10 mm/s, H1", "N", "20.0000", value_at, .column = "F", .from = 0.2 },
  { "held at 10 mm/s, H2", "N", "20.0000", value_at, .run = 2, .column = "F", .from = 0.2 },
  { "line, 2.5 mm/s, speeding up", "N", "22.5000", value_when, .run = 1, .column = "F", .where = "v", .level = 2.5e-3 },
  { "line, H2, 2.5 mm/s, slowing down", "N", "20.0000", value_when, .run = 3, .column = "F", .where = "v",
    .level = 2.5e-3, .falling = 1 },
};

/* ---- first harmonic ---- */

static const gallery_run harmonic_runs[] = { { "describing_function", NULL, "coulomb" } };

/* first harmonic of the force at 1 Hz, from rows of one second */
static double first_harmonic(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *t = s->kept[0], *force = run_column(s, n->column), turn = 6.283185307179586;
  double sum = 0;
  for (size_t i = 1; i < s->rows; i++) /* F sin is continuous: zero where F jumps */
    sum += (force[i - 1] * sin(turn * t[i - 1]) + force[i] * sin(turn * t[i])) * (t[i] - t[i - 1]);
  return sum;
}

static const gallery_number harmonic_numbers[] = {
  { "first harmonic, 4 fc/pi", "N", "1.27324", first_harmonic, .column = "F" },
};

static void draw_harmonic(const simulation *runs, bristle_report *report)
{
  enum { POINTS = 401 };
  double t[POINTS], y[POINTS];
  for (int i = 0; i < POINTS; i++) {
    t[i] = (double)i / (POINTS - 1);
    y[i] = 4 / 3.141592653589793 * sin(6.283185307179586 * t[i]);
  }
  const bristle_series series[] = {
    { .name = "friction", .count = runs->rows, .x = runs->kept[0], .y = run_column(runs, "F") },
    { .name = "first harmonic", .style = BRISTLE_STYLE_DASHED, .count = POINTS, .x = t, .y = y },
  };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = "Force over time",
                              .x = { "time", "s", 0 },
                              .y = { "friction force", "N", 0 },
                              .series_count = 2,
                              .series = series };
  bristle_report_plot(report, &plot);
}

const gallery_figure gallery_static[] = {
  { .name = "tanh",
    .title = "Dymore, figure 1: sgn and tanh",
    .text = "The smoothed law follows the step of Coulomb friction within a few smoothing speeds, here 1 mm/s, and "
            "passes zero force with zero speed: it cannot hold anything.",
    GALLERY_RUNS_OF(tanh_runs),
    GALLERY_PLOTS_OF(tanh_plots),
    GALLERY_NUMBERS_OF(tanh_numbers, GALLERY_CLOSED_FORM) },
  { .name = "creep",
    .title = "Creep of the smoothed law",
    .text = "Half of the Coulomb level pulls at a block that friction should hold. Under tanh it creeps at a constant "
            "speed instead; a smaller smoothing speed only makes the creep slower.",
    GALLERY_RUNS_OF(creep_runs),
    GALLERY_PLOTS_OF(creep_plots),
    GALLERY_NUMBERS_OF(creep_numbers, GALLERY_CLOSED_FORM) },
  { .name = "steprule",
    .title = "Dymore's step rules on stick-slip",
    .text = "The manual chooses the time step from the slip speed alone. Both rules carry the block through stick and "
            "slip, with tens of thousands of short steps while it sticks; error control needs a few hundred. After its "
            "hold time "
            "the rule leaves the step to the host (10 ms here); the rule alone, with a hold time without end, goes on "
            "lengthening it with the speed.",
    GALLERY_RUNS_OF(rule_runs),
    GALLERY_PLOTS_OF(rule_plots),
    GALLERY_NUMBERS_OF(rule_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_rule },
  { .name = "start_stop_sine",
    .title = "Cristian, figure 7a: a sine of speed",
    .text = "Friction starts from its static level at every reversal and falls with the speed, exponentially or on a "
            "line; while the motion slows down there is no peak. The force over the speed is a loop.",
    GALLERY_RUNS_OF(sine_runs),
    GALLERY_PLOTS_OF(sine_plots),
    GALLERY_NUMBERS_OF(sine_numbers, GALLERY_CLOSED_FORM) },
  { .name = "start_stop_trapezoid",
    .title = "Cristian, figure 7b: trapezoids with rests",
    .text = "After each rest the static peak is there again, in the direction of the new motion, and every stop is "
            "without one. The readings differ in where the peak ends: H1 where the motion stops speeding up, H2 where "
            "it passes "
            "the critical speed.",
    GALLERY_RUNS_OF(trapezoid_runs),
    GALLERY_PLOTS_OF(trapezoid_plots),
    GALLERY_NUMBERS_OF(trapezoid_numbers, GALLERY_CLOSED_FORM) },
  { .name = "describing_function",
    .title = "Dry friction as a square wave",
    .text = "A sine of speed makes a square wave of force. Its first harmonic, divided by the amplitude V of the "
            "speed, is the describing function 4 fc/(pi V).",
    GALLERY_RUNS_OF(harmonic_runs),
    GALLERY_NUMBERS_OF(harmonic_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_harmonic },
  { .name = NULL },
};
