/* The page of a sweep: what was found, maps over the first two keys, distributions, sensitivities, and how it was made.
 */
#include "sweep.h"

#include "maths/elementary.h"
#include "platform/platform.h"
#include "io/support.h"

enum { MOST_MAPS = 8 };

static void add_facts(bristle_report *page, const bristle_sweep *s, const bristle_sweep_summary *sum)
{
  char runs[80], failed[120], drawn[120];
  snprintf(runs, sizeof runs, "%llu in %llu chunks", s->runs, s->chunks);
  snprintf(drawn, sizeof drawn, "%s%s", s->sampling, s->indices ? ", in groups for Sobol's indices" : "");
  snprintf(failed, sizeof failed, "%llu refused by a rule, %llu did not reach their end", sum->status[1],
           sum->status[2]);
  const char *const facts[][2] = { { "runs", runs },
                                   { "sampling", drawn },
                                   { "without numbers", failed },
                                   { "scenario", s->scenario ? s->scenario : "in the spec" },
                                   { "spec (sha256)", s->digest } };
  bristle_report_facts(page, sizeof facts / sizeof *facts, facts);
}

/* ---- maps ---- */

static void label(const bristle_sweep_column *c, double value, char text[32])
{
  if (c->text) snprintf(text, 32, "%.31s", c->text[(size_t)value]);
  else snprintf(text, 32, fabs(value) >= 1000 && fabs(value) < 1e6 ? "%.0f" : "%.3g", value);
}

/* names of a map are cut: one that is must not stand in a command */
static int is_cut(const bristle_sweep_column *c, size_t count)
{
  for (size_t k = 0; c->text && k < count; k++)
    if (strlen(c->text[k]) > 31 || strpbrk(c->text[k], "'`^_")) return 1;
  return 0;
}

/* the command that runs a cell of a map; 0: more keys, or a scenario without a file */
static int write_command(const bristle_sweep *s, const bristle_sweep_summary *sum, char text[1200])
{
  const bristle_sweep_column *c = s->column;
  const char *file;
  char settings[600];
  if (s->columns > 2 && c[2].kind == BRISTLE_SWEEP_KEY) return 0;
  if (is_cut(c, sum->cells[0]) || is_cut(c + 1, sum->cells[1])) return 0;
  if (!bristle_sweep_base(s, &file, settings, sizeof settings)) return 0;
  const int length = snprintf(text, 1200, "bristle simulate %s --set '%s%s%s={x}%s%s,%s={y}%s%s' --report run.html",
                              file, settings, settings[0] ? "," : "", c[0].name, c[0].unit[0] ? " " : "", c[0].unit,
                              c[1].name, c[1].unit[0] ? " " : "", c[1].unit);
  return length < 1200;
}

static void add_map(bristle_report *page, const bristle_sweep *s, const bristle_sweep_summary *sum, size_t i)
{
  char text[2][BRISTLE_SWEEP_MAP][32], caption[400], command[1200];
  const char *name[2][BRISTLE_SWEEP_MAP];
  const double *map = sum->map + i * sum->cells[0] * sum->cells[1];
  double limit = 0, low = HUGE_VAL;
  for (int j = 0; j < 2; j++)
    for (size_t k = 0; k < sum->cells[j]; k++) {
      label(&s->column[j], sum->at[j][k], text[j][k]);
      name[j][k] = text[j][k];
    }
  for (size_t k = 0; k < sum->cells[0] * sum->cells[1]; k++)
    if (isfinite(map[k])) limit = fmax(limit, fabs(map[k])), low = fmin(low, map[k]);
  if (!(low > 0 && low < limit)) low = 0; /* what varies little would have one colour */
  snprintf(caption, sizeof caption,
           "%s%s%s%s: its mean over %s%s%s (to the right) and %s%s%s (upward). Hatched: no run gave a number.",
           s->column[i].name, s->column[i].unit[0] ? " [" : "", s->column[i].unit, s->column[i].unit[0] ? "]" : "",
           s->column[0].name, s->column[0].unit[0] ? " in " : "", s->column[0].unit, s->column[1].name,
           s->column[1].unit[0] ? " in " : "", s->column[1].unit);
  bristle_report_matrix(page, &(bristle_matrix){ .caption = caption,
                                                 .columns = sum->cells[0],
                                                 .rows = sum->cells[1],
                                                 .column_names = name[0],
                                                 .row_names = name[1],
                                                 .values = map,
                                                 .limit = limit > 0 ? limit : 1,
                                                 .low = low,
                                                 .command = write_command(s, sum, command) ? command : NULL,
                                                 .column_at = s->column[0].text ? NULL : sum->at[0],
                                                 .row_at = s->column[1].text ? NULL : sum->at[1],
                                                 .unit = s->column[i].unit,
                                                 .upward = 1 });
}

static void add_maps(bristle_report *page, const bristle_sweep *s, const bristle_sweep_summary *sum)
{
  int shown = 0;
  if (!sum->map) return;
  bristle_report_section(page, "Maps");
  for (size_t i = 0; i < s->columns; i++)
    if (s->column[i].kind == BRISTLE_SWEEP_QUANTITY && sum->numbers[i].count && shown++ < MOST_MAPS)
      add_map(page, s, sum, i);
}

/* ---- distributions ---- */

