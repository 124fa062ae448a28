/* Points for the page of `make bench`, one a line: throughput against batch size, drift against step length. The peers
 * are plain C with libm, explicit Euler on the same law, and friction smoothed over 1 mm/s, as many engines have it.
 *
 *   throughput|who|precision|what|contacts|contact-steps a second
 *   drift|who|step [s]|drift [m]                                     */
#include "bristle/ensemble.h"
#include "bristle/params.h"
#include "plain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TRIES = 3, STEPS = 100, MOST = 1 << 16 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *take(size_t count, size_t size)
{
  void *p = calloc(count, size);
  if (!p) exit(1);
  return p;
}

/* ---- throughput ---- */

typedef struct arena {
  size_t count;
  double *v, *z, *f, *x, *u, *body, *place;
  float *v32, *z32, *f32, *x32, *u32, *body32, *place32;
} arena;

static arena arena_of(size_t count)
{
  arena a = { .count = count };
  double **const rows[] = { &a.v, &a.z, &a.f, &a.x, &a.u };
  float **const rows32[] = { &a.v32, &a.z32, &a.f32, &a.x32, &a.u32 };
  for (int k = 0; k < 5; k++) *rows[k] = take(count, sizeof(double)), *rows32[k] = take(count, sizeof(float));
  a.body = take(BRISTLE_BODY_ROWS * count, sizeof(double)), a.body32 = take(BRISTLE_BODY_ROWS * count, sizeof(float));
  a.place = take(STEPS, sizeof(double)), a.place32 = take(STEPS, sizeof(float));
  for (int k = 0; k < STEPS; k++) a.place32[k] = (float)(a.place[k] = 1e-3 * (k + 1));
  for (size_t i = 0; i < count; i++) { /* from stick to gross sliding; on springs, each at its own phase */
    a.v[i] = (i & 1 ? -1 : 1) * pow(10, -6 + 5.477 * rand() / RAND_MAX), a.v32[i] = (float)a.v[i];
    const double row[BRISTLE_BODY_ROWS] = { 1, 2, 0, 0, 0, 1.2 * (double)i / (double)count, 0.1 };
    for (int r = 0; r < BRISTLE_BODY_ROWS; r++)
      a.body32[(size_t)r * count + i] = (float)(a.body[(size_t)r * count + i] = row[r]);
  }
  return a;
}

