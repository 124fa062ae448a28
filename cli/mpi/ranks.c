/* bristle-mpi.so: ranks that take numbers from one counter. No rank is master; the counter lies in the memory of rank
   0, which has to look up from its work now and then where the network cannot reach into memory (TCP). */
#include "sweep/ranks.h"

#include <mpi.h>
#include <stddef.h>

/* MPI itself is global to a process */
static MPI_Win window;
static unsigned long long *counter;

static unsigned long long next(void)
{
  const unsigned long long one = 1;
  unsigned long long taken = 0;
  MPI_Fetch_and_op(&one, &taken, MPI_UNSIGNED_LONG_LONG, 0, 0, MPI_SUM, window);
  MPI_Win_flush(0, window);
  return taken;
}

static void listen_to_others(void)
{
  int found;
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

static void wait_for_all(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void end(void)
{
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
}

static void abort_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

__attribute__((visibility("default"))) const ranks *bristle_ranks_start(void);
const ranks *bristle_ranks_start(void)
{
  static ranks all = { .next = next, .listen = listen_to_others, .wait = wait_for_all, .end = end, .abort = abort_all };
  int level;
  if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level)) return NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &all.count);
  const MPI_Aint size = all.rank ? 0 : (MPI_Aint)sizeof *counter;
  if (MPI_Win_allocate(size, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window)) return NULL;
  if (!all.rank) *counter = 0;
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_lock_all(0, window);
  return &all;
}
