/* The logs of a scenario: which columns are compared with which simulated ones, and when. */
#include "lab/digest.h"
#include "fit/records/record.h"
#include "fit/rigs/rig.h"
#include "io/recognise.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* rows that are compared, of all logs together: more would cost time and tell little */
enum { MOST_ROWS = 3000, FEWEST = 20 };

/* ---- time ---- */

static bristle_fault_kind find_time(const rig_fit *r, const bristle_table *table, const bristle_column **time,
                                    bristle_fault *fault)
{
  const char *given = r->request->reading.column[BRISTLE_CHANNEL_TIME];
  char text[24];
  size_t place = column_by_name(table, &column_roles[ROLE_TIME], NULL);
  if (place == table->columns) place = column_by_unit(table, &column_roles[ROLE_TIME], NULL);
  snprintf(text, sizeof text, "#%zu", place + 1);
  const bristle_wanted wanted = { given ? given : place < table->columns ? text : "t|time", "s", 0 };
  const bristle_fault_kind kind = bristle_table_pick(table, &wanted, time, fault);
  return kind ? kind : bristle_table_check_increasing(table, *time, fault);
}

static bristle_fault_kind read_times(rig_fit *r, rig_run *run, const bristle_column *time, bristle_fault *fault)
{
  const bristle_log_options *o = &r->request->reading;
  const double begin = time->data[0] + o->from, end = o->to > 0 ? time->data[0] + o->to : HUGE_VAL;
  bristle_scenario_log *log = &run->log;
  *log = (bristle_scenario_log){ .table = run->table };
  while (log->first < run->table->rows && time->data[log->first] < begin) log->first++;
  while (log->first + log->count < run->table->rows && time->data[log->first + log->count] <= end) log->count++;
  if (log->count < FEWEST) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "record longer, or move option from and option to",
              "found %zu rows, expected %d at least", log->count, FEWEST);
    return fault_at(fault, run->table->file, 0, 0);
  }
  double *t = memory_take(&r->list, sizeof *t * log->count);
  if (!t) return fault_memory(fault);
  for (size_t i = 0; i < log->count; i++) t[i] = time->data[log->first + i] - time->data[log->first];
  log->t = t;
  return BRISTLE_FAULT_NONE;
}

/* ---- channels ---- */

/* the channel of a log that a simulated column is, or -1 */
static int channel_of(const rig_fit *r, const char *name)
{
  if (rig_facts_of(&r->scenario->rig)->dimension > 1) return -1;
  return !strcmp(name, "x")   ? BRISTLE_CHANNEL_POSITION
         : !strcmp(name, "v") ? BRISTLE_CHANNEL_VELOCITY
         : !strcmp(name, "F") ? BRISTLE_CHANNEL_FORCE
                              : -1;
}

/* The column of a table for a simulated one: as given, by the usual names, or by its own. place = columns: none. */
static bristle_fault_kind find_column(const rig_fit *r, const bristle_table *table, const bristle_sim_column *wanted,
                                      const char *given, log_column *found, bristle_fault *fault)
{
  static const int roles[] = { [BRISTLE_CHANNEL_POSITION] = ROLE_POSITION,
                               [BRISTLE_CHANNEL_VELOCITY] = ROLE_VELOCITY,
                               [BRISTLE_CHANNEL_FORCE] = ROLE_FORCE };
  const int channel = channel_of(r, wanted->name);
  if (!given && channel >= 0) given = r->request->reading.column[channel];
  if (given) return log_column_read(table, given, wanted->unit, found, fault);
  *found = (log_column){ .place = table->columns, .factor = 1 };
  for (size_t i = 0; i < table->columns; i++)
    if (!strcmp(table->column[i].name, wanted->name)) found->place = i;
  if (found->place == table->columns && channel >= 0)
    found->place = column_by_name(table, &column_roles[roles[channel]], NULL);
  if (found->place == table->columns && channel >= 0 && channel != BRISTLE_CHANNEL_VELOCITY)
    found->place = column_by_unit(table, &column_roles[roles[channel]], NULL);
  if (found->place == table->columns) return BRISTLE_FAULT_NONE;
  const bristle_column *column = &table->column[found->place];
  if (column->origin == BRISTLE_UNIT_ORIGIN_NONE || column->origin == BRISTLE_UNIT_ORIGIN_UNKNOWN)
    return BRISTLE_FAULT_NONE;
  return unit_fits(&column->scale, column->unit, wanted->unit, NULL, fault) ? fault_at(fault, table->file, 1, 0)
                                                                            : BRISTLE_FAULT_NONE;
}