static void arena_end(arena *a)
{
  void *const all[] = { a->v,   a->z,   a->f,   a->x,   a->u,   a->body,   a->place,
                        a->v32, a->z32, a->f32, a->x32, a->u32, a->body32, a->place32 };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void batch(arena *a)
{
  bristle_lugre p = bristle_lugre_default();
  bristle_batch b = { .count = a->count, .p = (const double *)&p, .s = a->z, .v = a->v, .h = 1e-4, .f = a->f };
  for (int i = 0; i < STEPS; i++) bristle_lugre_model.step_n(&b);
}
static void batch_f32(arena *a)
{
  bristle_lugre_f32 p = bristle_lugre_default_f32();
  bristle_batch_f32 b = {
    .count = a->count, .p = (const float *)&p, .s = a->z32, .v = a->v32, .h = 1e-4f, .f = a->f32
  };
  for (int i = 0; i < STEPS; i++) bristle_lugre_model_f32.step_n(&b);
}
static void plain(arena *a)
{
  bristle_lugre d = bristle_lugre_default();
  plain_lugre p = { d.sigma0, d.sigma1, d.sigma2, d.fc, d.fs, d.vs };
  for (int i = 0; i < STEPS; i++) plain_step(a->count, &p, a->z, a->v, a->f, 1e-4);
}
static void plain_f32(arena *a)
{
  bristle_lugre_f32 d = bristle_lugre_default_f32();
  plain_lugre_f32 p = { d.sigma0, d.sigma1, d.sigma2, d.fc, d.fs, d.vs };
  for (int i = 0; i < STEPS; i++) plain_step_f32(a->count, &p, a->z32, a->v32, a->f32, 1e-4f);
}
static void coupled(arena *a)
{
  bristle_lugre p = bristle_lugre_default();
  const bristle_ensemble e = { .count = a->count,
                               .p = (const double *)&p,
                               .body = a->body,
                               .per_body = 1,
                               .place = a->place,
                               .h = 1e-3,
                               .steps = STEPS,
                               .x = a->x,
                               .v = a->u,
                               .s = a->z };
  bristle_ensemble_march(bristle_law_find("lugre"), &e);
}
static void coupled_f32(arena *a)
{
  bristle_lugre_f32 p = bristle_lugre_default_f32();
  const bristle_ensemble_f32 e = { .count = a->count,
                                   .p = (const float *)&p,
                                   .body = a->body32,
                                   .per_body = 1,
                                   .place = a->place32,
                                   .h = 1e-3f,
                                   .steps = STEPS,
                                   .x = a->x32,
                                   .v = a->u32,
                                   .s = a->z32 };
  bristle_ensemble_march_f32(bristle_law_find("lugre"), &e);
}

static const struct {
  const char *who;
  void (*run)(arena *a);
} jobs[] = {
  { "Bristle|f64|prescribed", batch },   { "Bristle|f32|prescribed", batch_f32 },
  { "libm loop|f64|prescribed", plain }, { "libm loop|f32|prescribed", plain_f32 },
  { "Bristle|f64|coupled", coupled },    { "Bristle|f32|coupled", coupled_f32 },
};
enum { JOBS = sizeof jobs / sizeof *jobs };

/* the best of several, in turn; small batches are repeated until a clock sees them */
static void throughput(size_t count)
{
  double best[JOBS];
  const size_t repeats = 1 + 4096 / count;
  arena a = arena_of(count);
  for (int k = 0; k < TRIES; k++)
    for (int j = 0; j < JOBS; j++) {
      const double begin = now();
      for (size_t r = 0; r < repeats; r++) jobs[j].run(&a);
      const double took = (now() - begin) / (double)repeats;
      if (!k || took < best[j]) best[j] = took;
    }
  for (int j = 0; j < JOBS; j++)
    printf("throughput|%s|%zu|%.4g\n", jobs[j].who, count, (double)count * STEPS / best[j]);
  fflush(stdout);
  arena_end(&a);
}

/* ---- drift: 1 kg pushed with half of the level, from 1 s to 10 s ---- */

static double push_at(double t) { return t < 0.5 ? t : 0.5; }

typedef struct block {
  double x, v, z;
} block;

static void step_ours(block *b, double t, double h)
{
  const bristle_lugre p = bristle_lugre_default();
  const bristle_input in = { .v = b->v + h * push_at(t + h), .w = h, .n = 1, .h = h };
  bristle_lugre_step(&p, (bristle_lugre_state *)&b->z, &in, &b->v);
  b->x += h * b->v;
}
static void step_explicit(block *b, double t, double h)
{
  const bristle_lugre p = bristle_lugre_default();
  const double r = b->v / p.vs, g = p.fc + (p.fs - p.fc) * exp(-r * r), dz = b->v - p.sigma0 * fabs(b->v) / g * b->z;
  const double f = p.sigma0 * b->z + p.sigma1 * dz + p.sigma2 * b->v;
  b->z += h * dz;
  b->v += h * (push_at(t) - f);
  b->x += h * b->v;
}
static void step_smooth(block *b, double t, double h)
{
  b->v += h * (push_at(t) - tanh(b->v / 1e-3));
  b->x += h * b->v;
}

static void drift(const char *who, void (*step)(block *b, double t, double h), double h)
{
  block b = { 0 };
  double from = 0;
  const long steps = lround(10 / h), begin = lround(1 / h);
  for (long i = 0; i < steps; i++) {
    if (i == begin) from = b.x;
    step(&b, (double)i * h, h);
  }
  const double way = fabs(b.x - from);
  printf("drift|%s|%g|%.3g\n", who, h, isfinite(way) && way < 1e3 ? way : HUGE_VAL);
}

int main(void)
{
  srand(1);
  for (size_t count = 1; count <= MOST; count *= 4) throughput(count);
  for (double h = 1e-5; h < 0.11; h *= 10) {
    drift("Bristle, lugre", step_ours, h);
    drift("explicit Euler, lugre", step_explicit, h);
    drift("tanh over 1 mm/s, Euler", step_smooth, h);
  }
  return 0;
}
