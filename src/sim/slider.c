/* A body on a plane: two translations and spin over a contact patch.
 *
 * Positions, forces and columns are in the axes of the plane. The bristles are fixed to the slider: their states are
 * components in its own axes and turn with it, and so is the velocity that the solver works with, because stiff
 * bristles must see it turn. The adaptive method takes the linearly implicit step where the law allows it,
 * everything else the coupled step of bristle/planar.h. */
#include "maths/elementary.h"
#include "sim/implicit.h"
#include "sim/rigs.h"

#include <stdlib.h>
#include <string.h>

enum { X, Y, ANGLE, AHEAD, ASIDE, SPIN, MOTION }; /* the speeds ahead and aside are along the slider's axes */
enum { SEGMENTS = 20 };

typedef struct slider {
  const bristle_slider *rig;
  bristle_patch patch;
  bristle_planar reduced;
  sim_states states; /* of the patch; the reduced model has its three numbers behind the motion */
  size_t flow, jump;
  sim_least least;
  int implicit; /* 1: linearly implicit steps */
  sim_bristles bristles;
  double *memory;
  bristle_piece force[3], anchor[2];
} slider;

/* into the slider's axes (towards = -1) or out of them (1); the spin is the same in both */
static void turn(double angle, double towards, const double from[3], double to[3])
{
  const double c = cos(angle), s = towards * sin(angle);
  to[0] = c * from[0] - s * from[1];
  to[1] = s * from[0] + c * from[1];
  to[2] = from[2];
}

/* ---- inputs ---- */

typedef struct inputs {
  double force[3], anchor[2], anchor_rate[2];
} inputs;

static double begin(void *self, double t)
{
  slider *b = self;
  double end = HUGE_VAL;
  for (int i = 0; i < 3; i++) {
    b->force[i] = bristle_program_piece(&b->rig->force[i], t);
    end = fmin(end, b->force[i].end);
  }
  for (int i = 0; i < 2; i++) {
    b->anchor[i] = bristle_program_piece(&b->rig->anchor[i], t);
    end = fmin(end, b->anchor[i].end);
  }
  return end;
}

static inputs inputs_at(const slider *b, double t)
{
  inputs in;
  for (int i = 0; i < 3; i++) in.force[i] = bristle_program_value(&b->rig->force[i], &b->force[i], t, NULL);
  for (int i = 0; i < 2; i++)
    in.anchor[i] = bristle_program_value(&b->rig->anchor[i], &b->anchor[i], t, &in.anchor_rate[i]);
  return in;
}

/* ---- contacts of the linearly implicit step ---- */

static void cell_eval(void *self, size_t i, const double *slip, const double *z, double *force, double *rate)
{
  const slider *b = self;
  const bristle_vector_input in = {
    .v = { slip[0], slip[1] }, .n = b->patch.share[i] * b->rig->load, .h = 1, .load = BRISTLE_LOAD_COEFFICIENT
  };
  b->patch.contact.vector->f64[0]->eval(b->patch.contact.p, z, &in, force, rate);
}

static void cell_arms(void *self, size_t i, double arms[3][3])
{
  const slider *b = self;
  const double rows[3][3] = { { 1, 0, -b->patch.y[i] }, { 0, 1, b->patch.x[i] }, { 0, 0, 0 } };
  memcpy(arms, rows, sizeof rows);
}

static void reduced_eval(void *self, size_t i, const double *v, const double *z, double *wrench, double *rate)
{
  const slider *b = self;
  const bristle_planar_input in = { .v = { v[0], v[1], v[2] }, .n = b->rig->load, .h = 1 };
  (void)i;
  bristle_planar_eval(&b->reduced, z, &in, wrench, rate);
}

