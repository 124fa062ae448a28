/* Fits the axes that a folder lacks, several at a time. */
#include "fleet/fleet.h"

#include "fit/common/parallel.h"

#include <stdlib.h>

typedef struct fleet_work {
  bristle_fleet *fleet;
  const bristle_fleet_options *options;
  const char *folder;
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
  char digest[65];
  parallel_take(&w->lock);
  const int skip = w->stopped || w->kind;
  parallel_give(&w->lock);
  if (skip) return;
  fleet_fit_axis(w->fleet, axis, w->options);
  fleet_axis_digest(w->fleet, axis, w->options, digest);
  parallel_take(&w->lock);
  bristle_fault fault;
  const bristle_fault_kind kind = fleet_axis_write(w->fleet, axis, w->folder, digest, &fault);
  if (kind && !w->kind) w->kind = kind, *w->fault = fault;
  w->state->computed += !kind;
  w->done += axis->count;
  if (w->options->progress) w->stopped |= w->options->progress(w->options->context, w->done, w->count);
  parallel_give(&w->lock);
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
  if (!w.todo) return fault_memory(fault);
  size_t todo = 0;
  for (size_t a = 0; a < f->axes; a++) {
    char digest[65];
    fleet_axis_digest(f, &f->axis[a], options, digest);
    if (!fleet_axis_read(f, &f->axis[a], folder, digest)) state->found++;
    else w.todo[todo++] = a, w.count += f->axis[a].count;
  }
  parallel_for(options->threads > 1 ? options->threads : 1, (int)todo, fit_axis, &w);
  state->missing = f->axes - state->found - state->computed;
  free(w.todo);
  return w.kind;
}
