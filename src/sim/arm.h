/* Parts of the serial arm: its body, the contacts in its joints, and the run that puts them together. */
#ifndef SIM_ARM_H
#define SIM_ARM_H

#include "sim/axis.h"
#include "sim/rigs.h"

#include "bristle/network.h"

enum { LINKS = BRISTLE_ARM_LINKS };

/* ---- the body, in absolute angles ----
   The angle of link a in the room is the sum of the joint angles up to it. In these coordinates the mass matrix is
   turn[a][b] cos(angle_a - angle_b) and everything else is as short; joint torques are differences of theirs. */

typedef struct arm_body {
  int n;
  double gravity, length[LINKS];
  double moment[LINKS];      /* of the masses that link a carries, about its joint at unit distance [kg m] */
  double turn[LINKS][LINKS]; /* [kg m^2] */
} arm_body;

typedef struct arm_pose {
  double sine[LINKS], cosine[LINKS], rate[LINKS];
} arm_pose;

arm_body arm_weigh(const bristle_arm *rig);
arm_pose arm_place(const arm_body *body, const double *q, const double *v);
/* Joint torques of gravity, of turning and of a force on the tip, as they act on the arm. */
void arm_torques(const arm_body *body, const arm_pose *pose, const double push[2], double *torque);
/* W = h (M + diag(added))^-1 for the joints, n x n; `added` may be NULL. */
void arm_compliance(const arm_body *body, const arm_pose *pose, const double *added, double h, double *w);
double arm_kinetic(const arm_body *body, const arm_pose *pose);
double arm_potential(const arm_body *body, const arm_pose *pose);
void arm_tip(const arm_body *body, const arm_pose *pose, double at[2]);

/* ---- the run ----
   y: angles, rates, work of the motors, states of the laws that flow, ledger; then the states that jump. */

/* inputs at an instant */
typedef struct arm_inputs {
  double torque[LINKS], target[LINKS], target_rate[LINKS], load[LINKS], push[2];
} arm_inputs;

typedef struct arm_system {
  const bristle_arm *rig;
  arm_body body;
  int n, states;                                                   /* joints; states of all laws */
  size_t flow, jump, *place;                                       /* place: of each state in y */
  bristle_piece torque[LINKS], target[LINKS], load[LINKS], tip[2]; /* the pieces that the inputs are on */
  axis_least least[LINKS];
  bristle_network_contact contact[LINKS];
  double *s, *work; /* states of all joints, one joint after the other; memory of the network */
  double w[LINKS * LINKS];
  const bristle_steprule *rule; /* of each joint, for the method that has such */
  int resting[LINKS];           /* joints with set-valued laws */
  size_t resting_count, unsolved;
} arm_system;

arm_inputs arm_inputs_at(const arm_system *a, double t);
/* What the motor of a joint gives at this angle and rate, within its limit. */
double arm_motor(const bristle_arm_link *link, const arm_inputs *in, int joint, double q, double v);

/* ---- contacts ---- */

/* Sizes, places of the states in y, and the contacts themselves; room: LINKS * BRISTLE_LAW_SIZE places. */
void arm_lay_out(arm_system *a, size_t *room);
/* The states in y as those of the contacts, and back. */
void arm_take(arm_system *a, const arm_inputs *in, const double *y);
void arm_put(const arm_system *a, double *y);
/* The friction of this instant. Joints that rest exactly are solved together, so that each carries its part. */
void arm_friction(arm_system *a, double t, const double *y, double *f);
bristle_mode arm_mode(arm_system *a, const arm_inputs *in, const double *y, int joint);
double arm_contact_energy(arm_system *a, const arm_inputs *in, const double *y);

#endif
