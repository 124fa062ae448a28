/* Fits the axes that a folder lacks, several at a time. */
#include "fleet/fleet.h"

#include "fit/common/parallel.h"

#include <stdlib.h>

typedef struct fleet_work {
  bristle_fleet *fleet;
  const bristle_fleet_options *options;
  const char *folder;
  fleet_key *key; /* of each axis */
  size_t *todo, count, done;
  int stopped;
  bristle_fault_kind kind; /* of the first fault */
  bristle_fault *fault;
  bristle_fleet_state *state;
  parallel_lock lock;
} fleet_work;

static void fit_axis(void *context, int i)
{
  fleet_work *w = context;
  bristle_fleet_axis *axis = &w->fleet->axis[w->todo[i]];
  fleet_key *key = &w->key[w->todo[i]];
  parallel_take(&w->lock);
  const int skip = w->stopped || w->kind;
  parallel_give(&w->lock);
  if (skip) return;
  opened_list *before = opened_keep(&key->files);
  fleet_fit_axis(w->fleet, axis, w->options);
  opened_keep(before);
  parallel_take(&w->lock);
  bristle_fault fault;
  bristle_fault_kind kind = opened_fault(&key->files, &fault);
  if (!kind) kind = fleet_axis_write(w->fleet, axis, w->folder, key->digest, &fault);
  if (kind && !w->kind) w->kind = kind, *w->fault = fault;
  w->state->computed += !kind;
  w->done += axis->count;
  if (w->options->progress) w->stopped |= w->options->progress(w->options->context, w->done, w->count);
  parallel_give(&w->lock);
}

/* which axes are there already, and which are to do */
static bristle_fault_kind look(fleet_work *w, size_t *todo)
{
  bristle_fleet *f = w->fleet;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t a = 0; a < f->axes && !kind; a++) {
    kind = fleet_key_make(f, &f->axis[a], w->options, &w->key[a], w->fault);
    if (!kind) kind = fleet_key_check(f, &f->axis[a], &w->key[a], w->fault);
    if (kind) break;
    if (!fleet_axis_read(f, &f->axis[a], w->folder, w->key[a].digest)) w->state->found++;
    else
      kind = fleet_axis_replaceable(&f->axis[a], w->folder, w->fault), w->todo[(*todo)++] = a,
      w->count += f->axis[a].count;
  }
  return kind;
}

bristle_fault_kind bristle_fleet_compute(bristle_fleet *f, const char *folder, const bristle_fleet_options *options,
                                         bristle_fleet_state *state, bristle_fault *fault)
{
  bristle_fault spare;
  fleet_work w = { .fleet = f, .options = options, .folder = folder, .fault = fault ? fault : &spare, .state = state };
  w.lock = (parallel_lock)PARALLEL_LOCK;
  *state = (bristle_fleet_state){ 0 };
  fleet_list_columns(f, options);
  w.todo = malloc(f->axes * sizeof *w.todo);
  w.key = calloc(f->axes, sizeof *w.key);
  size_t todo = 0;
  w.kind = w.todo && w.key ? look(&w, &todo) : fault_memory(fault);
  if (!w.kind) parallel_for(options->threads > 1 ? options->threads : 1, (int)todo, fit_axis, &w);
  state->missing = f->axes - state->found - state->computed;
  for (size_t a = 0; w.key && a < f->axes; a++) opened_free(&w.key[a].files);
  free(w.key);
  free(w.todo);
  return w.kind;
}
