/* What the parts of a plan share: pieces of motion, sampled. */
#ifndef BRISTLE_FIT_PLAN_H
#define BRISTLE_FIT_PLAN_H

#include "lab/plan.h"

/* A motion that is being put together: steps between samples. */
typedef struct plan_samples {
  size_t count, room;
  double step;       /* all of one length */
  double at;         /* position reached */
  double *v, *x, *n; /* velocity and load during each step, position before it */
  double *h;
} plan_samples;

/* Adds a piece, or `duration` of rest when `piece` is NULL. Returns 0 when there is no memory. */
int plan_add_piece(plan_samples *samples, const bristle_plan_piece *piece, double duration, double load);
void plan_free_samples(plan_samples *samples);

/* All pieces the machine can do in the time `longest`, or half of them when `coarse`, into `list` of `most`; returns
   their number. */
int plan_list_pieces(const bristle_plan_limits *limits, double longest, int coarse, bristle_plan_piece *list, int most);

#endif
