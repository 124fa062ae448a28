/* Start values of a free decay by linear regression, per unit inertia:
 *
 *   dv/dt = -s sin x - c cos x (or -k x + b) - fc sgn v - viscous v
 *
 * Both sides are multiplied by a smooth window and integrated; derivatives go over to the window by partial
 * integration, so that neither noise nor steps of an encoder are differentiated. */
#include "fit/decays/decay.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { COLUMNS = 4, MOST_TURNS = 4096 };
enum { RESTORING, SHIFT, LEVEL, VISCOUS };

/* the window (1 - s^2)^4 and its derivatives by time */
typedef struct window {
  double value, rate, bend;
} window;

static window window_at(double t, double middle, double half)
{
  const double s = (t - middle) / half, q = 1 - s * s;
  if (!(q > 0)) return (window){ 0, 0, 0 };
  return (window){ q * q * q * q, -8 * s * q * q * q / half, (48 * s * s - 8 * q) * q * q / (half * half) };
}

typedef struct regression {
  const bristle_decay *decay;
  size_t count, room;
  double *row; /* COLUMNS + 1 numbers each, the last the acceleration */
} regression;

/* what was measured of a run, with the place and sign of the motion beside it */
typedef struct looked {
  const bristle_run *run;
  double *x, *sign;
} looked;

static void add_window(regression *r, const looked *l, double middle, double half)
{
  const bristle_run *run = l->run;
  const int pendulum = r->decay->kind == BRISTLE_DECAY_PENDULUM, spring = r->decay->kind == BRISTLE_DECAY_SPRING;
  double sum[COLUMNS + 1] = { 0 }, mean = 0, weight = 0;
  size_t begin = run->count, end = 0;
  for (size_t i = 1; i + 1 < run->count; i++) {
    if (fabs(run->t[i] - middle) >= half) continue;
    begin = i < begin ? i : begin, end = i + 1;
    const double h = 0.5 * (run->t[i + 1] - run->t[i - 1]);
    mean += h * l->x[i], weight += h;
  }
  if (end < begin + 7 || r->count == r->room) return;
  mean /= weight;
  for (size_t i = begin; i < end; i++) {
    const double h = 0.5 * (run->t[i + 1] - run->t[i - 1]), x = l->x[i];
    const window w = window_at(run->t[i], middle, half);
    if (pendulum) sum[RESTORING] -= h * w.value * sin(x), sum[SHIFT] -= h * w.value * cos(x);
    if (spring) sum[RESTORING] -= h * w.value * x, sum[SHIFT] += h * w.value;
    sum[LEVEL] -= h * w.value * l->sign[i];
    if (run->position) sum[VISCOUS] += h * w.rate * (x - mean), sum[COLUMNS] += h * w.bend * (x - mean);
    else sum[VISCOUS] -= h * w.value * run->velocity[i], sum[COLUMNS] -= h * w.rate * run->velocity[i];
  }
  for (int j = 0; j <= COLUMNS; j++) r->row[(COLUMNS + 1) * r->count + (size_t)j] = sum[j] / half;
  r->count++;
}

static int look(const bristle_decay *d, const bristle_run *run, looked *l, size_t *place, size_t *turns)
{
  l->run = run;
  l->x = malloc(sizeof *l->x * 2 * run->count);
  if (!l->x) return 1;
  l->sign = l->x + run->count;
  for (size_t i = 0; i < run->count; i++)
    l->x[i] = run->position ? run->position[i]
              : i ? l->x[i - 1] + 0.5 * (run->t[i] - run->t[i - 1]) * (run->velocity[i] + run->velocity[i - 1])
                  : run->x;
  *turns = decay_turns(l->x, 0, run->count, d->band, place, MOST_TURNS);
  for (size_t k = 1; k < *turns; k++)
    for (size_t i = place[k - 1]; i < (k + 1 < *turns ? place[k] : run->count); i++)
      l->sign[i] = l->x[place[k]] > l->x[place[k - 1]] ? 1 : l->x[place[k]] < l->x[place[k - 1]] ? -1 : 0;
  return 0;
}

/* windows over the part of a run whose swings are well above the band */
static int add_run(regression *r, const bristle_run *run)
{
  const bristle_decay *d = r->decay;
  size_t *place = malloc(sizeof *place * MOST_TURNS), turns, last = run->count - 1;
  looked l = { 0 };
  if (!place || look(d, run, &l, place, &turns)) {
    free(place);
    return 1;
  }
  for (size_t k = 2; k < turns; k++)
    if (fabs(l.x[place[k]] - l.x[place[k - 1]]) < 4 * d->band) {
      last = place[k - 1];
      break;
    }
  if (turns > 1 && place[turns - 1] < last) last = place[turns - 1];
  const double begin = run->t[0], end = run->t[last];
  const double pace = (run->t[run->count - 1] - begin) / (double)(run->count - 1);
  double half = d->half_period > 0 ? 0.5 * d->half_period : (end - begin) / 8;
  half = fmin(fmax(half, 5 * pace), 0.5 * (end - begin));
  for (double middle = begin + half; middle <= end - half + 1e-9; middle += half / 3) add_window(r, &l, middle, half);
  free(l.x), free(place);
  return 0;
}

