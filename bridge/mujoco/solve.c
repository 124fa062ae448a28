/* The step: forces of all joints that have friction, at the velocities that they will have at its end. */
#include "plugin.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 12 };

/* states as they are at the start of the step, for a solve to advance */
static void load_states(const mjData *d, friction_net *net)
{
  for (int i = 0; i < net->count; i++)
    memcpy(net->contact[i].s, d->plugin_state + net->joint[i].state,
           (size_t)net->joint[i].friction.info->nstate * sizeof(double));
}

static double force_now(const mjData *d, const friction_net *net, int i)
{
  const bristle_network_contact *c = &net->contact[i];
  const bristle_input in = { .v = d->qvel[net->joint[i].dof], .x = c->x, .n = c->n, .load = c->load };
  double rate[BRISTLE_LAW_SIZE];
  return c->law->eval(c->p, c->s, &in, rate);
}

static int any_wrench(const mjModel *m, const mjData *d)
{
  for (int i = 6; i < 6 * m->nbody; i++)
    if (d->xfrc_applied[i] != 0) return 1;
  return 0;
}

/* all others' forces and ours, without those of constraints */
static void push_smooth(const mjModel *m, mjData *d, friction_net *net)
{
  memcpy(d->qfrc_actuator, net->other, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < net->count; i++) d->qfrc_actuator[net->joint[i].dof] -= net->f[i];
  if (d->nefc || any_wrench(m, d)) mj_fwdAcceleration(m, d);
  else
    for (int i = 0; i < m->nv; i++)
      d->qfrc_smooth[i] = d->qfrc_passive[i] - d->qfrc_bias[i] + d->qfrc_applied[i] + d->qfrc_actuator[i];
}

/* Which constraints are active, and how contacts on their cones answer: islands keep that to themselves, and only one
   of the engine's solvers leaves the second. */
static void find_active(const mjModel *m, mjData *d)
{
  if (d->nisland == 0 && m->opt.solver == mjSOL_NEWTON) return;
  mj_markStack(d);
  mjtNum *gap = mj_stackAllocNum(d, (size_t)d->nefc);
  mj_mulJacVec(m, d, gap, d->qacc);
  for (int i = 0; i < d->nefc; i++) gap[i] -= d->efc_aref[i];
  mj_constraintUpdate(m, d, gap, NULL, 1);
  mj_freeStack(d);
}

/* what friction would have to be for all its joints to stop within the step, the constraints answering to that */
static void stopping_forces(const mjModel *m, mjData *d, friction_net *net)
{
  push_smooth(m, d, net);
  mj_markStack(d);
  mjtNum *gap = mj_stackAllocNum(d, (size_t)d->nefc);
  memcpy(net->rate, d->qacc_warmstart, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < net->count; i++) net->rate[net->joint[i].dof] = -d->qvel[net->joint[i].dof] / m->opt.timestep;
  mj_mulJacVec(m, d, gap, net->rate);
  for (int i = 0; i < d->nefc; i++) gap[i] -= d->efc_aref[i];
  mj_constraintUpdate(m, d, gap, NULL, 0);
  mj_freeStack(d);
  mj_mulM(m, d, net->total, net->rate);
  for (int i = 0; i < m->nv; i++) net->total[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i] - net->total[i];
}

/* Forces to begin with, where there are constraints. A set-valued law at rest has any force between its levels: the one
   that stops its joint, if it can. */
static void begin_forces(const mjModel *m, mjData *d, friction_net *net)
{
  memset(net->f, 0, (size_t)net->count * sizeof(double));
  if (!d->nefc) return;
  if (net->set_valued) stopping_forces(m, d, net);
  for (int i = 0; i < net->count; i++) {
    const bristle_network_contact *c = &net->contact[i];
    const bristle_input rest = { .x = c->x, .n = c->n, .f = net->total[net->joint[i].dof], .load = c->load };
    double rate[BRISTLE_LAW_SIZE];
    if ((c->law->info->traits & BRISTLE_TRAIT_SET_VALUED) && c->law->eval(c->p, c->s, &rest, rate) == rest.f)
      net->f[i] = rest.f;
    else net->f[i] = force_now(d, net, i);
  }
}

