/* An axis under a controller in a computer, with friction compensation by the planned motion.
 *
 * Between samples the command is constant and the axis is a plain mass with a force, which the general solver runs;
 * every sample ends a piece of it. At the end of a piece the controller looks at position and velocity. */
#include "sim/sampled.h"

#include "lab/units.h"
#include "maths/elementary.h"
#include "sim/axis.h"
#include "sim/rigs.h"

#include <string.h>

/* ---- the compensation: the text that is exported ---- */

void sampled_defaults(sampled_model *m)
{
  const bristle_info *info = m->law->f64->info;
  const double slow = bristle_role_value(info, m->p, BRISTLE_ROLE_STRIBECK_SPEED, 0);
  int flows = 0;
  for (int r = 0; r < info->state_rows; r++) flows = flows || info->state[r].kind == BRISTLE_ROW_FLOW;
  m->gain = 1;
  m->limit = HUGE_VAL;
  m->band = HUGE_VAL;
  m->rest_speed = slow > 0 ? 1e-3 * slow : 1e-6;
  m->fade_time = 0.1;
  m->rise_time = flows ? 0 : 2e-3;
}

typedef double real;
#define K(x) (x)
typedef sampled_compensator compensator;
typedef sampled_contact contact_state;

static double contact_force(compensator *c, double u, double n, double h)
{
  const bristle_input in = { .v = u, .n = n, .h = h, .load = c->model->load };
  return c->model->law->f64->step(c->model->p, c->contact.s, &in, NULL);
}

/* bristles unbend; flags and memories stay */
static void unbend(compensator *c, double keep)
{
  const bristle_info *info = c->model->law->f64->info;
  for (int r = 0; r < info->state_rows; r++)
    for (int k = 0; k < info->state[r].count && info->state[r].kind == BRISTLE_ROW_FLOW; k++)
      c->contact.s[info->state[r].first + k] *= keep;
}

#include "sim/compensation.h"

void sampled_begin(sampled_compensator *c, const sampled_model *m)
{
  *c = (sampled_compensator){ .model = m,
                              .limit = m->limit,
                              .band = m->band,
                              .gain = m->gain,
                              .rest_speed = m->rest_speed,
                              .fade_time = m->fade_time,
                              .rise_time = m->rise_time };
}

double sampled_compensate(sampled_compensator *c, double plan, double measured, double load, double sample)
{
  return compensate(c, plan, measured, load, sample);
}

/* ---- the axis between samples ---- */

enum { X, V, FIRST_STATE };

typedef struct sampled_run {
  const sampled_axis *rig;
  const bristle_model *law;
  sim_states states;
  unsigned char flags[BRISTLE_LAW_SIZE];
  size_t index; /* of the next sample */
  double next;  /* its time */
  double command, integral;
  double slow;
  sampled_compensator compensator;
  bristle_piece load;
} sampled_run;

static double at(const bristle_program *program, double t, double *rate)
{
  const bristle_piece piece = bristle_program_piece(program, t);
  return bristle_program_value(program, &piece, t, rate);
}

/* what the controller does at a sample; the plan is that of the time until the next one */
static void sample(sampled_run *r, double t, double x, double v)
{
  const sampled_axis *s = r->rig;
  const bristle_axis *a = &s->axis;
  double rate, then;
  const double target = at(&a->target, t, &rate), ahead = at(&a->target, t + s->sample, &then);
  const double error = target - x, plan = (ahead - target) / s->sample;
  r->integral += s->sample * error;
  double command = at(&a->force, t, NULL) + a->kp * error + a->kd * (rate - v) + a->ki * r->integral;
  command += s->mass * (then - rate) / s->sample;
  if (s->model.law) command += compensate(&r->compensator, plan, v, at(&a->load, t, NULL), s->sample);
  r->command = a->limit > 0 ? fmin(fmax(command, -a->limit), a->limit) : command;
  r->next = (double)++r->index * s->sample;
}

static void remember(void *self, double t, double *y)
{
  sampled_run *r = self;
  if (t >= r->next) sample(r, t, y[X], y[V]);
}

static double begin(void *self, double t)
{
  sampled_run *r = self;
  r->load = bristle_program_piece(&r->rig->axis.load, t);
  return fmin(r->next, r->load.end);
}

static bristle_input contact_at(const sampled_run *r, double t, const double *y)
{
  const bristle_axis *a = &r->rig->axis;
  return (bristle_input){ .v = y[V],
                          .x = y[X],
                          .n = bristle_program_value(&a->load, &r->load, t, NULL),
                          .f = r->command,
                          .load = a->contact.load };
}

static void advance(void *self, double t, double h, double *y)
{
  const sampled_run *r = self;
  const bristle_axis *a = &r->rig->axis;
  double states[BRISTLE_LAW_SIZE], v, *ledger = y + r->states.flow - LEDGER;
  bristle_input contact = contact_at(r, t + h, y);
  contact.v = y[V] + h * r->command / a->mass;
  contact.w = h / a->mass;
  contact.h = h;
  sim_take_states(&r->states, y, 0, 1, states);
  const double friction = r->law->step(a->contact.p, states, &contact, &v);
  sim_put_states(&r->states, y, 0, 1, states);
  ledger[WORK_IN] += h * r->command * v;
  ledger[RUBBED] += h * friction * v;
  y[X] += h * v;
  y[V] = v;
}

