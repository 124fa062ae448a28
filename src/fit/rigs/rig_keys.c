/* Numbers of a scenario that are searched: any scalar of the file, by its path. */
#include "io/support.h"
#include "fit/rigs/rig.h"

#include "maths/elementary.h"

#include <stdlib.h>

/* how far a positive number may be from the file's, and where candidates are drawn */
static const double REACH = 1e3, SPREAD = 3;

static const bristle_node *find_node(const bristle_node *root, const char *path)
{
  const bristle_node *node = root;
  while (node && *path) {
    char key[64];
    const size_t length = strcspn(path, ".");
    snprintf(key, sizeof key, "%.*s", (int)length, path);
    node = node->kind == BRISTLE_NODE_MAP ? bristle_node_find(node, key) : NULL;
    path += length + (path[length] == '.');
  }
  return node;
}

static int read_node(const bristle_node *node, double *value, char unit[32])
{
  const bristle_node *inner = node->kind == BRISTLE_NODE_MAP ? bristle_node_find(node, "value") : node;
  const bristle_node *given = node->kind == BRISTLE_NODE_MAP ? bristle_node_find(node, "unit") : NULL;
  if (!inner || inner->kind != BRISTLE_NODE_SCALAR || quantity_split(inner->text, value, unit)) return 1;
  if (given && given->kind == BRISTLE_NODE_SCALAR) snprintf(unit, 32, "%s", given->text);
  return 0;
}

/* where a run starts, and what is added to a wave, may change its sign */
static int may_be_negative(const char *name)
{
  const char *last = strrchr(name, '.');
  return !strncmp(name, "initial.", 8) || (last && (!strcmp(last, ".offset") || !strcmp(last, ".phase")));
}

static bristle_fault_kind set_bounds(replay_number *n, const bristle_range *range, bristle_fault *fault)
{
  bristle_unknown *x = &n->unknown;
  *x = (bristle_unknown){ .name = n->name };
  if (!isnan(range->lo)) {
    const int logarithmic = range->lo > 0 && range->hi > 3 * range->lo;
    x->kind = logarithmic ? BRISTLE_ROW_LOG : BRISTLE_ROW_LINEAR;
    x->lo = range->lo, x->hi = range->hi, x->scale = logarithmic ? 0 : 1e-2 * (range->hi - range->lo);
    n->spread[0] = x->lo, n->spread[1] = x->hi;
    if (n->start < x->lo || n->start > x->hi) n->start = logarithmic ? sqrt(x->lo * x->hi) : 0.5 * (x->lo + x->hi);
    return BRISTLE_FAULT_NONE;
  }
  if (n->start > 0 && !may_be_negative(n->name)) {
    x->kind = BRISTLE_ROW_LOG, x->lo = n->start / REACH, x->hi = n->start * REACH;
    n->spread[0] = n->start / SPREAD, n->spread[1] = n->start * SPREAD;
    return BRISTLE_FAULT_NONE;
  }
  x->lo = -HUGE_VAL, x->hi = HUGE_VAL, x->scale = fabs(n->start);
  if (n->start != 0) return BRISTLE_FAULT_NONE;
  char hint[120];
  snprintf(hint, sizeof hint, "give a range: option free %.40s=-1..1", n->name);
  return fault_set(fault, BRISTLE_FAULT_VALUE, hint, "option free %.60s: the start value 0 gives no scale", n->name);
}

/* a parameter of the law: by its name, or under friction */
static const char *parameter_of(const char *name)
{
  static const char *const before[] = { "friction.parameters.", "friction." };
  for (int i = 0; i < 2; i++)
    if (!strncmp(name, before[i], strlen(before[i]))) return name + strlen(before[i]);
  return name;
}

static int some_law_has(const char *name)
{
  for (int k = 0; k < bristle_law_count(); k++)
    if (bristle_param_find(bristle_law_at(k)->f64->info, name)) return 1;
  return 0;
}

