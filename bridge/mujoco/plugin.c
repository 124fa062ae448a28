/* MuJoCo's side: registration and callbacks.
 *
 * Friction must know all other forces of the step. Those of actuators are known last, so it is computed in the stage of
 * the actuators, by computing that stage once more inside itself; where a model has no actuators, that stage does not
 * come, and it is computed with the passive forces. Friction is a passive force in either case. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int own_slot = -1;

static int lead_of(const mjModel *m)
{
  int lead = -1;
  for (int i = 0; i < m->nplugin; i++)
    if (m->plugin[i] == own_slot) lead = i;
  return lead;
}

static friction_net *net_of(const mjData *d, int instance) { return (friction_net *)d->plugin_data[instance]; }

static void refuse(const char *sentence)
{
  if (sentence) mju_error("%s: %s", PLUGIN_NAME, sentence);
}

static int no_actuation(const mjModel *m) { return m->nactuator == 0 || (m->opt.disableflags & mjDSBL_ACTUATION); }

static int init(const mjModel *m, mjData *d, int instance)
{
  char why[WHY];
  d->plugin_data[instance] = 0;
  if (instance != lead_of(m)) return 0;
  refuse(refused_model(m, instance, own_slot));
  refuse(refused_option(m));
  friction_net *net = net_new(m, own_slot, why);
  if (!net) refuse(why);
  d->plugin_data[instance] = (uintptr_t)net;
  return net ? 0 : -1;
}

static void destroy(mjData *d, int instance)
{
  net_free(net_of(d, instance));
  d->plugin_data[instance] = 0;
}

static void copy(mjData *to, const mjModel *m, const mjData *from, int instance)
{
  const friction_net *source = net_of(from, instance);
  friction_net *net = net_of(to, instance);
  if (!source || !net || net->nv != source->nv || net->count != source->count) return;
  memcpy(net->added, source->added, (size_t)m->nv * sizeof(double));
  memcpy(net->f, source->f, (size_t)net->count * sizeof(double));
  memcpy(net->u, source->u, (size_t)net->count * sizeof(double));
  memcpy(net->v, source->v, (size_t)net->count * sizeof(double));
  for (int i = 0; i < net->count; i++) {
    net->contact[i].x = source->contact[i].x;
    memcpy(net->contact[i].s, source->contact[i].s, (size_t)net->joint[i].friction.info->nstate * sizeof(double));
  }
  memcpy(net->before, source->before, (size_t)m->nv * sizeof(double));
  memcpy(net->start, source->start, (size_t)m->nv * sizeof(double));
  net->fresh = source->fresh, net->early = source->early, net->started = source->started;
  memcpy(net->applied, source->applied, ((size_t)m->nv + 6 * (size_t)m->nbody) * sizeof(double));
}

/* zero is the virgin state of every law */
static void reset(const mjModel *m, mjtNum *state, void *data, int instance)
{
  friction_net *net = data;
  for (int i = 0; i < m->plugin_statenum[instance]; i++) state[i] = 0;
  if (!net) return;
  net->nested = net->fresh = net->started = 0;
  memset(net->added, 0, (size_t)m->nv * sizeof(double));
}

/* ---- stages ---- */

static void note_applied(const mjModel *m, const mjData *d, friction_net *net)
{
  memcpy(net->applied, d->qfrc_applied, (size_t)m->nv * sizeof(double));
  memcpy(net->applied + m->nv, d->xfrc_applied, 6 * (size_t)m->nbody * sizeof(double));
}

static int applied_changed(const mjModel *m, const mjData *d, const friction_net *net)
{
  return memcmp(net->applied, d->qfrc_applied, (size_t)m->nv * sizeof(double))
         || memcmp(net->applied + m->nv, d->xfrc_applied, 6 * (size_t)m->nbody * sizeof(double));
}

MJAPI void mj_tendonBias(const mjModel *m, mjData *d, mjtNum *qfrc); /* exported, but in no header */

static void compute_passive(const mjModel *m, mjData *d, friction_net *net)
{
  memset(net->added, 0, (size_t)m->nv * sizeof(double)); /* qfrc_passive has just been made anew */
  net->early = no_actuation(m);
  if (!net->early) return;
  if (mjcb_control && !(m->opt.disableflags & mjDSBL_ACTUATION))
    refuse("in a model without actuators the callback mjcb_control comes too late for friction to know its forces: set "
           "qfrc_applied before mj_step, or add an actuator");
  mj_rne(m, d, 0, d->qfrc_bias);
  if (m->ntendon) mj_tendonBias(m, d, d->qfrc_bias);
  if (d->nefc) mj_referenceConstraint(m, d);
  memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof(double));
  note_applied(m, d, net);
  solve_step(m, d, net);
}

static void compute_actuated(const mjModel *m, mjData *d, friction_net *net)
{
  for (int i = 0; i < m->nv; i++) d->qfrc_passive[i] -= net->added[i];
  mj_markStack(d);
  mjtNum *force = mj_stackAllocNum(d, (size_t)m->nout);
  memcpy(force, d->actuator_force, (size_t)m->nout * sizeof(mjtNum));
  net->nested = 1;
  mj_fwdActuation(m, d);
  net->nested = 0;
  solve_step(m, d, net);
  memcpy(d->actuator_force, force, (size_t)m->nout * sizeof(mjtNum));
  mj_freeStack(d);
}

static void compute(const mjModel *m, mjData *d, int instance, int stage)
{
  friction_net *net = net_of(d, instance);
  if (!net || net->nested) return;
  refuse(refused_option(m));
  if (stage == mjPLUGIN_PASSIVE) compute_passive(m, d, net);
  else compute_actuated(m, d, net);
}

static void advance(const mjModel *m, mjData *d, int instance)
{
  friction_net *net = net_of(d, instance);
  if (!net) return;
  if (!net->fresh) refuse(refused_option(m));
  if (net->early && applied_changed(m, d, net))
    refuse("applied forces were changed between mj_step1 and mj_step2, where friction of a model without actuators "
           "does not "
           "see it: set them before mj_step, or add an actuator");
  solve_advance(m, d, net);
}

mjPLUGIN_LIB_INIT(bristle_friction)
{
  mjpPlugin plugin;
  if (mj_version() != mjVERSION_HEADER)
    mju_error("%s was built for MuJoCo %d, this is %d: build it again with `python -m bristle.mujoco build`",
              PLUGIN_NAME, mjVERSION_HEADER, mj_version());
  mjp_defaultPlugin(&plugin);
  plugin.name = PLUGIN_NAME;
  plugin.attributes = config_attributes(&plugin.nattribute);
  plugin.capabilityflags = mjPLUGIN_PASSIVE | mjPLUGIN_ACTUATOR;
  plugin.nstate = config_states;
  plugin.init = init;
  plugin.destroy = destroy;
  plugin.copy = copy;
  plugin.reset = reset;
  plugin.compute = compute;
  plugin.advance = advance;
  own_slot = mjp_registerPlugin(&plugin);
}
