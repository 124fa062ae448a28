/* Figures with closed forms: rigid stick-slip, free oscillation, stopping, constant speed. */
#include "gallery.h"

#include "maths/elementary.h"

/* ---- rigid stick-slip ---- */

static const gallery_run rigid_runs[] = {
  { "stick_slip_rigid", NULL, "rigid" },
  { "stick_slip_rigid", "friction.sigma2=0.4", "rigid, viscous part 0.4 N s/m" },
  { "stick_slip", NULL, "lugre" },
};
static const gallery_plot rigid_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
  { .title = "Speed", .x = "t", .y = "v", .half = 1 },
  { .title = "Phase plane", .x = "x", .y = "v", .half = 1 },
  { .title = "Friction", .x = "t", .y = "F", .half = 1 },
};

/* after the start that follows `from`, relative to it: the stop, and the next start */
static double slip_time(const simulation *runs, const gallery_number *n)
{
  gallery_number stop = *n;
  stop.from = motion_begins(runs, n);
  return motion_ends(runs, &stop) - stop.from;
}

static double period(const simulation *runs, const gallery_number *n)
{
  gallery_number next = *n;
  const double start = motion_begins(runs, n);
  next.from = start + slip_time(runs, n);
  return motion_begins(runs, &next) - start;
}

static double rest_time(const simulation *runs, const gallery_number *n)
{
  return period(runs, n) - slip_time(runs, n);
}

/* force of the spring, 2 N/m pulled at 0.1 m/s, when the block comes to rest */
static double spring_at_rest(const simulation *runs, const gallery_number *n)
{
  const double t = motion_begins(runs, n) + slip_time(runs, n);
  return 2 * (0.1 * t - run_value(&runs[n->run], "x", t + 0.1)); /* at rest: no kink beside it */
}

static const gallery_number rigid_numbers[] = {
  { "start of the first slip, fs/(k V)", "s", "7.500000", motion_begins, .run = 0 },
  { "time of a slip, (2 pi - 2 atan r)/w", "s", "2.611259", slip_time, .run = 0 },
  { "time of a rest, 2 (fs - fc)/(k V)", "s", "5.000000", rest_time, .run = 0 },
  { "period", "s", "7.611259", period, .run = 0 },
  { "largest speed", "m/s", "0.467423", largest, .column = "v" },
  { "force of the spring after the slip, 2 fc - fs", "N", "0.500000", spring_at_rest, .run = 0 },
  { "viscous: period", "s", "6.45393", period, .run = 1, .source = GALLERY_SOLVER },
  { "viscous: largest speed", "m/s", "0.37682", largest, .run = 1, .column = "v", .source = GALLERY_SOLVER },
  { "viscous: force of the spring after the slip", "N", "0.77196", spring_at_rest, .run = 1, .source = GALLERY_SOLVER },
};

/* ---- free oscillation ---- */

static const gallery_run swing_runs[] = { { "free_oscillation", NULL, "coulomb" } };
static const bristle_mark swing_marks[] = { { 0.01, 1, "fc/k" }, { -0.01, 1, "-fc/k" } };
static const gallery_plot swing_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .half = 1, .marks = swing_marks, .mark_count = 2 },
  { .title = "Phase plane", .x = "x", .y = "v", .half = 1 },
};
static const gallery_number swing_numbers[] = {
  { "first turning point, fc (2/k) closer to zero", "m", "-0.075000", least, .column = "x" },
  { "turning point after one period, 4 fc/k less than before", "m", "0.055000", largest, .column = "x", .from = 0.5,
    .to = 0.8 },
  { "after two periods", "m", "0.015000", largest, .column = "x", .from = 1.1, .to = 1.4 },
  { "period, as without friction", "s", "0.628319", turning_interval, .from = 0.1 },
  { "stays where k|x| is below fc", "m", "0.0050000", last_value, .column = "x" },
  { "speed there", "m/s", "0.0000e-9", last_value, .column = "v" },
};

/* ---- stopping ---- */

static const gallery_run stop_runs[] = { { "stopping", NULL, "coulomb" },
                                         { "stopping", "friction.sigma2=2", "with a viscous part" } };
static const gallery_plot stop_plots[] = {
  { .title = "Speed", .x = "t", .y = "v", .half = 1 },
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
};

