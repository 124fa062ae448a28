/* A serial arm with friction in its joints.
 *
 * One coupled step: motors are implicit like the friction, gravity and turning are those of the pose at the start. The
 * network solves all joints together, u = v - W F(u) with W = h (M + h kd + h^2 kp)^-1. The step is of first order;
 * the adaptive method extrapolates it. */
#include "sim/arm.h"

#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

static size_t motor_work(const arm_system *a) { return 2 * (size_t)a->n; }

/* ---- inputs ---- */

static double begin(void *self, double t)
{
  arm_system *a = self;
  double end = HUGE_VAL;
  for (int i = 0; i < a->n; i++) {
    const bristle_arm_link *link = &a->rig->link[i];
    a->torque[i] = bristle_program_piece(&link->torque, t);
    a->target[i] = bristle_program_piece(&link->target, t);
    a->load[i] = bristle_program_piece(&link->load, t);
    end = fmin(end, fmin(a->torque[i].end, fmin(a->target[i].end, a->load[i].end)));
  }
  for (int k = 0; k < 2; k++) {
    a->tip[k] = bristle_program_piece(&a->rig->push[k], t);
    end = fmin(end, a->tip[k].end);
  }
  return end;
}

arm_inputs arm_inputs_at(const arm_system *a, double t)
{
  arm_inputs in;
  for (int i = 0; i < a->n; i++) {
    const bristle_arm_link *link = &a->rig->link[i];
    in.torque[i] = bristle_program_value(&link->torque, &a->torque[i], t, NULL);
    in.target[i] = bristle_program_value(&link->target, &a->target[i], t, &in.target_rate[i]);
    in.load[i] = bristle_program_value(&link->load, &a->load[i], t, NULL);
  }
  for (int k = 0; k < 2; k++) in.push[k] = bristle_program_value(&a->rig->push[k], &a->tip[k], t, NULL);
  return in;
}

static double command(const bristle_arm_link *link, const arm_inputs *in, int i, double q, double v)
{
  return in->torque[i] + link->kp * (in->target[i] - q) + link->kd * (in->target_rate[i] - v);
}

double arm_motor(const bristle_arm_link *link, const arm_inputs *in, int i, double q, double v)
{
  const double wanted = command(link, in, i, q, v);
  return link->limit > 0 && fabs(wanted) > link->limit ? copysign(link->limit, wanted) : wanted;
}

/* ---- one step ---- */

/* Free velocities at the end of the step, and what friction takes from them. A motor that would be at its limit
   stays there for the step. */
static void prepare(arm_system *a, const arm_inputs *in, const double *y, double h, int *at_limit, double *v)
{
  const int n = a->n;
  const arm_pose pose = arm_place(&a->body, y, y + n);
  double torque[LINKS], added[LINKS];
  arm_torques(&a->body, &pose, in->push, torque);
  for (int i = 0; i < n; i++) {
    const bristle_arm_link *link = &a->rig->link[i];
    const double ahead = y[i] + h * y[n + i], motor = arm_motor(link, in, i, ahead, y[n + i]);
    at_limit[i] = motor != command(link, in, i, ahead, y[n + i]);
    added[i] = at_limit[i] ? 0 : h * (link->kd + h * link->kp);
    torque[i] += motor;
  }
  arm_compliance(&a->body, &pose, added, h, a->w);
  for (int i = 0; i < n; i++) {
    double gained = 0;
    for (int k = 0; k < n; k++) gained += a->w[i * n + k] * torque[k];
    v[i] = y[n + i] + gained;
  }
}

static void advance(void *self, double t, double h, double *y)
{
  arm_system *a = self;
  const int n = a->n;
  const arm_inputs in = arm_inputs_at(a, t + h);
  double *const ledger = y + a->flow - LEDGER, v[LINKS], u[LINKS], f[LINKS], tip[2][2];
  int at_limit[LINKS];
  prepare(a, &in, y, h, at_limit, v);
  memcpy(u, y + n, (size_t)n * sizeof *u);
  arm_take(a, &in, y);
  const bristle_network net = { .count = n, .contact = a->contact, .w = a->w, .v = v, .h = h, .f = f, .u = u };
  a->unsolved += !bristle_network_solve(&net, a->work).converged;
  arm_put(a, y);
  const arm_pose before = arm_place(&a->body, y, u);
  arm_tip(&a->body, &before, tip[0]);
  for (int i = 0; i < n; i++) {
    const bristle_arm_link *link = &a->rig->link[i];
    const double q = y[i] + h * u[i], wanted = command(link, &in, i, q, u[i]);
    const double motor = at_limit[i] ? copysign(link->limit, wanted) : wanted;
    y[motor_work(a)] += h * motor * u[i];
    ledger[WORK_IN] += h * motor * u[i];
    ledger[RUBBED] += h * f[i] * u[i];
    y[i] = q;
    y[n + i] = u[i];
  }
  const arm_pose after = arm_place(&a->body, y, u);
  arm_tip(&a->body, &after, tip[1]);
  for (int k = 0; k < 2; k++) ledger[WORK_IN] += in.push[k] * (tip[1][k] - tip[0][k]);
}

