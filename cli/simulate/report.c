/* The page of a run: pictures of what moved, what the friction did, and how the solver went about it. */
#include "common/cli.h"

#include "simulation.h"

#include "bristle/report.h"

#include <math.h>

enum { MOST_SERIES = 8, MOST_MARKS = 40, CURVE = 401, CELL = 100 };

/* place of a column by its name, or -1 */
static int column(const simulation *s, const char *name)
{
  for (int i = 0; i < s->width; i++)
    if (!strcmp(s->columns[i].name, name)) return i;
  return -1;
}

static bristle_series series_of(const simulation *s, int x, int y)
{
  return (bristle_series){ .name = s->columns[y].name, .count = s->rows, .x = s->kept[x], .y = s->kept[y] };
}

static bristle_plot_axis axis_of(const simulation *s, int i)
{
  const char *unit = s->columns[i].unit;
  return (bristle_plot_axis){ s->columns[i].name, strcmp(unit, "1") ? unit : NULL, 0 };
}

/* ---- over time ---- */

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

static void add_time_plots(const simulation *s, bristle_report *report)
{
  bristle_report_section(report, "Over time");
  for (int first = 1, last; first < s->width; first = last + 1) {
    last = last_of_group(s, first);
    bristle_series series[MOST_SERIES];
    bristle_plot plot = { .kind = BRISTLE_PLOT_TIME, .group = "t", .x = axis_of(s, 0), .y = axis_of(s, first) };
    for (int i = first; i <= last; i++) series[plot.series_count++] = series_of(s, 0, i);
    if (!strcmp(s->columns[first].name, "mode")) {
      series[0].style = BRISTLE_STYLE_STEPS;
      plot.caption = "0 stuck, 1 presliding, 2 sliding";
    }
    char label[4 * sizeof s->columns[0].name] = "";
    for (int i = first; i <= last && last - first < 3; i++)
      snprintf(label + strlen(label), sizeof label - strlen(label), "%s%s", i > first ? ", " : "", s->columns[i].name);
    if (last > first) plot.y.label = last - first < 3 ? label : "states";
    plot.series = series;
    bristle_report_plot(report, &plot);
  }
}

/* ---- loops ---- */

static void add_path(const simulation *s, bristle_report *report, const char *title, int x, int y, const char *caption)
{
  if (x < 0 || y < 0) return;
  const bristle_series series = series_of(s, x, y);
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = title,
                              .caption = caption,
                              .x = axis_of(s, x),
                              .y = axis_of(s, y),
                              .half = 1,
                              .series_count = 1,
                              .series = &series };
  bristle_report_plot(report, &plot);
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
             ? "The area inside a loop is the energy lost in it."
             : NULL;
}

static void add_loops(const simulation *s, bristle_report *report)
{
  const int x = column(s, "x"), y = column(s, "y"), v = column(s, "v"), force = column(s, "F");
  if (y >= 0 || column(s, "ux") >= 0) {
    bristle_report_section(report, "Path");
    add_path(s, report, "Path in the plane", x, y, NULL);
    add_path(s, report, "Direction of the arm, from above", column(s, "ux"), column(s, "uy"), NULL);
  }
  if (x < 0 || v < 0) return;
  bristle_report_section(report, "Loops");
  add_path(s, report, "Force over position", x, force, caption_of_loops(&s->scenario->rig));
  add_path(s, report, "Force over velocity", v, force, NULL);
  add_path(s, report, "Phase plane", x, v, NULL);
}

/* ---- Stribeck curve ---- */

static double program_at(const bristle_program *p, double t)
{
  const bristle_piece piece = bristle_program_piece(p, t);
  return bristle_program_value(p, &piece, t, NULL);
}

