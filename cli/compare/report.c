/* The page of a comparison: what was measured and what each model makes of it. */
#include "compare.h"

#include "common/cli.h"

#include "lab/report.h"
#include "bristle/text.h"

#include "maths/elementary.h"

enum { CELL = 64, CURVE = 301 };

static const char *force_unit(const comparison *c) { return bristle_force_unit(c->log->rotary); }
static const char *length_unit(const comparison *c) { return bristle_length_unit(c->log->rotary); }
static const char *speed_unit(const comparison *c) { return bristle_speed_unit(c->log->rotary); }

static void add_ranking(const comparison *c, bristle_report *report)
{
  static const char *const heads[] = { "model", "file", "rms error", "relative", "largest", "energy" };
  char text[MOST_COMPARED][4][CELL];
  const char *cells[MOST_COMPARED * 6];
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    snprintf(text[k][0], CELL, "%.4g %s", m->error.rms, force_unit(c));
    snprintf(text[k][1], CELL, "%.3g %%", 100 * m->error.relative);
    snprintf(text[k][2], CELL, "%.4g %s", m->error.largest, force_unit(c));
    snprintf(text[k][3], CELL, "%.3g %%", 100 * m->energy);
    cells[6 * k] = m->name, cells[6 * k + 1] = m->path;
    for (int j = 0; j < 4; j++) cells[6 * k + 2 + j] = text[k][j];
  }
  const bristle_report_grid grid = { "Best first. Relative: |error|/|force| of the samples that count. Energy: work of "
                                     "the model's friction/measured work.",
                                     "llrrrr",
                                     6,
                                     (size_t)c->count,
                                     heads,
                                     cells };
  bristle_report_table_marked(report, &grid, 1);
}

/* the measured force first, then the models; or their errors, with the zero line first so that a model keeps its colour
 */
static void add_over_time(const comparison *c, bristle_report *report, double *errors, int half)
{
  bristle_series series[MOST_COMPARED + 1];
  const size_t count = c->log->count;
  const double ends[2] = { c->log->t[0], c->log->t[count - 1] }, zero[2] = { 0, 0 };
  size_t shown = 0;
  if (errors) series[shown++] = (bristle_series){ .name = "measured", .count = 2, .x = ends, .y = zero };
  else
    series[shown++] = (bristle_series){
      .name = "measured", .style = BRISTLE_STYLE_WIDE, .count = count, .x = c->log->t, .y = c->log->f
    };
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    const double *y = m->force;
    if (errors) {
      double *error = errors + (size_t)k * count;
      for (size_t i = 0; i < count; i++) error[i] = m->force[i] - c->log->f[i];
      y = error;
    }
    series[shown++] = (bristle_series){ .name = m->name, .count = count, .x = c->log->t, .y = y };
  }
  const bristle_plot plot = { .kind = BRISTLE_PLOT_TIME,
                              .title = errors ? "Errors"
                                       : half ? "Measured and predicted"
                                              : "Force",
                              .group = half ? NULL : "t",
                              .half = half,
                              .x = { "time", "s", 0 },
                              .y = { errors ? "model - measured" : "force", force_unit(c), 0 },
                              .series_count = shown,
                              .series = series };
  bristle_report_plot(report, &plot);
}

