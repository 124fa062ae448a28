/* Which column is which: by what the user says, by name, by a word in the name, by unit. */
#include "fit/records/log.h"

#include "maths/elementary.h"
#include "io/recognise.h"

#include <stdlib.h>

static const char *const names_of_channels[BRISTLE_CHANNELS] = { "time",  "position", "velocity", "acceleration",
                                                                 "force", "load",     "weight",   "reference" };
static const column_role weight_role = { "", "", "", "1" }; /* never guessed */
static const column_role reference_role = {
  "position_reference|reference_position|goal_position|target_position|desired_position|position_command|"
  "command_position|position_setpoint|reference|goal|setpoint|x_ref|q_ref",
  "reference|target|goal|desired|command|setpoint|control",
  "current|torque|force|voltage|effort|pwm|acceleration|error|time|temperature|mode", "m|rad|m/s|rad/s"
};
/* clocks that count something else than seconds, which only a log understands */
static const column_role clock_role = { "%time|millis|micros|nanos|secs|sec", "stamp|millis|micros|nanos", "timeout",
                                        "s" };

static const column_role *role_of(int channel)
{
  if (channel == BRISTLE_CHANNEL_REFERENCE) return &reference_role;
  return channel < COLUMN_ROLES ? &column_roles[channel] : &weight_role;
}

const char *bristle_channel_text(bristle_channel channel)
{
  return (unsigned)channel < BRISTLE_CHANNELS ? names_of_channels[channel] : "unknown";
}

/* ---- time in two columns ---- */

static int ends_with(const char *name, const char *tail)
{
  size_t n = strlen(name), length = strlen(tail);
  return n >= length && !strcmp(name + n - length, tail);
}

/* "header.stamp.secs" and "header.stamp.nsecs", "sec" and "nanosec" */
static void find_seconds(const bristle_table *table, log_choice *choice)
{
  static const char *const tails[][2] = {
    { "secs", "nsecs" }, { "sec", "nsec" }, { "sec", "nanosec" }, { "secs", "nanosecs" }
  };
  for (size_t i = 0; i < table->columns; i++)
    for (size_t k = 0; k < sizeof tails / sizeof *tails; k++) {
      const char *whole = table->column[i].header;
      if (!ends_with(whole, tails[k][0]) || ends_with(whole, tails[k][1])) continue;
      const size_t stem = strlen(whole) - strlen(tails[k][0]);
      for (size_t j = 0; j < table->columns; j++) {
        const char *other = table->column[j].header;
        if (j == i || strlen(other) != stem + strlen(tails[k][1]) || memcmp(whole, other, stem)) continue;
        if (!ends_with(other, tails[k][1])) continue;
        choice->column[BRISTLE_CHANNEL_TIME].place = i, choice->nanoseconds = j;
        return;
      }
    }
}

static void find_time(const bristle_table *table, log_choice *choice, const char *taken)
{
  size_t *place = &choice->column[BRISTLE_CHANNEL_TIME].place;
  find_seconds(table, choice);
  if (*place == table->columns) *place = column_by_name(table, &column_roles[ROLE_TIME], taken);
  if (*place == table->columns) *place = column_by_name(table, &clock_role, taken);
}

/* Does the first column rise by even steps? Whole steps may be a counter of samples, so they say nothing. */
static int first_is_clock(const bristle_table *table)
{
  const bristle_column *first = table->column;
  const double step = table->rows > 1 ? (first->data[table->rows - 1] - first->data[0]) / (double)(table->rows - 1) : 0;
  if (first->origin != BRISTLE_UNIT_ORIGIN_NONE || table->rows < 64 || !(step > 0) || step == floor(step)) return 0;
  for (size_t i = 1; i < table->rows; i++)
    if (!(fabs(first->data[i] - first->data[i - 1] - step) < 0.01 * step)) return 0;
  return 1;
}

/* ---- all channels ---- */

