/* A fit of simulated motion: unknowns, residuals with exact derivatives, the search for a minimum. */
#include "fit/replay.h"

#include <math.h>
#include <stdlib.h>

static double measured_at(const bristle_run *run, size_t i)
{
  return run->position ? run->position[i] : run->velocity[i];
}

/* ---- unknowns ---- */

/* numbers that are positive and of any size are searched by their logarithms */
static bristle_unknown axis_unknown_of(int number, double value)
{
  const int positive = number == BRISTLE_PLANT_MASS || number == BRISTLE_PLANT_GAIN || number == BRISTLE_PLANT_GRAVITY
                       || number == BRISTLE_PLANT_STIFFNESS;
  bristle_unknown x = { .name = bristle_plant_name((bristle_plant)number), .lo = -HUGE_VAL, .hi = HUGE_VAL };
  if (positive && value > 0) x.kind = BRISTLE_LOG, x.lo = 1e-6 * value, x.hi = 1e6 * value;
  else if (positive || number == BRISTLE_PLANT_DRAG || number == BRISTLE_PLANT_DAMPING) x.lo = 0;
  return x;
}

bristle_fault_kind replay_begin(replay *m, const chart *c, const bristle_trajectory *trajectory, double noise,
                                const int *axis, int axis_count, const bristle_axis_values *base, memory **list,
                                bristle_fault *fault)
{
  *m = (replay){ .chart = c, .trajectory = trajectory, .noise = noise, .axis_count = axis_count, .base = *base };
  m->first_start = c->count + axis_count;
  m->count = m->first_start + 2 * (int)trajectory->count;
  m->list = list;
  m->unknown = memory_take(list, sizeof *m->unknown * (size_t)m->count);
  m->until = memory_take(list, sizeof *m->until * trajectory->count);
  if (!m->unknown || !m->until) return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  memcpy(m->unknown, c->unknown, sizeof *m->unknown * (size_t)c->count);
  for (int k = 0; k < axis_count; k++) {
    m->axis[k] = axis[k];
    m->unknown[c->count + k] = axis_unknown_of(axis[k], base->plant[axis[k]]);
  }
  for (size_t k = 0; k < trajectory->count; k++) {
    m->until[k] = trajectory->run[k].count;
    for (int j = 0; j < 2; j++)
      m->unknown[m->first_start + 2 * (int)k + j] = (bristle_unknown){
        .name = j ? "starting velocity" : "starting position", .lo = -HUGE_VAL, .hi = HUGE_VAL, .scale = noise
      };
  }
  return BRISTLE_FAULT_NONE;
}

void replay_values(const replay *m, const double *u, bristle_axis_values *values)
{
  *values = m->base;
  chart_params(m->chart, u, values->param);
  for (int k = 0; k < m->axis_count; k++) values->plant[m->axis[k]] = u[m->chart->count + k];
}

static bristle_run run_from(const replay *m, const double *u, size_t k)
{
  bristle_run run = m->trajectory->run[k];
  run.x = u[m->first_start + 2 * (int)k];
  run.v = u[m->first_start + 2 * (int)k + 1];
  run.count = m->until[k];
  return run;
}

size_t replay_rows(const replay *m)
{
  size_t rows = 0;
  for (size_t k = 0; k < m->trajectory->count; k++) rows += m->until[k];
  return rows;
}

/* ---- residuals ---- */

/* the unknowns of a simulation: parameters that the chart moves, numbers of the axis, the start of the run */
typedef struct carried {
  int count, params, param[BRISTLE_FRICTION_SIZE];
  axis_unknown unknown[MOST_UNKNOWNS];
} carried;

static void carry(const replay *m, carried *c)
{
  int moves[BRISTLE_FRICTION_SIZE] = { 0 };
  *c = (carried){ 0 };
  for (int j = 0; j < m->chart->count; j++) moves[m->chart->place[j]] = 1;
  if (m->chart->last >= 0) moves[m->chart->last] = 1;
  for (int k = 0; k < m->chart->nparam; k++)
    if (moves[k]) {
      c->param[c->params++] = k;
      c->unknown[c->count++] = (axis_unknown){ .plant = -1, .param = { k, -1 }, .factor = { 1, 0 } };
    }
  for (int k = 0; k < m->axis_count; k++)
    c->unknown[c->count++] = (axis_unknown){ .plant = m->axis[k], .param = { -1, -1 } };
  for (int k = 1; k <= 2; k++) c->unknown[c->count++] = (axis_unknown){ .plant = -1, .param = { -1, -1 }, .start = k };
}

int replay_block(size_t i, size_t count) { return (int)(i * BRISTLE_BLOCKS / count); }

