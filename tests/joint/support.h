/* What the tests of joints share: joints with the coefficient laws of a dry contact, random vectors and rotations. */
#ifndef TEST_JOINT_H
#define TEST_JOINT_H

#include "bristle/joint.h"
#include "support/law.h"

/* A joint with 20 mm pins and balls, a law, and its state. */
typedef struct jointed {
  bristle_joint j;
  double p[MAX_PARAM], s[MAX_STATE];
} jointed;

/* `law` with the parameters of a dry contact: mu_d 0.25, mu_s 0.3, vs 1 mm/s where the law has them */
void joint_make(jointed *c, bristle_joint_kind kind, const char *law);
void joint_set(jointed *c, const char *parameter, double value);

double random_between(double lo, double hi); /* repeatable */
void random_vector(double a[3], double size);
void random_rotation(double r[3][3]);
void turn(const double r[3][3], const double a[3], double out[3]);
double inner(const double a[3], const double b[3]);
void cross(const double a[3], const double b[3], double out[3]);
/* largest difference of components */
double apart(const double a[3], const double b[3]);

/* friction after sliding long at constant velocity */
bristle_joint_friction joint_slide(jointed *c, const bristle_joint_loads *loads, bristle_joint_motion motion);

#endif
