/* The quick way along a log, for laws whose state goes by affine maps; not installed.
 *
 * What does not depend on the parameters - the steps of the log, cut into blocks and put side by side - is laid out
 * once for many passes. */
#ifndef BRISTLE_FIT_FAST_H
#define BRISTLE_FIT_FAST_H

#include "fit/fast/maps.h"
#include "lab/identify.h"
#include "platform/platform.h"

#include <stdlib.h>

/* A processor compares only the last bits of addresses to tell whether a load must wait for a store before it. So rows
   that a loop reads lie a little further on, beyond multiples of their length, than those that it writes: what it reads
   looks like what it writes later. Layouts are read in all loops; then come level, step, and forces. */
#define FAST_ALIGNED _Alignas(8 * MAPS_BLOCK)
enum { FAST_APART = 2 * MAPS_LANES, FAST_LAYOUT_AT = 3 * FAST_APART };

/* MAPS_BLOCK consecutive samples of a stretch, or fewer at its end; what belongs to sample first + i stands at
   fast_place(i). */
typedef struct fast_steps {
  double slide[MAPS_BLOCK], h[MAPS_BLOCK], v[MAPS_BLOCK], f[MAPS_BLOCK];
} fast_steps;

/* Which samples these are, the steps that come before theirs (the first of them in the layout, how many), and the
   smallest of all speeds. */
typedef struct fast_span {
  size_t first, count, extra, extras;
  double slowest;
} fast_span;

/* A step before that of a sample: to the turn inside it, or the long slide before the first one. */
typedef struct fast_extra {
  size_t place;
  double slide, h;
} fast_extra;

typedef struct fast_layout {
  size_t blocks, extras;
  fast_span *span;   /* of each block; all stretches of all logs, one after the other */
  fast_steps *steps; /* of each block, in `room` */
  double *room;
  fast_extra *extra;
  size_t *first; /* block of each stretch, one place more than stretches in all */
} fast_layout;

/* Forces and their derivatives, in the order of the steps. Room for columns of linear terms behind them. */
typedef struct fast_block {
  FAST_ALIGNED double force[MAPS_BLOCK];
  double slope[MAPS_SLOPES + BRISTLE_TERMS][MAPS_BLOCK];
} fast_block;

/* The state between two blocks, and room for their maps. */
typedef struct fast_walk {
  FAST_ALIGNED double gap[FAST_APART], step[MAPS_STEP_ROWS * MAPS_BLOCK]; /* then the bristle, in its first rows */
  double second_gap[FAST_APART], level[MAPS_BRISTLE_ROWS * MAPS_BLOCK], sliding_level[MAPS_BRISTLE_ROWS * MAPS_BLOCK];
  double before[MAPS_STEP_ROWS * MAPS_BLOCK];
  const maps_law *law;
  const double *p;
  double size[MAPS_MOVING]; /* of the moving parameters */
  double unit;              /* a deflection of the right size */
  double fast;              /* at this speed and above the level is that of sliding, which is known */
  double z, slope[MAPS_MOVING];
} fast_walk;

static inline size_t fast_place(size_t i) { return i % MAPS_RUN * MAPS_LANES + i / MAPS_RUN; }

/* Room for one of the above, to be freed as usual; NULL: none left. */
#define FAST_NEW(type) ((type *)platform_aligned(_Alignof(type), sizeof(type)))

/* The maps of a law that can go this way with these parameters, or NULL. */
const maps_law *fast_law(const bristle_law *law, bristle_load load, const double *p);
/* The row of slopes of each parameter, or -1. */
void fast_rows(const maps_law *law, int nparam, int *row);
/* NULL when there is no memory. */
fast_layout *fast_layout_make(const bristle_log *const *logs, size_t log_count);
void fast_layout_free(fast_layout *layout); /* NULL is fine */
/* At the beginning of a stretch. */
void fast_begin(fast_walk *w, const maps_law *law, const double *p);
/* The blocks of a stretch in their order. */
void fast_next(fast_walk *w, const fast_layout *layout, size_t block, fast_block *out);
/* to += factor from, for a row */
void fast_add(double *to, double factor, const double *from);

#endif
