/* What the files of src/joint share: the table of kinds, vectors, and the coefficients a joint reads from its law. */
#ifndef BRISTLE_JOINT_INSIDE_H
#define BRISTLE_JOINT_INSIDE_H

#include "bristle/joint.h"
#include "core/maths.h"

typedef struct joint_kind {
  const char *name;
  int dim, translations;
  unsigned inputs;
  /* load from the reactions; writes the levers and the normal where they are not 1 and 0 */
  void (*geometry)(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map);
  unsigned needs; /* NEEDS_...: lengths that must be positive */
} joint_kind;

enum { NEEDS_PIN = 1, NEEDS_BALL = 2, NEEDS_CROSS = 4, NEEDS_ARM = 8, NEEDS_OVERLAP = 16, NEEDS_TORSION_ARM = 32 };

const joint_kind *joint_kind_of(bristle_joint_kind kind);
const bristle_info *joint_info(const bristle_joint *j);
/* a parameter of the joint's law, or `missing` */
double joint_param(const bristle_joint *j, const char *name, double missing);
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