/* A force that only its current or voltage shows: what one unit of it makes is not in the file. */
static int show_factor(const bristle_table *table, char hint[240])
{
  for (size_t i = 0; i < table->columns; i++) {
    const bristle_column *c = &table->column[i];
    if (strcmp(c->unit, "A") && strcmp(c->unit, "mA") && strcmp(c->unit, "V") && strcmp(c->unit, "mV")) continue;
    snprintf(hint, 240, "where %.60s (a %s) makes it, say how much: option force '%.60s*35 N' (or N*m)", c->name,
             strchr(c->unit, 'A') ? "current" : "voltage", c->name);
    return 1;
  }
  return 0;
}

static bristle_fault_kind need(const bristle_table *table, int channel, bristle_fault *fault)
{
  char names[240] = "", hint[240];
  size_t used = 0;
  for (size_t i = 0; i < table->columns && used < sizeof names; i++)
    if (table->column[i].header[0])
      used = text_append(names, sizeof names, used, "%s%s", used ? ", " : "", table->column[i].header);
  const char *without = channel == BRISTLE_CHANNEL_TIME ? "; without one give option rate '1 kHz'"
                        : channel == BRISTLE_CHANNEL_FORCE
                            ? "; an undriven motion needs none: identification with option free_decay"
                            : "";
  if (channel != BRISTLE_CHANNEL_FORCE || !show_factor(table, hint))
    snprintf(hint, sizeof hint, "name it: option %s NAME, or option %s '#2' for the second column%s",
             names_of_channels[channel], names_of_channels[channel], without);
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "no column looks like the %s; found %s", names_of_channels[channel],
            used ? names : "columns without names");
  return fault_at(fault, table->file, 0, 0);
}

/* of free motion only the position counts, or the velocity where there is none */
static void leave_forces(const bristle_table *table, log_choice *choice)
{
  const int has_position = choice->column[BRISTLE_CHANNEL_POSITION].place != table->columns;
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (c != BRISTLE_CHANNEL_TIME && c != BRISTLE_CHANNEL_POSITION && (c != BRISTLE_CHANNEL_VELOCITY || has_position))
      choice->column[c].place = table->columns;
}

static void choose_nothing(const bristle_table *table, log_choice *choice)
{
  *choice = (log_choice){ .nanoseconds = table->columns };
  for (int c = 0; c < BRISTLE_CHANNELS; c++) choice->column[c] = (log_column){ .place = table->columns, .factor = 1 };
}

bristle_fault_kind log_choose_time(const bristle_table *table, log_choice *choice, bristle_fault *fault)
{
  choose_nothing(table, choice);
  size_t *place = &choice->column[BRISTLE_CHANNEL_TIME].place;
  find_time(table, choice, NULL);
  if (*place == table->columns) *place = column_by_unit(table, &column_roles[ROLE_TIME], NULL);
  if (*place == table->columns && first_is_clock(table)) *place = 0;
  return *place == table->columns ? need(table, BRISTLE_CHANNEL_TIME, fault) : BRISTLE_FAULT_NONE;
}

static int is_none(const bristle_table *table, const char *text)
{
  if (!text || strcmp(text, "none")) return 0;
  for (size_t i = 0; i < table->columns; i++)
    if (!strcmp(table->column[i].name, "none")) return 0;
  return 1;
}

/* What presses is counted one way, but for noise. */
static int goes_both_ways(const bristle_column *column, size_t rows)
{
  size_t ways[2] = { 0 };
  for (size_t i = 0; i < rows; i++) ways[0] += column->data[i] < 0, ways[1] += column->data[i] > 0;
  return 20 * ways[0] > rows && 20 * ways[1] > rows;
}

static int is_empty(const bristle_column *column, size_t rows) { return column->gaps + column->strange == rows; }

/* motion needs one of position and velocity */
static int can_be_missed(const bristle_table *table, const log_choice *choice, int channel)
{
  return channel == BRISTLE_CHANNEL_ACCELERATION || channel == BRISTLE_CHANNEL_LOAD
         || (channel == BRISTLE_CHANNEL_VELOCITY && choice->column[BRISTLE_CHANNEL_POSITION].place != table->columns);
}

