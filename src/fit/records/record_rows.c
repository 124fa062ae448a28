/* The rows of a table that are whole, in SI, with a time in seconds whatever the clock counts. */
#include "fit/records/record.h"
#include "fit/common/sort.h"
#include "io/blocks.h"
#include "io/recognise.h"
#include "maths/elementary.h"

#include <stdlib.h>

static const bristle_column *column_of(const bristle_table *table, const log_choice *choice, int channel)
{
  const size_t place = choice->column[channel].place;
  return place == table->columns ? NULL : &table->column[place];
}

/* ---- what the clock counts ---- */

/* Time since 1970 tells by its size what it counts; another clock that counts whole numbers without a unit by its
   steps: samples are taken between 10 times and 10000 times a second. */
static double guess_tick(const bristle_column *time, size_t rows, double *work)
{
  static const double epoch = 1e9, ticks[] = { 1, 1e-3, 1e-6, 1e-9 };
  size_t steps = 0;
  double last = (double)NAN, least = HUGE_VAL;
  int whole = 1;
  for (size_t i = 0; i < rows; i++) {
    double t = time->data[i];
    if (!isfinite(t)) continue;
    whole &= t == floor(t);
    least = fmin(least, t);
    if (t > last) work[steps++] = t - last;
    last = t;
  }
  if (steps < RECORD_FEWEST) return 1;
  if (strstr(time->name, "millis")) return 1e-3;
  if (strstr(time->name, "micros")) return 1e-6;
  if (strstr(time->name, "nanos")) return 1e-9;
  for (int k = 0; k < 4; k++)
    if (least * ticks[k] >= epoch && least * ticks[k] < 4 * epoch) return ticks[k];
  const double step = sort_pick(work, steps, steps / 2);
  return !whole ? 1 : step <= 100 ? 1e-3 : step <= 1e5 ? 1e-6 : 1e-9;
}

static void say_tick(bristle_log *log, double tick)
{
  const char *name = tick == 1e-3 ? "ms" : tick == 1e-6 ? "us" : "ns";
  if (tick == 1) return;
  log_note(log, 0, "the time column has whole numbers and no unit: read as %s (option time '%s*1 s' for seconds)", name,
           log->column[BRISTLE_CHANNEL_TIME]);
}

bristle_fault_kind record_clock(const bristle_table *table, const log_choice *choice, double *origin, double *time,
                                double *tick, bristle_fault *fault)
{
  const bristle_column *column = column_of(table, choice, BRISTLE_CHANNEL_TIME);
  const bristle_column *rest = choice->nanoseconds == table->columns ? NULL : &table->column[choice->nanoseconds];
  const log_column *chosen = &choice->column[BRISTLE_CHANNEL_TIME];
  *tick = chosen->factor;
  if (!rest && !chosen->scaled && chosen->factor == 1 && column->origin == BRISTLE_UNIT_ORIGIN_NONE) {
    double *work = malloc(sizeof *work * (table->rows + 1));
    if (!work) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for %s", table->file);
    *tick = guess_tick(column, table->rows, work);
    free(work);
  }
  const double rest_tick = rest && rest->origin == BRISTLE_UNIT_ORIGIN_NONE
                               ? 1e-9
                               : 1; /* "nsec" may have been read as a unit */
  /* large numbers lose their last digits in seconds: the first one is taken off before */
  double first = 0;
  for (size_t i = 0; i < table->rows; i++)
    if (isfinite(column->data[i])) {
      first = *tick < 1e-3 || rest || column->data[i] * *tick > 1e8 ? column->data[i] : 0;
      break;
    }
  if (isnan(*origin)) *origin = first * *tick;
  const double offset = first * *tick - *origin + chosen->shift;
  for (size_t i = 0; i < table->rows; i++)
    time[i] = (column->data[i] - first) * *tick + (rest ? rest_tick * rest->data[i] : 0) + offset;
  return BRISTLE_FAULT_NONE;
}