/* the slip of every row, and its range with zero in it; the base of a belt moves below the mass */
static double *slips(const simulation *s, int v, double range[2])
{
  const bristle_rig *rig = &s->scenario->rig;
  double *slip = malloc((s->rows ? s->rows : 1) * sizeof *slip);
  range[0] = range[1] = 0;
  for (size_t i = 0; slip && i < s->rows; i++) {
    slip[i] = s->kept[v][i] - (rig->kind == BRISTLE_RIG_AXIS ? program_at(&rig->as.axis.base, s->kept[0][i]) : 0);
    range[0] = fmin(range[0], slip[i]);
    range[1] = fmax(range[1], slip[i]);
  }
  return slip;
}

static void add_stribeck(const simulation *s, bristle_report *report)
{
  const bristle_rig *rig = &s->scenario->rig;
  const int v = column(s, "v"), force = column(s, "F"), is_axis = rig->kind == BRISTLE_RIG_AXIS;
  if (v < 0 || force < 0 || (!is_axis && rig->kind != BRISTLE_RIG_DRIVEN)) return;
  const bristle_contact *contact = is_axis ? &rig->as.axis.contact : &rig->as.driven.contact;
  if (!(contact->law->f64->info->traits & BRISTLE_STEADY)) return;
  double range[2], speed[CURVE], steady[CURVE];
  double *slip = slips(s, v, range);
  bristle_input in = { .n = program_at(is_axis ? &rig->as.axis.load : &rig->as.driven.load, 0), .load = contact->load };
  if (slip && range[1] > range[0]) {
    for (int i = 0; i < CURVE; i++) {
      const double part = 2.0 * i / (CURVE - 1) - 1; /* dense near zero, where the curve is steep */
      in.v = speed[i] = fabs(part * part * part) * range[part > 0];
      steady[i] = in.v != 0 ? contact->law->f64->steady(contact->p, &in) : (double)NAN;
    }
    const bristle_series series[] = {
      { .name = "run", .count = s->rows, .x = slip, .y = s->kept[force] },
      { .name = "steady", .style = BRISTLE_STYLE_DASHED, .count = CURVE, .x = speed, .y = steady },
    };
    bristle_plot_axis slip_axis = axis_of(s, v);
    slip_axis.label = "slip";
    const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                                .title = "Stribeck curve and the run",
                                .caption = "The force after a long time at constant slip, under the load at the start, "
                                           "and what the run did.",
                                .x = slip_axis,
                                .y = axis_of(s, force),
                                .half = 1,
                                .series_count = 2,
                                .series = series };
    bristle_report_plot(report, &plot);
  }
  free(slip);
}

/* ---- solver ---- */

static void add_steps(const simulation *s, bristle_report *report)
{
  static const char *const kinds[] = { "reversal", "stick", "slip" };
  bristle_mark marks[MOST_MARKS];
  char caption[200];
  bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                        .title = "Length of the steps",
                        .caption = caption,
                        .group = "t",
                        .x = axis_of(s, 0),
                        .y = { "h", "s", 1 },
                        .marks = marks };
  if (!s->steps.count) return;
  const int few = s->events.count <= MOST_MARKS && s->stats.events == s->events.count;
  for (size_t i = 0; few && i < s->events.count; i++)
    marks[plot.mark_count++] = (bristle_mark){ .at = s->events.t[i], .label = kinds[(int)s->events.y[i]] };
  snprintf(caption, sizeof caption, "%zu steps, %zu rejected, %zu events%s.", s->stats.steps, s->stats.rejected,
           s->stats.events, few ? "" : ", too many to be marked");
  const bristle_series series[] = {
    { .name = "accepted", .style = BRISTLE_STYLE_LINE, .count = s->steps.count, .x = s->steps.t, .y = s->steps.y },
    { .name = "rejected",
      .style = BRISTLE_STYLE_POINTS,
      .count = s->rejected.count,
      .x = s->rejected.t,
      .y = s->rejected.y },
  };
  plot.series = series;
  plot.series_count = s->rejected.count ? 2 : 1;
  bristle_report_section(report, "Solver");
  bristle_report_plot(report, &plot);
}

/* ---- tables ---- */

