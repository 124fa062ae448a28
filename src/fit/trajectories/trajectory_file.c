/* Experiment files: an axis, what is unknown of it, and its recorded runs. */
#include "lab/trajectory.h"

#include "io/memory.h"
#include "io/support.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { MOST_TABLES = 256, CHANNELS = 7 };

struct bristle_trajectory_memory {
  memory *blocks;
  bristle_document *document;
  const bristle_node *root;
  bristle_guess param[BRISTLE_LAW_SIZE];
  size_t tables;
  bristle_table *table[MOST_TABLES];
};

static const char *const plant_keys[BRISTLE_PLANT_COUNT] = { "mass|inertia", "gain",   "drag",       "gravity",
                                                             "tilt",         "bias",   "load_drive", "load_outside",
                                                             "stiffness",    "damping" };
static const char *const plant_units[BRISTLE_PLANT_COUNT] = {
  "kg|kg*m^2", "1|N/V|N*m/V|N/A|N*m/A", "N*s/m|N*m*s/rad", "N|N*m",       "rad|m",
  "N|N*m",     "1/N|1/(N*m)",           "1/N|1/(N*m)",     "N/m|N*m/rad", "N*s/m|N*m*s/rad"
};

/* ---- numbers and guesses ---- */

/* a value under one of several keys; stays as it is when there is none */
static bristle_fault_kind read_number(const bristle_node *map, const char *keys, const char *unit, double *value,
                                      bristle_fault *fault)
{
  size_t length;
  const char *key;
  for (int i = 0; key = word_at(keys, i, &length), length; i++) {
    char name[40];
    snprintf(name, sizeof name, "%.*s", (int)length, key);
    const bristle_node *node = bristle_node_find(map, name);
    if (node) return bristle_node_number(node, unit, value, NULL, fault);
  }
  return BRISTLE_FAULT_NONE;
}

/* [lo, hi] or [lo, start, hi]; without a start it is in the middle, of the logarithms where both are positive */
static bristle_fault_kind read_guess(const bristle_node *node, const char *unit, bristle_guess *guess,
                                     bristle_fault *fault)
{
  double number[3];
  size_t count = 0;
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_LIST, fault);
  if (!kind && node->count != 2 && node->count != 3)
    kind = bristle_node_fault(node, fault, "write [lo, hi] or [lo, start, hi]", "found %zu numbers", node->count);
  for (const bristle_node *n = kind ? NULL : node->child; n && !kind; n = n->next)
    kind = bristle_node_number(n, unit, &number[count++], NULL, fault);
  if (kind) return kind;
  *guess = (bristle_guess){ .lo = number[0], .hi = number[count - 1] };
  const double middle = guess->lo > 0 ? sqrt(guess->lo * guess->hi) : 0.5 * (guess->lo + guess->hi);
  guess->start = count == 3 ? number[1] : middle;
  if (!(guess->lo < guess->hi) || guess->start < guess->lo || guess->start > guess->hi)
    return bristle_node_fault(node, fault, "write [lo, hi] or [lo, start, hi], rising", "the values do not rise");
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_plant(const bristle_node *root, bristle_trajectory *t, bristle_fault *fault)
{
  const bristle_node *known = bristle_node_find(root, "known"), *unknown = bristle_node_find(root, "unknown");
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  t->plant[BRISTLE_PLANT_GAIN].start = 1; /* an input that is a force */
  for (int k = 0; k < BRISTLE_PLANT_COUNT && !kind; k++) {
    size_t length;
    const char *key;
    if (known) kind = read_number(known, plant_keys[k], plant_units[k], &t->plant[k].start, fault);
    for (int i = 0; key = word_at(plant_keys[k], i, &length), length && !kind; i++) {
      char name[40];
      snprintf(name, sizeof name, "%.*s", (int)length, key);
      const bristle_node *node = bristle_node_find(unknown, name);
      if (node) kind = read_guess(node, plant_units[k], &t->plant[k], fault);
    }
  }
  return kind;
}

/* ---- the law ---- */

