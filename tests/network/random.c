/* Random networks in motion: how many solves converge, by law and by step; the balance and the energy always. */
#include "support/arm.h"
#include "support/compliance.h"

enum { MOST = COMPLIANCE_MOST, WORK = 100000 };
static double work[WORK];

typedef struct outcome {
  long solves, failed;
  long open;     /* u - v + W F not closed */
  long nonsense; /* not finite */
  long gained;   /* energy given back beyond what was stored */
} outcome;

typedef enum motion { HOLDING, STICK_SLIP, SLIDING } motion;

static double push_at(motion kind, double t, double omega, double phase)
{
  return kind == HOLDING ? fmin(1, 20 * t) : kind == STICK_SLIP ? sin(omega * t + phase) : 1;
}

static double stored(const contact *c, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++) {
    const bristle_input in = { .n = 1, .load = c[i].load };
    if (c[i].model->info->traits & BRISTLE_TRAIT_ENERGY) sum += c[i].model->energy(c[i].p, c[i].s, &in);
  }
  return sum;
}

static int all_passive(const contact *c, int n)
{
  for (int i = 0; i < n; i++)
    if (!(c[i].model->info->traits & BRISTLE_TRAIT_PASSIVE)) return 0;
  return 1;
}

/* one solve, looked at from outside */
static void judge(const bristle_network *net, const contact *c, outcome *out)
{
  const int n = net->count;
  const double before = stored(c, n);
  double size = 0, scale = 0, taken = 0, moved = 0;
  const bristle_network_report r = bristle_network_solve(net, work);
  for (int i = 0; i < n; i++) {
    double gap = net->u[i] - net->v[i], sum = fabs(net->v[i]);
    for (int j = 0; j < n; j++) gap += net->w[i * n + j] * net->f[j], sum += fabs(net->w[i * n + j] * net->f[j]);
    size = fmax(size, fabs(gap)), scale = fmax(scale, sum);
    out->nonsense += !isfinite(net->f[i]) || !isfinite(net->u[i]);
    taken += net->h * net->f[i] * net->u[i], moved += net->h * fabs(net->f[i] * net->u[i]);
    net->contact[i].x += net->h * net->u[i];
  }
  const double after = stored(c, n);
  out->solves++;
  out->failed += !r.converged;
  out->open += !(size <= 1.01e-12 * scale);
  if (all_passive(c, n)) out->gained += !(after - before - taken <= 1e-12 * (moved + after));
}

/* a network from rest under forces that fit the kind of motion */
static void run_network(const char *const *laws, int kinds, int n, const double *w, double h, motion kind, int steps,
                        outcome *out)
{
  static contact c[MOST];
  static bristle_network_contact at[MOST];
  double v[MOST], u[MOST] = { 0 }, f[MOST], push[MOST], phase[MOST], omega[MOST];
  for (int i = 0; i < n; i++) {
    c[i] = contact_of(laws[(int)any_between(0, kinds)]);
    at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
    push[i] = kind == HOLDING      ? any_between(-0.6, 0.6)
              : kind == STICK_SLIP ? any_between(-2.5, 2.5)
                                   : any_between(3, 5);
    phase[i] = any_between(0, 6.28), omega[i] = any_between(20, 300);
  }
  bristle_network net = { .count = n, .contact = at, .w = w, .v = v, .h = h, .f = f, .u = u };
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < n; i++) {
      v[i] = u[i];
      for (int j = 0; j < n; j++) v[i] += w[i * n + j] * push[j] * push_at(kind, step * h, omega[j], phase[j]);
    }
    judge(&net, c, out);
  }
}

/* random matrices of several conditions, and arms (condition 0) */
static void run_networks(const char *const *laws, int kinds, int n, double condition, double h, int matrices, int steps,
                         outcome *out)
{
  static double w[MOST * MOST];
  for (int m = 0; m < matrices; m++)
    for (int kind = HOLDING; kind <= SLIDING; kind++) {
      if (condition > 0) random_compliance(n, condition, h, w);
      else random_arm_compliance(n, h, w);
      run_network(laws, kinds, n, w, h, (motion)kind, steps, out);
    }
}

static int times_longer(void) { return getenv("BRISTLE_LONG") ? 40 : test_is_long() ? 3 : 1; }

static const int sizes[] = { 1, 2, 6, 30, 64 };
static const double conditions[] = { 0, 10, 3.16e3, 1e6 };

/* smaller: matrices only up to n = 6, arms up to 30 */
static outcome run_all(const char *const *laws, int kinds, double h, int smaller)
{
  outcome out = { 0 };
  for (int k = 0; k < 5 - smaller; k++)
    for (int c = 0; c < 4; c++) {
      if (smaller && c > 0 && sizes[k] > 6) continue;
      run_networks(laws, kinds, sizes[k], conditions[c], h, times_longer(), sizes[k] > 6 ? 6 : 60, &out);
    }
  return out;
}

static void check_share(const char *name, double h, const outcome *o, double most)
{
  CHECK((double)o->failed <= most, "%s, h %g: %ld of %ld", name, h, o->failed, o->solves);
}

