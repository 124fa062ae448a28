/* The spec of a sweep: a scenario, the keys that change, how often, and what is wanted of each run. */
#include "sweep/sweep.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { TRIALS = 64, MOST_TEXTS = 100000, MOST_CHUNK_BYTES = 64 << 20 };

/* ---- plain values ---- */

static bristle_fault_kind read_whole_number(const bristle_node *root, const char *key, double least, double most,
                                            unsigned long long *value, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(root, key);
  double number;
  if (!node) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_node_number(node, "1", &number, NULL, fault);
  if (kind) return kind;
  if (number != floor(number) || number < least || number > most)
    return bristle_node_fault(node, fault, NULL, "found '%s', expected a whole number from %g to %g", node->text, least,
                              most);
  *value = (unsigned long long)number;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_text(const bristle_node *root, const char *key, const char **text, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(root, key);
  return node ? bristle_node_text(node, text, fault) : BRISTLE_FAULT_NONE;
}

/* ---- the scenario ---- */

static bristle_fault_kind open_scenario(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  const bristle_node *node;
  const char *name;
  if (bristle_node_find(root, "identification")) {
    s->scenario = "an identification";
    return sweep_logs_open(s, root, fault);
  }
  bristle_fault_kind kind = bristle_node_need(root, "scenario", "scenario: FILE.yaml, or its keys", &node, fault);
  if (kind || node->kind == BRISTLE_NODE_MAP) return kind;
  kind = bristle_node_text(node, &name, fault);
  char *file = kind ? NULL : path_beside(node, name);
  if (!kind && !file) kind = fault_memory(fault);
  if (!kind) kind = bristle_document_read(file, &s->inside->document, fault);
  s->scenario = name;
  free(file);
  return kind;
}

/* The first run that can be read tells the columns. Where none of many can, the first fault is the user's. */
static bristle_fault_kind find_base(bristle_sweep *s, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  bristle_fault other;
  double *row = in->base_keys;
  sweep_task task = { 0 };
  unsigned redraws;
  bristle_fault_kind kind = sweep_worker_start(s, &in->worker[0], fault);
  if (kind) return kind;
  in->workers = 1;
  for (int i = 0; i < TRIALS; i++) {
    const unsigned long long run = s->runs * (unsigned long long)i / TRIALS;
    bristle_fault *told = i ? &other : fault;
    bristle_fault_kind refused = sweep_read_task(s, &in->worker[0], run, row, &task, &redraws, told);
    if (!refused && task.asked) refused = sweep_logs_look(s, task.asked, told);
    sweep_asked_free(task.asked);
    if (!refused && in->logs) return BRISTLE_FAULT_NONE;
    if (!refused) break;
    if (!i) kind = refused;
  }
  in->base = task.scenario;
  if (!in->base) return kind;
  if (in->base->options.method == BRISTLE_METHOD_CVODE)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "remove solver: {method: cvode}", "a sweep has its own solvers only");
  return BRISTLE_FAULT_NONE;
}

/* ---- the files of all runs ---- */

/* Which files a run opens is decided by its texts, names of files among them: every combination of texts is read once,
   with the numbers of a run that could be read. The list is then closed: it is what the results are made of. */
static bristle_fault_kind find_files(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  const size_t documents = 1 + (in->document != NULL);
  double all = 1;
  for (int i = 0; i < in->keys; i++) all *= in->key[i].text && !in->logs ? (double)in->key[i].count : 1;
  if (all > MOST_TEXTS)
    return bristle_node_fault(bristle_node_find(root, "keys"), fault, "split the sweep",
                              "these are %g combinations of texts, at most %d", all, MOST_TEXTS);
  for (size_t point = 0; point < (size_t)all && !in->logs; point++) {
    double value[SWEEP_KEYS];
    size_t rest = point;
    memcpy(value, in->base_keys, sizeof value);
    for (int i = in->keys - 1; i >= 0; i--)
      if (in->key[i].text) value[i] = (double)(rest % in->key[i].count), rest /= in->key[i].count;
    sweep_try_keys(s, &in->worker[0], value);
  }
  in->reads_files = in->opened.count > documents;
  in->opened.sealed = 1;
  opened_digest(&in->opened, BRISTLE_VERSION, s->digest);
  return opened_fault(&in->opened, fault);
}

/* ---- sampling ---- */

static bristle_fault_kind read_sampling(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  const bristle_node *node = bristle_node_find(root, "sampling"), *indices = bristle_node_find(root, "indices");
  int choice = 0;
  double grid = 1;
  bristle_fault_kind kind = node ? bristle_node_choice(node, "random|sobol", &choice, fault) : BRISTLE_FAULT_NONE;
  s->sampling = !s->drawn ? "grid" : choice ? "sobol" : "random";
  in->samples = 1;
  if (!kind && s->drawn && !bristle_node_find(root, "runs"))
    kind = bristle_node_fault(root, fault, "add runs: 1000", "keys are drawn, but how often is not said");
  if (!kind && !s->drawn && bristle_node_find(root, "runs"))
    kind = bristle_node_fault(bristle_node_find(root, "runs"), fault, "leave it out",
                              "no key is drawn: the grids say how many runs there are");
  if (!kind) kind = read_whole_number(root, "runs", 1, 1e12, &in->samples, fault);
  if (!kind) kind = read_whole_number(root, "seed", 0, 9007199254740992.0, &s->seed, fault);
  if (!kind && indices) kind = bristle_node_flag(indices, &s->indices, fault);
  for (int i = 0; i < in->keys; i++) grid *= in->key[i].draw == DRAW_GRID ? (double)in->key[i].count : 1;
  if (!kind && s->indices && s->drawn != in->keys) /* a grid of one value is a key as well */
    kind = bristle_node_fault(indices, fault, "draw all keys, or leave it out", "Sobol's indices are of drawn keys");
  const double groups = s->indices ? s->drawn + 2.0 : 1, runs = grid * (double)in->samples * groups;
  if (!kind && runs > 1e12) kind = bristle_node_fault(root, fault, NULL, "these are %.1e runs, at most 1e12", runs);
  s->runs = (unsigned long long)runs;
  if (kind || strcmp(s->sampling, "sobol")) return kind;
  in->sequence = memory_take(&in->list, sizeof *in->sequence);
  if (!in->sequence) return fault_memory(fault);
  sobol_start(in->sequence);
  return kind;
}

