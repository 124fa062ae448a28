/* The torque of one joint: rigid bodies and friction, by least squares; not installed. */
#ifndef BRISTLE_ROBOT_JOINT_H
#define BRISTLE_ROBOT_JOINT_H

#include "robot/data.h"
#include "robot/gram.h"

enum { FRICTION_COLUMNS = 8 }; /* at most four of a law, offset, load, slope, and room for one */

/* A law whose force at a speed is linear in all parameters but one, and what stands beside it. */
typedef struct friction_form {
  const bristle_law *law;
  int linear, place[FRICTION_COLUMNS]; /* parameters that the force is linear in */
  int shape;                           /* the other one; -1: there is none */
  double value;                        /* of it */
  int load;                            /* friction that grows with the torque of the rigid bodies */
} friction_form;

typedef struct joint_fit {
  bristle_robot_study *study;
  int joint;
  size_t total;       /* samples of all logs, one log behind the other */
  size_t moving;      /* of the fitted logs */
  signed char *block; /* of each sample: -1 where it is not fitted */
  int wide, rank;     /* columns of inertial numbers; combinations of them that the motion shows */
  double *turn;       /* wide x rank */
  double *z;          /* total x rank: these combinations */
  double *y, *v;      /* torque and speed, all logs */
  double *rigid;      /* torque of the bodies, of the best fit so far */
  double *column[FRICTION_COLUMNS];
  int columns;
  gram g; /* of z, the columns and y */
  double *work, *x;
} joint_fit;

/* Reads the motion, finds the combinations. Nonzero: no memory. To be closed in any case. */
int joint_open(joint_fit *fit, bristle_robot_study *study, int joint);
void joint_close(joint_fit *fit);

/* The forms that fit a torque: those of the laws that are usual, the simplest first. */
int friction_forms(friction_form *forms, int most);
/* Fits a form: fills columns and x, the shape too, where it is free. Returns the sum of squares that folds leave which
   the fit did not see (HUGE_VAL: no such friction), and that of each block. */
double joint_try(joint_fit *fit, friction_form *form, double left[GRAM_BLOCKS]);
/* The columns and the solution of a form as it is; `slope`: one more column, the derivative by the shape. */
int joint_solve(joint_fit *fit, const friction_form *form, int slope);

/* The same with the columns as they are; what is left. */
double joint_products(joint_fit *fit);

/* All of it: a result in words. */
bristle_fault_kind joint_identify(bristle_robot_study *study, int joint, bristle_fault *fault);

#endif
