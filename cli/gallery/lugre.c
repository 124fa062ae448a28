/* Figures of the 1995 LuGre paper (Canudas de Wit, Olsson, Astrom, Lischinsky), and of Kelly's question about it. */
#include "gallery.h"

#include "maths/elementary.h"

#include <stdio.h>

/* ---- presliding ---- */

static const gallery_run preslide_runs[] = { { "presliding", NULL, "lugre" } };
static const gallery_plot preslide_plots[] = {
  { .title = "Force over position", .x = "x", .y = "F", .half = 1 },
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
};
static const gallery_number preslide_numbers[] = {
  { "position at 10 s", "m", "4.48579e-5", value_at, .column = "x", .from = 10 },
  { "15 s, after the hold", "m", "4.53119e-5", value_at, .column = "x", .from = 15 },
  { "25 s", "m", "3.52989e-5", value_at, .column = "x", .from = 25 },
  { "35 s", "m", "-0.956351e-5", value_at, .column = "x", .from = 35 },
  { "40 s", "m", "-1.00174e-5", value_at, .column = "x", .from = 40 },
  { "60 s", "m", "4.48579e-5", value_at, .column = "x", .from = 60 },
  { "65 s", "m", "4.53119e-5", value_at, .column = "x", .from = 65 },
  { "friction at 10 s", "N", "1.424946", value_at, .column = "F", .from = 10 },
  { "bristle deflection at 15 s", "m", "1.425000e-5", value_at, .column = "z", .from = 15,
    .source = GALLERY_CLOSED_FORM },
};

/* ---- lag ---- */

static const gallery_run lag_runs[] = {
  { "lag", NULL, "1 rad/s" },
  { "lag", "motion.sine.frequency=10 rad/s,time.end=3,time.output=1 ms", "10 rad/s" },
  { "lag", "motion.sine.frequency=25 rad/s,time.end=1.5,time.output=0.5 ms", "25 rad/s" },
};
static const gallery_plot lag_plots[] = {
  { .title = "Force over speed, 1 rad/s",
    .x = "v",
    .y = "F",
    .runs = "0",
    .from = 6,
    .to = 15,
    .half = 1,
    .steady = "Stribeck curve" },
  { .title = "All three", .x = "v", .y = "F", .from = 0.7, .to = 15, .half = 1, .steady = "Stribeck curve" },
};
#define LAG(name, index, begin, rising1, falling1, rising15, falling15, top)                                           \
  { name ", 1 mm/s, rising", "N", rising1, value_when, index, "F", "v", .level = 1e-3, .from = begin },                \
  { name ", 1 mm/s, falling", "N", falling1, value_when, index, "F", "v", .level = 1e-3, .from = begin, .falling = 1 },\
  { name ", 1.5 mm/s, rising", "N", rising15, value_when, index, "F", "v", .level = 1.5e-3, .from = begin },           \
  { name ", 1.5 mm/s, falling", "N", falling15, value_when, index, "F", "v", .level = 1.5e-3, .from = begin,           \
    .falling = 1 },                                                                                                    \
  { name ", top of the loop", "N", top, largest, index, "F", .from = begin }
static double stribeck_level(const simulation *runs, const gallery_number *n)
{
  const bristle_contact *contact = &runs[n->run].scenario->rig.as.driven.contact;
  const bristle_input in = { .v = n->level, .n = 1, .load = contact->load };
  return contact->law->f64->steady(contact->p, &in);
}

static const gallery_number lag_numbers[] = {
  { "Stribeck curve, 0.5 mm/s", "N", "1.389600", stribeck_level, .level = 0.5e-3, .source = GALLERY_CLOSED_FORM },
  { "Stribeck curve, 1 mm/s", "N", "1.184340", stribeck_level, .level = 1e-3, .source = GALLERY_CLOSED_FORM },
  { "Stribeck curve, 1.5 mm/s", "N", "1.053300", stribeck_level, .level = 1.5e-3, .source = GALLERY_CLOSED_FORM },
  LAG("1 rad/s", 0, 7, "1.187151", "1.181622", "1.053923", "1.052703", "1.389453"),
  LAG("10 rad/s", 1, 1.5, "1.215021", "1.161034", "1.061088", "1.048307", "1.377908"),
  LAG("25 rad/s", 2, 0.8, "1.245358", "1.137882", "1.079564", "1.043470", "1.344265"),
};

/* ---- break-away ---- */