static void add_channel(rig_fit *r, const bristle_sim_column *columns, int at)
{
  bristle_motion *m = &r->motion;
  if (m->channels == BRISTLE_MOTION_CHANNELS) return;
  r->column[m->channels] = at;
  snprintf(m->channel[m->channels], sizeof m->channel[0], "%s", columns[at].name);
  snprintf(m->unit[m->channels], sizeof m->unit[0], "%s", columns[at].unit);
  m->channels++;
}

static int simulated_column(const bristle_sim_column *columns, int width, const char *name, size_t length)
{
  for (int i = 1; i < width; i++)
    if (strlen(columns[i].name) == length && !strncmp(columns[i].name, name, length)) return i;
  return -1;
}

static void list_columns(const bristle_sim_column *columns, int width, char text[200])
{
  size_t used = 0;
  text[0] = '\0';
  for (int i = 1; i + 1 < width && used < 170; i++)
    used = text_append(text, 200, used, "%s%s [%s]", i > 1 ? ", " : "", columns[i].name, columns[i].unit);
}

/* "x,v=speed" */
static bristle_fault_kind take_compared(rig_fit *r, const bristle_sim_column *columns, int width, bristle_fault *fault)
{
  char list[200];
  for (const char *at = r->request->compare; *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    const size_t length = strcspn(at, ",=");
    const int column = simulated_column(columns, width, at, length);
    list_columns(columns, width, list);
    if (column < 0)
      return fault_set(fault, BRISTLE_FAULT_VALUE, list, "option compare: the rig %s simulates no column '%.*s'",
                       r->scenario->rig_name, (int)(length < 40 ? length : 40), at);
    add_channel(r, columns, column);
  }
  return BRISTLE_FAULT_NONE;
}

/* the motion where it was measured, else velocities, else forces; of a prescribed motion the force */
static bristle_fault_kind choose_channels(rig_fit *r, bristle_fault *fault)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const int width = bristle_sim_columns(&r->scenario->rig, columns);
  const bristle_table *table = r->run[0].table;
  char list[200];
  size_t length;
  if (r->request->compare) return take_compared(r, columns, width, fault);
  for (int g = 0; g < 3 && !r->motion.channels; g++)
    for (int i = 0;; i++) {
      const char *word = word_at(rig_facts_of(&r->scenario->rig)->compared[g], i, &length);
      log_column found;
      if (!length) break;
      const int at = simulated_column(columns, width, word, length);
      if (at < 0) continue;
      const bristle_fault_kind kind = find_column(r, table, &columns[at], NULL, &found, fault);
      if (kind) return kind;
      if (found.place < table->columns) add_channel(r, columns, at);
    }
  if (r->motion.channels) return BRISTLE_FAULT_NONE;
  list_columns(columns, width, list);
  fault_set(fault, BRISTLE_FAULT_VALUE, "name one of its columns: option compare x=COLUMN",
            "nothing in this table can be compared with what the rig simulates: %s", list);
  return fault_at(fault, table->file, 0, 0);
}

