/* A log from a table: its rows without holes, cut into stretches of steady sampling. */
#include "fit/log.h"
#include "fit/sort.h"

#include <math.h>
#include <stdlib.h>

enum { SHORTEST = 8, FEWEST = 30 }; /* samples of a stretch; of a log */
static const double GAP = 5;        /* steps longer than this many median ones end a stretch */

void log_note(bristle_log *log, int doubtful, const char *format, ...)
{
  va_list args;
  if (doubtful) log->doubtful = 1;
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

static bristle_fault_kind check_time(const bristle_table *table, const log_choice *choice, bristle_fault *fault)
{
  const bristle_column *time = &table->column[choice->place[BRISTLE_CHANNEL_TIME]];
  double last = -HUGE_VAL, factor = choice->factor[BRISTLE_CHANNEL_TIME];
  for (size_t i = 0; i < table->rows; i++) {
    double t = time->data[i] * factor;
    if (!isfinite(t)) continue;
    if (!(t > last))
      return bristle_table_fault(table, time, i, fault,
                                 "sort the rows, cut the file where its clock restarts, or name another --time column",
                                 "time stands still or goes back, from %g to %g s", last, t);
    last = t;
  }
  return BRISTLE_FAULT_NONE;
}

static double **slot(bristle_log *log, int channel)
{
  double **const slots[BRISTLE_CHANNELS] = { &log->t, &log->x, &log->v, &log->a, &log->f, &log->n, &log->w };
  return slots[channel];
}

static bristle_fault_kind copy_rows(bristle_log *log, const bristle_table *table, const log_choice *choice,
                                    const bristle_log_options *options, bristle_fault *fault)
{
  const double *time = table->column[choice->place[BRISTLE_CHANNEL_TIME]].data;
  double begin = 0, scale = choice->factor[BRISTLE_CHANNEL_TIME];
  size_t broken = 0, kept = 0;
  for (size_t i = table->rows; i-- > 0;)
    if (isfinite(time[i])) begin = time[i] * scale;
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    if (choice->place[c] == table->columns) continue;
    *slot(log, c) = memory_take(&log->memory_list, sizeof(double) * (table->rows + 1));
    if (!*slot(log, c)) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for %s", table->file);
  }
  for (size_t i = 0; i < table->rows; i++) {
    double t = time[i] * scale - begin;
    if (isfinite(t) && (t < options->from || (options->to > 0 && t > options->to))) continue;
    if (!row_is_whole(table, choice, i)) {
      broken++;
      continue;
    }
    for (int c = 0; c < BRISTLE_CHANNELS; c++)
      if (*slot(log, c)) (*slot(log, c))[kept] = table->column[choice->place[c]].data[i] * choice->factor[c];
    kept++;
  }
  log->count = kept;
  if (broken) log_note(log, 2 * broken > kept, "%zu rows have empty or unreadable cells and were left out", broken);
  if (kept >= FEWEST) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_VALUE, "record longer, or trim less",
            "only %zu usable rows: too few to say anything about friction", kept);
  return fault_at(fault, log->file, 0, 0);
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

/* ---- stretches ---- */

static double median_step(bristle_log *log)
{
  double *steps = memory_take(&log->memory_list, sizeof *steps * log->count);
  if (!steps) return 0;
  for (size_t i = 1; i < log->count; i++) steps[i - 1] = log->t[i] - log->t[i - 1];
  sort_numbers(steps, log->count - 1);
  return steps[(log->count - 1) / 2];
}

/* moves the samples of the stretches that are long enough together */
static bristle_fault_kind cut(bristle_log *log, bristle_fault *fault)
{
  double median = median_step(log);
  size_t places = 2, kept = 0, begin = 0, short_ones = 0;
  if (!(median > 0)) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  for (size_t i = 1; i < log->count; i++) places += log->t[i] - log->t[i - 1] > GAP * median;
  log->first = memory_take(&log->memory_list, sizeof *log->first * places);
  if (!log->first) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  for (size_t i = 1; i <= log->count; i++) {
    if (i < log->count && log->t[i] - log->t[i - 1] <= GAP * median) continue;
    size_t length = i - begin;
    if (length < SHORTEST) {
      short_ones += length;
    } else {
      for (int c = 0; c < BRISTLE_CHANNELS; c++)
        if (*slot(log, c)) memmove(*slot(log, c) + kept, *slot(log, c) + begin, sizeof(double) * length);
      log->first[log->stretches++] = kept;
      kept += length;
    }
    begin = i;
  }
  log->count = kept;
  log->first[log->stretches] = kept;
  log->summary.rate = 1 / median;
  if (log->stretches > 1)
    log_note(log, 0, "the record has gaps: %zu stretches, each started from rest of the bristles", log->stretches);
  if (short_ones) log_note(log, 0, "%zu samples stand alone between gaps and were left out", short_ones);
  if (kept >= FEWEST) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_VALUE, "look at the time column", "the record consists of gaps");
  return fault_at(fault, log->file, 0, 0);
}

bristle_fault_kind bristle_log_from_table(const bristle_table *table, const bristle_log_options *options,
                                          bristle_log **log, bristle_fault *fault)
{
  log_choice choice;
  int measured[BRISTLE_CHANNELS];
  *log = NULL;
  bristle_fault_kind kind = log_choose(table, options, &choice, fault);
  if (!kind) kind = check_time(table, &choice, fault);
  if (kind) return kind;
  bristle_log *made = calloc(1, sizeof *made);
  if (!made) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  snprintf(made->file, sizeof made->file, "%s", table->file);
  made->rotary = choice.rotary;
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    measured[c] = choice.place[c] != table->columns;
    if (!measured[c]) continue;
    const bristle_column *column = &table->column[choice.place[c]];
    if (column->header[0]) snprintf(made->column[c], sizeof made->column[c], "%s", column->header);
    else snprintf(made->column[c], sizeof made->column[c], "column %zu", choice.place[c] + 1);
  }
  kind = copy_rows(made, table, &choice, options, fault);
  if (!kind) kind = cut(made, fault);
  if (!kind) kind = take_roots(made, table, fault);
  if (!kind) kind = log_prepare(made, options, measured, fault);
  if (!kind) kind = log_judge(made, options, fault);
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
