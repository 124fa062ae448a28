/* Runs of an axis as something that a replay simulates. */
#include "fit/trajectories/axis_source.h"
#include "fit/records/record.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* "kg*m^2" */
static const char *plant_unit(int plant, int rotary)
{
  static const char *const units[BRISTLE_PLANT_COUNT][2] = {
    { "kg", "kg*m^2" }, { "1", "1" },         { "N*s/m", "N*m*s/rad" }, { "N", "N*m" },       { "m", "rad" },
    { "N", "N*m" },     { "1/N", "1/(N*m)" }, { "1/N", "1/(N*m)" },     { "N/m", "N*m/rad" }, { "N*s/m", "N*m*s/rad" },
  };
  return units[plant][rotary != 0];
}

/* those of the axis for the parameters p and the numbers b */
static void find_values(const axis_source *a, const double *p, const double *b, bristle_axis_values *values)
{
  *values = a->base;
  memcpy(values->param, p, sizeof *p * (size_t)a->trajectory.law->f64->info->nparam);
  for (int k = 0; k < a->numbers; k++)
    if (a->link[k].plant >= 0) values->plant[a->link[k].plant] = a->link[k].sign * b[k];
}

static bristle_run run_from(const axis_source *a, size_t k, size_t until, const double *b)
{
  bristle_run run = a->trajectory.run[k];
  run.count = until;
  for (int j = 0; j < a->numbers; j++) {
    if (a->number[j].run != (int)k + 1) continue;
    if (a->link[j].start == 1) run.x = b[j];
    else run.v = b[j];
  }
  return run;
}

/* ---- simulating ---- */

/* where samples go: channels of `until` each, derivatives row by row */
typedef struct channel_sink {
  const axis_source *a;
  size_t until, width;
  int carried, column[MOST_UNKNOWNS]; /* of each carried unknown among the derivatives */
  double *y, *dy;
} channel_sink;

static int take_sample(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  const channel_sink *s = context;
  const int velocity_only = !s->a->trajectory.run[0].position;
  for (int c = 0; c < s->a->source.channels; c++) {
    const int by_velocity = c || velocity_only;
    const size_t row = (size_t)c * s->until + i;
    s->y[row] = by_velocity ? v : x;
    for (int k = 0; k < s->carried && dx; k++)
      s->dy[row * s->width + (size_t)s->column[k]] = by_velocity ? dv[k] : dx[k];
  }
  return 0;
}

static int run_axis(const axis_source *a, const bristle_run *run, const double *p, const double *b, int coarse,
                    const axis_unknown *unknown, channel_sink *sink)
{
  bristle_axis_values values;
  find_values(a, p, b, &values);
  const double step = coarse ? fmax(a->trajectory.step, a->coarse_step) : a->trajectory.step;
  const axis_job job = { &a->trajectory, run, &values, step, sink->carried, unknown };
  return axis_simulate(&job, &(axis_sink){ sink, take_sample });
}

static int simulate(void *self, size_t k, size_t until, const double *p, const double *b, int coarse, double *y)
{
  const axis_source *a = self;
  const bristle_run run = run_from(a, k, until, b);
  channel_sink sink = { .a = a, .until = until, .y = y };
  return run_axis(a, &run, p, b, coarse, NULL, &sink);
}

static int tangent(void *self, size_t k, size_t until, const double *p, const double *b, const replay_moved *moved,
                   int coarse, double *y, double *dy)
{
  const axis_source *a = self;
  const bristle_run run = run_from(a, k, until, b);
  axis_unknown unknown[MOST_UNKNOWNS];
  channel_sink sink = { .a = a, .until = until, .width = (size_t)(moved->count + a->numbers), .y = y, .dy = dy };
  for (int j = 0; j < moved->count; j++) {
    sink.column[sink.carried] = j;
    unknown[sink.carried++] = (axis_unknown){ .plant = -1, .param = moved->place[j] };
  }
  for (int j = 0; j < a->numbers; j++) {
    if (a->number[j].run && a->number[j].run != (int)k + 1) continue;
    sink.column[sink.carried] = moved->count + j;
    unknown[sink.carried++] = (axis_unknown){ .plant = a->link[j].plant, .param = -1, .start = a->link[j].start };
  }
  if (run_axis(a, &run, p, b, coarse, unknown, &sink)) return 1;
  for (int j = 0; j < a->numbers; j++)
    for (size_t i = 0; a->link[j].sign < 0 && i < until * (size_t)a->source.channels; i++)
      dy[i * sink.width + (size_t)(moved->count + j)] *= -1;
  return 0;
}

/* ---- making ---- */

static double noise_of(const double *y, size_t count, double *work)
{
  size_t first[2] = { 0, count };
  const bristle_log log = { .count = count, .stretches = 1, .first = first };
  return fmax(record_quantum(y, count, 8, work) / sqrt(12), record_noise(&log, y, 1));
}

