/* The serial arm: links in a list, each with its joint, motor and friction. */
#include "io/scenario_inside.h"

static const unit_pair kilogram = { "kg", "kg" }, metre = { "m", "m" }, acceleration = { "m/s^2", "m/s^2" },
                       moment_of_inertia = { "kg*m^2", "kg*m^2" };
/* a force on the tip stays one, though the rig turns */
static const program_kind program_of_push = { 1, { { "N", "N" } }, { { "N/s", "N/s" } }, { "F|force|f|push", NULL } };

/* A link without `centre` and `inertia` is a uniform rod. A centre somewhere else says nothing about the inertia. */
static void read_body(reader *r, bristle_arm_link *link)
{
  const bristle_node *map = r->root;
  read_number(r, map, "mass", kilogram, NEEDED | POSITIVE, &link->mass);
  read_number(r, map, "length", metre, NEEDED | POSITIVE, &link->length);
  link->centre = 0.5 * link->length;
  link->inertia = link->mass * link->length * link->length / 12;
  const bristle_node *centre = read_number(r, map, "centre", metre, ANY, &link->centre);
  const bristle_node *inertia = read_number(r, map, "inertia", moment_of_inertia, NOT_NEGATIVE, &link->inertia);
  if (centre && !inertia)
    reader_fail(r, map, "write inertia: 0.02 kg*m^2 about the centre of mass, or inertia: 0 for a point mass",
                "the key 'inertia' is missing: that of a link whose 'centre' is given is not known");
  if (inertia && link->inertia == 0 && link->centre == 0)
    reader_fail(r, inertia, "give inertia or centre",
                "found 0 with the mass in the joint, expected a non-zero inertia");
}

static void read_motor(reader *r, bristle_arm_link *link)
{
  const bristle_node *map = r->root;
  read_number(r, map, "kp", unit_stiffness, NOT_NEGATIVE, &link->kp);
  read_number(r, map, "kd", unit_damping, NOT_NEGATIVE, &link->kd);
  read_number(r, map, "limit", unit_force, POSITIVE, &link->limit);
  if (r->kind) return;
  const bristle_node *target = bristle_node_find(map, "target");
  if (target && link->kp == 0 && link->kd == 0)
    reader_fail(r, target, "add kp: 100 N*m/rad", "found a target without 'kp' or 'kd': nothing follows it");
  read_program(r, bristle_node_find(map, "torque"), &program_of_torque, &link->torque);
  read_program(r, target, &program_of_target, &link->target);
}

/* the joint's own friction, or that of the whole arm */
static void read_joint(reader *r, const bristle_friction *common, bristle_arm_link *link, bristle_friction *own)
{
  if (bristle_node_find(r->root, "friction") || !common->law) read_friction(r, 1, NULL);
  else r->s->friction = *common;
  read_load(r, &link->load);
  read_axis_start(r, STARTS_X | STARTS_V | ANGLE_IS_Q, &link->q, &link->v, NULL, NULL, link->z);
  bristle_friction *f = &r->s->friction;
  const double offset = f->found[BRISTLE_BESIDE_OFFSET];
  if (!r->kind && offset != 0 && link->limit == 0) { /* an identified offset is a constant torque on the link */
    link->torque.offset -= offset;
    f->acts[BRISTLE_BESIDE_OFFSET] = 1;
  }
  if (!r->kind) identified_skew(f);
  *own = *f;
  link->contact = bristle_friction_contact(own);
}

/* Reads the links one by one, each as the root of what it has. */
static void read_links(reader *r, const bristle_node *list, const bristle_friction *common)
{
  const bristle_node *const whole = r->root;
  bristle_arm *arm = &r->s->rig.as.arm;
  bristle_arm_link *link = reader_take(r, list->count * sizeof *link);
  r->s->joint = reader_take(r, list->count * sizeof *r->s->joint);
  arm->link = link;
  for (const bristle_node *n = r->kind ? NULL : list->child; n && !r->kind; n = n->next, arm->count++) {
    r->root = n;
    r->decided = NULL; /* a length is no angle because the rig turns */
    reader_allow(r, n, "mass|length|centre|inertia|torque|kp|kd|limit|target|load|friction|initial");
    read_body(r, &link[arm->count]);
    r->decided = bristle_node_find(whole, "rig");
    read_motor(r, &link[arm->count]);
    read_joint(r, common, &link[arm->count], &r->s->joint[arm->count]);
  }
  r->root = whole;
}

static void read_rig(reader *r)
{
  bristle_arm *arm = &r->s->rig.as.arm;
  bristle_friction common = { .law = NULL };
  r->s->rig.kind = BRISTLE_RIG_ARM;
  r->rotary = 1;
  arm->gravity = 9.81;
  read_number(r, r->root, "gravity", acceleration, ANY, &arm->gravity);
  const bristle_node *push = r->kind ? NULL : bristle_node_find(r->root, "push");
  if (push) reader_allow(r, push, "x|y");
  if (push && !r->kind) read_program(r, bristle_node_find(push, "x"), &program_of_push, &arm->push[0]);
  if (push && !r->kind) read_program(r, bristle_node_find(push, "y"), &program_of_push, &arm->push[1]);
  const bristle_node *list = reader_need(r, r->root, "links", "links: [{mass: 2 kg, length: 0.4 m}]");
  if (!r->kind) r->kind = bristle_node_expect(list, BRISTLE_NODE_LIST, r->fault);
  if (!r->kind && (list->count < 1 || list->count > BRISTLE_ARM_LINKS))
    reader_fail(r, list, NULL, "found %zu links, expected from 1 to %d", list->count, (int)BRISTLE_ARM_LINKS);
  r->decided = bristle_node_find(r->root, "rig");
  if (!r->kind && bristle_node_find(r->root, "friction")) {
    read_friction(r, 1, NULL);
    common = r->s->friction;
  }
  if (r->kind) return;
  read_links(r, list, &common);
  if (!r->kind) r->s->friction = r->s->joint[0];
}

extern const scenario_rig rig_arm;
const scenario_rig rig_arm = { .name = "arm", .keys = "links|gravity|push", .read = read_rig };
