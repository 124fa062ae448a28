/* The tangent of a network is that of the solution it found, also where a contact moves although it could rest if only
 * the others did not answer. */
#include "support/arm.h"
#include "support/compliance.h"

enum { N = 2 };
static double work[20000];

typedef struct pair {
  contact c[N];
  double w[N * N], v[N], start[N], h;
  double u[N], f[N]; /* the solution */
} pair;

static void refer(pair *a, contact *c, bristle_network_contact *at, bristle_network *net)
{
  for (int i = 0; i < N; i++)
    at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = c[i].n, .load = c[i].load };
  *net = (bristle_network){ .count = N, .contact = at, .w = a->w, .v = a->v, .h = a->h, .f = a->f, .u = a->u };
}

/* from the same states and the same guess; states are advanced if `on` */
static int solve_pair(pair *a, int on)
{
  contact c[N];
  bristle_network_contact at[N];
  bristle_network net;
  memcpy(c, a->c, sizeof c);
  memcpy(a->u, a->start, sizeof a->u);
  refer(a, c, at, &net);
  const int converged = bristle_network_solve(&net, work).converged;
  if (on) memcpy(a->c, c, sizeof c);
  return converged;
}

static double held_force(const pair *a, int i, double push)
{
  const contact *c = &a->c[i];
  const bristle_input in = { 0, 0, c->n, push, 0, 0, a->h, c->load };
  double s[MAX_STATE];
  memcpy(s, c->s, sizeof(double) * (size_t)c->model->info->nstate);
  return c->model->step(c->p, s, &in, NULL);
}

static int could_rest(const pair *a)
{
  for (int i = 0; i < N; i++) {
    const double w = a->w[i * (N + 1)], b = a->u[i] + w * a->f[i];
    if (a->u[i] != 0 && fabs(b) <= (1 - 1e-6) * w * fabs(held_force(a, i, copysign(1e100, b)))) return 1;
  }
  return 0;
}

static int same_motion(const pair *a, const pair *b)
{
  for (int i = 0; i < N; i++)
    if ((a->u[i] == 0) != (b->u[i] == 0) || fabs(a->u[i] - b->u[i]) > 1e-3 * fabs(a->u[i])) return 0;
  return 1;
}

/* columns compared: those where solutions on both sides move as this one does, on a straight piece of it */
static int compare_columns(pair *a)
{
  double dv[N * N];
  int compared = 0;
  bristle_network_contact at[N];
  bristle_network net;
  bristle_network_diff diff[N];
  for (int i = 0; i < N; i++) diff[i] = (bristle_network_diff){ .law = a->c[i].law->diff };
  refer(a, a->c, at, &net);
  bristle_network_tangent(&net, diff, &(bristle_network_slopes){ .v = dv }, work);
  for (int j = 0; j < N; j++) {
    pair up = *a, down = *a;
    const double step = 1e-7 * (fabs(a->u[0]) + fabs(a->u[1]));
    up.v[j] += step, down.v[j] -= step;
    if (!solve_pair(&up, 0) || !solve_pair(&down, 0) || !same_motion(a, &up) || !same_motion(a, &down)) continue;
    for (int i = 0; i < N; i++)
      CHECK_ABS(dv[i * N + j], (up.f[i] - down.f[i]) / (up.v[j] - down.v[j]),
                1e-3 / a->w[0] + 1e-3 * fabs(dv[i * N + j]));
    compared++;
  }
  return compared;
}

static int run_pair(const char *law, double h, int steps)
{
  pair a = { .c = { contact_of(law), contact_of(law) }, .h = h };
  double push[N], omega[N];
  int compared = 0;
  random_compliance(N, pow(10, any_between(0, 4)), h, a.w);
  for (int i = 0; i < N; i++) push[i] = any_between(-2.5, 2.5), omega[i] = any_between(20, 300), a.c[i].n = 1;
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < N; i++) {
      a.start[i] = a.v[i] = a.u[i];
      for (int j = 0; j < N; j++) a.v[i] += a.w[i * N + j] * push[j] * sin(omega[j] * step * h);
    }
    if (solve_pair(&a, 0) && could_rest(&a)) compared += compare_columns(&a);
    solve_pair(&a, 1);
  }
  return compared;
}

TEST(tangent_of_contacts_that_could_rest_is_that_of_their_motion)
{
  static const char *const laws[] = { "stribeck", "quinn", "wojewoda", "startstop" };
  any_again();
  for (int l = 0; l < 4; l++) {
    int compared = 0;
    for (int k = 0; k < (test_is_long() ? 200 : 20); k++) compared += run_pair(laws[l], k & 1 ? 1e-2 : 1e-3, 50);
    if (test_is_long()) printf("  %s: %d columns\n", laws[l], compared);
    CHECK(compared > 20, "%s: only %d columns", laws[l], compared);
  }
}
