/* One run of an axis, with the derivatives of the whole motion by every unknown.
 *
 * Each step is the coupled one: everything but friction (sim/axis_equation.h) gives the velocity the axis would have
 * without it, and the law closes the balance. A change of the compliance w by dw acts as one of the free velocity by
 * -F dw, because only v - w F enters the balance; so the generated derivatives of the balance and of the law are
 * enough.
 *
 * Laws that rest exactly and have no state are stepped by their force at the mean velocity, which is second order, and
 * a step over a reversal is cut where the velocity is zero: there the acceleration jumps, and a step over the jump
 * would be wrong in first order, with derivatives that are 0 or 1 by chance. The instant of the cut moves with the
 * unknowns; its derivative follows from that of the balance by the length of the step. */
#include "fit/trajectories/trajectory.h"

#include "sim/axis_equation.h"

#include "maths/elementary.h"
#include "sim/axis_balance.h"

#include <string.h>

static const double DEFAULT_STEP = 1e-3;
enum { CUT_HALVINGS = 45 };

_Static_assert((int)AXIS_NUMBERS == (int)BRISTLE_PLANT_COUNT, "the numbers of the axis are those of the plant");

/* the axis at an instant, each quantity with its row of derivatives */
typedef struct axis_state {
  double x, v, z[BRISTLE_LAW_SIZE];
  double *dx, *dv, *dz; /* dz: states x unknowns */
} axis_state;

typedef struct runner {
  const axis_job *job;
  const bristle_model *model;
  const bristle_diff *diff;
  int states, unknowns, last; /* last: direction of the balance that is needed */
  int by_mean;                /* force at the mean velocity, steps cut at reversals */
  axis_numbers number;
  double df[3 + BRISTLE_LAW_SIZE + BRISTLE_LAW_SIZE];
  double ds[BRISTLE_LAW_SIZE * (3 + BRISTLE_LAW_SIZE + BRISTLE_LAW_SIZE)];
  axis_state s;
  double x_rate, v_rate;                               /* of the end of the last step, by its length */
  double later[MOST_UNKNOWNS];                         /* how each unknown moves a cut */
  double rows[(2 + BRISTLE_LAW_SIZE) * MOST_UNKNOWNS]; /* behind dx, dv, dz */
} runner;

static bristle_input input_of(const runner *r, const axis_balance *b, double h)
{
  return (bristle_input){ .v = r->by_mean ? 0.5 * (r->s.v + b->free) : b->free,
                          .x = r->s.x,
                          .n = b->load,
                          .w = r->by_mean ? 0.5 * b->compliance : b->compliance,
                          .h = h,
                          .load = r->job->trajectory->load };
}

/* the velocity at the end of a step; the states of the law go along */
static double end_velocity(runner *r, const axis_drive *d, double h)
{
  const axis_balance b = axis_balance_over(&r->number, d, r->s.x, r->s.v, h);
  const bristle_input in = input_of(r, &b, h);
  double u;
  r->model->step(r->job->values->param, r->s.z, &in, &u);
  return r->by_mean ? 2 * u - r->s.v : u;
}

static void step_plain(runner *r, const axis_drive *d, double h)
{
  const double v_end = end_velocity(r, d, h);
  r->s.x += 0.5 * h * (r->s.v + v_end);
  r->s.v = v_end;
}

/* ---- derivatives ---- */

/* how something moves the balance: free velocity, compliance, load; and the position and velocity before the step */
typedef struct push {
  double free, compliance, load, x, v;
} push;