static const double breakaway_rates[] = { 1, 2, 3, 5, 10, 15, 20, 25, 30, 35 };
static const gallery_run breakaway_runs[] = {
  { "breakaway", NULL, "1 N/s" },
  { "breakaway", "force.ramp.rate=2,time.end=0.9,time.output=0.2 ms", "2 N/s" },
  { "breakaway", "force.ramp.rate=3,time.end=0.6,time.output=0.2 ms", "3 N/s" },
  { "breakaway", "force.ramp.rate=5,time.end=0.4,time.output=0.1 ms", "5 N/s" },
  { "breakaway", "force.ramp.rate=10,time.end=0.2,time.output=0.1 ms", "10 N/s" },
  { "breakaway", "force.ramp.rate=15,time.end=0.15,time.output=50 us", "15 N/s" },
  { "breakaway", "force.ramp.rate=20,time.end=0.12,time.output=50 us", "20 N/s" },
  { "breakaway", "force.ramp.rate=25,time.end=0.1,time.output=50 us", "25 N/s" },
  { "breakaway", "force.ramp.rate=30,time.end=0.1,time.output=50 us", "30 N/s" },
  { "breakaway", "force.ramp.rate=35,time.end=0.1,time.output=50 us", "35 N/s" },
};
static const gallery_plot breakaway_plots[] = {
  { .title = "Friction while the force grows", .x = "t", .y = "F", .runs = "123456789", .half = 1, .to = 0.9 },
};
/* force that is applied at the peak of friction */
static double force_at_peak(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double *t = s->kept[0], *y = run_column(s, "F");
  for (size_t i = 1; i + 1 < s->rows; i++)
    if (y[i] > y[i - 1] && y[i] >= y[i + 1]) {
      const double bend = y[i - 1] - 2 * y[i] + y[i + 1];
      return breakaway_rates[n->run] * (t[i] - (t[i + 1] - t[i]) * (y[i + 1] - y[i - 1]) / (2 * bend));
    }
  return NAN;
}

static const gallery_number breakaway_numbers[] = {
  { "peak at 1 N/s", "N", "1.43242", first_peak, .column = "F" },
  { "2 N/s", "N", "1.39442", first_peak, .run = 1, .column = "F" },
  { "3 N/s", "N", "1.36362", first_peak, .run = 2, .column = "F" },
  { "5 N/s", "N", "1.31321", first_peak, .run = 3, .column = "F" },
  { "10 N/s", "N", "1.21995", first_peak, .run = 4, .column = "F" },
  { "15 N/s", "N", "1.15162", first_peak, .run = 5, .column = "F" },
  { "20 N/s", "N", "1.09861", first_peak, .run = 6, .column = "F" },
  { "25 N/s", "N", "1.05618", first_peak, .run = 7, .column = "F" },
  { "30 N/s", "N", "1.02448", first_peak, .run = 8, .column = "F" },
  { "35 N/s", "N", "1.00141", first_peak, .run = 9, .column = "F" },
  { "applied force at the peak, 20 N/s", "N", "1.198", force_at_peak, .run = 6 },
};

static void draw_breakaway(const simulation *runs, bristle_report *report)
{
  enum { RATES = sizeof breakaway_rates / sizeof *breakaway_rates };
  double peak[RATES], applied[RATES];
  for (int i = 0; i < RATES; i++) {
    const gallery_number n = { .run = i, .column = "F" };
    peak[i] = first_peak(runs, &n);
    applied[i] = force_at_peak(runs, &n);
  }
  const bristle_series series[] = {
    { .name = "friction at its peak", .count = RATES, .x = breakaway_rates, .y = peak },
    { .name = "force applied then", .style = BRISTLE_STYLE_DASHED, .count = RATES, .x = breakaway_rates, .y = applied },
  };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "Break-away over the rate of the force",
                              .x = { "force rate", "N/s", 0 },
                              .y = { "friction force", "N", 0 },
                              .half = 1,
                              .series_count = 2,
                              .series = series };
  bristle_report_plot(report, &plot);
}

/* ---- stick-slip ---- */

static const gallery_run slip_runs[] = { { "stick_slip", "time.output=0.2 ms", "lugre" } };
static const gallery_plot slip_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .half = 1 },
  { .title = "Speed", .x = "t", .y = "v", .half = 1 },
  { .title = "Friction", .x = "t", .y = "F", .half = 1 },
  { .title = "Bristle deflection", .x = "t", .y = "z", .half = 1 },
};
static double spring_at_stop(const simulation *runs, const gallery_number *n)
{
  const double t = crossing_time(runs, n);
  return 2 * (0.1 * t - run_value(&runs[n->run], "x", t));
}
static const gallery_number slip_numbers[] = {
  { "first slip, v > 10 mm/s", "s", "7.458015", crossing_time, .where = "v", .level = 0.01 },
  { "largest friction", "N", "1.476573", largest, .column = "F" },
  { "largest speed", "m/s", "0.36982", largest, .column = "v" },
  { "position after 20 s", "m", "1.2725964", last_value, .column = "x" },
  { "sticks again, v < 10 um/s", "s", "10.26606", crossing_time, .where = "v", .level = 1e-5, .from = 8, .falling = 1 },
  { "position there", "m", "0.636284", value_when, .column = "x", .where = "v", .level = 1e-5, .from = 8,
    .falling = 1 },
  { "force of the spring there", "N", "0.78064", spring_at_stop, .where = "v", .level = 1e-5, .from = 8, .falling = 1 },
  { "from one slip to the next", "s", "6.36272", interval, .where = "v", .level = 0.01 },
};

