/* A log from a table: rows without holes, repaired and cut into stretches of steady sampling. */
#include "lab/digest.h"
#include "fit/records/record.h"
#include "io/blocks.h"

#include "maths/elementary.h"

#include <stdlib.h>

void log_note(bristle_log *log, int doubtful, const char *format, ...)
{
  va_list args;
  if (doubtful) log->doubtful++;
  if (log->note_count == sizeof log->note / sizeof *log->note) return;
  if (doubtful && !log->doubt_note) log->doubt_note = log->note_count + 1;
  va_start(args, format);
  vsnprintf(log->note[log->note_count++], sizeof *log->note, format, args);
  va_end(args);
}

const char *bristle_log_doubt(const bristle_log *log)
{
  if (!log->doubtful) return NULL;
  return log->doubt_note ? log->note[log->doubt_note - 1] : "see the notes on this log";
}

void bristle_log_free(bristle_log *log)
{
  if (!log) return;
  memory_free(log->memory_list);
  free(log);
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
  fault_set(fault, BRISTLE_FAULT_VALUE, "use 0 for samples to leave out, and larger weights for more certain samples",
            least < 0 ? "the column '%s' has the weight %g, but a weight must not be negative"
                      : "the column '%s' has no weight above %g",
            log->column[BRISTLE_CHANNEL_WEIGHT], least);
  return fault_at(fault, table->file, 0, 0);
}

/* ---- from rows to a log ---- */

/* What was measured stays as it is in raw; the copies are what filters and laws work with. Nothing works with times. */
static bristle_fault_kind hand_over(record *r, bristle_fault *fault)
{
  bristle_log *log = r->log;
  double **const slots[BRISTLE_CHANNELS] = { NULL, &log->x, &log->v, &log->a, &log->f, &log->n, &log->w };
  log->t = r->data[BRISTLE_CHANNEL_TIME];
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    log->raw[c] = r->data[c];
    if (!r->data[c] || !slots[c]) continue;
    *slots[c] = memory_take(&log->memory_list, sizeof(double) * (log->count + 1));
    if (!*slots[c]) return fault_memory(fault);
    memcpy(*slots[c], r->data[c], sizeof(double) * log->count);
  }
  for (int k = 0; log->terms && k < log->terms->sources; k++) log->terms->data[k] = r->data[BRISTLE_CHANNELS + k];
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind take_rows(record *r, const bristle_table *table, const log_choice *choice,
                                    const bristle_log_options *options, bristle_fault *fault)
{
  size_t *row = memory_take(&r->scratch, sizeof *row * (table->rows + 1));
  r->begins = memory_take(&r->scratch, table->rows + 1);
  if (!r->begins || !row) return fault_memory(fault);
  bristle_fault_kind kind = record_terms_read(r, table, choice, options, fault);
  if (!kind) kind = record_take(r, table, choice, options, row, fault);
  if (!kind) kind = record_mend_time(r, table, row, fault);
  if (!kind) kind = record_trim(r, options, fault);
  if (!kind) kind = record_levels(r, fault);
  if (!kind) kind = record_mend(r, options->motion_only, fault);
  return kind ? kind : record_grid(r, fault);
}

static bristle_fault_kind make_record(bristle_log *log, const bristle_table *table, const log_choice *choice,
                                      const bristle_log_options *options, bristle_fault *fault)
{
  record r = { .log = log };
  bristle_fault_kind kind = take_rows(&r, table, choice, options, fault);
  memory_free(r.scratch);
  if (!kind) kind = hand_over(&r, fault);
  if (kind) return kind;
  record_noises(log);
  if ((kind = bristle_log_delay(log, options->delay, fault))) return kind;
  for (int k = 0; log->terms && k < log->terms->sources; k++)
    log->terms->noise[k] = record_noise(log, log->terms->data[k], 1);
  return record_lag(log, options->motion_only, fault);
}

/* what would choose the same column again; time in two columns is found by its names alone */
static void keep_choice(bristle_log *log, const bristle_table *table, const log_choice *choice,
                        const bristle_log_options *options, int channel)
{
  const size_t place = choice->column[channel].place, size = sizeof log->option[channel];
  const int split = channel == BRISTLE_CHANNEL_TIME && choice->nanoseconds != table->columns;
  if (options->column[channel]) snprintf(log->option[channel], size, "%s", options->column[channel]);
  else if (place == table->columns) snprintf(log->option[channel], size, "none");
  else if (!split) {
    size_t same = 0;
    for (size_t i = 0; i < table->columns; i++) same += !strcmp(table->column[i].header, table->column[place].header);
    if (same == 1 && table->column[place].header[0])
      snprintf(log->option[channel], size, "%s", table->column[place].header);
    else snprintf(log->option[channel], size, "#%zu", place + 1);
  }
}

