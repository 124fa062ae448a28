/* Many processes that share a sweep: what the tool asks of MPI. The answers are in a file of their own, bristle-mpi.so,
   which is loaded only in a process that mpirun has started, so that nobody else needs an MPI. */
#ifndef CLI_RANKS_H
#define CLI_RANKS_H

typedef struct ranks {
  int rank, count;
  unsigned long long (*next)(void); /* 0, 1, 2, ..., each to one of all ranks */
  void (*listen)(void);             /* lets others have their numbers while this rank computes */
  void (*wait)(void);               /* until all are here */
  void (*end)(void);
  void (*abort)(int code); /* ends all ranks */
} ranks;

/* The one function of bristle-mpi.so. NULL: MPI does not start. */
typedef const ranks *ranks_start_function(void);
#define RANKS_START "bristle_ranks_start"

/* NULL in *found: this process is alone. Nonzero: it is not, but cannot talk to the others; a message was printed. */
int ranks_find(const ranks **found);

#endif