static void row(void *self, double t, const double *y, double *values)
{
  const sampled_run *r = self;
  const bristle_axis *a = &r->rig->axis;
  double states[BRISTLE_LAW_SIZE], rates[BRISTLE_LAW_SIZE];
  bristle_input contact = contact_at(r, t, y);
  sim_take_states(&r->states, y, 0, 1, states);
  double force = r->law->eval(a->contact.p, states, &contact, rates);
  contact.a = (r->command - force) / a->mass;
  force = r->law->eval(a->contact.p, states, &contact, rates);
  const double target = at(&a->target, t, NULL);
  const double first[] = { t, y[X], y[V], force };
  const double last[] = { target, target - y[X], r->command, r->compensator.force,
                          r->law->mode(a->contact.p, states, &contact) };
  const int count = r->law->info->nstate;
  memcpy(values, first, sizeof first);
  memcpy(values + 4, states, (size_t)count * sizeof *states);
  memcpy(values + 4 + count, last, sizeof last);
}

static double stored(void *self, double t, const double *y, double *energy)
{
  const sampled_run *r = self;
  const bristle_input contact = contact_at(r, t, y);
  double states[BRISTLE_LAW_SIZE];
  sim_take_states(&r->states, y, 0, 1, states);
  *energy = r->law->info->traits & BRISTLE_TRAIT_ENERGY ? r->law->energy(r->rig->axis.contact.p, states, &contact) : 0;
  return 0.5 * r->rig->axis.mass * y[V] * y[V];
}

static double slip(void *self, double t, const double *y)
{
  (void)self;
  (void)t;
  return y[V];
}

static bristle_mode mode(void *self, double t, const double *y)
{
  const sampled_run *r = self;
  const bristle_input contact = contact_at(r, t, y);
  double states[BRISTLE_LAW_SIZE];
  sim_take_states(&r->states, y, 0, 1, states);
  return r->law->mode(r->rig->axis.contact.p, states, &contact);
}

static void share_scales(void *self, double *scale)
{
  const sampled_run *r = self;
  const sim_least least = sim_least_of(r->law->info, r->rig->axis.contact.p);
  sim_raise(scale + X, 1, 0.01 * least.bend);
  sim_raise(scale + V, 1, 0.01 * least.speed);
  sim_share(scale + r->states.flow - LEDGER, LEDGER);
}

/* ---- the rig ---- */

static bristle_sim_status run_rig(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                                  bristle_sim_stats *stats, bristle_sim_error *error)
{
  const sampled_axis *rig = self;
  const bristle_axis *a = &rig->axis;
  const bristle_info *info = a->contact.law->f64->info;
  sampled_run r = { .rig = rig, .law = a->contact.law->f64, .integral = a->c };
  double y[FIRST_STATE + BRISTLE_LAW_SIZE + LEDGER] = { 0 };
  bristle_method method;
  bristle_steprule rule;
  const bristle_sim_status status = sim_choose_method(options, info, a->contact.p, &method, &rule, error);
  if (status) return status;
  sampled_begin(&r.compensator, &rig->model);
  r.states = sim_states_of(info, 1, FIRST_STATE);
  sim_find_flags(info, r.states.place, r.states.flow, r.flags);
  sim_system system = { .self = &r,
                        .flow = r.states.flow,
                        .jump = r.states.jump,
                        .width = BRISTLE_SIM_COLUMNS,
                        .calls = { begin, advance, row, stored, slip, mode, share_scales },
                        .remember = remember,
                        .columns = 6,
                        .rests = (info->traits & BRISTLE_TRAIT_SET_VALUED) != 0,
                        .has_energy = (info->traits & BRISTLE_TRAIT_ENERGY) != 0 || info->nstate == 0,
                        .flags = r.states.jump ? r.flags : NULL };
  system.slow = 0.01 * sim_least_of(info, a->contact.p).speed;
  y[X] = a->x;
  y[V] = a->v;
  sim_put_states(&r.states, y, 0, 1, a->z);
  sample(&r, 0, a->x, a->v);
  return sim_run_system(&system, y, method, &rule, options, sink, stats, error);
}

static int columns(const void *self, int rotary, bristle_sim_column *list)
{
  const sampled_axis *rig = self;
  const char *way = bristle_length_unit(rotary), *force = bristle_force_unit(rotary);
  int count = contact_columns(&rig->axis.contact, rotary, list);
  count = sim_put_column(list, count, "target", way);
  count = sim_put_column(list, count, "error", way);
  count = sim_put_column(list, count, "command", force);
  count = sim_put_column(list, count, "compensation", force);
  return sim_put_column(list, count, "mode", "1");
}

extern const bristle_rig_driver sim_axis;

static bristle_sim_status check(const void *self, bristle_sim_error *error)
{
  const sampled_axis *rig = self;
  const sampled_model *m = &rig->model;
  const sim_number numbers[] = { { "sample_time", rig->sample, SIM_POSITIVE },
                                 { "mass", rig->mass, SIM_NOT_NEGATIVE },
                                 { "gain", m->gain, SIM_NOT_NEGATIVE },
                                 { "fade_time", m->fade_time, SIM_POSITIVE },
                                 { "rise_time", m->rise_time, SIM_NOT_NEGATIVE } };
  bristle_sim_status status = sim_axis.check(&rig->axis, error);
  if (!status) status = sim_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
  return status;
}

static bristle_sim_status suits(const void *self, const bristle_sim_options *options, bristle_sim_error *error)
{
  const sampled_axis *rig = self;
  return sim_check_levels(&rig->axis.contact, &rig->axis.load, options, error);
}

const bristle_rig_driver sim_sampled = { .check = check, .suits = suits, .columns = columns, .run = run_rig };