static bristle_fault_kind take_runs(axis_source *a, double noise, memory **list, bristle_fault *fault)
{
  const bristle_trajectory *t = &a->trajectory;
  const int by_position = t->run[0].position != NULL, channels = a->source.channels;
  size_t *samples = memory_take(list, sizeof *samples * t->count), longest = 0;
  const double **time = memory_take(list, sizeof *time * t->count);
  double **measured = memory_take(list, sizeof *measured * t->count);
  for (size_t k = 0; k < t->count; k++) longest = t->run[k].count > longest ? t->run[k].count : longest;
  double *work = memory_take(list, sizeof *work * (longest + 1));
  if (!samples || !time || !measured || !work) return fault_memory(fault);
  for (size_t k = 0; k < t->count; k++) {
    const bristle_run *run = &t->run[k];
    samples[k] = run->count, time[k] = run->t;
    measured[k] = memory_take(list, sizeof(double) * run->count * (size_t)channels);
    if (!measured[k]) return fault_memory(fault);
    for (int c = 0; c < channels; c++) {
      const double *y = c || !by_position ? run->velocity : run->position;
      for (size_t i = 0; i < run->count; i++) measured[k][(size_t)c * run->count + i] = y ? y[i] : (double)NAN;
      if (y && !(noise > 0)) a->noise[c] = fmax(a->noise[c], noise_of(y, run->count, work));
    }
  }
  a->source.runs = t->count, a->source.samples = samples, a->source.t = time;
  a->source.measured = (const double *const *)measured;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind axis_source_begin(axis_source *a, const bristle_trajectory *trajectory, int rotary, double noise,
                                     int room, memory **list, bristle_fault *fault)
{
  const bristle_run *first = trajectory->run;
  *a = (axis_source){ .trajectory = *trajectory, .room = room };
  int channels = 1;
  for (size_t k = 0; k < trajectory->count; k++) {
    const bristle_run *run = &trajectory->run[k];
    if (run->position && run->velocity) channels = 2;
    if (!run->position != !first->position)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "fit them one at a time",
                       "%s and %s do not measure the same: position or velocity", first->name, run->name);
  }
  a->source = (replay_source){ .self = a,
                               .law = trajectory->law,
                               .load = trajectory->load,
                               .rotary = rotary,
                               .channels = channels,
                               .noise = a->noise,
                               .size = a->size,
                               .simulate = simulate,
                               .tangent = tangent };
  snprintf(a->source.unit, sizeof a->source.unit, "%s%s", bristle_length_unit(rotary), first->position ? "" : "/s");
  a->number = memory_take(list, sizeof *a->number * (size_t)(room + 1));
  a->link = memory_take(list, sizeof *a->link * (size_t)(room + 1));
  if (!a->number || !a->link) return fault_memory(fault);
  a->source.number = a->number;
  a->noise[0] = noise;
  bristle_fault_kind kind = take_runs(a, noise, list, fault);
  for (int c = 0; c < channels && !kind; c++) {
    a->size[c] = replay_size(a->source.measured, a->source.samples, a->source.runs, c);
    if (c == 0) a->source.measured_noise = a->noise[0];
    if (!(a->noise[c] > 1e-7 * a->size[c])) a->noise[c] = a->size[c] > 0 ? 1e-7 * a->size[c] : 1;
  }
  return kind;
}

replay_number *axis_source_add(axis_source *a, int plant, double sign)
{
  replay_number *number = &a->number[a->numbers];
  *number = (replay_number){ .term = plant == BRISTLE_PLANT_MASS      ? BRISTLE_TERM_MASS
                                     : plant == BRISTLE_PLANT_GRAVITY ? BRISTLE_TERM_GRAVITY
                                                                      : -1 };
  snprintf(number->name, sizeof number->name, "%s", bristle_plant_name((bristle_plant)plant));
  snprintf(number->unit, sizeof number->unit, "%s", plant_unit(plant, a->source.rotary));
  a->link[a->numbers] = (axis_link){ plant, sign, 0 };
  a->source.numbers = ++a->numbers;
  return number;
}

void axis_source_add_starts(axis_source *a)
{
  for (size_t k = 0; k < a->trajectory.count; k++)
    for (int j = 0; j < 2; j++) {
      replay_number *number = &a->number[a->numbers];
      a->link[a->numbers] = (axis_link){ -1, 1, j + 1 };
      *number = (replay_number){ .name = "start", .run = (int)k + 1, .term = -1 };
      number->unknown = (bristle_unknown){
        .name = j ? "starting velocity" : "starting position", .lo = -HUGE_VAL, .hi = HUGE_VAL, .scale = a->noise[0]
      };
      number->start = j ? a->trajectory.run[k].v : a->trajectory.run[k].x;
      a->source.numbers = ++a->numbers;
    }
}
