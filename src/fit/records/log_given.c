/* Columns as the user names them: "torque", "#3", "none", "q2 [deg]", "voltage*35.15 N", "q2+0.5 rad",
   "joint_3.position". */
#include "fit/records/log.h"

#include "maths/elementary.h"

#include <stdlib.h>

static int is_operator(char c) { return c == '*' || c == '/' || c == '+' || c == '-'; }

static char small(char c) { return c >= 'A' && c <= 'Z' ? (char)(c | 32) : c; }

static int same_start(const char *text, const char *name, size_t length)
{
  if (length == 1) return *text == *name; /* one letter means what it says */
  for (size_t i = 0; i < length; i++)
    if (small(text[i]) != small(name[i])) return 0;
  return 1;
}

typedef struct unit_text {
  bristle_unit_scale scale;
  int given, which;
} unit_text;

static double in_si(double value, const bristle_unit_scale *unit)
{
  return value * pow(10, unit->decimal) * unit->numerator / unit->denominator;
}

/* the unit of "rad", "[rad]" or "(rad)": everything between */
static const char *without_brackets(const char *text, const char **end)
{
  while (*text == ' ') text++;
  while (*end > text && (*end)[-1] == ' ') --*end;
  if (*end - text > 2 && ((*text == '[' && (*end)[-1] == ']') || (*text == '(' && (*end)[-1] == ')'))) text++, --*end;
  return text;
}

/* is all that is left a unit? */
static int is_unit(const char *rest)
{
  bristle_unit_scale scale;
  bristle_fault fault;
  const char *end = rest + strlen(rest), *unit = without_brackets(rest, &end);
  return end > unit && !bristle_unit_read(unit, (size_t)(end - unit), &scale, &fault);
}

/* the end of a name is the end of the text, or an operator or a unit behind it */
static int ends_name(const char *rest)
{
  const char *next = rest + strspn(rest, " ");
  return !*next || is_operator(*next) || ((next > rest || strchr("[(", *next)) && is_unit(next));
}

/* The longest column name that the text begins with: names may contain what looks like an op. Returns its length,
   or 0. */
static size_t known_name(const bristle_table *table, const char *text)
{
  size_t longest = 0;
  for (size_t i = 0; i < table->columns; i++)
    for (int k = 0; k < 2; k++) {
      const char *name = k ? table->column[i].header : table->column[i].name;
      size_t length = strlen(name);
      if (length > longest && strlen(text) >= length && same_start(text, name, length) && ends_name(text + length))
        longest = length;
    }
  return longest;
}

/* the only column whose name ends so, behind a slash or a dot: "position[3]" for "/joint_states/position[3]" */
static size_t by_ending(const bristle_table *table, const char *name)
{
  size_t found = table->columns, length = strlen(name);
  for (size_t i = 0; length > 2 && i < table->columns; i++)
    for (int k = 0; k < 2; k++) {
      const char *whole = k ? table->column[i].header : table->column[i].name;
      size_t n = strlen(whole);
      if (n <= length || !strchr("/.", whole[n - length - 1]) || !same_start(whole + n - length, name, length))
        continue;
      if (found != table->columns && found != i) return table->columns;
      found = i;
    }
  return found;
}

/* the unit up to the next operator that a number follows; *text goes behind it */
static bristle_fault_kind read_unit(const char **text, const char *wanted, unit_text *unit, bristle_fault *fault)
{
  const char *p = *text, *end = p;
  while (*end && !(is_operator(*end) && strchr("0123456789.+- ", end[1]) && end[1])) end++;
  *text = end;
  while (end > p && end[-1] == ' ') end--;
  *unit = (unit_text){ .given = end > p };
  if (!unit->given) return BRISTLE_FAULT_NONE;
  char shown[EXCERPT];
  bristle_fault_kind kind = bristle_unit_read(p, (size_t)(end - p), &unit->scale, fault);
  return kind ? kind : unit_fits(&unit->scale, excerpt(p, (size_t)(end - p), shown), wanted, &unit->which, fault);
}

static int has_unit(const bristle_column *column)
{
  return column->origin != BRISTLE_UNIT_ORIGIN_NONE && column->origin != BRISTLE_UNIT_ORIGIN_UNKNOWN;
}

/* "q2 [deg]": the unit of a column that does not say it */
static bristle_fault_kind read_declared(const char *text, const char *wanted, const bristle_column *own, log_column *to,
                                        bristle_fault *fault)
{
  char shown[EXCERPT];
  const char *end = text + strlen(text), *p = without_brackets(text, &end);
  unit_text unit = { 0 };
  bristle_fault_kind kind = bristle_unit_read(p, (size_t)(end - p), &unit.scale, fault);
  if (!kind) kind = unit_fits(&unit.scale, excerpt(p, (size_t)(end - p), shown), wanted, &unit.which, fault);
  if (kind) return kind;
  if (has_unit(own) && in_si(1, &own->scale) != in_si(1, &unit.scale))
    return fault_set(fault, BRISTLE_FAULT_UNIT,
                     "leave the unit out; if the file is wrong, write the factor: \"q2*1 rad\"",
                     "column '%s' has the unit %s, found '%s' after its name", own->header, own->unit,
                     excerpt(p, (size_t)(end - p), shown));
  if (!has_unit(own)) to->factor = in_si(1, &unit.scale), to->scaled = 1; /* else the table is in SI already */
  to->kind = log_kind_of(&unit.scale);
  return BRISTLE_FAULT_NONE;
}

static int same_kind(const bristle_column *own, const unit_text *unit)
{
  return has_unit(own) && bristle_unit_same_dimension(&own->scale, &unit->scale);
}

