/* What the parts of free decays share; not installed. */
#ifndef BRISTLE_FIT_DECAY_H
#define BRISTLE_FIT_DECAY_H

#include "lab/decay.h"
#include "fit/records/log.h"

/* One stretch of a record on its way to releases. */
typedef struct decay_track {
  size_t count;
  const double *t, *measured; /* position, or velocity */
  double *x, *v;         /* position (measured, or the way since the first sample) and velocity, for looking only */
  double noise, quantum; /* of what was measured */
  double band;           /* of x: the least motion that is told from noise */
  int by_velocity;
  double half_period; /* 0: it does not swing */
  double rest;        /* a time longer than any turn, after which it rests */
} decay_track;

typedef struct decay_piece {
  size_t first, count; /* samples */
  int rests;           /* it ends in a rest */
  size_t swings;
  double faded; /* last swing (or speed) as a part of the first; 0 where it rests */
} decay_piece;

/* Fills in x, v, band, half_period and rest; nonzero: no memory. */
int decay_track_look(decay_track *track, memory **list);
/* The pieces of free motion: swings that become smaller, or speeds that fall. Returns how many of `most`. */
size_t decay_cut_swings(const decay_track *track, decay_piece *piece, size_t most);
size_t decay_cut_coasts(const decay_track *track, decay_piece *piece, size_t most);
/* Turns of x: places of the extremes, first and last sample included, of which each is more than `band` from the one
   before. Returns how many of `most`. */
size_t decay_turns(const double *x, size_t first, size_t end, double band, size_t *place, size_t most);

/* Start values by regression: acceleration on what may cause it, through smooth windows, so that nothing is
   differentiated. Fills in fc, viscous and the axis of the decay. */
bristle_fault_kind decay_regress(bristle_decay *decay, const bristle_decay_options *options, bristle_fault *fault);

#endif
