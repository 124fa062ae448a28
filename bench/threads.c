/* Batches on several threads, as a caller divides them: contacts are independent, the library has no state, so every
 * thread steps contacts of its own. In cache: 1024 contacts each. Wall time, the least of many short repeats, one
 * thread and several in turn; bar: two threads do at least 1.9 times as much as one. */
#include "bristle/params.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { CONTACTS = 1024, ROUNDS = 100, REPEATS = 300, MOST = 64, JOBS = 3 };
static const char *const words[JOBS] = { "f64, prescribed", "f32, prescribed", "f64, coupled" };

typedef struct share { /* of one thread */
  double v[CONTACTS], z[CONTACTS], f[CONTACTS], w[CONTACTS], v_end[CONTACTS];
  float v32[CONTACTS], z32[CONTACTS], f32[CONTACTS];
  int job;
} share;

static share *shares[MOST];
static atomic_int turn, busy, taking_part;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static share *share_of(int thread)
{
  share *s = aligned_alloc(64, (sizeof *s + 63) / 64 * 64);
  if (!s) exit(1);
  unsigned random = 1 + (unsigned)thread;
  for (int i = 0; i < CONTACTS; i++) { /* from stick to gross sliding */
    random = random * 1664525u + 1013904223u;
    s->v[i] = (i & 1 ? -1 : 1) * pow(10, -6 + 5.477 * (double)random / 4294967296.0);
    s->v32[i] = (float)s->v[i], s->z[i] = 0, s->z32[i] = 0, s->w[i] = 1e-4;
  }
  return s;
}

static void work(share *s)
{
  const bristle_lugre p = bristle_lugre_default();
  const bristle_lugre_f32 p32 = bristle_lugre_default_f32();
  const bristle_batch b = { .count = CONTACTS,
                            .p = (const double *)&p,
                            .s = s->z,
                            .v = s->v,
                            .w = s->job == 2 ? s->w : NULL,
                            .h = 1e-4,
                            .f = s->f,
                            .v_end = s->v_end };
  const bristle_batch_f32 b32 = {
    .count = CONTACTS, .p = (const float *)&p32, .s = s->z32, .v = s->v32, .h = 1e-4f, .f = s->f32
  };
  for (int i = 0; i < ROUNDS; i++) {
    if (s->job == 1) bristle_lugre_model_f32.step_n(&b32);
    else bristle_lugre_model.step_n(&b);
  }
}

/* waits for its turn, works, says so */
static void *helper(void *place)
{
  const int thread = (int)(size_t)place;
  for (int seen = 0;;) {
    int next;
    while ((next = atomic_load(&turn)) == seen) continue;
    seen = next;
    if (seen < 0) return NULL;
    if (thread >= atomic_load(&taking_part)) continue;
    work(shares[thread]);
    atomic_fetch_sub(&busy, 1);
  }
}

/* seconds in which so many threads do their shares of a job; how many threads work is changed between turns only */
static double once(int threads, int job, int *turns)
{
  for (int k = 0; k < threads; k++) shares[k]->job = job;
  atomic_store(&taking_part, threads);
  atomic_store(&busy, threads - 1);
  const double start = now();
  atomic_store(&turn, ++*turns);
  work(shares[0]);
  while (atomic_load(&busy) > 0) continue;
  return now() - start;
}

int main(void)
{
  const long online = sysconf(_SC_NPROCESSORS_ONLN);
  const int cores = online > MOST ? MOST : (int)online;
  int turns = 0, failures = 0;
  pthread_t thread[MOST];
  if (cores < 2) {
    printf("threads: this machine has one core\n");
    return 0;
  }
  for (int k = 0; k < cores; k++) shares[k] = share_of(k);
  for (int k = 1; k < cores; k++)
    if (pthread_create(&thread[k], NULL, helper, (void *)(size_t)k)) return 1;
  printf("batches of %d contacts on threads of the caller, %d cores; times one thread (best of %d)\n", CONTACTS, cores,
         REPEATS);
  for (int job = 0; job < JOBS; job++) {
    printf("  %-16s", words[job]);
    double alone = 1, two = 1;
    for (int threads = 2; threads <= cores; threads = threads < cores && 2 * threads > cores ? cores : 2 * threads) {
      double one = 1, all = 1;
      for (int r = 0; r < REPEATS; r++)
        one = fmin(one, once(1, job, &turns)), all = fmin(all, once(threads, job, &turns));
      if (threads == 2) alone = one, two = all;
      printf("  %d threads %.2f", threads, threads * one / all);
    }
    const double ratio = 2 * alone / two;
    printf("   (two at least 1.9) %s\n", ratio >= 1.9 ? "ok" : "MISSED");
    failures += ratio < 1.9;
  }
  atomic_store(&turn, -1);
  for (int k = 1; k < cores; k++) pthread_join(thread[k], NULL);
  for (int k = 0; k < cores; k++) free(shares[k]);
  return failures != 0;
}
