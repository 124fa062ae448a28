/* One body of an ensemble (bristle/ensemble.h) over one step, but for its contact: the same text for the processor and
 * for the GPU, so that both give the same bits. */
#ifndef BRISTLE_BODY_H
#define BRISTLE_BODY_H

#include "bristle/ensemble.h"

typedef BRISTLE_TYPED(bristle_ensemble) ensemble;

/* a body, and what stays the same over all its steps */
typedef struct body {
  real stiffness, damping, belt, weight, force, amplitude;
  real share; /* velocity per force */
  real slack; /* part of a velocity that spring and damper leave at the end of a step */
} body;

/* what the program says at the end of a step */
typedef struct moment {
  real place, speed, force;
} moment;

/* a real next to x that is whole, for |x| far below the largest whole number there is */
FN real body_whole(real x)
{
  const real big = K(1.5) / K(REAL_EPSILON);
  return (x + big) - big;
}

/* sin x, by quarters of a turn */
FN real body_sine(real x)
{
  real t = x * K(0.63661977236758138);
  t = t - K(4) * body_whole(t * K(0.25));
  t = r_abs(t) > K(1) ? r_copysign(K(2), t) - t : t;
  return r_sinq(t);
}

FN body body_take(const ensemble *e, size_t at)
{
  const real *row = e->body;
  const size_t stride = e->per_body ? e->count : 1, i = e->per_body ? at : 0;
  const real mass = row[BRISTLE_BODY_MASS * stride + i];
  body b;
  b.stiffness = row[BRISTLE_BODY_STIFFNESS * stride + i];
  b.damping = row[BRISTLE_BODY_DAMPING * stride + i];
  b.belt = row[BRISTLE_BODY_BELT * stride + i];
  b.weight = row[BRISTLE_BODY_WEIGHT * stride + i];
  b.force = row[BRISTLE_BODY_FORCE * stride + i];
  b.amplitude = row[BRISTLE_BODY_AMPLITUDE * stride + i];
  b.share = e->h / mass;
  b.slack = K(1) / (K(1) + b.share * (b.damping + e->h * b.stiffness));
  return b;
}

FN moment body_moment(const ensemble *e, size_t step)
{
  moment m;
  m.place = e->place ? e->place[step] : K(0);
  m.speed = e->speed ? e->speed[step] : K(0);
  m.force = e->force ? e->force[step] : K(0);
  return m;
}

FN real body_compliance(const body *b) { return b->share * b->slack; }

/* the slip velocity at the end of the step if there were no friction */
FN real body_free(const body *b, real x, real v, const moment *m)
{
  real push = b->force + b->amplitude * m->force;
  push = push + b->stiffness * (b->amplitude * m->place - x);
  push = push + b->damping * (b->amplitude * m->speed);
  if (b->weight != K(0)) push = push - b->weight * body_sine(x);
  return (v + b->share * push) * b->slack - b->belt;
}

/* A march of one body has ended a step with the force f and the slip u; `slides` is 0 or 1. */
FN void body_count(real *tally, size_t stride, real h, real f, real u, real v, real slides)
{
  const int begins = slides > tally[BRISTLE_TALLY_SLIDES * stride];
  const real slips = tally[BRISTLE_TALLY_SLIPS * stride], step = tally[BRISTLE_TALLY_STEPS * stride] + K(1);
  tally[BRISTLE_TALLY_WORK * stride] += f * u * h;
  tally[BRISTLE_TALLY_F_LEAST * stride] = r_min(f, tally[BRISTLE_TALLY_F_LEAST * stride]);
  tally[BRISTLE_TALLY_F_MOST * stride] = r_max(f, tally[BRISTLE_TALLY_F_MOST * stride]);
  tally[BRISTLE_TALLY_V_LEAST * stride] = r_min(v, tally[BRISTLE_TALLY_V_LEAST * stride]);
  tally[BRISTLE_TALLY_V_MOST * stride] = r_max(v, tally[BRISTLE_TALLY_V_MOST * stride]);
  tally[BRISTLE_TALLY_STEPS * stride] = step;
  tally[BRISTLE_TALLY_SLIDES * stride] = slides;
  if (!begins) return;
  if (slips == K(0)) tally[BRISTLE_TALLY_SLIP_FIRST * stride] = step;
  tally[BRISTLE_TALLY_SLIP_LAST * stride] = step;
  tally[BRISTLE_TALLY_SLIPS * stride] = slips + K(1);
}

#endif