/* The first screen: which model, how far off each is, the picture of it. */
static void add_card(const comparison *c, bristle_report *report)
{
  static const char *const words[] = { "Best model", "Use with care", "Do not use these models" };
  char sentence[300], reading[300], error[MOST_COMPARED][CELL], number[3][CELL], next[300];
  bristle_card_row row[MOST_COMPARED];
  const compared *best = &c->model[c->order[0]];
  const bristle_grade grade = c->log->doubtful || !compare_fits(c) ? BRISTLE_GRADE_BAD
                              : c->other[0]                        ? BRISTLE_GRADE_CARE
                                                                   : BRISTLE_GRADE_GOOD;
  compare_verdict(c, sentence, sizeof sentence);
  compare_say_reading(c, reading, sizeof reading);
  const char *const detail[] = { c->other };
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    snprintf(error[k], CELL, "%.2g", 100 * m->error.relative);
    row[k] = (bristle_card_row){ .name = m->name, .about = "error of", .value = error[k], .unit = "% of the force" };
  }
  snprintf(number[0], CELL, "%.3g %s", best->error.rms, force_unit(c));
  snprintf(number[1], CELL, "%.3g %s", best->error.largest, force_unit(c));
  snprintf(number[2], CELL, "%.3g %%", 100 * best->energy);
  const char *const fact[][2] = { { number[0], "rms error of the best model" },
                                  { number[1], "its largest error" },
                                  { number[2], "its work of the measured work" } };
  if (grade == BRISTLE_GRADE_BAD)
    snprintf(next, sizeof next, "`bristle identify %.200s` finds out what this log shows.", c->data);
  else
    snprintf(next, sizeof next,
             "simulate with `friction: {file: %.80s}`, or put it on a controller with `bristle export %.80s`.",
             best->path, best->path);
  const bristle_card card = { .grade = grade,
                              .beside = 1,
                              .word = words[grade],
                              .sentence = sentence,
                              .next = next,
                              .details = c->other[0] != 0,
                              .detail = detail,
                              .rows = (size_t)c->count,
                              .row = row,
                              .facts = 3,
                              .fact = fact };
  bristle_report_card(report, &card);
  add_over_time(c, report, NULL, 1);
  bristle_report_card_facts(report, &card);
  bristle_report_text(report, reading);
  for (size_t k = 0; k < c->log->note_count; k++) bristle_report_text(report, c->log->note[k]);
}

static void add_path(const comparison *c, bristle_report *report, const char *title, const double *x, const char *label,
                     const char *unit)
{
  bristle_series series[MOST_COMPARED + 1];
  series[0] = (bristle_series){
    .name = "measured", .style = BRISTLE_STYLE_WIDE, .count = c->log->count, .x = x, .y = c->log->f
  };
  for (int k = 0; k < c->count; k++)
    series[k + 1] = (bristle_series){
      .name = c->model[c->order[k]].name, .count = c->log->count, .x = x, .y = c->model[c->order[k]].force
    };
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = title,
                              .half = 1,
                              .x = { label, unit, 0 },
                              .y = { "force", force_unit(c), 0 },
                              .series_count = (size_t)c->count + 1,
                              .series = series };
  bristle_report_plot(report, &plot);
}

/* the measured force without what the best model has beside its law */
static void measure_friction(const comparison *c, double *friction)
{
  const bristle_log *log = c->log;
  memcpy(c->log->over, c->model[c->order[0]].model.over, sizeof log->over);
  for (size_t i = 0; i < log->count; i++)
    friction[i] = log->f[i] - bristle_identified_beside(&c->model[c->order[0]].model, log, i);
}

/* the steady curves of the laws over the speeds of the log, without mass and offset */
static void add_steady(const comparison *c, bristle_report *report)
{
  static double speed[CURVE], force[MOST_COMPARED][CURVE];
  bristle_series series[MOST_COMPARED + 1];
  size_t shown = 1;
  double load = 0, *friction = malloc(c->log->count * sizeof *friction);
  if (!friction) return;
  measure_friction(c, friction);
  series[0] = (bristle_series){
    .name = "measured", .style = BRISTLE_STYLE_POINTS, .count = c->log->count, .x = c->log->v, .y = friction
  };
  for (size_t i = 0; c->log->n && i < c->log->count; i++) load += c->log->n[i] / (double)c->log->count;
  for (int i = 0; i < CURVE; i++) { /* dense near zero, where the curves are steep */
    const double part = 2.0 * i / (CURVE - 1) - 1;
    speed[i] = c->log->summary.speed_high * part * part * part;
  }
  for (int k = 0; k < c->count; k++) {
    const compared *m = &c->model[c->order[k]];
    bristle_input in = { .n = c->log->n ? load : 1, .load = m->model.load };
    for (int i = 0; i < CURVE; i++) {
      in.v = speed[i];
      const int has = in.v != 0 && m->model.law->f64->info->traits & BRISTLE_TRAIT_STEADY;
      force[k][i] = has ? m->model.law->f64->steady(m->model.p, &in) + m->model.term[BRISTLE_TERM_SKEW] * fabs(in.v)
                        : (double)NAN;
    }
    series[shown++] = (bristle_series){ .name = m->name, .count = CURVE, .x = speed, .y = force[k] };
  }
  const bristle_plot plot = { .kind = BRISTLE_PLOT_XY,
                              .title = "Steady friction of the laws",
                              .caption = "Measured: without mass, offset, gravity and other terms of the best model.",
                              .half = 1,
                              .x = { "velocity", speed_unit(c), 0 },
                              .y = { "friction", force_unit(c), 0 },
                              .series_count = shown,
                              .series = series,
                              .limit = 4000 };
  bristle_report_plot(report, &plot);
  free(friction);
}