static const char *both_units(const bristle_row *row, char text[100])
{
  char linear[48], rotary[48];
  bristle_unit(row, BRISTLE_LOAD_FORCE, 0, linear, sizeof linear);
  bristle_unit(row, BRISTLE_LOAD_FORCE, 1, rotary, sizeof rotary);
  snprintf(text, 100, strcmp(linear, rotary) ? "%s|%s" : "%s", linear, rotary);
  return text;
}

/* every law's parameters may be named, so that one file serves several laws; anything else is a mistake */
static int is_known_name(const char *name)
{
  for (int k = 0; k < BRISTLE_PLANT_COUNT; k++)
    if (word_find(plant_keys[k], name, strlen(name)) >= 0) return 1;
  for (int k = 0; k < bristle_law_count(); k++)
    if (bristle_param_find(bristle_law_at(k)->f64->info, name)) return 1;
  return 0;
}

static bristle_fault_kind read_param(const bristle_node *root, const bristle_row *row, bristle_guess *guess,
                                     bristle_fault *fault)
{
  const bristle_node *known = bristle_node_find(root, "known");
  const bristle_node *unknown = bristle_node_find(bristle_node_find(root, "unknown"), row->name);
  char unit[100];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (known) kind = read_number(known, row->name, both_units(row, unit), &guess->start, fault);
  if (kind || !unknown) return kind;
  kind = read_guess(unknown, both_units(row, unit), guess, fault);
  if (!kind && row->kind == BRISTLE_ROW_OPTION)
    kind = bristle_node_fault(unknown, fault, "put it under `known`", "'%s' is an option, it cannot be searched",
                              row->name);
  if (!kind && (guess->lo < row->lo || guess->hi > row->hi))
    kind = bristle_node_fault(unknown, fault, NULL, "'%s' must stay between %g and %g", row->name, row->lo, row->hi);
  return kind;
}

bristle_fault_kind bristle_trajectory_file_law(bristle_trajectory_file *file, const bristle_law *law,
                                               bristle_fault *fault)
{
  struct bristle_trajectory_memory *m = file->memory;
  const bristle_info *info = law->f64->info;
  double initial[BRISTLE_LAW_SIZE];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  bristle_defaults(info, initial);
  for (int i = 0; i < info->nparam; i++) m->param[i] = (bristle_guess){ .start = initial[i] };
  for (int i = 0; i < info->param_rows && !kind; i++)
    if (info->param[i].count == 1) kind = read_param(m->root, &info->param[i], &m->param[info->param[i].first], fault);
  file->trajectory.law = law;
  file->trajectory.param = m->param;
  return kind;
}

static bristle_fault_kind find_law(bristle_trajectory_file *file, bristle_fault *fault)
{
  const bristle_node *node;
  const char *name;
  bristle_fault_kind kind = bristle_node_need(file->memory->root, "model", "model: NAME", &node, fault);
  if (!kind) kind = bristle_node_text(node, &name, fault);
  if (kind) return kind;
  const bristle_law *law = bristle_law_find(name);
  if (!law)
    return bristle_node_fault(node, fault, "`bristle models` lists them", "there is no law '%s'; did you mean '%s'?",
                              name, bristle_law_nearest(name));
  return bristle_trajectory_file_law(file, law, fault);
}

/* ---- runs ---- */

static const struct {
  const char *key, *names, *unit;
} channels[CHANNELS] = { { "time", "time|t", "s" },
                         { "target", "target|goal|reference", "m|rad" },
                         { "input", "input|voltage|force|torque", "V|N|N*m|A" },
                         { "enabled", "enabled|enable", "1" },
                         { "strength", "strength", "1" },
                         { "position", "position|x|q|angle", "m|rad" },
                         { "velocity", "velocity|v|speed", "m/s|rad/s" } };

