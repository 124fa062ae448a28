/* Keys of a sweep: their grids and distributions, and the values of each run. */
#include "sweep/sweep.h"

#include "maths/counter.h"
#include "maths/elementary.h"

static const char *const forms = "from|to|count|scale|values|uniform|loguniform|normal|lognormal|times";

/* ---- numbers with their units, as the spec has them ---- */

/* nonzero: the units do not measure the same */
static int convert(double *value, const char *from, const char *to)
{
  bristle_unit_scale a, b;
  bristle_fault ignored;
  if (bristle_unit_read(from, strlen(from), &a, &ignored) || bristle_unit_read(to, strlen(to), &b, &ignored)
      || !bristle_unit_same_dimension(&a, &b))
    return 1;
  *value *= a.numerator * b.denominator / (a.denominator * b.numerator);
  for (int k = b.decimal; k < a.decimal; k++) *value *= 10;
  for (int k = a.decimal; k < b.decimal; k++) *value /= 10;
  return 0;
}

/* a number in the unit of the key, which the first number with a unit decides */
static bristle_fault_kind read_in_unit(sweep_key *key, const bristle_node *node, double *value, bristle_fault *fault)
{
  char unit[32];
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_SCALAR, fault);
  if (kind) return kind;
  if (quantity_split(node->text, value, unit))
    return bristle_node_fault(node, fault, NULL, "found '%s', expected a number, with or without a unit", node->text);
  if (!unit[0]) return kind;
  if (key->unit[0] && strcmp(unit, key->unit)) {
    if (!convert(value, unit, key->unit)) return kind;
    return bristle_node_fault(node, fault, "write all values of a key in one unit", "found the unit '%s' after '%s'",
                              unit, key->unit);
  }
  snprintf(key->unit, sizeof key->unit, "%s", unit);
  return kind;
}

static bristle_fault_kind read_pair(sweep_key *key, const bristle_node *list, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (!kind && list->count != 2)
    kind = bristle_node_fault(list, fault, "write two numbers: [1, 2]", "found %zu values, expected 2", list->count);
  if (!kind) kind = read_in_unit(key, list->child, &key->a, fault);
  if (!kind && key->draw == DRAW_LOG_NORMAL) { /* the second is a factor */
    kind = bristle_node_number(list->child->next, "1", &key->b, NULL, fault);
    return kind;
  }
  return kind ? kind : read_in_unit(key, list->child->next, &key->b, fault);
}

static bristle_fault_kind read_distribution(sweep_key *key, const bristle_node *list, bristle_fault *fault)
{
  bristle_fault_kind kind = read_pair(key, list, fault);
  const int logarithmic = key->draw == DRAW_LOG_UNIFORM || key->draw == DRAW_LOG_NORMAL;
  const char *wrong = kind                                                   ? NULL
                      : logarithmic && !(key->a > 0)                         ? "a first number above zero"
                      : key->draw <= DRAW_LOG_UNIFORM && !(key->b >= key->a) ? "a lower and an upper bound"
                      : key->draw == DRAW_NORMAL && !(key->b >= 0)           ? "a deviation that is not negative"
                      : key->draw == DRAW_LOG_NORMAL && !(key->b >= 1)       ? "a factor of at least 1"
                                                                             : NULL;
  if (wrong) return bristle_node_fault(list, fault, NULL, "found [%g, %g], expected %s", key->a, key->b, wrong);
  if (!kind && key->draw == DRAW_LOG_NORMAL) key->b = log(key->b);
  return kind;
}

/* ---- grids ---- */

static bristle_fault_kind read_values(bristle_sweep *s, sweep_key *key, const bristle_node *list, bristle_fault *fault)
{
  bristle_fault_kind kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (kind) return kind;
  if (!list->count) return bristle_node_fault(list, fault, NULL, "found an empty list, expected values");
  key->count = list->count;
  key->value = memory_take(&s->inside->list, list->count * sizeof *key->value);
  key->text = memory_take(&s->inside->list, list->count * sizeof *key->text);
  if (!key->value || !key->text) return fault_memory(fault);
  size_t i = 0;
  int words = 0;
  for (const bristle_node *n = list->child; n && !kind; n = n->next, i++) {
    char unit[32];
    kind = bristle_node_expect(n, BRISTLE_NODE_SCALAR, fault);
    if (kind) return kind;
    key->text[i] = n->text;
    words |= quantity_split(n->text, &key->value[i], unit);
  }
  for (i = 0; words && i < key->count; i++) key->value[i] = (double)i;
  if (words) return kind;
  i = 0;
  for (const bristle_node *n = list->child; n && !kind; n = n->next)
    kind = read_in_unit(key, n, &key->value[i++], fault);
  key->text = NULL;
  return kind;
}

