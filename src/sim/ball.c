/* A body on a ball joint: a spherical pendulum with friction in its socket.
 *
 * The rotation is a unit quaternion from the body's axes to those of the room (z up); angular velocity, torques and
 * bristles are components in the body's axes. The load on the joint is the reaction of the body, mass times gravity
 * less the acceleration of its centre, and the additional load, which hangs vertically at the centre of the ball. The
 * reaction depends on the friction and the friction on the reaction: the two are iterated until they agree.
 * The adaptive method takes the linearly implicit step where the law allows it, everything else the coupled step of
 * bristle/joint.h. */
#include "maths/elementary.h"
#include "sim/ball.h"
#include "sim/implicit.h"
#include "sim/rigs.h"
#include "sim/rotation.h"

#include <string.h>

enum { TURN, SPIN = TURN + 4, MOTION = SPIN + 3 };
enum { ROUNDS = 60 };

typedef struct ball {
  const bristle_ball *rig;
  bristle_joint joint;
  sim_states states;
  sim_least least;
  int implicit; /* 1: linearly implicit steps */
  sim_bristles bristles;
  double room[IMPLICIT_ROOM];
  double down[3]; /* during a step: the vertical in the body's axes */
} ball;

/* ---- mechanics ---- */

/* torque of gravity less the gyroscopic one */
static void applied(const ball *b, const double w[3], double torque[3])
{
  const bristle_ball *r = b->rig;
  const double momentum[3] = { r->inertia[0] * w[0], r->inertia[1] * w[1], r->inertia[2] * w[2] };
  const double centre[3] = { 0, 0, -r->arm }, weight = r->mass * r->gravity;
  const double pull[3] = { weight * b->down[0], weight * b->down[1], weight * b->down[2] };
  double turning[3];
  cross(centre, pull, torque);
  cross(w, momentum, turning);
  for (int i = 0; i < 3; i++) torque[i] -= turning[i];
}

/* force of the body's mass on the joint for an angular acceleration by this torque */
static void inertial(const ball *b, const double torque[3], double force[3])
{
  const bristle_ball *r = b->rig;
  const double centre[3] = { 0, 0, -r->mass * r->arm };
  const double rate[3] = { torque[0] / r->inertia[0], torque[1] / r->inertia[1], torque[2] / r->inertia[2] };
  cross(centre, rate, force);
}

/* What the body and the additional load press on the joint with. The part that friction itself causes, by speeding the
   body up or slowing it down, is held to the size of the rest: a bristle that is bent all at once could otherwise jam
   the joint without any finite answer. In sliding it is a part mu R/arm of the load, far from that. */
static void reaction(const ball *b, const double w[3], const double applied_torque[3], const double friction[3],
                     double force[3])
{
  const bristle_ball *r = b->rig;
  const double centre[3] = { 0, 0, -r->mass * r->arm };
  double along[3], caused[3], speed[3], inwards[3];
  inertial(b, applied_torque, along);
  inertial(b, friction, caused);
  cross(w, centre, speed);
  cross(w, speed, inwards);
  for (int i = 0; i < 3; i++) force[i] = (r->mass * r->gravity + r->load) * b->down[i] + along[i] - inwards[i];
  const double most = sqrt(dot(force, force)), size = sqrt(dot(caused, caused)), part = size > most ? most / size : 1;
  for (int i = 0; i < 3; i++) force[i] += part * caused[i];
}

/* Friction and load that agree. h > 0: the coupled step from the velocity w, s is advanced; h = 0: this instant, and
   the rates go to `rate`. The friction is a part mu R/arm of what it causes in the load, so few rounds are needed. */
static void rub(const ball *b, const double w[3], double h, double *s, double *rate, bristle_joint_loads *loads,
                bristle_joint_friction *out)
{
  const bristle_ball *r = b->rig;
  const double inertia[3] = { r->inertia[0], r->inertia[1], r->inertia[2] };
  const int states = b->joint.contact.vector->f64[1]->info->nstate;
  double push[3], before[3] = { 0, 0, 0 }, start[BRISTLE_LAW_SIZE];
  bristle_joint_motion motion = { .omega = { w[0], w[1], w[2] }, .h = h };
  applied(b, w, push);
  memcpy(start, s, (size_t)states * sizeof *s);
  for (int i = 0; i < 3; i++) {
    motion.omega[i] += h * push[i] / inertia[i];
    motion.w_rot[i][i] = h / inertia[i];
    motion.torque[i] = push[i];
  }
  memset(loads, 0, sizeof *loads);
  memcpy(out->omega_end, motion.omega, sizeof motion.omega);
  for (int round = 0; round < ROUNDS; round++) {
    double change = 0, size = 0;
    reaction(b, h > 0 ? out->omega_end : w, push, before, loads->force);
    memcpy(s, start, (size_t)states * sizeof *s);
    if (h > 0) bristle_joint_step(&b->joint, s, loads, &motion, out);
    else bristle_joint_eval(&b->joint, s, loads, &motion, out, rate);
    for (int i = 0; i < 3; i++) {
      change += fabs(out->torque[i] - before[i]);
      size += fabs(out->torque[i]);
      before[i] = out->torque[i];
    }
    if (change <= 1e-15 * size) break;
  }
}

