/* A fit of simulated motion: unknowns, residuals with derivatives, the search for a minimum. */
#include "io/support.h"
#include "fit/replay/replay.h"
#include "fit/common/parallel.h"
#include "maths/elementary.h"
#include "maths/random.h"

#include <stdlib.h>

/* Part of an unknown that a difference moves it by: simulations are right to about 1e-9 of the motion, which makes
   derivatives right to 1e-4. */
static const double MOVE = 1e-4;

bristle_fault_kind replay_begin(replay *m, const chart *c, const replay_source *source, memory **list,
                                bristle_fault *fault)
{
  *m = (replay){ .chart = c, .source = source, .count = c->count + source->numbers, .threads = 1 };
  m->unknown = memory_take(list, sizeof *m->unknown * (size_t)m->count);
  m->until = memory_take(list, sizeof *m->until * source->runs);
  if (!m->unknown || !m->until) return fault_memory(fault);
  memcpy(m->unknown, c->unknown, sizeof *m->unknown * (size_t)c->count);
  for (int k = 0; k < source->numbers; k++) m->unknown[c->count + k] = source->number[k].unknown;
  memcpy(m->until, source->samples, sizeof *m->until * source->runs);
  return BRISTLE_FAULT_NONE;
}

static size_t rows_of(const replay *m, size_t run) { return m->until[run] * (size_t)m->source->channels; }

size_t replay_rows(const replay *m)
{
  size_t rows = 0;
  for (size_t k = 0; k < m->source->runs; k++) rows += rows_of(m, k);
  return rows;
}

int replay_block(size_t i, size_t count) { return (int)(i * BRISTLE_BLOCKS / count); }

int replay_fold(size_t i, size_t count, int folds)
{
  uint64_t state = (uint64_t)replay_block(i, count);
  return (int)(random_next(&state) % (uint64_t)folds);
}

double replay_size(const double *const *measured, const size_t *samples, size_t runs, int channel)
{
  double squares = 0, all = 0;
  for (size_t k = 0; k < runs; k++) {
    const double *y = measured[k] + (size_t)channel * samples[k];
    double sum = 0, count = 0;
    for (size_t i = 0; i < samples[k]; i++)
      if (isfinite(y[i])) sum += y[i], count++;
    for (size_t i = 0; i < samples[k]; i++)
      if (isfinite(y[i])) squares += (y[i] - sum / count) * (y[i] - sum / count), all++;
  }
  return all > 0 ? sqrt(squares / all) : 0;
}

static double measured_at(const replay *m, size_t run, size_t row)
{
  const size_t channel = row / m->until[run], i = row % m->until[run];
  return m->source->measured[run][channel * m->source->samples[run] + i];
}

/* ---- derivatives ---- */

static int simulate(const replay *m, size_t run, const double *u, double *y)
{
  double p[BRISTLE_LAW_SIZE];
  const replay_source *s = m->source;
  if (m->stop && *m->stop) return 1;
  chart_params(m->chart, u, p);
  if (bristle_check(s->law->f64, p, NULL)) return 1;
  if (s->simulate(s->self, run, m->until[run], p, u + m->chart->count, m->coarse, y)) return 1;
  for (size_t i = 0; i < rows_of(m, run); i++)
    if (!isfinite(y[i])) return 1;
  return 0;
}

typedef struct moves {
  const replay *m;
  size_t run;
  const double *u, *y;
  double *dy; /* rows x unknowns */
  atomic_int failed;
} moves;

/* the column of one unknown by the difference of two simulations; way is the change. Nonzero: it cannot be had */
static int one_side(const moves *v, int j, double way, double *column)
{
  const replay *m = v->m;
  const size_t rows = rows_of(m, v->run), width = (size_t)m->count;
  const bristle_unknown *x = &m->unknown[j];
  double *u = malloc(sizeof *u * width);
  if (!u) return 1;
  memcpy(u, v->u, sizeof *u * width);
  u[j] += way;
  const double moved = u[j] - v->u[j];
  const int failed = u[j] < x->lo || u[j] > x->hi || simulate(m, v->run, u, column);
  for (size_t i = 0; i < rows && !failed; i++) column[i] = (column[i] - v->y[i]) / moved;
  free(u);
  return failed;
}