/* time and position are found by their usual names; the others only when `columns` names them */
static bristle_fault_kind pick(const bristle_node *root, const bristle_table *table, int channel, const double **data,
                               int *rotary, bristle_fault *fault)
{
  const bristle_node *columns = bristle_node_find(root, "columns");
  const bristle_node *named = columns ? bristle_node_find(columns, channels[channel].key) : NULL;
  const bristle_column *column = NULL;
  bristle_wanted wanted = { channels[channel].names, channels[channel].unit, 0 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (named) kind = bristle_node_text(named, &wanted.names, fault);
  else if (channel != 0 && channel != 5) return BRISTLE_FAULT_NONE;
  if (!named && channel == 5 && columns && bristle_node_find(columns, "velocity")) wanted.flags = BRISTLE_OPTIONAL;
  if (!kind) kind = bristle_table_pick(table, &wanted, &column, fault);
  if (!kind && column) *data = column->data, *rotary |= column->scale.power[BRISTLE_DIMENSION_ANGLE] != 0;
  return kind;
}

static bristle_fault_kind read_constants(const bristle_node *map, bristle_run *run, bristle_fault *fault)
{
  bristle_fault_kind kind = read_number(map, "kp", "N/m|N*m/rad|V/m|V/rad|1", &run->kp, fault);
  if (!kind) kind = read_number(map, "kd", "N*s/m|N*m*s/rad|V*s/m|V*s/rad|1", &run->kd, fault);
  if (!kind) kind = read_number(map, "limit", "V|N|N*m|A", &run->limit, fault);
  if (!kind) kind = read_number(map, "mass|inertia", "kg|kg*m^2", &run->mass, fault);
  if (!kind) kind = read_number(map, "gravity", "N|N*m", &run->gravity, fault);
  return kind;
}

static bristle_fault_kind read_run(bristle_trajectory_file *file, const bristle_node *node, bristle_run *run,
                                   bristle_fault *fault)
{
  static const char keys[] = "file|held|kp|kd|limit|mass|inertia|gravity|x|v";
  struct bristle_trajectory_memory *m = file->memory;
  const bristle_node *name;
  bristle_table *table = NULL;
  const double **data[CHANNELS] = { &run->t,        &run->target,   &run->input,   &run->enabled,
                                    &run->strength, &run->position, &run->velocity };
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_MAP, fault);
  if (!kind) kind = bristle_node_allow(node, keys, fault);
  if (!kind) kind = bristle_node_need(node, "file", "file: run1.csv", &name, fault);
  if (!kind) kind = bristle_node_text(name, &run->name, fault);
  if (!kind) kind = read_constants(m->root, run, fault);
  if (!kind) kind = read_constants(node, run, fault);
  char *path = kind ? NULL : path_beside(name, run->name);
  if (!kind && !path) kind = fault_memory(fault);
  if (!kind) kind = bristle_table_read(path, &table, fault);
  free(path);
  if (kind) return kind;
  m->table[m->tables++] = table;
  for (int k = 0; k < CHANNELS && !kind; k++) kind = pick(m->root, table, k, data[k], &file->trajectory.rotary, fault);
  run->count = table->rows;
  if (!kind && run->count && run->position) run->x = run->position[0];
  if (!kind) kind = read_number(node, "x", "m|rad", &run->x, fault);
  if (!kind) kind = read_number(node, "v", "m/s|rad/s", &run->v, fault);
  return kind;
}

/* the same numbers again: what is held out would be fitted, or count twice */
static bristle_fault_kind check_repeats(const bristle_trajectory_file *file, const bristle_node *list,
                                        bristle_fault *fault)
{
  const size_t count = file->fitted + file->held;
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      const bristle_run *a = &file->run[i], *b = &file->run[k];
      const double *x = a->position ? a->position : a->velocity, *y = b->position ? b->position : b->velocity;
      if (a->count != b->count || memcmp(a->t, b->t, a->count * sizeof *a->t) || memcmp(x, y, a->count * sizeof *x))
        continue;
      return bristle_node_fault(list, fault, "give each recording once", "%s and %s are the same recording", b->name,
                                a->name);
    }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_runs(bristle_trajectory_file *file, bristle_fault *fault)
{
  struct bristle_trajectory_memory *m = file->memory;
  const bristle_node *list;
  bristle_fault_kind kind = bristle_node_need(m->root, "runs", "runs: [{file: run1.csv}]", &list, fault);
  if (!kind) kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (!kind && (!list->count || list->count > MOST_TABLES))
    kind = bristle_node_fault(list, fault, NULL, "found %zu runs, expected 1 to %d", list->count, MOST_TABLES);
  if (kind) return kind;
  file->run = memory_take(&m->blocks, list->count * sizeof *file->run);
  if (!file->run) return fault_memory(fault);
  size_t last = list->count;
  for (const bristle_node *n = list->child; n && !kind; n = n->next) {
    const bristle_node *held = n->kind == BRISTLE_NODE_MAP ? bristle_node_find(n, "held") : NULL;
    int is_held = 0;
    if (held) kind = bristle_node_flag(held, &is_held, fault);
    if (!kind) kind = read_run(file, n, is_held ? &file->run[--last] : &file->run[file->fitted++], fault);
  }
  file->held = list->count - file->fitted;
  if (!kind) kind = check_repeats(file, list, fault);
  file->trajectory.run = file->run;
  file->trajectory.count = file->fitted;
  return kind;
}

