/* Two contacts of falling laws: of several solutions the one nearest to rest. Solutions with one contact at rest are
 * one equation in the velocity of the other, and are looked for everywhere. */
#include "bristle/bristle.h"
#include "support/arm.h"
#include "support/compliance.h"

static double work[4000];

static double pushed_force(const bristle_network_contact *c, double h, double u, double push)
{
  const bristle_input in = { u, c->x, c->n, push, 0, 0, h, c->load };
  double t[BRISTLE_LAW_SIZE];
  memcpy(t, c->s, sizeof(double) * (size_t)c->law->info->nstate);
  return c->law->step(c->p, t, &in, NULL);
}

/* the slowest motion of contact i with the other one at rest, or 1e300 */
static double slowest(const bristle_network *net, int i)
{
  const int j = 1 - i;
  const bristle_network_contact *c = net->contact;
  const double *w = net->w, *v = net->v, across = w[1] / w[3 * j];
  const double own = w[3 * i] - w[1] * across, free = v[i] - across * v[j];
  double best = 1e300;
  for (int side = -1; side <= 1; side += 2) {
    double last = 0, before = 0;
    for (double u = 1e-9; u < 1; before = u, u *= 1.005) {
      const double left = side * (side * u + own * pushed_force(&c[i], net->h, side * u, side * 1e100) - free);
      if (before > 0 && (left < 0) != (last < 0)) {
        const double f = (free - side * u) / own, held = (v[j] - w[1] * f) / w[3 * j];
        const double most = fabs(pushed_force(&c[j], net->h, 0, copysign(1e100, held)));
        if (fabs(held) <= (1 - 1e-3) * most) best = fmin(best, u);
      }
      last = left;
    }
  }
  return best;
}

static void run_pair(const char *law, double condition, double h, int steps, long *solves, long *farther)
{
  contact c[2] = { contact_of(law), contact_of(law) };
  bristle_network_contact at[2];
  double w[4], v[2], u[2] = { 0 }, f[2], push[2], omega[2];
  random_compliance(2, condition, h, w);
  for (int i = 0; i < 2; i++) {
    at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
    push[i] = any_between(-2.5, 2.5), omega[i] = any_between(20, 300);
  }
  const bristle_network net = { .count = 2, .contact = at, .w = w, .v = v, .h = h, .f = f, .u = u };
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < 2; i++) {
      v[i] = u[i];
      for (int j = 0; j < 2; j++) v[i] += w[2 * i + j] * push[j] * sin(omega[j] * step * h);
    }
    const double least = fmin(slowest(&net, 0), slowest(&net, 1));
    const bristle_network_report r = bristle_network_solve(&net, work);
    CHECK(r.converged, "%s at %g, %g: residual %g", law, v[0], v[1], r.residual);
    const int moving = (u[0] != 0) + (u[1] != 0);
    ++*solves;
    *farther += least < 1e299 && (moving == 2 || least < 0.98 * fmax(fabs(u[0]), fabs(u[1])));
  }
}

TEST(two_contacts_take_the_solution_nearest_to_rest)
{
  static const char *const laws[] = { "coulomb", "stribeck", "quinn", "wojewoda", "startstop" };
  any_again();
  for (int l = 0; l < 5; l++) {
    long solves = 0, farther = 0;
    for (int k = 0; k < (test_is_long() ? 40 : 4); k++)
      run_pair(laws[l], pow(10, any_between(0, 6)), 1e-3, 40, &solves, &farther);
    if (farther || test_is_long()) printf("  %s: %ld of %ld farther from rest\n", laws[l], farther, solves);
    /* the others lie on the falling side of a law, where nothing stays */
    CHECK(farther <= (test_is_long() ? 0.01 : 0.02) * (double)solves, "%s: %ld of %ld", laws[l], farther, solves);
  }
}
