/* Values of a document: by key, by type, in SI; every fault has its line, its column and its key. */
#include "io/support.h"

#include <stdlib.h>

/* the place and the key in front of what was said */
static bristle_fault_kind at_node(const bristle_node *node, bristle_fault *fault)
{
  char what[sizeof fault->what], key[EXCERPT];
  if (!fault) return BRISTLE_FAULT_VALUE;
  if (node->key) {
    memcpy(what, fault->what, sizeof what);
    snprintf(fault->what, sizeof fault->what, "'%s': %.330s", excerpt(node->key, strlen(node->key), key), what);
  }
  return fault_at(fault, bristle_document_name(node->document), node->line, node->column);
}

bristle_fault_kind bristle_node_fault(const bristle_node *node, bristle_fault *fault, const char *hint,
                                      const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  at_node(node, fault);
  return BRISTLE_FAULT_VALUE;
}

const bristle_node *bristle_node_find(const bristle_node *map, const char *key)
{
  if (map->kind != BRISTLE_NODE_MAP) return NULL;
  for (const bristle_node *n = map->child; n; n = n->next)
    if (!strcmp(n->key, key)) return n;
  return NULL;
}

bristle_fault_kind bristle_node_need(const bristle_node *map, const char *key, const char *meaning,
                                     const bristle_node **node, bristle_fault *fault)
{
  char hint[200];
  *node = bristle_node_find(map, key);
  if (*node) return BRISTLE_FAULT_NONE;
  snprintf(hint, sizeof hint, "write %s", meaning);
  return bristle_node_fault(map, fault, hint, "the key '%s' is missing", key);
}

bristle_fault_kind bristle_node_allow(const bristle_node *map, const char *keys, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  for (const bristle_node *n = map->child; !kind && n; n = n->next) {
    size_t length = strlen(n->key), known;
    char shown[EXCERPT], hint[240];
    if (word_find(keys, n->key, length) >= 0) continue;
    int near = word_nearest(keys, n->key, length);
    const char *word = word_at(keys, near < 0 ? 0 : near, &known);
    size_t used = (size_t)snprintf(hint, sizeof hint, near < 0 ? "known keys are " : "did you mean '%.*s'?", (int)known,
                                   word);
    for (int i = 0; near < 0 && ((word = word_at(keys, i, &known)), known) && used + known + 3 < sizeof hint; i++)
      used = text_append(hint, sizeof hint, used, "%s%.*s", i ? ", " : "", (int)known, word);
    fault_set(fault, BRISTLE_FAULT_VALUE, hint, "'%s' is no key here", excerpt(n->key, length, shown));
    fault_at(fault, bristle_document_name(n->document), n->key_line, n->key_column);
    kind = BRISTLE_FAULT_VALUE;
  }
  return kind;
}

static const char *found_text(const bristle_node *node, char text[EXCERPT + 8])
{
  char shown[EXCERPT];
  if (node->kind == BRISTLE_NODE_LIST) return "a list";
  if (node->kind == BRISTLE_NODE_MAP) return "a mapping";
  if (!node->text[0] && !node->quoted) return "nothing";
  snprintf(text, EXCERPT + 8, "'%s'", excerpt(node->text, strlen(node->text), shown));
  return text;
}

bristle_fault_kind bristle_node_expect(const bristle_node *node, bristle_node_kind kind, bristle_fault *fault)
{
  static const char *const names[] = { "a single value", "a list", "a mapping" };
  static const char *const hints[] = { "write `key: value`", "write [1, 2, 3]",
                                       "write {key: value, ...} or indented lines" };
  char text[EXCERPT + 8];
  if (node->kind == kind) return BRISTLE_FAULT_NONE;
  return bristle_node_fault(node, fault, hints[kind], "found %s, expected %s", found_text(node, text), names[kind]);
}

/* {value: 2, unit: N/m, std: 0.1}; the standard deviation is checked and left to those who want it */
static bristle_fault_kind number_of_map(const bristle_node *map, const char *unit, double *value, int *which,
                                        bristle_fault *fault)
{
  const bristle_node *number, *name, *std;
  char text[200];
  double spread = 0, si;
  bristle_fault_kind kind = bristle_node_allow(map, "value|unit|std", fault);
  if (!kind) kind = bristle_node_need(map, "value", "{value: 2, unit: N/m}", &number, fault);
  if (!kind) kind = bristle_node_expect(number, BRISTLE_NODE_SCALAR, fault);
  if (kind) return kind;
  name = bristle_node_find(map, "unit");
  if (name && (kind = bristle_node_expect(name, BRISTLE_NODE_SCALAR, fault))) return kind;
  std = bristle_node_find(map, "std");
  if (std && (kind = bristle_node_number(std, unit, &spread, NULL, fault))) return kind;
  if (spread < 0)
    return bristle_node_fault(std, fault, NULL, "found '%s', expected a number that is not negative", std->text);
  if (strlen(number->text) + (name ? strlen(name->text) : 0) + 2 > sizeof text)
    return bristle_node_fault(number, fault, NULL, "expected a shorter number");
  snprintf(text, sizeof text, "%s %s", number->text, name ? name->text : "");
  if ((kind = bristle_quantity_read(text, strlen(text), unit, &si, which, fault))) {
    at_node(number, fault);
    return kind;
  }
  *value = si;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_node_number(const bristle_node *node, const char *unit, double *value, int *which,
                                       bristle_fault *fault)
{
  if (node->kind == BRISTLE_NODE_MAP) return number_of_map(node, unit, value, which, fault);
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_SCALAR, fault);
  if (kind) return kind;
  if ((kind = bristle_quantity_read(node->text, strlen(node->text), unit, value, which, fault))) at_node(node, fault);
  return kind;
}

bristle_fault_kind bristle_node_text(const bristle_node *node, const char **text, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_SCALAR, fault);
  if (kind) return kind;
  if (!node->text[0]) return bristle_node_fault(node, fault, NULL, "found nothing, expected a text");
  *text = node->text;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_node_choice(const bristle_node *node, const char *choices, int *choice, bristle_fault *fault)
{
  char expected[200], hint[80] = "", text[EXCERPT + 8];
  size_t used = 0, n;
  const char *word;
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_SCALAR, fault);
  if (kind) return kind;
  int place = word_find(choices, node->text, strlen(node->text));
  if (place >= 0) {
    *choice = place;
    return BRISTLE_FAULT_NONE;
  }
  for (int i = 0; (word = word_at(choices, i, &n)), n && used < sizeof expected; i++) {
    const char *join = i == 0 ? "" : word[n] ? ", " : " or ";
    used = text_append(expected, sizeof expected, used, "%s%.*s", join, (int)n, word);
  }
  int near = word_nearest(choices, node->text, strlen(node->text));
  if (near >= 0) {
    word = word_at(choices, near, &n);
    snprintf(hint, sizeof hint, "did you mean '%.*s'?", (int)n, word);
  }
  return bristle_node_fault(node, fault, hint, "found %s, expected %s", found_text(node, text), expected);
}

bristle_fault_kind bristle_node_flag(const bristle_node *node, int *flag, bristle_fault *fault)
{
  int choice = 0;
  bristle_fault_kind kind = bristle_node_choice(node, "false|true", &choice, fault);
  if (!kind) *flag = choice;
  return kind;
}
