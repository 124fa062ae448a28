/* One degree of freedom for the general solver: any law, flags and memories included.
 *
 * One coupled step: springs, dampers and controller are implicit like the friction, which makes the step stable for any
 * length; the law sees the compliance of the mass with all of them. y = x, v, integral, observer, surface position,
 * flowing states, ledger; then the states that only steps change. */
#include "maths/elementary.h"
#include "sim/axis.h"
#include "sim/rigs.h"

#include "bristle/params.h"

#include <string.h>

enum { X, V, C, OBSERVER, BASE_X, FIRST_STATE };

typedef struct axis_system {
  axis_host host;
  sim_states states; /* where those of the law are in y */
  axis_least least;
  unsigned char flags[BRISTLE_LAW_SIZE];
} axis_system;

static double begin(void *self, double t) { return axis_begin(&((axis_system *)self)->host, t); }

/* coefficients of the push at the end of the step, linear in the end velocity u: push = constant - slope u */
typedef struct linear_push {
  double constant, slope;
} linear_push;

static linear_push linearise(const axis_host *host, const axis_inputs *in, const double *y, double h,
                             double compensation)
{
  const bristle_axis *r = host->rig;
  const double command = axis_command(r, in, y[X], y[V], y[C]) + compensation;
  const int free = !(r->limit > 0 && fabs(command) > r->limit);
  double constant = r->stiffness * (in->anchor - y[X]) + r->damping * in->anchor_rate;
  double slope = r->stiffness * h + r->damping + r->drag;
  if (r->gravity != 0) {
    constant -= r->gravity * sin(y[X]);
    slope += r->gravity * cos(y[X]) * h;
  }
  if (free) {
    const double miss = in->target - y[X];
    constant += host->gain
                * (in->force + r->kp * miss + r->kd * in->target_rate + r->ki * (y[C] + h * miss) + compensation);
    slope += host->gain * (r->kp * h + r->kd + r->ki * h * h);
  } else {
    constant += host->gain * copysign(r->limit, command);
  }
  return (linear_push){ constant, slope };
}

static void advance(void *self, double t, double h, double *y)
{
  axis_system *a = self;
  const bristle_axis *r = a->host.rig;
  const axis_inputs in = axis_inputs_at(&a->host, t + h);
  double states[BRISTLE_LAW_SIZE], rate = 0, slip;
  const double compensation = r->observer ? axis_observe(&a->host, &in, y[X], y[V], y[OBSERVER], &rate) : 0;
  const linear_push push = linearise(&a->host, &in, y, h, compensation);
  const double inertia = r->mass + h * push.slope;
  const double free = (r->mass * y[V] + h * push.constant) / inertia;
  const bristle_input contact = {
    .v = free - in.base, .x = y[X] - y[BASE_X], .n = in.load, .w = h / inertia, .h = h, .load = r->contact.load
  };
  sim_take_states(&a->states, y, 0, 1, states);
  const double friction = a->host.model->step(r->contact.p, states, &contact, &slip);
  sim_put_states(&a->states, y, 0, 1, states);
  const double v = slip + in.base, x = y[X] + h * v, lag = in.anchor_rate - v;
  const double spring = r->stiffness * (in.anchor - x) + r->damping * lag;
  const double height = r->gravity != 0 ? r->gravity * sin(x) : 0;
  const double drive = r->mass * (v - y[V]) / h - spring + r->drag * v + height + friction; /* from the balance */
  double *ledger = y + a->states.flow - LEDGER;
  ledger[WORK_IN] += h * (drive * v + spring * in.anchor_rate - friction * in.base);
  ledger[DAMPED] += h * (r->damping * lag * lag + r->drag * v * v);
  ledger[RUBBED] += h * friction * slip;
  y[C] += h * (in.target - x);
  if (r->observer) {
    const bristle_input path = { .v = v, .n = 1, .h = h, .load = BRISTLE_LOAD_FORCE };
    a->host.observer->step(r->observer, &y[OBSERVER], &path, NULL);
    y[OBSERVER] -= h * r->observer_gain * (x - in.target);
  }
  y[BASE_X] += h * in.base;
  y[X] = x;
  y[V] = v;
}