/* ---- what is seen of it ---- */

static double slip(void *self, double t, const double *y)
{
  const arm_system *a = self;
  double fastest = 0;
  (void)t;
  for (int i = 0; i < a->n; i++) fastest = fmax(fastest, fabs(y[a->n + i]));
  return fastest;
}

static double resting_slip(void *self, size_t contact, const double *y)
{
  const arm_system *a = self;
  return y[a->n + a->resting[contact]];
}

/* that of the joint that moves most freely */
static bristle_mode mode(void *self, double t, const double *y)
{
  arm_system *a = self;
  const arm_inputs in = arm_inputs_at(a, t);
  bristle_mode most = BRISTLE_MODE_STUCK;
  for (int i = 0; i < a->n && most != BRISTLE_MODE_SLIDING; i++) {
    const bristle_mode one = arm_mode(a, &in, y, i);
    if (one > most) most = one;
  }
  return most;
}

static double stored(void *self, double t, const double *y, double *contact)
{
  arm_system *a = self;
  const arm_inputs in = arm_inputs_at(a, t);
  const arm_pose pose = arm_place(&a->body, y, y + a->n);
  *contact = arm_contact_energy(a, &in, y);
  return arm_kinetic(&a->body, &pose) + arm_potential(&a->body, &pose);
}

static void row(void *self, double t, const double *y, double *values)
{
  arm_system *a = self;
  const int n = a->n;
  const arm_inputs in = arm_inputs_at(a, t);
  const arm_pose pose = arm_place(&a->body, y, y + n);
  double f[LINKS], tip[2];
  arm_friction(a, t, y, f);
  arm_tip(&a->body, &pose, tip);
  *values++ = t;
  for (int i = 0; i < n; i++) {
    values[i] = y[i];
    values[n + i] = y[n + i];
    values[2 * n + i] = f[i];
    values[3 * n + i] = arm_motor(&a->rig->link[i], &in, i, y[i], y[n + i]);
    values[4 * n + i] = arm_mode(a, &in, y, i);
  }
  values += 5 * n;
  *values++ = tip[0];
  *values++ = tip[1];
  *values++ = arm_kinetic(&a->body, &pose);
  *values++ = arm_potential(&a->body, &pose);
  *values++ = y[motor_work(a)];
  *values = mode(self, t, y);
}

/* Angles, rates and energies have one scale each; none is finer than what is small for the contacts. */
static void share_scales(void *self, double *scale)
{
  const arm_system *a = self;
  const size_t n = (size_t)a->n;
  double *ledger = scale + a->flow - LEDGER, *motors = scale + motor_work(a);
  size_t *place = a->place;
  for (size_t i = 0; i < n; i++) {
    const axis_least *least = &a->least[i];
    sim_raise(scale + i, 1, least->x);
    sim_raise(scale + n + i, 1, least->v);
    sim_raise(ledger, 1, least->energy);
    const int states = a->rig->link[i].contact.law->f64->info->nstate;
    for (int k = 0; k < states; k++)
      if (place[k] < a->flow) sim_raise(scale + place[k], 1, least->bend[k]);
    place += states;
  }
  sim_share(scale, n);
  sim_share(scale + n, n);
  const double moving = 0.5 * a->body.turn[0][0] * scale[n] * scale[n];
  ledger[WORK_IN] = fmax(fmax(ledger[WORK_IN], moving), *motors);
  sim_share(ledger, LEDGER);
  *motors = ledger[WORK_IN];
}

/* for the step rules: that of the joint which asks for the shortest one wins, and one without a load has no say */
static void speeds(void *self, double t, const double *y, double *values)
{
  const arm_system *a = self;
  const arm_inputs in = arm_inputs_at(a, t);
  for (int i = 0; i < a->n; i++)
    values[i] = a->rig->link[i].contact.load != BRISTLE_LOAD_FORCE && !(in.load[i] > 0) ? -1 : fabs(y[a->n + i]);
}

/* ---- run ---- */

static double swing_of(const bristle_arm *r)
{
  double swing = fmin(sim_program_swing(&r->push[0]), sim_program_swing(&r->push[1]));
  for (size_t i = 0; i < r->count; i++) {
    const bristle_arm_link *link = &r->link[i];
    swing = fmin(swing, fmin(sim_program_swing(&link->torque), sim_program_swing(&link->target)));
    swing = fmin(swing, sim_program_swing(&link->load));
  }
  return swing;
}

