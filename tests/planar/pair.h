/* A patch and the reduced model made from it, for the tests that compare the two. */
#ifndef PAIR_H
#define PAIR_H

#include "bristle/planar.h"
#include "support/test.h"

enum { CELLS = 441 };
static double memory[16 * CELLS], nodes[3 * 81 * 21], p[32];

static inline double corner(double x, double y, void *context)
{
  (void)context;
  return exp(150 * x + 100 * y);
}

typedef struct pair {
  bristle_patch patch;
  bristle_planar model;
} pair;

/* a patch and its reduced model: kind 0 square, 1 rectangle, 2 rectangle with the pressure in a corner, 3 disk */
static inline pair pair_of(const char *law, int kind, int segments, double damping)
{
  const bristle_contact contact = { .vector = bristle_vector_law_find(law), .load = BRISTLE_LOAD_COEFFICIENT, .p = p };
  const bristle_info *info = contact.vector->f64[0]->info;
  bristle_surface surface;
  pair a;
  bristle_planar_defaults(info, p);
  p[bristle_param_find(info, "sigma1")->first] *= damping;
  p[bristle_param_find(info, "sigma2")->first] *= damping;
  bristle_patch_place(&a.patch, &contact, memory, CELLS);
  bristle_status status = kind == 3 ? bristle_patch_ring(&a.patch, 11, 40, 0, 0.0105, NULL, NULL, NULL)
                                    : bristle_patch_rectangle(&a.patch, 21, 21, 0.021, kind ? 0.0105 : 0.021,
                                                              kind == 2 ? corner : NULL, NULL, NULL);
  status = status ? status : bristle_surface_init(&surface, &a.patch, segments, nodes, NULL);
  status = status ? status : bristle_planar_init(&a.model, &surface, &contact, NULL);
  CHECK(!status, "%s %d", law, kind);
  return a;
}

static inline double chance(double most) { return most * (2.0 * rand() / RAND_MAX - 1); }
static inline double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

/* length of a wrench, taken about the centre of pressure and with the torque over arm */
static inline double size_of(const pair *a, const double w[3])
{
  double torque = (w[2] - a->patch.cop[0] * w[1] + a->patch.cop[1] * w[0]) / a->patch.arm;
  return sqrt(w[0] * w[0] + w[1] * w[1] + torque * torque);
}

static inline double difference(const pair *a, const double w[3], const double x[3])
{
  double d[3] = { w[0] - x[0], w[1] - x[1], w[2] - x[2] };
  return size_of(a, d);
}

static inline void random_motion(const pair *a, double speed, double v[3])
{
  double norm;
  do {
    v[0] = chance(1), v[1] = chance(1), v[2] = chance(1);
    norm = sqrt(dot(v, v));
  } while (norm > 1 || norm < 0.1);
  v[2] *= speed / norm / a->patch.arm;
  v[0] = v[0] * speed / norm + v[2] * a->patch.cop[1];
  v[1] = v[1] * speed / norm - v[2] * a->patch.cop[0];
}

#endif