static bristle_input contact_now(const axis_system *a, const axis_inputs *in, double t, const double *y, double *push)
{
  const bristle_axis *r = a->host.rig;
  double unused, base_rate;
  const double compensation = r->observer ? axis_observe(&a->host, in, y[X], y[V], y[OBSERVER], &unused) : 0;
  bristle_program_value(&r->base, &a->host.pieces.base, t, &base_rate);
  *push = axis_push(&a->host, in, y[X], y[V], y[C], compensation);
  return (bristle_input){ .v = y[V] - in->base,
                          .x = y[X] - y[BASE_X],
                          .n = in->load,
                          .f = *push - r->mass * base_rate,
                          .load = r->contact.load };
}

/* A law that remembers its last velocity takes the mean acceleration from it: a trace of another column would be
   divided by a short step. */
static void remember(void *self, double t, double *y)
{
  axis_system *a = self;
  const axis_inputs in = axis_inputs_at(&a->host, t);
  double states[BRISTLE_LAW_SIZE], push;
  bristle_input contact = contact_now(a, &in, t, y, &push);
  contact.h = 1e-20; /* so short that nothing flows */
  sim_take_states(&a->states, y, 0, 1, states);
  a->host.model->step(a->host.rig->contact.p, states, &contact, NULL);
  for (int k = 0; k < a->states.states; k++)
    if (a->states.place[k] >= a->states.flow) y[a->states.place[k]] = states[k];
}

static void row(void *self, double t, const double *y, double *values)
{
  axis_system *a = self;
  const bristle_axis *r = a->host.rig;
  const axis_inputs in = axis_inputs_at(&a->host, t);
  double states[BRISTLE_LAW_SIZE], rates[BRISTLE_LAW_SIZE], push;
  bristle_input contact = contact_now(a, &in, t, y, &push);
  sim_take_states(&a->states, y, 0, 1, states);
  double force = a->host.model->eval(r->contact.p, states, &contact, rates);
  contact.a = (push - force) / r->mass; /* some laws ask whether the motion speeds up or slows down */
  force = a->host.model->eval(r->contact.p, states, &contact, rates);
  int k = 0;
  values[k++] = t;
  values[k++] = y[X];
  values[k++] = y[V];
  values[k++] = force;
  for (int i = 0; i < a->host.model->info->nstate; i++) values[k++] = states[i];
  if (r->ki != 0) values[k++] = y[C];
  if (r->observer) values[k++] = y[OBSERVER];
  k += axis_put_control(&a->host, &in, y[X], y[V], y[C], r->observer ? y[OBSERVER] : 0, values + k);
  values[k] = a->host.model->mode(r->contact.p, states, &contact);
}

static double stored(void *self, double t, const double *y, double *energy)
{
  axis_system *a = self;
  const axis_inputs in = axis_inputs_at(&a->host, t);
  double states[BRISTLE_LAW_SIZE];
  const bristle_input contact = { .x = y[X] - y[BASE_X], .n = in.load, .load = a->host.rig->contact.load };
  sim_take_states(&a->states, y, 0, 1, states);
  *energy = a->host.model->info->traits & BRISTLE_TRAIT_ENERGY
                ? a->host.model->energy(a->host.rig->contact.p, states, &contact)
                : 0;
  return axis_energy(&a->host, &in, y[X], y[V]);
}

static double slip(void *self, double t, const double *y)
{
  axis_system *a = self;
  return y[V] - bristle_program_value(&a->host.rig->base, &a->host.pieces.base, t, NULL);
}

