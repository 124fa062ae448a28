/* Columns of a table by name and unit, and where its rows are in the file. */
#include "io/csv.h"
#include "io/recognise.h"

#include "maths/elementary.h"

#include <stdlib.h>

size_t bristle_table_line(const bristle_table *table, size_t row)
{
  size_t low = 0, high = table->skips; /* the last entry that does not lie after the row */
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (table->skip[2 * middle] <= row) low = middle;
    else high = middle;
  }
  return table->skips ? table->skip[2 * low + 1] + (row - table->skip[2 * low]) : 0;
}

static const char *shown_name(const bristle_table *table, const bristle_column *column, char text[100])
{
  if (column->header[0]) snprintf(text, 100, "'%s'", column->header);
  else snprintf(text, 100, "%zu", (size_t)(column - table->column) + 1);
  return text;
}

bristle_fault_kind bristle_table_fault(const bristle_table *table, const bristle_column *column, size_t row,
                                       bristle_fault *fault, const char *hint, const char *format, ...)
{
  char text[300], name[100];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fault_set(fault, BRISTLE_FAULT_VALUE, hint, "column %s: %s", shown_name(table, column, name), text);
  fault_at(fault, table->file, bristle_table_line(table, row), 0);
  return BRISTLE_FAULT_VALUE;
}

/* ---- by name ---- */

static char plain(char c, int any_case)
{
  if (any_case && (c == ' ' || c == '-')) return '_';
  return any_case && c >= 'A' && c <= 'Z' ? (char)(c | 32) : c;
}

/* a single letter means what it says: T is no t */
static int same_name(const char *name, const char *wanted, size_t length)
{
  size_t i = 0;
  int any_case = length > 1;
  while (i < length && name[i] && plain(name[i], any_case) == plain(wanted[i], any_case)) i++;
  return i == length && !name[i];
}

/* the first column of this name, and the second if there is one */
static size_t find_name(const bristle_table *table, const char *name, size_t length, size_t *second)
{
  size_t first = table->columns;
  *second = table->columns;
  if (*name == '#' && length > 1) {
    size_t place = 0;
    for (size_t i = 1; i < length && name[i] >= '0' && name[i] <= '9' && place <= table->columns; i++)
      place = place * 10 + (size_t)(name[i] - '0');
    if (name[1 + strspn(name + 1, "0123456789")] && strspn(name + 1, "0123456789") + 1 < length) return table->columns;
    return place >= 1 && place <= table->columns ? place - 1 : table->columns;
  }
  for (size_t i = 0; i < table->columns; i++) {
    const bristle_column *column = &table->column[i];
    if (!same_name(column->name, name, length) && !same_name(column->header, name, length)) continue;
    if (first == table->columns) first = i;
    else if (*second == table->columns) *second = i;
  }
  return first;
}

static bristle_fault_kind not_there(const bristle_table *table, const bristle_wanted *wanted, bristle_fault *fault)
{
  char names[200] = "";
  size_t used = 0, n;
  for (size_t i = 0; i < table->columns && used < sizeof names; i++)
    if (table->column[i].header[0])
      used = text_append(names, sizeof names, used, "%s%s", used ? ", " : "", table->column[i].header);
  if (used >= sizeof names) memcpy(names + sizeof names - 4, "...", 4);
  const char *name = word_at(wanted->names, 0, &n);
  if (*name == '#' && n > 1) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "count the columns from 1, or give a name",
              "there is no column '%.*s'; found %zu%s%s", (int)n, name, table->columns, used ? ": " : "", names);
    return fault_at(fault, table->file, 0, 0);
  }
  const char *unit = strcmp(wanted->unit, "1") && !memchr(name, '[', n) ? wanted->unit : NULL;
  char hint[100];
  snprintf(hint, sizeof hint, "name one of them '%.*s%s%.*s%s'", (int)n, name, unit ? " [" : "",
           unit ? (int)strcspn(unit, "|") : 0, unit ? unit : "", unit ? "]" : "");
  if (used)
    fault_set(fault, BRISTLE_FAULT_VALUE, hint, "found the columns %s, expected one named '%.*s'", names, (int)n, name);
  else
    fault_set(fault, BRISTLE_FAULT_VALUE, "add a line of names above the numbers",
              "found %zu column%s without a name, expected one named '%.*s'", table->columns,
              table->columns == 1 ? "" : "s", (int)n, name);
  return fault_at(fault, table->file, 0, 0);
}

/* ---- what a column must be ---- */

