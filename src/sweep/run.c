/* One run: keys are written into the tree of the scenario, which is read as any other. Nothing is parsed but numbers,
   and every rule of the scenario and its law is looked at. */
#include "sweep/sweep.h"

#include "fit/common/parallel.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { ATTEMPTS = 1000 };

/* files are opened by one thread at a time */
static parallel_lock reading = PARALLEL_LOCK;

/* ---- workers ---- */

static const bristle_node *find_node(const bristle_node *node, const char *path)
{
  while (node && *path) {
    char part[100];
    const size_t length = strcspn(path, ".");
    snprintf(part, sizeof part, "%.*s", (int)length, path);
    if (node->kind == BRISTLE_NODE_MAP) node = bristle_node_find(node, part);
    else {
      const bristle_node *item = node->child;
      for (long i = strtol(part, NULL, 10); i > 1 && item; i--) item = item->next;
      node = item;
    }
    path += length + (path[length] == '.');
  }
  return node;
}

static bristle_fault_kind put_fixed(bristle_sweep *s, sweep_worker *w, bristle_fault *fault)
{
  const bristle_node *set = s->inside->set;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (const bristle_node *n = set ? set->child : NULL; n && !kind; n = n->next) {
    char place[100], path[SWEEP_PATH];
    snprintf(place, sizeof place, "set %.80s", n->key);
    sweep_key_path(s, n->key, path);
    kind = bristle_node_expect(n, BRISTLE_NODE_SCALAR, fault);
    if (!kind) kind = tree_put_once(w->tree, path, n->text, place, fault);
  }
  return kind;
}

bristle_fault_kind sweep_worker_start(bristle_sweep *s, sweep_worker *w, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  bristle_fault_kind kind = bristle_tree_new(in->document ? in->document : in->spec, &w->tree, fault);
  if (!kind) kind = put_fixed(s, w, fault);
  for (int i = 0; i < in->keys && !kind; i++) {
    char place[100];
    snprintf(place, sizeof place, "key %s", in->key[i].name);
    kind = tree_put_once(w->tree, in->key[i].path, "0", place, fault);
  }
  if (kind) { /* nobody counts a worker that did not start */
    sweep_worker_end(w);
    return kind;
  }
  w->root = bristle_tree_root(w->tree);
  for (int i = 0; i < in->keys; i++) { /* the nodes are the tree's own */
    w->slot[i] = (bristle_node *)find_node(w->root, in->key[i].path);
    w->slot[i]->text = w->number[i];
  }
  if (!in->document) w->root = bristle_node_find(w->root, in->logs ? "identification" : "scenario");
  return kind;
}

void sweep_worker_end(sweep_worker *w)
{
  bristle_tree_free(w->tree);
  w->tree = NULL;
}

/* ---- scenarios ---- */

static void write_keys(const bristle_sweep *s, sweep_worker *w, const double *value)
{
  for (int i = 0; i < s->inside->keys; i++) {
    const sweep_key *key = &s->inside->key[i];
    w->slot[i]->text = key->text ? key->text[(size_t)value[i]] : w->number[i];
    if (key->text) continue;
    const int length = bristle_number_write(value[i], w->number[i]);
    if (key->unit[0]) snprintf(w->number[i] + length, sizeof w->number[i] - (size_t)length, " %s", key->unit);
  }
}

void sweep_try_keys(bristle_sweep *s, sweep_worker *w, const double *value)
{
  bristle_scenario *scenario;
  bristle_fault ignored;
  write_keys(s, w, value);
  bristle_scenario_read_with(w->root, NULL, s->inside->base, &scenario, &ignored);
  bristle_scenario_free(scenario);
}

bristle_fault_kind sweep_read_task(bristle_sweep *s, sweep_worker *w, unsigned long long run, double *row,
                                   sweep_task *task, unsigned *redraws, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  /* only numbers that are drawn one by one may be drawn again: evenness and groups would suffer */
  const unsigned attempts = s->drawn && !in->sequence && !s->indices ? ATTEMPTS : 1;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const int locked = in->reads_files && !in->logs;
  *task = (sweep_task){ 0 };
  for (*redraws = 0; *redraws < attempts; ++*redraws) {
    sweep_draw_keys(s, run, *redraws, row);
    write_keys(s, w, row);
    if (locked) parallel_take(&reading);
    opened_list *before = opened_keep(&in->opened);
    if (in->logs) kind = sweep_ask(s, w->root, run, &task->asked, fault);
    else kind = bristle_scenario_read_with(w->root, NULL, in->base, &task->scenario, fault);
    opened_keep(before);
    if (locked) parallel_give(&reading);
    if (kind != BRISTLE_FAULT_VALUE) return kind;
  }
  --*redraws;
  return kind;
}