static void add_distribution(bristle_report *page, const bristle_sweep_column *c, const bristle_sweep_numbers *n)
{
  double x[BRISTLE_SWEEP_BINS + 1], y[BRISTLE_SWEEP_BINS + 1];
  char caption[200];
  for (int k = 0; k <= BRISTLE_SWEEP_BINS; k++) {
    x[k] = n->least + (n->largest - n->least) * k / BRISTLE_SWEEP_BINS;
    y[k] = n->bin[k < BRISTLE_SWEEP_BINS ? k : k - 1] / (double)n->count;
  }
  snprintf(caption, sizeof caption, "Mean %.6g, deviation %.3g, of %llu runs.", n->mean, n->deviation, n->count);
  const bristle_series series[] = { { "fraction of the runs", BRISTLE_STYLE_STEPS, BRISTLE_SWEEP_BINS + 1, x, y,
                                      NULL } };
  bristle_report_plot(page, &(bristle_plot){ .kind = BRISTLE_PLOT_TIME,
                                             .title = c->name,
                                             .caption = caption,
                                             .x = { c->name, c->unit, 0 },
                                             .y = { "fraction of the runs", "", 0 },
                                             .half = 1,
                                             .series_count = 1,
                                             .series = series });
}

static void add_distributions(bristle_report *page, const bristle_sweep *s, const bristle_sweep_summary *sum)
{
  bristle_report_section(page, "Distributions");
  for (size_t i = 0; i < s->columns; i++) {
    const bristle_sweep_numbers *n = &sum->numbers[i];
    if (s->column[i].kind == BRISTLE_SWEEP_QUANTITY && n->count && n->largest > n->least)
      add_distribution(page, &s->column[i], n);
  }
}

/* ---- sensitivities ---- */

static void add_shares(bristle_report *page, const bristle_sweep *s, const double *share, const char *caption)
{
  enum { MOST = 64 };
  const char *row[MOST], *column[MOST];
  double values[MOST * MOST];
  size_t keys = 0, rows = 0;
  while (keys < s->columns && keys < MOST && s->column[keys].kind == BRISTLE_SWEEP_KEY)
    column[keys] = s->column[keys].name, keys++;
  for (size_t i = 0; i < s->columns && rows < MOST; i++) {
    if (s->column[i].kind != BRISTLE_SWEEP_QUANTITY) continue;
    for (size_t j = 0; j < keys; j++) values[rows * keys + j] = share[i * s->columns + j];
    row[rows++] = s->column[i].name;
  }
  if (rows && keys)
    bristle_report_matrix(page, &(bristle_matrix){ .caption = caption,
                                                   .columns = keys,
                                                   .rows = rows,
                                                   .column_names = column,
                                                   .row_names = row,
                                                   .values = values,
                                                   .limit = 1 });
}

enum { CARD_ROWS = 8, CELL = 100 };

/* The first screen: how many runs gave numbers, where each quantity lies, and what its key is. */
static void add_card(bristle_report *page, bristle_sweep *s, const bristle_sweep_summary *sum)
{
  static const char *const words[] = { "All runs complete", "Some runs gave no numbers" };
  char sentence[200], value[CARD_ROWS][CELL], unit[CARD_ROWS][48], number[3][CELL], *failures = NULL;
  bristle_card_row row[CARD_ROWS];
  size_t rows = 0, details = 0;
  platform_memory told;
  for (size_t i = 0; i < s->columns && rows < CARD_ROWS; i++) {
    const bristle_sweep_numbers *n = &sum->numbers[i];
    if (s->column[i].kind != BRISTLE_SWEEP_QUANTITY || !n->count) continue;
    snprintf(value[rows], CELL, "%.3g to %.3g, mean %.3g", n->least, n->largest, n->mean);
    row[rows] = (bristle_card_row){ .name = s->column[i].name,
                                    .about = "",
                                    .value = value[rows],
                                    .unit = bristle_report_unit(s->column[i].unit, unit[rows]) };
    rows++;
  }
  if (platform_memory_open(&told)) {
    sweep_tell_failures(s, sum, told.stream);
    if (!platform_memory_close(&told) && told.size) details = 1;
    failures = told.text;
  }
  const char *const detail[] = { failures };
  const unsigned long long without = sum->status[1] + sum->status[2];
  if (without) snprintf(sentence, sizeof sentence, "%llu of %llu runs gave their numbers.", sum->status[0], s->runs);
  else snprintf(sentence, sizeof sentence, "All %llu runs gave their numbers.", s->runs);
  snprintf(number[0], CELL, "%llu", s->runs);
  snprintf(number[1], CELL, "%llu", sum->status[1]);
  snprintf(number[2], CELL, "%llu", sum->status[2]);
  const char *const fact[][2] = { { number[0], "runs" },
                                  { number[1], "refused by a rule" },
                                  { number[2], "did not reach their end" } };
  const bristle_card card = { .grade = details ? BRISTLE_GRADE_CARE : BRISTLE_GRADE_GOOD,
                              .word = words[details],
                              .sentence = sentence,
                              .next = "look at the maps; a click on a cell shows the command of its run.",
                              .details = details,
                              .detail = detail,
                              .rows = rows,
                              .row = row,
                              .facts = 3,
                              .fact = fact };
  bristle_report_card(page, &card);
  bristle_report_card_facts(page, &card);
  free(failures);
}

int sweep_page(bristle_sweep *s, const bristle_sweep_summary *sum, const char *path)
{
  bristle_report *page = bristle_report_new(s->title ? s->title : "Sweep");
  add_card(page, s, sum);
  add_maps(page, s, sum);
  add_distributions(page, s, sum);
  bristle_report_section(page, "Sensitivities");
  add_shares(page, s, sum->share,
             "Share of the variance of a quantity that one key explains alone (first-order index)");
  if (sum->total)
    add_shares(page, s, sum->total, "Share of the variance in which a key takes part, with all others (total index)");
  bristle_report_section(page, "How it was made");
  add_facts(page, s, sum);
  return finish_page(page, path);
}
