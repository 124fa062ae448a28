/* A pendulum, with a motor and a controller where they are given. */
#include "io/scenario_inside.h"

/* m g l, or the mass and the arm with the acceleration of gravity */
static void read_arm(reader *r, bristle_axis *axis)
{
  const bristle_node *gravity = bristle_node_find(r->root, "gravity"), *inertia = bristle_node_find(r->root, "inertia");
  const int is_built = bristle_node_find(r->root, "mass") || bristle_node_find(r->root, "arm");
  static const unit_pair kg = { "kg", "kg" }, metre = { "m", "m" };
  double mass = 0, arm = 0, g = 9.81;
  int which = -1;
  if (is_built) {
    read_number(r, r->root, "mass", kg, NEEDED | POSITIVE, &mass);
    read_number(r, r->root, "arm", metre, NEEDED | POSITIVE, &arm);
  }
  if (gravity && !r->kind) r->kind = bristle_node_number(gravity, "m/s^2|N*m", &g, &which, r->fault);
  if (gravity && !r->kind && which >= 0 && which != !is_built)
    reader_fail(r, gravity, "give mass and arm with gravity: 9.81 m/s^2, or gravity: 2 N*m alone",
                is_built ? "found a torque beside 'mass' and 'arm', expected an acceleration"
                         : "found an acceleration without 'mass' and 'arm', expected the torque m*g*l");
  axis->gravity = is_built ? mass * g * arm : gravity ? g : 0;
  if (inertia || !is_built) read_number(r, r->root, "inertia", unit_mass, POSITIVE, &axis->mass);
  else axis->mass = mass * arm * arm;
}

/* a voltage drives a motor: torque = kt (u - kt w)/R */
static void read_drive(reader *r, bristle_axis *axis, const bristle_node *voltage)
{
  static const unit_pair constant = { "N*m/A", "N*m/A" }, ohm = { "V/A", "V/A" };
  const bristle_node *torque = bristle_node_find(r->root, "torque");
  double kt = 0, resistance = 0;
  if (torque && voltage) reader_fail(r, torque, "give one of them", "found 'torque' beside 'voltage'");
  if (bristle_node_find(r->root, "torque_constant") || bristle_node_find(r->root, "resistance") || voltage) {
    read_number(r, r->root, "torque_constant", constant, NEEDED | POSITIVE, &kt);
    read_number(r, r->root, "resistance", ohm, NEEDED | POSITIVE, &resistance);
    axis->gain = kt / resistance;
    axis->drag = kt * kt / resistance;
    if (torque) reader_fail(r, torque, "write voltage: ...", "found 'torque' beside a motor, expected 'voltage'");
  }
  if (r->kind) return;
  read_program(r, voltage, &program_of_voltage, &axis->force);
  read_program(r, torque, &program_of_torque, &axis->force);
}

static void read_rig(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  r->rotary = 1;
  r->decided = bristle_node_find(r->root, "rig");
  read_arm(r, axis);
  read_friction(r, 1, NULL);
  read_drive(r, axis, bristle_node_find(r->root, "voltage"));
  read_controller(r, axis, axis->gain > 0);
  identified_gravity(r, axis);
  finish_axis(r, axis, controller_parts(r));
}

extern const scenario_rig rig_pendulum;
const scenario_rig rig_pendulum = {
  .name = "pendulum",
  .keys = "inertia|mass|arm|gravity|torque|voltage|torque_constant|resistance|kp|ki|kd|target|limit|observer|load",
  .read = read_rig,
  .starts = 1
};
