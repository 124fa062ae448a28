/* A joint that follows commands: its motion simulated alone, what the others do to it taken from the log; not
 * installed.
 *
 *   (inertia + armature) a = gain (target, late - position) - damping v - bias - friction
 *
 * bias is what gravity and the measured motion of all joints ask of this one. */
#ifndef BRISTLE_ROBOT_SERVO_H
#define BRISTLE_ROBOT_SERVO_H

#include "robot/data.h"

enum { SERVO_ARMATURE, SERVO_LEVEL, SERVO_VISCOUS, SERVO_DELAY, SERVO_GAIN, SERVO_OFFSET, SERVO_NUMBERS };

/* Of each sample of a log: own inertia, bias, and how the bias grows with the position. */
typedef struct servo_terms {
  double *inertia, *bias, *slope;
} servo_terms;

typedef struct servo_fit {
  bristle_robot_study *study;
  int joint;
  servo_terms term[2 * BRISTLE_ROBOT_LOGS];
  double *room; /* of all terms */
  int gain_is_known;
  double damping, zero; /* zero: where the angle offset stood when the terms were made */
  double p[SERVO_NUMBERS], lo[SERVO_NUMBERS], hi[SERVO_NUMBERS], deviation[SERVO_NUMBERS];
  double covariance[SERVO_NUMBERS * SERVO_NUMBERS];
  int free[SERVO_NUMBERS];
  size_t fitted;         /* samples of the fitted logs */
  double load;           /* rms of the bias, of the servo's torque at gain 1 */
  double size;           /* rms of target - position */
  double inertia, speed; /* mean, rms */
} servo_fit;

/* The gravity's share of each joint, with the zeros of the data. Nonzero: no memory. */
int servo_open(servo_fit *fit, bristle_robot_study *study, int joint);
void servo_close(servo_fit *fit);
/* The motion of a log, count numbers. Nonzero: it cannot be simulated. */
int servo_simulate(const servo_fit *fit, const double p[SERVO_NUMBERS], int log, double *q);
/* The best numbers from several starts (`fresh`), or from those that are there; and their deviations. */
bristle_fault_kind servo_search(servo_fit *fit, int fresh, bristle_fault *fault);
/* Rms of simulated - measured of a log. */
double servo_error(const servo_fit *fit, int log);
/* Held back by a bound, a number counts as known; nothing shows it. */
int servo_is_at_end(const servo_fit *fit, int k);

/* All joints, in passes: zeros of the angles couple them. */
bristle_fault_kind servo_identify(bristle_robot_study *study, bristle_fault *fault);
/* What was found, in words and numbers. */
void servo_report(servo_fit *fit, int gain_is_found);

#endif
