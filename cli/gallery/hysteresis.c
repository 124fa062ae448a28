/* Figures of presliding hysteresis: Dahl, Bliman-Sorine, Maxwell slip, GMS; rate dependence, drift and memory. */
#include "gallery.h"

#include "maths/elementary.h"

/* ---- first loading ---- */

static const gallery_run virgin_runs[] = {
  { "virgin_curve", NULL, "dahl" },
  { "virgin_curve", "friction.model=lugre,friction.fc=1.5,friction.fs=1.5", "lugre" },
};
static const bristle_mark virgin_marks[] = { { 1.5, 1, "fs" } };
static const gallery_plot virgin_plots[] = {
  { .title = "Force over position", .x = "x", .y = "F", .marks = virgin_marks, .mark_count = 1 },
};
static const gallery_number virgin_numbers[] = {
  { "position at 0.5 N, -(fs/sigma0) ln(1 - F/fs)", "m", "6.08198e-6", value_when, .column = "x", .where = "F",
    .level = 0.5 },
  { "at 1 N", "m", "1.64792e-5", value_when, .column = "x", .where = "F", .level = 1 },
  { "at 1.425 N", "m", "4.4936e-5", value_when, .column = "x", .where = "F", .level = 1.425 },
};

/* ---- Dahl ---- */

static const gallery_run dahl_runs[] = {
  { "dahl_loops", "friction.delta=0", "delta = 0" },
  { "dahl_loops", "friction.delta=0.5", "delta = 0.5" },
  { "dahl_loops", NULL, "delta = 1" },
  { "dahl_loops", "friction.delta=1.5", "delta = 1.5" },
  { "dahl_loops", "friction.delta=2", "delta = 2" },
};
static const gallery_plot dahl_plots[] = {
  { .title = "First loading and loops", .x = "x", .y = "F", .half = 1 },
  { .title = "Force", .x = "t", .y = "F", .to = 1.25, .half = 1 },
};
static const gallery_number dahl_numbers[] = {
  { "delta = 1: first tip, fc (1 - exp(-2))", "N", "0.86466472", value_at, .run = 2, .column = "F", .from = 0.25 },
  { "delta = 1: tip of the loop, fc tanh 2", "N", "0.96402758", value_at, .run = 2, .column = "F", .from = 3.25 },
  { "delta = 1: work of a loop", "J", "4.143890e-5", loop_work, .run = 2, .from = 2.25, .to = 3.25 },
  { "delta = 0: 5 um from the start", "N", "0.50000000", value_at, .column = "F", .from = 0.0625 },
  { "delta = 0: yields", "N", "1.0000000", value_at, .column = "F", .from = 0.2 },
  { "delta = 0.5: 10 um from the start", "N", "0.75000000", value_at, .run = 1, .column = "F", .from = 0.125 },
  { "delta = 0.5: reaches fc at fc/(sigma0 (1 - delta)) = 20 um", "N", "1.0000000", value_at, .run = 1, .column = "F",
    .from = 0.25 },
  { "delta = 1.5: 20 um from the start", "N", "0.75000000", value_at, .run = 3, .column = "F", .from = 0.25 },
  { "delta = 2: 20 um from the start", "N", "0.66666667", value_at, .run = 4, .column = "F", .from = 0.25 },
};

/* ---- Dahl and LuGre at several frequencies ---- */

static const gallery_run rate_runs[] = {
  { "rate_dependence", NULL, "lugre, 0.1 Hz" },
  { "rate_dependence", "motion.sine.frequency=1,time.end=2,time.output=1 ms", "lugre, 1 Hz" },
  { "rate_dependence", "motion.sine.frequency=10,time.end=0.2,time.output=0.1 ms", "lugre, 10 Hz" },
  { "rate_dependence", "friction.model=dahl", "dahl, 0.1 Hz" },
  { "rate_dependence", "friction.model=dahl,motion.sine.frequency=1,time.end=2,time.output=1 ms", "dahl, 1 Hz" },
  { "rate_dependence", "friction.model=dahl,motion.sine.frequency=10,time.end=0.2,time.output=0.1 ms", "dahl, 10 Hz" },
};
static const gallery_plot rate_plots[] = {
  { .title = "LuGre", .x = "x", .y = "F", .runs = "012", .half = 1 },
  { .title = "Dahl: three loops in one", .x = "x", .y = "F", .runs = "345", .half = 1 },
};

