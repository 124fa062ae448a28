#include "simulation.h"

#include "common/cli.h"
#include "common/progress.h"

#ifdef BRISTLE_WITH_CVODE
#include "cvode/simulate.h"
#endif
#include "maths/elementary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct sink_state {
  simulation *s;
  progress bar;
} sink_state;

/* ---- what is kept ---- */

static int grow(double **array, size_t room)
{
  double *larger = room < (size_t)-1 / sizeof **array / 2 ? realloc(*array, room * sizeof **array) : NULL;
  if (!larger) return 0;
  *array = larger;
  return 1;
}

static int add_sample(samples *list, double t, double y)
{
  if (list->skipped + 1 < list->stride) {
    list->skipped++;
    return 1;
  }
  list->skipped = 0;
  if (list->count == list->room) {
    size_t room = list->room ? 2 * list->room : 1024;
    if (list->limit && room > list->limit) { /* thin out instead */
      for (size_t i = 0; 2 * i < list->count; i++) list->t[i] = list->t[2 * i], list->y[i] = list->y[2 * i];
      list->count = (list->count + 1) / 2;
      list->stride = list->stride ? 2 * list->stride : 2;
    } else {
      if (!grow(&list->t, room) || !grow(&list->y, room)) return 0;
      list->room = room;
    }
  }
  list->t[list->count] = t;
  list->y[list->count++] = y;
  return 1;
}

static int keep_row(simulation *s, const double *values)
{
  if (s->rows == s->room) {
    size_t room = s->room ? 2 * s->room : 4096;
    for (int i = 0; i < s->width; i++)
      if (!grow(&s->kept[i], room)) return 0;
    s->room = room;
  }
  for (int i = 0; i < s->width; i++) s->kept[i][s->rows] = values[i];
  return 1;
}

/* ---- the sink ---- */

static int take_row(void *context, const double *given)
{
  sink_state *state = context;
  simulation *s = state->s;
  double values[BRISTLE_SIM_COLUMNS];
  memcpy(values, given, (size_t)(s->width - s->shows_step) * sizeof *values);
  if (s->shows_step) values[s->width - 1] = s->step;
  if (s->shown_times) values[0] = s->shown_times[s->rows];
  noise_add(&s->noise, s->width, values);
  for (int i = 0; i < s->width; i++) {
    if (!s->rows) s->first[i] = s->least[i] = s->largest[i] = values[i];
    s->last[i] = values[i];
    s->least[i] = fmin(s->least[i], values[i]);
    s->largest[i] = fmax(s->largest[i], values[i]);
  }
  errno = 0;
  if (s->out && !bristle_rows_write(s->out, s->width, values)) s->write_error = errno ? errno : EIO;
  if (s->record && !keep_row(s, values)) s->no_memory = 1;
  s->rows++;
  return s->no_memory || s->write_error || progress_is_stopped();
}

static void keep_account(simulation *s, double t)
{
  const double now[] = { s->stats.work_in, s->stats.stored, s->stats.dissipated };
  for (int i = 0; i < 3; i++)
    if (!add_sample(&s->account[i], t, now[i])) s->no_memory = 1;
}

static int take_step(void *context, double t, double h, int accepted)
{
  simulation *s = ((sink_state *)context)->s;
  if (accepted) s->step = h;
  if (s->record && !add_sample(accepted ? &s->steps : &s->rejected, t, h)) s->no_memory = 1;
  if (s->record && accepted) keep_account(s, t); /* the account stands as the step before left it: at t */
  return s->no_memory || progress_is_stopped();
}

static int take_event(void *context, double t, bristle_event_kind kind)
{
  simulation *s = ((sink_state *)context)->s;
  if (!add_sample(&s->events, t, (double)kind)) s->no_memory = 1;
  return s->no_memory;
}

static int take_progress(void *context, double fraction)
{
  return progress_show(&((sink_state *)context)->bar, fraction);
}

static bristle_sim_status solve(simulation *s, const bristle_sim_sink *sink)
{
  const bristle_scenario *scenario = s->scenario;
#ifdef BRISTLE_WITH_CVODE
  if (scenario->options.method == BRISTLE_METHOD_CVODE)
    return bristle_simulate_cvode(&scenario->rig, &scenario->options, sink, &s->stats, &s->error);
#endif
  return bristle_simulate(&scenario->rig, &scenario->options, sink, &s->stats, &s->error);
}

bristle_sim_status simulation_run(simulation *s, const char *progress_text)
{
  enum { MOST_STEPS = 1 << 20, MOST_EVENTS = 1 << 16 };
  sink_state state = { s, progress_start(progress_text) };
  bristle_sim_sink sink = { .context = &state, .row = take_row, .step = take_step, .progress = take_progress };
  if (s->record) sink.event = take_event;
  s->steps.limit = s->rejected.limit = MOST_STEPS;
  s->events.limit = MOST_EVENTS;
  s->width = bristle_sim_columns(&s->scenario->rig, s->columns);
  s->shows_step = s->scenario->options.method == BRISTLE_METHOD_STEPRULE && s->width < BRISTLE_SIM_COLUMNS;
  if (s->shows_step) s->columns[s->width++] = (bristle_sim_column){ "dt", "s" };
  for (int i = 0; s->out && i < s->width; i++)
    fprintf(s->out, "%s%s [%s]", i ? "," : "", s->columns[i].name, s->columns[i].unit);
  if (s->out) putc('\n', s->out);
  for (int i = 0; i < 3; i++) s->account[i].limit = MOST_STEPS;
  const bristle_sim_status status = solve(s, &sink);
  if (s->record && !status) keep_account(s, s->scenario->options.end);
  progress_end(&state.bar);
  return status;
}

static void free_samples(samples *list)
{
  free(list->t);
  free(list->y);
}

void simulation_free(simulation *s)
{
  for (int i = 0; i < SIMULATION_OVER; i++) bristle_table_free(s->over[i]);
  for (int i = 0; i < BRISTLE_SIM_COLUMNS; i++) free(s->kept[i]);
  free_samples(&s->steps);
  free_samples(&s->rejected);
  free_samples(&s->events);
  for (int i = 0; i < 3; i++) free_samples(&s->account[i]);
}

int simulation_complain(const simulation *s, const char *file, const char *output)
{
  if (s->no_memory) return failure(FAILED, "not enough memory for the rows of the report; choose a longer time.output");
  if (s->write_error)
    return failure(FILE_TROUBLE, "%s: the file cannot be written (%s)%s", output ? output : "standard output",
                   strerror(s->write_error), s->write_error == ENOSPC ? "; the disk is full" : "");
  if (progress_is_stopped()) return stopped_exit();
  if (s->error.status == BRISTLE_SIM_NO_PROGRESS)
    return failure(FAILED, "%s: at t = %g s: %s", file, s->error.t, s->error.what);
  return failure(BAD_DATA, "%s: %s%s%s", file, s->error.field, s->error.field[0] ? ": " : "", s->error.what);
}
