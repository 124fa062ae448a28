/* The page of `bristle identify`: verdict with its picture, ranking, parameters, records, and what was decided. */
#include "report.h"

#include "common/cli.h"
#include "decay.h"
#include "rig.h"

#include <math.h>

void identify_part_verdict(const identification *id, bristle_report *page)
{
  char sentence[IDENTIFY_SENTENCES][240], name[64], text[400];
  identify_name(id->result[0], name);
  bristle_report_section(page, "Verdict");
  if (id->doubt[0]) {
    snprintf(text, sizeof text, "Do not use this result: %s.", id->doubt);
    bristle_report_notice(page, text);
  }
  if (id->results > 1) snprintf(text, sizeof text, "The best of %d fits is `%s`.", id->results, name);
  else snprintf(text, sizeof text, "The law is `%s`.", name);
  bristle_report_text(page, text);
  int count = bristle_identified_verdict(id->result[0], (const bristle_log *const *)id->log, id->logs, sentence,
                                         IDENTIFY_SENTENCES);
  for (int i = 0; i < count; i++) bristle_report_text(page, sentence[i]);
  if (!id->view) return;
  /* the picture that carries it */
  if (id->result[0]->nothing_slides || !identify_draw_stribeck(id, page)) identify_draw_loop(id, &id->view[0], page);
  identify_draw_presliding(id, page);
}

/* one law of the ranking; its cells have room for 64 characters each */
enum { RANKING = 8 };
static void rank_cells(const bristle_identified *r, int place, char cell[RANKING][64])
{
  int count = 0;
  char name[64];
  for (int k = 0; k < r->estimates; k++) count += r->estimate[k].free;
  identify_name(r, name);
  snprintf(cell[0], 64, "%.40s%s", name, place == 0 ? " (leads)" : r->indistinguishable ? " =" : "");
  snprintf(cell[1], 64, "%d", count);
  snprintf(cell[2], 64, "%.4g %s", r->rms, identify_unit(r));
  snprintf(cell[3], 64, "%.3f %%", 100 * r->relative);
  snprintf(cell[4], 64, "%.4g %s", r->held_out, identify_unit(r));
  snprintf(cell[5], 64, "%.3f %%", 100 * r->validation);
  snprintf(cell[6], 64, "%.1f", r->bic);
  snprintf(cell[7], 64, "%.4g %s", r->held_out_slow, identify_unit(r));
  if (!isfinite(r->held_out)) cell[4][0] = '\0';
  if (!isfinite(r->validation)) cell[5][0] = '\0';
  if (!isfinite(r->held_out_slow)) cell[7][0] = '\0';
}

void identify_part_ranking(const identification *id, bristle_report *page)
{
  static const char *const heads[RANKING] = { "law", "free", "rms", "error", "held out", "validation", "BIC", "slow" };
  char cell[IDENTIFY_LAWS][RANKING][64];
  const char *cells[IDENTIFY_LAWS * RANKING], *shown[RANKING];
  size_t used = 0, columns = 0;
  for (int k = 0; k < RANKING; k++)
    if ((k != 5 || identify_is_validated(id)) && (k != 7 || identify_has_slow(id))) shown[columns++] = heads[k];
  for (int i = 0; i < id->results; i++) {
    rank_cells(id->result[i], i, cell[i]);
    for (int k = 0; k < RANKING; k++)
      if ((k != 5 || identify_is_validated(id)) && (k != 7 || identify_has_slow(id))) cells[used++] = cell[i][k];
  }
  bristle_report_section(page, "Ranking");
  bristle_report_table_marked(
      page,
      &(bristle_report_grid){
          .caption = "By the error of moving samples in pieces that were held out in turn. Laws marked = cannot be "
                     "told from the best, or explain slightly more with parameters that are not determined; of those "
                     "that the data determine, the one with the fewest parameters leads. A validation record is seen "
                     "by neither fit nor ranking. Slow: the held-out error of samples that start, stop or "
                     "turn, apart from the ranking unless a law explains them as it explains motion.",
          .align = "lrrrrrrr",
          .columns = columns,
          .rows = (size_t)id->results,
          .heads = shown,
          .cells = cells },
      1);
  for (int i = 0; i < id->failures; i++) bristle_report_text(page, id->failed[i]);
}

void identify_part_parameters(const identification *id, bristle_report *page)
{
  const bristle_identified *r = id->result[0];
  enum { COLUMNS = 4 };
  static const char *const heads[COLUMNS] = { "parameter", "value", "95 % interval", "remark" };
  char cell[BRISTLE_ESTIMATES][3][80];
  const char *cells[BRISTLE_ESTIMATES * COLUMNS];
  size_t rows = 0;
  for (int k = 0; k < r->estimates; k++) {
    const bristle_estimate *x = &r->estimate[k];
    if (bristle_identified_is_knot(r, k)) continue;
    if (!x->free && x->value == 0) continue;
    char number[64];
    identify_number(x, number);
    snprintf(cell[rows][0], 80, "%s", x->name);
    const char *times = identify_times(r, k);
    if (*times) snprintf(cell[rows][1], 80, "%.40s times %.30s", number, times);
    else snprintf(cell[rows][1], 80, "%.50s %s", number, strcmp(x->unit, "1") ? x->unit : "");
    double interval[2];
    identify_interval(r, k, interval);
    snprintf(cell[rows][2], 80, "%.6g to %.6g", interval[0], interval[1]);
    if (!x->free || !isfinite(x->deviation)) cell[rows][2][0] = '\0';
    for (int c = 0; c < 3; c++) cells[rows * COLUMNS + (size_t)c] = cell[rows][c];
    cells[rows * COLUMNS + 3] = x->reason;
    rows++;
  }
  bristle_report_section(page, "Parameters");
  bristle_report_table(page, &(bristle_report_grid){
                                 .align = "lrrl", .columns = COLUMNS, .rows = rows, .heads = heads, .cells = cells });
}