/* the largest difference between a run and the run `level` over their rows, which are at the same positions */
static double farthest(const simulation *runs, const gallery_number *n)
{
  const simulation *a = &runs[n->run], *b = &runs[(int)n->level];
  const double *one = run_column(a, n->column), *other = run_column(b, n->column);
  double most = 0;
  for (size_t i = 0; i < a->rows && i < b->rows; i++) most = fmax(most, fabs(one[i] - other[i]));
  return most;
}

static const gallery_number rate_numbers[] = {
  { "dahl: tip of the loop, fc tanh 5", "N", "0.999909", value_at, .run = 3, .column = "F", .from = 12.5 },
  { "dahl: farthest between 0.1 Hz and 1 Hz", "N", "< 1e-6", farthest, .run = 4, .column = "F", .level = 3 },
  { "dahl: farthest between 0.1 Hz and 10 Hz", "N", "< 1e-6", farthest, .run = 5, .column = "F", .level = 3 },
};

/* ---- Bliman-Sorine ---- */

static const gallery_run way_runs[] = { { "peak_over_distance", NULL, "bliman_sorine" } };
static const gallery_plot way_plots[] = {
  { .title = "Force over position", .x = "x", .y = "F", .half = 1 },
  { .title = "Force", .x = "t", .y = "F", .half = 1 },
};
static double position_of_peak(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *x = run_column(s, "x"), *y = run_column(s, "F");
  for (size_t i = 1; i + 1 < s->rows; i++)
    if (y[i] > y[i - 1] && y[i] >= y[i + 1])
      return x[i] - (x[i + 1] - x[i]) * (y[i + 1] - y[i - 1]) / (2 * (y[i - 1] - 2 * y[i] + y[i + 1]));
  return NAN;
}
static const gallery_number way_numbers[] = {
  { "way to the peak, eta ef/(1 - eta) ln(f1/(eta f2))", "m", "2.30e-5", position_of_peak, .run = 0 },
  { "height of the first peak", "N", "1.449873", first_peak, .column = "F" },
  { "level after 0.3 mm, f1 - f2 + exp(-7.5) f2", "N", "1.000553", value_at, .column = "F", .from = 0.25 },
};

/* ---- drift ---- */

static const gallery_run drift_runs[] = { { "drift", NULL, "lugre" },
                                          { "drift", "friction.model=elasto_plastic", "elasto_plastic" } };
static const gallery_plot drift_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
  { .title = "Force over position", .x = "x", .y = "F", .from = 1, .to = 20, .half = 1 },
};
static const gallery_number drift_numbers[] = {
  { "lugre: drift per cycle; slow vibration would give 3.0719 um", "m", "3.0736e-6", change, .column = "x", .from = 19,
    .to = 20 },
  { "elasto_plastic: drift per cycle", "m", "0.0000e-6", change, .run = 1, .column = "x", .from = 19, .to = 20,
    .source = GALLERY_CLOSED_FORM },
};

/* ---- Maxwell slip ---- */

static const gallery_run maxwell_runs[] = { { "maxwell", NULL, "maxwell_slip" } };
static const gallery_plot maxwell_plots[] = { { .title = "Force over position", .x = "x", .y = "F", .half = 1 } };

static void draw_elements(const simulation *runs, bristle_report *report)
{
  enum { ELEMENTS = 4 };
  static const char *const names[ELEMENTS] = { "z1", "z2", "z3", "z4" };
  bristle_series series[ELEMENTS];
  for (int i = 0; i < ELEMENTS; i++)
    series[i] = (bristle_series){
      .name = names[i], .count = runs->rows, .x = run_column(runs, "x"), .y = run_column(runs, names[i])
    };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "Elements",
                              .caption = "Each spring follows the motion until its slider gives way.",
                              .x = { "position", "m", 0 },
                              .y = { "bristle deflection", "m", 0 },
                              .half = 1,
                              .series_count = ELEMENTS,
                              .series = series };
  bristle_report_plot(report, &plot);
}

