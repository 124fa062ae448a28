/* The slow ways of a network: contacts that fall with speed, and contacts that barely fit together. */
#include "core/network.h"

/* Newton on the forces themselves: g = f(v - (W - r) g), with y from (I + D (W - r)) y = f - g. r is that of a contact
   whose neighbours are locked, so that no single contact jumps where the network would not. */
static int stiff_step(network *k, int clamped)
{
  const int n = k->rows;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    const double *r = k->hold + c * NETWORK_BLOCK;
    double *d = k->slope + c * NETWORK_BLOCK;
    for (int i = 0; clamped && i < dim; i++)
      if (d[4 * i] < 0)
        for (int j = 0; j < dim; j++) d[3 * i + j] = 0;
    for (int i = 0; i < dim; i++)
      for (int j = 0; j < n; j++) {
        double sum = row + i == j ? 1 : 0;
        for (int l = 0; l < dim; l++) {
          double w = k->w[(row + l) * n + j];
          if (j >= row && j < row + dim) w -= r[3 * l + j - row];
          sum += d[3 * i + l] * w;
        }
        k->lu[(row + i) * n + j] = sum;
      }
    row += dim;
  }
  if (!network_factor(k->lu, n, k->order)) return 0;
  for (int i = 0; i < n; i++) k->y[i] = k->now.f[i] - k->force[i];
  network_back(k->lu, n, k->order, k->y);
  return 1;
}

/* the guess that follows from forces g: at->f are the laws' answers to them, at->r = f - g in velocities */
static double answer(network *k, network_guess *at, const double *g)
{
  double sum = 0;
  network_follow(k, g, at->b);
  network_evaluate(k, at);
  for (int i = 0; i < k->rows; i++) {
    const double e = at->f[i] - g[i];
    sum += e * e * k->w[i * k->rows + i];
  }
  return sum;
}

static int stiff_search(network *k, int clamped)
{
  enum { ROUNDS = 15 };
  double *trial = k->pair;
  double merit = answer(k, &k->now, k->force);
  for (int round = 0; round < ROUNDS; round++) {
    network_remember(k);
    if (network_exact(&k->now)) return 1;
    network_slopes(k, &k->now);
    if (!stiff_step(k, clamped)) return network_done(&k->now);
    double part = 1, reached = merit;
    for (int halving = 0; halving < 8; halving++, part *= 0.5) {
      for (int i = 0; i < k->rows; i++) trial[i] = k->force[i] + part * k->y[i];
      reached = answer(k, &k->next, trial);
      if (reached <= (1 - part / 4) * merit) break;
    }
    if (!(reached < merit)) return network_done(&k->now);
    for (int i = 0; i < k->rows; i++) k->force[i] = trial[i];
    merit = reached;
    network_swap(&k->now, &k->next);
  }
  network_remember(k);
  return network_done(&k->now);
}

/* one sweep from the best guess so far, or the forces at the start */
static void start_from(network *k, int best)
{
  network_hold_diagonal(k);
  for (int i = 0; i < k->rows; i++) k->next.f[i] = best ? k->best.f[i] : k->first[i];
  if (best) network_sweep(k, &k->next);
  for (int i = 0; i < k->rows; i++) k->force[i] = k->next.f[i];
}

int network_stiff(network *k)
{
  static const double parts[] = { 1, 0.3, 0.1, 0.03 };
  for (int i = 0; i < 4; i++)
    for (int way = 0; way < 4; way++) {
      start_from(k, way < 2);
      if (!network_hold_inverse(k, parts[i])) return 0;
      if (stiff_search(k, way & 1)) return 1;
    }
  return 0;
}

/* Softer contacts first: W + e diag W and v + e diag W F have the same solution once F is it, and for large e the
   contacts hardly feel each other. e shrinks as long as that works. */
int network_soft(network *k)
{
  enum { ROUNDS = 60 };
  const int n = k->rows;
  const double *w = k->w, *v = k->v;
  double e = 0.1;
  for (int i = 0; i < n; i++) k->force[i] = k->best.f[i];
  for (int round = 0; round < ROUNDS && e > 1e-10 && e < 1e3; round++) {
    for (int i = 0; i < n * n; i++) k->soft[i] = w[i];
    for (int i = 0; i < n; i++) {
      const double extra = e * w[i * n + i];
      k->soft[i * n + i] += extra;
      k->push[i] = v[i] + extra * k->force[i];
      k->now.f[i] = k->force[i];
    }
    k->w = k->soft, k->v = k->push;
    k->best.size = 1e300;
    const int served = network_newton(k, 12);
    k->w = w, k->v = v;
    for (int i = 0; served && i < n; i++) k->force[i] = k->now.f[i];
    e = served ? 0.1 * e : 4 * e;
  }
  for (int i = 0; i < n; i++) k->now.f[i] = k->force[i];
  k->best.size = 1e300;
  return network_newton(k, 12);
}
