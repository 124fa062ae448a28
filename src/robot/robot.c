/* Robots from files: what both formats share. */
#include "robot/reading.h"

#include "platform/platform.h"

static const double FARTHEST = 1e6, HEAVIEST = 1e12; /* m; kg and kg m^2: what is beyond is a mistake */

void robot_note(bristle_robot *robot, const char *format, ...)
{
  char text[sizeof *robot->note];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (int k = 0; k < robot->notes; k++)
    if (!strcmp(robot->note[k], text)) return;
  if (robot->notes < BRISTLE_ROBOT_NOTES) memcpy(robot->note[robot->notes++], text, sizeof text);
}

bristle_fault_kind robot_name(const reading *r, const xml_node *node, const char *text, char name[BRISTLE_ROBOT_NAME])
{
  const size_t length = text ? strlen(text) : 0;
  if (!length) return xml_fault(&r->document, node, r->fault, NULL, "a <%.40s> has no name", node->name);
  for (size_t i = 0; i < length; i++)
    if (text[i] < 0x20 || text[i] > 0x7e || text[i] == '"' || text[i] == '\\')
      return xml_fault(&r->document, node, r->fault, "use letters, digits, _ and -",
                       "the name of a <%.40s> has odd letters", node->name);
  if (length >= BRISTLE_ROBOT_NAME)
    return xml_fault(&r->document, node, r->fault, NULL, "the name '%.40s...' is longer than %d letters", text,
                     BRISTLE_ROBOT_NAME - 1);
  memcpy(name, text, length + 1);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind robot_only_child(const reading *r, const xml_node *node, const char *name, const xml_node **child)
{
  *child = xml_child(node, name, NULL);
  const xml_node *second = *child ? xml_child(node, name, *child) : NULL;
  if (!second) return BRISTLE_FAULT_NONE;
  return xml_fault(&r->document, second, r->fault, "make one of them", "two <%s> in one <%.40s>", name, node->name);
}

static int is_far(const frame *at)
{
  return !(fabs(at->at[0]) < FARTHEST && fabs(at->at[1]) < FARTHEST && fabs(at->at[2]) < FARTHEST);
}

static bristle_fault_kind too_far(const reading *r, const xml_node *node)
{
  return xml_fault(&r->document, node, r->fault, NULL, "this <%.40s> stands more than %g m from its parent", node->name,
                   FARTHEST);
}

bristle_fault_kind robot_joint(reading *r, const xml_node *node, int parent, const frame *at, int prismatic,
                               const double axis[3], int *place)
{
  bristle_bodies *tree = &r->robot->tree;
  const double length = sqrt(dot(axis, axis));
  if (tree->count == BRISTLE_ROBOT_JOINTS)
    return xml_fault(&r->document, node, r->fault, NULL, "more than %d joints that move", BRISTLE_ROBOT_JOINTS);
  bristle_body *b = &tree->body[tree->count];
  bristle_robot_joint *j = &r->robot->joint[tree->count];
  memset(b, 0, sizeof *b);
  *j = (bristle_robot_joint){ .lower = NAN,
                              .upper = NAN,
                              .speed = NAN,
                              .effort = NAN,
                              .armature = NAN,
                              .damping = NAN,
                              .friction = NAN,
                              .gain = NAN,
                              .rate_gain = NAN };
  bristle_fault_kind kind = robot_name(r, node, xml_text(node, "name"), j->name);
  if (kind) return kind;
  if (bristle_robot_find(r->robot, j->name) >= 0)
    return xml_fault(&r->document, node, r->fault, NULL, "two joints are called '%s'", j->name);
  if (!(length > 1e-6 && length < FARTHEST)) /* where its square overflows it has none either */
    return xml_fault(&r->document, node, r->fault, NULL, "the axis of joint '%s' has no direction", j->name);
  if (is_far(at)) return too_far(r, node);
  b->parent = parent, b->prismatic = prismatic;
  memcpy(b->turn, at->turn, sizeof b->turn);
  memcpy(b->at, at->at, sizeof b->at);
  for (int i = 0; i < 3; i++) b->axis[i] = axis[i] / length;
  *place = tree->count++;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind robot_mass(reading *r, const xml_node *node, int body, const frame *at, double mass,
                              const double inertia[6])
{
  double whole[BRISTLE_BODY_NUMBERS] = { mass };
  if (!(mass >= 0))
    return xml_fault(&r->document, node, r->fault, NULL, "found a mass of %g kg, expected none below zero", mass);
  double most = mass;
  for (int i = 0; i < 6; i++) most = fmax(most, fabs(inertia[i]));
  if (most > HEAVIEST)
    return xml_fault(&r->document, node, r->fault, NULL, "found a mass or inertia of %g, beyond what any machine has",
                     most);
  if (is_far(at)) return too_far(r, node);
  if (body < 0) return BRISTLE_FAULT_NONE;
  memcpy(whole + 4, inertia, 6 * sizeof *inertia);
  body_add(r->robot->tree.body[body].inertia, at, whole);
  return BRISTLE_FAULT_NONE;
}

void turn_of_rpy(const double rpy[3], double turn[9])
{
  static const double x[] = { 1, 0, 0 }, y[] = { 0, 1, 0 }, z[] = { 0, 0, 1 };
  double a[9], b[9], c[9], ba[9];
  turn_about(x, rpy[0], a), turn_about(y, rpy[1], b), turn_about(z, rpy[2], c);
  turn_product(b, a, ba);
  turn_product(c, ba, turn);
}

int bristle_robot_find(const bristle_robot *robot, const char *name)
{
  for (int k = 0; k < robot->tree.count; k++)
    if (!strcmp(robot->joint[k].name, name)) return k;
  return -1;
}

/* a body that moves alone and weighs nothing: the file leaves it out */
static void find_massless(bristle_robot *robot)
{
  const bristle_bodies *tree = &robot->tree;
  double weight[BRISTLE_ROBOT_JOINTS];
  for (int k = 0; k < tree->count; k++) weight[k] = tree->body[k].inertia[0];
  for (int k = tree->count - 1; k >= 0; k--)
    if (tree->body[k].parent >= 0) weight[tree->body[k].parent] += weight[k];
  for (int k = tree->count - 1; k >= 0; k--)
    if (!(weight[k] > 0)) memcpy(robot->massless, robot->joint[k].name, sizeof robot->massless);
}

bristle_fault_kind bristle_robot_read(const char *path, bristle_robot *robot, bristle_fault *fault)
{
  reading r = { .robot = robot, .fault = fault };
  memset(robot, 0, sizeof *robot);
  snprintf(robot->file, sizeof robot->file, "%s", path);
  robot->tree.gravity[2] = -9.81;
  bristle_fault_kind kind = xml_read(path, &r.document, fault);
  if (!kind) {
    const xml_node *root = r.document.root;
    if (!strcmp(root->name, "robot")) kind = urdf_read(&r);
    else if (!strcmp(root->name, "mujoco")) kind = mjcf_read(&r);
    else
      kind = xml_fault(&r.document, root, fault, "robots are read from URDF (<robot>) and MJCF (<mujoco>)",
                       "found <%.40s>", root->name);
  }
  if (!kind && !robot->tree.count)
    kind = xml_fault(&r.document, r.document.root, fault, NULL, "the robot has no joint that moves");
  if (!kind) find_massless(robot);
  xml_close(&r.document);
  return kind;
}

void bristle_robot_hold(bristle_robot *robot, int joint, double value)
{
  bristle_bodies *tree = &robot->tree;
  const bristle_body held = tree->body[joint];
  frame at = { .turn = { 0 } };
  memcpy(at.at, held.at, sizeof at.at);
  if (held.prismatic) {
    double along[3];
    memcpy(at.turn, held.turn, sizeof at.turn);
    turn_forward(held.turn, held.axis, along);
    for (int i = 0; i < 3; i++) at.at[i] += value * along[i];
  } else {
    double own[9];
    turn_about(held.axis, value, own);
    turn_product(held.turn, own, at.turn);
  }
  if (held.parent >= 0) body_add(tree->body[held.parent].inertia, &at, held.inertia);
  for (int k = joint + 1; k < tree->count; k++) {
    bristle_body *b = &tree->body[k];
    if (b->parent == joint) {
      frame inner;
      memcpy(inner.turn, b->turn, sizeof inner.turn);
      memcpy(inner.at, b->at, sizeof inner.at);
      const frame moved = frame_chain(&at, &inner);
      memcpy(b->turn, moved.turn, sizeof b->turn);
      memcpy(b->at, moved.at, sizeof b->at);
      b->parent = held.parent;
    } else if (b->parent > joint) b->parent--;
    tree->body[k - 1] = *b;
    robot->joint[k - 1] = robot->joint[k];
  }
  tree->count--;
}