static const gallery_number stop_numbers[] = {
  { "way, M v^2/(2 fc)", "m", "0.5000000", last_value, .column = "x" },
  { "time, M v/fc", "s", "1.0000000", motion_ends, .run = 0 },
  { "viscous: way, (M/s) (v - (fc/s) ln(1 + s v/fc))", "m", "0.2253469", last_value, .run = 1, .column = "x" },
  { "viscous: time, (M/s) ln(1 + s v/fc)", "s", "0.549306", motion_ends, .run = 1 },
};

/* ---- LuGre at constant speed ---- */

static const gallery_run speed_runs[] = {
  { "constant_speed", "motion.knots=[[0, 0.5 mm/s], [1, 0.5 mm/s]]", "0.5 mm/s" },
  { "constant_speed", NULL, "2 mm/s" },
  { "constant_speed", "motion.knots=[[0, 10 mm/s], [1, 10 mm/s]]", "10 mm/s" },
};
static const gallery_plot speed_plots[] = {
  { .title = "Force", .x = "t", .y = "F", .half = 1 },
  { .title = "Bristle deflection", .x = "t", .y = "z", .half = 1 },
};
static const gallery_number speed_numbers[] = {
  { "0.5 mm/s, at once: (sigma1 + sigma2) v", "N", "0.15831388", value_at, .column = "F", .from = 0 },
  { "0.5 mm/s, after 10 ms", "N", "0.53044709", value_at, .column = "F", .from = 10e-3 },
  { "2 mm/s, at once", "N", "0.63325553", value_at, .run = 1, .column = "F", .from = 0 },
  { "2 mm/s, after 5 ms", "N", "0.87011349", value_at, .run = 1, .column = "F", .from = 5e-3 },
  { "2 mm/s, after 50 ms", "N", "1.0099391", value_at, .run = 1, .column = "F", .from = 50e-3 },
  { "10 mm/s, at once", "N", "3.1662777", value_at, .run = 2, .column = "F", .from = 0 },
  { "10 mm/s, after 1 ms", "N", "1.7994575", value_at, .run = 2, .column = "F", .from = 1e-3 },
  { "10 mm/s, in the end", "N", "1.0040000", value_at, .run = 2, .column = "F", .from = 50e-3 },
};

const gallery_figure gallery_classic[] = {
  { .name = "stick_slip_rigid",
    .title = "Rigid stick-slip",
    .text = "The block waits until the spring has reached the static level, slides along a piece of a circle in the "
            "phase plane, and rests again. Without viscous friction everything has a closed form; a LuGre contact "
            "with the same levels starts a little earlier and slips a little less.",
    GALLERY_RUNS_OF(rigid_runs),
    GALLERY_PLOTS_OF(rigid_plots),
    GALLERY_NUMBERS_OF(rigid_numbers, GALLERY_CLOSED_FORM) },
  { .name = "free_oscillation",
    .title = "Free oscillation with dry friction",
    .text = "The turning points lie on straight lines, 4 fc/k lower after each cycle, and the period is that of the "
            "frictionless oscillator. At the first turning point inside the band the block stays, off its centre.",
    GALLERY_RUNS_OF(swing_runs),
    GALLERY_PLOTS_OF(swing_plots),
    GALLERY_NUMBERS_OF(swing_numbers, GALLERY_CLOSED_FORM) },
  { .name = "stopping",
    .title = "A block slides to rest",
    .text = "Dry friction stops a block in finite time, and it stays at rest exactly.",
    GALLERY_RUNS_OF(stop_runs),
    GALLERY_PLOTS_OF(stop_plots),
    GALLERY_NUMBERS_OF(stop_numbers, GALLERY_CLOSED_FORM) },
  { .name = "constant_speed",
    .title = "A LuGre contact set in motion at once",
    .text = "The force approaches the Stribeck curve from below in slow motion and from above in fast motion: beyond "
            "g/sigma1 the bristle's damper alone is stronger than the steady friction.",
    GALLERY_RUNS_OF(speed_runs),
    GALLERY_PLOTS_OF(speed_plots),
    GALLERY_NUMBERS_OF(speed_numbers, GALLERY_CLOSED_FORM) },
  { .name = NULL },
};