static push push_of(const axis_slopes *s, double dx, double dv, double dh, int plant)
{
  push p = { .x = dx, .v = dv };
  p.free = s->free[AXIS_D_X] * dx + s->free[AXIS_D_V] * dv + s->free[AXIS_D_H] * dh;
  p.compliance = s->compliance[AXIS_D_X] * dx + s->compliance[AXIS_D_V] * dv + s->compliance[AXIS_D_H] * dh;
  p.load = s->load[AXIS_D_X] * dx + s->load[AXIS_D_V] * dv + s->load[AXIS_D_H] * dh;
  if (plant < 0) return p;
  p.free += s->free[AXIS_D_NUMBER + plant];
  p.compliance += s->compliance[AXIS_D_NUMBER + plant];
  p.load += s->load[AXIS_D_NUMBER + plant];
  return p;
}

/* the change of the velocity that the law sees before friction */
static double seen(const runner *r, const push *p, double force)
{
  const double all = p->free - force * p->compliance;
  return r->by_mean ? 0.5 * (p->v + all) : all;
}

/* dF of an unknown; the rows of the states move on */
static double move_states(runner *r, const push *p, double v, const axis_unknown *unknown, int k)
{
  const int n = r->unknowns, width = r->diff->directions, first_param = BRISTLE_D_STATE + r->states;
  double before[BRISTLE_LAW_SIZE];
  double df = r->df[BRISTLE_D_V] * v + r->df[BRISTLE_D_X] * p->x + r->df[BRISTLE_D_N] * p->load;
  for (int i = 0; i < r->states; i++) {
    before[i] = r->s.dz[i * n + k];
    df += r->df[BRISTLE_D_STATE + i] * before[i];
  }
  for (int i = 0; i < r->states; i++) {
    const double *row = r->ds + i * width;
    double dz = row[BRISTLE_D_V] * v + row[BRISTLE_D_X] * p->x + row[BRISTLE_D_N] * p->load;
    for (int j = 0; j < r->states; j++) dz += row[BRISTLE_D_STATE + j] * before[j];
    if (unknown->param >= 0) dz += row[first_param + unknown->param];
    r->s.dz[i * n + k] = dz;
  }
  return unknown->param >= 0 ? df + r->df[first_param + unknown->param] : df;
}

/* longer: by how much each unknown lengthens the step; NULL: not at all */
static void step_with_derivatives(runner *r, const axis_drive *d, double h, const double *longer)
{
  const axis_balance b = axis_balance_over(&r->number, d, r->s.x, r->s.v, h);
  const bristle_input in = input_of(r, &b, h);
  axis_slopes slopes;
  double u;
  axis_balance_differentiate((const double *)&r->number, d, r->s.x, r->s.v, h, r->last, &slopes);
  const double force = r->diff->step(r->job->values->param, r->s.z, &in, &u, r->df, r->ds);
  const double v_end = r->by_mean ? 2 * u - r->s.v : u, mean = 0.5 * (r->s.v + v_end);
  if (r->by_mean) {
    const push p = push_of(&slopes, 0, 0, 1, -1);
    const double df = r->df[BRISTLE_D_V] * seen(r, &p, force) + r->df[BRISTLE_D_N] * p.load;
    r->v_rate = p.free - b.compliance * df - force * p.compliance;
    r->x_rate = mean + 0.5 * h * r->v_rate;
  }
  for (int k = 0; k < r->unknowns; k++) {
    const axis_unknown *unknown = &r->job->unknown[k];
    const double dh = longer ? longer[k] : 0;
    const push p = push_of(&slopes, r->s.dx[k], r->s.dv[k], dh, unknown->plant);
    const double df = move_states(r, &p, seen(r, &p, force), unknown, k);
    const double dv_end = p.free - b.compliance * df - force * p.compliance;
    r->s.dx[k] += 0.5 * h * (r->s.dv[k] + dv_end) + dh * mean;
    r->s.dv[k] = dv_end;
  }
  r->s.x += h * mean;
  r->s.v = v_end;
}

/* ---- steps ---- */

/* the longest part of a step after which the axis still moves as before */
static double reversal(runner *r, const axis_drive *d, double h)
{
  double lo = 0, hi = h;
  for (int i = 0; i < CUT_HALVINGS; i++) {
    const double middle = 0.5 * (lo + hi);
    if (end_velocity(r, d, middle) * r->s.v > 0) lo = middle;
    else hi = middle;
  }
  return lo;
}

