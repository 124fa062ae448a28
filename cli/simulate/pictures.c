/* Pictures of a run: what moved over time, its loops, and friction over the slip. */
#include "common/cli.h"

#include "simulation.h"

#include "maths/elementary.h"

enum { MOST_SERIES = 8, ALL_SERIES = MOST_SERIES + 1 + SIMULATION_OVER, CURVE = 401, MOST_SPANS = 500 };

static int column(const simulation *s, const char *name) { return simulation_column(s, name); }

static bristle_series series_of(const simulation *s, int x, int y)
{
  return (bristle_series){ .name = s->over[0] ? "this run" : simulation_word(s->columns[y].name),
                           .count = s->rows,
                           .x = s->kept[x],
                           .y = s->kept[y] };
}

/* ---- over time ---- */

/* when the contact does not slide; returns how many stretches, 0 where they are too many to be seen */
static size_t rests(const simulation *s, bristle_span spans[MOST_SPANS])
{
  const int mode = column(s, "mode");
  size_t count = 0;
  for (size_t i = 1; mode >= 0 && i < s->rows; i++) {
    if (s->kept[mode][i] >= BRISTLE_MODE_SLIDING) continue;
    const double from = s->kept[0][i - 1], to = s->kept[0][i];
    if (count && spans[count - 1].to >= from) spans[count - 1].to = to;
    else if (count == MOST_SPANS) return 0;
    else spans[count++] = (bristle_span){ from, to };
  }
  return count;
}

/* values of a program at the time of every row; NULL without memory */
static double *follow(const simulation *s, const bristle_program *p)
{
  double *values = malloc((s->rows ? s->rows : 1) * sizeof *values);
  for (size_t i = 0; values && i < s->rows; i++) values[i] = simulation_program_at(p, s->kept[0][i]);
  return values;
}

/* what the position or velocity follows: the other end of the spring, the target, the belt */
static const bristle_program *leader(const simulation *s, int y, const char **name)
{
  const bristle_axis *axis = &s->scenario->rig.as.axis;
  if (s->scenario->rig.kind != BRISTLE_RIG_AXIS) return NULL;
  if (y == column(s, "x") && (axis->kp != 0 || axis->ki != 0)) return *name = "target", &axis->target;
  if (y == column(s, "x") && axis->stiffness > 0 && (axis->anchor.count || axis->anchor.offset != 0))
    return *name = "other end of the spring", &axis->anchor;
  if (y == column(s, "v") && (axis->base.count || axis->base.offset != 0)) return *name = "surface below", &axis->base;
  return NULL;
}

/* columns first to last over time, with what they follow and where the contact sticks */
static void add_times(const simulation *s, bristle_report *report, int first, int last, int alone)
{
  bristle_series series[ALL_SERIES];
  bristle_span spans[MOST_SPANS];
  const char *name = NULL;
  const bristle_program *program = leader(s, first, &name);
  double *lead = program ? follow(s, program) : NULL;
  char title[60];
  bristle_plot plot = { .kind = BRISTLE_PLOT_TIME, .group = "t", .x = simulation_axis(s, 0), .title = title };
  plot.y = simulation_axis(s, first);
  if (alone) plot.group = NULL, plot.half = 1;
  snprintf(title, sizeof title, "%s", last > first ? "States of the contact" : plot.y.label);
  if (title[0] >= 'a' && title[0] <= 'z' && title[1] && !strchr(title, '_')) title[0] = (char)(title[0] - 'a' + 'A');
  for (int i = first; i <= last; i++) series[plot.series_count++] = series_of(s, 0, i);
  if (lead)
    series[plot.series_count++] = (bristle_series){
      .name = name, .style = BRISTLE_STYLE_DASHED, .count = s->rows, .x = s->kept[0], .y = lead
    };
  if (last > first) plot.y.label = "states";
  else plot.series_count += simulation_over_series(s, 0, first, series + plot.series_count);
  plot.series = series;
  plot.span_count = rests(s, spans);
  plot.spans = spans;
  plot.span_name = s->over[0] ? "this run sticks" : "sticks";
  bristle_report_plot(report, &plot);
  free(lead);
}

