/* A law, logs, and what is compared; not installed. */
#ifndef BRISTLE_FIT_EXPERIMENT_H
#define BRISTLE_FIT_EXPERIMENT_H

#include "fit/unknowns/chart.h"

enum { UNKNOWNS = BRISTLE_LAW_SIZE + BRISTLE_TERMS };

typedef struct experiment {
  const bristle_law *law;
  bristle_load load;
  const bristle_log *const *logs;
  size_t log_count;
  const bristle_identify_options *options;
  const chart *chart;
  int unknowns, term_at[BRISTLE_TERMS]; /* -1: not searched */
  size_t decimate;
  int rough;                        /* see walk */
  double force_floor;               /* of objectives that divide by the force; 0 elsewhere */
  size_t rows;                      /* of all logs */
  size_t slots;                     /* rows there would be if every sample counted */
  int every_phase;                  /* 1: rows of every phase count, to score a law with */
  int moving_only;                  /* 1: rows on the way to motion do not count, though the law has states */
  int fold, folds;                  /* rows of this fold do not count; folds 0: all count */
  const struct fast_layout *layout; /* of the logs, where one was made for many passes; or NULL */
} experiment;

void experiment_make(experiment *e, const chart *c, const bristle_log *const *logs, size_t log_count, bristle_load load,
                     const bristle_identify_options *options);
/* A bristle_residuals, with the experiment as context. */
int experiment_residuals(void *context, const double *u, bristle_rows *rows);
/* The same as plain arrays, experiment->rows long: residual (model - measured) and measured force, unweighted; slot
   (or NULL) says which of all rows in time each is. */
bristle_fault_kind experiment_compare(const experiment *e, const double *u, double *residual, double *measured,
                                      size_t *slot, bristle_fault *fault);
/* What a residual at this force is multiplied with, where the objective divides by the force. */
double experiment_root_weight(const experiment *e, double force);
/* Residuals and their derivatives by the unknowns, row by row, as the objective weighs them. Nonzero: no memory, or no
 * such law. */
int experiment_jacobian(const experiment *e, const double *u, double *residual, double *jacobian);
/* Counts the rows anew, after a change of what counts. */
void experiment_count(experiment *e);
/* The same with the rows of every phase, for scores. */
experiment experiment_scored(const experiment *e);
/* Does a stretch have rows? One of a few samples has none: a thinned log may have many such. */
int experiment_has_stretch(const bristle_log *log, size_t stretch);
/* Does a sample of this phase count for the law? Without states it has nothing to say about the way to motion. */
int experiment_counts(const experiment *e, int phase);
/* The fold that a row belongs to. */
int experiment_fold(const experiment *e, size_t slot);
void experiment_unknowns(const experiment *e, bristle_unknown *unknown);
/* Does a pass with these parameters go the quick way, for which a layout pays? */
int experiment_is_quick(const experiment *e, const double *p);

#endif
