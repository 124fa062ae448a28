/* Runs of an axis (lab/trajectory.h) as something that a replay simulates, with exact derivatives. */
#ifndef BRISTLE_FIT_AXIS_SOURCE_H
#define BRISTLE_FIT_AXIS_SOURCE_H

#include "fit/replay/replay.h"
#include "fit/trajectories/trajectory.h"

/* What a number beside the law moves: a number of the plant, times a sign, or where a run starts. */
typedef struct axis_link {
  int plant; /* or -1 */
  double sign;
  int start; /* 1: the position of its run, 2: the velocity; 0: neither */
} axis_link;

typedef struct axis_source {
  replay_source source;
  bristle_trajectory trajectory; /* law, load form, runs, step; its guesses are not looked at */
  bristle_axis_values base;      /* what is known */
  double coarse_step;            /* of the simulations that are only looked at; 0: none */
  int numbers, room;
  axis_link *link;
  replay_number *number;
  double noise[2], size[2];
} axis_source;

/* Takes over the runs: what was measured of them, position first, are the channels. Room for `room` numbers, which the
   caller adds. `noise` is that of what was measured, or 0: it is found. */
bristle_fault_kind axis_source_begin(axis_source *a, const bristle_trajectory *trajectory, int rotary, double noise,
                                     int room, memory **list, bristle_fault *fault);
/* Adds a number of the plant; its unknown, start and spread are the caller's. */
replay_number *axis_source_add(axis_source *a, int plant, double sign);
/* Adds position and velocity at the start of every run. */
void axis_source_add_starts(axis_source *a);

#endif