/* tables over the position, with their deviations */
void identify_part_over_position(const identification *id, bristle_report *page)
{
  const bristle_identified *r = id->result[0];
  for (int kind = 0; kind < BRISTLE_OVERS; kind++) {
    double position[BRISTLE_KNOTS + 1], value[BRISTLE_KNOTS + 1], deviation[BRISTLE_KNOTS + 1];
    double low[BRISTLE_KNOTS + 1], high[BRISTLE_KNOTS + 1];
    int knots = bristle_identified_over(r, (bristle_over)kind, position, value, deviation);
    const bristle_places *p = &r->over[kind];
    if (!knots) continue;
    if (p->periodic) { /* closed */
      position[knots] = p->low + p->length, value[knots] = value[0], deviation[knots] = deviation[0];
      knots++;
    }
    for (int k = 0; k < knots; k++) low[k] = value[k] - 2 * deviation[k], high[k] = value[k] + 2 * deviation[k];
    const size_t count = (size_t)knots;
    const bristle_series series[] = { { "table", BRISTLE_STYLE_LINE, count, position, value, NULL },
                                      { "- 2 deviations", BRISTLE_STYLE_DASHED, count, position, low, NULL },
                                      { "+ 2 deviations", BRISTLE_STYLE_DASHED, count, position, high, NULL } };
    bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                               .title = kind == BRISTLE_OVER_FRICTION ? "Friction over the position"
                                                                                      : "Force over the position",
                                               .caption = p->periodic ? "One period; levels and offset are the mean."
                                                                      : "Levels and offset are the mean.",
                                               .half = 1,
                                               .x = { "x", r->rotary ? "rad" : "m", 0 },
                                               .y = { "force", identify_unit(r), 0 },
                                               .series_count = 3,
                                               .series = series });
  }
}

void identify_part_correlation(const identification *id, bristle_report *page)
{
  const bristle_identified *r = id->result[0];
  const char *names[BRISTLE_ESTIMATES];
  int place[BRISTLE_ESTIMATES];
  size_t count = 0;
  for (int k = 0; k < r->estimates; k++)
    if (!bristle_identified_is_knot(r, k) && isfinite(r->correlation[k * r->estimates + k]))
      place[count] = k, names[count++] = r->estimate[k].name;
  double *values = malloc(sizeof *values * (count * count + 1));
  if (!values || count < 2) {
    free(values);
    return;
  }
  for (size_t a = 0; a < count; a++)
    for (size_t b = 0; b < count; b++) values[a * count + b] = r->correlation[place[a] * r->estimates + place[b]];
  bristle_report_matrix(page, &(bristle_matrix){ .caption = "Correlations: pairs near 1 or -1 cannot be told apart.",
                                                 .columns = count,
                                                 .rows = count,
                                                 .column_names = names,
                                                 .row_names = names,
                                                 .values = values,
                                                 .limit = 1 });
  free(values);
}

void identify_part_profile(const identification *id, bristle_report *page)
{
  if (!id->profile_count) return;
  const bristle_identified *best = id->result[0];
  char title[80];
  snprintf(title, sizeof title, "Profile of %s", id->profile_name);
  const bristle_series series[] = { { "all others fitted again", BRISTLE_STYLE_LINE, (size_t)id->profile_count,
                                      id->profile_value, id->profile_cost, NULL } };
  /* 3.84: what chi squared with one degree of freedom exceeds in 5 % of cases */
  const bristle_mark marks[] = {
    { .at = 1 + 3.84 * best->memory / (double)best->rows, .horizontal = 1, .label = "95 %" }
  };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_XY,
                                             .title = title,
                                             .caption = "Sum of squares/its minimum. Values below the line agree with "
                                                        "the data; a flat profile is a parameter they do not contain.",
                                             .half = 1,
                                             .x = { id->profile_name, id->profile_unit, 0 },
                                             .y = { "squares", NULL, 0 },
                                             .series_count = 1,
                                             .series = series,
                                             .mark_count = 1,
                                             .marks = marks });
}

void identify_part_settings(const identification *id, bristle_report *page)
{
  if (id->view) return; /* they stand among the decisions */
  bristle_report_section(page, "Settings");
  bristle_report_code(page, id->settings);
}

int identify_report(const identification *id, const char *path)
{
#define PART(name) identify_part_##name,
  static identify_part *const parts[] = {
#include "page.def"
  };
#undef PART
  bristle_report *page = bristle_report_new(id->motion && id->motion->title ? id->motion->title
                                                                            : "Identified friction");
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) parts[i](id, page);
  return finish_page(page, path);
}
