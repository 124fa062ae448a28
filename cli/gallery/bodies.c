/* Figures in the plane and in space: friction ellipse, spinning disk, ball joint; and a rolling tyre. */
#include "gallery.h"

#include "bristle/vector.h"

#include "maths/elementary.h"

#include <string.h>

/* ---- ellipse ---- */

enum { DIRECTIONS = 73 };

/* steady force of the ellipse law without its viscous part, sliding at 0.1 m/s in a direction */
static void ellipse_force(double angle, double force[2])
{
  const bristle_vector_law *law = bristle_vector_law_find("lugre_ellipse");
  const bristle_vector_model *model = law->f64[0];
  double p[BRISTLE_LAW_SIZE], z[BRISTLE_LAW_SIZE] = { 0 }, v_end[3];
  const bristle_row *viscous = bristle_param_find(model->info, "sigma2");
  bristle_defaults(model->info, p);
  p[viscous->first] = p[viscous->first + 1] = 0;
  const bristle_vector_input in = {
    .v = { 0.1 * cos(angle), 0.1 * sin(angle) }, .n = 1, .h = 1e-3, .load = BRISTLE_LOAD_FORCE
  };
  for (int i = 0; i < 100; i++) model->step(p, z, &in, force, v_end); /* 10 mm, a thousand times the bristle */
}

static double ellipse_gap(const simulation *runs, const gallery_number *n)
{
  double most = 0, force[3];
  (void)runs, (void)n;
  for (int i = 0; i < DIRECTIONS; i++) {
    ellipse_force(6.283185307179586 * i / (DIRECTIONS - 1), force);
    most = fmax(most, fabs(hypot(force[0] / 1, force[1] / 0.7) - 1));
  }
  return most;
}

/* a component of the force in the direction `level` */
static double ellipse_part(const simulation *runs, const gallery_number *n)
{
  double force[3];
  (void)runs;
  ellipse_force(n->level, force);
  return force[n->run];
}

static const gallery_number ellipse_numbers[] = {
  { "distance from the ellipse with the axes 1 N and 0.7 N, at most", "1", "< 1e-9", .measure = ellipse_gap },
  { "sliding at 45 deg: force along x, fcx^2/|fc|", "N", "0.81923192", ellipse_part, .level = 0.7853981633974483 },
  { "sliding at 45 deg: force along y, fcy^2/|fc|", "N", "0.40142364", ellipse_part, .run = 1,
    .level = 0.7853981633974483 },
};

static void draw_ellipse(const simulation *runs, bristle_report *report)
{
  enum { ARROWS = 12 };
  double x[DIRECTIONS], y[DIRECTIONS], ax[3 * ARROWS], ay[3 * ARROWS], force[3];
  (void)runs;
  for (int i = 0; i < DIRECTIONS; i++) {
    ellipse_force(6.283185307179586 * i / (DIRECTIONS - 1), force);
    x[i] = force[0], y[i] = force[1];
  }
  for (int i = 0; i < ARROWS; i++) { /* from the force into the direction of the motion */
    const double angle = 6.283185307179586 * i / ARROWS;
    ellipse_force(angle, force);
    ax[3 * i] = force[0], ay[3 * i] = force[1];
    ax[3 * i + 1] = force[0] + 0.3 * cos(angle), ay[3 * i + 1] = force[1] + 0.3 * sin(angle);
    ax[3 * i + 2] = ay[3 * i + 2] = NAN;
  }
  const bristle_series series[] = {
    { .name = "friction", .count = DIRECTIONS, .x = x, .y = y },
    { .name = "direction of the motion", .count = 3 * ARROWS, .x = ax, .y = ay },
  };
  const bristle_plot plot = {
    .kind = BRISTLE_PLOT_XY,
    .title = "Steady friction over all directions",
    .caption = "The motion is normal to the ellipse: of all forces on it, friction is the one "
               "that takes the most power.",
    .x = { "Fx", "N", 0 },
    .y = { "Fy", "N", 0 },
    .equal = 1,
    .series_count = 2,
    .series = series
  };
  bristle_report_plot(report, &plot);
}

/* ---- disk ---- */

static const gallery_run disk_runs[] = {
  { "disk_spin", NULL, "spin only" },
  { "disk_spin", "initial.vx=1,initial.omega=10,reduced=true", "spin and translation, reduced" },
};
static const gallery_plot disk_plots[] = {
  { .title = "Spin", .x = "t", .y = "omega", .half = 1 },
  { .title = "Friction torque", .x = "t", .y = "torque", .to = 0.4, .half = 1 },
};
static const gallery_number disk_numbers[] = {
  { "torque while it spins, (2/3) mu N R", "N*m", "0.333333", value_at, .column = "torque", .from = 0.1 },
  { "time to rest, (3/4) R w/(mu g'), g' = N/M", "s", "0.3000", crossing_time, .where = "omega", .level = 1e-3,
    .falling = 1 },
};