/* numbers that a fit cannot find: how a run is computed, and until when, is not what was measured */
static int is_of_the_run(const char *name) { return !strncmp(name, "time.", 5) || !strncmp(name, "solver.", 7); }

/* the same number, perhaps under another name */
static int is_free_already(const rig_fit *r, const char *name, const char *parameter)
{
  for (int i = 0; i < r->keys; i++)
    if (!strcmp(r->key[i].name, name)) return 1;
  for (int i = 0; i < r->parameters; i++)
    if (!strcmp(r->parameter[i].name, parameter)) return 1;
  return 0;
}

static bristle_fault_kind add_key(rig_fit *r, const bristle_node *root, const bristle_range *range,
                                  bristle_fault *fault)
{
  const bristle_node *node = find_node(root, range->name);
  rig_key *key = &r->key[r->keys];
  replay_number *n = &r->number[r->numbers];
  const char *parameter = parameter_of(range->name);
  if (is_of_the_run(range->name))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "free what belongs to the machine: mass, stiffness, initial.v",
                     "option free %.60s: it says how a run is computed, and runs end with their logs", range->name);
  if (is_free_already(r, range->name, parameter))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "name it once", "option free %.60s: this number is free already",
                     range->name);
  if ((parameter != range->name || !node) && some_law_has(parameter)) {
    r->parameter[r->parameters] = *range;
    r->parameter[r->parameters++].name = parameter;
    return BRISTLE_FAULT_NONE;
  }
  if (!node)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "write the key into the scenario, with a value to start from",
                     "option free %.60s: neither the scenario has such a key nor the law %s such a parameter",
                     range->name, r->scenario->friction.info->name);
  *n = (replay_number){ .term = -1 };
  snprintf(key->name, sizeof key->name, "%s", range->name);
  snprintf(n->name, sizeof n->name, "%.31s", range->name);
  if (read_node(node, &n->start, key->unit))
    return bristle_node_fault(node, fault, "only single numbers can be searched",
                              "option free %.60s: this is no number", range->name);
  snprintf(n->unit, sizeof n->unit, "%.23s", key->unit);
  bristle_fault_kind kind = set_bounds(n, range, fault);
  if (!kind) r->keys++, r->numbers++;
  return kind;
}

static void add_starts(rig_fit *r)
{
  for (size_t k = 0; k < r->motion.count - r->motion.held; k++)
    for (int j = 0; j < 2; j++) {
      replay_number *n = &r->number[r->numbers++];
      *n = (replay_number){ .name = "start", .term = -1, .run = (int)k + 1 };
      const double measured = j ? r->run[k].v : r->run[k].x;
      n->start = isfinite(measured) ? measured : 0;
      n->unknown = (bristle_unknown){ .name = j ? "starting velocity" : "starting position",
                                      .lo = -HUGE_VAL,
                                      .hi = HUGE_VAL,
                                      .scale = 1e-2 * r->size[0] };
    }
}

bristle_fault_kind rig_find_keys(rig_fit *r, bristle_fault *fault)
{
  bristle_tree *tree = NULL;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  r->number = memory_take(&r->list, sizeof *r->number * (RIG_KEYS + 2 * r->motion.count));
  if (!r->number) return fault_memory(fault);
  if (r->request->frees > RIG_KEYS)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "option free: at most %d", RIG_KEYS);
  if (r->request->free_start && !rig_facts_of(&r->scenario->rig)->has_start)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "name the keys: option free initial.x=-1..1",
                     "option free start is for rigs with one moving mass, not for %s", r->scenario->rig_name);
  kind = bristle_tree_new(r->document, &tree, fault);
  for (int i = 0; r->request->set && r->request->set[i] && !kind; i++)
    kind = bristle_tree_set(tree, NULL, r->request->set[i], fault);
  for (int i = 0; i < r->request->frees && !kind; i++)
    kind = add_key(r, bristle_tree_root(tree), &r->request->free[i], fault);
  bristle_tree_free(tree);
  if (!kind && r->request->free_start) add_starts(r);
  return kind;
}