/* the name of a column behind "x=" of --compare; or NULL */
static const char *given_column(const rig_fit *r, const char *name, char text[100])
{
  for (const char *at = r->request->compare; at && *at; at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',')) {
    const size_t length = strcspn(at, ",="), all = strcspn(at, ",");
    if (strlen(name) != length || strncmp(at, name, length) || at[length] != '=') continue;
    snprintf(text, 100, "%.*s", (int)(all - length - 1), at + length + 1);
    return text;
  }
  return NULL;
}

/* Text is refused, since nobody knows what it stands for; empty cells are not compared. */
static bristle_fault_kind check_measured(const rig_run *run, const bristle_column *column, bristle_fault *fault)
{
  size_t numbers = 0;
  char text[200];
  const bristle_fault_kind kind = column_check_cells(run->table, column, 1, fault);
  for (size_t i = 0; i < run->log.count; i++) numbers += isfinite(column->data[run->log.first + i]) != 0;
  if (kind || numbers >= FEWEST) return kind;
  column_say_bad(run->table, column, text);
  fault_set(fault, BRISTLE_FAULT_VALUE, "record longer, or name another column: option compare NAME=COLUMN",
            "%s; only %zu of %zu rows have a number there, expected %d at least", text, numbers, run->log.count,
            FEWEST);
  return fault_at(fault, run->table->file, column->gap.line, column->gap.column);
}

static bristle_fault_kind read_channel(rig_fit *r, size_t k, int c, double *measured, bristle_fault *fault)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const rig_run *run = &r->run[k];
  const bristle_table *table = run->table;
  char text[100];
  log_column found;
  bristle_sim_columns(&r->scenario->rig, columns);
  const bristle_sim_column *wanted = &columns[r->column[c]];
  bristle_fault_kind kind = find_column(r, table, wanted, given_column(r, wanted->name, text), &found, fault);
  if (kind) return kind;
  if (found.place == table->columns) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "option compare NAME=COLUMN says which one it is",
              "found no column for the simulated %s [%s]", wanted->name, wanted->unit);
    return fault_at(fault, table->file, 0, 0);
  }
  kind = check_measured(run, &table->column[found.place], fault);
  if (kind) return kind;
  const double *data = table->column[found.place].data + run->log.first;
  for (size_t i = 0; i < r->samples[k]; i++) measured[i] = found.factor * data[i * run->stride] + found.shift;
  size_t first[2] = { 0, run->log.count };
  const bristle_log log = { .count = run->log.count, .stretches = 1, .first = first };
  double *work = malloc(sizeof *work * (run->log.count + 1));
  if (!work) return fault_memory(fault);
  const double quantum = record_quantum(data, run->log.count, 8, work);
  r->noise[c] = fmax(r->noise[c], fabs(found.factor) * fmax(quantum / sqrt(12), record_noise(&log, data, 1)));
  free(work);
  return BRISTLE_FAULT_NONE;
}

/* ---- runs ---- */