static const gallery_number maxwell_numbers[] = {
  { "at 0.5 m", "N", "4.0000000", value_at, .column = "F", .from = 5 },
  { "back at 0.2 m", "N", "1.0000000", value_at, .column = "F", .from = 8 },
  { "at 0.5 m again: the small loop closes", "N", "4.0000000", value_at, .column = "F", .from = 11 },
  { "element 1 there", "N", "1.0000000", value_at, .column = "z1", .from = 11, .times = 4 },
  { "element 2", "N", "1.5000000", value_at, .column = "z2", .from = 11, .times = 3 },
  { "element 3", "N", "1.0000000", value_at, .column = "z3", .from = 11, .times = 2 },
  { "element 4", "N", "0.5000000", value_at, .column = "z4", .from = 11, .times = 1 },
  { "at 0", "N", "-1.0000000", value_at, .column = "F", .from = 16 },
  { "at 3 m all sliders give way", "N", "7.0000000", value_at, .column = "F", .from = 46 },
  { "1.5 m, before the small loop to 0 and back", "N", "5.5000000", value_at, .column = "F", .from = 111 },
  { "1.5 m, after it", "N", "5.5000000", value_at, .column = "F", .from = 141 },
  { "at 3 m again", "N", "7.0000000", value_at, .column = "F", .from = 156 },
};

/* ---- GMS ---- */

static const gallery_run gms_runs[] = { { "gms_presliding", NULL, "gms" } };
static const gallery_plot gms_plots[] = {
  { .title = "Force over position", .x = "x", .y = "F" },
};

/* Masing's rule: the branch from 60 to -60 um is the virgin curve, turned and twice as large */
static double masing_gap(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double tip = run_value(s, "F", 60);
  double most = 0;
  for (int i = 1; i <= 60; i++)
    most = fmax(most, fabs(run_value(s, "F", 60 + 2 * i) - (tip - 2 * run_value(s, "F", i))));
  return most;
}

/* the branch up to 60 um before and after the small loop between 0 and -30 um: 240 s and 300 s are the same point */
static double memory_gap(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  return run_value(s, "F", 300) - run_value(s, "F", 240);
}

static const gallery_number gms_numbers[] = {
  { "virgin curve at 5 um", "N", "0.45", value_at, .column = "F", .from = 5 },
  { "10 um", "N", "0.75", value_at, .column = "F", .from = 10 },
  { "15 um", "N", "0.90", value_at, .column = "F", .from = 15 },
  { "30 um", "N", "1.20", value_at, .column = "F", .from = 30 },
  { "60 um", "N", "1.50", value_at, .column = "F", .from = 60 },
  { "Masing's rule, largest deviation", "N", "< 1e-5", masing_gap, .run = 0 },
  { "the small loop closes", "N", "< 1e-6", memory_gap, .run = 0 },
};

static const gallery_run attract_runs[] = { { "gms_slide", NULL, "gms" } };
static const gallery_plot attract_plots[] = { { .title = "Force", .x = "t", .y = "F" } };
static const gallery_number attract_numbers[] = {
  { "after 1 ms", "N", "0.200800", value_at, .column = "F", .from = 1e-3 },
  { "5 ms", "N", "0.603547", value_at, .column = "F", .from = 5e-3 },
  { "10 ms", "N", "0.806295", value_at, .column = "F", .from = 10e-3 },
  { "in the end", "N", "1.009958", last_value, .column = "F" },
};

static const gallery_run gms_slip_runs[] = { { "stick_slip_gms", NULL, "gms" }, { "stick_slip", NULL, "lugre" } };
static const gallery_plot gms_slip_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
  { .title = "Friction", .x = "t", .y = "F", .half = 1 },
};
static const gallery_number gms_slip_numbers[] = {
  { "first slip, v > 10 mm/s", "s", "7.58403", crossing_time, .where = "v", .level = 0.01 },
  { "from one slip to the next", "s", "6.5412", interval, .where = "v", .level = 0.01, .from = 12,
    .within = 5e-4 }, /* it depends on the ringing: docs/gallery.md */
  { "largest speed in the limit cycle, from 15 s on", "m/s", "0.3834", largest, .column = "v", .from = 15 },
  /* the ringing after a stop makes it differ by 10 uN from one cycle to the next: this is the first that is settled */
  { "largest friction in the limit cycle, from 15 s on", "N", "1.49954", largest, .column = "F", .from = 15, .to = 22,
    .within = 1e-5 },
};

