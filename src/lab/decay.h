/* Free decays: friction from motion that nothing drives. A pendulum that swings out, a flywheel that coasts down, a
 * body on a spring: there is no force to measure, because it is zero, and the motion alone says how friction takes the
 * energy.
 *
 *   inertia dv/dt = -gravity sin(x - x0) - stiffness (x - x0) - friction
 *
 * The whole motion is simulated and compared with the measured position or velocity; where each release starts is
 * fitted too. Only ratios show in such a motion: one of inertia, gravity and stiffness must be known, or everything
 * is found per unit inertia.
 */
#ifndef BRISTLE_LAB_DECAY_H
#define BRISTLE_LAB_DECAY_H

#include "lab/identify.h"
#include "lab/trajectory.h"

typedef enum bristle_decay_kind {
  BRISTLE_DECAY_COAST,    /* nothing but friction */
  BRISTLE_DECAY_PENDULUM, /* gravity */
  BRISTLE_DECAY_SPRING
} bristle_decay_kind;

/* What is known of a number of the axis. */
typedef enum bristle_known { BRISTLE_UNSAID, BRISTLE_ABSENT, BRISTLE_FREE, BRISTLE_KNOWN } bristle_known;

enum { BRISTLE_DECAY_LINEAR = 1, BRISTLE_DECAY_ROTARY = 2 };

/* All zero: the motion says whether there is gravity or a spring, and everything is found per unit inertia. */
typedef struct bristle_decay_options {
  bristle_known mass, gravity, stiffness;
  double mass_value, gravity_value, stiffness_value;
  int units; /* what the units of these values say; columns without a unit follow them */
} bristle_decay_options;

/* The releases of some records, and what a look at them says. */
typedef struct bristle_decay {
  bristle_decay_kind kind;
  int rotary, by_velocity;
  int per_inertia; /* nothing sets the scale: the inertia counts as 1 */
  size_t count;
  bristle_run *run;          /* each release: times, position or velocity, where it starts */
  size_t *log;               /* the record it is from */
  double noise;              /* standard deviation of the white part of what was measured */
  double band;               /* the least motion that is told from noise */
  double half_period;        /* between turns; 0: it does not swing */
  double step;               /* of the simulation */
  double size;               /* standard deviation of what was measured, about its mean in each release */
  double fast, slow;         /* speeds that occur */
  bristle_axis_values start; /* of the axis */
  int axis_count, axis[4];   /* numbers of the axis that are searched */
  double level, viscous;     /* of friction, to start from */
  struct memory *memory_list;
} bristle_decay;

/* Finds the releases in logs that were read with `motion_only`. Motion that does not decay, is driven or is too short
   is a fault that says so. Notes on what was cut go to the logs. */
bristle_fault_kind bristle_decay_find(bristle_log *const *logs, size_t count, const bristle_decay_options *options,
                                      bristle_decay **decay, bristle_fault *fault);
void bristle_decay_free(bristle_decay *decay); /* NULL is fine */

/* Fits one law. Of the options, those on parameters, folds, seed, threads and progress count. `start` is a result of a
   simpler law to start from, or NULL. */
bristle_fault_kind bristle_decay_fit(const bristle_decay *decay, const bristle_law *law,
                                     const bristle_identified *start, const bristle_identify_options *options,
                                     bristle_identified **result, bristle_fault *fault);

#endif