/* fills in seconds since the first row */
static bristle_fault_kind take_time(record *r, const bristle_table *table, const log_choice *choice,
                                    const bristle_log_options *options, double *time, bristle_fault *fault)
{
  double origin = (double)NAN, tick = 1;
  for (size_t i = 0; options->rate > 0 && i < table->rows; i++) time[i] = (double)table_row(table, i) / options->rate;
  if (options->rate > 0) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = record_clock(table, choice, &origin, time, &tick, fault);
  if (tick != choice->column[BRISTLE_CHANNEL_TIME].factor) say_tick(r->log, tick);
  r->log->fact[BRISTLE_CHANNEL_TIME].factor = tick;
  return kind;
}

/* ---- rows ---- */

static bristle_fault_kind check_length(const record *r, bristle_fault *fault)
{
  if (r->count >= RECORD_FEWEST) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_VALUE, "record longer, or trim less",
            "only %zu usable row%s: too few to say anything about friction", r->count, PLURAL(r->count));
  return fault_at(fault, r->log->file, 0, 0);
}

static int row_is_whole(const record *r, size_t row)
{
  for (int c = 0; c < RECORD_COLUMNS; c++)
    if (r->data[c] && !isfinite(r->data[c][row])) return 0;
  return 1;
}

/* the column, of those in use, whose first cell that is no number comes first in the file; or NULL */
static const bristle_column *worst_column(const record *r, const bristle_table *table, const log_choice *choice)
{
  const bristle_column *found = NULL;
  for (int c = 0; c < RECORD_COLUMNS; c++) {
    if (!r->data[c]) continue;
    const size_t place = c < BRISTLE_CHANNELS ? choice->column[c].place : r->log->terms->source[c - BRISTLE_CHANNELS];
    const bristle_column *column = place < table->columns ? &table->column[place] : NULL;
    if (!column || !column_first_bad(column)) continue;
    if (!found || column_first_bad(column)->line < column_first_bad(found)->line) found = column;
  }
  return found;
}

static bristle_fault_kind check_empty(const record *r, const bristle_table *table, const log_choice *choice,
                                      bristle_fault *fault)
{
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    const bristle_column *column = column_of(table, choice, c);
    size_t found = 0;
    char hint[80], text[200];
    for (size_t i = 0; r->data[c] && i < table->rows; i++) found += isfinite(r->data[c][i]) != 0;
    if (!r->data[c] || found || !column || !column_first_bad(column)) continue;
    const char *name = bristle_channel_text((bristle_channel)c);
    snprintf(hint, sizeof hint, "is it the right column? option %s NAME takes another", name);
    column_say_bad(table, column, text);
    fault_set(fault, BRISTLE_FAULT_VALUE, hint, "%s; no row is usable: the %s (%s) is no number in any of %zu rows",
              text, name, r->log->column[c], table->rows);
    return fault_at(fault, r->log->file, column_first_bad(column)->line, column_first_bad(column)->column);
  }
  return BRISTLE_FAULT_NONE;
}

/* says which rows were left out, and refuses the record when too few are left */
static bristle_fault_kind tell_broken(record *r, const bristle_table *table, const log_choice *choice, int filled,
                                      bristle_fault *fault)
{
  const size_t broken = table->rows - r->count;
  const bristle_column *column = broken ? worst_column(r, table, choice) : NULL;
  const bristle_cell *cell = column ? column_first_bad(column) : NULL;
  char text[200], first[250] = "";
  if (cell) column_say_bad(table, column, text);
  if (cell && r->count < RECORD_FEWEST) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "correct such cells, or name another column",
              "%s; only %zu of %zu rows %s usable, too few to say anything about friction", text, r->count, table->rows,
              r->count == 1 ? "is" : "are");
    return fault_at(fault, r->log->file, cell->line, cell->column);
  }
  if (cell && cell->line) snprintf(first, sizeof first, "; the first: line %zu, %s", cell->line, text);
  if (broken && !filled)
    log_note(r->log, 2 * broken > r->count, "%zu %s empty or unreadable cells and %s left out%s", broken,
             broken == 1 ? "row has" : "rows have", broken == 1 ? "was" : "were", first);
  return check_length(r, fault);
}

/* Logs of several sensors in one table fill each row with one of them: then no row is whole. The others are
   interpolated at the rows of the force. */