static double square_of(const double *y, size_t count)
{
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += y[i] * y[i];
  return sum;
}

/* Where a contact just sticks or just does not, the motion jumps, and a difference across the jump says that a number
   is known far better than it is: careful searches look to both sides and believe the smaller change. */
static void move_one(void *context, int j)
{
  moves *v = context;
  const replay *m = v->m;
  const size_t rows = rows_of(m, v->run), width = (size_t)m->count;
  const bristle_unknown *x = &m->unknown[j];
  const int beside = j - m->chart->count;
  if (x->lo == x->hi) return;
  if (beside >= 0 && m->source->number[beside].run && m->source->number[beside].run != (int)v->run + 1) return;
  double *column = malloc(sizeof *column * 2 * (rows + 1)), *other = column ? column + rows : NULL;
  const double size = x->kind == BRISTLE_ROW_LOG ? fabs(v->u[j]) : fmax(fabs(v->u[j]), x->scale);
  const double way = MOVE * (size > 0 ? size : 1) * (v->u[j] < 0 ? -1 : 1);
  int failed = !column || one_side(v, j, way, column);
  if (column && (failed || m->careful)) {
    const int none = one_side(v, j, -way, other);
    if (!none && (failed || square_of(other, rows) < square_of(column, rows)))
      memcpy(column, other, sizeof *column * rows);
    failed = failed && none;
  }
  for (size_t i = 0; i < rows && !failed; i++) v->dy[i * width + (size_t)j] = column[i];
  free(column);
  if (failed) v->failed = 1;
}

static int differences(const replay *m, size_t run, const double *u, double *y, double *dy)
{
  moves v = { m, run, u, y, dy, 0 };
  if (simulate(m, run, u, y)) return 1;
  parallel_for(m->threads, m->count, move_one, &v);
  return v.failed;
}

/* derivatives by parameters and numbers, from the source, become those by unknowns */
static int tangents(const replay *m, size_t run, const double *u, double *y, double *dy)
{
  const replay_source *s = m->source;
  const chart *c = m->chart;
  const size_t rows = rows_of(m, run), width = (size_t)m->count;
  double p[BRISTLE_LAW_SIZE];
  int does_move[BRISTLE_LAW_SIZE] = { 0 };
  replay_moved moved = { 0 };
  chart_params(c, u, p);
  if ((m->stop && *m->stop) || bristle_check(s->law->f64, p, NULL)) return 1;
  for (int j = 0; j < c->count; j++) does_move[c->place[j]] = 1;
  if (c->last >= 0) does_move[c->last] = 1;
  for (int k = 0; k < c->nparam; k++)
    if (does_move[k]) moved.place[moved.count++] = k;
  const size_t own = (size_t)(moved.count + s->numbers);
  double *by = calloc(rows * own + 1, sizeof *by);
  const int failed = !by || s->tangent(s->self, run, m->until[run], p, u + c->count, &moved, m->coarse, y, by);
  for (size_t i = 0; i < rows && !failed; i++) {
    double by_param[BRISTLE_LAW_SIZE] = { 0 };
    for (int k = 0; k < moved.count; k++) by_param[moved.place[k]] = by[i * own + (size_t)k];
    chart_derivatives(c, u, p, by_param, dy + i * width);
    for (int k = 0; k < s->numbers; k++)
      dy[i * width + (size_t)(c->count + k)] = by[i * own + (size_t)(moved.count + k)];
  }
  free(by);
  return failed;
}

/* ---- residuals ---- */