/* ---- ball joint ---- */

static const gallery_run ball_runs[] = { { "ball_pendulum", NULL, "lugre" } };
static const gallery_plot ball_plots[] = {
  { .title = "The bob from above", .x = "ux", .y = "uy", .half = 1, .equal = 1 },
  { .title = "Tilt", .x = "t", .y = "tilt", .to = 15, .half = 1 },
};
static double speed_at_end(const simulation *runs, const gallery_number *n)
{
  const simulation *s = &runs[n->run];
  const size_t i = s->rows - 1;
  return hypot(hypot(run_column(s, "wx")[i], run_column(s, "wy")[i]), run_column(s, "wz")[i]);
}
static const gallery_number ball_numbers[] = {
  { "tilt at rest, at most what static friction holds", "rad", "< 0.0267", last_value, .column = "tilt" },
  { "angular velocity in the end", "rad/s", "< 1e-4", speed_at_end, .run = 0 },
  { "load on the joint at rest, m g", "N", "9.810", last_value, .column = "N" },
};

/* ---- tyre ---- */

static const gallery_run tyre_runs[] = { { "tyre", NULL, "growing slip" }, { "tyre_steps", NULL, "constant slip" } };
static const gallery_number tyre_numbers[] = {
  { "0.1 m/s of slip, closed form of the mean bristle", "N", "770.4025", value_at, .run = 1, .column = "F",
    .from = 0.99 },
  { "0.5 m/s", "N", "2187.678", value_at, .run = 1, .column = "F", .from = 1.99 },
  { "1 m/s", "N", "2767.798", value_at, .run = 1, .column = "F", .from = 2.99 },
  { "2 m/s", "N", "3096.025", value_at, .run = 1, .column = "F", .from = 3.99 },
  { "5 m/s", "N", "3144.339", value_at, .run = 1, .column = "F", .from = 4.99 },
  { "10 m/s", "N", "3012.405", value_at, .run = 1, .column = "F", .from = 5.99 },
};

/* steady force of bristles all along a patch of 0.2 m, under an even load of 3000 N, rolling at 10 m/s */
static double distributed_tyre(double v)
{
  const double level = 0.8 + 0.75 * exp(-sqrt(v / 6.57)), length = level / 181.54 * 10 / v;
  return 3000 * (level * (1 - length / 0.2 * (1 - exp(-0.2 / length))) + 0.0018 * v);
}

static void draw_tyre(const simulation *runs, bristle_report *report)
{
  enum { POINTS = 400 };
  double v[POINTS], force[POINTS];
  for (int i = 0; i < POINTS; i++) {
    v[i] = 10.0 * (i + 1) * (i + 1) / POINTS / POINTS;
    force[i] = distributed_tyre(v[i]);
  }
  const bristle_series series[] = {
    { .name = "one bristle for the patch",
      .count = runs->rows,
      .x = run_column(runs, "v"),
      .y = run_column(runs, "F") },
    { .name = "bristles all along the patch", .style = BRISTLE_STYLE_DASHED, .count = POINTS, .x = v, .y = force },
  };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "Force over slip speed",
                              .x = { "slip", "m/s", 0 },
                              .y = { "friction force", "N", 0 },
                              .series_count = 2,
                              .series = series };
  bristle_report_plot(report, &plot);
}

/* ---- true stick as a vector ---- */

enum { PUSH_POINTS = 200 };

typedef struct push {
  double at_start, along_x, way; /* applied force at the first motion, the friction along x then; the way before it */
  double force[PUSH_POINTS], friction[PUSH_POINTS], speed[PUSH_POINTS];
} push;

/* 1 kg on the vector law stribeck, pushed along (3, 4)/5 or (2, 3, 6)/7 by a force that grows by 0.1 N/s, to 2 N */
static void push_body(int dim, push *r)
{
  static const double toward[2][3] = { { 0.6, 0.8, 0 }, { 2.0 / 7, 3.0 / 7, 6.0 / 7 } };
  const bristle_vector_model *model = bristle_vector_law_find("stribeck")->f64[dim - 2];
  const double *d = toward[dim - 2], h = 1e-3, rate = 0.1;
  double p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, v[3] = { 0 }, friction[3] = { 0 };
  bristle_vector_input in = { .n = 1, .h = h, .load = BRISTLE_LOAD_FORCE };
  const int steps = (int)(2 / (rate * h));
  bristle_defaults(model->info, p);
  for (int k = 0; k < dim; k++) in.w[k][k] = h;
  *r = (push){ 0 };
  for (int i = 1; i <= steps; i++) {
    const double force = rate * h * i;
    for (int k = 0; k < dim; k++) in.v[k] = v[k] + h * force * d[k];
    model->step(p, s, &in, friction, v);
    const double speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    if (!(r->at_start > 0) && speed > 0) r->at_start = force, r->along_x = friction[0];
    if (!(r->at_start > 0)) r->way += h * speed;
    if (i % (steps / PUSH_POINTS) == 0) {
      const int k = i / (steps / PUSH_POINTS) - 1;
      r->force[k] = force, r->speed[k] = speed;
      r->friction[k] = sqrt(friction[0] * friction[0] + friction[1] * friction[1] + friction[2] * friction[2]);
    }
  }
}