static const char *term_name(const comparison *c, int term)
{
  return term < BRISTLE_TERM_EXTRA ? bristle_term_name(term) : c->log->extra_name[term - BRISTLE_TERM_EXTRA];
}

/* what a term of the record's own is times says more than any unit */
static const char *term_unit(const comparison *c, int term)
{
  return term < BRISTLE_TERM_EXTRA ? bristle_term_unit(term, c->log->rotary)
                                   : c->log->extra_text[term - BRISTLE_TERM_EXTRA];
}

static void add_parameters(const comparison *c, bristle_report *report)
{
  for (int k = 0; k < c->count; k++) {
    static const char *const heads[] = { "parameter", "value", "unit", "meaning" };
    const compared *m = &c->model[c->order[k]];
    const bristle_info *info = m->model.law->f64->info;
    char text[BRISTLE_LAW_SIZE + BRISTLE_TERMS][3][CELL];
    const char *cells[(BRISTLE_LAW_SIZE + BRISTLE_TERMS) * 4];
    size_t rows = 0;
    for (int i = 0; i < info->param_rows; i++)
      for (int j = 0; j < info->param[i].count; j++, rows++) {
        const bristle_row *row = &info->param[i];
        bristle_param_name(row, j, text[rows][0], CELL);
        snprintf(text[rows][1], CELL, "%.6g", m->model.p[row->first + j]);
        bristle_unit(row, m->model.load, m->model.rotary, text[rows][2], CELL);
        cells[4 * rows + 3] = row->doc;
      }
    for (int t = 0; t < BRISTLE_TERM_FRICTION_AT; t++) {
      if (m->model.term[t] == 0) continue;
      snprintf(text[rows][0], CELL, "%s", term_name(c, t));
      snprintf(text[rows][1], CELL, "%.6g", m->model.term[t]);
      snprintf(text[rows][2], CELL, t < BRISTLE_TERM_EXTRA ? "%.50s" : "times %.50s", term_unit(c, t));
      cells[4 * rows++ + 3] = "beside the law";
    }
    for (int kind = 0; kind < BRISTLE_OVERS; kind++) {
      if (!m->model.over[kind].knots) continue;
      snprintf(text[rows][0], CELL, "%s(x)", kind == BRISTLE_OVER_FRICTION ? "friction" : "force");
      snprintf(text[rows][1], CELL, "%d knots", m->model.over[kind].knots);
      snprintf(text[rows][2], CELL, "%s", force_unit(c));
      cells[4 * rows++ + 3] = "table over the position, beside the law";
    }
    for (size_t i = 0; i < rows; i++)
      for (int j = 0; j < 3; j++) cells[4 * i + (size_t)j] = text[i][j];
    const bristle_report_grid grid = { m->name, "lrll", 4, rows, heads, cells };
    if (rows) bristle_report_table(report, &grid);
  }
}

int compare_report(const comparison *c, const char *path)
{
  char title[200];
  snprintf(title, sizeof title, "Models on %.150s", c->data);
  bristle_report *report = bristle_report_new(title);
  double *errors = malloc((size_t)c->count * c->log->count * sizeof *errors);
  add_card(c, report);
  bristle_report_section(report, "Ranking");
  add_ranking(c, report);
  bristle_report_section(report, "Over time");
  add_over_time(c, report, NULL, 0);
  if (errors) add_over_time(c, report, errors, 0);
  bristle_report_section(report, "Loops and curves");
  add_path(c, report, "Force over position", c->log->x, "position", length_unit(c));
  add_path(c, report, "Force over velocity", c->log->v, "velocity", speed_unit(c));
  add_steady(c, report);
  bristle_report_section(report, "Parameters");
  add_parameters(c, report);
  free(errors);
  return finish_page(report, path);
}
