/* Cristian's figures 1 to 6, and what a rest does to the static level: curves of the law itself. */
#include "gallery.h"

#include "maths/elementary.h"

enum { POINTS = 241, FORM_EXPONENTIAL = 0, FORM_LINE = 1, FORM_STEP = 2, FORM_REST = 3, FORM_RELAY = 4 };

static const double STATIC = 25, KINETIC = 20, CRITICAL = 5e-3, VISCOUS = 100, FASTEST = 0.03;

/* the contact of the paper: 25 N, 20 N, 5 mm/s */
static void parameters(double *p, int form, double viscous)
{
  const bristle_info *info = bristle_law_find("startstop")->f64->info;
  bristle_defaults(info, p);
  p[bristle_param_find(info, "fc")->first] = KINETIC;
  p[bristle_param_find(info, "fs")->first] = STATIC;
  p[bristle_param_find(info, "vcr")->first] = CRITICAL;
  p[bristle_param_find(info, "sigma2")->first] = viscous;
  p[bristle_param_find(info, "form")->first] = form;
}

/* force at a speed that grows (a > 0) or falls */
static double force_of(const double *p, double v, double a, bristle_load load, double n)
{
  const bristle_model *model = bristle_law_find("startstop")->f64;
  double s[8] = { 0 }, rate[8];
  const bristle_input in = { .v = v, .a = a, .n = n, .load = load };
  return model->eval(p, s, &in, rate);
}

/* number: `run` is the form, `level` the speed, `falling` a stop, `from` the viscous coefficient */
static double curve_value(const simulation *runs, const gallery_number *n)
{
  double p[BRISTLE_LAW_SIZE];
  (void)runs;
  parameters(p, n->run, n->from);
  return force_of(p, n->level, n->falling ? -1 : 1, BRISTLE_LOAD_FORCE, 1);
}

/* the viscous part alone: fc = fs = 0 */
static double viscous_value(const simulation *runs, const gallery_number *n)
{
  double p[BRISTLE_LAW_SIZE];
  (void)runs;
  parameters(p, 0, VISCOUS);
  p[0] = p[1] = 0;
  return force_of(p, n->level, 1, BRISTLE_LOAD_FORCE, 1);
}

/* coefficient form: mu times the normal force `to` */
static double coefficient_value(const simulation *runs, const gallery_number *n)
{
  double p[BRISTLE_LAW_SIZE];
  (void)runs;
  parameters(p, 0, 0);
  p[0] = 0.2, p[1] = 0.25;
  return force_of(p, n->level, n->falling ? -1 : 1, BRISTLE_LOAD_COEFFICIENT, n->to);
}

/* both directions of a curve, from -fastest to fastest with a gap at rest */
static void fill(double *v, double *f, const double *p, double a)
{
  for (int i = 0; i < POINTS; i++) {
    v[i] = FASTEST * (2.0 * i / (POINTS - 1) - 1);
    f[i] = fabs(v[i]) < 1e-9 ? (double)NAN : force_of(p, v[i], v[i] > 0 ? a : -a, BRISTLE_LOAD_FORCE, 1);
  }
}

static void draw_forms(const simulation *runs, bristle_report *report)
{
  static const struct {
    const char *title, *caption;
    int form;
    double viscous;
  } pictures[] = {
    { "Figure 1: dry and viscous force together", "sigma2 = 100 N s/m, the paper's c = tan(alpha).", 0, 100 },
    { "Figure 3: starting and stopping", "The friction coefficient has the same shape, divided by the load.", 0, 0 },
    { "Figure 4a: an oblique line", "form 1", FORM_LINE, 0 },
    { "Figure 4b: a horizontal line", "form 2", FORM_STEP, 0 },
    { "Figure 5a: the static level at zero speed only", "form 3", FORM_REST, 0 },
    { "Figure 5b: a relay", "form 4", FORM_RELAY, 0 },
  };
  static double v[POINTS], start[POINTS], stop[POINTS];
  (void)runs;
  for (size_t k = 0; k < sizeof pictures / sizeof *pictures; k++) {
    double p[BRISTLE_LAW_SIZE];
    parameters(p, pictures[k].form, pictures[k].viscous);
    fill(v, start, p, 1);
    fill(v, stop, p, -1);
    const bristle_series series[] = {
      { .name = "starting", .count = POINTS, .x = v, .y = start },
      { .name = "stopping", .style = BRISTLE_STYLE_DASHED, .count = POINTS, .x = v, .y = stop },
      { .name = "at rest, any force between",
        .style = BRISTLE_STYLE_LINE,
        .count = 2,
        .x = (double[]){ 0, 0 },
        .y = pictures[k].form == FORM_RELAY ? (double[]){ -KINETIC, KINETIC } : (double[]){ -STATIC, STATIC } },
    };
    bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                                 .title = pictures[k].title,
                                                 .caption = pictures[k].caption,
                                                 .half = 1,
                                                 .x = { "velocity", "m/s", 0 },
                                                 .y = { "friction force", "N", 0 },
                                                 .series_count = 3,
                                                 .series = series });
  }
  double viscous[POINTS];
  for (int i = 0; i < POINTS; i++) viscous[i] = VISCOUS * v[i];
  const bristle_series line = { .name = "sigma2 v", .count = POINTS, .x = v, .y = viscous };
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = "Figure 2: the viscous force",
                                               .caption = "fc = fs = 0 leaves a straight line through the origin.",
                                               .half = 1,
                                               .x = { "velocity", "m/s", 0 },
                                               .y = { "friction force", "N", 0 },
                                               .series_count = 1,
                                               .series = &line });
  bristle_report_text(report, "Figure 6, the simulation diagram, as it is computed here:");
  bristle_report_code(
      report, "v ---+--> |v|/vcr --> exp(-.) --> * (fs - fc) --+--> switch --> + fc --> * sgn v --> + sigma2 v --> F\n"
              "     |                                         0 --^   ^\n"
              "     +--> dv/dt --> v dv/dt > 0 (the motion starts) ---+\n"
              "     +--> v = 0: F = the applied force, at most fs\n");
}