/* ---- hunting ---- */

static const gallery_run hunt_runs[] = { { "hunting", NULL, "PID" },
                                         { "hunting", "observer.gain=10,time.end=5,time.output=1 ms",
                                           "PID with friction observer" } };
static const gallery_plot hunt_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .runs = "0" },
  { .title = "The first seconds", .x = "t", .y = "x", .to = 5, .half = 1 },
  { .title = "Phase plane", .x = "x", .y = "v", .half = 1 },
};
static double half_interval(const simulation *runs, const gallery_number *n) { return 0.5 * interval(runs, n); }
static double distance(const simulation *runs, const gallery_number *n) { return last_value(runs, n) - n->level; }
static const gallery_number hunt_numbers[] = {
  { "first turning point", "m", "1.5005", largest, .column = "x" },
  { "limit cycle, lowest", "m", "0.93610", least, .column = "x", .from = 90 },
  { "limit cycle, highest from 90 s on", "m", "1.06390", largest, .column = "x", .from = 90 },
  { "half a period", "s", "12.2184", half_interval, .where = "x", .level = 1, .from = 80 },
  { "with the observer: distance to the target after 5 s", "m", "< 1e-6", distance, .run = 1, .column = "x",
    .level = 1 },
  { "with the observer: way during the last second", "m", "< 1e-6", change, .run = 1, .column = "x", .from = 4,
    .to = 5 },
};

/* ---- Kelly ---- */

static const gallery_run kelly_runs[] = {
  { "pd_arm", NULL, "lugre, large z(0)" },
  { "pd_arm", "friction.model=lugre_bounded", "lugre_bounded, large z(0)" },
  { "pd_arm", "initial.z=15 um", "lugre, z(0) = fs/sigma0" },
  { "pd_arm", "friction.model=lugre_bounded,initial.z=15 um", "lugre_bounded, z(0) = fs/sigma0" },
  { "pd_arm", "initial.z=0", "lugre, z(0) = 0" },
  { "pd_arm", "friction.limit=2", "lugre with limited elastic force, large z(0)" },
};
static const gallery_plot kelly_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .to = 0.4 },
  { .title = "Friction", .x = "t", .y = "F", .runs = "01", .to = 0.4, .half = 1 },
  { .title = "Bristle deflection", .x = "t", .y = "z", .runs = "01", .to = 0.4, .half = 1 },
};
static const gallery_number kelly_numbers[] = {
  { "lugre: final position, it never moves", "m", "-0.01000000", last_value, .column = "x",
    .source = GALLERY_CLOSED_FORM },
  { "lugre: force that the controller holds", "N", "10.00000", last_value, .column = "x", .times = -1000,
    .source = GALLERY_CLOSED_FORM },
  { "lugre_bounded: final position", "m", "6.319e-4", last_value, .run = 1, .column = "x" },
  { "lugre_bounded: overshoot", "m", "2.088e-3", largest, .run = 1, .column = "x" },
  { "lugre_bounded: force that the controller holds", "N", "0.632", last_value, .run = 1, .column = "x",
    .times = 1000 },
  { "lugre_bounded: largest speed", "m/s", "0.1865", largest, .run = 1, .column = "v" },
  { "z(0) at the bound: final position", "m", "6.326e-4", last_value, .run = 2, .column = "x" },
  { "z(0) at the bound: overshoot", "m", "2.086e-3", largest, .run = 2, .column = "x" },
  { "z(0) at the bound: force that the controller holds", "N", "0.633", last_value, .run = 2, .column = "x",
    .times = 1000 },
  { "z(0) at the bound: largest speed", "m/s", "0.1864", largest, .run = 2, .column = "v" },
  { "lugre_bounded, z(0) at the bound: final position", "m", "6.326e-4", last_value, .run = 3, .column = "x" },
  { "limited elastic force: final position", "m", "6.246e-4", last_value, .run = 5, .column = "x" },
  { "limited elastic force: overshoot", "m", "2.109e-3", largest, .run = 5, .column = "x" },
  { "limited elastic force: force that the controller holds", "N", "0.625", last_value, .run = 5, .column = "x",
    .times = 1000 },
  { "limited elastic force: largest speed", "m/s", "0.1878", largest, .run = 5, .column = "v" },
};

static const gallery_run free_runs[] = { { "free_mass", NULL, "z(0) = 100 um" },
                                         { "free_mass", "initial.z=15 um", "z(0) = fs/sigma0" },
                                         { "free_mass", "friction.model=lugre_bounded", "lugre_bounded, 100 um" } };