static void reduced_arms(void *self, size_t i, double arms[3][3])
{
  const double rows[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  (void)self, (void)i;
  memcpy(arms, rows, sizeof rows);
}

/* ---- one step ---- */

/* The coupled step: v is the velocity at the start, and then the one at the end; both, and the wrench that goes to
   lost, are in the slider's axes. */
static void rub(slider *b, double h, const double inertia[3], const double push[3], double v[3], double *y,
                double lost[3])
{
  bristle_planar_input in = { .n = b->rig->load, .h = h };
  for (int i = 0; i < 3; i++) {
    in.v[i] = v[i] + h * push[i] / inertia[i];
    in.w[i][i] = h / inertia[i];
  }
  if (b->rig->reduced) {
    bristle_planar_step(&b->reduced, y + MOTION, &in, lost, v);
    return;
  }
  sim_take_states(&b->states, y, 0, b->states.count, b->patch.s);
  bristle_patch_step(&b->patch, &in, lost, v);
  sim_put_states(&b->states, y, 0, b->states.count, b->patch.s);
}

static void advance(void *self, double t, double h, double *y)
{
  slider *b = self;
  const bristle_slider *r = b->rig;
  const inputs in = inputs_at(b, t + h);
  /* the spring is implicit: it adds to the inertia */
  const double stiff = h * h * r->stiffness, inertia[3] = { r->mass + stiff, r->mass + stiff, r->inertia };
  double *const ledger = y + b->flow - LEDGER, *const v = y + AHEAD, force[3], push[3], lost[3], world[3];
  turn(y[ANGLE], 1, v, world);
  for (int i = 0; i < 2; i++) force[i] = in.force[i] + r->stiffness * (in.anchor[i] - y[X + i] - h * world[i]);
  force[2] = in.force[2];
  turn(y[ANGLE], -1, force, push);
  /* in axes that turn, a steady velocity turns backwards */
  push[0] += inertia[0] * v[2] * v[1];
  push[1] -= inertia[1] * v[2] * v[0];
  if (!b->implicit || !sim_implicit_step(&b->bristles, h, inertia, push, v, y + MOTION, lost))
    rub(b, h, inertia, push, v, y, lost);
  turn(y[ANGLE] + h * v[2], 1, v, world);
  for (int i = 0; i < 3; i++) {
    y[X + i] += h * world[i];
    ledger[WORK_IN] += h * in.force[i] * world[i];
    ledger[RUBBED] += h * lost[i] * v[i];
  }
  for (int i = 0; i < 2; i++) ledger[WORK_IN] += h * r->stiffness * (in.anchor[i] - y[X + i]) * in.anchor_rate[i];
}

/* ---- what is seen of it ---- */

static bristle_planar_input moving(const slider *b, const double *y)
{
  const bristle_planar_input in = { .v = { y[AHEAD], y[ASIDE], y[SPIN] }, .n = b->rig->load, .h = 1 };
  return in;
}

/* speeds at the centre of pressure, the spin as that at the gyration radius */
static void speeds(const slider *b, const double v[3], double u[3])
{
  u[0] = v[0] - v[2] * b->patch.cop[1];
  u[1] = v[1] + v[2] * b->patch.cop[0];
  u[2] = v[2] * b->patch.gyration;
}

static double slip(void *self, double t, const double *y)
{
  const slider *b = self;
  double u[3];
  (void)t;
  speeds(b, y + AHEAD, u);
  return sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
}

/* each cell of a patch has its own: the centre of a spinning disk hardly moves */
static void cell_speeds(void *self, double t, const double *y, double *values)
{
  (void)t;
  const slider *b = self;
  const bristle_planar_input in = moving(b, y);
  for (size_t i = 0; i < b->patch.count; i++)
    values[i] = hypot(in.v[0] - in.v[2] * b->patch.y[i], in.v[1] + in.v[2] * b->patch.x[i]);
}

/* sliding: the bristles do 95 % of the work that they do in steady sliding, as in the laws themselves */
static bristle_mode reduced_mode(const slider *b, const double *y)
{
  const bristle_planar_input in = moving(b, y);
  const double *const z = y + MOTION;
  double u[3], steady[3];
  speeds(b, in.v, u);
  const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
  if (sqrt(square) <= 1e-6 * b->least.speed) return BRISTLE_MODE_STUCK;
  bristle_planar_steady(&b->reduced, &in, steady);
  const double viscous = in.n * b->reduced.p[b->reduced.viscous] * square;
  const double full = steady[0] * in.v[0] + steady[1] * in.v[1] + steady[2] * in.v[2] - viscous;
  const double done = in.n * b->reduced.p[b->reduced.stiffness] * (z[0] * u[0] + z[1] * u[1] + z[2] * u[2]);
  return done >= 0.95 * full ? BRISTLE_MODE_SLIDING : BRISTLE_MODE_PRESLIDING;
}

/* that of the cells which carry most of the load */
static bristle_mode patch_mode(const slider *b, const double *y)
{
  const bristle_planar_input in = moving(b, y);
  double share[3] = { 0, 0, 0 }, s[BRISTLE_LAW_SIZE];
  for (size_t i = 0; i < b->patch.count; i++) {
    const bristle_vector_input cell = { .v = { in.v[0] - in.v[2] * b->patch.y[i], in.v[1] + in.v[2] * b->patch.x[i] },
                                        .n = 1,
                                        .h = 1,
                                        .load = BRISTLE_LOAD_COEFFICIENT };
    sim_take_states(&b->states, y, i, 1, s);
    share[b->patch.contact.vector->f64[0]->mode(b->patch.contact.p, s, &cell)] += b->patch.share[i];
  }
  if (share[BRISTLE_MODE_SLIDING] >= 0.5) return BRISTLE_MODE_SLIDING;
  return share[BRISTLE_MODE_STUCK] >= 0.5 ? BRISTLE_MODE_STUCK : BRISTLE_MODE_PRESLIDING;
}

static bristle_mode mode(void *self, double t, const double *y)
{
  const slider *b = self;
  (void)t;
  return b->rig->reduced ? reduced_mode(b, y) : patch_mode(b, y);
}

static double stored(void *self, double t, const double *y, double *contact)
{
  slider *b = self;
  const bristle_slider *r = b->rig;
  const inputs in = inputs_at(b, t);
  double energy = 0.5 * r->inertia * y[SPIN] * y[SPIN];
  for (int i = 0; i < 2; i++) {
    const double stretch = in.anchor[i] - y[X + i];
    energy += 0.5 * (r->mass * y[AHEAD + i] * y[AHEAD + i] + r->stiffness * stretch * stretch);
  }
  if (r->reduced) {
    *contact = bristle_planar_energy(&b->reduced, y + MOTION, r->load);
  } else {
    sim_take_states(&b->states, y, 0, b->states.count, b->patch.s);
    *contact = bristle_patch_energy(&b->patch, r->load);
  }
  return energy;
}

static void row(void *self, double t, const double *y, double *values)
{
  slider *b = self;
  const bristle_planar_input in = moving(b, y);
  double wrench[3];
  if (b->rig->reduced) {
    bristle_planar_eval(&b->reduced, y + MOTION, &in, wrench, NULL);
  } else {
    sim_take_states(&b->states, y, 0, b->states.count, b->patch.s);
    bristle_patch_eval(&b->patch, &in, wrench, NULL);
  }
  *values++ = t;
  memcpy(values, y, AHEAD * sizeof *y);
  turn(y[ANGLE], 1, y + AHEAD, values + AHEAD);
  turn(y[ANGLE], 1, wrench, values + MOTION);
  values[MOTION + 3] = mode(self, t, y);
}

/* an angle weighs as much as the way it moves the cells */
static void share_motion(double scale[3], double radius)
{
  if (radius > 0) scale[2] *= radius;
  sim_share(scale, radius > 0 ? 3 : 2);
  if (radius > 0) scale[2] /= radius;
}

static void share_scales(void *self, double *scale)
{
  const slider *b = self;
  const size_t bends = b->flow - LEDGER - MOTION;
  sim_raise(scale + X, 2, b->least.bend);
  share_motion(scale + X, b->patch.gyration);
  sim_raise(scale + AHEAD, 2, b->least.speed);
  share_motion(scale + AHEAD, b->patch.gyration);
  sim_raise(scale + MOTION, bends, b->least.bend);
  sim_share_bends(scale + MOTION, bends);
  sim_raise(scale + MOTION + bends, LEDGER, b->least.bend * b->rig->load);
  sim_share(scale + MOTION + bends, LEDGER);
}

/* ---- run ---- */

/* cells about as long as they are wide */
static int sectors(const bristle_slider *r) { return r->cells < 4 ? 12 : 4 * r->cells; }

/* The patch and, where asked for, the reduced model made from it. */
static bristle_sim_status place(slider *b, const bristle_slider *r, bristle_sim_error *error)
{
  const bristle_contact contact = { .vector = r->contact.vector, .load = BRISTLE_LOAD_COEFFICIENT, .p = r->contact.p };
  const bristle_info *law = contact.vector->f64[0]->info;
  const size_t cells = (size_t)r->cells * (size_t)(r->ring ? sectors(r) : r->cells);
  const size_t patch = bristle_patch_memory(&contact, cells);
  bristle_error fault = { 0 };
  bristle_surface surface;
  const size_t surface_room = bristle_surface_memory(SEGMENTS), step_room = IMPLICIT_ROOM * cells;
  b->rig = r;
  b->memory = calloc(patch + surface_room + step_room, sizeof *b->memory);
  if (!b->memory) return sim_fail(error, BRISTLE_SIM_MEMORY, 0, "cells", "no memory for %zu cells", cells);
  bristle_patch_place(&b->patch, &contact, b->memory, cells);
  bristle_status status = r->ring ? bristle_patch_ring(&b->patch, r->cells, sectors(r), r->inner, r->outer, NULL, NULL,
                                                       &fault)
                                  : bristle_patch_rectangle(&b->patch, r->cells, r->cells, r->width, r->height, NULL,
                                                            NULL, &fault);
  if (!status && r->reduced) {
    status = bristle_surface_init(&surface, &b->patch, SEGMENTS, b->memory + patch, &fault);
    if (!status) status = bristle_planar_init(&b->reduced, &surface, &contact, &fault);
  }
  if (status) return sim_fail_check(error, &fault);
  b->bristles = (sim_bristles){ .self = b,
                                .count = r->reduced ? 1 : b->patch.count,
                                .dim = r->reduced ? 3 : 2,
                                .states = r->reduced ? 3 : law->nstate,
                                .small_slip = 1e-12,
                                .small_bend = 1e-14,
                                .eval = r->reduced ? reduced_eval : cell_eval,
                                .arms = r->reduced ? reduced_arms : cell_arms,
                                .room = b->memory + patch + surface_room };
  b->states = sim_states_of(law, b->patch.count, MOTION);
  b->least = sim_least_of(law, r->contact.p);
  b->flow = r->reduced ? MOTION + 3 + LEDGER : b->states.flow;
  b->jump = r->reduced ? 0 : b->states.jump;
  return BRISTLE_SIM_OK;
}

static bristle_sim_status run(slider *b, bristle_method method, const bristle_steprule *rule,
                              const bristle_sim_options *options, const bristle_sim_sink *sink,
                              bristle_sim_stats *stats, bristle_sim_error *error)
{
  bristle_sim_column columns[BRISTLE_SIM_COLUMNS];
  double *const y = calloc(b->flow + b->jump, sizeof *y);
  if (!y) return sim_fail(error, BRISTLE_SIM_MEMORY, 0, "cells", "no memory for %zu numbers", b->flow + b->jump);
  memcpy(y, b->rig->x, sizeof b->rig->x);
  turn(y[ANGLE], -1, b->rig->v, y + AHEAD);
  const sim_system system = { .self = b,
                              .contacts = b->rig->reduced ? 0 : b->patch.count,
                              .speeds = b->rig->reduced ? NULL : cell_speeds,
                              .flow = b->flow,
                              .jump = b->jump,
                              .width = sim_columns_slider(b->rig, 0, columns),
                              .calls = { begin, advance, row, stored, slip, mode, share_scales },
                              .has_energy = (b->patch.contact.vector->f64[0]->info->traits & BRISTLE_TRAIT_ENERGY)
                                            != 0 };
  const bristle_sim_status status = sim_run_system(&system, y, method, rule, options, sink, stats, error);
  free(y);
  return status;
}

static bristle_sim_status run_rig(const void *self, const bristle_sim_options *options, const bristle_sim_sink *sink,
                                  bristle_sim_stats *stats, bristle_sim_error *error)
{
  const bristle_slider *r = self;
  bristle_method method;
  bristle_steprule rule;
  slider b = { 0 };
  bristle_sim_status status = sim_choose_method(options, r->contact.vector->f64[0]->info, r->contact.p, &method, &rule,
                                                error);
  if (!status) status = place(&b, r, error);
  b.implicit = method == BRISTLE_METHOD_ADAPTIVE && sim_implicit_suits(r->contact.vector->f64[0], r->contact.p);
  if (!status) status = run(&b, method, &rule, options, sink, stats, error);
  free(b.memory);
  return status;
}

extern const bristle_rig_driver sim_slider;
const bristle_rig_driver sim_slider = { .check = sim_check_slider, .columns = sim_columns_slider, .run = run_rig };
