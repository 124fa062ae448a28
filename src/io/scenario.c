/* Scenario files: the keys that all rigs share, and the list of rigs. */
#include "io/scenario_inside.h"

#include "maths/elementary.h"

#include <stdlib.h>

#define RIG(name) extern const scenario_rig rig_##name;
#include "io/rigs/rigs.def"
#undef RIG
static const scenario_rig *const rigs[] = {
#define RIG(name) &rig_##name,
#include "io/rigs/rigs.def"
#undef RIG
};
enum { RIGS = sizeof rigs / sizeof *rigs };

static const scenario_rig *choose_rig(reader *r)
{
  char names[400] = "", keys[400];
  size_t used = 0;
  int which = 0;
  for (int i = 0; i < RIGS; i++) used = text_append(names, sizeof names, used, "%s%s", i ? "|" : "", rigs[i]->name);
  const bristle_node *node = reader_need(r, r->root, "rig", "rig: spring-pull");
  if (!r->kind) r->kind = bristle_node_choice(node, names, &which, r->fault);
  snprintf(keys, sizeof keys, "rig|bristle|title|description|caption|note|friction%s|time|solver|%s",
           rigs[which]->starts ? "|initial" : "", rigs[which]->keys);
  reader_allow(r, r->root, keys);
  return rigs[which];
}

static void read_texts(reader *r)
{
  const bristle_node *mark = bristle_node_find(r->root, "bristle");
  double version = 1;
  if (mark) read_value(r, mark, unit_plain, ANY, &version);
  if (version != 1) reader_fail(r, mark, "this program is older than the file", "found another version, expected 1");
  static const char *const keys[] = { "title", "description", "caption" };
  for (int i = 0; i < 3 && !r->kind; i++) {
    const bristle_node *node = bristle_node_find(r->root, keys[i]);
    const char *text = NULL;
    if (!node) continue;
    r->kind = bristle_node_text(node, &text, r->fault);
    char *copy = r->kind ? NULL : reader_take(r, strlen(text) + 1);
    if (!copy) return;
    strcpy(copy, text);
    if (i) r->s->description = copy;
    else r->s->title = copy;
  }
}

/* ---- time and solver ---- */

static void check_output(reader *r, const bristle_node *time)
{
  const double most = 1e9, end = r->s->options.end, output = r->s->options.output;
  const bristle_node *node = bristle_node_find(time, "output");
  if (r->kind || !node) return;
  if (output > end) reader_fail(r, node, NULL, "found an interval longer than the whole run, expected a shorter one");
  else if (end / output > most)
    reader_fail(r, node, "choose a longer one", "found an interval that gives %.1e rows, expected at most 1e9",
                end / output);
}

static int motion_has_file(const reader *r)
{
  const bristle_node *motion = bristle_node_find(r->root, "motion");
  return motion && bristle_node_find(motion, "file") != NULL;
}

/* a motion from a file ends by itself */
static void read_time(reader *r)
{
  bristle_sim_options *o = &r->s->options;
  const bristle_node *time = r->kind ? NULL : bristle_node_find(r->root, "time");
  if (r->log) o->end = r->log->t[r->log->count - 1];
  if (r->log || (!time && motion_has_file(r))) return;
  if (!time) reader_need(r, r->root, "time", "time: {end: 10 s, output: 10 ms}");
  if (r->kind) return;
  const int rules = POSITIVE | (motion_has_file(r) ? 0 : NEEDED);
  reader_allow(r, time, "end|output");
  read_number(r, time, "end", unit_time, rules, &o->end);
  read_number(r, time, "output", unit_time, POSITIVE, &o->output);
  if (o->end > 0) check_output(r, time);
}

static void finish_time(reader *r)
{
  bristle_sim_options *o = &r->s->options;
  const bristle_node *time = bristle_node_find(r->root, "time");
  if (r->kind) return;
  if (!(o->end > 0)) {
    const bristle_table *table = r->s->motion;
    o->end = r->s->motion_times[table->rows - 1];
    if (!(o->end > 0))
      reader_fail(r, bristle_node_find(bristle_node_find(r->root, "motion"), "file"), "a run begins at t = 0",
                  "the last time in the file is not above zero");
    if (time) check_output(r, time);
  }
  if (!(o->output > 0)) o->output = o->end / 1000;
}