static void check_outcome(const char *name, double h, outcome o)
{
  if (o.failed || test_is_long())
    printf("  %s, h %g: %ld solves, %ld without convergence\n", name, h, o.solves, o.failed);
  CHECK(o.open == 0 && o.nonsense == 0 && o.gained == 0,
        "%s, h %g: balance open %ld times, nonsense %ld times, energy given back %ld times", name, h, o.open,
        o.nonsense, o.gained);
}

/* A step of 10 ms is ten times too long for a Stribeck speed of 1 mm/s, as the laws' own advice says. One in ten
   thousand may fail of all together; of one law at one step, where that is hardly one solve, three deviations of a
   count more. */
TEST(random_networks_converge_and_close_their_balance)
{
  static const char *const laws[] = { "coulomb", "dahl", "lugre", "elasto_plastic", "gms" };
  outcome all = { 0 };
  any_again();
  for (int law = -1; law < 5; law++)
    for (double h = 1e-4; h < 2e-2; h *= 10) {
      const outcome o = run_all(law < 0 ? laws : laws + law, law < 0 ? 5 : 1, h, law >= 0 && times_longer() == 1);
      const double mean = 1e-4 * (double)o.solves;
      check_outcome(law < 0 ? "mixed" : laws[law], h, o);
      check_share(law < 0 ? "mixed" : laws[law], h, &o, mean + 3 * sqrt(mean));
      all.solves += o.solves, all.failed += o.failed;
    }
  check_share("all laws", 0, &all, 1e-4 * (double)all.solves);
}

TEST(random_networks_of_falling_laws_converge)
{
  static const char *const laws[] = { "stribeck", "popp_stelter", "leine", "karnopp", "awrejcewicz" };
  any_again();
  for (int law = -1; law < 5; law++)
    for (double h = 1e-4; h < 2e-2; h *= 10) {
      const outcome o = run_all(law < 0 ? laws : laws + law, law < 0 ? 5 : 1, h, 1);
      check_outcome(law < 0 ? "all" : laws[law], h, o);
      check_share(law < 0 ? "all" : laws[law], h, &o, 5e-3 * (double)o.solves);
    }
}

/* Laws that hold with more than their first motion is worth (wojewoda, startstop), jump where a motion turns
   (startstop), or depend on what the contact is pushed by (quinn). Forces are bounded and jumps are filled, so that a
   solution always exists. */
TEST(random_networks_of_laws_that_jump_converge)
{
  static const char *const laws[] = { "wojewoda", "startstop", "quinn" };
  any_again();
  for (int law = -1; law < 3; law++)
    for (double h = 1e-3; h < 2e-2; h *= 10) {
      outcome out = { 0 };
      for (int c = 0; c < 4; c++)
        run_networks(law < 0 ? laws : laws + law, law < 0 ? 3 : 1, 6, conditions[c], h, times_longer(), 40, &out);
      check_outcome(law < 0 ? "all that jump" : laws[law], h, out);
      check_share(law < 0 ? "all that jump" : laws[law], h, &out, 5e-3 * (double)out.solves);
    }
}

/* All contacts at rest need F = W^-1 v, and no other forces do: found here by elimination. */
TEST(where_a_network_can_hold_it_holds)
{
  enum { N = 8 };
  static const char *const laws[] = { "coulomb", "stribeck", "leine", "karnopp" };
  double w[N * N], v[N], u[N], f[N], need[N];
  int holding = 0, sliding = 0;
  any_again();
  for (int k = 0; k < 2000; k++) {
    const int n = 1 + k % N;
    const double h = k & 1 ? 1e-2 : 1e-3;
    static contact c[N];
    bristle_network_contact at[N];
    if (k % 3) random_compliance(n, pow(10, any_between(0, 6)), h, w);
    else random_arm_compliance(n, h, w);
    int can = 1;
    for (int i = 0; i < n; i++) {
      c[i] = contact_of(laws[(k + i) % 4]);
      at[i] = (bristle_network_contact){ .law = c[i].model, .p = c[i].p, .s = c[i].s, .n = 1, .load = c[i].load };
      need[i] = any_between(-1, 1) * (k % 5 ? 0.999 : 1.7);
      const bristle_row *level = bristle_param_find(c[i].model->info, "fs");
      const double most = c[i].p[(level ? level : bristle_param_find(c[i].model->info, "fc"))->first];
      need[i] *= k % 5 ? most : 1;
      can &= fabs(need[i]) <= most;
      u[i] = any_between(-1e-2, 1e-2); /* a guess that is far from rest */
    }
    for (int i = 0; i < n; i++) {
      v[i] = 0;
      for (int j = 0; j < n; j++) v[i] += w[i * n + j] * need[j];
    }
    bristle_network net = { .count = n, .contact = at, .w = w, .v = v, .h = h, .f = f, .u = u };
    bristle_network_solve(&net, work);
    int rests = 1;
    for (int i = 0; i < n; i++) rests &= u[i] == 0;
    CHECK(rests == can, "case %d, %d contacts: can hold %d, holds %d", k, n, can, rests);
    holding += can, sliding += !can;
  }
  CHECK(holding > 1000 && sliding > 100, "%d hold, %d slide", holding, sliding);
}
