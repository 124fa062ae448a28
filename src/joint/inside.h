/* What the files of src/joint share: the table of kinds, vectors, and the coefficients a joint reads from its law. */
#ifndef BRISTLE_JOINT_INSIDE_H
#define BRISTLE_JOINT_INSIDE_H

#include "bristle/joint.h"
#include "bristle/bristle.h"
#include "core/check.h"

typedef struct joint_kind {
  const char *name;
  int dim, translations;
  unsigned inputs;
  /* load from the reactions; writes the levers and the normal where they are not 1 and 0 */
  void (*geometry)(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map);
  unsigned needs;   /* NEEDS_...: lengths that must be positive */
  const char *keys; /* of its geometry in a file, "a|b|c": fields of bristle_joint */
} joint_kind;

enum { NEEDS_PIN = 1, NEEDS_BALL = 2, NEEDS_CROSS = 4, NEEDS_ARM = 8, NEEDS_OVERLAP = 16, NEEDS_TORSION_ARM = 32 };

const joint_kind *joint_kind_of(bristle_joint_kind kind);

/* ---- for the kinds ---- */

/* The reactions that the joint listens to, split along and across an axis. */
typedef struct joint_split {
  double radial, axial, bending, torsion;
} joint_split;
joint_split joint_split_loads(const bristle_joint *j, const bristle_joint_loads *loads, const double axis[3]);
/* A part of the load that an input brings; arms are only looked at when the input is on. */
double joint_carried(double moment, double arm);
/* A pin about map->axis. */
void joint_pin(const bristle_joint *j, const bristle_joint_loads *loads, bristle_joint_map *map);
double joint_overlap_left(const bristle_joint *j, double x); /* never quite 0 */

/* ---- of the law ---- */

const bristle_info *joint_info(const bristle_joint *j);
/* the static coefficient; 0 when neither the joint nor its law has one */
double joint_static_level(const bristle_joint *j);
double joint_stiffness(const bristle_joint *j);
/* the overlap at the displacement x; <= 0 when the parts have come apart */
double joint_overlap(const bristle_joint *j, double x);

FN double dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
FN double norm3(const double a[3]) { return sqrt_f64(dot3(a, a)); }

FN void multiply3(const double m[3][3], const double a[3], double out[3])
{
  for (int i = 0; i < 3; i++) out[i] = dot3(m[i], a);
}

FN void product3(const double a[3][3], const double b[3][3], double out[3][3])
{
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
}

#endif
