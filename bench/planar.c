/* A planar patch of 21 x 21 cells of 1 mm and its reduced model, driven along the same path in one run: cost of a step,
 * their ratio, and how far the reduced model is from the patch. Single thread; medians of interleaved repetitions. */
#include "bristle/planar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SIDE = 21, CELLS = SIDE * SIDE, STEPS = 2000, REPEATS = 15, MOST_PARAM = 32 };
enum { PATCH, TABLE, ELLIPSOID, COUPLED, JOBS };

static const double public_patch = 176e-6, public_reduced = 4.6e-6; /* seconds per step, a public C++ pair */
static const char *const laws[] = { "lugre", "elasto_plastic" };

static double memory[CELLS * 16], nodes[3 * 81 * 21], path[STEPS][3], sink;
static double p[MOST_PARAM];
static bristle_patch patch;
static bristle_planar reduced[2]; /* by table, by ellipsoid */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

static void require(bristle_status status, const bristle_error *error)
{
  if (!status) return;
  printf("%s: %s %s\n", error->model, error->field, error->rule ? error->rule : "");
  exit(1);
}

static void set_up(const char *name)
{
  const bristle_contact contact = { .vector = bristle_vector_law_find(name), .load = BRISTLE_LOAD_COEFFICIENT, .p = p };
  bristle_surface surface;
  bristle_error error;
  bristle_planar_defaults(contact.vector->f64[0]->info, p);
  if (bristle_patch_memory(&contact, CELLS) > sizeof memory / sizeof *memory) exit(1);
  bristle_patch_place(&patch, &contact, memory, CELLS);
  require(bristle_patch_rectangle(&patch, SIDE, SIDE, SIDE * 1e-3, SIDE * 1e-3, NULL, NULL, &error), &error);
  require(bristle_surface_init(&surface, &patch, 20, nodes, &error), &error);
  require(bristle_planar_init(&reduced[0], &surface, &contact, &error), &error);
  surface.segments = 0;
  require(bristle_planar_init(&reduced[1], &surface, &contact, &error), &error);
}

/* from stick through slow sliding, turning slip and alternating spin, to 0.05 m/s and back, in 0.2 s */
static void set_path(void)
{
  for (int i = 0; i < STEPS; i++) {
    double t = 1e-4 * i, speed = 0.05 * pow(sin(15.7 * t), 4), angle = 20 * t;
    path[i][0] = speed * cos(angle);
    path[i][1] = speed * sin(angle);
    path[i][2] = 3 * speed / 0.01 * sin(43 * t);
  }
}

static double run(int job, double (*out)[3])
{
  double z[3] = { 0, 0, 0 }, wrench[3], start = now();
  for (size_t i = 0; i < patch.count * (size_t)patch.contact.vector->f64[0]->info->nstate; i++) patch.s[i] = 0;
  for (int i = 0; i < STEPS; i++) {
    bristle_planar_input in = { .v = { path[i][0], path[i][1], path[i][2] }, .n = 1, .h = 1e-4 };
    if (job == COUPLED) in.w[0][0] = in.w[1][1] = 1e-4, in.w[2][2] = 2; /* 1 kg, 5e-5 kg m^2 */
    if (job == PATCH) bristle_patch_step(&patch, &in, wrench, NULL);
    else bristle_planar_step(&reduced[job == ELLIPSOID], z, &in, wrench, NULL);
    sink += wrench[0] + wrench[2];
    for (int k = 0; out && k < 3; k++) out[i][k] = wrench[k];
  }
  return (now() - start) / STEPS;
}

/* root mean square difference along the path, in units of the patch's own root mean square wrench */
static double difference(double (*a)[3], double (*b)[3])
{
  double error = 0, size = 0, arm = patch.arm;
  for (int i = 0; i < STEPS; i++)
    for (int k = 0; k < 3; k++) {
      double unit = k == 2 ? arm : 1, d = (a[i][k] - b[i][k]) / unit, f = a[i][k] / unit;
      error += d * d;
      size += f * f;
    }
  return sqrt(error / size);
}

static void measure(const char *law)
{
  static double times[JOBS][REPEATS], wrenches[JOBS][STEPS][3];
  double t[JOBS];
  set_up(law);
  for (int r = 0; r < REPEATS; r++)
    for (int j = 0; j < JOBS; j++) times[j][r] = run(j, wrenches[j]);
  for (int j = 0; j < JOBS; j++) {
    qsort(times[j], REPEATS, sizeof **times, by_size);
    t[j] = times[j][REPEATS / 2];
  }
  printf("%s, %d x %d cells\n", law, SIDE, SIDE);
  printf("  patch                 %8.3f us per step  %7.0f times faster than the public one\n", t[PATCH] * 1e6,
         public_patch / t[PATCH]);
  printf("  reduced, table        %8.3f us per step  %7.0f times faster than the public one; off by %.1f %% rms on "
         "this path\n",
         t[TABLE] * 1e6, public_reduced / t[TABLE], 100 * difference(wrenches[PATCH], wrenches[TABLE]));
  printf("  reduced, ellipsoid    %8.3f us per step; off by %.1f %% rms\n", t[ELLIPSOID] * 1e6,
         100 * difference(wrenches[PATCH], wrenches[ELLIPSOID]));
  printf("  reduced, coupled      %8.3f us per step\n", t[COUPLED] * 1e6);
  printf("  patch / reduced       %8.1f\n", t[PATCH] / t[TABLE]);
}

int main(void)
{
  set_path();
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) measure(laws[i]);
  return sink == 0.123;
}