/* the contact of the linearly implicit step: its slip is the angular velocity */
static void joint_eval(void *self, size_t i, const double *w, const double *z, double *torque, double *rate)
{
  const ball *b = self;
  bristle_joint_loads loads;
  bristle_joint_friction out;
  double s[IMPLICIT_STATES];
  (void)i;
  memcpy(s, z, (size_t)b->bristles.states * sizeof *s);
  rub(b, w, 0, s, rate, &loads, &out);
  for (int k = 0; k < 3; k++) torque[k] = -out.torque[k];
}

static void joint_arms(void *self, size_t i, double arms[3][3])
{
  const double rows[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  (void)self, (void)i;
  memcpy(arms, rows, sizeof rows);
}

static void coupled(ball *b, double h, double *y, double lost[3])
{
  bristle_joint_loads loads;
  bristle_joint_friction out;
  double s[BRISTLE_LAW_SIZE], w[3] = { y[SPIN], y[SPIN + 1], y[SPIN + 2] };
  sim_take_states(&b->states, y, 0, 1, s);
  rub(b, w, h, s, NULL, &loads, &out);
  sim_put_states(&b->states, y, 0, 1, s);
  for (int i = 0; i < 3; i++) {
    y[SPIN + i] = out.omega_end[i];
    lost[i] = -out.torque[i];
  }
}

static void advance(void *self, double t, double h, double *y)
{
  ball *b = self;
  double *const w = y + SPIN, *const ledger = y + b->states.flow - LEDGER, push[3], lost[3], by[3];
  (void)t;
  unit(y + TURN, y + TURN);
  down_in_body(y + TURN, b->down);
  applied(b, w, push);
  if (!b->implicit || !sim_implicit_step(&b->bristles, h, b->rig->inertia, push, w, y + MOTION, lost))
    coupled(b, h, y, lost);
  for (int i = 0; i < 3; i++) {
    by[i] = h * w[i];
    ledger[RUBBED] += h * lost[i] * w[i];
  }
  turn_on(y + TURN, by);
}

/* ---- what is seen of it ---- */

static double begin(void *self, double t)
{
  (void)self, (void)t;
  return HUGE_VAL; /* no input changes */
}

/* friction and load now */
static void now(void *self, const double *y, bristle_joint_loads *loads, bristle_joint_friction *out)
{
  ball *b = self;
  double q[4], s[BRISTLE_LAW_SIZE], rate[BRISTLE_LAW_SIZE];
  unit(y + TURN, q);
  down_in_body(q, b->down);
  sim_take_states(&b->states, y, 0, 1, s);
  rub(b, y + SPIN, 0, s, rate, loads, out);
}

static double slip(void *self, double t, const double *y)
{
  const ball *b = self;
  (void)t;
  return b->rig->radius * sqrt(dot(y + SPIN, y + SPIN));
}

static bristle_vector_input contact_of(const ball *b, const double *y)
{
  bristle_vector_input in = { .n = 1, .h = 1, .load = BRISTLE_LOAD_COEFFICIENT };
  for (int i = 0; i < 3; i++) in.v[i] = b->rig->radius * y[SPIN + i];
  return in;
}

static bristle_mode mode(void *self, double t, const double *y)
{
  const ball *b = self;
  const bristle_vector_input in = contact_of(b, y);
  double s[BRISTLE_LAW_SIZE];
  (void)t;
  sim_take_states(&b->states, y, 0, 1, s);
  return b->joint.contact.vector->f64[1]->mode(b->joint.contact.p, s, &in);
}

/* The bristles store their energy per unit load; in the direction of the load those of a point socket carry none. */
static double contact_energy(ball *b, const double *y)
{
  const bristle_vector_model *law = b->joint.contact.vector->f64[1];
  const bristle_vector_input in = contact_of(b, y);
  bristle_joint_loads loads;
  bristle_joint_friction out;
  bristle_joint_motion motion = { 0 };
  bristle_joint_map map;
  double s[BRISTLE_LAW_SIZE];
  now(b, y, &loads, &out);
  bristle_joint_resolve(&b->joint, &loads, &motion, &map);
  sim_take_states(&b->states, y, 0, 1, s);
  const double by_preload = map.preload[0] * law->energy(b->joint.contact.p, s, &in);
  law->project(s, map.normal);
  const double by_load = map.load * law->energy(b->joint.contact.p, s, &in);
  return b->joint.combine == BRISTLE_JOINT_COMBINE_SUM ? by_load + by_preload : fmax(by_load, by_preload);
}

static double stored(void *self, double t, const double *y, double *contact)
{
  ball *b = self;
  const bristle_ball *r = b->rig;
  double q[4], energy = 0;
  (void)t;
  unit(y + TURN, q);
  for (int i = 0; i < 3; i++) energy += 0.5 * r->inertia[i] * y[SPIN + i] * y[SPIN + i];
  *contact = contact_energy(b, y);
  return energy + 2 * r->mass * r->gravity * r->arm * (q[1] * q[1] + q[2] * q[2]); /* 1 - cos(tilt), digits kept */
}

static void row(void *self, double t, const double *y, double *values)
{
  const ball *b = self;
  bristle_joint_loads loads;
  bristle_joint_friction out;
  double q[4], arm[3];
  unit(y + TURN, q);
  arm_in_room(q, arm);
  now(self, y, &loads, &out);
  *values++ = t;
  *values++ = 2 * atan2(hypot(q[1], q[2]), hypot(q[0], q[3]));
  *values++ = atan2(arm[1], arm[0]);
  for (int i = 0; i < 3; i++) {
    values[i] = arm[i];
    values[3 + i] = y[SPIN + i];
    values[6 + i] = -out.torque[i];
  }
  values[9] = sqrt(dot(loads.force, loads.force));
  values += 10;
  if (ball_shows_bristles(b->joint.contact.vector->f64[1]->info))
    for (int i = 0; i < 3; i++) *values++ = y[MOTION + i];
  bristle_joint_motion motion = { .omega = { y[SPIN], y[SPIN + 1], y[SPIN + 2] } };
  bristle_joint_map map;
  bristle_joint_resolve(&b->joint, &loads, &motion, &map);
  const bristle_joint_coupling coupling = bristle_joint_couple(&b->joint, &map);
  *values++ = coupling.lambda;
  *values++ = coupling.c0;
  *values = mode(self, t, y);
}

static void share_scales(void *self, double *scale)
{
  const ball *b = self;
  const size_t bends = b->states.flow - LEDGER - MOTION;
  sim_share(scale + TURN, 4);
  sim_raise(scale + SPIN, 3, b->least.speed / b->rig->radius);
  sim_share(scale + SPIN, 3);
  sim_raise(scale + MOTION, bends, b->least.bend);
  sim_share_bends(scale + MOTION, bends);
  sim_raise(scale + MOTION + bends, LEDGER, b->least.bend * (b->rig->mass * fabs(b->rig->gravity) + b->rig->load));
  sim_share(scale + MOTION + bends, LEDGER);
}

/* ---- run ---- */

static bristle_sim_status run_rig(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                                  bristle_sim_stats *stats, bristle_sim_error *error)
{
  const bristle_ball *r = self;
  const bristle_info *info = r->contact.vector->f64[1]->info;
  bristle_method method;
  bristle_steprule rule;
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  const bristle_sim_status status = sim_choose_method(options, info, r->contact.p, &method, &rule, error);
  if (status) return status;
  ball b = { .rig = r,
             .joint = ball_joint(r),
             .states = sim_states_of(info, 1, MOTION),
             .least = sim_least_of(info, r->contact.p) };
  b.implicit = method == BRISTLE_METHOD_ADAPTIVE && sim_implicit_suits(r->contact.vector->f64[1], r->contact.p);
  b.bristles = (sim_bristles){ .self = &b,
                               .count = 1,
                               .dim = 3,
                               .states = info->nstate,
                               .small_slip = 1e-12 / r->radius,
                               .small_bend = 1e-14,
                               .eval = joint_eval,
                               .arms = joint_arms,
                               .room = b.room };
  const sim_system system = { .self = &b,
                              .flow = b.states.flow,
                              .jump = b.states.jump,
                              .width = sim_columns_ball(r, 0, columns),
                              .calls = { begin, advance, row, stored, slip, mode, share_scales },
                              .has_energy = (info->traits & BRISTLE_TRAIT_ENERGY) != 0 };
  double y[MOTION + BRISTLE_LAW_SIZE + LEDGER] = { 0 };
  const double about[3] = { 0, -r->tilt, 0 }; /* azimuth 0 is towards x */
  y[TURN] = cos(0.5 * r->azimuth);
  y[TURN + 3] = sin(0.5 * r->azimuth);
  turn_on(y + TURN, about);
  memcpy(y + SPIN, r->w, sizeof r->w);
  return sim_run_system(&system, y, method, &rule, options, sink, stats, error);
}

extern const bristle_rig_driver sim_ball;
const bristle_rig_driver sim_ball = { .check = sim_check_ball, .columns = sim_columns_ball, .run = run_rig };
