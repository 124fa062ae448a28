/* A pin in a hole: it turns about z. Bearing and thrust faces rub, and what bends the pin presses both ends. */
#include "joint/inside.h"

static void geometry(const bristle_joint *j, const bristle_joint_loads *loads, double x, bristle_joint_map *map)
{
  (void)x;
  joint_pin(j, loads, map);
}

extern const joint_kind joint_revolute;
const joint_kind joint_revolute = { "revolute",
                                    1,
                                    0,
                                    BRISTLE_JOINT_INPUT_PRELOAD | BRISTLE_JOINT_INPUT_REACTION
                                        | BRISTLE_JOINT_INPUT_BENDING,
                                    geometry,
                                    NEEDS_PIN | NEEDS_ARM,
                                    "pin_radius|friction_arm|bending_arm" };