static int linear_rows(void *context, const double *u, bristle_rows *rows)
{
  const regression *r = context;
  for (size_t i = 0; i < r->count; i++) {
    const double *row = r->row + (COLUMNS + 1) * i;
    double residual = -row[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) residual += row[j] * u[j];
    bristle_rows_add(rows, &(bristle_block){ .count = 1, .residual = &residual, .jacobian = row });
  }
  return 0;
}

static bristle_fault_kind solve(const regression *r, double u[COLUMNS], bristle_fault *fault)
{
  const int shifts = r->decay->kind != BRISTLE_DECAY_COAST && !r->decay->by_velocity;
  const int restores = r->decay->kind != BRISTLE_DECAY_COAST;
  const double any = HUGE_VAL;
  const bristle_unknown unknown[COLUMNS] = {
    { .name = "restoring", .lo = restores ? -any : 0, .hi = restores ? any : 0 },
    { .name = "shift", .lo = shifts ? -any : 0, .hi = shifts ? any : 0 },
    { .name = "level", .lo = 0, .hi = any },
    { .name = "viscous", .lo = 0, .hi = any },
  };
  const double start[COLUMNS] = { 0 };
  const bristle_fit_problem problem = { COLUMNS, unknown, start, linear_rows, (void *)r };
  bristle_fit_result *fit;
  const bristle_fit_options options = { .minimum_only = 1 };
  const bristle_fault_kind kind = bristle_fit(&problem, &options, &fit, fault);
  if (kind) return kind;
  memcpy(u, fit->p, sizeof *u * COLUMNS);
  bristle_fit_free(fit);
  return BRISTLE_FAULT_NONE;
}

/* from ratios to numbers: what is known sets the scale */
static void scale(bristle_decay *d, const bristle_decay_options *o, const double u[COLUMNS])
{
  double *plant = d->start.plant, restoring = u[RESTORING], shift = 0;
  if (d->kind == BRISTLE_DECAY_PENDULUM)
    restoring = hypot(u[RESTORING], u[SHIFT]), shift = atan2(u[SHIFT], u[RESTORING]);
  /* a swing has its frequency, whatever the regression says */
  const double by_period = d->half_period > 0 ? M_PI * M_PI / (d->half_period * d->half_period) : 0;
  if (!(restoring > 0.1 * by_period)) restoring = fmax(by_period, 1e-3);
  double mass = 1;
  if (o->mass == BRISTLE_KNOWN) mass = o->mass_value;
  else if (d->kind == BRISTLE_DECAY_PENDULUM && o->gravity == BRISTLE_KNOWN) mass = fabs(o->gravity_value) / restoring;
  else if (d->kind == BRISTLE_DECAY_SPRING && o->stiffness == BRISTLE_KNOWN) mass = o->stiffness_value / restoring;
  plant[BRISTLE_PLANT_MASS] = mass;
  if (d->kind == BRISTLE_DECAY_PENDULUM) {
    plant[BRISTLE_PLANT_GRAVITY] = o->gravity == BRISTLE_KNOWN ? o->gravity_value : mass * restoring;
    plant[BRISTLE_PLANT_TILT] = shift;
  }
  if (d->kind == BRISTLE_DECAY_SPRING) {
    plant[BRISTLE_PLANT_STIFFNESS] = o->stiffness == BRISTLE_KNOWN ? o->stiffness_value : mass * restoring;
    plant[BRISTLE_PLANT_BIAS] = mass * u[SHIFT];
  }
  d->level = mass * u[LEVEL], d->viscous = mass * u[VISCOUS];
}

bristle_fault_kind decay_regress(bristle_decay *d, const bristle_decay_options *options, bristle_fault *fault)
{
  size_t samples = 0;
  double u[COLUMNS] = { 0 };
  for (size_t k = 0; k < d->count; k++) samples += d->run[k].count;
  regression r = { .decay = d, .room = samples };
  r.row = malloc(sizeof *r.row * (COLUMNS + 1) * (samples + 1));
  int failed = !r.row;
  for (size_t k = 0; k < d->count && !failed; k++) failed = add_run(&r, &d->run[k]);
  bristle_fault_kind kind = failed ? fault_memory(fault) : 0;
  if (!kind && r.count < COLUMNS)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "record longer or faster",
                     "the free motion is too short: %zu samples of it are not enough for friction", samples);
  if (!kind) kind = solve(&r, u, fault);
  if (!kind) scale(d, options, u);
  free(r.row);
  return kind;
}