static int simulate_all(const replay *m, size_t run, const double *u, double *y, double *dy)
{
  if (!dy) return simulate(m, run, u, y);
  return m->source->tangent ? tangents(m, run, u, y, dy) : differences(m, run, u, y, dy);
}

/* simulated values become residuals in units of their noise; weights 0 where they do not count */
static void subtract(const replay *m, size_t run, double *y, double *dy, double *weight)
{
  const size_t count = rows_of(m, run), width = (size_t)m->count;
  for (size_t i = 0; i < count; i++) {
    const double measured = measured_at(m, run, i), scale = 1 / m->source->noise[i / m->until[run]];
    const int held = m->folds && replay_fold(i % m->until[run], m->source->samples[run], m->folds) == m->fold;
    const int counts = isfinite(measured);
    y[i] = counts ? scale * (y[i] - measured) : 0;
    if (weight) weight[i] = held || !counts ? 0 : 1;
    for (size_t j = 0; j < width && dy; j++) dy[i * width + j] *= counts ? scale : 0;
  }
}

static int residuals(void *context, const double *u, bristle_rows *rows)
{
  const replay *m = context;
  const int with_derivatives = bristle_rows_wanted(rows) != BRISTLE_WANT_RESIDUALS;
  int failed = 0;
  for (size_t k = 0; k < m->source->runs && !failed; k++) {
    const size_t count = rows_of(m, k);
    double *y = malloc(sizeof *y * 2 * (count + 1));
    double *dy = with_derivatives ? calloc(count * (size_t)m->count + 1, sizeof *dy) : NULL;
    failed = !y || (with_derivatives && !dy) || simulate_all(m, k, u, y, dy);
    if (!failed) {
      subtract(m, k, y, dy, y + count);
      bristle_rows_add(rows, &(bristle_block){ .count = count, .residual = y, .jacobian = dy, .weight = y + count });
    }
    free(y), free(dy);
  }
  return failed;
}

int replay_jacobian(const replay *m, const double *u, double *residual, double *jacobian)
{
  memset(jacobian, 0, sizeof *jacobian * replay_rows(m) * (size_t)m->count);
  for (size_t k = 0; k < m->source->runs; k++) {
    if (simulate_all(m, k, u, residual, jacobian)) return 1;
    subtract(m, k, residual, jacobian, NULL);
    residual += rows_of(m, k), jacobian += rows_of(m, k) * (size_t)m->count;
  }
  return 0;
}

int replay_compare(const replay *m, const double *u, double *residual)
{
  for (size_t k = 0; k < m->source->runs; residual += rows_of(m, k++)) {
    if (simulate(m, k, u, residual)) return 1;
    for (size_t i = 0; i < rows_of(m, k); i++) {
      const double measured = measured_at(m, k, i);
      residual[i] = isfinite(measured) ? residual[i] - measured : 0;
    }
  }
  return 0;
}

/* ---- search ---- */

bristle_fault_kind replay_search(const replay *m, double *u, int iterations, bristle_fit_result **fit, double *cost,
                                 bristle_fault *fault)
{
  const bristle_fit_problem problem = { m->count, m->unknown, u, residuals, (void *)m };
  const int exact = m->source->tangent && !m->coarse; /* differences do not carry further */
  const bristle_fit_options options = { .loss = m->source->loss,
                                        .loss_scale = m->source->loss_scale,
                                        .gradient = exact ? 1e-8 : 1e-5,
                                        .step = exact ? 1e-8 : 1e-5,
                                        .cost = exact ? 1e-10 : 1e-7,
                                        .iterations = iterations,
                                        .minimum_only = !fit };
  bristle_fit_result *result;
  const bristle_fault_kind kind = bristle_fit(&problem, &options, &result, fault);
  if (kind) return kind;
  memcpy(u, result->p, sizeof *u * (size_t)m->count);
  if (cost) *cost = result->cost;
  if (fit) *fit = result;
  else bristle_fit_free(result);
  return BRISTLE_FAULT_NONE;
}