/* small enough to lose little and to share the work, large enough to cost nothing */
static bristle_fault_kind choose_chunk(bristle_sweep *s, const bristle_node *root, bristle_fault *fault)
{
  const unsigned long long group = s->indices ? (unsigned long long)s->drawn + 2 : 1;
  const unsigned long long fits = MOST_CHUNK_BYTES / (s->width * sizeof(double)) + 1;
  s->chunk = s->runs / 1000 + 1;
  if (s->chunk < 100) s->chunk = 100;
  if (s->chunk > 100000) s->chunk = 100000;
  if (s->chunk > fits) s->chunk = fits;
  bristle_fault_kind kind = read_whole_number(root, "chunk", 1, 1e7, &s->chunk, fault);
  s->chunk = (s->chunk + group - 1) / group * group;
  if (s->chunk > s->runs) s->chunk = s->runs;
  s->chunks = (s->runs + s->chunk - 1) / s->chunk;
  return kind;
}

/* who computes the runs: the solvers of scenarios, or all bodies of a chunk together, in fixed steps */
static bristle_fault_kind read_engine(bristle_sweep *s, const bristle_node *node, bristle_fault *fault)
{
  int choice = 0;
  const bristle_fault_kind kind = node ? bristle_node_choice(node, "solver|ensemble", &choice, fault)
                                       : BRISTLE_FAULT_NONE;
  s->marches = choice;
  return kind || !choice ? kind : sweep_march_check(s, node, fault);
}

static bristle_fault_kind read_spec(bristle_sweep *s, const char *path, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  bristle_fault_kind kind = bristle_document_read(path, &in->spec, fault);
  if (kind) return kind;
  const bristle_node *root = bristle_document_root(in->spec), *node, *after = bristle_node_find(root, "after");
  unsigned long long steps = 1000000;
  kind = bristle_node_allow(
      root,
      bristle_node_find(root, "identification")
          ? "bristle|title|identification|set|keys|sampling|runs|seed|indices|quantities|chunk"
          : "bristle|title|scenario|set|keys|sampling|runs|seed|indices|quantities|series|after|steps|chunk|engine",
      fault);
  if (!kind) kind = read_text(root, "title", &s->title, fault);
  if (!kind) kind = open_scenario(s, root, fault);
  in->set = bristle_node_find(root, "set");
  if (!kind && in->set) kind = bristle_node_expect(in->set, BRISTLE_NODE_MAP, fault);
  if (!kind) kind = bristle_node_need(root, "keys", "keys: {speed: [0.1 m/s, 0.2 m/s]}", &node, fault);
  if (!kind) kind = sweep_read_keys(s, node, fault);
  if (!kind) kind = read_sampling(s, root, fault);
  if (!kind && after) kind = bristle_node_number(after, "s", &in->after, NULL, fault);
  if (!kind) kind = read_whole_number(root, "steps", 1, 1e12, &steps, fault);
  in->most_steps = (size_t)steps;
  if (!kind) kind = find_base(s, fault);
  if (!kind) kind = find_files(s, root, fault);
  if (!kind) kind = sweep_read_quantities(s, root, fault);
  if (!kind) kind = sweep_list_columns(s, fault);
  if (!kind) kind = read_engine(s, bristle_node_find(root, "engine"), fault);
  return kind ? kind : choose_chunk(s, root, fault);
}

bristle_fault_kind bristle_sweep_read(const char *path, bristle_sweep **sweep, bristle_fault *fault)
{
  bristle_fault spare;
  bristle_sweep *s = calloc(1, sizeof *s);
  *sweep = NULL;
  if (s) s->inside = calloc(1, sizeof *s->inside);
  if (!s || !s->inside) {
    free(s);
    return fault_memory(fault);
  }
  opened_list *before = opened_keep(&s->inside->opened);
  const bristle_fault_kind kind = read_spec(s, path, fault ? fault : &spare);
  opened_keep(before);
  if (kind) bristle_sweep_free(s);
  else *sweep = s;
  return kind;
}

void bristle_sweep_free(bristle_sweep *s)
{
  if (!s) return;
  struct sweep_inside *in = s->inside;
  for (int i = 0; i < in->workers; i++) sweep_worker_end(&in->worker[i]);
  bristle_scenario_free(in->base);
  sweep_logs_close(in->logs);
  bristle_document_free(in->document);
  bristle_document_free(in->spec);
  memory_free(in->list);
  opened_free(&in->opened);
  free(in);
  free(s);
}
