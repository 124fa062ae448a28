/* URDF: links that are tied by joints. */
#include "robot/reading.h"

static bristle_fault_kind read_origin(const reading *r, const xml_node *node, frame *at)
{
  double rpy[3] = { 0 };
  *at = frame_none;
  const xml_node *origin;
  bristle_fault_kind kind = robot_only_child(r, node, "origin", &origin);
  if (kind || !origin) return kind;
  kind = xml_numbers(&r->document, origin, "xyz", 3, at->at, r->fault);
  if (!kind) kind = xml_numbers(&r->document, origin, "rpy", 3, rpy, r->fault);
  turn_of_rpy(rpy, at->turn);
  return kind;
}

static bristle_fault_kind read_inertial(reading *r, const xml_node *link, int body, const frame *at)
{
  static const char *const names[] = { "ixx", "ixy", "iyy", "ixz", "iyz", "izz" };
  const xml_node *inertial, *m, *tensor;
  double mass = 0, i[6] = { 0 };
  frame origin;
  bristle_fault_kind kind = robot_only_child(r, link, "inertial", &inertial);
  if (kind || !inertial) return kind;
  kind = robot_only_child(r, inertial, "mass", &m);
  if (!kind) kind = robot_only_child(r, inertial, "inertia", &tensor);
  if (!kind) kind = read_origin(r, inertial, &origin);
  if (!kind && m) kind = xml_numbers(&r->document, m, "value", 1, &mass, r->fault);
  for (int k = 0; k < 6 && tensor && !kind; k++) kind = xml_numbers(&r->document, tensor, names[k], 1, &i[k], r->fault);
  const frame whole = frame_chain(at, &origin);
  return kind ? kind : robot_mass(r, inertial, body, &whole, mass, i);
}

static const char *link_of(const xml_node *joint, const char *which)
{
  const xml_node *node = xml_child(joint, which, NULL);
  const char *name = node ? xml_text(node, "link") : NULL;
  return name ? name : "";
}

static const xml_node *find_link(const reading *r, const char *name)
{
  for (const xml_node *n = NULL; (n = xml_child(r->document.root, "link", n));) {
    const char *own = xml_text(n, "name");
    if (own && !strcmp(own, name)) return n;
  }
  return NULL;
}

static const xml_node *joint_above(const reading *r, const char *link, const xml_node *after)
{
  for (const xml_node *n = after; (n = xml_child(r->document.root, "joint", n));)
    if (!strcmp(link_of(n, "child"), link)) return n;
  return NULL;
}

static bristle_fault_kind read_limits(const reading *r, const xml_node *joint, bristle_robot_joint *j)
{
  const xml_node *limit = xml_child(joint, "limit", NULL), *dynamics = xml_child(joint, "dynamics", NULL);
  const char *type = xml_text(joint, "type");
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (limit && strcmp(type, "continuous")) {
    kind = xml_numbers(&r->document, limit, "lower", 1, &j->lower, r->fault);
    if (!kind) kind = xml_numbers(&r->document, limit, "upper", 1, &j->upper, r->fault);
  }
  if (limit && !kind) kind = xml_numbers(&r->document, limit, "velocity", 1, &j->speed, r->fault);
  if (limit && !kind) kind = xml_numbers(&r->document, limit, "effort", 1, &j->effort, r->fault);
  if (dynamics && !kind) kind = xml_numbers(&r->document, dynamics, "damping", 1, &j->damping, r->fault);
  if (dynamics && !kind) kind = xml_numbers(&r->document, dynamics, "friction", 1, &j->friction, r->fault);
  return kind;
}

static bristle_fault_kind read_joint(reading *r, const xml_node *joint, int body, const frame *at, int *moved)
{
  static const char *const kinds[] = { "fixed", "revolute", "continuous", "prismatic" };
  const xml_node *axis_node = NULL, *spare;
  const char *type = xml_text(joint, "type");
  double axis[3] = { 1, 0, 0 };
  int which = 0;
  while (which < 4 && (!type || strcmp(type, kinds[which]))) which++;
  if (which == 4)
    return xml_fault(&r->document, joint, r->fault, "revolute, continuous, prismatic and fixed ones are read",
                     "joint '%.40s' is of the type '%.40s'", xml_text(joint, "name") ? xml_text(joint, "name") : "",
                     type ? type : "");
  *moved = which > 0;
  if (!which) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = robot_only_child(r, joint, "axis", &axis_node);
  if (!kind) kind = robot_only_child(r, joint, "parent", &spare);
  if (!kind) kind = robot_only_child(r, joint, "child", &spare);
  if (!kind && axis_node) kind = xml_numbers(&r->document, axis_node, "xyz", 3, axis, r->fault);
  int place = 0;
  if (!kind) kind = robot_joint(r, joint, body, at, which == 3, axis, &place);
  if (!kind) kind = read_limits(r, joint, &r->robot->joint[place]);
  if (!kind && xml_child(joint, "mimic", NULL))
    robot_note(r->robot, "joint '%s' mimics another one in the file; here it is a joint of its own",
               r->robot->joint[place].name);
  return kind;
}

