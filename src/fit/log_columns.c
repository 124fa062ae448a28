/* Which column is which: by what the user says, by name, by a word in the name, by unit. */
#include "fit/log.h"

#include <math.h>
#include <stdlib.h>

typedef struct channel_names {
  const char *text;
  const char *exact; /* names, best first */
  const char *words; /* a name that contains one of these is taken when nothing better is there */
  const char *never; /* unless it contains one of these */
  const char *unit;
} channel_names;

static const channel_names channels[BRISTLE_CHANNELS] = {
  { "time", "t|time|time_stamp|timestamp|zeit", "time", "", "s" },
  { "position", "x|position|pos|displacement|angle|q|phi|theta|s", "position|displacement|angle",
    "reference|target|set|goal|desired|command|error", "m|rad" },
  { "velocity", "v|velocity|speed|vel|dq|w|omega|slip", "velocity|speed",
    "reference|target|set|goal|desired|command|error", "m/s|rad/s" },
  { "acceleration", "a|acceleration|acc|ddq|alpha", "acceleration", "reference|target|set|goal|desired|command|error",
    "m/s^2|rad/s^2" },
  { "force", "friction|friction_force|friction_torque|F|f|force|torque|tau|motor_force|motor_torque|M",
    "friction|force|torque", "normal|reference|target|set|goal|desired|error|pulse|load", "N|N*m" },
  { "load", "N|n|load|normal_force|normal_load|fn|Fn|preload", "normal|load", "cell", "N|N*m" },
  { "weight", "", "", "", "1" },
};

const char *bristle_channel_text(bristle_channel channel)
{
  return (unsigned)channel < BRISTLE_CHANNELS ? channels[channel].text : "unknown";
}

static void lower(const char *text, char out[100])
{
  size_t i = 0;
  for (; text[i] && i < 99; i++) out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 32) : text[i];
  out[i] = '\0';
}

/* does the name contain one of the words? */
static int contains(const char *name, const char *words)
{
  char small[100], word[40];
  size_t length;
  lower(name, small);
  for (int k = 0; *words; k++) {
    const char *at = word_at(words, k, &length);
    if (!length) return 0;
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    if (strstr(small, word)) return 1;
  }
  return 0;
}

static int fits(const bristle_column *column, const char *unit)
{
  bristle_fault ignored;
  if (column->origin == BRISTLE_UNIT_NONE) return 1;
  return column->origin != BRISTLE_UNIT_UNKNOWN && !unit_fits(&column->scale, column->unit, unit, NULL, &ignored);
}

static int is_taken(const log_choice *choice, size_t place)
{
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    if (choice->place[c] == place) return 1;
  return 0;
}

/* one letter means what it says, longer names in any case */
static int same(const char *name, const char *word, size_t length)
{
  char a[100], b[100], cut[100];
  if (strlen(name) != length) return 0;
  if (length == 1) return *name == *word;
  snprintf(cut, sizeof cut, "%.*s", (int)length, word);
  lower(name, a), lower(cut, b);
  return !strcmp(a, b);
}

static size_t recognise(const bristle_table *table, const log_choice *choice, int channel)
{
  const channel_names *names = &channels[channel];
  size_t length;
  for (int k = 0;; k++) {
    const char *word = word_at(names->exact, k, &length);
    if (!length) break;
    for (size_t i = 0; i < table->columns; i++)
      if (!is_taken(choice, i) && same(table->column[i].name, word, length) && fits(&table->column[i], names->unit))
        return i;
  }
  size_t found = table->columns;
  for (size_t i = 0; i < table->columns; i++) {
    const bristle_column *column = &table->column[i];
    if (is_taken(choice, i) || !contains(column->name, names->words) || contains(column->name, names->never)) continue;
    if (!fits(column, names->unit)) continue;
    if (found != table->columns) return table->columns; /* two of them: the user has to say */
    found = i;
  }
  return found;
}

/* the only column with the right unit that nobody else wants, but never for a load, which is too easily a force */
static size_t by_unit(const bristle_table *table, const log_choice *choice, int channel)
{
  size_t found = table->columns;
  if (channel == BRISTLE_CHANNEL_LOAD) return found;
  for (size_t i = 0; i < table->columns; i++) {
    const bristle_column *column = &table->column[i];
    if (is_taken(choice, i) || column->origin == BRISTLE_UNIT_NONE || !fits(column, channels[channel].unit)) continue;
    if (contains(column->name, channels[channel].never)) continue;
    if (found != table->columns) return table->columns;
    found = i;
  }
  return found;
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
                     "--%s: found '%s' after the star, expected a number", channels[channel].text, shown);
  choice->factor[channel] = factor;
  if (!*rest) return BRISTLE_FAULT_NONE;
  bristle_unit_scale unit;
  bristle_fault_kind kind = bristle_unit_read(rest, strlen(rest), &unit, fault);
  int which = 0;
  if (!kind) kind = unit_fits(&unit, rest, channels[channel].unit, &which, fault);
  if (kind) return kind;
  choice->factor[channel] *= pow(10, unit.decimal) * unit.numerator / unit.denominator;
  choice->scaled[channel] = 1;
  if (which == 1) choice->rotary = 1;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind given(const bristle_table *table, const char *text, int channel, log_choice *choice,
                                bristle_fault *fault)
{
  char name[100];
  const char *star = strrchr(text, '*');
  const bristle_column *column = NULL;
  size_t length = star ? (size_t)(star - text) : strlen(text);
  while (length && text[length - 1] == ' ') length--;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (star) kind = read_factor(star + 1, channel, choice, fault);
  /* a column whose unit was declared with the factor may have any unit of its own */
  bristle_wanted wanted = { name, channels[channel].unit, BRISTLE_GAPS };
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
  snprintf(hint, sizeof hint, "say which: --%s NAME, or --%s '#2' for the second column", channels[channel].text,
           channels[channel].text);
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "no column looks like the %s; found %s", channels[channel].text,
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

bristle_fault_kind log_choose(const bristle_table *table, const bristle_log_options *options, log_choice *choice,
                              bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  *choice = (log_choice){ 0 };
  for (int c = 0; c < BRISTLE_CHANNELS; c++) choice->place[c] = table->columns, choice->factor[c] = 1;
  for (int c = 0; c < BRISTLE_CHANNELS && !kind; c++)
    if (options->column[c]) kind = given(table, options->column[c], c, choice, fault);
  for (int pass = 0; pass < 2 && !kind; pass++)
    for (int c = 0; c < BRISTLE_CHANNELS; c++) {
      /* a derivative is better made by us than guessed by unit alone */
      int wanted = pass == 0 || c == BRISTLE_CHANNEL_TIME || c == BRISTLE_CHANNEL_POSITION
                   || c == BRISTLE_CHANNEL_FORCE;
      if (choice->place[c] != table->columns || !wanted) continue;
      choice->place[c] = pass ? by_unit(table, choice, c) : recognise(table, choice, c);
    }
  if (kind) return kind;
  if (choice->place[BRISTLE_CHANNEL_TIME] == table->columns) return need(table, BRISTLE_CHANNEL_TIME, fault);
  if (choice->place[BRISTLE_CHANNEL_FORCE] == table->columns) return need(table, BRISTLE_CHANNEL_FORCE, fault);
  if (choice->place[BRISTLE_CHANNEL_POSITION] == table->columns
      && choice->place[BRISTLE_CHANNEL_VELOCITY] == table->columns)
    return need(table, BRISTLE_CHANNEL_POSITION, fault);
  decide_rotary(table, choice);
  return BRISTLE_FAULT_NONE;
}