/* the manual names its rules after laws */
static const char *const rule_names[] = {
#define STEPRULE(KIND, name) [BRISTLE_SIM_RULE_##KIND] = #name,
#include "steprule/rules.def"
#undef STEPRULE
};
#define STEPRULE(KIND, name) "|" #name
static const char rule_choices[] = "law"
#include "steprule/rules.def"
    ;
#undef STEPRULE

/* The strategy parameters of a step rule by the manual's names: c1..c4, and what they are called in its equations. The
   unit of each depends on the rule. */
static void read_strategy(reader *r, const bristle_node *map)
{
  static const struct {
    const char *key;
    int rule, index;
  } names[] = { { "c1", 0, 0 },     { "c2", 0, 1 },     { "c3", 0, 2 },   { "c4", 0, 3 },
                { "dt_min", 1, 0 }, { "dt_max", 1, 1 }, { "T_s", 1, 3 },  { "dtau_min", 2, 0 },
                { "alpha", 2, 2 },  { "v_min", 1, 2 },  { "v_min", 2, 1 } };
  bristle_sim_strategy *s = &r->s->options.strategy;
  s->rule = (bristle_sim_rule)read_choice(r, map, "rule", rule_choices, 0);
  for (size_t i = 0; i < sizeof names / sizeof *names && !r->kind; i++) {
    const bristle_node *node = bristle_node_find(map, names[i].key);
    if (!node) continue;
    if (s->rule == BRISTLE_SIM_RULE_BY_LAW)
      reader_fail(r, node, "add rule: NAME to solver", "a strategy parameter means something else in each rule");
    if (!strcmp(names[i].key, "v_min") && (int)s->rule != names[i].rule) continue;
    if (names[i].rule && (int)s->rule != names[i].rule)
      reader_fail(r, node,
                  s->rule == BRISTLE_SIM_RULE_LUGRE ? "it has dtau_min, v_min, alpha and c4"
                                                    : "it has dt_min, dt_max, v_min and T_s",
                  "the rule '%s' has no parameter '%s'", rule_names[s->rule], names[i].key);
    const int k = names[i].index, seconds = s->rule == BRISTLE_SIM_RULE_COULOMB && k != 2;
    if (s->given[k]) reader_fail(r, node, "give it once", "c%d is given under two names", k + 1);
    read_value(r, node, seconds ? unit_time : unit_plain, k == 3 ? NOT_NEGATIVE : POSITIVE, &s->c[k]);
    s->given[k] = 1;
  }
}

static void read_solver(reader *r)
{
  bristle_sim_options *o = &r->s->options;
  const bristle_node *map = r->kind ? NULL : bristle_node_find(r->root, "solver"), *node;
  if (!map) return;
  reader_allow(r, map, "method|rtol|atol|step|rule|c1|c2|c3|c4|dt_min|dt_max|v_min|T_s|dtau_min|alpha|v_s");
  o->method = (bristle_method)read_choice(r, map, "method", "auto|native|adaptive|coupled|steprule|cvode", 0);
  node = read_number(r, map, "rtol", unit_plain, POSITIVE, &o->rtol);
  if (node && !(o->rtol <= 0.1))
    reader_fail(r, node, "1e-8 is usual", "found a tolerance above 0.1, expected a smaller one");
  read_number(r, map, "atol", unit_plain, NOT_NEGATIVE, &o->atol);
  read_number(r, map, "step", unit_time, POSITIVE, &o->step);
  if (o->method == BRISTLE_METHOD_COUPLED && !(o->step > 0))
    reader_fail(r, bristle_node_find(map, "method"), "write solver: {method: coupled, step: 1 ms}",
                "the method 'coupled' needs the length of its steps");
  if (o->method == BRISTLE_METHOD_STEPRULE && !(o->step > 0))
    reader_fail(r, bristle_node_find(map, "method"), "write solver: {method: steprule, step: 1 ms}, or option step 1ms",
                "the step rule leaves the step to the host once its hold time is over, and the host has none");
  read_strategy(r, map);
  node = read_number(r, map, "v_s", unit_speed, POSITIVE, &o->strategy.speed);
  if (node && o->method != BRISTLE_METHOD_STEPRULE)
    reader_fail(r, node, "write method: steprule", "the speed v_s belongs to the step rules");
}

