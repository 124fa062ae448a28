/* The safest way of a network: the load is raised from what rest needs to what it is, and the solution followed.
 *
 *   b + (W - r) f(b) = v0 + t (v - v0),   v0 = W F(rest),   t from 0 to 1
 *
 * Each contact is its own coupled step f(b) with r so small that it does not jump. Forces are bounded, so that a path
 * leads from rest at t = 0 past t = 1 to fast sliding; t may fall in between, where a contact breaks away. t rises
 * where the determinant is positive and falls where it is negative (Eaves), whatever corners lie between. A corner
 * belongs to one contact, whose own b runs on across it: with that b given, the others do not see the corner. */
#include "core/network.h"

typedef struct path {
  network *k;
  double t;
  double heading; /* sign of the determinant where t rises */
  double *rise;   /* v - v0 */
  double *along;  /* where b goes, its largest entry 1; meanwhile the forces go by `pull` and t by `turn` */
  double *pull;
  double turn;
} path;

/* Newton's method on the guess k->next with one b given (given < 0: t) */
static int correct(path *a, int given, double *t, double tolerance)
{
  enum { ROUNDS = 8 };
  network *k = a->k;
  const int n = k->rows;
  double last = 1e300;
  for (int round = 0; round < ROUNDS; round++) {
    double size = 0;
    network_evaluate(k, &k->next);
    for (int i = 0; i < n; i++) {
      k->y[i] = -(k->next.r[i] + (1 - *t) * a->rise[i]);
      if (!(abs_f64(k->y[i]) <= size)) size = abs_f64(k->y[i]);
    }
    if (size <= tolerance * k->next.scale) return 1;
    if (!(size < (round < 2 ? 10 : 0.5) * last)) return size <= 1e-12 * k->next.scale;
    last = size;
    network_slopes(k, &k->next, NULL);
    network_matrix(k, k->lu);
    for (int i = 0; given >= 0 && i < n; i++) k->lu[i * n + given] = -a->rise[i];
    if (!network_factor(k->lu, n, k->order)) return 0;
    network_back(k->lu, n, k->order, k->y);
    for (int i = 0; i < n; i++)
      if (i == given) *t += k->y[i];
      else k->next.b[i] += k->y[i];
  }
  return 0;
}

/* a guess that solves the problem itself, from k->next */
static int arrive(path *a)
{
  double end = 1;
  if (!correct(a, -1, &end, 4e-16)) return 0;
  network_swap(&a->k->now, &a->k->next);
  return network_done(&a->k->now);
}

static int largest_entry(const double *x, int n)
{
  int at = 0;
  for (int i = 1; i < n; i++)
    if (abs_f64(x[i]) > abs_f64(x[at])) at = i;
  return at;
}

/* direction of the path at k->now */
static int look_ahead(path *a)
{
  network *k = a->k;
  const int n = k->rows;
  network_slopes(k, &k->now, NULL);
  network_matrix(k, k->lu);
  if (!network_factor(k->lu, n, k->order)) return 0;
  a->turn = 1;
  for (int i = 0; i < n; i++)
    if ((k->lu[i * n + i] < 0) != (k->order[i] != i)) a->turn = -a->turn;
  if (a->heading == 0) a->heading = a->turn;
  a->turn *= a->heading;
  for (int i = 0; i < n; i++) a->along[i] = a->rise[i];
  network_back(k->lu, n, k->order, a->along);
  const double largest = abs_f64(a->along[largest_entry(a->along, n)]);
  if (!(largest > 0)) return 0;
  a->turn /= largest;
  for (int i = 0; i < n; i++) a->along[i] *= a->turn;
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++)
      a->pull[row + i] = network_dot(k->slope + c * NETWORK_BLOCK + 3 * i, a->along + row, dim);
    row += dim;
  }
  return 1;
}

/* k->next: a straight step; how many contacts bend on it, and which does most */
static int bends(path *a, double length, int *most)
{
  network *k = a->k;
  int count = 0;
  double worst = 0;
  for (int i = 0; i < k->rows; i++) k->next.b[i] = k->now.b[i] + length * a->along[i];
  network_evaluate(k, &k->next);
  *most = 0;
  for (int i = 0; i < k->rows; i++) {
    const double straight = length * a->pull[i], w = k->w[i * k->rows + i];
    const double off = abs_f64(k->next.f[i] - k->now.f[i] - straight) * w;
    if (off > 0.1 * length && off > 0.3 * (length * abs_f64(a->along[i]) + w * abs_f64(straight))) count++;
    if (off > worst) worst = off, *most = i;
  }
  return count;
}

