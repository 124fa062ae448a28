/* The page of `bristle loads`: each parameter over the load, with the rule that joins its values. */
#include "loads.h"

#include "common/cli.h"

#include "lab/report.h"

#include "maths/elementary.h"

enum { CURVE = 60, CELL = 48 };

static void add_values(const loads_answer *a, bristle_report *report)
{
  const loads_column *first = &a->column[0];
  const size_t loads = first->series.count, columns = loads + 2;
  char(*text)[CELL] = calloc((size_t)(a->count + 1) * columns, sizeof *text);
  const char **cells = calloc((size_t)(a->count + 1) * columns, sizeof *cells),
             *heads[MOST_LOADS + 2] = { "parameter" };
  char align[MOST_LOADS + 3] = "l";
  for (size_t i = 0; text && cells && i < (size_t)(a->count + 1) * columns; i++) cells[i] = text[i];
  for (size_t i = 0; text && cells && i < loads; i++) {
    snprintf(text[i], CELL, "at %.4g N", first->n[i]);
    heads[i + 1] = text[i];
    align[i + 1] = 'r';
  }
  heads[loads + 1] = "rule", align[loads + 1] = 'l';
  for (int k = 0; text && cells && k < a->count; k++) {
    const loads_column *c = &a->column[k];
    char(*row)[CELL] = text + (size_t)(k + 1) * columns, unit[24];
    bristle_unit(c->row, BRISTLE_LOAD_FORCE, a->rotary, unit, sizeof unit);
    snprintf(row[0], CELL, "%.20s (%s)", c->row->name, unit);
    for (size_t i = 0; i < loads; i++)
      if (c->deviation[i] > 0) snprintf(row[i + 1], CELL, "%.6g +- %.2g", c->value[i], c->deviation[i]);
      else snprintf(row[i + 1], CELL, "%.6g", c->value[i]);
    snprintf(row[loads + 1], CELL, "%s",
             c->fault[0]   ? "none"
             : c->constant ? "the same"
                           : bristle_load_rule_text(c->law.best));
  }
  if (text && cells)
    bristle_report_table(
        report,
        &(bristle_report_grid){
            .align = align, .columns = columns, .rows = (size_t)a->count, .heads = heads, .cells = cells + columns });
  free(text);
  free(cells);
}

static void add_plot(const loads_answer *a, const loads_column *c, bristle_report *report)
{
  double n[CURVE], value[CURVE];
  char unit[24], rule[CELL];
  for (int i = 0; i < CURVE; i++) {
    n[i] = c->law.lowest * pow(c->law.highest / c->law.lowest, i / (CURVE - 1.0));
    value[i] = bristle_load_law_value(&c->law, c->law.best, n[i]);
  }
  bristle_unit(c->row, BRISTLE_LOAD_FORCE, a->rotary, unit, sizeof unit);
  snprintf(rule, sizeof rule, "rule: %s", bristle_load_rule_text(c->law.best));
  const bristle_series series[] = {
    { .name = "identified", .style = BRISTLE_STYLE_POINTS, .count = c->series.count, .x = c->n, .y = c->value },
    { .name = rule, .count = CURVE, .x = n, .y = value }
  };
  bristle_report_plot(report, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = c->row->name,
                                               .caption = c->row->doc,
                                               .half = 1,
                                               .x = { "load", "N", 0 },
                                               .y = { c->row->name, unit, 0 },
                                               .series_count = 2,
                                               .series = series });
}

int loads_report(const loads_answer *a, const char *path)
{
  char text[1000];
  snprintf(text, sizeof text, "Parameters of %s against the load", a->info->name);
  bristle_report *report = bristle_report_new(text);
  for (int k = 0; k < a->count; k++) {
    const loads_column *c = &a->column[k];
    if (c->constant || c->fault[0]) continue;
    bristle_load_law_text(&c->series, &c->law, text, sizeof text);
    bristle_report_text(report, text);
  }
  add_values(a, report);
  bristle_report_section(report, "Over the load");
  for (int k = 0; k < a->count; k++)
    if (!a->column[k].constant && !a->column[k].fault[0]) add_plot(a, &a->column[k], report);
  return finish_page(report, path);
}
