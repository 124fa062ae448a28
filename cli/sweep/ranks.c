/* Is this process one of many that mpirun has started? */
#include "ranks.h"

#include "common/cli.h"
#include "platform/platform.h"

/* how many there are, as the launchers of Open MPI, MPICH (and its kin) and MVAPICH say it */
static int started_together(void)
{
  static const char *const names[] = { "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value) return atoi(value);
  }
  const char *tasks = getenv("PMIX_RANK") ? getenv("SLURM_STEP_NUM_TASKS") : NULL; /* srun --mpi=pmix */
  return tasks ? atoi(tasks) : 1;
}

#ifdef BRISTLE_WITH_MPI
/* beside the tool, or where it is installed */
static const ranks *load(void)
{
  static const char *const places[] = { "bristle-mpi.so", BRISTLE_WITH_MPI };
  char path[4200], *self = platform_own_path();
  void *library = NULL; /* MPI loads parts of its own that look for it */
  for (int i = 0; self && i < 2 && !library; i++) {
    snprintf(path, sizeof path, "%.*s%s", (int)(platform_name(self) - self), self, places[i]);
    library = platform_library(path, 1, NULL, 0);
  }
  free(self);
  ranks_start_function *start = NULL;
  if (library) *(void **)&start = platform_function(library, RANKS_START);
  return start ? start() : NULL;
}
#else
static const ranks *load(void) { return NULL; }
#endif

int ranks_find(const ranks **found)
{
  *found = NULL;
  const int count = started_together();
  if (count < 2) return DONE;
  *found = load();
  if (*found) return DONE;
  return failure(FAILED,
                 "mpirun has started this %d times, but there is no bristle-mpi.so beside the tool: build it where an "
                 "MPI is installed (libopenmpi-dev), or share the work by --shard",
                 count);
}
