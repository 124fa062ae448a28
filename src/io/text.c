#include "bristle/text.h"

#include "maths/elementary.h"

#include <stdio.h>
#include <stdlib.h>

/* "1e+05" -> "1e5", and a decimal comma of the locale becomes a point */
static void tidy(char *digits)
{
  char *to = digits;
  for (const char *c = digits; *c; c++) {
    *to++ = *c == ',' ? '.' : *c;
    if (*c != 'e') continue;
    if (c[1] == '-') *to++ = *++c;
    else if (c[1] == '+') c++;
    while (c[1] == '0' && c[2]) c++;
  }
  *to = '\0';
}

void bristle_number_text(double value, char *text, size_t size)
{
  char digits[40];
  int precision = 1;
  for (double ten = 10; fabs(value) < 1e4 && fabs(value) >= ten; ten *= 10) precision++; /* 10 rather than 1e1 */
  for (; precision <= 17; precision++) {
    snprintf(digits, sizeof digits, "%.*g", precision, value);
    if (strtod(digits, NULL) == value) break;
  }
  tidy(digits);
  snprintf(text, size, "%s", digits);
}

void bristle_param_name(const bristle_row *row, int element, char *text, size_t size)
{
  if (row->count > 1) snprintf(text, size, "%s[%d]", row->name, element + 1);
  else snprintf(text, size, "%s", row->name);
}

static void put_field(const bristle_error *e, char *text, size_t size)
{
  if (e->index >= 0) snprintf(text, size, "%s: %s[%d]", e->model, e->field, e->index + 1);
  else snprintf(text, size, "%s: %s", e->model, e->field);
}

void bristle_error_text(const bristle_error *e, char *text, size_t size)
{
  char where[96], value[40], lo[40], hi[40];
  put_field(e, where, sizeof where);
  bristle_number_text(e->value, value, sizeof value);
  bristle_number_text(e->lo, lo, sizeof lo);
  bristle_number_text(e->hi, hi, sizeof hi);
  switch (e->status) {
  case BRISTLE_STATUS_OK:
    snprintf(text, size, "%s is fine", where);
    break;
  case BRISTLE_STATUS_NOT_FINITE:
    snprintf(text, size, "%s = %s is not a number one can compute with; give a finite value", where, value);
    break;
  case BRISTLE_STATUS_OUT_OF_RANGE:
    snprintf(text, size, "%s = %s is outside %s to %s; check the value and its unit", where, value, lo, hi);
    break;
  case BRISTLE_STATUS_NOT_WHOLE:
    snprintf(text, size, "%s = %s selects a variant and must be a whole number from %s to %s", where, value, lo, hi);
    break;
  case BRISTLE_STATUS_RULE_BROKEN:
    snprintf(text, size, "%s = %s breaks a rule: %s", where, value, e->rule);
    break;
  }
}

const char *bristle_load_text(bristle_load load)
{
  static const char *const names[] = { "force", "coefficient", "level" };
  return names[load];
}

const char *bristle_row_kind_text(bristle_row_kind kind)
{
  static const char *const names[] = { "linear", "log", "option", "flow", "jump" };
  return names[kind];
}

const char *bristle_mode_text(bristle_mode mode)
{
  static const char *const names[] = { "stuck", "presliding", "sliding" };
  return names[mode];
}
