/* A body that a controller moves. */
#include "io/scenario_inside.h"

static void read_rig(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  reader_need(r, r->root, "kp", "kp: 100");
  reader_need(r, r->root, "target", "target: 0.1");
  read_controller(r, axis, 0);
  if (!r->kind) read_program(r, bristle_node_find(r->root, "force"), &program_of_force, &axis->force);
  finish_axis(r, axis, controller_parts(r));
  read_compensation(r);
}

extern const scenario_rig rig_servo;
const scenario_rig rig_servo = { .name = "servo",
                                 .keys = "mass|inertia|kp|ki|kd|target|limit|observer|force|load|compensation",
                                 .read = read_rig,
                                 .starts = 1 };
