/* The direct way of a network whose contacts lie along lines, can all rest exactly and keep no states: which of them
 * rest, and which way do the others move? Forces of moving contacts are straight lines in their speeds, F = f + slope
 * (u - u0), so that for a given choice everything follows from one symmetric system: rows of W for the forces of those
 * that rest, the same with 1/slope on the diagonal for those that move. Forces that do not change with speed drop out
 * of it. A choice that does not fit is changed where it does not; what is not settled soon is left to the other ways.
 */
#include "core/network.h"

enum { MOST = 64 };
#define STEEPEST 0.99 /* fall of a law, times w: a single contact has several solutions from 1 on */
#define BARELY 1e-200 /* the speed of a contact that has just begun to move */

typedef struct choice {
  network *k;
  double *u, *f;      /* where the lines touch; u = 0: at rest */
  double slope[MOST]; /* of the moving ones */
  double most[MOST];  /* with which they could be held */
  double line[MOST];  /* forces that fit the lines, */
  double speed[MOST]; /* and the velocities that follow */
  int list[MOST];     /* rows of the system */
} choice;

static double force_at(const network *k, int c, double v, double push)
{
  const bristle_network_contact *at = &k->net->contact[c];
  const bristle_input in = { v, at->x, at->n, push, 0, 0, k->net->h, at->load };
  return at->law->step(at->p, at->s, &in, NULL);
}

/* moving contacts are pushed by more than they could hold against: some laws blend their force with that */
static double sliding_force(const network *k, int c, double u) { return force_at(k, c, u, copysign_f64(1e100, u)); }

/* What a push has beyond what the contact can answer it with. Load factors are divided out and multiplied back, which
   rounds. */
static double excess(const network *k, int c, double push)
{
  const double over = abs_f64(force_at(k, c, 0, push) - push);
  return over <= 4e-16 * abs_f64(push) && abs_f64(push) < 1e300 ? 0 : over;
}

static int all_rest(network *k)
{
  const int n = k->rows;
  for (int i = 0; i < n; i++) k->now.f[i] = k->v[i];
  k->sweeps++;
  if (network_solve_symmetric(k->w, n, k->lu, k->now.f) != 0) return 0;
  for (int i = 0; i < n; i++)
    if (!(excess(k, i, k->now.f[i]) <= 0)) return 0;
  for (int i = 0; i < n; i++) k->now.u[i] = 0;
  k->now.size = 0, k->now.scale = 1;
  return 1;
}

/* The line that touches a law at the contact's speed. Where it is also the chord from rest, as far as rounding of a
   small difference tells, the chord is the better number. Too steep a fall would lead astray. */
static void touch(choice *a, int i)
{
  network *k = a->k;
  const double w = k->w[i * (k->rows + 1)], u = a->u[i], chord = (a->f[i] - a->most[i]) / u;
  const double nudge = copysign_f64(1e-8 * (abs_f64(u) + abs_f64(k->v[i]) + w * abs_f64(a->f[i])) + 1e-200, u);
  double rise = (sliding_force(k, i, u + nudge) - a->f[i]) / ((u + nudge) - u);
  if (abs_f64(w * (chord - rise)) <= NETWORK_NOISE) rise = chord;
  a->slope[i] = w * rise > -STEEPEST ? rise : -STEEPEST / w;
  k->measured[i] = 1;
}

/* a law whose force at a speed is what it can hold is flat, as far as one can see */
static void start_moving(choice *a, int i, double u)
{
  a->u[i] = u, a->f[i] = sliding_force(a->k, i, u);
  a->most[i] = force_at(a->k, i, 0, copysign_f64(1e100, u));
  if (a->f[i] == a->most[i] && abs_f64(u) > BARELY) a->slope[i] = 0;
  else touch(a, i);
}

