/* Independent jobs on several threads. */
#ifndef BRISTLE_FIT_PARALLEL_H
#define BRISTLE_FIT_PARALLEL_H

/* Calls job(context, i) for i = 0 .. count - 1, each once, from up to `threads` threads (the caller's own among them).
   The order is not defined: a job writes only to places of its own. Where no thread can be had, fewer do the work. */
void parallel_for(int threads, int count, void (*job)(void *context, int i), void *context);

#endif