static bristle_fault_kind read_steps(bristle_sweep *s, sweep_key *key, const bristle_node *map, int *is_log,
                                     bristle_fault *fault)
{
  const bristle_node *to, *count, *scale = bristle_node_find(map, "scale");
  double lo, hi, number;
  bristle_fault_kind kind = bristle_node_need(map, "to", "to: 1", &to, fault);
  if (!kind) kind = bristle_node_need(map, "count", "count: 10", &count, fault);
  if (!kind) kind = read_in_unit(key, bristle_node_find(map, "from"), &lo, fault);
  if (!kind) kind = read_in_unit(key, to, &hi, fault);
  if (!kind) kind = bristle_node_number(count, "1", &number, NULL, fault);
  if (!kind && scale) kind = bristle_node_choice(scale, "linear|log", is_log, fault);
  if (kind) return kind;
  if (number != floor(number) || number < 2 || number > 1e6)
    return bristle_node_fault(count, fault, NULL, "found '%s', expected a whole number from 2 to 1000000", count->text);
  if (*is_log && !(lo > 0 && hi > 0))
    return bristle_node_fault(to, fault, NULL, "a logarithmic scale needs numbers above zero");
  key->count = (size_t)number;
  key->value = memory_take(&s->inside->list, key->count * sizeof *key->value);
  if (!key->value) return fault_memory(fault);
  for (size_t i = 0; i < key->count; i++) {
    const double part = (double)i / (number - 1);
    key->value[i] = *is_log ? lo * exp(part * log(hi / lo)) : lo + part * (hi - lo);
  }
  key->value[key->count - 1] = hi;
  return kind;
}

/* ---- the list ---- */

/* a name below friction is one of its parameters, as for --set */
void sweep_key_path(const bristle_sweep *s, const char *name, char path[SWEEP_PATH])
{
  static const char block[] = "friction.";
  const char *rest = name + sizeof block - 1;
  const char *before = s->inside->logs ? "identification." : s->inside->document ? "" : "scenario.";
  const int is_short = !strncmp(name, block, sizeof block - 1) && *rest && !strchr(rest, '.')
                       && word_find("model|load|parameters|file", rest, strlen(rest)) < 0;
  if (is_short) snprintf(path, SWEEP_PATH, "%sfriction.parameters.%s", before, rest);
  else snprintf(path, SWEEP_PATH, "%s%s", before, name);
}

static bristle_fault_kind read_times(const bristle_sweep *s, sweep_key *key, const bristle_node *node,
                                     bristle_fault *fault)
{
  const struct sweep_inside *in = s->inside;
  const char *name;
  bristle_fault_kind kind = bristle_node_text(node, &name, fault);
  if (kind) return kind;
  for (int i = 0; i < in->keys; i++)
    if (!strcmp(in->key[i].name, name) && !in->key[i].text) key->times = i;
  if (key->times < 0 || key->text)
    return bristle_node_fault(node, fault, "name a key with numbers that stands before this one",
                              "'%.60s' cannot be a factor here", name);
  if (key->unit[0])
    return bristle_node_fault(node, fault, NULL, "a factor of '%s' has no unit, found '%s'", name, key->unit);
  snprintf(key->unit, sizeof key->unit, "%s", in->key[key->times].unit);
  return kind;
}

