/* A log from a table: rows without holes, repaired and cut into stretches of steady sampling. */
#include "fit/record.h"

#include <math.h>
#include <stdlib.h>

void log_note(bristle_log *log, int doubtful, const char *format, ...)
{
  va_list args;
  if (doubtful) log->doubtful++;
  if (log->note_count == sizeof log->note / sizeof *log->note) return;
  va_start(args, format);
  vsnprintf(log->note[log->note_count++], sizeof *log->note, format, args);
  va_end(args);
}

void bristle_log_free(bristle_log *log)
{
  if (!log) return;
  memory_free(log->memory_list);
  free(log);
}

/* ---- rows ---- */

static int row_is_whole(const bristle_table *table, const log_choice *choice, size_t row)
{
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (choice->place[c] != table->columns && !isfinite(table->column[choice->place[c]].data[row])) return 0;
  return 1;
}

static bristle_fault_kind check_length(const record *r, bristle_fault *fault)
{
  if (r->count >= RECORD_FEWEST) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_VALUE, "record longer, or trim less",
            "only %zu usable rows: too few to say anything about friction", r->count);
  return fault_at(fault, r->log->file, 0, 0);
}

static int is_empty(const bristle_column *column, size_t rows)
{
  for (size_t i = 0; i < rows; i++)
    if (isfinite(column->data[i])) return 0;
  return 1;
}

static bristle_fault_kind empty_column(const bristle_log *log, int channel, size_t rows, bristle_fault *fault)
{
  char hint[80];
  snprintf(hint, sizeof hint, "is it the right column? --%s NAME takes another",
           bristle_channel_text((bristle_channel)channel));
  fault_set(fault, BRISTLE_FAULT_VALUE, hint,
            "only 0 usable rows, too few: the %s (%s) is no number in any of %zu rows",
            bristle_channel_text((bristle_channel)channel), log->column[channel], rows);
  return fault_at(fault, log->file, 0, 0);
}

static bristle_fault_kind take_rows(record *r, const bristle_table *table, const log_choice *choice, size_t *row,
                                    bristle_fault *fault)
{
  size_t broken = 0, kept = 0;
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    if (choice->place[c] == table->columns) continue;
    r->data[c] = memory_take(&r->log->memory_list, sizeof(double) * (table->rows + 1));
    if (!r->data[c]) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for %s", table->file);
  }
  for (size_t i = 0; i < table->rows; i++) {
    if (!row_is_whole(table, choice, i)) {
      broken++;
      continue;
    }
    for (int c = 0; c < BRISTLE_CHANNELS; c++)
      if (r->data[c]) r->data[c][kept] = table->column[choice->place[c]].data[i] * choice->factor[c];
    row[kept++] = i;
  }
  r->count = kept;
  if (broken) log_note(r->log, 2 * broken > kept, "%zu rows have empty or unreadable cells and were left out", broken);
  if (!kept)
    for (int c = 0; c < BRISTLE_CHANNELS; c++)
      if (r->data[c] && is_empty(&table->column[choice->place[c]], table->rows))
        return empty_column(r->log, c, table->rows, fault);
  return check_length(r, fault);
}

/* keeps the time that was asked for */
static bristle_fault_kind trim(record *r, const bristle_log_options *options, bristle_fault *fault)
{
  const double start = r->data[BRISTLE_CHANNEL_TIME][0];
  const size_t before = r->count;
  const double lasts = before ? r->data[BRISTLE_CHANNEL_TIME][before - 1] - start : 0;
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++) {
    double t = r->data[BRISTLE_CHANNEL_TIME][i] - start;
    if (t < options->from || (options->to > 0 && t > options->to)) continue;
    for (int c = 0; c < RECORD_COLUMNS; c++)
      if (r->data[c]) r->data[c][kept] = r->data[c][i];
    r->begins[kept++] = r->begins[i];
  }
  r->count = kept;
  if (kept || !before) return check_length(r, fault);
  fault_set(fault, BRISTLE_FAULT_VALUE, "the times are counted from the first row",
            "nothing is left of the record, which lasts %.4g s, after --from %.4g s%s", lasts, options->from,
            options->to > 0 ? " and --to" : "");
  return fault_at(fault, r->log->file, 0, 0);
}

