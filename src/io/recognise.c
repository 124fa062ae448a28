/* Which column is which: by name, by a word in the name, by unit. */
#include "io/recognise.h"

#include <ctype.h>

#define NOT_MEASURED "reference|target|set|goal|desired|command|control|error"

const column_role column_roles[COLUMN_ROLES] = {
  { "t|time|time_stamp|timestamp|stamp|seconds|zeit", "time", "", "s" },
  { "x|position|pos|displacement|angle|q|phi|theta|s|weg|winkel", "position|displacement|angle", NOT_MEASURED,
    "m|rad" },
  { "v|velocity|speed|vel|dq|w|omega|slip|xdot|qdot|geschwindigkeit", "velocity|speed", NOT_MEASURED, "m/s|rad/s" },
  { "a|acceleration|acc|ddq|alpha", "acceleration", NOT_MEASURED, "m/s^2|rad/s^2" },
  { "friction|friction_force|friction_torque|F|f|force|torque|tau|effort|motor_force|motor_torque|M|kraft|drehmoment",
    "friction|force|torque|effort", "normal|reference|target|set|goal|desired|error|pulse|load|%|percent", "N|N*m" },
  { "N|n|load|normal_force|normal_load|fn|Fn|preload", "normal|load", "cell", "N|N*m" },
};

static void lower(const char *text, char out[100])
{
  size_t i = 0;
  for (; text[i] && i < 99; i++) out[i] = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] | 32) : text[i];
  out[i] = '\0';
}

int column_has_word(const char *name, const char *words)
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
  if (column->origin == BRISTLE_UNIT_ORIGIN_NONE) return 1;
  return column->origin != BRISTLE_UNIT_ORIGIN_UNKNOWN
         && !unit_fits(&column->scale, column->unit, unit, NULL, &ignored);
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

/* the next word of a name: letters only, so that "dq2_meas" begins with "dq" */
static const char *next_letters(const char **at, size_t *length)
{
  while (**at && !isalpha((unsigned char)**at)) ++*at;
  const char *begin = *at;
  while (isalpha((unsigned char)**at)) ++*at;
  *length = (size_t)(*at - begin);
  return begin;
}

int column_name_has_one_of(const char *name, const char *words)
{
  size_t length, size;
  for (const char *at = name, *part = next_letters(&at, &length); length; part = next_letters(&at, &length)) {
    char whole[100];
    snprintf(whole, sizeof whole, "%.*s", (int)length, part);
    for (int k = 0;; k++) {
      const char *word = word_at(words, k, &size);
      if (!size) break;
      if (same(whole, word, size)) return 1;
    }
  }
  return 0;
}

/* "q2", "tau_2": the column of one joint. Two such columns are of two joints, and the user has to say. */
static size_t column_of_joint(const bristle_table *table, const column_role *role, const char *taken)
{
  size_t found = table->columns, length;
  for (size_t i = 0; i < table->columns; i++) {
    const char *name = table->column[i].name;
    size_t stem = strcspn(name, "_0123456789");
    if ((taken && taken[i]) || !name[0] || !isdigit((unsigned char)name[strlen(name) - 1])
        || !fits(&table->column[i], role->unit) || name[stem + strspn(name + stem, "_0123456789")])
      continue;
    char cut[100];
    snprintf(cut, sizeof cut, "%.*s", (int)stem, name);
    int named = 0;
    for (int k = 0; !named; k++) {
      const char *word = word_at(role->exact, k, &length);
      if (!length) break;
      named = same(cut, word, length);
    }
    if (named && found != table->columns) return table->columns;
    if (named) found = i;
  }
  return found;
}

size_t column_by_name(const bristle_table *table, const column_role *role, const char *taken)
{
  size_t length;
  for (int k = 0;; k++) {
    const char *word = word_at(role->exact, k, &length);
    if (!length) break;
    for (size_t i = 0; i < table->columns; i++)
      if (!(taken && taken[i]) && same(table->column[i].name, word, length) && fits(&table->column[i], role->unit))
        return i;
  }
  size_t found = table->columns;
  for (size_t i = 0; i < table->columns; i++) {
    const bristle_column *column = &table->column[i];
    if ((taken && taken[i]) || !column_has_word(column->name, role->words)
        || column_has_word(column->name, role->never))
      continue;
    if (!fits(column, role->unit)) continue;
    if (found != table->columns) return table->columns; /* two of them: the user has to say */
    found = i;
  }
  return found != table->columns ? found : column_of_joint(table, role, taken);
}

size_t column_by_unit(const bristle_table *table, const column_role *role, const char *taken)
{
  size_t found = table->columns;
  for (size_t i = 0; i < table->columns; i++) {
    const bristle_column *column = &table->column[i];
    if ((taken && taken[i]) || column->origin == BRISTLE_UNIT_ORIGIN_NONE || !fits(column, role->unit)) continue;
    if (column_has_word(column->name, role->never)) continue;
    if (found != table->columns) return table->columns;
    found = i;
  }
  return found;
}

/* what else stands in logs */
static const column_role other_roles[] = { { "i|iq|id", "current|strom|ampere", "", "A" },
                                           { "u|uq|ud", "voltage|spannung", "", "V" },
                                           { "temp", "temperature|temperatur", "", "K" },
                                           { "p", "pressure|druck", "", "Pa" },
                                           { "power", "power|leistung", "", "W" },
                                           { "mass", "mass", "", "kg" },
                                           { "energy", "energy|work|energie|arbeit", "", "J" } };

static int asks(const char *name, const column_role *role, const bristle_unit_scale *scale)
{
  const char *last = name + strlen(name);
  size_t length;
  bristle_fault ignored;
  while (last > name && !strchr(" ._", last[-1])) last--;
  int found = column_has_word(name, role->words);
  for (int k = 0; !found; k++) {
    const char *word = word_at(role->exact, k, &length);
    if (!length) return 0;
    found = same(name, word, length) || same(last, word, length);
  }
  return !unit_fits(scale, "", role->unit, NULL, &ignored);
}

int column_name_asks(const char *name, const bristle_unit_scale *scale)
{
  for (int k = 0; k < COLUMN_ROLES; k++)
    if (asks(name, &column_roles[k], scale)) return 1;
  for (size_t k = 0; k < sizeof other_roles / sizeof *other_roles; k++)
    if (asks(name, &other_roles[k], scale)) return 1;
  return 0;
}
