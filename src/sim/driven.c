/* A contact with prescribed motion.
 *
 * Each sub-step moves the law exactly with the mean velocity of the sub-step. That is symmetric in time, so the error
 * is a series in h^2 and extrapolation gains two orders with each column. Steps never cross a reversal, a corner of the
 * motion or one of the samples, so nothing can be jumped over however long the bristle stays the same. */
#include "sim/driven.h"
#include "sim/rigs.h"

#include <math.h>

enum { X, FIRST_STATE };

typedef struct driven_system {
  const bristle_driven *rig;
  const bristle_model *model;
  bristle_piece motion, load, force;
  sim_states states;
  int accounts;     /* the energy is asked for */
  double strongest; /* the largest force so far */
  double leniency;  /* how much coarser than the states the work may be */
} driven_system;

/* position, velocity and acceleration of the motion; position only where the motion is one */
static double velocity_at(const driven_system *d, double t, double *accel)
{
  double value, slope;
  value = bristle_program_value(&d->rig->motion, &d->motion, t, &slope);
  if (d->rig->velocity) {
    if (accel) *accel = slope;
    return value;
  }
  if (accel) { /* of a position: by differences, far from rounding; only its sign and rough size are asked for */
    const double dt = 1e-6 * fmax(1e-3, fabs(t));
    double before, after;
    bristle_program_value(&d->rig->motion, &d->motion, t - dt, &before);
    bristle_program_value(&d->rig->motion, &d->motion, t + dt, &after);
    *accel = (after - before) / (2 * dt);
  }
  return slope;
}

/* how far the contact moves between two times on one piece */
static double travel(const driven_system *d, double from, double to)
{
  const bristle_program *p = &d->rig->motion;
  if (d->rig->velocity) {
    if (p->kind != BRISTLE_PROGRAM_KNOTS) return bristle_program_integral(p, from, to);
    return (to - from) * bristle_program_value(p, &d->motion, 0.5 * (from + to), NULL);
  }
  if (p->kind == BRISTLE_PROGRAM_KNOTS) return (to - from) * d->motion.rate;
  return bristle_program_value(p, &d->motion, to, NULL) - bristle_program_value(p, &d->motion, from, NULL);
}

/* the fastest oscillation of the motion, in Hz */
static double fastest(const bristle_program *p)
{
  double most = p->kind == BRISTLE_PROGRAM_CHIRP ? fmax(fabs(p->f0), fabs(p->f1)) : 0;
  for (size_t i = 0; p->kind == BRISTLE_PROGRAM_SINES && i < p->count; i++) most = fmax(most, fabs(p->frequency[i]));
  return most;
}

/* the first reversal after t, or `end` */
static double reversal(const driven_system *d, double t, double end)
{
  const bristle_program *p = &d->rig->motion;
  if (p->kind == BRISTLE_PROGRAM_KNOTS) {
    if (!d->rig->velocity || d->motion.rate == 0) return end;
    const double zero = d->motion.t0 - (p->offset + d->motion.y0) / d->motion.rate;
    return zero > t && zero < end ? zero : end;
  }
  const double rate = fastest(p), pace = rate > 0 ? 0.02 / rate : HUGE_VAL;
  /* a reversal found at t itself, to rounding, has been passed */
  const double from = t + 1e-9 * fmin(pace, end - t);
  double a = from, v = velocity_at(d, a, NULL);
  for (int i = 0; i < 200 && a < end && isfinite(pace); i++) {
    const double b = fmin(a + pace, end), next = velocity_at(d, b, NULL);
    if (v * next < 0) {
      double low = a, high = b;
      for (int k = 0; k < 60; k++) {
        const double middle = 0.5 * (low + high), value = velocity_at(d, middle, NULL);
        if (v * value > 0) low = middle;
        else high = middle;
      }
      return high;
    }
    a = b;
    if (next != 0) v = next;
  }
  return a < end ? a : end; /* a corner that costs nothing: the search goes on from there */
}

static double begin(void *self, double t)
{
  driven_system *d = self;
  d->motion = bristle_program_piece(&d->rig->motion, t);
  d->load = bristle_program_piece(&d->rig->load, t);
  d->force = bristle_program_piece(&d->rig->force, t);
  const double end = fmin(d->motion.end, fmin(d->load.end, d->force.end));
  return reversal(d, t, end);
}

static bristle_input contact_at(const driven_system *d, double t, double x)
{
  bristle_input contact = { .x = x,
                            .n = bristle_program_value(&d->rig->load, &d->load, t, NULL),
                            .f = bristle_program_value(&d->rig->force, &d->force, t, NULL),
                            .load = d->rig->contact.load };
  contact.v = velocity_at(d, t, &contact.a);
  return contact;
}

static double force_at(driven_system *d, double t, double x, const double *states)
{
  double rates[BRISTLE_SIM_STATES];
  const bristle_input contact = contact_at(d, t, x);
  const double force = d->model->eval(d->rig->contact.p, states, &contact, rates);
  d->strongest = fmax(d->strongest, fabs(force));
  return force;
}

