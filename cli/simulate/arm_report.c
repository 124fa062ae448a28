/* Pictures of an arm: what its joints did over time, and the arm itself in a few poses. */
#include "common/cli.h"

#include "simulation.h"

#include "maths/elementary.h"

enum { MOST_JOINTS = BRISTLE_ARM_LINKS, POSES = 6 };

static const bristle_arm *arm_of(const simulation *s) { return &s->scenario->rig.as.arm; }

/* place of the column q1, v1, ... of the first joint; those of the others follow */
static int column(const simulation *s, const char *name)
{
  for (int i = 0; i < s->width; i++)
    if (!strcmp(s->columns[i].name, name)) return i;
  return 0;
}

static void add_joints(const simulation *s, bristle_report *report, const char *first, const char *title,
                       const char *label)
{
  const int at = column(s, first), n = (int)arm_of(s)->count;
  bristle_series series[MOST_JOINTS];
  for (int i = 0; i < n; i++)
    series[i] = (bristle_series){
      .name = s->columns[at + i].name, .count = s->rows, .x = s->kept[0], .y = s->kept[at + i]
    };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = title,
                              .group = "t",
                              .x = { "time", "s", 0 },
                              .y = { label, s->columns[at].unit, 0 },
                              .series_count = (size_t)n,
                              .series = series };
  bristle_report_plot(report, &plot);
}

static int has_motors(const simulation *s)
{
  const int at = column(s, "motor1");
  for (int i = at; i < at + (int)arm_of(s)->count; i++)
    if (s->least[i] != 0 || s->largest[i] != 0) return 1;
  return 0;
}

/* A bar for each joint, at its number: thick while it slides, a line while it sticks. */
static void add_modes(const simulation *s, bristle_report *report)
{
  const int at = column(s, "mode1"), n = (int)arm_of(s)->count;
  double *room = malloc(2 * (size_t)n * (s->rows ? s->rows : 1) * sizeof *room);
  bristle_series series[MOST_JOINTS];
  char names[MOST_JOINTS][24];
  for (int j = 0; room && j < n; j++) {
    double *high = room + (size_t)(2 * j) * s->rows, *low = high + s->rows;
    for (size_t i = 0; i < s->rows; i++) {
      const double half = s->kept[at + j][i] == BRISTLE_MODE_SLIDING ? 0.35 : 0.01;
      high[i] = j + 1 + half;
      low[i] = j + 1 - half;
    }
    snprintf(names[j], sizeof *names, "joint %d", j + 1);
    series[j] = (bristle_series){
      .name = names[j], .style = BRISTLE_STYLE_BAND, .count = s->rows, .x = s->kept[0], .y = high, .low = low
    };
  }
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = "Who slides when",
                              .caption = "Thick while a joint slides, a line while it sticks.",
                              .group = "t",
                              .x = { "time", "s", 0 },
                              .y = { "joint", NULL, 0 },
                              .series_count = (size_t)n,
                              .series = series };
  if (room) bristle_report_plot(report, &plot);
  free(room);
}

static void add_energies(const simulation *s, bristle_report *report)
{
  static const char *const names[] = { "kinetic", "potential", "motor_work" };
  bristle_series series[3];
  for (int i = 0; i < 3; i++)
    series[i] = (bristle_series){
      .name = names[i], .count = s->rows, .x = s->kept[0], .y = s->kept[column(s, names[i])]
    };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = "Energies",
                              .caption = "Potential energy is counted from the height of the first joint.",
                              .group = "t",
                              .x = { "time", "s", 0 },
                              .y = { "energy", "J", 0 },
                              .series_count = has_motors(s) ? 3 : 2,
                              .series = series };
  bristle_report_plot(report, &plot);
}

void arm_add_times(const simulation *s, bristle_report *report)
{
  bristle_report_section(report, "Over time");
  add_joints(s, report, "q1", "Joint angles", "q");
  add_joints(s, report, "v1", "Their rates", "v");
  add_joints(s, report, "F1", "Friction torques", "F");
  if (has_motors(s)) add_joints(s, report, "motor1", "Motor torques", "motor");
  add_modes(s, report);
  add_energies(s, report);
}

/* Rows that lie evenly on the way of the tip, the first and the last among them: a long rest is one pose. */
static int choose_poses(const simulation *s, size_t *chosen)
{
  const double *x = s->kept[column(s, "x")], *y = s->kept[column(s, "y")];
  double all = 0, way = 0;
  int count = 0;
  for (size_t i = 1; i < s->rows; i++) all += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
  chosen[count++] = 0;
  for (size_t i = 1; i < s->rows && count < POSES - 1; i++) {
    way += hypot(x[i] - x[i - 1], y[i] - y[i - 1]);
    if (way >= all * count / (POSES - 1) && all > 0) chosen[count++] = i;
  }
  if (s->rows > 1 && chosen[count - 1] != s->rows - 1) chosen[count++] = s->rows - 1;
  return count;
}

void arm_add_poses(const simulation *s, bristle_report *report)
{
  const bristle_arm *arm = arm_of(s);
  const int q = column(s, "q1");
  double x[POSES + 1][MOST_JOINTS + 1], y[POSES + 1][MOST_JOINTS + 1];
  char names[POSES + 1][40];
  size_t chosen[POSES + 1];
  bristle_series series[POSES + 2];
  if (!s->rows) return;
  const int count = choose_poses(s, chosen);
  for (int k = 0; k < count; k++) {
    double angle = 0;
    x[k][0] = y[k][0] = 0;
    for (size_t i = 0; i < arm->count; i++) {
      angle += s->kept[q + (int)i][chosen[k]];
      x[k][i + 1] = x[k][i] + arm->link[i].length * cos(angle);
      y[k][i + 1] = y[k][i] + arm->link[i].length * sin(angle);
    }
    snprintf(names[k], sizeof *names, "t = %.4g s", s->kept[0][chosen[k]]);
    series[k] = (bristle_series){ .name = names[k], .count = arm->count + 1, .x = x[k], .y = y[k] };
  }
  series[count] = (bristle_series){ .name = "way of the tip",
                                    .style = BRISTLE_STYLE_DASHED,
                                    .count = s->rows,
                                    .x = s->kept[column(s, "x")],
                                    .y = s->kept[column(s, "y")] };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "The arm in a few poses",
                              .x = { "position", "m", 0 },
                              .y = { "height", "m", 0 },
                              .equal = 1,
                              .series_count = (size_t)count + 1,
                              .series = series };
  bristle_report_plot(report, &plot);
}
