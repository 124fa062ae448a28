/* Rows of a log become stretches of even samples. */
#include "robot/logs.h"

#include "maths/elementary.h"

#include "lab/fit.h"

#include <stdlib.h>

enum { ENOUGH = 40000 };     /* samples of a log that are worth their time */
static const double GAP = 5; /* steps that a log may lack without a new stretch */

static double *take(log_reader *r, size_t count) { return memory_take(&r->study->list, count * sizeof(double)); }

/* Where the grid's stretches lie in the rows that are left: fills from and until, at most `most`. */
static int find_stretches(const double *t, size_t count, double step, size_t *from, size_t *until, int most)
{
  int found = 0;
  for (size_t i = 0, start = 0; i < count; i++) {
    if (i + 1 < count && t[i + 1] - t[i] <= GAP * step) continue;
    if (i + 1 - start >= LOG_SHORTEST && found < most) from[found] = start, until[found++] = i + 1;
    start = i + 1;
  }
  return found;
}

typedef struct stretch_plan {
  size_t from[64], until[64], samples[64], longest, thin; /* every `thin`-th sample stays */
  int stretches;
  double *t, step, *room;
} stretch_plan;

static bristle_fault_kind plan_grid(log_reader *r, stretch_plan *p, size_t rows)
{
  bristle_timing timing;
  bristle_fault_kind kind = bristle_timing_examine(p->t, rows, 0, &timing, r->fault);
  if (kind) return kind;
  if (timing.backwards)
    return log_reader_refuse(r, "two logs in one file, or two clocks: cut it there, or sort it by its time",
                             "the time goes back or stands still behind t = %.6g s", p->t[timing.first_backwards]);
  p->step = timing.step;
  p->stretches = find_stretches(p->t, rows, p->step, p->from, p->until, 64);
  if (!p->stretches) return log_reader_refuse(r, NULL, "found no stretch of %d samples without a gap", LOG_SHORTEST);
  size_t total = 0;
  for (int s = 0; s < p->stretches; s++) {
    p->samples[s] = (size_t)floor((p->t[p->until[s] - 1] - p->t[p->from[s]]) / p->step * (1 - 1e-9)) + 1;
    total += p->samples[s];
    if (p->samples[s] > p->longest) p->longest = p->samples[s];
  }
  p->thin = (total + ENOUGH - 1) / ENOUGH;
  total = 0;
  for (int s = 0; s < p->stretches; s++) total += (p->samples[s] + p->thin - 1) / p->thin;
  robot_log *log = r->log;
  log->stretches = p->stretches, log->step = p->step * (double)p->thin, log->count = total;
  log->first = memory_take(&r->study->list, (size_t)(p->stretches + 1) * sizeof *log->first);
  log->t = take(r, total), log->inside = memory_take(&r->study->list, total);
  if (!log->first || !log->t || !log->inside) return fault_memory(r->fault);
  for (int s = 0; s < p->stretches; s++) {
    const size_t kept = (p->samples[s] + p->thin - 1) / p->thin;
    log->first[s + 1] = log->first[s] + kept;
    for (size_t i = 0; i < kept; i++) log->t[log->first[s] + i] = p->t[p->from[s]] + log->step * (double)i;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind grid_column(log_reader *r, const stretch_plan *p, const bristle_column *c, double factor,
                                      double *rows, double **to)
{
  if (!c) return BRISTLE_FAULT_NONE;
  *to = take(r, r->log->count);
  if (!*to) return fault_memory(r->fault);
  for (size_t i = 0, k = 0; i < r->table->rows; i++)
    if (r->whole[i]) rows[k++] = factor * c->data[i];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int s = 0; s < p->stretches && !kind; s++) {
    double *even = p->thin > 1 ? p->room : *to + r->log->first[s];
    kind = bristle_resample(p->t + p->from[s], rows + p->from[s], p->until[s] - p->from[s], p->t[p->from[s]], p->step,
                            p->samples[s], even, r->fault);
    if (!kind && p->thin > 1) kind = bristle_decimate(even, p->samples[s], p->thin, *to + r->log->first[s], r->fault);
  }
  return kind;
}

bristle_fault_kind log_reader_grid(log_reader *r)
{
  stretch_plan p = { .stretches = 0 };
  size_t rows = 0;
  double *room = malloc(2 * r->table->rows * sizeof *room);
  if (!room) return fault_memory(r->fault);
  p.t = room + r->table->rows;
  for (size_t i = 0; i < r->table->rows; i++)
    if (r->whole[i]) p.t[rows++] = r->table->column[r->found.time].data[i];
  bristle_fault_kind kind = plan_grid(r, &p, rows);
  if (!kind && p.thin > 1) {
    p.room = malloc(p.longest * sizeof *p.room);
    if (!p.room) kind = fault_memory(r->fault);
    study_note(r->study, "%s: of %zu samples every %zuth counts, behind a filter", r->table->file, rows, p.thin);
  }
  for (int k = 0; k < r->study->robot.tree.count && !kind; k++) {
    double factor = 1;
    const double sign = r->found.sign[k];
    const bristle_column *torque = r->data->servos ? NULL : log_reader_torque(r, k, &factor);
    const bristle_column *target = r->data->servos ? log_reader_column(r, k, ROBOT_TARGET) : NULL;
    kind = grid_column(r, &p, log_reader_column(r, k, ROBOT_POSITION), sign, room, &r->log->q[k]);
    if (!kind) kind = grid_column(r, &p, log_reader_column(r, k, ROBOT_VELOCITY), sign, room, &r->log->v[k]);
    if (!kind && torque) kind = grid_column(r, &p, torque, sign * factor, room, &r->log->y[k]);
    if (!kind) kind = grid_column(r, &p, target, sign, room, &r->log->aim[k]);
  }
  free(p.room);
  free(room);
  return kind;
}
