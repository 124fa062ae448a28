/* Ways to the solution of a network, from the quickest to the safest. With b = u + r F every contact is its own coupled
 * step, f(b), whose slope lies between 0 (sliding) and 1/r (stuck) for laws that do not fall with speed; the balance is
 *
 *   b + (W - r) f(b) - v = 0.
 *
 * One matrix serves stick and slip, because stick has no infinite slope in b. */
#include "core/network.h"

/* a = I + (W - r) D; r = 0 for prescribed motion */
void network_matrix(network *k, double *a)
{
  const int n = k->rows;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    const double *d = k->slope + c * NETWORK_BLOCK, *r = k->hold + c * NETWORK_BLOCK;
    for (int j = 0; j < dim; j++) {
      for (int i = 0; i < n; i++) {
        double sum = i == row + j ? 1 : 0;
        for (int l = 0; l < dim; l++) {
          double w = k->w[i * n + row + l];
          if (!k->prescribed && i >= row && i < row + dim) w -= r[3 * (i - row) + l];
          sum += w * d[3 * l + j];
        }
        a[i * n + row + j] = sum;
      }
    }
    row += dim;
  }
}

/* The same for contacts along lines by the symmetric matrix W - r + 1/D, whose solution is the change D y of the
   forces; contacts whose forces do not change stand aside. As many negative pivots as laws fall with speed, or else
   there are several solutions about. */
static int symmetric_correction(network *k, const network_guess *at)
{
  const int n = k->rows;
  int falling = 0;
  for (int i = 0; i < n; i++) {
    const double d = k->slope[i * NETWORK_BLOCK], r = k->prescribed ? 0 : k->hold[i * NETWORK_BLOCK];
    const double *w = k->w + i * n;
    const int aside = !(abs_f64(d * w[i]) > 1e-20);
    for (int j = i; j < n; j++) k->lu[i * n + j] = aside ? 0 : w[j];
    for (int j = 0; aside && j < i; j++) k->lu[j * n + i] = 0;
    k->sum[i] = aside ? 0 : 1 / d;
    k->lu[i * (n + 1)] = aside ? 1 : w[i] + (k->sum[i] - r);
    k->y[i] = aside ? 0 : -at->r[i];
    falling += k->sum[i] < 0;
  }
  if (network_solve_symmetric(k->lu, n, k->pair, k->y) != falling) return 0;
  for (int i = 0; i < n; i++)
    if (k->sum[i] == 0) k->sum[i] = -at->r[i] - network_dot(k->w + i * n, k->y, n);
    else k->sum[i] *= k->y[i];
  for (int i = 0; i < n; i++) k->y[i] = k->sum[i];
  return 1;
}

/* k->y = -J^-1 residual; the residual of the balance is the same in u and in b */
int network_correction(network *k, const network_guess *at)
{
  if (k->lines && symmetric_correction(k, at)) return 1;
  network_matrix(k, k->lu);
  if (!network_factor(k->lu, k->rows, k->order)) return 0;
  for (int i = 0; i < k->rows; i++) k->y[i] = -at->r[i];
  network_back(k->lu, k->rows, k->order, k->y);
  return 1;
}

void network_move(network *k, double part)
{
  for (int i = 0; i < k->rows; i++) k->next.b[i] = k->now.b[i] + part * k->y[i];
  network_evaluate(k, &k->next);
}

/* If every contact can hold: F = W^-1 v stops all of them, and each law says that it can. */
int network_rest(network *k)
{
  const bristle_network *net = k->net;
  const int n = k->rows;
  for (int i = 0; i < n; i++) k->y[i] = k->v[i];
  if (network_solve_symmetric(k->w, n, k->lu, k->y) != 0) return 0;
  network_hold_diagonal(k);
  double *s = k->now.s;
  for (int c = 0, row = 0; c < net->count; c++) {
    const int dim = network_dim(&net->contact[c]);
    const double *r = k->hold + c * NETWORK_BLOCK;
    for (int i = 0; i < dim; i++) k->now.b[row + i] = network_dot(r + 3 * i, k->y + row, dim);
    network_local(k, c, row, k->now.b, k->now.u, k->now.f, s);
    for (int i = 0; i < dim; i++) {
      if (k->now.u[row + i] != 0) return 0;
      k->now.f[row + i] = k->y[row + i];
    }
    row += dim;
    s += network_nstate(&net->contact[c]);
  }
  k->sweeps++;
  k->now.size = 0, k->now.scale = 1;
  return 1;
}

/* b that the forces f leave to each contact: v - (W - r) f */
void network_follow(network *k, const double *f, double *b)
{
  network_lost(k, f, k->sum);
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++)
      b[row + i] = k->v[row + i] - k->sum[row + i] + network_dot(k->hold + c * NETWORK_BLOCK + 3 * i, f + row, dim);
    row += dim;
  }
}

/* Gauss and Seidel: contact by contact, each with what the others leave it. r must be the diagonal of W. */
void network_sweep(network *k, network_guess *at)
{
  const int n = k->rows;
  double *s = at->s;
  k->sweeps++;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++)
      at->b[row + i] = k->v[row + i] - network_dot(k->w + (row + i) * n, at->f, n)
                       + network_dot(k->hold + c * NETWORK_BLOCK + 3 * i, at->f + row, dim);
    network_local(k, c, row, at->b, at->u, at->f, s);
    row += dim;
    s += network_nstate(&k->net->contact[c]);
  }
}

void network_remember(network *k)
{
  if (k->now.size < k->best.size) network_keep(k, &k->best, &k->now);
}

/* Newton in b with r on the diagonal, from the forces in k->now.f; where a step does not pay, sweeps */
int network_newton(network *k, int rounds)
{
  int sweeps = 1;
  network_hold_diagonal(k);
  network_follow(k, k->now.f, k->now.b);
  network_evaluate(k, &k->now);
  for (int round = 0; round < rounds; round++) {
    network_remember(k);
    if (network_exact(&k->now)) return 1;
    const double merit = network_merit(k, &k->now);
    int served = 0;
    network_slopes(k, &k->now, NULL);
    if (network_correction(k, &k->now))
      for (double part = 1; part >= 0.25 && !served; part *= 0.5) {
        network_move(k, part);
        served = network_merit(k, &k->next) <= (part == 1 ? 0.5 : 1 - part / 2) * merit;
      }
    if (served) {
      network_swap(&k->now, &k->next);
      continue;
    }
    if (network_done(&k->now)) return 1;
    for (int i = 0; i < sweeps; i++) network_sweep(k, &k->now);
    sweeps = sweeps < 16 ? 2 * sweeps : 16;
    network_follow(k, k->now.f, k->now.b);
    network_evaluate(k, &k->now);
  }
  network_remember(k);
  return network_done(&k->now);
}