/* columns that share one picture: neighbours with the same unit; position, velocity and force stand alone */
static int last_of_group(const simulation *s, int first)
{
  int last = first;
  if (first == column(s, "x") || first == column(s, "v") || first == column(s, "F")) return first;
  while (last + 1 < s->width && last + 1 - first < MOST_SERIES && strcmp(s->columns[last + 1].name, "mode")
         && !strcmp(s->columns[last + 1].unit, s->columns[first].unit))
    last++;
  return last;
}

/* motion, force and bristle; flags and memories of the law are for those who ask */
void simulation_add_times(const simulation *s, bristle_report *report)
{
  int folded = 0;
  bristle_report_section(report, "Over time");
  for (int first = 1, last; first < s->width; first = last + 1) {
    const char *name = s->columns[first].name;
    last = last_of_group(s, first);
    if (!strcmp(name, "mode")) continue;
    if (!folded && first > column(s, "F") && column(s, "F") >= 0 && strcmp(name, "z"))
      bristle_report_fold(report, "More columns"), folded = 1;
    add_times(s, report, first, last, 0);
  }
}

/* ---- loops ---- */

/* A copy of y with a gap where the force jumps as the velocity passes zero: no chord crosses a jump. */
static double *without_chords(const double *v, const double *y, size_t count)
{
  double low = INFINITY, high = -INFINITY, *copy = malloc((count ? count : 1) * sizeof *copy);
  for (size_t i = 0; i < count; i++) low = fmin(low, y[i]), high = fmax(high, y[i]);
  for (size_t i = 0; copy && i < count; i++) {
    const int turns = i && (v[i] > 0) != (v[i - 1] > 0);
    copy[i] = turns && fabs(y[i] - y[i - 1]) > 0.2 * (high - low) ? (double)NAN : y[i];
  }
  return copy;
}

static void add_path(const simulation *s, bristle_report *report, const bristle_plot *about, int x, int y, size_t rows)
{
  if (x < 0 || y < 0) return;
  bristle_series series[ALL_SERIES] = { series_of(s, x, y) };
  double *copy = x == column(s, "v") ? without_chords(series[0].x, series[0].y, s->rows) : NULL;
  bristle_plot plot = *about;
  if (copy) series[0].y = copy;
  series[0].count = rows;
  plot.kind = BRISTLE_PLOT_XY;
  plot.x = simulation_axis(s, x);
  plot.y = simulation_axis(s, y);
  plot.half = 1;
  plot.series_count = 1 + (rows == s->rows ? simulation_over_series(s, x, y, series + 1) : 0);
  plot.series = series;
  bristle_report_plot(report, &plot);
  free(copy);
}

/* The area of F over x is the energy lost only where the contact slips by what x changes. The base of a belt moves
   below the mass; in a chain many contacts slip. */
static const char *caption_of_loops(const bristle_rig *rig)
{
  const bristle_program *base = &rig->as.axis.base;
  if (rig->kind == BRISTLE_RIG_AXIS && (base->count || base->offset != 0))
    return "The belt moves below the mass: the area inside a loop is the work of friction on the mass. The energy lost "
           "is the work over the slip, see the energy account.";
  return rig->kind == BRISTLE_RIG_AXIS || rig->kind == BRISTLE_RIG_DRIVEN
             ? "The area inside a loop is the energy it dissipates."
             : NULL;
}

/* Rows from the start until the contact has moved three times as far as it did before it first slid; 0 where the whole
   loop shows that well, or nothing does. */
static size_t rows_of_presliding(const simulation *s, int x)
{
  const int mode = column(s, "mode");
  size_t slid = 0, end;
  if (mode < 0 || x < 0) return 0;
  while (slid < s->rows && s->kept[mode][slid] < BRISTLE_MODE_SLIDING) slid++;
  if (slid < 3 || slid == s->rows) return 0;
  const double *way = s->kept[x], first = fabs(way[slid] - way[0]);
  if (!(first > 0) || first > 0.1 * (s->largest[x] - s->least[x])) return 0;
  for (end = slid; end < s->rows && fabs(way[end] - way[0]) <= 3 * first; end++) {}
  return end > 8 ? end : 0;
}