/* where a channel comes from, for the reader; returns whether it is there */
static int name_column(bristle_log *log, const bristle_table *table, const log_choice *choice,
                       const bristle_log_options *options, int channel)
{
  const size_t place = choice->column[channel].place;
  char *text = log->column[channel];
  if (channel == BRISTLE_CHANNEL_TIME && options->rate > 0) {
    snprintf(text, sizeof log->column[channel], "rows at %g Hz, as given", options->rate);
    snprintf(log->fact[channel].column, sizeof log->fact[channel].column, "%.79s", text);
    return 1;
  }
  if (place == table->columns) return 0;
  const bristle_column *column = &table->column[place];
  if (channel == BRISTLE_CHANNEL_POSITION || channel == BRISTLE_CHANNEL_VELOCITY)
    log->unit_is_given |= choice->column[channel].scaled || column->origin != BRISTLE_UNIT_ORIGIN_NONE;
  if (options->column[channel] && (choice->column[channel].factor != 1 || choice->column[channel].shift != 0))
    snprintf(text, sizeof log->column[channel], "%s", options->column[channel]);
  else if (column->header[0]) snprintf(text, sizeof log->column[channel], "%s", column->header);
  else snprintf(text, sizeof log->column[channel], "column %zu", place + 1);
  snprintf(log->fact[channel].column, sizeof log->fact[channel].column, "%.79s", text);
  if (column->origin == BRISTLE_UNIT_ORIGIN_IN_NAME && strchr(" .", column->header[strlen(column->name)]))
    log_note(log, 0, "the last word of '%s' is read as its unit, %s", column->header, column->unit);
  if (column->origin != BRISTLE_UNIT_ORIGIN_NONE)
    snprintf(log->fact[channel].unit, sizeof log->fact[channel].unit, "%s", column->unit);
  if (channel == BRISTLE_CHANNEL_REFERENCE && column->origin != BRISTLE_UNIT_ORIGIN_NONE)
    log->reference_is_velocity = column->scale.power[BRISTLE_DIMENSION_TIME] < 0;
  return 1;
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
  if (!made) return fault_memory(fault);
  snprintf(made->file, sizeof made->file, "%s", table->file);
  made->rotary = choice.rotary;
  if (table->preamble)
    log_note(made, 0, "%zu line%s above the table %s passed over", table->preamble, table->preamble == 1 ? "" : "s",
             table->preamble == 1 ? "was" : "were");
  if (table->all_rows)
    log_note(made, 0,
             "%zu of its %zu rows are used, in %zu pieces where the columns change; option from and option to read all "
             "rows of a part",
             table->rows, table->all_rows, table->blocks);
  if (choice.guessed_time)
    log_note(made, 0, "no column is named time: the first one rises evenly, so it is used as the time in seconds");
  log_tell_rotary(made, &choice);
  log_tell_turned(made, options);
  made->lead = options->lead, made->radius = options->radius, made->rate = options->rate;
  made->from = options->from, made->to = options->to, made->inverse = options->inverse;
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    measured[c] = name_column(made, table, &choice, options, c);
    if (c != BRISTLE_CHANNEL_TIME || !(options->rate > 0)) keep_choice(made, table, &choice, options, c);
  }
  kind = make_record(made, table, &choice, options, fault);
  measured[BRISTLE_CHANNEL_VELOCITY] &= made->raw[BRISTLE_CHANNEL_VELOCITY] != NULL;
  if (!kind) kind = take_roots(made, table, fault);
  if (!kind && !options->motion_only) kind = log_prepare(made, options, measured, fault);
  if (!kind && !options->motion_only) kind = log_extra_fill(made, fault);
  if (!kind && !options->motion_only) kind = log_judge(made, options, fault);
  if (kind) bristle_log_free(made);
  else *log = made;
  return kind;
}

void bristle_log_keep_plain(bristle_log *log, size_t decimate)
{
  log->conditioning = (bristle_conditioning){ .known = 1, .plain = 1, .cutoff = log->cutoff, .decimate = decimate };
}

/* What a million rows do not tell of friction, ten million do not tell either: of longer logs a quarter of that is
   used, in pieces that last some strokes. Who trims a log means all that is left, and a motion is followed from row to
   row. */
static const table_limit *limit_of(const bristle_log_options *options)
{
  static const table_limit limit = { .longest = 1000000, .rows = 8192, .count = 32 };
  return options->from > 0 || options->to > 0 || options->motion_only ? NULL : &limit;
}

bristle_fault_kind bristle_log_table(const char *path, const bristle_log_options *options, bristle_table **table,
                                     char digest[65], bristle_fault *fault)
{
  char *text = NULL;
  size_t size = 0;
  *table = NULL;
  bristle_fault_kind kind = read_whole(path, &text, &size, fault);
  if (kind) return kind;
  kind = table_parse(strcmp(path, "-") ? path : "standard input", text, size, limit_of(options), table, fault);
  for (int k = 0; k < BRISTLE_JOINS && options->join[k] && !kind; k++)
    kind = record_join(*table, options->join[k], options, fault);
  if (digest) bristle_digest(text, size, digest);
  free(text);
  if (kind) bristle_table_free(*table);
  if (kind) *table = NULL;
  return kind;
}

bristle_fault_kind bristle_log_read(const char *path, const bristle_log_options *options, bristle_log **log,
                                    bristle_fault *fault)
{
  bristle_table *table;
  char digest[65];
  *log = NULL;
  bristle_fault_kind kind = bristle_log_table(path, options, &table, digest, fault);
  if (!kind) kind = bristle_log_from_table(table, options, log, fault);
  if (!kind) memcpy((*log)->digest, digest, sizeof digest);
  bristle_table_free(table);
  return kind;
}