/* for the step rules: a contact that nothing presses on has no say */
static void speeds(void *self, double t, const double *y, double *values)
{
  const axis_system *a = self;
  const axis_inputs in = axis_inputs_at(&a->host, t);
  values[0] = a->host.rig->contact.load != BRISTLE_LOAD_FORCE && !(in.load > 0) ? -1 : fabs(slip(self, t, y));
}

static bristle_mode mode(void *self, double t, const double *y)
{
  axis_system *a = self;
  const axis_inputs in = axis_inputs_at(&a->host, t);
  double states[BRISTLE_LAW_SIZE], push;
  const bristle_input contact = contact_now(a, &in, t, y, &push);
  sim_take_states(&a->states, y, 0, 1, states);
  return a->host.model->mode(a->host.rig->contact.p, states, &contact);
}

/* energies are measured by the largest of all; positions are not resolved finer than bristles */
static void share_scales(void *self, double *scale)
{
  axis_system *a = self;
  const bristle_axis *r = a->host.rig;
  const axis_least *least = &a->least;
  double *ledger = scale + a->states.flow - LEDGER, bend = 0;
  sim_raise(scale + X, 1, least->x);
  sim_raise(scale + V, 1, least->v);
  sim_raise(scale + C, 1, least->c);
  sim_raise(ledger, 1, least->energy);
  for (int k = 0; k < a->states.states; k++)
    if (a->states.place[k] < a->states.flow) sim_raise(scale + a->states.place[k], 1, least->bend[k]);
  const double moving = 0.5 * r->mass * scale[V] * scale[V], stretched = 0.5 * r->stiffness * scale[X] * scale[X];
  ledger[WORK_IN] = fmax(ledger[WORK_IN], fmax(moving, stretched));
  sim_share(ledger, LEDGER);
  for (size_t i = FIRST_STATE; i < a->states.flow - LEDGER; i++) bend = fmax(bend, scale[i]);
  scale[X] = fmax(scale[X], bend);
}

bristle_sim_status axis_run_system(const bristle_axis *rig, bristle_method method, const bristle_sim_options *options,
                                   const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  axis_system a = { .host = axis_place(rig) };
  const bristle_info *info = a.host.model->info;
  double y[FIRST_STATE + BRISTLE_LAW_SIZE + LEDGER] = { 0 };
  sim_system system = { .self = &a,
                        .width = BRISTLE_SIM_COLUMNS,
                        .calls = { begin, advance, row, stored, slip, mode, share_scales },
                        .columns = 6, /* contacts ring hundreds of times: worth the order */
                        .contacts = 1,
                        .speeds = speeds,
                        .rests = (info->traits & BRISTLE_TRAIT_SET_VALUED) != 0,
                        .has_energy = (info->traits & BRISTLE_TRAIT_ENERGY) != 0 || info->nstate == 0 };
  a.states = sim_states_of(info, 1, FIRST_STATE);
  system.flow = a.states.flow;
  system.jump = a.states.jump;
  if (system.jump) system.flags = a.flags;
  if (system.jump && method == BRISTLE_METHOD_ADAPTIVE) system.remember = remember;
  sim_find_flags(info, a.states.place, system.flow, a.flags);
  axis_begin(&a.host, 0);
  const axis_inputs first = axis_inputs_at(&a.host, 0);
  a.least = axis_least_of(&a.host, &first, options->end);
  system.slow = a.least.v;
  system.swing = axis_swing(rig);
  y[X] = rig->x;
  y[V] = rig->v;
  y[C] = rig->c;
  y[OBSERVER] = rig->observer_z;
  sim_put_states(&a.states, y, 0, 1, rig->z);
  bristle_steprule rule;
  if (method == BRISTLE_METHOD_STEPRULE) {
    const bristle_sim_status status = sim_choose_rule(options, info, rig->contact.p, &rule, error);
    if (status) return status;
  }
  return sim_run_system(&system, y, method, &rule, options, sink, stats, error);
}