static const gallery_number form_numbers[] = {
  { "figure 1: 5 mm/s, starting, with 100 N s/m", "N", "22.3394", curve_value, .level = 5e-3, .from = 100 },
  { "figure 1: 30 mm/s, stopping", "N", "23.0000", curve_value, .level = 30e-3, .from = 100, .falling = 1 },
  { "figure 2: the viscous force at 30 mm/s", "N", "3.0000", viscous_value, .level = 30e-3 },
  { "figure 3: mu F_N with 0.25, 0.2 and 100 N, 5 mm/s, starting", "N", "21.8394", coefficient_value, .level = 5e-3,
    .to = 100 },
  { "figure 3: the same, stopping", "N", "20.0000", coefficient_value, .level = 5e-3, .to = 100, .falling = 1 },
  { "figure 4a: 2.5 mm/s on the line", "N", "22.5000", curve_value, .run = FORM_LINE, .level = 2.5e-3 },
  { "figure 4b: 4.9 mm/s on the step", "N", "25.0000", curve_value, .run = FORM_STEP, .level = 4.9e-3 },
  { "figure 4b: 5.1 mm/s beyond it", "N", "20.0000", curve_value, .run = FORM_STEP, .level = 5.1e-3 },
  { "figure 5a: 1 um/s, off rest", "N", "20.0000", curve_value, .run = FORM_REST, .level = 1e-6 },
  { "figure 5b: 1 um/s", "N", "20.0000", curve_value, .run = FORM_RELAY, .level = 1e-6 },
};

/* ---- dwell ---- */

/* static level after a rest of `level` seconds, with fs_inf 35 N and tau 2 s */
static double aged_level(double rest)
{
  const bristle_model *model = bristle_law_find("startstop")->f64;
  double p[BRISTLE_LAW_SIZE], s[8] = { 0 }, v_end;
  parameters(p, 0, 0);
  p[bristle_param_find(model->info, "fs_inf")->first] = 35;
  p[bristle_param_find(model->info, "tau_dwell")->first] = 2;
  bristle_input in = { .n = 1, .h = rest > 0 ? rest : 1e-12, .f = 0 };
  model->step(p, s, &in, &v_end);
  in = (bristle_input){ .n = 1, .h = 1e-12, .f = 1e3 };
  return model->step(p, s, &in, &v_end);
}

static double aged(const simulation *runs, const gallery_number *n)
{
  (void)runs;
  return aged_level(n->level);
}

static void draw_dwell(const simulation *runs, bristle_report *report)
{
  static double t[POINTS], level[POINTS];
  (void)runs;
  for (int i = 0; i < POINTS; i++) t[i] = 40.0 * i / (POINTS - 1), level[i] = aged_level(t[i]);
  const bristle_series series = { .name = "static level", .count = POINTS, .x = t, .y = level };
  const bristle_mark marks[] = { { .at = 2, .label = "tau_dwell" }, { .at = 35, .horizontal = 1, .label = "fs_inf" } };
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = "Static level over the time at rest",
                                               .x = { "time at rest", "s", 0 },
                                               .y = { "friction force", "N", 0 },
                                               .series_count = 1,
                                               .series = &series,
                                               .mark_count = 2,
                                               .marks = marks });
}

static const gallery_number dwell_numbers[] = {
  { "no rest: fs", "N", "25.000", aged, .level = 0 },
  { "2 s, half of the way to fs_inf", "N", "30.000", aged, .level = 2 },
  { "18 s, nine tenths of it", "N", "34.000", aged, .level = 18 },
};

const gallery_figure gallery_cristian[] = {
  { .name = "start_stop_forms",
    .title = "Cristian, figures 1 to 6: the friction force and its approximations",
    .text = "The force over the speed for the numbers of the paper: 25 N at rest, 20 N in motion, 5 mm/s. The "
            "exponential curve and its four approximations by straight pieces; solid while the motion starts, dashed "
            "while it stops. The pictures of the paper are not in the text at hand: these follow its words.",
    GALLERY_NUMBERS_OF(form_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_forms },
  { .name = "dwell",
    .title = "Cristian: static friction depends on the time at rest",
    .text = "The paper says that the static coefficient depends on the period of stay and gives no formula. The one "
            "here is Armstrong's, fs + (fs_inf - fs) t/(t + tau_dwell).",
    GALLERY_NUMBERS_OF(dwell_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_dwell },
  { .name = NULL },
};