static bristle_fault_kind check_unit(const bristle_table *table, const bristle_column *column, const char *wanted,
                                     bristle_fault *fault)
{
  char name[100], text[400];
  bristle_fault inner;
  if (column->origin == BRISTLE_UNIT_ORIGIN_NONE) return BRISTLE_FAULT_NONE;
  if (column->origin == BRISTLE_UNIT_ORIGIN_UNKNOWN) {
    bristle_unit_scale scale;
    if (!bristle_unit_read(column->unit, strlen(column->unit), &scale, &inner)) inner.what[0] = inner.hint[0] = '\0';
  } else if (!unit_fits(&column->scale, column->unit, wanted, NULL, &inner)) {
    return BRISTLE_FAULT_NONE;
  }
  if (column->origin == BRISTLE_UNIT_ORIGIN_IN_NAME)
    snprintf(inner.hint, sizeof inner.hint, "if '%s' is no unit, write the unit in brackets: '%s [%.*s]'", column->unit,
             column->header, (int)strcspn(wanted, "|"), wanted);
  snprintf(text, sizeof text, "%s", inner.what);
  fault_set(fault, BRISTLE_FAULT_UNIT, inner.hint, "column %s: %s", shown_name(table, column, name), text);
  return fault_at(fault, table->file, 0, 0);
}

const bristle_cell *column_first_bad(const bristle_column *column)
{
  if (column->strange && column->gaps)
    return column->gap.line < column->stranger.line ? &column->gap : &column->stranger;
  return column->strange ? &column->stranger : column->gaps ? &column->gap : NULL;
}

void column_say_bad(const bristle_table *table, const bristle_column *column, char text[200])
{
  const bristle_cell *c = column_first_bad(column);
  char name[100];
  shown_name(table, column, name);
  if (!c) snprintf(text, 200, "column %s: found a number that is too large in SI, expected a finite one", name);
  else if (c->text[0]) snprintf(text, 200, "column %s: found '%s', expected a number", name, c->text);
  else snprintf(text, 200, "column %s: found an empty cell, expected a number", name);
}

bristle_fault_kind column_check_cells(const bristle_table *table, const bristle_column *column, int gaps_allowed,
                                      bristle_fault *fault)
{
  char name[100];
  shown_name(table, column, name);
  if (column->strange) {
    const bristle_cell *c = &column->stranger;
    decimal d;
    int comma = decimal_scan(c->text, c->text + strlen(c->text), ',', &d) == c->text + strlen(c->text);
    int number = decimal_scan(c->text, c->text + strlen(c->text), table->mark, &d) == c->text + strlen(c->text);
    const char *hint = number                        ? "numbers end at 1.8e308"
                       : comma && table->mark == '.' ? "the other numbers of this file have decimal points"
                                                     : "delete the cell's text, or name another column";
    fault_set(fault, BRISTLE_FAULT_SYNTAX, hint, "column %s: found '%s', expected a finite number", name, c->text);
    return fault_at(fault, table->file, c->line, c->column);
  }
  if (column->gaps && !gaps_allowed) {
    const bristle_cell *c = &column->gap;
    char text[200];
    column_say_bad(table, column, text);
    fault_set(fault, BRISTLE_FAULT_VALUE, "fill the gap or delete the row", "%s", text);
    return fault_at(fault, table->file, c->line, c->column);
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_table_pick(const bristle_table *table, const bristle_wanted *wanted,
                                      const bristle_column **column, bristle_fault *fault)
{
  size_t n, found = table->columns, second = table->columns;
  const char *name;
  *column = NULL;
  for (int i = 0; found == table->columns && ((name = word_at(wanted->names, i, &n)), n); i++)
    found = find_name(table, name, n, &second);
  if (found == table->columns)
    return wanted->flags & BRISTLE_OPTIONAL ? BRISTLE_FAULT_NONE : not_there(table, wanted, fault);
  const bristle_column *c = &table->column[found];
  if (second < table->columns) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "rename one of them",
              "columns %zu ('%s') and %zu ('%s') have the same name, expected one", found + 1, c->header, second + 1,
              table->column[second].header);
    return fault_at(fault, table->file, 0, 0);
  }
  bristle_fault_kind kind = check_unit(table, c, wanted->unit, fault);
  if (!kind) kind = column_check_cells(table, c, wanted->flags & BRISTLE_GAPS, fault);
  if (!kind) *column = c;
  return kind;
}

bristle_fault_kind bristle_table_check_increasing(const bristle_table *table, const bristle_column *column,
                                                  bristle_fault *fault)
{
  const double *x = column->data;
  for (size_t i = 1; i < table->rows; i++) {
    if (x[i] > x[i - 1]) continue;
    char now[BRISTLE_NUMBER_SIZE], before[BRISTLE_NUMBER_SIZE];
    bristle_number_write(x[i], now);
    bristle_number_write(x[i - 1], before);
    if (x[i] == x[i - 1])
      return bristle_table_fault(table, column, i, fault, "delete one of the two rows",
                                 "found %s twice, expected growing values", now);
    return bristle_table_fault(table, column, i, fault, "sort the rows, or split the file where it starts again",
                               "found %s after %s, expected growing values", now, before);
  }
  return BRISTLE_FAULT_NONE;
}