/* ---- the file ---- */

static bristle_fault_kind check_names(const bristle_node *root, const char *key, bristle_fault *fault)
{
  const bristle_node *map = bristle_node_find(root, key);
  bristle_fault_kind kind = map ? bristle_node_expect(map, BRISTLE_NODE_MAP, fault) : BRISTLE_FAULT_NONE;
  for (const bristle_node *n = map && !kind ? map->child : NULL; n && !kind; n = n->next)
    if (!is_known_name(n->key))
      kind = bristle_node_fault(n, fault,
                                "the axis has mass or inertia, gain, drag, gravity, tilt, bias, load_drive, "
                                "load_outside, stiffness and damping; the others are parameters of laws",
                                "'%s' is neither a value of the axis nor a parameter of a law", n->key);
  return kind;
}

static bristle_fault_kind read_file(bristle_trajectory_file *file, bristle_fault *fault)
{
  const bristle_node *root = file->memory->root, *node;
  bristle_trajectory *t = &file->trajectory;
  int grows = 0;
  bristle_fault_kind kind = bristle_node_allow(
      root, "title|model|grows|columns|kp|kd|limit|mass|inertia|gravity|known|unknown|step|loss|runs", fault);
  if (!kind) kind = bristle_node_need(root, "unknown", "unknown: {NAME: [0.01, 1]}", &node, fault);
  if (!kind) kind = check_names(root, "known", fault);
  if (!kind) kind = check_names(root, "unknown", fault);
  if (!kind) kind = read_plant(root, t, fault);
  if (!kind) kind = find_law(file, fault);
  if (!kind && (node = bristle_node_find(root, "columns")))
    kind = bristle_node_allow(node, "time|target|input|enabled|strength|position|velocity", fault);
  if (!kind && (node = bristle_node_find(root, "title"))) kind = bristle_node_text(node, &file->title, fault);
  if (!kind) kind = read_number(root, "step", "s", &t->step, fault);
  if (!kind) kind = read_number(root, "loss", "m|rad", &t->loss, fault);
  if (!kind && (node = bristle_node_find(root, "grows"))) kind = bristle_node_choice(node, "levels|all", &grows, fault);
  if (!kind) kind = read_runs(file, fault);
  if (!kind && !file->fitted)
    kind = bristle_node_fault(bristle_node_find(root, "runs"), fault, NULL,
                              "all runs are held out, none is left to fit");
  t->load = grows ? BRISTLE_LOAD_COEFFICIENT : BRISTLE_LOAD_LEVEL;
  return kind;
}

bristle_fault_kind bristle_trajectory_file_read(const char *path, bristle_trajectory_file **file, bristle_fault *fault)
{
  bristle_trajectory_file *made = calloc(1, sizeof *made);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  *file = NULL;
  if (made) made->memory = calloc(1, sizeof *made->memory);
  if (!made || !made->memory) kind = fault_memory(fault);
  if (!kind) kind = bristle_document_read(path, &made->memory->document, fault);
  if (!kind) made->memory->root = bristle_document_root(made->memory->document);
  if (!kind) kind = read_file(made, fault);
  if (kind) bristle_trajectory_file_free(made);
  else *file = made;
  return kind;
}

void bristle_trajectory_file_free(bristle_trajectory_file *file)
{
  if (!file) return;
  if (file->memory) {
    for (size_t k = 0; k < file->memory->tables; k++) bristle_table_free(file->memory->table[k]);
    bristle_document_free(file->memory->document);
    memory_free(file->memory->blocks);
  }
  free(file->memory);
  free(file);
}