/* ---- Leuven, original and modified ---- */

static const gallery_run leuven_runs[] = {
  { "leuven_loops", NULL, "original" },
  { "leuven_loops", "friction.model=leuven", "modified" },
};
static const gallery_plot leuven_plots[] = {
  { .title = "Force over position", .x = "x", .y = "F", .half = 1 },
  { .title = "Where the small loop closes",
    .caption = "The force of the original law jumps at 34.16 ms; that of the modified one does not.",
    .x = "t",
    .y = "F",
    .from = 0.0325,
    .to = 0.036,
    .half = 1 },
};

/* what the force jumps by where the small loop closes, 5.161334656 um into the last leg: the law itself, moved up to
   there and a little beyond */
static double closing_jump(const simulation *runs, const gallery_number *n)
{
  static const double legs[] = { 12e-6, -12e-6, 5e-6 }, speed = 1e-3, near = 1e-13;
  const bristle_model *model = bristle_law_find(n->column)->f64;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, rate[BRISTLE_LAW_SIZE], side[2];
  (void)runs;
  bristle_defaults(model->info, p);
  for (int leg = 0; leg < 4; leg++) {
    const double way = leg < 3 ? legs[leg] : near - 5.161334656e-6;
    const bristle_input in = { .v = copysign(speed, way), .n = 1, .h = fabs(way) / speed / 2000 };
    for (int i = 0; i < 2000; i++) model->step(p, s, &in, NULL);
  }
  const bristle_input over = { .v = -speed, .n = 1, .h = 2 * near / speed };
  side[0] = model->eval(p, s, &over, rate);
  model->step(p, s, &over, NULL);
  side[1] = model->eval(p, s, &over, rate);
  return side[1] - side[0];
}

static const gallery_number leuven_numbers[] = {
  { "original, on the way back at 20 ms", "N", "-0.43849813", value_at, .column = "F", .from = 0.020 },
  { "modified, the same", "N", "-0.68305597", value_at, .run = 1, .column = "F", .from = 0.020 },
  { "original, in the small loop at 27 ms", "N", "0.34399410", value_at, .column = "F", .from = 0.027 },
  { "modified, the same", "N", "0.30449437", value_at, .run = 1, .column = "F", .from = 0.027 },
  { "original, at the end", "N", "-0.85075071", last_value, .column = "F" },
  { "modified, the same", "N", "-1.02086829", last_value, .run = 1, .column = "F" },
  { "original: the force jumps where the small loop closes, by", "N", "0.049097", closing_jump,
    .column = "leuven_original" },
  { "modified: it does not", "N", "< 1e-6", closing_jump, .column = "leuven" },
};

