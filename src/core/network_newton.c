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

/* k->y = -J^-1 residual; the residual of the balance is the same in u and in b */
static int correction(network *k, const network_guess *at)
{
  network_matrix(k, k->lu);
  if (!network_factor(k->lu, k->rows, k->order)) return 0;
  for (int i = 0; i < k->rows; i++) k->y[i] = -at->r[i];
  network_back(k->lu, k->rows, k->order, k->y);
  return 1;
}

static void move(network *k, double part)
{
  for (int i = 0; i < k->rows; i++) k->next.b[i] = k->now.b[i] + part * k->y[i];
  network_evaluate(k, &k->next);
}

/* y W^-1 y and y D y of the correction y; 0 when W is not positive */
static int stiffness_along(network *k, double *inertia, double *predicted)
{
  const int n = k->rows;
  *inertia = *predicted = 0;
  for (int i = 0; i < n * n; i++) k->pair[i] = k->w[i];
  if (!network_cholesky(k->pair, n)) return 0;
  for (int i = 0; i < n; i++) k->sum[i] = k->y[i];
  network_cholesky_forward(k->pair, n, k->sum);
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++) {
      *inertia += k->sum[row + i] * k->sum[row + i];
      *predicted += k->y[row + i] * network_dot(k->slope + c * NETWORK_BLOCK + 3 * i, k->y + row, dim);
    }
    row += dim;
  }
  return 1;
}

/* Where laws do not fall with speed the solution is the lowest place of (u - v) W^-1 (u - v)/2 + the laws' potentials,
   which is convex: the lowest place along the correction is a better guess, whatever the residual says. At the part t
   of the correction y the slope is -(1 - t) y W^-1 y - y D y + (F(t) - F(0)) y: no potential is needed. k->next is the
   whole correction on entry, the guess found on exit. */
static int lowest_along(network *k)
{
  enum { TRIALS = 8 };
  double inertia, predicted, part = 1, ends[2] = { 0, 1 };
  if (!stiffness_along(k, &inertia, &predicted)) return 0;
  const double first = -(inertia + predicted);
  double slopes[2] = { first, 0 };
  if (!(first < 0)) return 0;
  for (int trial = 0;; trial++) {
    double slope = -(1 - part) * inertia - predicted;
    for (int i = 0; i < k->rows; i++) slope += (k->next.f[i] - k->now.f[i]) * k->y[i];
    if (trial == TRIALS || abs_f64(slope) <= -0.3 * first || (part == 1 && slope < 0)) return 1;
    ends[slope > 0] = part, slopes[slope > 0] = slope;
    const double wide = ends[1] - ends[0], share = slopes[0] / (slopes[0] - slopes[1]);
    part = ends[0] + wide * (share < 0.05 ? 0.05 : share > 0.95 ? 0.95 : share);
    move(k, part);
  }
}

/* Smooth laws: Newton's method on the velocities themselves, each contact moving as told. Cheap, and enough while
   nothing breaks away; whatever does not go well is left to the others. It ends at rounding, not at a tolerance: what
   is left of the balance shakes the contacts, and bristles below their level creep by half of the way that they are
   shaken, however small it is. */
int network_quick(network *k)
{
  enum { ROUNDS = 20 };
  k->prescribed = 1;
  for (int i = 0; i < k->rows; i++) k->now.b[i] = k->net->u[i];
  network_evaluate(k, &k->now);
  for (int round = 0; round < ROUNDS && !network_exact(&k->now); round++) {
    network_slopes(k, &k->now);
    if (!correction(k, &k->now)) return 0;
    move(k, 1);
    const double left = k->next.size / k->now.size;
    if (!(left < 0.5) && network_settled(&k->now)) break;
    if (!(left < 0.3) && !lowest_along(k)) break;
    network_swap(&k->now, &k->next);
  }
  if (k->next.size < k->now.size) network_swap(&k->now, &k->next);
  return network_done(&k->now);
}

/* If every contact can hold: F = W^-1 v stops all of them, and each law says that it can. */
int network_rest(network *k)
{
  const bristle_network *net = k->net;
  const int n = k->rows;
  for (int c = 0; c < net->count; c++)
    if (!(network_traits(&net->contact[c]) & BRISTLE_SET_VALUED)) return 0;
  for (int i = 0; i < n * n; i++) k->lu[i] = k->w[i];
  if (!network_cholesky(k->lu, n)) return 0;
  for (int i = 0; i < n; i++) k->y[i] = k->v[i];
  network_cholesky_back(k->lu, n, k->y);
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
    network_slopes(k, &k->now);
    if (correction(k, &k->now))
      for (double part = 1; part >= 0.25 && !served; part *= 0.5) {
        move(k, part);
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