/* taken has one place more than there are columns: for none */
static void recognise_all(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                          char *taken)
{
  if (!options->column[BRISTLE_CHANNEL_TIME] && !(options->rate > 0)) find_time(table, choice, taken);
  taken[choice->column[BRISTLE_CHANNEL_TIME].place] = taken[choice->nanoseconds] = 1;
  for (int pass = 0; pass < 2; pass++)
    for (int c = 0; c < BRISTLE_CHANNELS; c++) {
      /* a derivative is better made by us than guessed by unit alone */
      int wanted = pass == 0 || c == BRISTLE_CHANNEL_TIME || c == BRISTLE_CHANNEL_POSITION
                   || c == BRISTLE_CHANNEL_FORCE;
      if (c == BRISTLE_CHANNEL_TIME && options->rate > 0) wanted = 0;
      size_t *place = &choice->column[c].place;
      if (*place != table->columns || !wanted || options->column[c]) continue;
      *place = pass ? column_by_unit(table, role_of(c), taken) : column_by_name(table, role_of(c), taken);
      taken[*place] = 1;
      if (*place != table->columns && is_empty(&table->column[*place], table->rows) && can_be_missed(table, choice, c))
        *place = table->columns; /* as in joint states of drives that measure no speed */
    }
  size_t *time = &choice->column[BRISTLE_CHANNEL_TIME].place;
  if (*time == table->columns && !options->column[BRISTLE_CHANNEL_TIME] && !(options->rate > 0) && !taken[0]
      && first_is_clock(table))
    *time = 0, choice->guessed_time = 1;
  size_t *load = &choice->column[BRISTLE_CHANNEL_LOAD].place;
  if (options->loads && !options->column[BRISTLE_CHANNEL_LOAD] && *load != table->columns
      && goes_both_ways(&table->column[*load], table->rows))
    *load = table->columns; /* it does not press: it is carried */
  /* nobody has asked for a reference: it must not cost a row */
  size_t *reference = &choice->column[BRISTLE_CHANNEL_REFERENCE].place;
  if (!options->column[BRISTLE_CHANNEL_REFERENCE] && *reference != table->columns
      && (table->column[*reference].gaps || table->column[*reference].strange))
    *reference = table->columns;
}

static bristle_fault_kind take_given(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                                     char *taken, bristle_fault *fault)
{
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    if (!options->column[c] || is_none(table, options->column[c])) continue;
    bristle_fault_kind kind = log_column_read(table, options->column[c], role_of(c)->unit, &choice->column[c], fault);
    if (kind == BRISTLE_FAULT_SYNTAX) {
      char what[sizeof fault->what];
      snprintf(what, sizeof what, "option %s: %.380s", names_of_channels[c], fault->what);
      memcpy(fault->what, what, sizeof what);
    }
    if (kind) return kind;
    taken[choice->column[c].place] = 1;
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind log_choose(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                              bristle_fault *fault)
{
  char *taken = calloc(table->columns + 1, 1);
  if (!taken) return fault_memory(fault);
  choose_nothing(table, choice);
  bristle_fault_kind kind = take_given(table, options, choice, taken, fault);
  if (!kind) recognise_all(table, options, choice, taken);
  free(taken);
  if (kind) return kind;
  if (choice->column[BRISTLE_CHANNEL_TIME].place == table->columns && !(options->rate > 0))
    return need(table, BRISTLE_CHANNEL_TIME, fault);
  if (options->motion_only) leave_forces(table, choice);
  else if (choice->column[BRISTLE_CHANNEL_FORCE].place == table->columns)
    return need(table, BRISTLE_CHANNEL_FORCE, fault);
  if (choice->column[BRISTLE_CHANNEL_POSITION].place == table->columns
      && choice->column[BRISTLE_CHANNEL_VELOCITY].place == table->columns)
    return need(table, BRISTLE_CHANNEL_POSITION, fault);
  return log_decide_rotary(table, options, choice, fault);
}
