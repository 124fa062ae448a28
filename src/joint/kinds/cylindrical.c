/* A shaft in a sleeve: it slides along z and turns about it, both with one friction. */
#include "joint/inside.h"

static void geometry(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map)
{
  joint_split s = joint_split_loads(j, loads, map->axis);
  map->lever[1] = j->pin_radius;
  map->load = s.radial + joint_carried(s.bending, joint_overlap_left(j, x));
}

extern const joint_kind joint_cylindrical;
const joint_kind joint_cylindrical = { "cylindrical",
                                       2,
                                       1,
                                       BRISTLE_JOINT_INPUT_PRELOAD | BRISTLE_JOINT_INPUT_REACTION
                                           | BRISTLE_JOINT_INPUT_BENDING,
                                       geometry,
                                       NEEDS_PIN | NEEDS_OVERLAP,
                                       "pin_radius|overlap|overlap_rule" };
