/* A 6-joint arm through the network beside six single coupled steps, in one run: holding its pose, and in stick-slip.
 * Bars: 4 and 10 times with lugre, 2 with coulomb. */
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

/* what the clock itself takes */
static double clock_cost(void)
{
  double least = 1;
  for (int i = 0; i < 2000; i++) {
    const double start = now();
    least = fmin(least, now() - start);
  }
  return least;
}

/* seconds for a solve, and for six single steps with the same free velocities */
static void measure(const char *name, int slipping, double *network, double *single, double *sweeps)
{
  const bristle_model *law = bristle_law_find(name)->f64;
  static double work[2000];
  const double h = 1e-3;
  double p[64], s[JOINTS][64] = { { 0 } }, before[JOINTS][64], w[JOINTS * JOINTS], v[JOINTS], u[JOINTS] = { 0 },
                f[JOINTS];
  bristle_network_contact joint[JOINTS];
  bristle_defaults(law->info, p);
  compliance(h, w);
  for (int i = 0; i < JOINTS; i++)
    joint[i] = (bristle_network_contact){ .law = law, .p = p, .s = s[i], .n = 1, .load = law->info->load };
  const bristle_network net = { .count = JOINTS, .contact = joint, .w = w, .v = v, .h = h, .f = f, .u = u };
  *network = *single = -STEPS * clock_cost();
  *sweeps = 0;
  for (int step = 0; step < STEPS; step++) {
    for (int i = 0; i < JOINTS; i++) {
      v[i] = u[i];
      for (int j = 0; j < JOINTS; j++) {
        const double push = slipping ? 2.5 * sin((40 + 30 * j) * step * h + j)
                                     : 0.6 * sin(1 + 3 * j) * fmin(1, 0.01 * step);
        v[i] += w[i * JOINTS + j] * push;
      }
    }
    memcpy(before, s, sizeof before);
    double start = now();
    const bristle_network_report r = bristle_network_solve(&net, work);
    *network += now() - start;
    *sweeps += r.sweeps;
    start = now();
    for (int i = 0; i < JOINTS; i++) {
      double end;
      const bristle_input in = { .v = v[i], .n = 1, .w = w[i * JOINTS + i], .h = h, .load = law->info->load };
      law->step(p, before[i], &in, &end);
    }
    *single += now() - start;
  }
}

int main(void)
{
  static const char *const laws[] = { "lugre", "coulomb", "dahl", "elasto_plastic", "gms", "stribeck" };
  printf("a 6-joint arm beside six single coupled steps (best of %d)\n", REPEATS);
  for (int l = 0; l < 6; l++)
    for (int slipping = 0; slipping < 2; slipping++) {
      double network = 1e9, single = 1e9, sweeps = 0;
      for (int k = 0; k < REPEATS; k++) {
        double a, b;
        measure(laws[l], slipping, &a, &b, &sweeps);
        network = fmin(network, a), single = fmin(single, b);
      }
      printf("  %-14s %-10s %6.2f us, six single steps %6.2f us, ratio %5.2f, %.1f sweeps\n", laws[l],
             slipping ? "stick-slip" : "holding", 1e6 * network / STEPS, 1e6 * single / STEPS, network / single,
             sweeps / STEPS);
    }
}
