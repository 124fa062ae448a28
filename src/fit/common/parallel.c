/* Independent jobs on several threads: each takes the next number from a counter until there are none left. */
#include "fit/common/parallel.h"

#ifdef BRISTLE_NO_THREADS

void parallel_for(int threads, int count, void (*job)(void *context, int i), void *context)
{
  (void)threads;
  for (int i = 0; i < count; i++) job(context, i);
}

#else
#include <stdatomic.h>

enum { MOST_THREADS = 64 };

typedef struct crew {
  atomic_int next;
  int count;
  void (*job)(void *context, int i);
  void *context;
} crew;

static void *work(void *shared)
{
  crew *c = shared;
  for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->count;) c->job(c->context, i);
  return NULL;
}

void parallel_for(int threads, int count, void (*job)(void *context, int i), void *context)
{
  crew c = { .count = count, .job = job, .context = context };
  pthread_t thread[MOST_THREADS];
  int started = 0, wanted = (threads < count ? threads : count) - 1;
  if (wanted > MOST_THREADS) wanted = MOST_THREADS;
  while (started < wanted && !pthread_create(&thread[started], NULL, work, &c)) started++;
  work(&c);
  for (int i = 0; i < started; i++) pthread_join(thread[i], NULL);
}

#endif
