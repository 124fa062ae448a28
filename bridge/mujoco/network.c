/* The joints of all instances in a model, and the memory that a step needs. */
#include "plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_instance(const mjModel *m, int instance, friction_net *net, char *why)
{
  int *joint = malloc((size_t)m->njnt * sizeof *joint + 1), count = 0, state = m->plugin_stateadr[instance];
  int failed = !joint || config_joints(m, instance, joint, m->njnt, &count, why);
  for (int i = 0; i < count && !failed; i++) {
    friction_joint *own = &net->joint[net->count];
    if ((failed = config_friction(m, instance, joint[i], own, why))) break;
    own->state = state, state += own->friction.info->nstate;
    for (int k = 0; k < net->count && !failed; k++)
      if (net->joint[k].dof == own->dof) {
        snprintf(why, WHY, "joint '%s' has friction of two instances; give it one",
                 m->names + m->name_jntadr[joint[i]]);
        failed = 1;
      }
    net->count += !failed;
  }
  free(joint);
  if (!failed && state - m->plugin_stateadr[instance] != m->plugin_statenum[instance]) {
    snprintf(why, WHY, "the model file of instance %d has changed since the model was compiled; load the XML again",
             instance);
    failed = 1;
  }
  return failed;
}

/* One block for all arrays; each begins where the last one ends. */
static int take_memory(const mjModel *m, friction_net *net)
{
  const size_t n = (size_t)net->count, nv = (size_t)m->nv;
  size_t states = 0;
  for (int i = 0; i < net->count; i++) states += (size_t)net->joint[i].friction.info->nstate;
  const size_t applied = nv + 6 * (size_t)m->nbody;
  const size_t sparse = (size_t)m->nC;
  const size_t size[] = { states, n * n, n,  n,  n,  nv * n, nv, nv, sparse, sparse, nv,     nv * nv,
                          nv,     nv,    nv, nv, nv, sparse, nv, nv, nv,     nv,     applied };
  double **const place[] = { &net->s,     &net->w,     &net->f,      &net->v,      &net->u,       &net->column,
                             &net->total, &net->other, &net->metric, &net->factor, &net->inverse, &net->dense,
                             &net->row,   &net->rate,  &net->added,  &net->before, &net->start,   &net->lower,
                             &net->pivot, &net->end,   &net->next,   &net->left,   &net->applied };
  size_t total = 1;
  for (size_t i = 0; i < sizeof size / sizeof *size; i++) total += size[i];
  net->contact = calloc(n + 1, sizeof *net->contact);
  net->memory = calloc(total, sizeof *net->memory);
  if (!net->contact || !net->memory) return 1;
  double *next = net->memory, *s;
  for (size_t i = 0; i < sizeof size / sizeof *size; next += size[i++]) *place[i] = next;
  s = net->s;
  for (int i = 0; i < net->count; i++) {
    const friction_joint *joint = &net->joint[i];
    net->contact[i] = (bristle_network_contact){
      .law = joint->friction.law->f64, .p = joint->friction.p, .s = s, .n = joint->normal, .load = joint->friction.load
    };
    net->set_valued += (joint->friction.info->traits & BRISTLE_TRAIT_SET_VALUED) != 0;
    s += joint->friction.info->nstate;
  }
  const bristle_network probe = { .count = net->count, .contact = net->contact };
  net->work = malloc((bristle_network_work(&probe) + 1) * sizeof *net->work);
  return !net->work;
}

friction_net *net_new(const mjModel *m, int slot, char *why)
{
  friction_net *net = calloc(1, sizeof *net);
  int failed = !net;
  snprintf(why, WHY, "not enough memory");
  if (net) net->joint = calloc((size_t)m->njnt + 1, sizeof *net->joint), net->nv = m->nv, failed = !net->joint;
  for (int i = 0; i < m->nplugin && !failed; i++)
    if (m->plugin[i] == slot) failed = add_instance(m, i, net, why);
  if (!failed && take_memory(m, net)) snprintf(why, WHY, "not enough memory"), failed = 1;
  if (!failed) return net;
  net_free(net);
  return NULL;
}

void net_free(friction_net *net)
{
  if (!net) return;
  free(net->joint);
  free(net->contact);
  free(net->memory);
  free(net->work);
  free(net);
}
