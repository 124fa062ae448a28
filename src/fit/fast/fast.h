/* The quick way along a log, for laws whose state goes by affine maps; not installed. */
#ifndef BRISTLE_FIT_FAST_H
#define BRISTLE_FIT_FAST_H

#include "fit/fast/maps.h"
#include "fit/identify.h"

/* Forces of consecutive samples and their derivatives by the law's first parameters. */
typedef struct fast_block {
  size_t first, count; /* samples */
  double force[MAPS_BLOCK], slope[MAPS_SLOPES][MAPS_BLOCK];
} fast_block;

typedef struct fast_walk {
  const bristle_log *log;
  const double *p;
  double unit;             /* a deflection of the right size */
  size_t start, next, end; /* samples */
  double z, slope[MAPS_SLOPES];
  /* the steps of a block and what becomes of them */
  size_t steps, place[MAPS_BLOCK]; /* place of the sample at a step's end in the block, or MAPS_BLOCK */
  double slide[MAPS_BLOCK], h[MAPS_BLOCK], v[MAPS_BLOCK];
  double step[MAPS_ROWS * MAPS_BLOCK], at_sample[MAPS_ROWS * MAPS_BLOCK];
} fast_walk;

/* Can this law with these parameters go this way? */
int fast_suits(const bristle_law *law, bristle_load load, const double *p);
void fast_begin(fast_walk *w, const bristle_log *log, const double *p, size_t stretch);
/* The next samples; 0 when the stretch is at its end. */
int fast_next(fast_walk *w, fast_block *block);

#endif
