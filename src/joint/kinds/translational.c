/* A slider in a guide: it moves along z, does not turn, and carries torsion too. */
#include "joint/inside.h"

static void geometry(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map)
{
  joint_split s = joint_split_loads(j, loads, map->axis);
  map->load = s.radial + joint_carried(s.bending, joint_overlap_left(j, x)) + joint_carried(s.torsion, j->reaction_arm);
}

extern const joint_kind joint_translational;
const joint_kind joint_translational = { "translational",
                                         1,
                                         1,
                                         BRISTLE_JOINT_INPUT_PRELOAD | BRISTLE_JOINT_INPUT_REACTION
                                             | BRISTLE_JOINT_INPUT_BENDING | BRISTLE_JOINT_INPUT_TORSION,
                                         geometry,
                                         NEEDS_OVERLAP | NEEDS_TORSION_ARM,
                                         "overlap|overlap_rule|reaction_arm" };