static void step(runner *r, const axis_drive *d, double h)
{
  const int turns = r->by_mean && r->s.v != 0 && end_velocity(r, d, h) * r->s.v < 0;
  const double cut = turns ? reversal(r, d, h) : h;
  if (!r->unknowns) step_plain(r, d, cut);
  else step_with_derivatives(r, d, cut, NULL);
  if (!turns) return;
  for (int k = 0; k < r->unknowns; k++) {
    const double later = r->v_rate != 0 ? -r->s.dv[k] / r->v_rate : 0;
    r->s.dx[k] += later * r->x_rate;
    r->s.dv[k] = 0;
    r->later[k] = -later;
  }
  r->s.v = 0;
  if (!r->unknowns) step_plain(r, d, h - cut);
  else step_with_derivatives(r, d, h - cut, r->later);
}

/* from sample i - 1 to sample i, in steps of equal length; inputs at the middle of each */
static void advance(runner *r, size_t i, double longest)
{
  const bristle_run *run = r->job->run;
  const double span = run->t[i] - run->t[i - 1];
  const int steps = (int)fmax(1, ceil(span / longest - 1e-6));
  const double h = span / steps;
  axis_drive d = { .kp = run->target ? run->kp : 0,
                   .kd = run->target ? run->kd : 0,
                   .limit = run->limit,
                   .strength = run->strength ? run->strength[i - 1] : 1,
                   .on = run->enabled ? run->enabled[i - 1] != 0 : 1 };
  for (int k = 0; k < steps; k++) {
    const double part = (k + 0.5) / steps;
    if (run->target) d.target = run->target[i - 1] + part * (run->target[i] - run->target[i - 1]);
    if (run->input) d.force = run->input[i - 1] + part * (run->input[i] - run->input[i - 1]);
    step(r, &d, h);
  }
}

static void begin(runner *r)
{
  const axis_job *job = r->job;
  const double *plant = job->values->plant;
  double *number = (double *)&r->number;
  memcpy(number, plant, sizeof r->number);
  r->number.mass += job->run->mass;
  r->number.gravity += job->run->gravity;
  r->s.dx = r->rows, r->s.dv = r->rows + r->unknowns, r->s.dz = r->rows + 2 * r->unknowns;
  r->s.x = job->run->x, r->s.v = job->run->v;
  r->last = AXIS_D_H;
  for (int k = 0; k < r->unknowns; k++) {
    const axis_unknown *unknown = &job->unknown[k];
    if (unknown->plant >= 0 && AXIS_D_NUMBER + unknown->plant > r->last) r->last = AXIS_D_NUMBER + unknown->plant;
    if (unknown->start == 1) r->s.dx[k] = 1;
    if (unknown->start == 2) r->s.dv[k] = 1;
  }
}

int axis_simulate(const axis_job *job, const axis_sink *sink)
{
  const bristle_run *run = job->run;
  const bristle_law *law = job->trajectory->law;
  runner r = {
    .job = job, .model = law->f64, .diff = law->diff, .states = law->f64->info->nstate, .unknowns = job->unknowns
  };
  const double longest = job->step > 0 ? job->step : DEFAULT_STEP;
  r.by_mean = !r.states && (law->f64->info->traits & BRISTLE_TRAIT_SET_VALUED);
  begin(&r);
  for (size_t i = 0; i < run->count; i++) {
    if (i) advance(&r, i, longest);
    if (!isfinite(r.s.x) || !isfinite(r.s.v)) return 1;
    const int stop = sink->sample(sink->context, i, r.s.x, r.s.v, r.unknowns ? r.s.dx : NULL, r.s.dv);
    if (stop) return stop;
  }
  return 0;
}
