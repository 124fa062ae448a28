/* The quick way where nothing is constrained: Newton's method on the balance of forces,
 *
 *   smooth - F(u) - A (u - qvel)/h = 0,
 *
 * over all velocities, u of joints without friction included. A has the engine's own sparse layout, and so has A/h +
 * the slopes of the laws: no compliance is computed, and what a held joint leaves of the balance is one difference of
 * two forces. Set-valued laws are held or left to the network, which solves everything else. */
#include "plugin.h"

#include <math.h>
#include <string.h>

typedef struct balance {
  double size, scale; /* what is left of it; what it is made of */
} balance;

/* y = A x / h */
static void inertia_force(const mjModel *m, const double *a, const double *x, double *y)
{
  const double share = 1 / m->opt.timestep;
  for (int i = 0; i < m->nv; i++) {
    const double *row = a + m->M_rowadr[i];
    const int *column = m->M_colind + m->M_rowadr[i], last = m->M_rownnz[i] - 1;
    double sum = row[last] * x[i];
    for (int k = 0; k < last; k++) {
      sum += row[k] * x[column[k]];
      y[column[k]] += share * row[k] * x[i]; /* column[k] < i: its own part is there already */
    }
    y[i] = share * sum;
  }
}

static const double *matrix(const mjData *d, const friction_net *net) { return net->has_metric ? net->metric : d->M; }

static double diagonal(const mjModel *m, const mjData *d, const friction_net *net, int dof)
{
  return matrix(d, net)[m->M_rowadr[dof] + m->M_rownnz[dof] - 1];
}

static double law_step(const mjModel *m, const mjData *d, friction_net *net, int i, double v, double push, double *s)
{
  const bristle_network_contact *c = &net->contact[i];
  const bristle_input in = { .v = v, .x = c->x, .n = c->n, .f = push, .h = m->opt.timestep, .load = c->load };
  memcpy(s, d->plugin_state + net->joint[i].state, (size_t)net->joint[i].friction.info->nstate * sizeof(double));
  return c->law->step(c->p, s, &in, NULL);
}

/* a velocity that the forces of a held joint could have made: what counts as rest is small beside it */
static void put_scales(const mjModel *m, const mjData *d, friction_net *net)
{
  for (int i = 0; i < net->count; i++) net->v[i] = m->opt.timestep * net->f[i] / diagonal(m, d, net, net->joint[i].dof);
}

/* Can every joint be stopped, and held? */
static int hold_all(const mjModel *m, mjData *d, friction_net *net)
{
  inertia_force(m, matrix(d, net), d->qvel, net->total);
  for (int i = 0; i < net->count; i++) {
    const int dof = net->joint[i].dof;
    const double push = net->total[dof] + d->qfrc_smooth[dof];
    net->f[i] = law_step(m, d, net, i, 0, push, net->contact[i].s);
    net->u[i] = 0;
    if (net->f[i] != push) return 0;
  }
  put_scales(m, d, net);
  return 1;
}

/* forces at the velocities `end`, and what they leave of the balance in `left` */
static balance evaluate(const mjModel *m, mjData *d, friction_net *net, const double *end, double *left)
{
  balance b = { 0, 0 };
  for (int i = 0; i < m->nv; i++) net->total[i] = end[i] - d->qvel[i];
  inertia_force(m, matrix(d, net), net->total, net->row);
  memset(net->total, 0, (size_t)m->nv * sizeof(double));
  for (int i = 0; i < net->count; i++) {
    const int dof = net->joint[i].dof;
    net->total[dof] = net->f[i] = law_step(m, d, net, i, end[dof], 0, net->contact[i].s);
  }
  for (int i = 0; i < m->nv; i++) {
    left[i] = d->qfrc_smooth[i] - net->total[i] - net->row[i];
    const double scale = fabs(d->qfrc_smooth[i]) + fabs(net->total[i]) + fabs(net->row[i]);
    if (!(fabs(left[i]) <= b.size)) b.size = fabs(left[i]);
    if (scale > b.scale) b.scale = scale;
  }
  return b;
}

/* A/h + slopes, factorised; the slope of a law is that of the side to which its joint moves or is pushed */
static int linearise(const mjModel *m, mjData *d, friction_net *net, const double *end, const double *left)
{
  const double *a = matrix(d, net), share = 1 / m->opt.timestep;
  double state[BRISTLE_LAW_SIZE];
  for (int i = 0; i < m->nC; i++) net->lower[i] = share * a[i];
  for (int i = 0; i < net->count; i++) {
    const int dof = net->joint[i].dof, last = m->M_rowadr[dof] + m->M_rownnz[dof] - 1;
    const double u = end[dof];
    double nudge = 1e-8 * (fabs(u) + fabs(d->qvel[dof]) + (fabs(net->f[i]) + fabs(left[dof])) / (share * a[last]))
                   + 1e-200;
    if (u < 0 || (u == 0 && left[dof] < 0)) nudge = -nudge;
    nudge = (u + nudge) - u;
    net->lower[last] += (law_step(m, d, net, i, u + nudge, 0, state) - net->f[i]) / nudge;
  }
  inertia_factorise(m, net->lower, net->pivot);
  for (int i = 0; i < m->nv; i++)
    if (!(net->pivot[i] > 0)) return 0; /* a law falls more steeply than the inertia resolves */
  return 1;
}

/* It ends at rounding, as the network does; a matrix serves twice where it has served well. */
static int newton(const mjModel *m, mjData *d, friction_net *net)
{
  enum { ROUNDS = 8 };
  const size_t size = (size_t)m->nv * sizeof(double);
  double *end = net->end, *next = net->next, *left = net->left, *then = net->rate, gain = 1;
  memcpy(end, d->qvel, size);
  balance now = evaluate(m, d, net, end, left);
  for (int round = 0; round < ROUNDS && now.size > 4e-16 * now.scale; round++) {
    if (!(gain < 1e-3) && !linearise(m, d, net, end, left)) return 0;
    memcpy(next, left, size);
    inertia_solve(m, net->lower, net->pivot, next);
    for (int i = 0; i < m->nv; i++) next[i] += end[i];
    const balance after = evaluate(m, d, net, next, then);
    const int settled = now.size <= 2e-15 * now.scale;
    if (!(after.size < (settled ? 0.5 : 0.3) * now.size)) {
      if (!settled && (gain >= 1e-3 || !isfinite(after.size))) return 0;
      now = evaluate(m, d, net, end, left); /* forces and states of this guess again */
      if (settled) break;
      gain = 1;
      continue;
    }
    gain = after.size / now.size, now = after;
    double *const old = end, *const rest = left;
    end = next, next = old, left = then, then = rest;
  }
  for (int i = 0; i < net->count; i++) net->u[i] = end[net->joint[i].dof];
  put_scales(m, d, net);
  return now.size <= 1e-12 * now.scale;
}

int quick_solve(const mjModel *m, mjData *d, friction_net *net)
{
  if (net->set_valued == net->count && net->count == m->nv) return hold_all(m, d, net);
  return net->set_valued == 0 && newton(m, d, net);
}
