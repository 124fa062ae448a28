/* A 6-joint arm through the network beside six single coupled steps, in one run: holding its pose, and in stick-slip.
 * Bars: 4 and 10 times with lugre. With coulomb, whose single step is a closed form of 5 ns, the bar of 2 is not
 * reached: one system of six equations takes longer. */
#include "bristle/network.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { JOINTS = 6, STEPS = 4000, REPEATS = 5 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* h times the inverse mass matrix of six rods of 1 kg and 0.3 m in a bent pose, its mean diagonal scaled to h */
static void compliance(double h, double *w)
{
  double a[JOINTS][2 * JOINTS] = { { 0 } }, x[JOINTS + 1] = { 0 }, y[JOINTS + 1] = { 0 }, angle = 0, sum = 0;
  for (int b = 0; b < JOINTS; b++) {
    angle += 0.5 * sin(1 + 2.3 * b);
    x[b + 1] = x[b] + 0.3 * cos(angle), y[b + 1] = y[b] + 0.3 * sin(angle);
    const double cx = 0.5 * (x[b] + x[b + 1]), cy = 0.5 * (y[b] + y[b + 1]);
    for (int i = 0; i <= b; i++)
      for (int j = 0; j <= b; j++) a[i][j] += 0.0075 + (cx - x[i]) * (cx - x[j]) + (cy - y[i]) * (cy - y[j]);
    a[b][JOINTS + b] = 1;
  }
  for (int k = 0; k < JOINTS; k++) {
    const double pivot = a[k][k];
    for (int j = 0; j < 2 * JOINTS; j++) a[k][j] /= pivot;
    for (int i = 0; i < JOINTS; i++) {
      const double part = a[i][k];
      for (int j = 0; i != k && j < 2 * JOINTS; j++) a[i][j] -= part * a[k][j];
    }
  }
  for (int i = 0; i < JOINTS; i++) sum += a[i][JOINTS + i];
  for (int i = 0; i < JOINTS; i++)
    for (int j = 0; j < JOINTS; j++) w[i * JOINTS + j] = h * 0.5 * (a[i][JOINTS + j] + a[j][JOINTS + i]) * JOINTS / sum;
}

/* A run of the arm: what each solve is given. Solves and single steps are timed afterwards, each in one go: a clock
   between them would take longer than some of them. */
typedef struct run {
  const bristle_model *law;
  double p[64], w[JOINTS * JOINTS], s[JOINTS][64], u[JOINTS], f[JOINTS];
  bristle_network_contact joint[JOINTS];
  bristle_network net;
  double sweeps;
} run;

static double free_speed[STEPS][JOINTS], start_speed[STEPS][JOINTS], states[STEPS][JOINTS][64], work[2000];
static const double h = 1e-3;

static void recall(run *a, int step)
{
  const int count = a->law->info->nstate;
  for (int i = 0; i < JOINTS; i++) {
    a->u[i] = start_speed[step][i];
    for (int k = 0; k < count; k++) a->s[i][k] = states[step][i][k];
  }
}

static void record(run *a, const char *name, int slipping)
{
  memset(a, 0, sizeof *a);
  a->law = bristle_law_find(name)->f64;
  bristle_defaults(a->law->info, a->p);
  compliance(h, a->w);
  for (int i = 0; i < JOINTS; i++)
    a->joint[i] = (bristle_network_contact){
      .law = a->law, .p = a->p, .s = a->s[i], .n = 1, .load = a->law->info->load
    };
  a->net = (bristle_network){ .count = JOINTS, .contact = a->joint, .w = a->w, .h = h, .f = a->f, .u = a->u };
  for (int step = 0; step < STEPS; step++) {
    double *v = free_speed[step];
    for (int i = 0; i < JOINTS; i++) {
      v[i] = start_speed[step][i] = a->u[i];
      for (int j = 0; j < JOINTS; j++) {
        const double push = slipping ? 2.5 * sin((40 + 30 * j) * step * h + j)
                                     : 0.6 * sin(1 + 3 * j) * fmin(1, 0.01 * step);
        v[i] += a->w[i * JOINTS + j] * push;
      }
    }
    memcpy(states[step], a->s, sizeof a->s);
    a->net.v = v;
    a->sweeps += bristle_network_solve(&a->net, work).sweeps;
  }
}

static double time_network(run *a)
{
  const double start = now();
  for (int step = 0; step < STEPS; step++) {
    recall(a, step);
    a->net.v = free_speed[step];
    bristle_network_solve(&a->net, work);
  }
  return now() - start;
}

/* six single steps with the same free velocities */
static double time_single(run *a)
{
  const double start = now();
  for (int step = 0; step < STEPS; step++) {
    recall(a, step);
    for (int i = 0; i < JOINTS; i++) {
      const bristle_input in = {
        .v = free_speed[step][i], .n = 1, .w = a->w[i * (JOINTS + 1)], .h = h, .load = a->law->info->load
      };
      a->f[i] = a->law->step(a->p, a->s[i], &in, &a->u[i]);
    }
  }
  return now() - start;
}

int main(void)
{
  static const char *const laws[] = { "lugre", "coulomb", "dahl", "elasto_plastic", "gms", "stribeck" };
  static run a;
  printf("a 6-joint arm beside six single coupled steps (best of %d)\n", REPEATS);
  for (int l = 0; l < 6; l++)
    for (int slipping = 0; slipping < 2; slipping++) {
      double network = 1e9, single = 1e9;
      record(&a, laws[l], slipping);
      for (int k = 0; k < REPEATS; k++)
        network = fmin(network, time_network(&a)), single = fmin(single, time_single(&a));
      printf("  %-14s %-10s %6.2f us, six single steps %6.2f us, ratio %5.2f, %.1f sweeps\n", laws[l],
             slipping ? "stick-slip" : "holding", 1e6 * network / STEPS, 1e6 * single / STEPS, network / single,
             a.sweeps / STEPS);
    }
}