/* forces and end velocities for the constraints that are active now; the largest change of a force beside its size */
static double solve_network(const mjModel *m, mjData *d, friction_net *net)
{
  const int n = net->count;
  double change = 0, size = 0;
  inertia_compliance(m, d, net);
  inertia_velocities(m, d, net);
  for (int i = 0; i < n; i++) {
    net->v[i] = net->u[i];
    for (int j = 0; j < n; j++) net->v[i] += net->w[i * n + j] * net->f[j];
    if (!isfinite(net->v[i])) return -1;
  }
  memcpy(net->row, net->f, (size_t)n * sizeof(double));
  for (int i = 0; i < n; i++) net->u[i] = d->qvel[net->joint[i].dof];
  load_states(d, net);
  const bristle_network network = {
    .count = n, .contact = net->contact, .w = net->w, .v = net->v, .h = m->opt.timestep, .f = net->f, .u = net->u
  };
  bristle_network_solve(&network, net->work);
  for (int i = 0; i < n; i++) {
    change = fmax(change, fabs(net->f[i] - net->row[i]));
    size = fmax(size, fabs(net->f[i]));
  }
  return size > 0 ? change / size : 0;
}

/* The engine's own solve, which follows, shall start where it ends, and so end there to rounding. Computing again
   starts as the first time did, so that it gives the same. */
static void begin_start(const mjModel *m, mjData *d, friction_net *net)
{
  const size_t size = (size_t)m->nv * sizeof(double);
  if (net->started && !memcmp(d->qacc_warmstart, net->start, size)) memcpy(d->qacc_warmstart, net->before, size);
  memcpy(net->before, d->qacc_warmstart, size);
  net->started = 0;
}

static void set_start(const mjModel *m, mjData *d, friction_net *net)
{
  const size_t size = (size_t)m->nv * sizeof(double);
  for (int i = 0; i < net->count; i++) net->row[i] -= net->f[i];
  inertia_shift(m, net, net->row);
  memcpy(net->start, net->rate, size);
  memcpy(d->qacc_warmstart, net->rate, size);
  net->started = 1;
}

static void solve_rounds(const mjModel *m, mjData *d, friction_net *net)
{
  inertia_prepare(m, d, net);
  for (int i = 0; i < net->count; i++) net->contact[i].x = d->qpos[net->joint[i].qpos];
  if (d->nefc) {
    load_states(d, net);
    begin_start(m, d, net);
  }
  begin_forces(m, d, net);
  for (int round = 0; round < ROUNDS; round++) {
    push_smooth(m, d, net);
    if (d->nefc) {
      mj_fwdConstraint(m, d);
      find_active(m, d);
    } else {
      if (quick_solve(m, d, net)) return;
      memset(net->f, 0, (size_t)net->count * sizeof(double));
    }
    const double change = solve_network(m, d, net);
    if (change < 0) { /* not finite: the engine tells of it itself */
      memset(net->f, 0, (size_t)net->count * sizeof(double));
      return;
    }
    if (!d->nefc || change < 1e-9) break;
  }
  if (d->nefc && net->constrained) set_start(m, d, net);
}

void solve_step(const mjModel *m, mjData *d, friction_net *net)
{
  memcpy(net->other, d->qfrc_actuator, (size_t)m->nv * sizeof(double));
  solve_rounds(m, d, net);
  memcpy(d->qfrc_actuator, net->other, (size_t)m->nv * sizeof(double));
  memset(net->added, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < net->count; i++) {
    net->added[net->joint[i].dof] = -net->f[i];
    d->qfrc_passive[net->joint[i].dof] -= net->f[i];
  }
  net->fresh = 1;
}

/* States follow the motion that the engine made, contacts included: a prescribed step at the real velocity. A joint
   that the solve holds exactly keeps the state of the solve, because what the engine leaves of its velocity is
   rounding. */
void solve_advance(const mjModel *m, mjData *d, friction_net *net)
{
  for (int i = 0; i < net->count; i++) {
    const bristle_network_contact *c = &net->contact[i];
    const double v = d->qvel[net->joint[i].dof];
    double *s = d->plugin_state + net->joint[i].state;
    if (!isfinite(v)) continue;
    if (net->u[i] == 0 && fabs(v) <= 1e-9 * (fabs(net->v[i]) + 1e-300)) {
      memcpy(s, c->s, (size_t)net->joint[i].friction.info->nstate * sizeof(double));
      continue;
    }
    const bristle_input in = { .v = v, .x = c->x, .n = c->n, .f = net->f[i], .h = m->opt.timestep, .load = c->load };
    c->law->step(c->p, s, &in, NULL);
  }
  net->fresh = net->started = 0; /* the engine has just noted where it ended */
}
