/* Vectors and turns in space, and the ten numbers of a rigid body; not installed. */
#ifndef BRISTLE_ROBOT_FRAME_H
#define BRISTLE_ROBOT_FRAME_H

#include "maths/elementary.h"

/* Turns are 3 x 3, row by row: out = turn in. */
static inline void turn_forward(const double m[9], const double in[3], double out[3])
{
  const double x = in[0], y = in[1], z = in[2];
  for (int i = 0; i < 3; i++) out[i] = m[3 * i] * x + m[3 * i + 1] * y + m[3 * i + 2] * z;
}

static inline void turn_back(const double m[9], const double in[3], double out[3])
{
  const double x = in[0], y = in[1], z = in[2];
  for (int i = 0; i < 3; i++) out[i] = m[i] * x + m[3 + i] * y + m[6 + i] * z;
}

/* out may be neither a nor b */
static inline void turn_product(const double a[9], const double b[9], double out[9])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

static inline void cross(const double a[3], const double b[3], double out[3])
{
  const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
  out[0] = x, out[1] = y, out[2] = z;
}

static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* by an angle about a unit vector */
static inline void turn_about(const double axis[3], double angle, double out[9])
{
  const double c = cos(angle), s = sin(angle), x = axis[0], y = axis[1], z = axis[2], u = 1 - c;
  out[0] = c + u * x * x, out[1] = u * x * y - s * z, out[2] = u * x * z + s * y;
  out[3] = u * x * y + s * z, out[4] = c + u * y * y, out[5] = u * y * z - s * x;
  out[6] = u * x * z - s * y, out[7] = u * y * z + s * x, out[8] = c + u * z * z;
}

/* Where something is, seen from what it stands on. */
typedef struct frame {
  double turn[9], at[3];
} frame;

static const frame frame_none = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0, 0, 0 } };

/* the place of something in the frame `inner`, which is itself in `outer` */
static inline frame frame_chain(const frame *outer, const frame *inner)
{
  frame out;
  turn_product(outer->turn, inner->turn, out.turn);
  turn_forward(outer->turn, inner->at, out.at);
  for (int i = 0; i < 3; i++) out.at[i] += outer->at[i];
  return out;
}

/* I v for the six numbers of a symmetric matrix: xx xy yy xz yz zz */
static inline void inertia_times(const double *i, const double v[3], double out[3])
{
  const double x = v[0], y = v[1], z = v[2];
  out[0] = i[0] * x + i[1] * y + i[3] * z;
  out[1] = i[1] * x + i[2] * y + i[4] * z;
  out[2] = i[3] * x + i[4] * y + i[5] * z;
}

/* the six numbers seen from a frame turned by `m` */
static inline void inertia_turn(const double m[9], const double in[6], double out[6])
{
  const double whole[9] = { in[0], in[1], in[3], in[1], in[2], in[4], in[3], in[4], in[5] };
  double half[9], r[9];
  turn_product(m, whole, half);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) r[3 * i + j] = dot(half + 3 * i, m + 3 * j);
  out[0] = r[0], out[1] = r[1], out[2] = r[4], out[3] = r[2], out[4] = r[5], out[5] = r[8];
}

/* Adds a body (mass, mass times centre, inertia about the origin) that is given in the frame f to `to`. */
static inline void body_add(double to[10], const frame *f, const double body[10])
{
  double h[3], i[6];
  const double m = body[0], *p = f->at;
  turn_forward(f->turn, body + 1, h);
  inertia_turn(f->turn, body + 4, i);
  /* about the new origin: - [p][h] - [h][p] - m [p][p] */
  const double both = 2 * dot(p, h) + m * dot(p, p);
  to[0] += m;
  for (int k = 0; k < 3; k++) to[1 + k] += h[k] + m * p[k];
  static const int row[] = { 0, 0, 1, 0, 1, 2 }, column[] = { 0, 1, 1, 2, 2, 2 };
  for (int k = 0; k < 6; k++) {
    const int a = row[k], b = column[k];
    to[4 + k] += i[k] + (a == b ? both : 0) - p[a] * h[b] - h[a] * p[b] - m * p[a] * p[b];
  }
}

#endif