/* where the run starts, as far as it was measured */
static bristle_fault_kind find_start(rig_fit *r, rig_run *run, bristle_fault *fault)
{
  const bristle_sim_column wanted[2] = { { "x", bristle_length_unit(r->motion.rotary) },
                                         { "v", bristle_speed_unit(r->motion.rotary) } };
  double *const value[2] = { &run->x, &run->v };
  for (int j = 0; j < 2; j++) {
    log_column found;
    *value[j] = (double)NAN;
    if (!rig_facts_of(&r->scenario->rig)->has_start) continue;
    const bristle_fault_kind kind = find_column(r, run->table, &wanted[j], NULL, &found, fault);
    if (kind) return kind;
    if (found.place == run->table->columns) continue;
    *value[j] = found.factor * run->table->column[found.place].data[run->log.first] + found.shift;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_table(rig_fit *r, size_t k, bristle_fault *fault)
{
  bristle_motion_run *shown = &r->motion.run[k];
  rig_run *run = &r->run[k];
  const bristle_column *time = NULL;
  char *text = NULL;
  size_t size = 0;
  shown->name = r->request->log[k];
  shown->held = k + r->request->held >= r->request->logs;
  bristle_fault_kind kind = read_whole(shown->name, &text, &size, fault);
  if (!kind) kind = bristle_table_parse(shown->name, text, size, &run->table, fault);
  if (!kind) bristle_digest(text, size, shown->digest);
  free(text);
  if (!kind) kind = find_time(r, run->table, &time, fault);
  if (!kind) kind = read_times(r, run, time, fault);
  for (size_t i = 0; i < k && !kind; i++)
    if (!strcmp(r->motion.run[i].digest, shown->digest)) {
      fault_set(fault, BRISTLE_FAULT_VALUE, "give each record once", "this is the same data as %.150s",
                r->motion.run[i].name);
      kind = fault_at(fault, shown->name, 0, 0);
    }
  return kind;
}

static bristle_fault_kind take_samples(rig_fit *r, size_t k, size_t stride, bristle_fault *fault)
{
  rig_run *run = &r->run[k];
  bristle_motion_run *shown = &r->motion.run[k];
  run->stride = stride;
  r->samples[k] = shown->count = (run->log.count + stride - 1) / stride;
  double *t = memory_take(&r->list, sizeof *t * shown->count);
  double *measured = memory_take(&r->list, sizeof *measured * shown->count * (size_t)r->motion.channels);
  if (!t || !measured) return fault_memory(fault);
  for (size_t i = 0; i < shown->count; i++) t[i] = run->log.t[i * stride];
  r->t[k] = shown->t = t, r->measured[k] = shown->measured = measured;
  bristle_fault_kind kind = find_start(r, run, fault);
  for (int c = 0; c < r->motion.channels && !kind; c++)
    kind = read_channel(r, k, c, measured + (size_t)c * shown->count, fault);
  return kind;
}

bristle_fault_kind rig_read_logs(rig_fit *r, bristle_fault *fault)
{
  const size_t count = r->request->logs;
  size_t rows = 0;
  r->motion.count = count, r->motion.held = r->request->held;
  r->motion.run = memory_take(&r->list, sizeof *r->motion.run * count);
  r->run = memory_take(&r->list, sizeof *r->run * count);
  r->samples = memory_take(&r->list, sizeof *r->samples * count);
  r->t = memory_take(&r->list, sizeof *r->t * count);
  r->measured = memory_take(&r->list, sizeof *r->measured * count);
  if (!r->motion.run || !r->run || !r->samples || !r->t || !r->measured) return fault_memory(fault);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t k = 0; k < count && !kind; k++) kind = read_table(r, k, fault);
  if (!kind) kind = rig_scenario(r, 0, NULL, &r->scenario, fault);
  if (kind) return kind;
  if (r->scenario->rig.driver)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "simulate it, or fit one of the built-in rigs",
                     "the rig %s cannot be fitted: its contact is its own", r->scenario->rig_name);
  if (!rig_facts_of(&r->scenario->rig))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "identify its joints one at a time",
                     "the rig %s has several contacts, and one law is fitted", r->scenario->rig_name);
  r->motion.law = r->scenario->friction.law, r->motion.rotary = r->scenario->rig.rotary;
  r->motion.title = r->scenario->title;
  kind = choose_channels(r, fault);
  for (size_t k = 0; k < count; k++) rows += r->run[k].log.count;
  for (size_t k = 0; k < count && !kind; k++)
    kind = take_samples(r, k, rows * (size_t)r->motion.channels / MOST_ROWS + 1, fault);
  for (int c = 0; c < r->motion.channels && !kind; c++) {
    r->size[c] = replay_size(r->measured, r->samples, count - r->request->held, c);
    if (c == 0) r->measured_noise = r->noise[0];
    if (!(r->noise[c] > 1e-6 * r->size[c])) r->noise[c] = r->size[c] > 0 ? 1e-6 * r->size[c] : 1;
    r->motion.noise[c] = r->noise[c];
  }
  return kind;
}
