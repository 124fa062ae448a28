/* What the parts of an identification share; not installed. */
#ifndef BRISTLE_FIT_IDENTIFY_H
#define BRISTLE_FIT_IDENTIFY_H

#include "bristle/identify.h"
#include "io/memory.h"
#include "io/support.h"

enum { UNKNOWNS = BRISTLE_LAW_SIZE + BRISTLE_TERMS };

/* ---- features: what the data say before any law is fitted ---- */

typedef struct features {
  double mass, offset;             /* by linear regression, where the balance has them */
  double dry, peak, fall, viscous; /* the Stribeck curve through the samples: level, static level, speed */
  double stiffness;                /* after reversals */
  double slow, fast;               /* speeds that occur */
  double high;                     /* 98 % of the moving samples are slower */
  double travel;                   /* between the ends of the motion */
  double step, duration;           /* s */
  double size;                     /* greatest |friction| */
  double load;                     /* mean normal load, 1 without one */
  int resolved;                    /* the bend after reversals spans several samples */
} features;

/* ---- chart: the unknowns of a fit and the parameters that they stand for ---- */

/* Relations between parameters become bounds: what must be at least another one is searched as its excess over that,
   what must stay below a ratio as its part of that, shares that sum to 1 as ratios to the last one. What must be at
   least another one and has bounds of its own is searched as its place, from 0 to 1, between the lowest that both allow
   and its upper bound, on a logarithmic scale.

   Twice all parameters with the unit of a force make twice the force. Those in which a law is not linear as it stands
   are searched relative to its level: then it is linear in the level, and in the other forces for given ratios. */
typedef enum chart_kind { CHART_PLAIN, CHART_EXCESS, CHART_PART, CHART_RATIO, CHART_PLACE } chart_kind;

typedef struct chart {
  const bristle_law *law;
  int count, nparam;
  chart_kind kind[BRISTLE_LAW_SIZE];
  int place[BRISTLE_LAW_SIZE];    /* of its parameter */
  int relation[BRISTLE_LAW_SIZE]; /* of the law, behind an excess or a part */
  int by_level[BRISTLE_LAW_SIZE]; /* the unknown times the level is the parameter, or the excess */
  int linear[BRISTLE_LAW_SIZE];   /* the force is linear in it, the others given */
  int homogeneous;                /* and without a constant part */
  bristle_unknown unknown[BRISTLE_LAW_SIZE];
  double spread[BRISTLE_LAW_SIZE][2]; /* where the screening looks */
  double guess[BRISTLE_LAW_SIZE];
  double base[BRISTLE_LAW_SIZE];     /* parameters that are held */
  double range[BRISTLE_LAW_SIZE][2]; /* bounds of those searched as places */
  int level;                         /* place of the level that others are relative to, or -1 */
  int last;                          /* place of the last share, or -1 */
  char name[BRISTLE_LAW_SIZE][32];   /* of every parameter: "k[2]" */
} chart;

bristle_fault_kind chart_make(chart *c, const bristle_law *law, bristle_load load, const features *f,
                              const bristle_identify_options *options, bristle_fault *fault);
void chart_params(const chart *c, const double *u, double *p);
void chart_unknowns(const chart *c, const double *p, double *u);
/* A row of derivatives by parameters becomes one by unknowns; p belongs to u. */
void chart_derivatives(const chart *c, const double *u, const double *p, const double *by_param, double *by_unknown);
/* The same for rows of numbers, `stride` apart: those of the parameters, in the places `at`, become those of the
   unknowns, in their order. */
void chart_columns(const chart *c, const double *p, const int *at, double *row, size_t stride);
/* Brings elements that may change places into one order. */
void chart_sort(const chart *c, double *u);
const bristle_row *chart_row(const bristle_info *info, int place);

/* ---- terms beside friction, all linear ---- */

/* The column of a term at a sample. */
double term_column(const bristle_log *log, int term, size_t i);
/* All terms together, with these factors. */
double term_sum(const bristle_log *log, const double *factor, size_t i);
/* One more than the last term that the log may have. */
int term_end(const bristle_log *log);
/* The part of a knot at a position, and its column: the last knot is what the others leave. */
double places_hat(const bristle_places *p, double x, int knot);
double places_column(const bristle_places *p, double x, int knot);
/* With the names of the log's own terms. */
const char *term_name(const bristle_log *log, int term);

/* ---- experiment: a law, logs, and what is compared ---- */

