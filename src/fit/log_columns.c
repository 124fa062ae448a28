/* Which column is which: by what the user says, by name, by a word in the name, by unit. */
#include "fit/log.h"
#include "io/recognise.h"

#include <math.h>
#include <stdlib.h>

static const char *const names_of_channels[BRISTLE_CHANNELS] = { "time",  "position", "velocity", "acceleration",
                                                                 "force", "load",     "weight" };
static const column_role weight_role = { "", "", "", "1" }; /* never guessed */

static const column_role *role_of(int channel)
{
  return channel < COLUMN_ROLES ? &column_roles[channel] : &weight_role;
}

const char *bristle_channel_text(bristle_channel channel)
{
  return (unsigned)channel < BRISTLE_CHANNELS ? names_of_channels[channel] : "unknown";
}

/* "voltage*35.15 N": the name ends at the star, then a number and perhaps a unit */
static bristle_fault_kind read_factor(const char *text, int channel, log_choice *choice, bristle_fault *fault)
{
  char *rest;
  double factor = strtod(text, &rest);
  char shown[EXCERPT];
  excerpt(text, strlen(text), shown);
  while (*rest == ' ') rest++;
  if (rest == text || !isfinite(factor) || factor == 0)
    return fault_set(fault, BRISTLE_FAULT_SYNTAX,
                     "write the column, a star, a number and its unit: \"voltage*35.15 N\"",
                     "--%s: found '%s' after the star, expected a number", names_of_channels[channel], shown);
  choice->factor[channel] = factor;
  if (!*rest) return BRISTLE_FAULT_NONE;
  bristle_unit_scale unit;
  bristle_fault_kind kind = bristle_unit_read(rest, strlen(rest), &unit, fault);
  int which = 0;
  if (!kind) kind = unit_fits(&unit, rest, role_of(channel)->unit, &which, fault);
  if (kind) return kind;
  choice->factor[channel] *= pow(10, unit.decimal) * unit.numerator / unit.denominator;
  choice->scaled[channel] = 1;
  if (which == 1) choice->rotary = 1;
  return BRISTLE_FAULT_NONE;
}

/* the star before the factor: units have stars, too, but no number after them */
static const char *factor_star(const char *text)
{
  const char *star = strchr(text, '*');
  while (star && !star[1 + strspn(star + 1, " +-.")]) star = NULL;
  while (star && !strchr("0123456789", star[1 + strspn(star + 1, " +-.")])) star = strchr(star + 1, '*');
  return star;
}

static bristle_fault_kind given(const bristle_table *table, const char *text, int channel, log_choice *choice,
                                bristle_fault *fault)
{
  char name[100];
  const char *star = factor_star(text);
  const bristle_column *column = NULL;
  size_t length = star ? (size_t)(star - text) : strlen(text);
  while (length && text[length - 1] == ' ') length--;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (star) kind = read_factor(star + 1, channel, choice, fault);
  /* a column whose unit was declared with the factor may have any unit of its own */
  bristle_wanted wanted = { name, role_of(channel)->unit, BRISTLE_GAPS };
  bristle_table plain = *table;
  bristle_column *copy = NULL;
  if (!kind && choice->scaled[channel]) {
    copy = malloc(sizeof *copy * (table->columns + 1));
    if (!copy) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
    memcpy(copy, table->column, sizeof *copy * table->columns);
    for (size_t i = 0; i < table->columns; i++) copy[i].origin = BRISTLE_UNIT_NONE;
    plain.column = copy;
  }
  if (!kind) kind = bristle_table_pick(&plain, &wanted, &column, fault);
  if (!kind) choice->place[channel] = (size_t)(column - plain.column);
  free(copy);
  return kind;
}

static bristle_fault_kind need(const bristle_table *table, int channel, bristle_fault *fault)
{
  char names[240] = "", hint[120];
  size_t used = 0;
  for (size_t i = 0; i < table->columns && used < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", table->column[i].header);
  snprintf(hint, sizeof hint, "say which: --%s NAME, or --%s '#2' for the second column", names_of_channels[channel],
           names_of_channels[channel]);
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "no column looks like the %s; found %s", names_of_channels[channel],
            used ? names : "columns without names");
  return fault_at(fault, table->file, 0, 0);
}

/* rotary is what the units of position, velocity or force say */
static void decide_rotary(const bristle_table *table, log_choice *choice)
{
  static const int telling[] = { BRISTLE_CHANNEL_POSITION, BRISTLE_CHANNEL_VELOCITY, BRISTLE_CHANNEL_FORCE };
  for (int k = 0; k < 3; k++) {
    size_t place = choice->place[telling[k]];
    if (place == table->columns || choice->scaled[telling[k]]) continue;
    const bristle_column *column = &table->column[place];
    if (column->origin == BRISTLE_UNIT_NONE) continue;
    if (k < 2 && column->scale.power[BRISTLE_ANGLE]) choice->rotary = 1;
    if (k == 2 && column->scale.power[BRISTLE_LENGTH] == 2) choice->rotary = 1;
  }
}

/* of free motion only the position counts, or the velocity where there is none */
static void leave_forces(const bristle_table *table, log_choice *choice)
{
  const int has_position = choice->place[BRISTLE_CHANNEL_POSITION] != table->columns;
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (c != BRISTLE_CHANNEL_TIME && c != BRISTLE_CHANNEL_POSITION && (c != BRISTLE_CHANNEL_VELOCITY || has_position))
      choice->place[c] = table->columns;
}

bristle_fault_kind log_choose(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                              bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  char *taken = calloc(table->columns + 1, 1);
  if (!taken) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  *choice = (log_choice){ 0 };
  for (int c = 0; c < BRISTLE_CHANNELS; c++) choice->place[c] = table->columns, choice->factor[c] = 1;
  for (int c = 0; c < BRISTLE_CHANNELS && !kind; c++)
    if (options->column[c] && !(kind = given(table, options->column[c], c, choice, fault))) taken[choice->place[c]] = 1;
  for (int pass = 0; pass < 2 && !kind; pass++)
    for (int c = 0; c < BRISTLE_CHANNELS; c++) {
      /* a derivative is better made by us than guessed by unit alone */
      int wanted = pass == 0 || c == BRISTLE_CHANNEL_TIME || c == BRISTLE_CHANNEL_POSITION
                   || c == BRISTLE_CHANNEL_FORCE;
      if (choice->place[c] != table->columns || !wanted) continue;
      choice->place[c] = pass ? column_by_unit(table, role_of(c), taken) : column_by_name(table, role_of(c), taken);
      taken[choice->place[c]] = 1; /* one place more than columns: for none */
    }
  free(taken);
  if (kind) return kind;
  if (choice->place[BRISTLE_CHANNEL_TIME] == table->columns) return need(table, BRISTLE_CHANNEL_TIME, fault);
  if (options->motion_only) leave_forces(table, choice);
  else if (choice->place[BRISTLE_CHANNEL_FORCE] == table->columns) return need(table, BRISTLE_CHANNEL_FORCE, fault);
  if (choice->place[BRISTLE_CHANNEL_POSITION] == table->columns
      && choice->place[BRISTLE_CHANNEL_VELOCITY] == table->columns)
    return need(table, BRISTLE_CHANNEL_POSITION, fault);
  decide_rotary(table, choice);
  return BRISTLE_FAULT_NONE;
}
