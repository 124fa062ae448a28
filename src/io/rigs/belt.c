/* A body on a belt that a spring holds back. */
#include "io/scenario_inside.h"

static void read_rig(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  read_spring(r, axis);
  read_program(r, reader_need(r, r->root, "speed", "speed: 0.1 m/s"), &program_of_speed, &axis->base);
  finish_axis(r, axis, 0);
}

extern const scenario_rig rig_belt;
const scenario_rig rig_belt = {
  .name = "belt", .keys = "mass|inertia|stiffness|damping|speed|load", .read = read_rig, .starts = 1
};
