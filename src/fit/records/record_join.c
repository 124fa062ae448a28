/* Two files with different clocks: the columns of one, interpolated at the times of the other. */
#include "fit/records/record.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"
#include "platform/platform.h"

#include <stdlib.h>

/* The rows of a column with a number, at times that grow; returns how many. */
static size_t pack(const double *time, const double *data, size_t rows, double *t, double *y)
{
  size_t kept = 0;
  for (size_t i = 0; i < rows; i++) {
    if (!isfinite(time[i]) || !isfinite(data[i]) || (kept && !(time[i] > t[kept - 1]))) continue;
    t[kept] = time[i], y[kept++] = data[i];
  }
  return kept;
}

static double usual_step(const double *t, size_t count, double *work)
{
  for (size_t i = 1; i < count; i++) work[i - 1] = t[i] - t[i - 1];
  sort_numbers(work, count - 1);
  return work[(count - 1) / 2];
}

/* straight lines between the samples; nothing beyond their ends and in their gaps */
static void interpolate(const double *t, const double *y, size_t count, double gap, const double *at, size_t rows,
                        double *out)
{
  for (size_t i = 0; i < rows; i++) {
    out[i] = (double)NAN;
    if (count < 2 || !(at[i] >= t[0] && at[i] <= t[count - 1])) continue;
    size_t low = 0, high = count - 1;
    while (high - low > 1) {
      size_t middle = (low + high) / 2;
      if (t[middle] <= at[i]) low = middle;
      else high = middle;
    }
    if (t[high] - t[low] <= gap) out[i] = y[low] + (y[high] - y[low]) * (at[i] - t[low]) / (t[high] - t[low]);
  }
}

void record_interpolate(const double *time, const double *data, size_t rows, const double *at, size_t places,
                        double *out, double *work)
{
  double *t = work, *y = t + rows, *steps = y + rows;
  const size_t count = pack(time, data, rows, t, y);
  const double step = count > 2 ? usual_step(t, count, steps) : 0;
  interpolate(t, y, count, RECORD_GAP * step, at, places, out);
}

/* a name that is taken gets that of the file before it: "force.position" */
static void name_column(const bristle_table *table, bristle_column *column, const char *path)
{
  int taken = 0;
  for (size_t i = 0; i < table->columns; i++) taken |= !strcmp(table->column[i].name, column->name);
  if (!taken) return;
  const char *stem = platform_name(path);
  char text[sizeof column->name];
  const int length = (int)strcspn(stem, ".");
  snprintf(text, sizeof text, "%.*s.%.60s", length > 18 ? 18 : length, stem, column->name);
  memcpy(column->name, text, sizeof text);
  snprintf(text, sizeof text, "%.*s.%.60s", length > 18 ? 18 : length, stem, column->header);
  memcpy(column->header, text, sizeof text);
}

static bristle_fault_kind check_overlap(const bristle_table *table, const double *at, const bristle_table *other,
                                        const double *time, bristle_fault *fault)
{
  double from = HUGE_VAL, to = -HUGE_VAL, begin = HUGE_VAL, end = -HUGE_VAL;
  size_t shared = 0;
  for (size_t i = 0; i < other->rows; i++)
    if (isfinite(time[i])) from = fmin(from, time[i]), to = fmax(to, time[i]);
  for (size_t i = 0; i < table->rows; i++) {
    if (!isfinite(at[i])) continue;
    begin = fmin(begin, at[i]), end = fmax(end, at[i]);
    shared += at[i] >= from && at[i] <= to;
  }
  if (shared >= RECORD_FEWEST && shared * 10 >= table->rows) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_VALUE, "are both clocks the same? option time 'NAME+12.5 s' shifts the first one",
            "%zu of %zu rows of %.80s (%.6g to %.6g s) are in the time of this file (%.6g to %.6g s)", shared,
            table->rows, table->file, begin, end, from, to);
  return fault_at(fault, other->file, 0, 0);
}

static bristle_fault_kind take_over(bristle_table *table, const bristle_table *other, const log_choice *theirs,
                                    const double *at, const double *time, double *work, bristle_fault *fault)
{
  bristle_column *grown = realloc(table->column, sizeof *grown * (table->columns + other->columns + 1));
  if (!grown) return fault_memory(fault);
  table->column = grown;
  for (size_t c = 0; c < other->columns; c++) {
    if (c == theirs->column[BRISTLE_CHANNEL_TIME].place || c == theirs->nanoseconds) continue;
    bristle_column column = other->column[c];
    column.data = malloc(sizeof *column.data * (table->rows + 1));
    if (!column.data) return fault_memory(fault);
    name_column(table, &column, other->file);
    record_interpolate(time, other->column[c].data, other->rows, at, table->rows, column.data, work);
    column.gaps = column.strange = 0;
    for (size_t i = 0; i < table->rows; i++) column.gaps += !isfinite(column.data[i]);
    if (other->column[c].strange) column.gap = column.stranger; /* what to say of gaps, though not of which row */
    if (!column.gap.line) snprintf(column.gap.text, sizeof column.gap.text, "nan");
    column.gap.line = column.gap.column = 0;
    table->column[table->columns++] = column;
  }
  return BRISTLE_FAULT_NONE;
}

/* the time of the first file, as it was named or as it is recognised */
static bristle_fault_kind choose_time(const bristle_table *table, const bristle_log_options *options,
                                      log_choice *choice, bristle_fault *fault)
{
  const char *name = options->column[BRISTLE_CHANNEL_TIME];
  if (options->rate > 0)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "use either option rate or option join",
                     "option join needs a time column, but option rate says that there is none");
  if (!name) return log_choose_time(table, choice, fault);
  *choice = (log_choice){ .nanoseconds = table->columns };
  return log_column_read(table, name, "s", &choice->column[BRISTLE_CHANNEL_TIME], fault);
}

bristle_fault_kind record_join(bristle_table *table, const char *path, const bristle_log_options *options,
                               bristle_fault *fault)
{
  bristle_table *other = NULL;
  log_choice ours, theirs;
  double origin = (double)NAN, tick, *at = NULL, *time = NULL, *work = NULL;
  bristle_fault_kind kind = bristle_table_read(path, &other, fault);
  if (!kind) kind = choose_time(table, options, &ours, fault);
  if (!kind) kind = log_choose_time(other, &theirs, fault);
  if (!kind) {
    at = malloc(sizeof *at * (table->rows + 1)), time = malloc(sizeof *time * (other->rows + 1));
    work = malloc(sizeof *work * (3 * other->rows + 3));
    kind = at && time && work ? record_clock(table, &ours, &origin, at, &tick, fault) : fault_memory(fault);
  }
  if (!kind) kind = record_clock(other, &theirs, &origin, time, &tick, fault);
  if (!kind) kind = check_overlap(table, at, other, time, fault);
  if (!kind) kind = take_over(table, other, &theirs, at, time, work, fault);
  bristle_table_free(other);
  free(at), free(time), free(work);
  return kind;
}
