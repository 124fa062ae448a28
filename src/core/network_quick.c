/* The quick way of a network: Newton's method on the velocities themselves, each contact at its prescribed velocity.
 * Cheap, and enough while nothing breaks away; whatever does not go well is left to the others. Contacts of set-valued
 * laws that rest are sought by their forces instead: r = 0 for what moves, the diagonal of W for what rests. */
#include "core/network.h"

/* y W^-1 y and y D y of the correction y; 0 when W is not positive */
static int stiffness_along(network *k, double *inertia, double *predicted)
{
  const int n = k->rows;
  *inertia = *predicted = 0;
  for (int i = 0; i < n; i++) k->sum[i] = k->y[i];
  if (network_solve_symmetric(k->w, n, k->pair, k->sum) != 0) return 0;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++) {
      *inertia += k->y[row + i] * k->sum[row + i];
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
    network_move(k, part);
  }
}

static int is_set_valued(const network *k, int c)
{
  return (network_traits(&k->net->contact[c]) & BRISTLE_TRAIT_SET_VALUED) != 0;
}

/* contact c rests from now on, with a force that the next correction finds */
static void put_to_rest(network *k, int c, int row)
{
  const int dim = network_dim(&k->net->contact[c]);
  for (int i = 0; i < dim; i++) {
    k->now.b[row + i] = 0;
    for (int j = 0; j < dim; j++) k->hold[c * NETWORK_BLOCK + 3 * i + j] = k->w[(row + i) * k->rows + row + j];
  }
}

/* Set-valued contacts that rest at the guess are put to rest (turned = 0), or those that a correction would turn round.
   How many were? */
static int rest_some(network *k, int turned)
{
  int count = 0;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    double dot = 0;
    for (int i = 0; i < dim; i++)
      dot += k->now.b[row + i] * (turned ? k->now.b[row + i] + k->y[row + i] : k->now.b[row + i]);
    if (is_set_valued(k, c) && k->hold[c * NETWORK_BLOCK] == 0 && (turned ? dot < 0 : dot == 0))
      put_to_rest(k, c, row), count++;
    row += dim;
  }
  return count;
}

/* a set-valued contact that moves although it could rest, the others being as they are */
static int could_rest(const network *k, int c, int row)
{
  const bristle_network_contact *at = &k->net->contact[c];
  if (!at->law || !is_set_valued(k, c) || k->now.u[row] == 0) return 0;
  const double w = k->w[row * (k->rows + 1)], b = k->now.u[row] + w * k->now.f[row];
  return abs_f64(b) <= w * abs_f64(network_force(k, c, 0, copysign_f64(1e100, b)));
}

/* A set-valued contact that moves must not be able to rest, and must not balance on the falling side of its law. */
static int moves_rightly(const network *k)
{
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int at = row;
    row += network_dim(&k->net->contact[c]);
    if (!is_set_valued(k, c) || k->hold[c * NETWORK_BLOCK] != 0) continue;
    if (!k->net->contact[c].law || could_rest(k, c, at)) return 0;
    if (!(k->w[at * (k->rows + 1)] * k->slope[c * NETWORK_BLOCK] > -0.5)) return 0;
  }
  return 1;
}

/* It ends at rounding, not at a tolerance: what is left of the balance shakes the contacts, and bristles below their
   level creep by half of the way that they are shaken, however small it is. */
static int quick_from_here(network *k, int set_valued)
{
  enum { ROUNDS = 20 };
  const network_guess *before = NULL;
  network_evaluate(k, &k->now);
  for (int round = 0; round < ROUNDS && !network_exact(&k->now); round++) {
    network_slopes(k, &k->now, before);
    if (!network_correction(k, &k->now)) return 0;
    if (set_valued && rest_some(k, 1)) {
      network_evaluate(k, &k->now);
      before = NULL;
      continue;
    }
    network_move(k, 1);
    const double left = k->next.size / k->now.size;
    if (!(left < 0.5) && network_settled(&k->now)) break;
    if (!(left < 0.3) && (set_valued || !lowest_along(k))) break;
    network_swap(&k->now, &k->next);
    before = &k->next;
  }
  if (k->next.size < k->now.size) network_swap(&k->now, &k->next);
  return network_done(&k->now);
}

int network_quick(network *k)
{
  k->prescribed = 0;
  for (int i = 0; i < NETWORK_BLOCK * k->net->count; i++) k->hold[i] = 0;
  for (int i = 0; i < k->rows; i++) k->now.b[i] = k->net->u[i];
  if (k->set_valued) rest_some(k, 0);
  return quick_from_here(k, k->set_valued) && (!k->set_valued || moves_rightly(k));
}

/* ---- of several solutions, one nearer to rest ---- */

static int resting(const network *k)
{
  int count = 0;
  for (int i = 0; i < k->rows; i++) count += k->now.u[i] == 0;
  return count;
}

/* k->best is a solution: start from it with those at rest that rest, and with those that could (all, or only one). Is
   there another one with more at rest? */
static int rest_more(network *k, int only)
{
  network_keep(k, &k->now, &k->best);
  k->prescribed = 0;
  const int before = resting(k);
  int put = 0;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    int still = is_set_valued(k, c);
    for (int i = 0; i < dim; i++) still &= k->now.u[row + i] == 0;
    const int now = (only < 0 || c == only) && could_rest(k, c, row);
    for (int i = 0; i < NETWORK_BLOCK; i++) k->hold[c * NETWORK_BLOCK + i] = 0;
    for (int i = 0; i < dim; i++) k->now.b[row + i] = k->now.u[row + i];
    if (still || now) put_to_rest(k, c, row);
    for (int i = 0; still && i < dim; i++)
      k->now.b[row + i] = network_dot(k->hold + c * NETWORK_BLOCK + 3 * i, k->now.f + row, dim);
    put += now;
    row += dim;
  }
  return put && quick_from_here(k, 1) && resting(k) > before;
}

void network_nearer(network *k)
{
  enum { ROUNDS = 8 };
  for (int round = 0; round < ROUNDS; round++) {
    network_keep(k, &k->best, &k->now);
    int found = rest_more(k, -1);
    for (int c = 0; c < k->net->count && !found; c++) found = rest_more(k, c);
    if (!found) break;
  }
  network_keep(k, &k->now, &k->best);
}
