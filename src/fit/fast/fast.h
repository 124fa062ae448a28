/* The quick way along a log, for laws whose state goes by affine maps; not installed.
 *
 * What does not depend on the parameters - the steps of the log, cut into blocks and put side by side - is planned once
 * for many passes. */
#ifndef BRISTLE_FIT_FAST_H
#define BRISTLE_FIT_FAST_H

#include "fit/fast/maps.h"
#include "fit/identify.h"

#include <stdlib.h>

/* a register's worth of numbers lies in one cache line */
#define FAST_ALIGNED _Alignas(64)

/* MAPS_BLOCK consecutive samples of a stretch, or fewer at its end; what belongs to sample first + i stands at
   fast_place(i). */
typedef struct fast_steps {
  size_t first, count;
  size_t extra, extras; /* steps that come before those of samples: the first of them in the plan, how many */
  FAST_ALIGNED double slide[MAPS_BLOCK];
  double h[MAPS_BLOCK], v[MAPS_BLOCK], f[MAPS_BLOCK];
} fast_steps;

/* A step before that of a sample: to the turn inside it, or the long slide before the first one. */
typedef struct fast_extra {
  size_t place;
  double slide, h;
} fast_extra;

typedef struct fast_plan {
  size_t blocks, extras;
  fast_steps *block; /* all stretches of all logs, one after the other */
  fast_extra *extra;
  size_t *first; /* block of each stretch, one place more than stretches in all */
  memory *memory_list;
} fast_plan;

/* Forces and their derivatives, in the order of the steps. Room for columns of linear terms behind them. */
typedef struct fast_block {
  FAST_ALIGNED double force[MAPS_BLOCK];
  double slope[MAPS_SLOPES + BRISTLE_TERMS][MAPS_BLOCK];
} fast_block;

/* The state between two blocks, and room for their maps. */
typedef struct fast_walk {
  const double *p;
  double unit; /* a deflection of the right size */
  double z, slope[MAPS_MOVING];
  FAST_ALIGNED double step[MAPS_STEP_ROWS * MAPS_BLOCK];
  double before[MAPS_STEP_ROWS * MAPS_BLOCK], at_sample[MAPS_FORCE_ROWS * MAPS_BLOCK];
} fast_walk;

static inline size_t fast_place(size_t i) { return i % MAPS_RUN * MAPS_LANES + i / MAPS_RUN; }

/* Room for one of the above, to be freed as usual; NULL: none left. */
#define FAST_NEW(type) ((type *)aligned_alloc(64, sizeof(type)))

/* Can this law with these parameters go this way? */
int fast_suits(const bristle_law *law, bristle_load load, const double *p);
/* NULL when there is no memory. */
fast_plan *fast_plan_make(const bristle_log *const *logs, size_t log_count);
void fast_plan_free(fast_plan *plan); /* NULL is fine */
/* At the beginning of a stretch. */
void fast_begin(fast_walk *w, const double *p);
/* The blocks of a stretch in their order. */
void fast_next(fast_walk *w, const fast_plan *plan, size_t block, fast_block *out);

#endif
