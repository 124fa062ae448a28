/* Sweeps: one scenario, or one identification, thousands to billions of times, with keys on grids or drawn at random.
 *
 * What a run gives depends on the spec and on its number alone: not on threads, on who computes it, or on what was
 * computed before. Runs come in chunks; a chunk is one file, a NumPy array of rows with named columns (NPY, all
 * doubles) with a line behind it that holds the digest of the spec and of the chunk. Chunk files are the only memory of
 * a sweep: whoever finds one whole need not compute it again.
 */
#ifndef BRISTLE_LAB_SWEEP_H
#define BRISTLE_LAB_SWEEP_H

#include "lab/io.h"

struct bristle_law; /* bristle/ensemble.h */
struct bristle_ensemble;

typedef enum bristle_sweep_kind {
  BRISTLE_SWEEP_KEY,      /* a number that the run was given, in the unit of the spec; texts by their place */
  BRISTLE_SWEEP_STATUS,   /* what became of the run: bristle_sweep_status */
  BRISTLE_SWEEP_REDRAWS,  /* how often keys were drawn anew because a rule of the scenario or its law refused them */
  BRISTLE_SWEEP_QUANTITY, /* a number that the run gave; NaN where it gave none */
  BRISTLE_SWEEP_SERIES    /* a whole column of the run, NaN after its end */
} bristle_sweep_kind;

typedef enum bristle_sweep_status {
  BRISTLE_SWEEP_DONE,
  BRISTLE_SWEEP_REFUSED, /* the keys break a rule of the scenario or of its law */
  BRISTLE_SWEEP_FAILED   /* the run did not reach its end */
} bristle_sweep_status;

typedef struct bristle_sweep_column {
  char name[72], unit[32];
  bristle_sweep_kind kind;
  size_t count;            /* numbers of a row: 1, or the rows of a series */
  size_t values;           /* key: how many there are on its grid; 0 where it is drawn */
  int is_log;              /* key: on a logarithmic scale */
  const double *grid;      /* key: the values; places where they are texts */
  const char *const *text; /* key: the texts, or NULL */
} bristle_sweep_column;

typedef struct bristle_sweep {
  char digest[65];              /* of the spec, the files that it reads, and the version of this library */
  const char *title, *scenario; /* as the spec has them; or NULL */
  const char *sampling;         /* "grid", "random" or "sobol" */
  unsigned long long runs, chunk, chunks, seed;
  int drawn;             /* keys that are drawn */
  int marches;           /* engine: ensemble */
  int indices;           /* runs come in groups of drawn + 2, for Sobol's indices */
  size_t columns, width; /* numbers of a row */
  const bristle_sweep_column *column;
  struct sweep_inside *inside;
} bristle_sweep;

/* *sweep is NULL when the spec cannot be used. */
bristle_fault_kind bristle_sweep_read(const char *path, bristle_sweep **sweep, bristle_fault *fault);
/* The same of a folder with results, by its manifest: it can be looked at, but not run. */
bristle_fault_kind bristle_sweep_folder(const char *folder, bristle_sweep **sweep, bristle_fault *fault);
void bristle_sweep_free(bristle_sweep *sweep); /* NULL is fine */

/* One run: `row` gets sweep->width numbers. `why` (may be NULL) gets a sentence where it was refused or failed. */
void bristle_sweep_run(bristle_sweep *sweep, unsigned long long run, double *row, char why[400]);
/* What the verb `simulate` needs to repeat a run, beside its keys: the file, and what the spec sets in all runs, as its
   `--set` takes it. 0: it cannot, because the scenario stands in the spec, or only results are there. */
int bristle_sweep_base(const bristle_sweep *sweep, const char **file, char *settings, size_t size);
/* The keys of a row as `--set` of the verb `simulate` takes them. */
void bristle_sweep_settings(const bristle_sweep *sweep, const double *row, char *text, size_t size);

typedef struct bristle_sweep_options {
  int threads;                               /* 0 or less: 1 */
  unsigned long long shard, shards;          /* only chunks with this number modulo `shards`; 0 shards: all */
  void *context;                             /* of the functions, each of which may be NULL; one is called at a time */
  unsigned long long (*next)(void *context); /* hands out 0, 1, 2, ..., each once, to all who share the work */
  /* How many runs are done of those that this call found to do. Nonzero: no new chunk is begun. */
  int (*progress)(void *context, unsigned long long done, unsigned long long of);
  /* bristle_ensemble_march on another device, for specs with engine: ensemble; NULL: here. Nonzero: it failed. */
  int (*march)(void *context, const struct bristle_law *law, const struct bristle_ensemble *e, char why[200]);
} bristle_sweep_options;

typedef struct bristle_sweep_state {
  unsigned long long computed, found, missing; /* chunks: by this call, before it, still to do by anybody */
  unsigned long long again;                    /* of those computed: files that were there, but not whole */
  int stopped;
} bristle_sweep_state;

/* Computes the chunks that `folder`, which must be there, does not hold, and the manifest. */
bristle_fault_kind bristle_sweep_compute(bristle_sweep *sweep, const char *folder, const bristle_sweep_options *options,
                                         bristle_sweep_state *state, bristle_fault *fault);

/* ---- results ---- */

enum { BRISTLE_SWEEP_BINS = 40, BRISTLE_SWEEP_MAP = 32 };

/* One column of all runs. */
typedef struct bristle_sweep_numbers {
  unsigned long long count; /* finite ones */
  double mean, deviation, least, largest;
  double bin[BRISTLE_SWEEP_BINS]; /* how many, between the least and the largest */
} bristle_sweep_numbers;

typedef struct bristle_sweep_summary {
  unsigned long long status[3], redraws;
  unsigned long long first[3];    /* the first run with each status */
  bristle_sweep_numbers *numbers; /* for each column; of series nothing */
  double *share; /* columns x columns: the part of the variance of a quantity (row) that follows one key (column)
                    alone; NaN where there is none */
  double *total; /* the same with all that the key has a part in; NULL without indices */
  /* Means of each quantity over the first two keys: columns x (second key) x (first key); NaN where no run is. NULL
     with fewer than two. */
  size_t cells[2];
  double at[2][BRISTLE_SWEEP_MAP]; /* values of a grid, or middles of the parts of a range */
  double *map;
} bristle_sweep_summary;

/* Reads all chunks, compares their digests, and sums up. The fault names a chunk that is missing or damaged. */
bristle_fault_kind bristle_sweep_sum(const bristle_sweep *sweep, const char *folder, bristle_sweep_summary **summary,
                                     bristle_fault *fault);
void bristle_sweep_summary_free(bristle_sweep_summary *summary); /* NULL is fine */
/* Compares the digest of every chunk; the fault names the first that is missing or damaged, and counts them. */
bristle_fault_kind bristle_sweep_check(const bristle_sweep *sweep, const char *folder, bristle_fault *fault);
/* All rows in one file: a table where its name ends in .csv (series are left out), otherwise NPY. */
bristle_fault_kind bristle_sweep_merge(const bristle_sweep *sweep, const char *folder, const char *path,
                                       bristle_fault *fault);

#endif