/* "x*2 mm" of a column in mm: times two, or in square mm? */
static bristle_fault_kind refuse_second_unit(const bristle_column *own, bristle_fault *fault)
{
  return fault_set(fault, BRISTLE_FAULT_UNIT, "write the factor without a unit: \"x*2\"",
                   "column '%s' has the unit %s, so a factor with a unit of that kind would count it twice",
                   own->header, own->unit);
}

/* What stands behind the name: factors and shifts with their units, from left to right. */
static bristle_fault_kind read_operations(const char *text, const char *wanted, const bristle_column *own,
                                          log_column *to, bristle_fault *fault)
{
  const char *p = text;
  int factors = 0;
  double shift = 0, bare = 0; /* shifts in SI; those without a unit, in that of the column */
  while (*p == ' ') p++;
  if (*p && !is_operator(*p)) return read_declared(p, wanted, own, to, fault);
  while (*p) {
    char op = *p, shown[EXCERPT], *end;
    double number = strtod(p + 1, &end);
    if (end == p + 1 || !isfinite(number) || (strchr("*/", op) && number == 0))
      return fault_set(
          fault, BRISTLE_FAULT_SYNTAX,
          "write the column, then *, /, + or -, a number and its unit: \"voltage*35.15 N\", \"q2+0.5 rad\"",
          "found '%s' after the name of the column, expected a number after the %c", excerpt(p, strlen(p), shown), op);
    for (p = end; *p == ' ';) p++;
    unit_text unit;
    bristle_fault_kind kind = read_unit(&p, wanted, &unit, fault);
    if (kind) return kind;
    if (unit.given) to->kind = log_kind_of(&unit.scale);
    if (op == '*' || op == '/') {
      if (unit.given && same_kind(own, &unit)) return refuse_second_unit(own, fault);
      double factor = op == '*' ? number : 1 / number;
      if (unit.given) factor = in_si(factor, &unit.scale), to->scaled = 1;
      to->factor *= factor, shift *= factor, bare *= factor, factors++;
      continue;
    }
    if (op == '-') number = -number;
    if (!unit.given) bare += number;
    else if (factors && !to->scaled && !same_kind(own, &unit)) { /* "voltage*35.15+2 N": the unit of all of it */
      to->factor = in_si(to->factor, &unit.scale), shift = in_si(shift, &unit.scale), bare = in_si(bare, &unit.scale);
      shift += in_si(number, &unit.scale), to->scaled = 1;
    } else shift += in_si(number, &unit.scale);
  }
  if (has_unit(own) && !to->scaled) bare = in_si(bare, &own->scale);
  to->shift = shift + bare;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind pick(const bristle_table *table, const char *name, const char *wanted, int scaled,
                               log_column *to, bristle_fault *fault)
{
  bristle_wanted column_wanted = { name, wanted, BRISTLE_GAPS };
  const bristle_column *column = NULL;
  bristle_table plain = *table;
  /* a column whose unit was declared with the factor may have any unit of its own */
  bristle_column *copy = malloc(sizeof *copy * (table->columns + 1));
  if (!copy) return fault_memory(fault);
  memcpy(copy, table->column, sizeof *copy * table->columns);
  for (size_t i = 0; i < table->columns && scaled; i++) copy[i].origin = BRISTLE_UNIT_ORIGIN_NONE;
  plain.column = copy;
  bristle_fault_kind kind = bristle_table_pick(&plain, &column_wanted, &column, fault);
  if (!kind) to->place = (size_t)(column - plain.column);
  free(copy);
  return kind;
}

/* "actual torque (% rated)": a share of something that the file does not tell */
static int is_share(const char *header)
{
  return strchr(header, '%') || strstr(header, "percent") || strstr(header, "Percent") || strstr(header, "PERCENT");
}

/* a current for a torque, a voltage for a position, a share of a rated torque */
static void ask_for_factor(const char *name, const char *wanted, bristle_fault *fault)
{
  snprintf(fault->hint, sizeof fault->hint, "if it is proportional to that, give the factor and its unit: '%s*12 %.*s'",
           name, (int)strcspn(wanted, "|"), wanted);
}

bristle_fault_kind log_column_read(const bristle_table *table, const char *text, const char *wanted, log_column *to,
                                   bristle_fault *fault)
{
  char name[100];
  size_t length = known_name(table, text);
  if (!length && *text == '#') length = 1 + strspn(text + 1, "0123456789");
  if (length && !ends_name(text + length)) length = 0;
  if (!length) {
    while (text[length] && !is_operator(text[length])) length++;
    if (*text == '/') length = strcspn(text, "*+"); /* names of topics begin with slashes */
  }
  const char *rest = text + length;
  while (length && text[length - 1] == ' ') length--;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  *to = (log_column){ .place = table->columns, .factor = 1 };
  size_t ending = known_name(table, text) ? table->columns : by_ending(table, name);
  if (ending != table->columns) snprintf(name, sizeof name, "#%zu", ending + 1);
  /* the column itself is found first: a shift may be in its unit */
  bristle_fault_kind kind = pick(table, name, wanted, 1, to, fault);
  if (!kind) kind = read_operations(rest, wanted, &table->column[to->place], to, fault);
  if (kind || to->scaled) return kind;
  kind = pick(table, name, wanted, 0, to, fault);
  const bristle_column *own = &table->column[to->place];
  if (!kind && to->factor == 1 && !has_unit(own) && is_share(own->header)) {
    fault_set(fault, BRISTLE_FAULT_UNIT, NULL, "column '%s' is a share in percent, expected values in %.*s",
              own->header, (int)strcspn(wanted, "|"), wanted);
    kind = fault_at(fault, table->file, 0, 0);
  }
  if (kind == BRISTLE_FAULT_UNIT) ask_for_factor(name, wanted, fault);
  return kind;
}