typedef struct experiment {
  const bristle_law *law;
  bristle_load load;
  const bristle_log *const *logs;
  size_t log_count;
  const bristle_identify_options *options;
  const chart *chart;
  int unknowns, term_at[BRISTLE_TERMS]; /* -1: not searched */
  size_t decimate;
  int rough;                    /* see walk */
  double force_floor;           /* of objectives that divide by the force; 0 elsewhere */
  size_t rows;                  /* of all logs */
  size_t slots;                 /* rows there would be if every sample counted */
  int every_phase;              /* 1: rows of every phase count, to score a law with */
  int moving_only;              /* 1: rows on the way to motion do not count, though the law has states */
  int fold, folds;              /* rows of this fold do not count; folds 0: all count */
  const struct fast_plan *plan; /* of the logs, where one was made for many passes; or NULL */
} experiment;

void experiment_make(experiment *e, const chart *c, const bristle_log *const *logs, size_t log_count, bristle_load load,
                     const bristle_identify_options *options);
/* A bristle_residuals, with the experiment as context. */
int experiment_residuals(void *context, const double *u, bristle_rows *rows);
/* The same as plain arrays, experiment->rows long: residual (model - measured) and measured force, unweighted; slot
   (or NULL) says which of all rows in time each is. */
bristle_fault_kind experiment_compare(const experiment *e, const double *u, double *residual, double *measured,
                                      size_t *slot, bristle_fault *fault);
/* Residuals and their derivatives by the unknowns, row by row. Nonzero: no memory, or no such law. */
int experiment_jacobian(const experiment *e, const double *u, double *residual, double *jacobian);
/* Counts the rows anew, after a change of what counts. */
void experiment_count(experiment *e);
/* The same with the rows of every phase, for scores. */
experiment experiment_scored(const experiment *e);
/* Does a sample of this phase count for the law? Without states it has nothing to say about the way to motion. */
int experiment_counts(const experiment *e, int phase);
/* The fold that a row belongs to. */
int experiment_fold(const experiment *e, size_t slot);
void experiment_unknowns(const experiment *e, bristle_unknown *unknown);
/* Does a pass with these parameters go the quick way, for which a plan pays? */
int experiment_is_quick(const experiment *e, const double *p);

/* ---- one law along one log ---- */

/* Walks a law along a stretch of a log; derivatives where wanted. */
typedef struct walk {
  const bristle_law *law;
  bristle_load load;
  const bristle_log *log;
  const double *p;
  int derivatives;
  int rough;                  /* the force of the step itself will do: half a sample late in its viscous parts */
  size_t start;               /* the first sample of the stretch */
  double term[BRISTLE_TERMS]; /* taken off the measured force before a law at rest sees it */
  double s[BRISTLE_LAW_SIZE], ds[BRISTLE_LAW_SIZE * BRISTLE_LAW_SIZE];
} walk;

/* Where the velocity changes its sign between two samples the way is there and back: a step to the turn, where a
   straight line between the velocities has its zero, and one from it. there = 0: no turn. */
typedef struct walk_turn {
  double h, there;  /* times */
  double way, back; /* travels */
} walk_turn;
walk_turn walk_turn_at(const bristle_log *log, size_t i);
void walk_begin(walk *w, size_t stretch);
/* The friction force at sample i, which follows the one before; df has nparam numbers when derivatives are wanted. */
double walk_force(walk *w, size_t i, double *df);
/* The friction force at every sample, the terms (factors) being beside it. Nonzero: no memory. */
int walk_forces(const bristle_law *law, bristle_load load, const bristle_log *log, const double *p, const double *term,
                double *force);

/* ---- the rest ---- */

bristle_fault_kind features_find(features *f, const bristle_log *const *logs, size_t count,
                                 const bristle_identify_options *options, bristle_fault *fault);
/* The best candidates of many, best first: `keep` rows of chart unknowns. Returns how many there are. */
int screen_candidates(const experiment *e, int candidates, int keep, unsigned long long seed, double *best,
                      bristle_fault_kind *kind, bristle_fault *fault);
/* Every stride-th sample, with the mean velocity over the longer way; belongs to the list. */
bristle_log *log_thinned(const bristle_log *log, size_t stride, memory **list);
/* Logs with about `rows` samples in all where there are more; the same logs otherwise. NULL: no memory. */
const bristle_log *const *logs_thinned(const bristle_log *const *logs, size_t count, size_t rows, memory **list);
/* How much residuals follow each other: how many count as one effective sample, and the Ljung-Box probability. */
void residual_memory(const double *r, size_t count, double *worth, double *probability);

/* splitmix64: a good generator of few words */
static inline unsigned long long random_next(unsigned long long *state)
{
  unsigned long long z = (*state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}
static inline double random_unit(unsigned long long *state) { return (double)(random_next(state) >> 11) * 0x1p-53; }

#endif