const gallery_figure gallery_hysteresis[] = {
  { .name = "virgin_curve",
    .title = "The first loading of a contact",
    .text = "Loaded slowly for the first time, Dahl's law yields along a logarithm. A slow LuGre contact with one "
            "level does the same.",
    GALLERY_RUNS_OF(virgin_runs),
    GALLERY_PLOTS_OF(virgin_plots),
    GALLERY_NUMBERS_OF(virgin_numbers, GALLERY_CLOSED_FORM) },
  { .name = "dahl",
    .title = "Dahl's law for several exponents",
    .text = "The exponent shapes the bend: a spring that yields at once (0), a parabola that reaches the level after a "
            "finite way (0.5), the usual exponential (1), and slower approaches. The first loading leads into a loop "
            "that repeats.",
    GALLERY_RUNS_OF(dahl_runs),
    GALLERY_PLOTS_OF(dahl_plots),
    GALLERY_NUMBERS_OF(dahl_numbers, GALLERY_CLOSED_FORM) },
  { .name = "rate_dependence",
    .title = "MotionSolve: Dahl against LuGre at several rates",
    .text = "The same sine of position, ten and a hundred times faster. Dahl's loop depends on the path alone: three "
            "loops lie on each other. LuGre has its static peak in slow motion, loses it in faster motion, and feels "
            "the bristle's damper.",
    GALLERY_RUNS_OF(rate_runs),
    GALLERY_PLOTS_OF(rate_plots),
    GALLERY_NUMBERS_OF(rate_numbers, GALLERY_CLOSED_FORM) },
  { .name = "peak_over_distance",
    .title = "Bliman and Sorine: a peak over distance",
    .text =
        "The static peak comes after a certain way, at any speed, and again after each reversal, where it is higher "
        "because the bristles start bent the other way.",
    GALLERY_RUNS_OF(way_runs),
    GALLERY_PLOTS_OF(way_plots),
    GALLERY_NUMBERS_OF(way_numbers, GALLERY_CLOSED_FORM) },
  { .name = "drift",
    .title = "Drift under vibration",
    .text = "A load between 0.3 and 0.7 N, far below break-away. LuGre walks 3 um with each cycle; the elasto-plastic "
            "contact is a spring there, and stays.",
    GALLERY_RUNS_OF(drift_runs),
    GALLERY_PLOTS_OF(drift_plots),
    GALLERY_NUMBERS_OF(drift_numbers, GALLERY_SOLVER) },
  { .name = "maxwell",
    .title = "Maxwell slip remembers where it turned",
    .text =
        "On its way up the contact turns at 1.5 m, goes back to 0 and to 1.5 m again. The small loop closes there, and "
        "the large one goes on as if nothing had been, to the point at 3 m from which it came.",
    GALLERY_RUNS_OF(maxwell_runs),
    GALLERY_PLOTS_OF(maxwell_plots),
    GALLERY_NUMBERS_OF(maxwell_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_elements },
  { .name = "gms_presliding",
    .title = "Generalised Maxwell slip: Masing's rule and memory",
    .text = "Slow motion. The branches of the large loop are the virgin curve, turned and twice as large; the small "
            "loop from 0 to -30 um and back closes without a trace.",
    GALLERY_RUNS_OF(gms_runs),
    GALLERY_PLOTS_OF(gms_plots),
    GALLERY_NUMBERS_OF(gms_numbers, GALLERY_CLOSED_FORM) },
  { .name = "gms_slide",
    .title = "Generalised Maxwell slip set in motion at once",
    .text = "Each element follows its spring until it slips, and then approaches its share of the Stribeck level.",
    GALLERY_RUNS_OF(attract_runs),
    GALLERY_PLOTS_OF(attract_plots),
    GALLERY_NUMBERS_OF(attract_numbers, GALLERY_CLOSED_FORM) },
  { .name = "leuven",
    .title = "Leuven, original and modified",
    .text =
        "One path through both laws with equal parameters, 1 mm/s, so that only the equation of the deflection "
        "differs. "
        "The original asks how far the way from the last reversal to the level is done, the modified one how far "
        "the level itself is reached. On first loading they are the same. After a reversal the original follows the "
        "motion less. Where a small loop closes, the original forgets two reversals at once: its deflection "
        "goes on at another rate, and the damper makes the force jump. The references are quadratures of dz/dx, "
        "leg by leg.",
    GALLERY_RUNS_OF(leuven_runs),
    GALLERY_PLOTS_OF(leuven_plots),
    GALLERY_NUMBERS_OF(leuven_numbers, GALLERY_SOLVER) },
  { .name = "stick_slip_gms",
    .title = "Generalised Maxwell slip: stick-slip",
    .text = "The same spring and block as for LuGre. The contact holds longer, because its elements give way at their "
            "full static level; they have no dampers and ring after each stop.",
    GALLERY_RUNS_OF(gms_slip_runs),
    GALLERY_PLOTS_OF(gms_slip_plots),
    GALLERY_NUMBERS_OF(gms_slip_numbers, GALLERY_SOLVER) },
  { .name = NULL },
};