static void number_cell(double value, char text[CELL]) { snprintf(text, CELL, "%.6g", value); }

/* where the work went, over time */
static void add_account(const simulation *s, bristle_report *report)
{
  static const char *const names[] = { "work put in", "stored", "dissipated" };
  static const bristle_style styles[] = { BRISTLE_STYLE_LINE, BRISTLE_STYLE_LINE, BRISTLE_STYLE_DASHED };
  bristle_series series[3];
  for (int i = 0; i < 3; i++)
    series[i] = (bristle_series){ names[i], styles[i], s->account[i].count, s->account[i].t, s->account[i].y, NULL };
  if (s->account[0].count < 2) return;
  bristle_report_plot(report, &(bristle_plot){ .title = "Energy account",
                                               .caption = "Work put in = stored + dissipated, at the end of each step.",
                                               .group = "t",
                                               .x = { "t", "s", 0 },
                                               .y = { "energy", "J", 0 },
                                               .series_count = 3,
                                               .series = series });
}

static void add_energy(const simulation *s, bristle_report *report)
{
  const bristle_sim_stats *st = &s->stats;
  char value[6][CELL];
  const double numbers[] = { st->work_in, st->stored, st->dissipated, st->friction, st->residual, st->given_back };
  for (int i = 0; i < 6; i++) number_cell(numbers[i], value[i]);
  char part[2 * CELL];
  snprintf(part, sizeof part, "Residual: %s J, %.2g of the work done", value[4],
           st->work_done > 0 ? st->residual / st->work_done : 0);
  const char *const cells[] = {
    "work put in",
    value[0],
    "= change of the stored energy",
    value[1],
    "+ dissipated",
    value[2],
    "of that by friction",
    value[3],
    "+ residual",
    value[4],
    "given back beyond what was stored",
    st->has_energy ? value[5] : "the law does not know",
  };
  static const char *const heads[] = { "energy", "J" };
  const bristle_report_grid grid = { part, "lr", 2, 6, heads, cells };
  if (s->scenario->options.no_ledger) return;
  bristle_report_section(report, "Energy");
  add_account(s, report);
  bristle_report_table(report, &grid);
}

static void add_friction(const bristle_friction *f, const char *heading, bristle_report *report)
{
  static const char *const heads[] = { "parameter", "value", "unit", "meaning" };
  const size_t rows = (size_t)f->info->nparam;
  char(*text)[3][CELL] = calloc(rows ? rows : 1, sizeof *text);
  const char **cells = calloc(rows ? 4 * rows : 1, sizeof *cells);
  size_t row = 0;
  for (int i = 0; text && cells && i < f->info->param_rows; i++)
    for (int k = 0; k < f->info->param[i].count; k++, row++) {
      const bristle_row *p = &f->info->param[i];
      snprintf(text[row][0], CELL, p->count > 1 ? "%s[%d]" : "%s", p->name, k);
      bristle_number_text(f->p[p->first + k], text[row][1], CELL);
      bristle_unit(p, f->load, f->rotary, text[row][2], CELL);
      for (int c = 0; c < 3; c++) cells[4 * row + (size_t)c] = text[row][c];
      cells[4 * row + 3] = p->doc;
    }
  const bristle_report_grid grid = { f->info->title, "lrll", 4, row, heads, cells };
  bristle_report_section(report, heading);
  bristle_report_code(report, f->info->equations);
  if (row) bristle_report_table(report, &grid);
  free(text);
  free(cells);
}

static int is_same(const bristle_friction *a, const bristle_friction *b)
{
  return a->law == b->law && a->load == b->load && !memcmp(a->p, b->p, sizeof a->p);
}

