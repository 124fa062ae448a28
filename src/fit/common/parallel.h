/* Independent jobs on several threads. All that knows of threads is here and in parallel.c: a build for a target
   without them defines BRISTLE_NO_THREADS, and the caller's own thread does everything. */
#ifndef BRISTLE_FIT_PARALLEL_H
#define BRISTLE_FIT_PARALLEL_H

/* Calls job(context, i) for i = 0 .. count - 1, each once, from up to `threads` threads (the caller's own among them).
   The order is not defined: a job writes only to places of its own. Where no thread can be had, fewer do the work. */
void parallel_for(int threads, int count, void (*job)(void *context, int i), void *context);

/* What only one job at a time may do, such as telling how far all are. */
#ifdef BRISTLE_NO_THREADS
typedef int parallel_lock;
#define PARALLEL_LOCK 0
static inline void parallel_take(parallel_lock *lock) { (void)lock; }
static inline void parallel_give(parallel_lock *lock) { (void)lock; }
#else
#include <pthread.h>
typedef pthread_mutex_t parallel_lock;
#define PARALLEL_LOCK PTHREAD_MUTEX_INITIALIZER
static inline void parallel_take(parallel_lock *lock) { pthread_mutex_lock(lock); }
static inline void parallel_give(parallel_lock *lock) { pthread_mutex_unlock(lock); }
#endif

#endif
