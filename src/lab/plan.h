/* Experiments: which motion would determine the parameters of a law, and which of them a motion determines.
 *
 * The force of a contact that is moved in a prescribed way is measured with white noise. The law's derivatives by its
 * parameters along the motion give the information matrix, and its inverse the standard deviations that any good fit
 * will have, at the parameters taken for true. An unknown offset of the force is always among the unknowns.
 *
 * Deviations here are relative to the parameter (ln p): 0.01 is one per cent.
 */
#ifndef BRISTLE_LAB_PLAN_H
#define BRISTLE_LAB_PLAN_H

#include "bristle/vector.h"
#include "lab/fit.h"

enum { BRISTLE_PLAN_SIDE = BRISTLE_LAW_SIZE + 1 };

/* The contact is what it is believed to be. `wanted` are nparam flags: the parameters to determine, all others being
   known. NULL is the default choice, which this writes out: positive numbers that are not at an end of their range,
   since one that is (a speed of 1e9, a damping of 0) is switched off. Exponents and options are taken for known. */
void bristle_plan_wanted(const bristle_contact *contact, int *wanted);

/* A motion sample by sample: the step to each sample, the mean velocity during it, the position before it and the load.
 */
typedef struct bristle_plan_motion {
  size_t count;
  const double *h, *v, *x;
  const double *n;  /* NULL: 1 */
  const int *fresh; /* nonzero where the contact starts virgin again (a new record); NULL: at the first sample only */
  const unsigned char *counts; /* 0: the contact moves, but this sample is not compared; NULL: all are */
} bristle_plan_motion;

/* Information: a symmetric matrix by ln p of the wanted parameters, in their order, and the offset. */
typedef struct bristle_information {
  int side;
  double matrix[BRISTLE_PLAN_SIDE * BRISTLE_PLAN_SIDE];
} bristle_information;

/* Adds what a motion tells when the force has the noise (standard deviation). */
bristle_fault_kind bristle_plan_inform(const bristle_contact *contact, const int *wanted,
                                       const bristle_plan_motion *motion, double noise,
                                       bristle_information *information, bristle_fault *fault);
/* Expected relative deviations of the side - 1 wanted parameters (infinite: not determined), and how much each would
   have if all others were known (may be NULL). */
void bristle_plan_deviations(const bristle_information *information, double *deviation, double *alone);

/* ---- proposals ---- */

typedef enum bristle_piece_kind {
  BRISTLE_PIECE_STAIR, /* constant speed there and back: a step of a velocity stair */
  BRISTLE_PIECE_RAMP,  /* from rest, speeding up evenly, there and back: break-away */
  BRISTLE_PIECE_SINE   /* a few cycles of a small sine */
} bristle_piece_kind;

typedef struct bristle_plan_piece {
  bristle_piece_kind kind;
  double speed;             /* stairs, and the end of ramps */
  double amplitude, cycles; /* sines */
  double part;              /* of each way, in which stairs speed up and ramps brake; of a sine, in which it grows */
  int smooth;               /* no jumps of the acceleration */
  double duration;
  double load;
} bristle_plan_piece;
/* "sine of 5e-06 at 2 Hz, 3 cycles". */
void bristle_plan_piece_text(const bristle_plan_piece *piece, int rotary, char *text, size_t size);

/* What the machine can do. */
typedef struct bristle_plan_limits {
  double speed, stroke;      /* largest speed; room for the motion */
  double acceleration, jerk; /* largest ones; 0: any. With a jerk the acceleration does not jump */
  double force, mass;        /* largest force of friction and mass together; 0: any. The mass that is moved */
  double rate;               /* samples per second */
  double duration;           /* of the whole experiment, at most */
  double noise;              /* of the force */
  double goal;               /* the relative deviation to reach; 0 is 0.02 */
  size_t loads;
  const double *load; /* loads that can be set; none: 1 */
} bristle_plan_limits;

enum { BRISTLE_PLAN_PIECES = 64 };

typedef struct bristle_plan {
  int count;
  bristle_plan_piece piece[BRISTLE_PLAN_PIECES]; /* in the order in which they are to be run */
  bristle_information information;               /* of all of it, with what was known before */
  size_t samples;
  double *t, *x, *v, *n; /* the motion: at each sample, the first at t = 0 in rest; v the velocity of the step before */
  int considered;        /* pieces looked at */
} bristle_plan;

/* Chooses pieces one after another, each time the one that lowers the deviations most for the time it takes, until the
   goal is reached or the time is used up. The pieces must also do for sets around the one given, each parameter off by
   up to a factor of three, since the true ones are not known yet. `before` (may be NULL) is what an existing record
   tells already. */
bristle_fault_kind bristle_plan_make(const bristle_contact *contact, const int *wanted,
                                     const bristle_plan_limits *limits, const bristle_information *before,
                                     bristle_plan **plan, bristle_fault *fault);
void bristle_plan_free(bristle_plan *plan); /* NULL is fine */

#endif