/* Weights become their roots, by which residuals are multiplied; on the average they leave them as they are. */
static bristle_fault_kind take_roots(bristle_log *log, const bristle_table *table, bristle_fault *fault)
{
  double sum = 0, least = 0;
  for (size_t i = 0; log->w && i < log->count; i++) sum += log->w[i], least = fmin(least, log->w[i]);
  if (!log->w || (least >= 0 && sum > 0)) {
    for (size_t i = 0; log->w && i < log->count; i++) log->w[i] = sqrt(log->w[i] * (double)log->count / sum);
    return BRISTLE_FAULT_NONE;
  }
  fault_set(fault, BRISTLE_FAULT_VALUE, "a weight is 0 for a sample that does not count, and larger the surer it is",
            least < 0 ? "the column '%s' has the weight %g, expected none below zero"
                      : "the column '%s' has no weight above %g",
            log->column[BRISTLE_CHANNEL_WEIGHT], least);
  return fault_at(fault, table->file, 0, 0);
}

/* ---- from rows to a log ---- */

/* What was measured stays as it is in raw; the copies are what filters and laws work with. */
static bristle_fault_kind hand_over(record *r, bristle_fault *fault)
{
  bristle_log *log = r->log;
  double **const slots[BRISTLE_CHANNELS] = { &log->t, &log->x, &log->v, &log->a, &log->f, &log->n, &log->w };
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    if (!r->data[c] || !slots[c]) continue;
    log->raw[c] = r->data[c];
    *slots[c] = memory_take(&log->memory_list, sizeof(double) * (log->count + 1));
    if (!*slots[c]) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the record");
    memcpy(*slots[c], r->data[c], sizeof(double) * log->count);
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind make_record(bristle_log *log, const bristle_table *table, const log_choice *choice,
                                      const bristle_log_options *options, bristle_fault *fault)
{
  record r = { .log = log, .begins = memory_take(&log->memory_list, table->rows + 1) };
  size_t *row = memory_take(&log->memory_list, sizeof *row * (table->rows + 1));
  if (!r.begins || !row) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the record");
  bristle_fault_kind kind = take_rows(&r, table, choice, row, fault);
  if (!kind) kind = record_mend_time(&r, table, row, fault);
  if (!kind) kind = trim(&r, options, fault);
  if (!kind) kind = record_levels(&r, fault);
  if (!kind) kind = record_grid(&r, fault);
  if (!kind) kind = hand_over(&r, fault);
  if (kind) return kind;
  record_noises(log);
  return record_lag(log, fault);
}

bristle_fault_kind bristle_log_from_table(const bristle_table *table, const bristle_log_options *options,
                                          bristle_log **log, bristle_fault *fault)
{
  log_choice choice;
  int measured[BRISTLE_CHANNELS];
  *log = NULL;
  bristle_fault_kind kind = log_choose(table, options, &choice, fault);
  if (kind) return kind;
  bristle_log *made = calloc(1, sizeof *made);
  if (!made) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  snprintf(made->file, sizeof made->file, "%s", table->file);
  made->rotary = choice.rotary;
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    measured[c] = choice.place[c] != table->columns;
    if (!measured[c]) continue;
    const bristle_column *column = &table->column[choice.place[c]];
    if (c == BRISTLE_CHANNEL_POSITION || c == BRISTLE_CHANNEL_VELOCITY)
      made->unit_is_given |= choice.scaled[c] || column->origin != BRISTLE_UNIT_NONE;
    if (choice.factor[c] != 1) snprintf(made->column[c], sizeof made->column[c], "%s", options->column[c]);
    else if (column->header[0]) snprintf(made->column[c], sizeof made->column[c], "%s", column->header);
    else snprintf(made->column[c], sizeof made->column[c], "column %zu", choice.place[c] + 1);
  }
  kind = make_record(made, table, &choice, options, fault);
  if (!kind) kind = take_roots(made, table, fault);
  if (!kind && !options->motion_only) kind = log_prepare(made, options, measured, fault);
  if (!kind && !options->motion_only) kind = log_judge(made, options, fault);
  if (kind) bristle_log_free(made);
  else *log = made;
  return kind;
}

bristle_fault_kind bristle_log_read(const char *path, const bristle_log_options *options, bristle_log **log,
                                    bristle_fault *fault)
{
  char *text = NULL;
  size_t size = 0;
  bristle_table *table = NULL;
  *log = NULL;
  bristle_fault_kind kind = read_whole(path, &text, &size, fault);
  if (kind) return kind;
  kind = bristle_table_parse(strcmp(path, "-") ? path : "standard input", text, size, &table, fault);
  if (!kind) kind = bristle_log_from_table(table, options, log, fault);
  if (!kind) bristle_digest(text, size, (*log)->digest);
  bristle_table_free(table);
  free(text);
  return kind;
}