/* that of the contact; of an arm, once for neighbours that are the same */
static void add_parameters(const simulation *s, bristle_report *report)
{
  const bristle_friction *joint = s->scenario->joint;
  const size_t count = joint ? s->scenario->rig.as.arm.count : 0;
  size_t different = 0;
  for (size_t i = 1; i < count; i++) different += !is_same(&joint[i], &joint[i - 1]);
  if (!different) add_friction(&s->scenario->friction, "Friction", report);
  for (size_t i = 0; different && i < count; i++) {
    char heading[60];
    size_t last = i;
    while (last + 1 < count && is_same(&joint[last + 1], &joint[i])) last++;
    if (last > i) snprintf(heading, sizeof heading, "Friction in joints %zu to %zu", i + 1, last + 1);
    else snprintf(heading, sizeof heading, "Friction in joint %zu", i + 1);
    add_friction(&joint[i], heading, report);
    i = last;
  }
}

static void add_columns(const simulation *s, bristle_report *report)
{
  static const char *const heads[] = { "column", "unit", "first", "last", "smallest", "largest" };
  char text[BRISTLE_SIM_COLUMNS][4][CELL];
  const char *cells[BRISTLE_SIM_COLUMNS * 6];
  for (int i = 0; i < s->width; i++) {
    const double numbers[] = { s->first[i], s->last[i], s->least[i], s->greatest[i] };
    cells[6 * i] = s->columns[i].name;
    cells[6 * i + 1] = s->columns[i].unit;
    for (int k = 0; k < 4; k++) {
      number_cell(numbers[k], text[i][k]);
      cells[6 * i + 2 + k] = text[i][k];
    }
  }
  const bristle_report_grid grid = { NULL, "llrrrr", 6, (size_t)s->width, heads, cells };
  bristle_report_table(report, &grid);
}

/* the warnings of the summary: a page is read without it */
static void add_warnings(const simulation *s, bristle_report *report)
{
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  const int count = bristle_sim_warnings(&s->stats, list);
  for (int i = 0; i < count; i++) {
    char text[sizeof *list + 16];
    snprintf(text, sizeof text, "Warning: %.*s.", (int)sizeof *list - 1, list[i]);
    bristle_report_text(report, text);
  }
}

static void add_facts(const simulation *s, bristle_report *report)
{
  const bristle_scenario *scenario = s->scenario;
  const bristle_sim_stats *st = &s->stats;
  char numbers[4][CELL], laws[300], tolerance[CELL];
  snprintf(tolerance, CELL, st->rtol > 0 ? "%g" : "none: the steps are given", st->rtol);
  snprintf(numbers[0], CELL, "%g s, %zu rows", scenario->options.end, s->rows);
  snprintf(numbers[1], CELL, "%zu, %zu rejected, %.3g to %.3g s long", st->steps, st->rejected, st->shortest,
           st->longest);
  snprintf(numbers[2], CELL, "%zu", st->evaluations);
  snprintf(numbers[3], CELL, "%zu", st->events);
  const char *const facts[][2] = {
    { "rig", scenario->rig_name }, { "law", simulation_laws(s, laws, sizeof laws) },
    { "duration", numbers[0] },    { "method", bristle_method_text(st->method) },
    { "tolerance", tolerance },    { "steps", numbers[1] },
    { "evaluations", numbers[2] }, { "events", numbers[3] },
  };
  if (scenario->description) bristle_report_text(report, scenario->description);
  bristle_report_facts(report, sizeof facts / sizeof *facts, facts);
  add_warnings(s, report);
  add_columns(s, report);
}

void simulation_add_to(const simulation *s, bristle_report *report)
{
  add_facts(s, report);
  if (s->scenario->rig.kind == BRISTLE_RIG_ARM) {
    arm_add_times(s, report);
    bristle_report_section(report, "Poses");
    arm_add_poses(s, report);
  } else {
    add_time_plots(s, report);
    add_loops(s, report);
  }
  add_stribeck(s, report);
  add_steps(s, report);
  add_energy(s, report);
  add_parameters(s, report);
}

int simulation_report(const simulation *s, const char *path)
{
  bristle_report *report = bristle_report_new(s->scenario->title ? s->scenario->title : s->scenario->rig_name);
  simulation_add_to(s, report);
  return finish_page(report, path);
}
