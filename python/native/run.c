#include "run.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

/* room for one more element; 0 without memory */
static int grow(void *place, size_t count, size_t *room, size_t size)
{
  void *old, *larger;
  if (count < *room) return 1;
  const size_t wanted = *room ? 2 * *room : 1024;
  memcpy(&old, place, sizeof old);
  if (wanted > (size_t)-1 / size || !(larger = realloc(old, wanted * size))) return 0;
  memcpy(place, &larger, sizeof larger);
  *room = wanted;
  return 1;
}

static int take_row(void *context, const double *values)
{
  bristle_run *run = context;
  if (!grow(&run->row, run->rows, &run->row_room, run->width * sizeof *values)) return 1;
  memcpy(run->row + run->rows++ * run->width, values, run->width * sizeof *values);
  return 0;
}

static int take_event(void *context, double t, bristle_event_kind kind)
{
  bristle_run *run = context;
  size_t room = run->event_room;
  if (!grow(&run->event_time, run->events, &room, sizeof *run->event_time)
      || !grow(&run->event_kind, run->events, &run->event_room, sizeof *run->event_kind))
    return 1;
  run->event_time[run->events] = t;
  run->event_kind[run->events++] = (int)kind;
  return 0;
}

static int take_step(void *context, double t, double h, int accepted)
{
  (void)h, (void)accepted;
  bristle_run *run = context;
  if (!run->progress) return 0;
  const double seconds = platform_seconds();
  if (seconds - run->told < 0.05) return 0;
  run->told = seconds;
  return run->progress(t);
}

bristle_sim_status bristle_run_simulate(const bristle_rig *rig, const bristle_sim_options *options, bristle_run *run)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const bristle_sim_sink sink = { .context = run, .row = take_row, .step = take_step, .event = take_event };
  run->width = (size_t)bristle_sim_columns(rig, columns);
  return run->status = bristle_simulate(rig, options, &sink, &run->stats, &run->error);
}

void bristle_run_free(bristle_run *run)
{
  free(run->row);
  free(run->event_time);
  free(run->event_kind);
}
