/* What the parts of a sweep share; not installed. */
#ifndef BRISTLE_SWEEP_INSIDE_H
#define BRISTLE_SWEEP_INSIDE_H

#include "lab/scenario.h"
#include "lab/sweep.h"
#include "io/memory.h"
#include "io/opened.h"
#include "maths/sobol.h"

enum { SWEEP_KEYS = SOBOL_DIMENSIONS / 2, SWEEP_COLUMNS = 200, SWEEP_THREADS = 64, SWEEP_PATH = 120 };

typedef enum sweep_draw { DRAW_GRID, DRAW_UNIFORM, DRAW_LOG_UNIFORM, DRAW_NORMAL, DRAW_LOG_NORMAL } sweep_draw;

/* A key of the scenario that differs from run to run. */
typedef struct sweep_key {
  char name[72], unit[32]; /* as the spec has it */
  char path[SWEEP_PATH];   /* in the tree */
  sweep_draw draw;
  double a, b;       /* bounds; mean and deviation; median and the logarithm of the factor of one deviation */
  size_t count;      /* of a grid */
  double *value;     /* numbers of a grid, or NULL where they are texts */
  const char **text; /* texts of a grid */
  int times;         /* multiplied by the value of this key, which stands before it; or -1 */
  int drawn;         /* its place among those that are drawn; or -1 */
} sweep_key;

typedef enum sweep_measure {
  MEASURE_END,
  MEASURE_LEAST,
  MEASURE_MOST,
  MEASURE_MEAN,
  MEASURE_EVENTS, /* of `event`, or all */
  MEASURE_PERIOD,
  MEASURE_STICK_SLIP,
  MEASURE_STEPS,
  MEASURE_ENERGY, /* the double at `offset` of the statistics */
  MEASURE_FIT,    /* of the result of an identification */
  MEASURE_ESTIMATE,
  MEASURE_DEVIATION,
  MEASURE_CUTOFF
} sweep_measure;

typedef struct sweep_quantity {
  sweep_measure measure;
  char column[24]; /* of the rows; the name of an estimate */
  int event;       /* bristle_event_kind, or -1 */
  size_t offset;
} sweep_quantity;

/* What a thread needs: the scenario as a tree, with the places where the keys stand. */
typedef struct sweep_worker {
  bristle_tree *tree;
  const bristle_node *root; /* of the scenario, in the tree */
  bristle_node *slot[SWEEP_KEYS];
  char number[SWEEP_KEYS][80]; /* and its unit; texts stand in the keys */
} sweep_worker;

typedef struct sweep_asked sweep_asked; /* what an identification of a run is asked to do */

struct sweep_inside {
  memory *list;
  opened_list opened;                /* all files that runs may open */
  struct sweep_logs *logs;           /* of a sweep of identifications; NULL: it is one of a scenario */
  bristle_document *spec, *document; /* document: of the scenario; NULL where it stands in the spec itself */
  bristle_scenario *base;            /* one that could be read; its tables serve all others */
  const bristle_node *set;           /* values that replace those of the scenario in all runs; or NULL */
  double base_keys[SWEEP_KEYS];      /* its keys */
  int reads_files;                   /* scenarios open files: one at a time */
  const char *sums;                  /* of each chunk, 65 bytes, as the manifest of a folder has them; or NULL */
  int keys, quantities, serieses;
  sweep_key key[SWEEP_KEYS];
  sweep_quantity quantity[SWEEP_COLUMNS];
  char series[SWEEP_COLUMNS][24];
  size_t series_rows;
  double after; /* events and extrema count from here on */
  size_t most_steps;
  int needs_rows, needs_energy, needs_folds;
  unsigned long long samples; /* for each point of the grid */
  sobol *sequence;            /* or NULL */
  sweep_worker worker[SWEEP_THREADS];
  int workers;
};

/* ---- reading ---- */

/* Where a name of the spec stands in the tree of the scenario. */
void sweep_key_path(const bristle_sweep *s, const char *name, char path[SWEEP_PATH]);
/* Keys with their grids and distributions. */
bristle_fault_kind sweep_read_keys(bristle_sweep *s, const bristle_node *map, bristle_fault *fault);
/* Names of quantities and series, by the columns of the scenario. */
bristle_fault_kind sweep_read_quantities(bristle_sweep *s, const bristle_node *root, bristle_fault *fault);
/* The columns of a row, in their order: keys, status, redraws, quantities, series. */
bristle_fault_kind sweep_list_columns(bristle_sweep *s, bristle_fault *fault);

/* ---- runs ---- */

