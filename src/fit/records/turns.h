/* Where the motion turns inside a step; not installed. */
#ifndef BRISTLE_FIT_TURNS_H
#define BRISTLE_FIT_TURNS_H

#include "lab/identify.h"

/* Where the velocity changes its sign between two samples the way is there and back: a step to the turn, where a
   straight line between the velocities has its zero, and one from it. there = 0: no turn. */
typedef struct walk_turn {
  double h, there;  /* times */
  double way, back; /* travels */
} walk_turn;
walk_turn walk_turn_at(const bristle_log *log, size_t i);

#endif