static bristle_fault_kind read_key(bristle_sweep *s, const bristle_node *node, int *is_log, bristle_fault *fault)
{
  static const char *const draws[] = { "uniform", "loguniform", "normal", "lognormal" };
  sweep_key *key = &s->inside->key[s->inside->keys];
  *key = (sweep_key){ .times = -1, .drawn = -1 };
  if (strlen(node->key) >= sizeof key->name) return bristle_node_fault(node, fault, NULL, "this name is too long");
  strcpy(key->name, node->key);
  sweep_key_path(s, node->key, key->path);
  if (node->kind == BRISTLE_NODE_LIST) return read_values(s, key, node, fault);
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_MAP, fault);
  if (!kind) kind = bristle_node_allow(node, forms, fault);
  if (kind) return kind;
  const bristle_node *values = bristle_node_find(node, "values"), *times = bristle_node_find(node, "times");
  const bristle_node *from = bristle_node_find(node, "from"), *list = NULL;
  int given = (values != NULL) + (from != NULL);
  for (int i = 0; i < 4; i++) {
    const bristle_node *n = bristle_node_find(node, draws[i]);
    if (n) given++, list = n, key->draw = (sweep_draw)(DRAW_UNIFORM + i);
  }
  if (given != 1)
    return bristle_node_fault(node, fault, "write {values: [1, 2]}, {from: 1, to: 2, count: 10} or {uniform: [1, 2]}",
                              "found %d ways to choose '%s', expected one", given, key->name);
  if (values) kind = read_values(s, key, values, fault);
  else if (from) kind = read_steps(s, key, node, is_log, fault);
  else kind = read_distribution(key, list, fault);
  if (list) key->drawn = s->drawn++, *is_log = key->draw == DRAW_LOG_UNIFORM || key->draw == DRAW_LOG_NORMAL;
  return kind || !times ? kind : read_times(s, key, times, fault);
}

bristle_fault_kind sweep_read_keys(bristle_sweep *s, const bristle_node *map, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  bristle_fault_kind kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  if (!kind && (map->count < 1 || map->count > SWEEP_KEYS))
    kind = bristle_node_fault(map, fault, NULL, "found %zu keys, expected 1 to %d", map->count, SWEEP_KEYS);
  bristle_sweep_column *column = memory_take(&in->list, SWEEP_COLUMNS * sizeof *column);
  if (!kind && !column) kind = fault_memory(fault);
  for (const bristle_node *n = map->child; n && !kind; n = n->next) {
    sweep_key *key = &in->key[in->keys];
    bristle_sweep_column *c = &column[in->keys];
    kind = read_key(s, n, &c->is_log, fault);
    if (kind) break;
    strcpy(c->name, key->name);
    strcpy(c->unit, key->unit);
    c->values = key->count, c->grid = key->value, c->text = key->text, c->count = 1;
    if (key->times >= 0) c->values = 0, c->grid = NULL;
    in->keys++;
  }
  s->column = column;
  return kind;
}

/* ---- values ---- */

static double from_part(const sweep_key *key, double part)
{
  switch (key->draw) {
  case DRAW_UNIFORM:
    return key->a + part * (key->b - key->a);
  case DRAW_LOG_UNIFORM:
    return key->a * exp(part * log(key->b / key->a));
  case DRAW_NORMAL:
    return key->a + key->b * normal_quantile(part);
  default:
    return key->a * exp(key->b * normal_quantile(part));
  }
}

void sweep_draw_keys(const bristle_sweep *s, unsigned long long run, unsigned attempt, double *value)
{
  const struct sweep_inside *in = s->inside;
  const unsigned long long groups = s->indices ? (unsigned long long)s->drawn + 2 : 1;
  unsigned long long point = run / (in->samples * groups); /* of the grid; the last key runs fastest */
  const unsigned long long rest = run % (in->samples * groups), sample = rest / groups, member = rest % groups;
  for (int i = in->keys - 1; i >= 0; i--) {
    const sweep_key *key = &in->key[i];
    if (key->draw == DRAW_GRID) {
      value[i] = key->value[point % key->count], point /= key->count;
      continue;
    }
    /* members of a group: A, B, and A with one key of B */
    const int other = member == 1 || (member > 1 && key->drawn == (int)(member - 2));
    const uint32_t which = (uint32_t)(key->drawn + (other ? s->drawn : 0));
    const uint64_t bits = in->sequence ? sobol_bits(in->sequence, sample, (int)which)
                                             ^ counter_bits(s->seed, 0, which, 0xffffffffu)
                                       : counter_bits(s->seed, sample, which, attempt);
    value[i] = from_part(key, ((double)bits + 0.5) * (1.0 / 4503599627370496.0));
  }
  for (int i = 0; i < in->keys; i++)
    if (in->key[i].times >= 0) value[i] *= value[in->key[i].times];
}