/* What is small for each joint: as for an axis with the inertia that it turns. Returns the largest of their speeds. */
static double find_least(arm_system *a, double end)
{
  double slow = 0;
  for (int i = 0; i < a->n; i++) {
    const bristle_arm_link *link = &a->rig->link[i];
    const bristle_axis axis = { .mass = a->body.turn[i][i], .load = link->load, .contact = link->contact };
    axis_host host = axis_place(&axis);
    axis_begin(&host, 0);
    const axis_inputs in = axis_inputs_at(&host, 0);
    a->least[i] = axis_least_of(&host, &in, end);
    slow = fmax(slow, a->least[i].v);
    if (link->contact.law->f64->info->traits & BRISTLE_TRAIT_SET_VALUED) a->resting[a->resting_count++] = i;
  }
  return slow;
}

static int has_energy(const bristle_arm *r)
{
  for (size_t i = 0; i < r->count; i++) {
    const bristle_info *law = r->link[i].contact.law->f64->info;
    if (!(law->traits & BRISTLE_TRAIT_ENERGY) && law->nstate) return 0;
  }
  return 1;
}

static bristle_sim_status run(arm_system *a, bristle_method method, const bristle_sim_options *options,
                              const bristle_sim_sink *sink, bristle_sim_stats *stats, bristle_sim_error *error)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const bristle_arm *r = a->rig;
  const arm_inputs none = { .push = { 0 } };
  double *y = calloc(a->flow + a->jump, sizeof *y);
  a->s = calloc((size_t)a->states + 1, sizeof *a->s);
  if (y && a->s) arm_take(a, &none, y); /* the contacts, for the size of the network */
  const bristle_network net = { .count = a->n, .contact = a->contact };
  a->work = y && a->s ? calloc(bristle_network_work(&net), sizeof *a->work) : NULL;
  bristle_sim_status status = BRISTLE_SIM_OK;
  if (y && a->s && a->work) {
    double *s = a->s;
    for (int i = 0; i < a->n; i++) {
      const int states = r->link[i].contact.law->f64->info->nstate;
      y[i] = r->link[i].q;
      y[a->n + i] = r->link[i].v;
      memcpy(s, r->link[i].z, (size_t)states * sizeof *s);
      s += states;
    }
    arm_put(a, y);
    const double slow = find_least(a, options->end);
    const sim_system system = { .self = a,
                                .flow = a->flow,
                                .jump = a->jump,
                                .width = sim_columns_arm(r, 1, columns),
                                .calls = { begin, advance, row, stored, slip, mode, share_scales },
                                .swing = swing_of(r),
                                .slow = slow,
                                .contacts = (size_t)a->n,
                                .speeds = speeds,
                                .rules = a->rule,
                                .columns = 6, /* contacts ring: worth the order */
                                .rests = a->resting_count > 0,
                                .resting = a->resting_count,
                                .resting_slip = resting_slip,
                                .has_energy = has_energy(r) };
    status = sim_run_system(&system, y, method, NULL, options, sink, stats, error);
    stats->unsolved = a->unsolved;
  } else {
    status = sim_fail(error, BRISTLE_SIM_MEMORY, 0, "links", "no memory for %d joints", a->n);
  }
  free(a->work);
  free(a->s);
  free(y);
  return status;
}

static bristle_sim_status run_rig(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                                  bristle_sim_stats *stats, bristle_sim_error *error)
{
  const bristle_arm *r = self;
  bristle_method method;
  bristle_steprule rule[LINKS];
  bristle_sim_status status = BRISTLE_SIM_OK;
  for (size_t i = 0; i < r->count && !status; i++) {
    const bristle_contact *c = &r->link[i].contact;
    status = sim_choose_method(options, c->law->f64->info, c->p, &method, &rule[i], error);
  }
  if (status) return status;
  arm_system *a = calloc(1, sizeof *a);
  size_t *room = malloc(LINKS * BRISTLE_LAW_SIZE * sizeof *room);
  if (a && room) {
    a->rig = r;
    a->n = (int)r->count;
    a->body = arm_weigh(r);
    arm_lay_out(a, room);
    a->rule = rule;
    status = run(a, method, options, sink, stats, error);
  } else {
    status = sim_fail(error, BRISTLE_SIM_MEMORY, 0, "links", "no memory for %zu joints", r->count);
  }
  free(room);
  free(a);
  return status;
}

extern const bristle_rig_driver sim_arm;
const bristle_rig_driver sim_arm = { .check = sim_check_arm, .columns = sim_columns_arm, .run = run_rig };