static double push_number(const simulation *runs, const gallery_number *n)
{
  static push r;
  (void)runs;
  push_body(n->run, &r);
  return !strcmp(n->column, "x") ? r.along_x : !strcmp(n->column, "way") ? r.way : r.at_start;
}

static const gallery_number push_numbers[] = {
  { "in the plane: force of the first motion, fs", "N", "1.500", push_number, .run = 2, .column = "force" },
  { "friction along x then, 0.6 fs", "N", "0.900", push_number, .run = 2, .column = "x" },
  { "way before it", "m", "< 1e-300", push_number, .run = 2, .column = "way", .source = GALLERY_LIMIT },
  { "in space: force of the first motion, fs", "N", "1.500", push_number, .run = 3, .column = "force" },
  { "friction along x then, 2/7 fs", "N", "0.4286", push_number, .run = 3, .column = "x" },
  { "way before it", "m", "< 1e-300", push_number, .run = 3, .column = "way", .source = GALLERY_LIMIT },
};

static void draw_push(const simulation *runs, bristle_report *report)
{
  static push r[2];
  bristle_series series[2];
  (void)runs;
  for (int k = 0; k < 2; k++) {
    push_body(k + 2, &r[k]);
    series[k] = (bristle_series){ .name = k ? "in space" : "in the plane",
                                  .style = k ? BRISTLE_STYLE_DASHED : BRISTLE_STYLE_LINE,
                                  .count = PUSH_POINTS,
                                  .x = r[k].force,
                                  .y = r[k].friction };
  }
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "Friction over the applied force",
                              .caption = "It equals the push up to fs, and falls to fc where the body slides.",
                              .x = { "applied force", "N", 0 },
                              .y = { "friction", "N", 0 },
                              .series_count = 2,
                              .series = series };
  bristle_report_plot(report, &plot);
}

const gallery_figure gallery_bodies[] = {
  { .name = "vector_stick",
    .title = "Dymore, equation (2): sticking in the plane and in space",
    .text = "A body of 1 kg under a force that grows slowly, oblique to the axes. The vector law stribeck holds it "
            "exactly, with a friction that equals the push, until its size reaches fs = 1.5 N; then it slides, and the "
            "friction falls to fc = 1 N against the motion.",
    GALLERY_NUMBERS_OF(push_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_push },
  { .name = "ellipse",
    .title = "MotionSolve: the friction ellipse",
    .text =
        "A contact that is rougher along x than along y slides in all directions. Its forces lie on an ellipse, and "
        "do not point against the motion except along the axes.",
    GALLERY_NUMBERS_OF(ellipse_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_ellipse },
  { .name = "disk_spin",
    .title = "A disk spins to rest",
    .text = "On the spot the torque is constant, and the spin falls on a straight line. When the disk also slides, the "
            "torque is smaller, and both motions end together. The bristles ring out afterwards.",
    GALLERY_RUNS_OF(disk_runs),
    GALLERY_PLOTS_OF(disk_plots),
    GALLERY_NUMBERS_OF(disk_numbers, GALLERY_CLOSED_FORM) },
  { .name = "ball_pendulum",
    .title = "A pendulum on a ball joint comes to rest",
    .text = "Released with a push to the side the pendulum swings on ellipses that turn and shrink. The joint holds it "
            "in the end, a little off the vertical.",
    GALLERY_RUNS_OF(ball_runs),
    GALLERY_PLOTS_OF(ball_plots),
    GALLERY_NUMBERS_OF(ball_numbers, GALLERY_CLOSED_FORM) },
  { .name = "tyre",
    .title = "A tyre over its slip",
    .text = "At small slip the patch sticks and the force grows with the slip; beyond the peak it slides. One mean "
            "bristle is stiffer at small slip than a patch of bristles, and agrees with it when sliding.",
    GALLERY_RUNS_OF(tyre_runs),
    GALLERY_NUMBERS_OF(tyre_numbers, GALLERY_CLOSED_FORM),
    .draw = draw_tyre },
  { .name = NULL },
};
