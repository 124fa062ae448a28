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
  unsigned long long before;                   /* runs that were done when it began */
  int stopped;
  parallel_lock lock;
} chunk_work;

static void tell(chunk_work *w)
{
  if (!w->options->progress) return;
  if (w->options->progress(w->options->context, w->before + w->done, w->s->runs)) w->stopped = 1;
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

typedef struct local_counter {
  unsigned long long next;
} local_counter;

static bristle_fault_kind compute_chunks(bristle_sweep *s, const char *folder, const bristle_sweep_options *o,
                                         int threads, bristle_sweep_state *state, bristle_fault *fault)
{
  local_counter counter = { 0 };
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  double *rows = malloc((size_t)s->chunk * s->width * sizeof *rows);
  if (!rows) return sweep_no_memory(fault);
  unsigned long long done = 0;
  while (!kind && !state->stopped) {
    const unsigned long long k = o->next ? o->next(o->context) : counter.next++;
    if (k >= s->chunks) break;
    if (o->shards && k % o->shards != o->shard) continue;
    const int there = sweep_chunk_there(s, folder, k);
    chunk_work w = { s, o, rows, k * s->chunk, sweep_chunk_runs(s, k), 0, 0, done, 0, PARALLEL_LOCK };
    done += w.count;
    if (there == 1) {
      state->found++;
      continue;
    }
    state->again += there < 0;
    parallel_for(threads, threads, work, &w);
    kind = sweep_chunk_write(s, folder, k, rows, fault);
    state->computed += !kind;
    state->stopped = w.stopped;
  }
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
  bristle_fault_kind kind = digests ? BRISTLE_FAULT_NONE : sweep_no_memory(fault);
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
