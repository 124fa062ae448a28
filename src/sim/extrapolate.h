/* One extrapolated step of a system, and how far it can be trusted. */
#ifndef SIM_EXTRAPOLATE_H
#define SIM_EXTRAPOLATE_H

#include "sim/system.h"

/* arrays of flow + jump numbers that a stepper uses, and those that only systems with corners need of them */
enum { EXTRAPOLATION_ROOM = 11, EXTRAPOLATION_CORNERS = 4 };

typedef struct sim_stepper {
  const sim_system *system;
  double rtol, atol;
  size_t count;   /* flow + jump */
  double *y;      /* where the step starts */
  double *result; /* where it ends */
  double *trial, *first, *lower, *lowest, *uneven, *other, *middle, *scale, *limit;
  int columns;
  double weight[4][MOST_COLUMNS]; /* of the columns in the result, in the poorer ones it is compared with, and in the
                                     error if all powers of h were there */
  int odd;                        /* the odd powers are there, too */
  double fastest, strongest;      /* the largest slip speed and watched number so far */
  size_t evaluations;
  int early;    /* a single step over the same length comes to rest */
  int split;    /* the columns of the last step disagree about a flag */
  int switched; /* something changed at an instant within the last step */
  int noticed;  /* likewise, though the step may be short enough */
  double moved; /* how much longer that step was than one over such an instant may be */
} sim_stepper;

/* How many numbers it needs; they must be zero, and y is the first of them. */
size_t sim_stepper_room(const sim_system *system);
void sim_stepper_set(sim_stepper *stepper, const sim_system *system, double rtol, double atol, double *room);
/* From y to result; returns the error relative to the tolerance, infinite where a number is not finite. A crumb is a
   step so much shorter than others around it that a corner within it would hardly matter: it is looked at once. */
double sim_extrapolate(sim_stepper *stepper, double t, double h, int crumb);
/* The same without a judgement, for a row within a step that has been judged. */
void sim_reach(sim_stepper *stepper, double t, double h);
/* A new piece of inputs: the series may be one in h^2 again. */
void sim_stepper_begin(sim_stepper *stepper);
/* The result becomes y; the scales have seen it. */
void sim_stepper_accept(sim_stepper *stepper, double t);
void sim_note_scales(sim_stepper *stepper);

#endif