/* nonzero: it did not reach its end */
static int do_task(const bristle_sweep *s, const sweep_task *task, double *row, char why[400])
{
  bristle_sim_error error = { .what = "" };
  bristle_fault fault;
  if (!task->asked) {
    const int failed = sweep_measure_run(s, task->scenario, row, &error);
    if (failed && why) snprintf(why, 400, "at t = %g s: %s", error.t, error.what);
    return failed;
  }
  const int failed = sweep_identify(s, task->asked, row, &fault) != BRISTLE_FAULT_NONE;
  if (failed && why) bristle_fault_text(&fault, why, 400);
  return failed;
}

double *sweep_begin_run(bristle_sweep *s, sweep_worker *w, unsigned long long run, double *row, sweep_task *task,
                        char why[400])
{
  bristle_fault fault;
  unsigned redraws;
  const size_t keys = (size_t)s->inside->keys, status = keys;
  if (why) why[0] = '\0';
  for (size_t i = keys; i < s->width; i++) row[i] = NAN;
  const bristle_fault_kind kind = sweep_read_task(s, w, run, row, task, &redraws, &fault);
  size_t at = status + 1;
  if (s->column[at].kind == BRISTLE_SWEEP_REDRAWS) row[at++] = redraws;
  row[status] = kind ? BRISTLE_SWEEP_REFUSED : BRISTLE_SWEEP_DONE;
  if (kind && why) bristle_fault_text(&fault, why, 400);
  return kind ? NULL : row + at;
}

void sweep_run(bristle_sweep *s, sweep_worker *w, unsigned long long run, double *row, char why[400])
{
  sweep_task task;
  double *at = sweep_begin_run(s, w, run, row, &task, why);
  if (!at) return;
  if (do_task(s, &task, at, why)) {
    row[s->inside->keys] = BRISTLE_SWEEP_FAILED;
    for (double *x = at; x < row + s->width; x++) *x = NAN;
  }
  bristle_scenario_free(task.scenario);
  sweep_asked_free(task.asked);
}

/* one run of the engine `ensemble` */
static void march_run(bristle_sweep *s, unsigned long long run, double *row, char why[400])
{
  const bristle_sweep_options here = { .threads = 1 };
  sweep_task task;
  if (!sweep_begin_run(s, &s->inside->worker[0], run, row, &task, why)) return;
  const char *cannot = sweep_march_suits(task.scenario);
  if (why && cannot) snprintf(why, 400, "the engine 'ensemble' cannot run this scenario: %s", cannot);
  bristle_scenario_free(task.scenario);
  sweep_march(s, &here, 1, run, 1, row, (char[200]){ "" });
}

void bristle_sweep_run(bristle_sweep *s, unsigned long long run, double *row, char why[400])
{
  if (s->marches) march_run(s, run, row, why);
  else sweep_run(s, &s->inside->worker[0], run, row, why);
}

int bristle_sweep_base(const bristle_sweep *s, const char **file, char *settings, size_t size)
{
  size_t used = 0;
  settings[0] = '\0';
  if (!s->inside || !s->inside->document || s->inside->logs) return 0;
  *file = bristle_document_name(s->inside->document);
  for (const bristle_node *n = s->inside->set ? s->inside->set->child : NULL; n; n = n->next) {
    if (n->kind != BRISTLE_NODE_SCALAR) return 0;
    used = text_append(settings, size, used, "%s%s=%s", used ? "," : "", n->key, n->text);
  }
  return used < size;
}

void bristle_sweep_settings(const bristle_sweep *s, const double *row, char *text, size_t size)
{
  size_t used = 0;
  text[0] = '\0';
  for (size_t i = 0; i < s->columns && s->column[i].kind == BRISTLE_SWEEP_KEY && used < size; i++) {
    const bristle_sweep_column *c = &s->column[i];
    char number[BRISTLE_NUMBER_SIZE];
    bristle_number_write(row[i], number);
    used = text_append(text, size, used, "%s%s=%s%s%s", i ? "," : "", c->name,
                       c->text ? c->text[(size_t)row[i]] : number, c->unit[0] ? " " : "", c->unit);
  }
}
