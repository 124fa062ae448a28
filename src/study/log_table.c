#include "study/log_table.h"

#include "maths/elementary.h"
#include "io/support.h"

#include <string.h>

enum { COLUMNS = 11, CELL = 100 };
static const char *const heads[COLUMNS] = { "channel", "column", "unit", "factor",  "rate",         "quantum",
                                            "noise",   "lag",    "held", "cut off", "instead of it" };

typedef struct row {
  char cell[COLUMNS][CELL];
} row;

static const char *si_unit(const bristle_log *log, int channel)
{
  static const char *const units[BRISTLE_CHANNELS][2] = {
    { "s", "s" }, { "m", "rad" }, { "m/s", "rad/s" }, { "m/s^2", "rad/s^2" }, { "N", "N*m" }, { "N", "N*m" }, { "", "" }
  };
  if (channel == BRISTLE_CHANNEL_REFERENCE) return units[log->reference_is_velocity ? 2 : 1][log->rotary != 0];
  return units[channel][log->rotary != 0];
}

static int is_measured(const bristle_log *log, int channel)
{
  return log->raw[channel] && log->fact[channel].factor != 0; /* weights may be our own */
}

static void write_number(char cell[CELL], double value, const char *unit)
{
  if (value > 0) snprintf(cell, CELL, "%.3g%s%s", value, *unit ? " " : "", unit);
  else snprintf(cell, CELL, "-");
}

static row make_row(const bristle_log *log, int channel)
{
  const bristle_channel_facts *fact = &log->fact[channel];
  const char *unit = si_unit(log, channel);
  row r = { 0 };
  snprintf(r.cell[0], CELL, "%s", bristle_channel_text((bristle_channel)channel));
  snprintf(r.cell[1], CELL, "%s", log->column[channel]);
  if (!is_measured(log, channel)) return r;
  if (strcmp(log->column[channel], fact->column)) snprintf(r.cell[10], CELL, "%s", log->column[channel]);
  snprintf(r.cell[1], CELL, "%s", fact->column);
  snprintf(r.cell[2], CELL, "%s", fact->unit[0] ? fact->unit : unit);
  snprintf(r.cell[3], CELL, "%.6g", fact->factor);
  if (fact->shift != 0) snprintf(r.cell[3] + strlen(r.cell[3]), CELL - strlen(r.cell[3]), " %+.4g", fact->shift);
  snprintf(r.cell[4], CELL, "%.4g Hz", log->summary.rate / (fact->held > 1 ? fact->held : 1));
  if (channel == BRISTLE_CHANNEL_TIME || channel >= BRISTLE_CHANNEL_WEIGHT) return r;
  write_number(r.cell[5], fact->quantum, unit);
  write_number(r.cell[6], fact->noise, unit);
  if (channel == BRISTLE_CHANNEL_VELOCITY && isfinite(log->velocity_lag))
    snprintf(r.cell[7], CELL, "%.3g ms", 1e3 * log->velocity_lag);
  if (fact->held > 1) snprintf(r.cell[8], CELL, "%.3g", fact->held);
  if (fact->saturated > 0) snprintf(r.cell[9], CELL, "%.2g %%", 100 * fact->saturated);
  return r;
}

/* rows of what is there; returns how many */
static size_t make_rows(const bristle_log *log, row rows[BRISTLE_CHANNELS])
{
  size_t count = 0;
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (log->column[c][0]) rows[count++] = make_row(log, c);
  return count;
}

void log_table_print(const bristle_log *log, FILE *out)
{
  row rows[BRISTLE_CHANNELS];
  size_t count = make_rows(log, rows), width[COLUMNS] = { [0] = 12 };
  /* names of columns stand in line, sentences about channels that were made do not widen the table */
  for (int k = 1; k < COLUMNS; k++)
    for (size_t i = 0; i < count; i++) {
      size_t length = strlen(rows[i].cell[k]);
      if (rows[i].cell[3][0] && length > width[k]) width[k] = length;
    }
  for (int k = 1; k < COLUMNS; k++)
    if (width[k] && width[k] < strlen(heads[k])) width[k] = strlen(heads[k]);
  for (size_t i = 0; i <= count; i++) {
    char line[COLUMNS * (CELL + 1) + 2] = "";
    size_t used = 0;
    for (int k = 0; k < COLUMNS; k++)
      if (width[k])
        used = text_append(line, sizeof line, used, "%-*s ", (int)width[k], i ? rows[i - 1].cell[k] : heads[k]);
    while (used && line[used - 1] == ' ') line[--used] = '\0';
    fprintf(out, "  %s\n", line);
  }
}

void log_table_json(const bristle_log *log, FILE *out)
{
  fputs("\"channels\": {", out);
  for (int c = 0, written = 0; c < BRISTLE_CHANNELS; c++) {
    const bristle_channel_facts *fact = &log->fact[c];
    if (!is_measured(log, c)) continue;
    if (written++) fputs(", ", out);
    bristle_json_print(out, "%s: {'column': %s, 'unit': %s, 'factor': %g, 'shift': %g, 'rate_Hz': %g",
                       bristle_channel_text((bristle_channel)c), fact->column,
                       fact->unit[0] ? fact->unit : si_unit(log, c), fact->factor, fact->shift,
                       log->summary.rate / (fact->held > 1 ? fact->held : 1));
    if (c != BRISTLE_CHANNEL_TIME && c < BRISTLE_CHANNEL_WEIGHT)
      bristle_json_print(out, ", 'quantum': %g, 'noise': %g, 'held': %g, 'saturated': %g", fact->quantum, fact->noise,
                         fact->held, fact->saturated);
    if (c == BRISTLE_CHANNEL_VELOCITY) bristle_json_print(out, ", 'lag_s': %g", log->velocity_lag);
    fputs("}", out);
  }
  fputs("}", out);
}

void log_table_report(const bristle_log *log, bristle_report *page)
{
  row rows[BRISTLE_CHANNELS];
  const char *cells[BRISTLE_CHANNELS * COLUMNS];
  const size_t count = make_rows(log, rows);
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k < COLUMNS; k++) cells[i * COLUMNS + (size_t)k] = rows[i].cell[k];
  bristle_report_table(page, &(bristle_report_grid){ .caption = "What was read, and what is known of each channel.",
                                                     .align = "lllllllllll",
                                                     .columns = COLUMNS,
                                                     .rows = count,
                                                     .heads = heads,
                                                     .cells = cells });
}
