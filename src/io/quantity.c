/* "100 N/mm" where N/m is wanted: the number, its unit, and words for what does not fit. */
#include "io/support.h"

#include "maths/elementary.h"

static const struct {
  const char *unit, *words;
} meanings[] = {
  { "1", "a plain number" },
  { "m", "a length" },
  { "kg", "a mass" },
  { "s", "a time" },
  { "m/s", "a speed" },
  { "m/s^2", "an acceleration" },
  { "N", "a force" },
  { "N*m", "a torque" },
  { "N/m", "a stiffness" },
  { "N*s/m", "a damping" },
  { "rad", "an angle" },
  { "rad/s", "an angular speed" },
  { "rad/s^2", "an angular acceleration" },
  { "N*m/rad", "a rotary stiffness" },
  { "N*m*s/rad", "a rotary damping" },
  { "kg*m^2", "a moment of inertia" },
  { "1/s", "a frequency" },
  { "1/m", "a stiffness per load" },
  { "s/m", "a damping per load" },
  { "V", "a voltage" },
  { "A", "a current" },
  { "Pa", "a pressure" },
};

static const char *meaning(const bristle_unit_scale *unit)
{
  for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
    bristle_unit_scale known;
    bristle_unit_read(meanings[i].unit, strlen(meanings[i].unit), &known, NULL);
    if (bristle_unit_same_dimension(unit, &known)) return meanings[i].words;
  }
  return NULL;
}

/* "a stiffness in N/m or a rotary stiffness in N*m/rad" */
static void expectation(const char *wanted, char *text, size_t size)
{
  size_t n, used = 0;
  const char *word;
  text[0] = '\0';
  for (int i = 0; (word = word_at(wanted, i, &n)), n && used < size; i++) {
    bristle_unit_scale unit;
    bristle_unit_read(word, n, &unit, NULL);
    const char *words = meaning(&unit);
    const char *join = i ? " or " : "";
    int plain = n == 1 && *word == '1';
    if (plain) used = text_append(text, size, used, "%sa plain number", join);
    else if (words) used = text_append(text, size, used, "%s%s in %.*s", join, words, (int)n, word);
    else used = text_append(text, size, used, "%s%.*s", join, (int)n, word);
  }
}

bristle_fault_kind unit_fits(const bristle_unit_scale *unit, const char *shown, const char *wanted, int *which,
                             bristle_fault *fault)
{
  size_t n;
  const char *word;
  int angle_only = 0;
  for (int i = 0; (word = word_at(wanted, i, &n)), n; i++) {
    bristle_unit_scale target;
    bristle_unit_read(word, n, &target, NULL);
    if (bristle_unit_same_dimension(unit, &target)) {
      if (which) *which = i;
      return BRISTLE_FAULT_NONE;
    }
    angle_only |= !memcmp(unit->power, target.power, BRISTLE_DIMENSION_ANGLE);
  }
  char expected[200];
  expectation(wanted, expected, sizeof expected);
  const char *is = meaning(unit);
  const char *hint = !strcmp(wanted, "1") ? "write the number without a unit"
                     : angle_only         ? "angles count: rad, deg and rev are units of their own"
                                          : "check the value and its unit";
  return fault_set(fault, BRISTLE_FAULT_UNIT, hint, "found '%s'%s%s%s, expected %s", shown, is ? " (" : "",
                   is ? is : "", is ? ")" : "", expected);
}

bristle_fault_kind bristle_quantity_read(const char *text, size_t length, const char *wanted, double *value, int *which,
                                         bristle_fault *fault)
{
  char shown[EXCERPT], expected[200];
  const char *p = text, *end = text + length;
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  while (end > p && (end[-1] == ' ' || end[-1] == '\t')) end--;
  excerpt(p, (size_t)(end - p), shown);
  decimal d;
  const char *number_end = decimal_scan(p, end, '.', &d);
  if (!number_end) {
    size_t n;
    char hint[120];
    const char *unit = word_at(wanted, 0, &n);
    if (!strcmp(wanted, "1")) snprintf(hint, sizeof hint, "write a number: 0.1");
    else snprintf(hint, sizeof hint, "write a number, with or without a unit: 0.1 or 0.1 %.*s", (int)n, unit);
    expectation(wanted, expected, sizeof expected);
    return fault_set(fault, BRISTLE_FAULT_SYNTAX, hint, "found '%s', expected %s", shown, expected);
  }
  const char *unit_text = number_end;
  while (unit_text < end && (*unit_text == ' ' || *unit_text == '\t')) unit_text++;
  if (unit_text < end && *unit_text == ',')
    return fault_set(fault, BRISTLE_FAULT_SYNTAX, "write a decimal point, not a comma", "found '%s', expected a number",
                     shown);
  bristle_unit_scale unit;
  bristle_fault_kind kind = bristle_unit_read(unit_text, (size_t)(end - unit_text), &unit, fault);
  if (kind) return kind;
  if (which) *which = -1;
  if (unit_text < end && (kind = unit_fits(&unit, shown, wanted, which, fault))) return kind;
  double number = unit_apply(&unit, decimal_value(&d, p, number_end, unit.decimal));
  if (!isfinite(number))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "numbers end at 1.8e308", "found '%s', expected a finite number",
                     shown);
  *value = number;
  return BRISTLE_FAULT_NONE;
}

int quantity_split(const char *text, double *value, char unit[32])
{
  size_t length = strlen(text);
  while (length && !bristle_number_read(text, length, '.', 0, value)) length--;
  if (!length) return 1;
  while (text[length] == ' ') length++;
  snprintf(unit, 32, "%s", text + length);
  return 0;
}