bristle_fault_kind sweep_worker_start(bristle_sweep *s, sweep_worker *w, bristle_fault *fault);
void sweep_worker_end(sweep_worker *w);
/* The values of the keys in an attempt of a run. */
void sweep_draw_keys(const bristle_sweep *s, unsigned long long run, unsigned attempt, double *value);
/* Reads the scenario of a run, or what its identification is asked to do. Its keys are in row. */
typedef struct sweep_task {
  bristle_scenario *scenario;
  sweep_asked *asked;
} sweep_task;
bristle_fault_kind sweep_read_task(bristle_sweep *s, sweep_worker *w, unsigned long long run, double *row,
                                   sweep_task *task, unsigned *redraws, bristle_fault *fault);
/* Reads the scenario of these keys for the files that it opens, and forgets it. */
void sweep_try_keys(bristle_sweep *s, sweep_worker *w, const double *value);
/* The same, with the status of the run; its place for quantities in `row`, or NULL where it was refused. */
double *sweep_begin_run(bristle_sweep *s, sweep_worker *w, unsigned long long run, double *row, sweep_task *task,
                        char why[400]);
void sweep_run(bristle_sweep *s, sweep_worker *w, unsigned long long run, double *row, char why[400]);
/* Simulates and fills the quantities and series of a row; nonzero: it did not reach its end. */
/* 1, 0, or NaN where the run is too short to tell */
double sweep_stick_slip(double slips, int slides_all_along);
int sweep_measure_run(const bristle_sweep *s, const bristle_scenario *scenario, double *row, bristle_sim_error *error);

/* ---- the engine `ensemble` ---- */

/* NULL: it can run this scenario; else why it cannot. */
const char *sweep_march_suits(const bristle_scenario *scenario);
/* The same of the whole spec; the fault is at the key `engine`. */
bristle_fault_kind sweep_march_check(const bristle_sweep *s, const bristle_node *engine, bristle_fault *fault);
/* Runs first..first+count; 1: not enough memory, 2: the device failed, and `why` says how. */
int sweep_march(bristle_sweep *s, const bristle_sweep_options *options, int threads, unsigned long long first,
                unsigned long long count, double *rows, char why[200]);

/* ---- identifications ---- */

/* Reads the logs that the spec names. */
bristle_fault_kind sweep_logs_open(bristle_sweep *s, const bristle_node *root, bristle_fault *fault);
void sweep_logs_close(struct sweep_logs *logs); /* NULL is fine */
/* What one log of a run tells: is the motion linear or rotary? */
bristle_fault_kind sweep_logs_look(bristle_sweep *s, const sweep_asked *asked, bristle_fault *fault);
bristle_fault_kind sweep_fitted_quantity(bristle_sweep *s, const bristle_node *node, const char *name, char unit[32],
                                         sweep_quantity *q, bristle_fault *fault);
bristle_fault_kind sweep_ask(const bristle_sweep *s, const bristle_node *map, unsigned long long run,
                             sweep_asked **asked, bristle_fault *fault);
void sweep_asked_free(sweep_asked *asked); /* NULL is fine */
bristle_fault_kind sweep_identify(const bristle_sweep *s, const sweep_asked *asked, double *row, bristle_fault *fault);

/* ---- files ---- */

void sweep_chunk_path(const char *folder, unsigned long long k, char path[4200]);
unsigned long long sweep_chunk_runs(const bristle_sweep *s, unsigned long long k);
/* Is the chunk there? 0: no. 1: whole, as far as its size and its last line say. -1: there, but not whole. */
int sweep_chunk_there(const bristle_sweep *s, const char *folder, unsigned long long k);
bristle_fault_kind sweep_chunk_replaceable(const char *folder, unsigned long long k, bristle_fault *fault);
bristle_fault_kind sweep_chunk_write(const bristle_sweep *s, const char *folder, unsigned long long k,
                                     const double *rows, bristle_fault *fault);
/* Reads a chunk; rows point into *bytes, which belongs to the caller. Where `digest` is not NULL, it is compared. */
bristle_fault_kind sweep_chunk_read(const bristle_sweep *s, const char *folder, unsigned long long k, char **bytes,
                                    const double **rows, char digest[65], bristle_fault *fault);
/* Numbers in the order of bytes that files have, from that of the machine, and back. */
void sweep_file_order(char *numbers, size_t count);
/* The head of an NPY file of that many rows; its length. */
size_t sweep_npy_head(const bristle_sweep *s, unsigned long long rows, char **head);
/* Digests (NULL: not yet known) of all chunks, 65 bytes each. */
bristle_fault_kind sweep_manifest_write(const bristle_sweep *s, const char *folder, const char *digests,
                                        bristle_fault *fault);
/* Is there one, and is it of this sweep? *there is 0, 1, or 2 where it has all digests. */
bristle_fault_kind sweep_manifest_compare(const bristle_sweep *s, const char *folder, int *there, bristle_fault *fault);

#endif