static bristle_fault_kind read_link(reading *r, const char *name, int body, const frame *at, int depth)
{
  const xml_node *link = find_link(r, name);
  const xml_node *root = r->document.root;
  char shown[EXCERPT];
  excerpt(name, strlen(name), shown);
  if (!link)
    return xml_fault(&r->document, root, r->fault, NULL, "a joint leads to the link '%s', which is not there", shown);
  if (depth > 1000) return xml_fault(&r->document, link, r->fault, NULL, "more than 1000 links in a row");
  bristle_fault_kind kind = read_inertial(r, link, body, at);
  const xml_node *joint = NULL;
  for (int k = 0; !kind && (joint = xml_child(root, "joint", joint)); k++) {
    frame origin;
    int moves = 0;
    if (strcmp(link_of(joint, "parent"), name)) continue;
    r->reached[k] = 1;
    if ((kind = read_origin(r, joint, &origin))) break;
    const frame whole = frame_chain(at, &origin);
    kind = read_joint(r, joint, body, &whole, &moves);
    if (!kind)
      kind = read_link(r, link_of(joint, "child"), moves ? r->robot->tree.count - 1 : body,
                       moves ? &frame_none : &whole, depth + 1);
  }
  return kind;
}

static bristle_fault_kind check_size(const reading *r)
{
  static const char *const names[] = { "link", "joint" };
  for (int k = 0; k < 2; k++) {
    int count = 0;
    for (const xml_node *n = NULL; (n = xml_child(r->document.root, names[k], n));)
      if (++count > READING_TIES)
        return xml_fault(&r->document, n, r->fault, NULL, "more than %d <%s>", READING_TIES, names[k]);
  }
  return BRISTLE_FAULT_NONE;
}

/* A joint that does not hang on the base is a mistake in a name, or a circle: what it moves would be left out. */
static bristle_fault_kind check_reached(const reading *r, const char *base)
{
  const xml_node *joint = NULL;
  for (int k = 0; (joint = xml_child(r->document.root, "joint", joint)); k++) {
    const char *name = xml_text(joint, "name"), *parent = link_of(joint, "parent");
    if (r->reached[k]) continue;
    if (!find_link(r, parent))
      return xml_fault(&r->document, joint, r->fault, NULL,
                       "joint '%.40s' hangs on the link '%.40s', which is not there", name ? name : "", parent);
    return xml_fault(&r->document, joint, r->fault, "loops are not read",
                     "joint '%.40s' does not hang on the link '%.40s'", name ? name : "", base);
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind urdf_read(reading *r)
{
  const xml_node *root = r->document.root, *base = NULL;
  const char *name = xml_text(root, "name");
  bristle_fault_kind kind = check_size(r);
  if (name && !kind) kind = robot_name(r, root, name, r->robot->name);
  for (const xml_node *n = NULL; !kind && (n = xml_child(root, "link", n));) {
    const char *own = xml_text(n, "name");
    if (!own) return xml_fault(&r->document, n, r->fault, NULL, "a <link> has no name");
    if (find_link(r, own) != n) return xml_fault(&r->document, n, r->fault, NULL, "two links are called '%.40s'", own);
    const xml_node *above = joint_above(r, own, NULL);
    if (above && joint_above(r, own, above))
      return xml_fault(&r->document, n, r->fault, "loops are not read", "two joints lead to the link '%.40s'", own);
    if (above) continue;
    if (base)
      return xml_fault(&r->document, n, r->fault, NULL, "the links '%.40s' and '%.40s' both hang on nothing",
                       xml_text(base, "name"), own);
    base = n;
  }
  if (kind) return kind;
  if (!base) return xml_fault(&r->document, root, r->fault, NULL, "found no link that stands still");
  kind = read_link(r, xml_text(base, "name"), -1, &frame_none, 0);
  return kind ? kind : check_reached(r, xml_text(base, "name"));
}
