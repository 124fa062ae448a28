/* Rigs with one degree of freedom: prescribed motion, mass, spring pull, belt, servo, pendulum. */
#include "io/recognise.h"
#include "io/scenario_inside.h"

static bristle_axis *begin_axis(reader *r)
{
  r->s->rig.kind = BRISTLE_RIG_AXIS;
  return &r->s->rig.as.axis;
}

static bristle_contact contact_of(reader *r)
{
  bristle_friction *f = &r->s->friction;
  if (!r->kind) identified_skew(f);
  return (bristle_contact){ .law = f->law, .load = f->load, .p = f->p };
}

/* what all rigs with a moving mass end with */
static void finish_axis(reader *r, bristle_axis *axis, int parts)
{
  read_load(r, &axis->load);
  read_axis_start(r, STARTS_X | STARTS_V | parts, &axis->x, &axis->v, &axis->c, &axis->observer_z, axis->z);
  identified_mass(r, axis);
  axis->contact = contact_of(r);
  identified_offset(r, axis);
}

static void read_mass(reader *r, bristle_axis *axis)
{
  const bristle_node *inertia = bristle_node_find(r->root, "inertia"), *mass = bristle_node_find(r->root, "mass");
  if (inertia && mass) reader_fail(r, inertia, "give one of them", "found 'inertia' beside 'mass'");
  if (inertia && !r->kind) r->rotary = 1, r->decided = inertia;
  read_number(r, r->root, inertia ? "inertia" : "mass", unit_mass, POSITIVE, &axis->mass);
}

static void read_spring(reader *r, bristle_axis *axis)
{
  read_number(r, r->root, "stiffness", unit_stiffness, NEEDED | NOT_NEGATIVE, &axis->stiffness);
  read_number(r, r->root, "damping", unit_damping, NOT_NEGATIVE, &axis->damping);
}

void rig_mass(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  read_program(r, bristle_node_find(r->root, "force"), &program_of_force, &axis->force);
  finish_axis(r, axis, 0);
}

void rig_spring_pull(reader *r)
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

void rig_belt(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  read_spring(r, axis);
  read_program(r, reader_need(r, r->root, "speed", "speed: 0.1 m/s"), &program_of_speed, &axis->base);
  finish_axis(r, axis, 0);
}

/* ---- controllers ---- */

static void read_observer(reader *r, bristle_axis *axis)
{
  const bristle_node *map = r->kind ? NULL : bristle_node_find(r->root, "observer");
  const bristle_friction *contact = &r->s->friction;
  static const unit_pair per_second = { "1/s", "1/s" };
  if (!map) return;
  bristle_friction observer = { .info = bristle_law_find("lugre")->f64->info, .law = bristle_law_find("lugre") };
  const int same = contact->law == observer.law && contact->load == BRISTLE_LOAD_FORCE;
  reader_allow(r, map, "gain|parameters");
  read_number(r, map, "gain", per_second, NEEDED, &axis->observer_gain);
  if (r->kind) return;
  observer.rotary = r->rotary == 1;
  const bristle_node *parameters = bristle_node_find(map, "parameters");
  if (same) memcpy(observer.p, contact->p, sizeof observer.p);
  else bristle_defaults(observer.info, observer.p);
  if (parameters) r->kind = friction_parameters(parameters, &observer, r->fault);
  else if (!same)
    reader_fail(r, map, "write parameters: {sigma0: 1e5, sigma1: 316, fc: 1, ...}",
                "the observer has no parameters of the law lugre, and the contact has none to share");
  memcpy(r->s->observer, observer.p, sizeof observer.p);
  axis->observer = r->s->observer;
}

/* gains are forces, or volts where a motor is in between */
static void read_controller(reader *r, bristle_axis *axis, int volts)
{
  static const unit_pair electric[4] = {
    { "V/m", "V/rad" }, { "V/(m*s)", "V/(rad*s)" }, { "V*s/m", "V*s/rad" }, { "V", "V" }
  };
  read_number(r, r->root, "kp", volts ? electric[0] : unit_stiffness, ANY, &axis->kp);
  read_number(r, r->root, "ki", volts ? electric[1] : unit_rate_gain, ANY, &axis->ki);
  read_number(r, r->root, "kd", volts ? electric[2] : unit_damping, ANY, &axis->kd);
  read_number(r, r->root, "limit", volts ? electric[3] : unit_force, POSITIVE, &axis->limit);
  if (!r->kind) read_program(r, bristle_node_find(r->root, "target"), &program_of_target, &axis->target);
  read_observer(r, axis);
}

static int controller_parts(const reader *r)
{
  return HAS_INTEGRAL | (bristle_node_find(r->root, "observer") ? HAS_OBSERVER : 0);
}

void rig_servo(reader *r)
{
  bristle_axis *axis = begin_axis(r);
  read_mass(r, axis);
  read_friction(r, 1, NULL);
  reader_need(r, r->root, "kp", "kp: 100");
  reader_need(r, r->root, "target", "target: 0.1");
  read_controller(r, axis, 0);
  if (!r->kind) read_program(r, bristle_node_find(r->root, "force"), &program_of_force, &axis->force);
  finish_axis(r, axis, controller_parts(r));
}

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

void rig_pendulum(reader *r)
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

/* ---- prescribed motion ---- */

void rig_prescribed(reader *r)
{
  bristle_driven *driven = &r->s->rig.as.driven;
  r->s->rig.kind = BRISTLE_RIG_DRIVEN;
  read_friction(r, 1, NULL);
  const bristle_node *motion = reader_need(r, r->root, "motion", "motion: {sine: {amplitude: 1 mm, frequency: 2 Hz}}");
  if (r->kind) return;
  read_motion(r, motion, &driven->motion, &driven->velocity);
  const bristle_table *table = r->s->motion;
  const bristle_node *file = bristle_node_find(motion, "file");
  if (table && !r->kind) {
    const bristle_column *load = read_usual_column(r, file, table, program_of_load.columns[0], ROLE_LOAD,
                                                   program_of_load.unit[0], BRISTLE_OPTIONAL);
    const bristle_column *x = driven->velocity ? read_usual_column(r, file, table, program_of_motion.columns[0],
                                                                   ROLE_POSITION, unit_length, BRISTLE_OPTIONAL)
                                               : NULL;
    if (load && !r->kind)
      driven->load = (bristle_program){ .count = table->rows, .t = r->s->motion_times, .y = load->data };
    if (x && !r->kind) driven->x = x->data[0];
  }
  if (!r->kind) read_program(r, bristle_node_find(r->root, "force"), &program_of_force, &driven->force);
  if (bristle_node_find(r->root, "load") && driven->load.count)
    reader_fail(r, bristle_node_find(r->root, "load"), "delete one of them", "the file has a column with the load too");
  read_load(r, &driven->load);
  read_axis_start(r, driven->velocity ? STARTS_X : 0, &driven->x, NULL, NULL, NULL, driven->z);
  driven->contact = contact_of(r);
}
