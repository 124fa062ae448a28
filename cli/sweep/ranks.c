/* Is this process one of many that mpirun has started? */
#include "ranks.h"

#include "common/cli.h"

#ifdef BRISTLE_WITH_MPI
#include <dlfcn.h>
#include <unistd.h>
#endif

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
  char path[4200], self[4000];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0) return NULL;
  self[length] = '\0';
  char *slash = strrchr(self, '/');
  slash[1] = '\0';
  for (int i = 0; i < 2; i++) {
    snprintf(path, sizeof path, "%s%s", self, places[i]);
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI loads parts of its own that look for it */
    ranks_start_function *start;
    if (!library) continue;
    *(void **)&start = dlsym(library, RANKS_START);
    return start ? start() : NULL;
  }
  return NULL;
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
