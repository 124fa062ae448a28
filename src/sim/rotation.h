/* Vectors in space, and rotations as unit quaternions from the axes of a body to those of the room (z up). */
#ifndef SIM_ROTATION_H
#define SIM_ROTATION_H

#include "maths/elementary.h"

static inline void cross(const double a[3], const double b[3], double out[3])
{
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void multiply(const double a[4], const double b[4], double out[4])
{
  out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* extrapolation leaves the unit sphere by no more than the tolerance */
static inline void unit(const double from[4], double to[4])
{
  const double size = sqrt(from[0] * from[0] + from[1] * from[1] + from[2] * from[2] + from[3] * from[3]);
  for (int i = 0; i < 4; i++) to[i] = from[i] / size;
}

/* q times the turn by `by`, a vector in the body's axes */
static inline void turn_on(double q[4], const double by[3])
{
  const double angle = sqrt(dot(by, by)), part = angle > 1e-4 ? sin(0.5 * angle) / angle : 0.5 - angle * angle / 48;
  const double step[4] = { cos(0.5 * angle), part * by[0], part * by[1], part * by[2] };
  double turned[4];
  multiply(q, step, turned);
  unit(turned, q);
}

/* the room's downward direction, seen from the body */
static inline void down_in_body(const double q[4], double down[3])
{
  down[0] = -2 * (q[1] * q[3] - q[0] * q[2]);
  down[1] = -2 * (q[2] * q[3] + q[0] * q[1]);
  down[2] = -(1 - 2 * (q[1] * q[1] + q[2] * q[2]));
}

/* the arm's direction (0, 0, -1) of the body, seen from the room */
static inline void arm_in_room(const double q[4], double arm[3])
{
  arm[0] = -2 * (q[1] * q[3] + q[0] * q[2]);
  arm[1] = -2 * (q[2] * q[3] - q[0] * q[1]);
  arm[2] = -(1 - 2 * (q[1] * q[1] + q[2] * q[2]));
}

#endif
