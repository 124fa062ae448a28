/* Values of a scenario: numbers with rules, units that agree on linear or rotary, tables beside the file. */
#include "io/scenario_inside.h"

#include "lab/units.h"
#include "maths/elementary.h"

#include <stdlib.h>

const unit_pair unit_plain = { "1", "1" };
const unit_pair unit_time = { "s", "s" };
const unit_pair unit_mass = { "kg", "kg*m^2" };
const unit_pair unit_length = { "m", "rad" };
const unit_pair unit_speed = { "m/s", "rad/s" };
const unit_pair unit_force = { "N", "N*m" };
const unit_pair unit_stiffness = { "N/m", "N*m/rad" };
const unit_pair unit_damping = { "N*s/m", "N*m*s/rad" };
const unit_pair unit_rate_gain = { "N/(m*s)", "N*m/(rad*s)" };

void reader_fail(reader *r, const bristle_node *node, const char *hint, const char *format, ...)
{
  char text[300];
  va_list args;
  if (r->kind) return;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  r->kind = bristle_node_fault(node, r->fault, hint, "%s", text);
}

static void no_memory(reader *r)
{
  if (!r->kind) r->kind = fault_memory(r->fault);
}

void *reader_take(reader *r, size_t size)
{
  void *place = r->kind ? NULL : memory_take(&r->s->memory->blocks, size);
  if (!place) no_memory(r);
  return place;
}

double *reader_take_numbers(reader *r, size_t count)
{
  if (count > SIZE_MAX / 4 / sizeof(double)) no_memory(r);
  return reader_take(r, (count ? count : 1) * sizeof(double));
}

/* ---- units ---- */

const char *reader_units(const reader *r, unit_pair unit, char text[100])
{
  if (r->rotary == BRISTLE_LINEAR_OR_ROTARY && strcmp(unit.linear, unit.rotary))
    snprintf(text, 100, "%s|%s", unit.linear, unit.rotary);
  else snprintf(text, 100, "%s", r->rotary == 1 ? unit.rotary : unit.linear);
  return text;
}

void reader_decide(reader *r, const bristle_node *node, unit_pair unit, int which)
{
  if (which < 0 || r->rotary != BRISTLE_LINEAR_OR_ROTARY || !strcmp(unit.linear, unit.rotary)) return;
  r->rotary = which;
  r->decided = node;
}

void reader_explain_unit(reader *r)
{
  if (r->kind != BRISTLE_FAULT_UNIT || !r->decided || !r->fault) return;
  char place[40] = "", key[EXCERPT];
  if (r->decided->line) snprintf(place, sizeof place, " on line %zu", r->decided->line);
  snprintf(r->fault->hint, sizeof r->fault->hint, "'%s'%s has made this rig %s",
           excerpt(r->decided->key, strlen(r->decided->key), key), place, bristle_rotary_text(r->rotary));
}

void check_rules(reader *r, const bristle_node *node, int rules, double value)
{
  char text[BRISTLE_NUMBER_SIZE];
  const char *expected = rules & POSITIVE && value <= 0           ? "a number above zero"
                         : rules & NOT_NEGATIVE && value < 0      ? "a number that is not negative"
                         : rules & WHOLE && value != floor(value) ? "a whole number"
                                                                  : NULL;
  if (r->kind || !expected) return;
  bristle_number_write(value, text);
  reader_fail(r, node, NULL, "found %s, expected %s", text, expected);
}

void read_value(reader *r, const bristle_node *node, unit_pair unit, int rules, double *value)
{
  char wanted[100];
  int which = -1;
  if (r->kind) return;
  r->kind = bristle_node_number(node, reader_units(r, unit, wanted), value, &which, r->fault);
  reader_explain_unit(r);
  if (r->kind) return;
  if (strchr(wanted, '|')) reader_decide(r, node, unit, which);
  check_rules(r, node, rules, *value);
}

const bristle_node *read_number(reader *r, const bristle_node *map, const char *key, unit_pair unit, int rules,
                                double *value)
{
  char wanted[100], meaning[200];
  if (r->kind) return NULL;
  const bristle_node *node = bristle_node_find(map, key);
  if (!node && rules & NEEDED) {
    reader_units(r, unit, wanted);
    wanted[strcspn(wanted, "|")] = '\0';
    snprintf(meaning, sizeof meaning, "%s: 1%s%s", key, strcmp(wanted, "1") ? " " : "",
             strcmp(wanted, "1") ? wanted : "");
    reader_need(r, map, key, meaning);
  }
  if (node) read_value(r, node, unit, rules, value);
  return r->kind ? NULL : node;
}

/* ---- keys ---- */

const bristle_node *reader_need(reader *r, const bristle_node *map, const char *key, const char *meaning)
{
  const bristle_node *node = NULL;
  if (!r->kind) r->kind = bristle_node_need(map, key, meaning, &node, r->fault);
  return node;
}

void reader_allow(reader *r, const bristle_node *map, const char *keys)
{
  if (!r->kind) r->kind = bristle_node_allow(map, keys, r->fault);
}

int read_choice(reader *r, const bristle_node *map, const char *key, const char *choices, int otherwise)
{
  const bristle_node *node = r->kind ? NULL : bristle_node_find(map, key);
  int chosen = otherwise;
  if (node) r->kind = bristle_node_choice(node, choices, &chosen, r->fault);
  return chosen;
}

void read_numbers(reader *r, const bristle_node *list, unit_pair unit, int rules, size_t count, double *values)
{
  size_t i = 0;
  if (!r->kind) r->kind = bristle_node_expect(list, BRISTLE_NODE_LIST, r->fault);
  if (!r->kind && list->count != count)
    reader_fail(r, list, NULL, "found %zu numbers, expected %zu", list->count, count);
  for (const bristle_node *n = r->kind ? NULL : list->child; n; n = n->next)
    read_value(r, n, unit, rules, &values[i++]);
}

/* ---- files ---- */

const bristle_table *read_table(reader *r, const bristle_node *node)
{
  const char *name = NULL;
  if (!r->kind) r->kind = bristle_node_text(node, &name, r->fault);
  struct scenario_table *held = reader_take(r, sizeof *held);
  if (!held) return NULL;
  char *path = path_beside(node, name);
  if (!path) {
    no_memory(r);
    return NULL;
  }
  for (struct scenario_table *t = r->tables ? r->tables->memory->tables : NULL; t; t = t->next)
    if (!strcmp(t->table->file, path)) {
      free(path);
      return t->table;
    }
  r->kind = bristle_table_read(strcmp(name, "-") ? path : "-", &held->table, r->fault);
  free(path);
  if (r->kind == BRISTLE_FAULT_FILE && r->fault) { /* the place that names the file is what can be mended */
    const bristle_fault inner = *r->fault;
    bristle_node_fault(node, r->fault, inner.hint, "%.200s: %.150s", inner.file, inner.what);
    r->fault->kind = r->kind;
  }
  if (r->kind) return NULL;
  held->next = r->s->memory->tables;
  r->s->memory->tables = held;
  return held->table;
}
