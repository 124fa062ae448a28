/* What rigs with one degree of freedom are read with. */
#include "io/scenario_inside.h"

bristle_axis *begin_axis(reader *r)
{
  r->s->rig.kind = BRISTLE_RIG_AXIS;
  return &r->s->rig.as.axis;
}

bristle_contact reader_contact(reader *r)
{
  bristle_friction *f = &r->s->friction;
  if (!r->kind) identified_skew(f);
  return bristle_friction_contact(f);
}

/* what all rigs with a moving mass end with */
void finish_axis(reader *r, bristle_axis *axis, int parts)
{
  read_load(r, &axis->load);
  read_axis_start(r, STARTS_X | STARTS_V | parts, &axis->x, &axis->v, &axis->c, &axis->observer_z, axis->z);
  identified_mass(r, axis);
  axis->contact = reader_contact(r);
  identified_offset(r, axis);
}

void read_mass(reader *r, bristle_axis *axis)
{
  const bristle_node *inertia = bristle_node_find(r->root, "inertia"), *mass = bristle_node_find(r->root, "mass");
  if (inertia && mass) reader_fail(r, inertia, "give one of them", "found 'inertia' beside 'mass'");
  if (inertia && !r->kind) r->rotary = 1, r->decided = inertia;
  read_number(r, r->root, inertia ? "inertia" : "mass", unit_mass, POSITIVE, &axis->mass);
}

void read_spring(reader *r, bristle_axis *axis)
{
  read_number(r, r->root, "stiffness", unit_stiffness, NEEDED | NOT_NEGATIVE, &axis->stiffness);
  read_number(r, r->root, "damping", unit_damping, NOT_NEGATIVE, &axis->damping);
}

/* ---- controllers ---- */

/* the contact's own law where it can observe, else the first that can */
static const bristle_law *observing_law(const bristle_law *contact)
{
  if (contact && bristle_axis_observes(contact)) return contact;
  for (int i = 0; i < bristle_law_count(); i++)
    if (bristle_axis_observes(bristle_law_at(i))) return bristle_law_at(i);
  return NULL;
}

static void read_observer(reader *r, bristle_axis *axis)
{
  const bristle_node *map = r->kind ? NULL : bristle_node_find(r->root, "observer");
  const bristle_friction *contact = &r->s->friction;
  static const unit_pair per_second = { "1/s", "1/s" };
  if (!map) return;
  bristle_friction observer = { .law = observing_law(contact->law) };
  observer.info = observer.law->f64->info;
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
    reader_fail(r, map, "write parameters: {NAME: VALUE, ...}; `bristle show` lists those of a law",
                "the observer has no parameters of the law %s, and the contact has none to share", observer.info->name);
  memcpy(r->s->observer, observer.p, sizeof observer.p);
  axis->observer = r->s->observer;
  axis->observer_law = observer.law;
}

/* gains are forces, or volts where a motor is in between */
void read_controller(reader *r, bristle_axis *axis, int volts)
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

int controller_parts(const reader *r)
{
  return HAS_INTEGRAL | (bristle_node_find(r->root, "observer") ? HAS_OBSERVER : 0);
}

/* ---- rigs with more degrees of freedom ---- */

void reader_is_linear(reader *r)
{
  r->rotary = 0;
  r->decided = bristle_node_find(r->root, "rig");
}
