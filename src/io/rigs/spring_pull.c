/* A body that is pulled by a spring whose other end moves: stick-slip. */
#include "io/scenario_inside.h"

static void read_rig(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  bristle_program speed = { .count = 0 };
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  read_spring(r, axis);
  const bristle_node *node = reader_need(r, r->root, "speed", "speed: 0.1 m/s");
  read_program(r, node, &program_of_speed, &speed);
  read_path_of_steps(r, node, &speed, &axis->anchor);
  finish_axis(r, axis, 0);
}

extern const scenario_rig rig_spring_pull;
const scenario_rig rig_spring_pull = {
  .name = "spring-pull", .keys = "mass|inertia|stiffness|damping|speed|load", .read = read_rig, .starts = 1
};
