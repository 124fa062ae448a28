/* What the preprocessor leaves behind, written as a person would: constants without casts, load forms without the
 * comparison of units, levels of a direction without the comparison of roles, choices of a single contact without those
 * of many side by side. None of it changes a value. */
#include "distil.h"
#include "scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int begins(const char *at, const char *with) { return !strncmp(at, with, strlen(with)); }

/* "((real)(0.5))" as "0.5f" or "0.5" where the cast changes nothing; returns what is behind it, or NULL */
static const char *constant(const char *at, int single, buffer *out)
{
  static const char cast[] = "((real)(";
  if (!begins(at, cast)) return NULL;
  const char *number = at + sizeof cast - 1;
  const size_t length = strcspn(number, ")");
  char text[40], *end;
  if (!begins(number + length, "))") || length > 30) return NULL;
  snprintf(text, sizeof text, "%.*s", (int)length, number);
  const double value = strtod(text, &end);
  if (end == text || (*end && strcmp(end, "f"))) return NULL;
  *end = '\0'; /* a suffix is written again */
  if (single && strtof(text, NULL) != (float)value) return NULL;
  const int negative = text[0] == '-';
  buffer_print(out, "%s%s%s%s%s", negative ? "(" : "", text, strpbrk(text, ".eExX") ? "" : ".0", single ? "f" : "",
               negative ? ")" : "");
  return number + length + 2;
}

/* (("N/m")[0] == 'N' && ("N/m")[1] == '\0') ? p->k * level : p->k   as   p->k */
static const char *load_form(const char *at, buffer *out)
{
  static const char middle[] = "[0] == 'N' && (";
  if (!begins(at, "((\"")) return NULL;
  const char *unit = at + 3, *comparison = strchr(unit, '"') + 2;
  if (!begins(comparison, middle)) return NULL;
  const char *chosen = skip_bracket(at);
  if (!begins(chosen, " ? ")) return NULL;
  const char *level = chosen + 3, *plain = strstr(level, " : "), *end = plain ? plain + strcspn(plain, ";") : NULL;
  if (!end) return NULL;
  if (begins(unit, "N\"")) buffer_add(out, level, (size_t)(plain - level));
  else buffer_add(out, plain + 3, (size_t)(end - plain - 3));
  return end;
}

/* Of ((BRISTLE_ROLE_A) == BRISTLE_ROLE_B || ...) and what follows: does A stand among the others? */
static int role_is(const char *at)
{
  static const char one[] = "((BRISTLE_ROLE_", other[] = "== BRISTLE_ROLE_";
  const char *end = skip_bracket(at), *name = at + sizeof one - 1;
  const size_t length = name_length(name);
  while ((at = strstr(at, other)) && at < end) {
    at += sizeof other - 1;
    if (name_length(at) == length && !strncmp(at, name, length)) return 1;
  }
  return 0;
}

/* q.fc = ((BRISTLE_ROLE_LEVEL) == ...) ? p->fc * viscous : (((BRISTLE_ROLE_LEVEL) == ...) ? (p->fc)*k : (p->fc));
   as   q.fc = p->fc * k */
static const char *direction_form(const char *at, buffer *out)
{
  static const char condition[] = "((BRISTLE_ROLE_";
  if (!begins(at, "q.")) return NULL;
  const char *name = at + 2, *viscous = name + name_length(name) + 3, *end = strchr(at, ';');
  if (viscous[-2] != '=' || !begins(viscous, condition)) return NULL;
  const char *level = strstr(skip_bracket(viscous), condition);
  const char *factor = role_is(viscous) ? " * viscous" : level && level < end && role_is(level) ? " * k" : "";
  const int length = (int)name_length(name);
  buffer_print(out, "q.%.*s = p->%.*s%s", length, name, length, name, factor);
  return end;
}

/* (alone ? (A) : r_pick(...))   as   (A) */
static char *tidy(const char *text, int single);
static const char *choice(const char *at, int single, buffer *out)
{
  if (!begins(at, "(alone ? (")) return NULL;
  const char *first = at + strlen("(alone ? "), *end = skip_bracket(first);
  if (!begins(end, " : r_pick(")) return NULL;
  buffer inner = { 0 };
  buffer_add(&inner, first, (size_t)(end - first));
  char *text = buffer_take(&inner), *tidied = text ? tidy(text, single) : NULL;
  if (tidied) buffer_add(out, tidied, strlen(tidied));
  else out->failed = 1;
  free(text);
  free(tidied);
  return skip_bracket(at);
}

static char *tidy(const char *text, int single)
{
  static const char inlined[] = " inline __attribute__((always_inline, unused))",
                    always[] = "__attribute__((always_inline)) ";
  const int derivatives = strstr(text, "operator") != NULL; /* C++: not all operators are used */
  buffer out = { 0 };
  for (const char *at = text, *behind; *at; at = behind) {
    if ((behind = skip_quoted(at)) != at) buffer_add(&out, at, (size_t)(behind - at));
    else if (begins(at, inlined)) buffer_add(&out, inlined, derivatives ? 7 : 0), behind = at + sizeof inlined - 1;
    else if (begins(at, always)) behind = at + sizeof always - 1;
    else if ((behind = constant(at, single, &out)) || (behind = load_form(at, &out))
             || (behind = direction_form(at, &out)) || (behind = choice(at, single, &out)))
      continue;
    else if (begins(at, "; q->") || begins(at, "; q.") || begins(at, "; for (int i_"))
      buffer_add(&out, ";\n  ", 4), behind = at + 2;
    else buffer_add(&out, at, 1), behind = at + 1;
  }
  return buffer_take(&out);
}

char *distil_tidy(const char *text) { return tidy(text, strstr(text, "typedef float real") != NULL); }
