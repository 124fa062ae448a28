/* Computes what a folder lacks, chunk by chunk: the runs of a chunk on several threads, its file by the caller's. */
#include "sweep/sweep.h"

#include "fit/common/parallel.h"

#include <stdlib.h>

enum { BLOCK = 8 }; /* runs that a thread takes at a time */

typedef struct chunk_work {
  bristle_sweep *s;
  const bristle_sweep_options *options;
  double *rows;
  unsigned long long first, count, next, done; /* runs of the chunk */
  unsigned long long before, all;              /* runs of this call that were done when it began; all of them */
  int stopped;
  parallel_lock lock;
} chunk_work;

static void tell(chunk_work *w)
{
  if (!w->options->progress) return;
  if (w->options->progress(w->options->context, w->before + w->done, w->all)) w->stopped = 1;
}

static void work(void *context, int worker)
{
  chunk_work *w = context;
  for (;;) {
    parallel_take(&w->lock);
    const unsigned long long first = w->next, left = w->count - first, count = left < BLOCK ? left : BLOCK;
    w->next += count;
    parallel_give(&w->lock);
    if (!count) return;
    for (unsigned long long i = first; i < first + count; i++)
      sweep_run(w->s, &w->s->inside->worker[worker], w->first + i, w->rows + i * w->s->width, NULL);
    parallel_take(&w->lock);
    w->done += count;
    tell(w);
    parallel_give(&w->lock);
  }
}

static bristle_fault_kind start_workers(bristle_sweep *s, int threads, bristle_fault *fault)
{
  struct sweep_inside *in = s->inside;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  while (in->workers < threads && !kind) {
    kind = sweep_worker_start(s, &in->worker[in->workers], fault);
    in->workers += !kind;
  }
  return kind;
}

/* what one call does, and how much of it is done */
typedef struct plan {
  unsigned long long at, before, all; /* chunks looked at; runs to do before it; all runs to do */
  signed char *there;                 /* of each chunk, when the call began */
} plan;

static int is_mine(const bristle_sweep_options *o, unsigned long long k)
{
  return !o->shards || k % o->shards == o->shard;
}

static bristle_fault_kind look(const bristle_sweep *s, const char *folder, const bristle_sweep_options *o, plan *p,
                               bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  p->there = malloc((size_t)s->chunks);
  if (!p->there) return fault_memory(fault);
  for (unsigned long long k = 0; k < s->chunks && !kind; k++) {
    p->there[k] = (signed char)(is_mine(o, k) ? sweep_chunk_there(s, folder, k) : 1);
    if (p->there[k] < 0) kind = sweep_chunk_replaceable(folder, k, fault);
    p->all += p->there[k] == 1 ? 0 : sweep_chunk_runs(s, k);
  }
  return kind;
}

static void reach(const bristle_sweep *s, plan *p, unsigned long long k)
{
  for (; p->at < k; p->at++) p->before += p->there[p->at] == 1 ? 0 : sweep_chunk_runs(s, p->at);
}

/* the engine `ensemble` takes the runs of a chunk together */
static bristle_fault_kind march_chunk(chunk_work *w, int threads, bristle_fault *fault)
{
  char why[200] = "";
  const int failed = sweep_march(w->s, w->options, threads, w->first, w->count, w->rows, why);
  if (failed == 1) return fault_memory(fault);
  if (failed)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "without the option device the processor computes", "%s", why);
  w->done = w->count;
  tell(w);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind compute_chunks(bristle_sweep *s, const char *folder, const bristle_sweep_options *o,
                                         int threads, bristle_sweep_state *state, bristle_fault *fault)
{
  unsigned long long counter = 0;
  plan p = { .at = 0 };
  double *rows = malloc((size_t)s->chunk * s->width * sizeof *rows);
  bristle_fault_kind kind = rows ? look(s, folder, o, &p, fault) : fault_memory(fault);
  while (!kind && !state->stopped) {
    const unsigned long long k = o->next ? o->next(o->context) : counter++;
    if (k >= s->chunks) break;
    if (!is_mine(o, k)) continue;
    if (p.there[k] == 1) {
      state->found++;
      continue;
    }
    reach(s, &p, k);
    chunk_work w = { s, o, rows, k * s->chunk, sweep_chunk_runs(s, k), 0, 0, p.before, p.all, 0, PARALLEL_LOCK };
    state->again += p.there[k] < 0;
    if (s->marches) kind = march_chunk(&w, threads, fault);
    else parallel_for(threads, threads, work, &w);
    if (!kind) kind = opened_fault(&s->inside->opened, fault);
    if (!kind) kind = sweep_chunk_write(s, folder, k, rows, fault);
    state->computed += !kind;
    state->stopped = w.stopped;
  }
  free(p.there);
  free(rows);
  return kind;
}

/* the digests that the chunks carry themselves; whoever finds all chunks writes them down */
static bristle_fault_kind finish(bristle_sweep *s, const char *folder, int manifest, bristle_sweep_state *state,
                                 bristle_fault *fault)
{
  state->missing = 0;
  for (unsigned long long k = 0; k < s->chunks; k++) state->missing += sweep_chunk_there(s, folder, k) != 1;
  if (state->missing || (manifest == 2 && !state->computed)) return BRISTLE_FAULT_NONE;
  char *digests = malloc((size_t)s->chunks * 65), *bytes;
  const double *rows;
  bristle_fault_kind kind = digests ? BRISTLE_FAULT_NONE : fault_memory(fault);
  for (unsigned long long k = 0; k < s->chunks && !kind; k++) {
    kind = sweep_chunk_read(s, folder, k, &bytes, &rows, digests + 65 * k, fault);
    free(bytes);
  }
  if (!kind) kind = sweep_manifest_write(s, folder, digests, fault);
  free(digests);
  return kind;
}

bristle_fault_kind bristle_sweep_compute(bristle_sweep *s, const char *folder, const bristle_sweep_options *options,
                                         bristle_sweep_state *state, bristle_fault *fault)
{
  const int most = options->threads < SWEEP_THREADS ? options->threads : SWEEP_THREADS, threads = most > 1 ? most : 1;
  int manifest;
  *state = (bristle_sweep_state){ .computed = 0 };
  bristle_fault_kind kind = sweep_manifest_compare(s, folder, &manifest, fault);
  if (!kind) kind = start_workers(s, threads, fault);
  if (!kind && !manifest) kind = sweep_manifest_write(s, folder, NULL, fault);
  if (!kind) kind = compute_chunks(s, folder, options, threads, state, fault);
  return kind ? kind : finish(s, folder, manifest, state, fault);
}
