/* The page of a run: what happened, pictures of it, energy and friction, and how the solver went about it. */
#include "common/cli.h"

#include "simulation.h"

#include "lab/report.h"
#include "io/support.h"

enum { MOST_MARKS = 40, CELL = 100 };

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
                        .x = simulation_axis(s, 0),
                        .y = { "length of a step", "s", 1 },
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
  bristle_report_plot(report, &plot);
}

/* ---- tables ---- */

static void number_cell(double value, char text[CELL]) { snprintf(text, CELL, "%.6g", value); }

/* ---- what the summary warns of, beside the numbers that it concerns: a page is read without the summary ---- */

enum { OF_ENERGY = 1, OF_SOLVER = 2 };

static void add_warnings(const simulation *s, int kinds, bristle_report *report)
{
  bristle_sim_warning list[BRISTLE_SIM_WARNINGS];
  for (int i = 0, count = bristle_sim_warnings(&s->stats, list); i < count; i++) {
    char text[sizeof *list + 16];
    const int has_account = !s->scenario->options.no_ledger;
    if (!(kinds & (has_account && strstr(list[i], "energy") ? OF_ENERGY : OF_SOLVER))) continue;
    snprintf(text, sizeof text, "Warning: %.*s.", (int)sizeof *list - 1, list[i]);
    bristle_report_notice(report, text);
  }
}

static void add_notes(const simulation *s, bristle_report *report)
{
  simulation_note list[MOST_NOTES];
  for (int i = 0, count = simulation_notes(s, list); i < count; i++) {
    char text[sizeof *list + 16];
    snprintf(text, sizeof text, "Note: %.*s.", (int)sizeof *list - 1, list[i]);
    bristle_report_notice(report, text);
  }
}

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
                                               .x = { "time", "s", 0 },
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
    st->has_energy ? value[5] : "not defined for this law",
  };
  static const char *const heads[] = { "energy", "J" };
  const bristle_report_grid grid = { part, "lr", 2, 6, heads, cells };
  if (s->scenario->options.no_ledger) return;
  bristle_report_section(report, "Energy");
  add_account(s, report);
  add_warnings(s, OF_ENERGY, report);
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
      bristle_param_name(p, k, text[row][0], CELL);
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
    char heading[80];
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
    const double numbers[] = { s->first[i], s->last[i], s->least[i], s->largest[i] };
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
  bristle_report_section(report, "How it was computed");
  add_warnings(s, OF_SOLVER, report);
  bristle_report_facts(report, sizeof facts / sizeof *facts, facts);
  add_steps(s, report);
  add_columns(s, report);
}

/* the verdict and the picture that carries it, loops, energy and friction, and last how it was computed */
void simulation_add_to(const simulation *s, bristle_report *report)
{
  const int arm = s->scenario->rig.kind == BRISTLE_RIG_ARM, driven = s->scenario->rig.kind == BRISTLE_RIG_DRIVEN;
  simulation_card(s, report);
  if (s->scenario->description) bristle_report_text(report, s->scenario->description);
  if (arm) {
    bristle_report_section(report, "Poses");
    arm_add_poses(s, report);
    arm_add_times(s, report);
  } else if (driven) {
    simulation_add_loops(s, report);
    simulation_add_stribeck(s, report);
    simulation_add_times(s, report);
  } else {
    simulation_add_times(s, report);
    simulation_add_loops(s, report);
    simulation_add_stribeck(s, report);
  }
  add_energy(s, report);
  add_parameters(s, report);
  add_notes(s, report);
  add_facts(s, report);
}

int simulation_report(const simulation *s, const char *path)
{
  bristle_report *report = bristle_report_new(s->scenario->title ? s->scenario->title : s->scenario->rig_name);
  simulation_add_to(s, report);
  return finish_page(report, path);
}