static void advance(void *self, double t, double h, double *y)
{
  driven_system *d = self;
  double states[BRISTLE_SIM_STATES];
  const double moved = travel(d, t, t + h), middle = t + 0.5 * h;
  const bristle_input contact = { .v = moved / h,
                                  .x = y[X],
                                  .n = bristle_program_value(&d->rig->load, &d->load, middle, NULL),
                                  .f = bristle_program_value(&d->rig->force, &d->force, middle, NULL),
                                  .h = h,
                                  .load = d->rig->contact.load };
  sim_take_states(&d->states, y, 0, 1, states);
  const double before = d->accounts ? force_at(d, t, y[X], states) : 0;
  d->model->step(d->rig->contact.p, states, &contact, NULL);
  sim_put_states(&d->states, y, 0, 1, states);
  y[X] += moved;
  if (!d->accounts) return;
  /* the mean of both ends is symmetric, too. What moves the contact does all the work, and friction takes it */
  const double work = 0.5 * (before + force_at(d, t + h, y[X], states)) * moved;
  double *ledger = y + d->states.flow - LEDGER;
  ledger[WORK_IN] += work;
  ledger[RUBBED] += work;
}

static void row(void *self, double t, const double *y, double *values)
{
  driven_system *d = self;
  const bristle_input contact = contact_at(d, t, y[X]);
  double states[BRISTLE_SIM_STATES], rates[BRISTLE_SIM_STATES];
  sim_take_states(&d->states, y, 0, 1, states);
  int k = 0;
  values[k++] = t;
  values[k++] = y[X];
  values[k++] = contact.v;
  values[k++] = d->model->eval(d->rig->contact.p, states, &contact, rates);
  for (int i = 0; i < d->model->info->nstate; i++) values[k++] = states[i];
  values[k] = d->model->mode(d->rig->contact.p, states, &contact);
}

static double stored(void *self, double t, const double *y, double *energy)
{
  driven_system *d = self;
  const bristle_input contact = contact_at(d, t, y[X]);
  double states[BRISTLE_SIM_STATES];
  sim_take_states(&d->states, y, 0, 1, states);
  *energy = d->model->info->traits & BRISTLE_ENERGY ? d->model->energy(d->rig->contact.p, states, &contact) : 0;
  return 0;
}

static double slip(void *self, double t, const double *y)
{
  (void)y;
  return velocity_at(self, t, NULL);
}

static bristle_mode mode(void *self, double t, const double *y)
{
  driven_system *d = self;
  const bristle_input contact = contact_at(d, t, y[X]);
  double states[BRISTLE_SIM_STATES];
  sim_take_states(&d->states, y, 0, 1, states);
  return d->model->mode(d->rig->contact.p, states, &contact);
}

/* The work is measured by what the strongest force does on a thousandth of the way, at least, and to seven digits: a
   force that jumps with the velocity must not stop the run. */
static void share_scales(void *self, double *scale)
{
  driven_system *d = self;
  double *ledger = scale + d->states.flow - LEDGER;
  ledger[WORK_IN] = d->leniency * fmax(ledger[WORK_IN], 1e-3 * d->strongest * scale[X]);
  sim_share(ledger, LEDGER);
}

bristle_sim_status driven_check(const bristle_driven *rig, bristle_sim_error *error)
{
  bristle_sim_status status = contact_check(&rig->contact, rig->z, error);
  if (!status) status = program_check(&rig->motion, "motion", error);
  if (!status) status = program_check(&rig->load, "load", error);
  if (!status) status = program_check(&rig->force, "force", error);
  if (!status && !isfinite(rig->x)) return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "x", "it must be finite");
  for (size_t i = 1; !status && !rig->velocity && rig->motion.kind == BRISTLE_PROGRAM_KNOTS && i < rig->motion.count;
       i++)
    if (rig->motion.t[i] == rig->motion.t[i - 1] && rig->motion.y[i] != rig->motion.y[i - 1])
      return sim_fail(error, BRISTLE_SIM_BAD_INPUT, rig->motion.t[i], "motion", "a position cannot jump");
  return status;
}

int driven_columns(const bristle_driven *rig, int rotary, bristle_sim_column *columns)
{
  int at = contact_columns(&rig->contact, rotary, columns);
  columns[at] = (bristle_sim_column){ "mode", "1" };
  return at + 1;
}

bristle_sim_status driven_run(const bristle_driven *rig, bristle_method method, const bristle_sim_options *options,
                              const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  driven_system d = { .rig = rig, .model = rig->contact.law->f64, .accounts = !options->no_ledger };
  d.leniency = fmax(1, 1e-7 / (options->rtol > 0 ? options->rtol : 1e-8));
  const bristle_info *info = d.model->info;
  double y[FIRST_STATE + BRISTLE_SIM_STATES + LEDGER] = { 0 };
  sim_system system = { .self = &d,
                        .width = BRISTLE_SIM_COLUMNS,
                        .begin = begin,
                        .advance = advance,
                        .row = row,
                        .stored = stored,
                        .slip = slip,
                        .mode = mode,
                        .symmetric = 1,
                        .share_scales = share_scales,
                        .has_energy = (info->traits & BRISTLE_ENERGY) != 0 || info->nstate == 0 };
  d.states = sim_states_of(info, 1, FIRST_STATE);
  system.flow = d.states.flow;
  system.jump = d.states.jump;
  begin(&d, 0);
  y[X] = rig->velocity ? rig->x : bristle_program_value(&rig->motion, &d.motion, 0, NULL);
  sim_put_states(&d.states, y, 0, 1, rig->z);
  return sim_run_system(&system, y, method, NULL, options, sink, stats, error);
}
