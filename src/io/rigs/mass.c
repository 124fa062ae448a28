/* A body that a force moves. */
#include "io/scenario_inside.h"

static void read_rig(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  read_program(r, bristle_node_find(r->root, "force"), &program_of_force, &axis->force);
  finish_axis(r, axis, 0);
}

extern const scenario_rig rig_mass;
const scenario_rig rig_mass = { .name = "mass", .keys = "mass|inertia|force|load", .read = read_rig, .starts = 1 };