static bristle_fault_kind fill_holes(record *r, const bristle_table *table, bristle_fault *fault)
{
  const double *time = r->data[BRISTLE_CHANNEL_TIME], *force = r->data[BRISTLE_CHANNEL_FORCE];
  size_t whole = 0, forces = 0;
  if (!force) return BRISTLE_FAULT_NONE;
  for (size_t i = 0; i < table->rows; i++) whole += (size_t)row_is_whole(r, i), forces += isfinite(force[i]) != 0;
  if (whole * 20 > table->rows || whole >= RECORD_FEWEST || forces < RECORD_FEWEST) return BRISTLE_FAULT_NONE;
  double *work = malloc(sizeof *work * (4 * table->rows + 4)), *out = work ? work + 3 * table->rows + 3 : NULL;
  if (!work) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for %s", table->file);
  for (int c = 0; c < RECORD_COLUMNS; c++) {
    if (!r->data[c] || c == BRISTLE_CHANNEL_TIME || c == BRISTLE_CHANNEL_FORCE) continue;
    record_interpolate(time, r->data[c], table->rows, time, table->rows, out, work);
    memcpy(r->data[c], out, sizeof *out * table->rows);
  }
  free(work);
  log_note(r->log, 0, "no row has all columns: they are interpolated at the %zu rows of the force", forces);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind take_column(record *r, const bristle_table *table, const log_column *from, int to,
                                      bristle_fault *fault)
{
  double *data = r->data[to] = memory_take(&r->scratch, sizeof *data * (table->rows + 1));
  if (!data) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for %s", table->file);
  if (from->place == table->columns) return BRISTLE_FAULT_NONE;
  const double *source = table->column[from->place].data;
  for (size_t i = 0; i < table->rows; i++) data[i] = source[i] * from->factor + from->shift;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind record_take(record *r, const bristle_table *table, const log_choice *choice,
                               const bristle_log_options *options, size_t *row, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int c = 0; c < BRISTLE_CHANNELS && !kind; c++) {
    if (c != BRISTLE_CHANNEL_TIME && !column_of(table, choice, c)) continue;
    r->log->fact[c].factor = choice->column[c].factor, r->log->fact[c].shift = choice->column[c].shift;
    kind = take_column(r, table, &choice->column[c], c, fault);
  }
  for (int k = 0; r->log->terms && k < r->log->terms->sources && !kind; k++) {
    const log_column source = { .place = r->log->terms->source[k], .factor = 1 };
    kind = take_column(r, table, &source, BRISTLE_CHANNELS + k, fault);
  }
  if (!kind) kind = take_time(r, table, choice, options, r->data[BRISTLE_CHANNEL_TIME], fault);
  const size_t notes = r->log->note_count;
  if (!kind) kind = check_empty(r, table, choice, fault);
  if (!kind) kind = fill_holes(r, table, fault);
  if (kind) return kind;
  const int filled = r->log->note_count > notes;
  size_t kept = 0;
  for (size_t i = 0; i < table->rows; i++) {
    if (!row_is_whole(r, i)) continue;
    for (int c = 0; c < RECORD_COLUMNS && kept < i; c++)
      if (r->data[c]) r->data[c][kept] = r->data[c][i];
    row[kept++] = i;
  }
  r->count = kept;
  return tell_broken(r, table, choice, filled, fault);
}

bristle_fault_kind record_trim(record *r, const bristle_log_options *options, bristle_fault *fault)
{
  const double start = r->data[BRISTLE_CHANNEL_TIME][0], lasts = r->data[BRISTLE_CHANNEL_TIME][r->count - 1] - start;
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++) {
    double t = r->data[BRISTLE_CHANNEL_TIME][i] - start;
    if (t < options->from || (options->to > 0 && t > options->to)) continue;
    for (int c = 0; c < RECORD_COLUMNS; c++)
      if (r->data[c]) r->data[c][kept] = r->data[c][i];
    r->begins[kept++] = r->begins[i];
  }
  r->count = kept;
  if (kept) return check_length(r, fault);
  fault_set(fault, BRISTLE_FAULT_VALUE, "times start at the first row",
            "the record lasts %.4g s; nothing is left after option from %.4g s%s", lasts, options->from,
            options->to > 0 ? " and option to" : "");
  return fault_at(fault, r->log->file, 0, 0);
}