void simulation_add_loops(const simulation *s, bristle_report *report)
{
  const int x = column(s, "x"), y = column(s, "y"), v = column(s, "v"), force = column(s, "F");
  if (y >= 0 || column(s, "ux") >= 0) {
    bristle_report_section(report, "Path");
    add_path(s, report, &(bristle_plot){ .title = "Path in the plane" }, x, y, s->rows);
    add_path(s, report, &(bristle_plot){ .title = "Direction of the arm, from above" }, column(s, "ux"),
             column(s, "uy"), s->rows);
  }
  if (x < 0 || v < 0) return;
  const size_t zoom = rows_of_presliding(s, x);
  bristle_report_section(report, "Loops");
  add_path(s, report, &(bristle_plot){ .title = "Force over position", .caption = caption_of_loops(&s->scenario->rig) },
           x, force, s->rows);
  if (zoom)
    add_path(s, report,
             &(bristle_plot){ .title = "The same, its first presliding",
                              .caption = "From the start to three times the distance of the first slip." },
             x, force, zoom);
  add_path(s, report, &(bristle_plot){ .title = "Force over velocity" }, v, force, s->rows);
  add_path(s, report, &(bristle_plot){ .title = "Velocity over position" }, x, v, s->rows);
}

/* Under a given motion the loop says most, of what moves by itself its friction over time. */
void simulation_add_first(const simulation *s, bristle_report *report)
{
  const int x = column(s, "x"), force = column(s, "F");
  if (x >= 0 && s->scenario->rig.kind == BRISTLE_RIG_DRIVEN)
    add_path(s, report, &(bristle_plot){ .title = "Friction over the position" }, x, force, s->rows);
  else add_times(s, report, force, force, 1);
}

/* ---- Stribeck curve ---- */

/* the slip of every row, and its range with zero in it; the base of a belt moves below the mass */
static double *slips(const simulation *s, int v, double range[2])
{
  const bristle_rig *rig = &s->scenario->rig;
  double *slip = malloc((s->rows ? s->rows : 1) * sizeof *slip);
  range[0] = range[1] = 0;
  for (size_t i = 0; slip && i < s->rows; i++) {
    slip[i] = s->kept[v][i]
              - (rig->kind == BRISTLE_RIG_AXIS ? simulation_program_at(&rig->as.axis.base, s->kept[0][i]) : 0);
    range[0] = fmin(range[0], slip[i]);
    range[1] = fmax(range[1], slip[i]);
  }
  return slip;
}

void simulation_add_stribeck(const simulation *s, bristle_report *report)
{
  const bristle_rig *rig = &s->scenario->rig;
  const int v = column(s, "v"), force = column(s, "F"), is_axis = rig->kind == BRISTLE_RIG_AXIS;
  if (v < 0 || force < 0 || (!is_axis && rig->kind != BRISTLE_RIG_DRIVEN)) return;
  const bristle_contact *contact = is_axis ? &rig->as.axis.contact : &rig->as.driven.contact;
  if (!(contact->law->f64->info->traits & BRISTLE_TRAIT_STEADY)) return;
  double range[2], speed[CURVE], steady[CURVE];
  double *slip = slips(s, v, range);
  bristle_input in = { .n = simulation_program_at(is_axis ? &rig->as.axis.load : &rig->as.driven.load, 0),
                       .load = contact->load };
  if (slip && range[1] > range[0]) {
    for (int i = 0; i < CURVE; i++) {
      const double part = 2.0 * i / (CURVE - 1) - 1; /* dense near zero, where the curve is steep */
      in.v = speed[i] = fabs(part * part * part) * range[part > 0];
      steady[i] = in.v != 0 ? contact->law->f64->steady(contact->p, &in) : (double)NAN;
    }
    double *run = without_chords(slip, s->kept[force], s->rows);
    const bristle_series series[] = {
      { .name = "run", .count = run ? s->rows : 0, .x = slip, .y = run },
      { .name = "steady", .style = BRISTLE_STYLE_DASHED, .count = CURVE, .x = speed, .y = steady },
    };
    bristle_plot_axis slip_axis = simulation_axis(s, v);
    slip_axis.label = "slip speed";
    const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                                .title = "Stribeck curve and the run",
                                .caption = "The force after a long time at constant slip, under the load at the start, "
                                           "and what the run did.",
                                .x = slip_axis,
                                .y = simulation_axis(s, force),
                                .half = 1,
                                .series_count = 2,
                                .series = series };
    bristle_report_plot(report, &plot);
    free(run);
  }
  free(slip);
}
