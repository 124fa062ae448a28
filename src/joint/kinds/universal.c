/* One pin of a cross: like a revolute joint, but about an axis that is given. Two of them make the whole joint. */
#include "joint/inside.h"

static void geometry(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map)
{
  double length = norm3(j->cross_axis);
  (void)x;
  for (int i = 0; i < 3; i++) map->axis[i] = j->cross_axis[i] / length;
  joint_pin(j, loads, map);
}

extern const joint_kind joint_universal;
const joint_kind joint_universal = { "universal",
                                     1,
                                     0,
                                     BRISTLE_JOINT_INPUT_PRELOAD | BRISTLE_JOINT_INPUT_REACTION
                                         | BRISTLE_JOINT_INPUT_BENDING,
                                     geometry,
                                     NEEDS_PIN | NEEDS_ARM | NEEDS_CROSS,
                                     "pin_radius|friction_arm|bending_arm|cross_axis" };
