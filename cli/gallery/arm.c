/* A serial arm that holds, and is pushed. */
#include "gallery.h"

#include "maths/elementary.h"

/* the same arm, pushed after a second, with rows close enough to interpolate between */
#define PUSHED_SOON "push={y: {knots: [[0, 0], [1, 0], [3, 60], [3.2, 0]]}},time.end=3.5,time.output=0.25ms"

static const gallery_run arm_runs[] = {
  { "arm_hold", NULL, "lugre" },
  { "arm_hold", PUSHED_SOON, "lugre" },
  { "arm_hold",
    PUSHED_SOON ",links.1.friction={model: coulomb, parameters: {fc: 32.5}},links.2.friction={model: coulomb, "
                "parameters: {fc: 10.4}}",
    "coulomb at the static level" },
};

static const gallery_plot arm_plots[] = {
  { .title = "A minute of rest: the second joint", .x = "t", .y = "q2", .runs = "0", .half = 1 },
  { .title = "Friction in the second joint, pushed",
    .x = "t",
    .y = "F2",
    .runs = "12",
    .from = 2.3,
    .to = 3.5,
    .half = 1 },
  { .title = "The push: rate of the second joint",
    .x = "t",
    .y = "v2",
    .runs = "12",
    .from = 2.3,
    .to = 3.5,
    .half = 1 },
  { .title = "The push: its angle", .x = "t", .y = "q2", .runs = "12", .from = 2.3, .to = 3.5, .half = 1 },
};

/* what the friction of both joints leaves of gravity at rest, at most; rods of 2 kg and 0.4 m */
static double unbalanced(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const double q1 = run_value(s, "q1", n->from), q2 = run_value(s, "q2", n->from);
  const double second = 9.81 * 2 * 0.2 * cos(q1 + q2), first = second + 9.81 * 2 * 0.6 * cos(q1);
  return fmax(fabs(run_value(s, "F1", n->from) + first), fabs(run_value(s, "F2", n->from) + second));
}

/* the first slip after `from` */
static double slip_begins(const simulation *runs, const gallery_number *n)
{
  const samples *events = &runs[n->run].events;
  for (size_t i = 0; i < events->count; i++)
    if (events->t[i] > n->from && events->y[i] == BRISTLE_EVENT_SLIP) return events->t[i];
  return NAN;
}

static const gallery_number arm_numbers[] = {
  { "drift of the first joint from 10 s to 60 s", "rad", "< 1e-12", change, .column = "q1", .from = 10, .to = 60 },
  { "drift of the second joint", "rad", "< 1e-12", change, .column = "q2", .from = 10, .to = 60 },
  { "friction less gravity at rest", "N*m", "< 1e-8", unbalanced, .from = 50 },
  { "the first joint rests at", "rad", "0.19972919", value_at, .column = "q1", .from = 50 },
  { "the second joint rests at", "rad", "0.49995720", value_at, .column = "q2", .from = 50 },
  { "lugre: the second joint reaches 0.1 rad/s", "s", "2.42362", crossing_time, .run = 1, .where = "v2", .level = 0.1,
    .from = 2 },
  { "coulomb: friction in the first joint at rest", "N*m", "-14.53858", value_at, .run = 2, .column = "F1", .from = 0.9,
    .source = GALLERY_CLOSED_FORM },
  { "coulomb: the second joint breaks away, at fs + m g l/2 cos = push l cos", "s", "2.46013", slip_begins, .run = 2,
    .from = 1, .source = GALLERY_CLOSED_FORM },
};

static void draw_arm(const simulation *runs, bristle_report *report) { arm_add_poses(&runs[1], report); }

const gallery_figure gallery_arm[] = {
  { .name = "arm_hold",
    .title = "An arm holds its pose, then is pushed",
    .text =
        "Friction alone carries two links against gravity, for a minute without drift: the joints are solved together. "
        "Then the tip is pushed upwards, harder and harder. The second joint breaks away when its level is reached; "
        "let "
        "go, the arm holds where it is.",
    GALLERY_RUNS_OF(arm_runs),
    GALLERY_PLOTS_OF(arm_plots),
    GALLERY_NUMBERS_OF(arm_numbers, GALLERY_SOLVER),
    .draw = draw_arm },
  { .name = NULL },
};