int replay_fold(size_t i, size_t count, int folds)
{
  unsigned long long state = (unsigned long long)replay_block(i, count);
  return (int)(random_next(&state) % (unsigned long long)folds);
}

typedef struct row_sink {
  const replay *m;
  const carried *carried;
  const bristle_run *run;
  const double *u, *p;
  size_t place; /* of the run */
  double *row;
  bristle_rows *rows;
} row_sink;

static void fill_row(const row_sink *s, const double *derivative)
{
  const replay *m = s->m;
  double by_param[BRISTLE_FRICTION_SIZE] = { 0 };
  const double scale = 1 / m->noise;
  const int params = s->carried->params;
  for (int k = 0; k < params; k++) by_param[s->carried->param[k]] = scale * derivative[k];
  chart_derivatives(m->chart, s->u, s->p, by_param, s->row);
  for (int k = 0; k < m->axis_count; k++) s->row[m->chart->count + k] = scale * derivative[params + k];
  for (int j = 0; j < 2; j++)
    s->row[m->first_start + 2 * (int)s->place + j] = scale * derivative[params + m->axis_count + j];
}

static int take_sample(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  const row_sink *s = context;
  const replay *m = s->m;
  const int by_position = s->run->position != NULL;
  const double residual = ((by_position ? x : v) - measured_at(s->run, i)) / m->noise;
  const int held = m->folds && replay_fold(i, s->run->count, m->folds) == m->fold;
  const double weight = held ? 0 : 1;
  if (dx) fill_row(s, by_position ? dx : dv);
  bristle_rows_add(s->rows, &(bristle_block){ .count = 1,
                                              .residual = &residual,
                                              .jacobian = dx ? s->row : NULL,
                                              .weight = m->folds ? &weight : NULL });
  return 0;
}

int replay_residuals(void *context, const double *u, bristle_rows *rows)
{
  const replay *m = context;
  const bristle_trajectory *t = m->trajectory;
  const int with_derivatives = bristle_rows_wanted(rows) != BRISTLE_WANT_RESIDUALS;
  bristle_axis_values values;
  carried c = { .count = 0 };
  replay_values(m, u, &values);
  if (bristle_check(t->law->f64, values.param, NULL)) return 1;
  if (with_derivatives) carry(m, &c);
  double *row = calloc((size_t)m->count, sizeof *row);
  int failed = !row;
  for (size_t k = 0; k < t->count && !failed; k++) {
    const bristle_run run = run_from(m, u, k);
    row_sink s = { m, &c, &run, u, values.param, k, row, rows };
    const axis_job job = { t, &run, &values, t->step, c.count, c.unknown };
    failed = (m->stop && *m->stop) || axis_simulate(&job, &(axis_sink){ &s, take_sample });
    row[m->first_start + 2 * (int)k] = row[m->first_start + 2 * (int)k + 1] = 0;
  }
  free(row);
  return failed;
}

/* ---- plain differences ---- */

typedef struct difference_sink {
  const bristle_run *run;
  double *to;
} difference_sink;

static int take_difference(void *context, size_t i, double x, double v, const double *dx, const double *dv)
{
  const difference_sink *s = context;
  (void)dx, (void)dv;
  s->to[i] = (s->run->position ? x : v) - measured_at(s->run, i);
  return 0;
}

int replay_compare(const replay *m, const double *u, double *residual)
{
  bristle_axis_values values;
  replay_values(m, u, &values);
  if (bristle_check(m->trajectory->law->f64, values.param, NULL)) return 1;
  for (size_t k = 0; k < m->trajectory->count; k++) {
    const bristle_run run = run_from(m, u, k);
    difference_sink s = { &run, residual };
    const axis_job job = { .trajectory = m->trajectory, .run = &run, .values = &values, .step = m->trajectory->step };
    if (axis_simulate(&job, &(axis_sink){ &s, take_difference })) return 1;
    residual += run.count;
  }
  return 0;
}

/* ---- search ---- */

bristle_fault_kind replay_search(const replay *m, double *u, int iterations, bristle_fit_result **fit, double *cost,
                                 bristle_fault *fault)
{
  const bristle_fit_problem problem = { m->count, m->unknown, u, replay_residuals, (void *)m };
  const bristle_fit_options options = {
    .gradient = 1e-8, .step = 1e-8, .cost = 1e-10, .iterations = iterations, .minimum_only = !fit, .noise_is_known = 0
  };
  bristle_fit_result *result;
  const bristle_fault_kind kind = bristle_fit(&problem, &options, &result, fault);
  if (kind) return kind;
  memcpy(u, result->p, sizeof *u * (size_t)m->count);
  if (cost) *cost = result->cost;
  if (fit) *fit = result;
  else bristle_fit_free(result);
  return BRISTLE_FAULT_NONE;
}