static const gallery_plot free_plots[] = {
  { .title = "Position", .x = "t", .y = "x", .to = 0.1, .half = 1 },
  { .title = "Bristle deflection", .x = "t", .y = "z", .to = 0.1, .half = 1 },
};
static const gallery_number free_numbers[] = {
  { "large z(0): way", "m", "-2.42e-5", last_value, .column = "x" },
  { "large z(0): largest speed", "m/s", "-2.77e-3", least, .column = "v" },
  { "z(0) at the bound: way", "m", "-9.54e-6", last_value, .run = 1, .column = "x" },
  { "z(0) at the bound: largest speed", "m/s", "-1.50e-3", least, .run = 1, .column = "v" },
};

const gallery_figure gallery_lugre[] = {
  { .name = "presliding",
    .title = "LuGre 1995, figure 2: presliding",
    .text = "Loaded to 95 % of its static level the contact gives way by 45 um, springs back a little when the load "
            "goes, and repeats the same loop in the next cycle. It creeps while the load is held.",
    GALLERY_RUNS_OF(preslide_runs),
    GALLERY_PLOTS_OF(preslide_plots),
    GALLERY_NUMBERS_OF(preslide_numbers, GALLERY_SOLVER) },
  { .name = "lag",
    .title = "LuGre 1995, figure 3: frictional lag",
    .text = "The speed oscillates without reversing. Friction follows the Stribeck curve late: it is higher while the "
            "speed grows than while it falls, and the loop is the wider the faster the speed changes.",
    GALLERY_RUNS_OF(lag_runs),
    GALLERY_PLOTS_OF(lag_plots),
    GALLERY_NUMBERS_OF(lag_numbers, GALLERY_SOLVER) },
  { .name = "breakaway",
    .title = "LuGre 1995, figure 4: break-away over the force rate",
    .text = "The faster the force grows, the lower the friction at which the block breaks away: from 1.43 N to the "
            "Coulomb level of 1 N. The force that is applied at that instant is larger, as it accelerates the block.",
    GALLERY_RUNS_OF(breakaway_runs),
    GALLERY_PLOTS_OF(breakaway_plots),
    GALLERY_NUMBERS_OF(breakaway_numbers, GALLERY_SOLVER),
    .draw = draw_breakaway },
  { .name = "stick_slip",
    .title = "LuGre 1995, figure 6: stick-slip",
    .text = "A spring of 2 N/m pulls a block at 0.1 m/s. It holds for seven seconds, jumps by 0.64 m, holds again, and "
            "goes on so with a period of 6.36 s.",
    GALLERY_RUNS_OF(slip_runs),
    GALLERY_PLOTS_OF(slip_plots),
    GALLERY_NUMBERS_OF(slip_numbers, GALLERY_SOLVER) },
  { .name = "hunting",
    .title = "LuGre 1995, figure 8 and section V: hunting, and an observer",
    .text = "A PID controller overshoots, sticks, lets its integral grow until it breaks away, and lands on the other "
            "side of the target, for ever. With the friction that an observer estimates added to the command it goes "
            "to the target and stays there. (That rest is stable towards one side only, because the bristle of the "
            "observer ends beyond its bound: rounding errors make the block jump by 17 mm and return some seconds "
            "later.)",
    GALLERY_RUNS_OF(hunt_runs),
    GALLERY_PLOTS_OF(hunt_plots),
    GALLERY_NUMBERS_OF(hunt_numbers, GALLERY_SOLVER) },
  { .name = "kelly",
    .title = "Kelly: LuGre from a large initial state",
    .text =
        "An arm under PD control starts 10 mm beside its target with bent bristles. LuGre is right for bristles "
        "within their bound fs/sigma0. Beyond it, LuGre holds 10 N with a static level of 1.5 N, for ever; with a "
        "bounded bristle the arm moves as it does from a small state. The paper is "
        "known here up to its equation (3) only: that some initial conditions fail, and that a simple change cures "
        "it, is the paper's; the PD arm as the example, its numbers and the three cures (a bound on the bristle, on "
        "its elastic force, on its initial state) are ours.",
    GALLERY_RUNS_OF(kelly_runs),
    GALLERY_PLOTS_OF(kelly_plots),
    GALLERY_NUMBERS_OF(kelly_numbers, GALLERY_SOLVER) },
  { .name = "free_mass",
    .title = "Bristles that push a free block",
    .text = "No force acts on this block but that of its own bent bristles. They push it by 24 um when they start "
            "beyond their bound, and by less than 10 um when they start within.",
    GALLERY_RUNS_OF(free_runs),
    GALLERY_PLOTS_OF(free_plots),
    GALLERY_NUMBERS_OF(free_numbers, GALLERY_SOLVER) },
  { .name = NULL },
};