/* does a contact fall with speed? Where none does, t only rises */
static int falls(const network *k)
{
  for (int c = 0; c < k->net->count; c++)
    for (int i = 0; i < network_dim(&k->net->contact[c]); i++)
      if (k->slope[c * NETWORK_BLOCK + 4 * i] < 0) return 1;
  return 0;
}

typedef enum progress { STUCK, MOVED, ARRIVED } progress;

/* one step along the path, over at most one corner; *length is what was tried, and becomes what to try next */
static progress advance(path *a, double *length, double least)
{
  enum { ATTEMPTS = 40 };
  network *k = a->k;
  if (!look_ahead(a)) return STUCK;
  const int fell = falls(k); /* until a corner that ends the fall, t falls too */
  for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
    int most;
    double t = a->t + *length * a->turn;
    const int last = t >= 1;
    if (last) *length = (1 - a->t) / a->turn, t = 1;
    const int corners = bends(a, *length, &most);
    if (corners > 1 && *length > least) {
      *length *= 0.5;
      continue;
    }
    if (last && !corners) {
      if (arrive(a)) return ARRIVED;
    } else if (correct(a, corners ? most : largest_entry(a->along, k->rows), &t, 1e-9)) {
      if (t >= 1) {
        if (arrive(a)) return ARRIVED;
      } else if (t > a->t || fell || falls(k)) {
        a->t = t;
        network_swap(&k->now, &k->next);
        *length *= attempt ? 2 : 8;
        return MOVED;
      }
    }
    *length *= 0.3;
    if (*length < 1e-6 * least) return STUCK;
  }
  return STUCK;
}

static int follow(path *a)
{
  const int steps = 60 + 30 * a->k->rows;
  const double unit = a->k->now.scale;
  double length = unit;
  for (int step = 0; step < steps; step++) {
    const progress went = advance(a, &length, 1e-9 * unit);
    if (went != MOVED) return went == ARRIVED;
  }
  return 0;
}

/* k->now: all contacts at rest, or moving as the host thinks (part = 1), and the load that takes */
static void begin(path *a, double part)
{
  network *k = a->k;
  k->prescribed = 1;
  for (int i = 0; i < k->rows; i++) k->now.b[i] = part * k->net->u[i];
  network_evaluate(k, &k->now);
  k->prescribed = 0;
  network_lost(k, k->now.f, k->sum);
  for (int i = 0; i < k->rows; i++) a->rise[i] = k->v[i] - k->now.u[i] - k->sum[i];
  for (int c = 0, row = 0; c < k->net->count; c++) {
    const int dim = network_dim(&k->net->contact[c]);
    for (int i = 0; i < dim; i++)
      k->now.b[row + i] += network_dot(k->hold + c * NETWORK_BLOCK + 3 * i, k->now.f + row, dim);
    row += dim;
  }
  network_evaluate(k, &k->now);
  a->t = a->heading = 0;
}

/* with smaller and smaller r, from rest and from where the host thinks it is */
static int follow_from_anywhere(path *a)
{
  static const double parts[] = { 0.1, 0.01, 0.001 };
  network *k = a->k;
  for (int i = 0; i < 3; i++) {
    network_hold_diagonal(k);
    for (int j = 0; j < NETWORK_BLOCK * k->net->count; j++) k->hold[j] *= parts[i];
    for (int moving = 0; moving < 2; moving++) {
      begin(a, moving);
      if (network_exact(&k->now) || follow(a)) return 1;
    }
  }
  return 0;
}

/* A law may hold with more than its first motion is worth: a path at rest then ends where the contact lets go. Those
   that can move on do so in a second trial, and what rest and motion have in common joins them. */
int network_path(network *k)
{
  path a = { .k = k, .rise = k->push, .along = k->force, .pull = k->first };
  k->sliding = 0;
  if (follow_from_anywhere(&a)) return 1;
  k->sliding = k->set_valued;
  const int found = k->set_valued && follow_from_anywhere(&a);
  k->sliding = 0;
  return found;
}