/* a->line and a->speed of the choice as it is */
static int fit_lines(choice *a)
{
  network *k = a->k;
  const int n = k->rows;
  int m = 0, falling = 0;
  for (int i = 0; i < n; i++) {
    a->line[i] = a->f[i];
    if (a->u[i] == 0 || a->slope[i] != 0) a->list[m++] = i, a->line[i] = 0;
  }
  for (int row = 0; row < m; row++) {
    const int i = a->list[row];
    const double *w = k->w + i * n;
    k->y[row] = k->v[i] - network_dot(w, a->line, n);
    for (int column = row; column < m; column++) k->lu[row * m + column] = w[a->list[column]];
    if (a->u[i] == 0) continue;
    const double soft = 1 / a->slope[i];
    k->lu[row * (m + 1)] += soft, k->y[row] += a->f[i] * soft - a->u[i];
    falling += soft < 0;
  }
  if (network_solve_symmetric(k->lu, m, k->pair, k->y) != falling) return 0;
  for (int row = 0; row < m; row++) a->line[a->list[row]] = k->y[row];
  for (int i = 0; i < n; i++) a->speed[i] = a->u[i] == 0 ? 0 : k->v[i] - network_dot(k->w + i * n, a->line, n);
  return 1;
}

/* by how much a contact does not fit the choice, as a velocity: it would turn round, or rests with more than it holds
 */
static double misfit(const choice *a, int i)
{
  const network *k = a->k;
  if (a->u[i] == 0) return k->w[i * (k->rows + 1)] * excess(k, i, a->line[i]);
  const double on = a->speed[i] * copysign_f64(1, a->u[i]);
  return on > 0 ? 0 : BARELY - on;
}

static void turn(choice *a, int i)
{
  if (a->u[i] == 0) start_moving(a, i, copysign_f64(BARELY, a->line[i]));
  else a->u[i] = 0;
}

/* Contacts that do not fit are set moving or put to rest: all of them, or the worst one. Were there any? */
static int change(choice *a, int all)
{
  int worst = -1;
  double most = 0;
  for (int i = 0; i < a->k->rows; i++) {
    const double off = misfit(a, i);
    if (off <= most) continue;
    worst = i;
    if (all) turn(a, i);
    else most = off;
  }
  if (!all && worst >= 0) turn(a, worst);
  return worst >= 0;
}

/* to the velocities that the lines gave, with the laws' own forces; new lines where the old ones miss them */
static void move(choice *a)
{
  network *k = a->k;
  int met = 1;
  k->sweeps++;
  for (int i = 0; i < k->rows; i++) {
    if (a->u[i] == 0) {
      a->f[i] = a->line[i];
      continue;
    }
    const double before = a->u[i], force = a->f[i];
    a->u[i] = a->speed[i], a->f[i] = sliding_force(k, i, a->u[i]);
    if (a->f[i] == a->line[i]) continue;
    met = 0;
    if (!network_slope_on(&a->slope[i], &k->measured[i], a->u[i] - before, a->f[i] - force, a->f[i],
                          k->w[i * (k->rows + 1)]))
      touch(a, i);
  }
  k->now.size = 0, k->now.scale = 1;
  if (!met) network_balance(k, &k->now);
}

/* Moving contacts that could rest, the others being as they are, do so. How many? */
static int rest_more(choice *a)
{
  const network *k = a->k;
  int changed = 0;
  for (int i = 0; i < k->rows; i++) {
    const double w = k->w[i * (k->rows + 1)];
    if (a->u[i] != 0 && abs_f64(a->u[i] + w * a->f[i]) <= w * abs_f64(a->most[i])) a->u[i] = 0, changed++;
  }
  return changed;
}

/* none moves on the falling side of its law, where nothing stays */
static int stays(const choice *a)
{
  const network *k = a->k;
  for (int i = 0; i < k->rows; i++)
    if (a->u[i] != 0 && !(k->w[i * (k->rows + 1)] * a->slope[i] > -STEEPEST)) return 0;
  return 1;
}

static int choose(choice *a)
{
  enum { ROUNDS = 24, TOGETHER = 6 };
  network *k = a->k;
  double last = 1e300;
  for (int i = 0; i < k->rows; i++) {
    a->u[i] = 0;
    if (k->net->u[i] != 0) start_moving(a, i, k->net->u[i]);
  }
  for (int round = 0; round < ROUNDS; round++) {
    if (!fit_lines(a)) return 0;
    if (change(a, round < TOGETHER)) continue; /* all at once may go round in circles */
    move(a);
    const int still = network_settled(&k->now) || (network_done(&k->now) && !(k->now.size < 0.5 * last));
    last = k->now.size;
    if (still && !rest_more(a)) return stays(a);
  }
  return 0;
}

int network_direct(network *k)
{
  if (all_rest(k)) return 1;
  choice a;
  a.k = k, a.u = k->now.u, a.f = k->now.f;
  return k->rows <= MOST && choose(&a);
}