/* ---- the whole ---- */

/* where the file speaks about a field that the simulation refused */
static const bristle_node *place_of(const reader *r, const char *field)
{
  static const char *const groups[] = { "time", "solver", "initial", "friction", "shape", "force" };
  const bristle_node *node = bristle_node_find(r->root, field);
  for (size_t i = 0; i < sizeof groups / sizeof *groups && !node; i++) {
    const bristle_node *group = bristle_node_find(r->root, groups[i]);
    if (group) node = bristle_node_find(group, field);
  }
  return node ? node : bristle_node_find(r->root, "rig");
}

static void check(reader *r)
{
  bristle_sim_error error;
  if (r->kind || !bristle_sim_check(&r->s->rig, &r->s->options, &error)) return;
  reader_fail(r, place_of(r, error.field), NULL, "%s", error.what);
}

bristle_fault_kind bristle_scenario_read(const bristle_node *root, bristle_scenario **scenario, bristle_fault *fault)
{
  return bristle_scenario_read_with(root, NULL, NULL, scenario, fault);
}

bristle_fault_kind bristle_scenario_read_with(const bristle_node *root, const bristle_scenario_log *log,
                                              const bristle_scenario *tables, bristle_scenario **scenario,
                                              bristle_fault *fault)
{
  bristle_fault spare;
  *scenario = NULL;
  reader r = {
    .root = root, .fault = fault ? fault : &spare, .rotary = BRISTLE_LINEAR_OR_ROTARY, .log = log, .tables = tables
  };
  r.s = calloc(1, sizeof *r.s);
  if (r.s) r.s->memory = calloc(1, sizeof *r.s->memory);
  if (!r.s || !r.s->memory) {
    free(r.s);
    return fault_memory(r.fault);
  }
  const scenario_rig *rig = choose_rig(&r);
  r.s->rig_name = rig->name;
  read_texts(&r);
  read_time(&r);
  read_solver(&r);
  if (!r.kind) rig->read(&r);
  finish_time(&r);
  r.s->rig.rotary = r.rotary == 1;
  check(&r);
  if (r.kind) bristle_scenario_free(r.s);
  else *scenario = r.s;
  return r.kind;
}

bristle_fault_kind bristle_scenario_file_read(const char *path, const char *changes, bristle_scenario **scenario,
                                              bristle_fault *fault)
{
  return bristle_scenario_text_read(path, NULL, 0, (const char *[]){ changes, NULL }, scenario, fault);
}

bristle_fault_kind bristle_scenario_text_read(const char *name, const char *text, size_t size,
                                              const char *const *changes, bristle_scenario **scenario,
                                              bristle_fault *fault)
{
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  *scenario = NULL;
  bristle_fault_kind kind = text ? bristle_document_parse(name, text, size, &document, fault)
                                 : bristle_document_read(name, &document, fault);
  if (!kind) kind = bristle_tree_new(document, &tree, fault);
  for (; !kind && changes && *changes; changes++) kind = bristle_tree_set(tree, NULL, *changes, fault);
  if (!kind) kind = bristle_scenario_read(bristle_tree_root(tree), scenario, fault);
  if (kind) {
    bristle_tree_free(tree);
    bristle_document_free(document);
    return kind;
  }
  (*scenario)->memory->tree = tree;
  (*scenario)->memory->document = document;
  return kind;
}

void bristle_scenario_free(bristle_scenario *scenario)
{
  if (!scenario) return;
  for (struct scenario_table *t = scenario->memory->tables; t; t = t->next) bristle_table_free(t->table);
  memory_free(scenario->memory->blocks);
  bristle_tree_free(scenario->memory->tree);
  bristle_document_free(scenario->memory->document);
  free(scenario->memory);
  free(scenario);
}
