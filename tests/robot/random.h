/* Made-up trees of bodies and their motion, for tests. */
#ifndef TESTS_ROBOT_RANDOM_H
#define TESTS_ROBOT_RANDOM_H

#include "robot/frame.h"

#include "lab/robot.h"
#include "support/test.h"

static inline double random_part(unsigned long long *state)
{
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return (double)(*state >> 11) / 9007199254740992.0;
}

static inline double random_about(unsigned long long *state, double size)
{
  return size * (2 * random_part(state) - 1);
}

static inline void random_tree(bristle_bodies *t, unsigned seed, int count)
{
  unsigned long long s = seed * 7919ull + 17;
  *t = (bristle_bodies){ .count = count, .gravity = { 0.3, -0.2, -9.81 } };
  for (int k = 0; k < count; k++) {
    bristle_body *b = &t->body[k];
    b->parent = k && random_part(&s) < 0.25 ? (int)(random_part(&s) * (k + 1)) - 1 : k - 1;
    b->prismatic = random_part(&s) < 0.3;
    double axis[3];
    for (int pass = 0; pass < 2; pass++) {
      for (int i = 0; i < 3; i++) axis[i] = random_about(&s, 1);
      const double length = sqrt(dot(axis, axis));
      for (int i = 0; i < 3; i++) axis[i] /= length;
      if (!pass) memcpy(b->axis, axis, sizeof axis);
    }
    turn_about(axis, random_about(&s, 3), b->turn);
    frame centre = frame_none;
    const double m = 0.2 + 3 * random_part(&s), r = 0.02 + 0.1 * random_part(&s);
    for (int i = 0; i < 3; i++) b->at[i] = random_about(&s, 0.3), centre.at[i] = random_about(&s, 0.2);
    turn_about(axis, random_about(&s, 3), centre.turn);
    const double own[10] = { m, 0, 0, 0, m * r * r, 0, 1.3 * m * r * r, 0, 0, 1.6 * m * r * r };
    body_add(b->inertia, &centre, own);
  }
}

static inline void random_motion(const bristle_bodies *t, unsigned seed, double *q, double *v, double *a)
{
  unsigned long long s = seed * 104729ull + 3;
  for (int k = 0; k < t->count; k++)
    q[k] = random_about(&s, 2), v[k] = random_about(&s, 3), a[k] = random_about(&s, 10);
}

#endif
