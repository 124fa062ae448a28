/* MJCF: bodies in bodies, with classes of defaults. What changes the tree and is not read is refused; what belongs to
   contacts, pictures and sensors is passed over. */
#include "robot/reading.h"

#define PI 3.14159265358979323846

typedef struct mjcf {
  reading *r;
  double angle;         /* rad for one of the file's units */
  char order[4];        /* of Euler angles */
  const xml_node *base; /* the outermost <default> */
  int from_geoms;       /* masses are those of the shapes */
} mjcf;

static bristle_fault_kind not_read(const mjcf *m, const xml_node *node, const char *what)
{
  return xml_fault(&m->r->document, node, m->r->fault,
                   "only trees of bodies with <inertial>, hinges and slides are read; leave it out if friction does "
                   "not need it",
                   "%s is not read", what);
}

/* ---- defaults ---- */

static const xml_node *find_class(const xml_node *node, const char *name)
{
  const char *own = xml_text(node, "class");
  if (own && !strcmp(own, name)) return node;
  for (const xml_node *n = NULL; (n = xml_child(node, "default", n));) {
    const xml_node *found = find_class(n, name);
    if (found) return found;
  }
  return NULL;
}

/* the defaults of a class; the outermost ones are called main where the file has no name for them */
static const xml_node *defaults_of(const mjcf *m, const char *class)
{
  if (!m->base || !class) return m->base;
  return !strcmp(class, "main") && !xml_text(m->base, "class") ? m->base : find_class(m->base, class);
}

/* The element that says this attribute of `node`: itself, or the nearest default of its class. NULL: none */
static const xml_node *who_says(const mjcf *m, const xml_node *node, const char *class, const char *name)
{
  const char *own = xml_text(node, "class");
  if (xml_text(node, name)) return node;
  if (own) class = own;
  for (const xml_node *at = defaults_of(m, class); at && !strcmp(at->name, "default"); at = at->parent) {
    const xml_node *says = xml_child(at, node->name, NULL);
    if (says && xml_text(says, name)) return says;
  }
  return NULL;
}

static bristle_fault_kind numbers(const mjcf *m, const xml_node *node, const char *class, const char *name, int count,
                                  double *to)
{
  const xml_node *says = who_says(m, node, class, name);
  return says ? xml_numbers(&m->r->document, says, name, count, to, m->r->fault) : BRISTLE_FAULT_NONE;
}

/* ---- places ---- */

static int make_unit(double *v, int count)
{
  double length = 0;
  for (int i = 0; i < count; i++) length += v[i] * v[i];
  length = sqrt(length);
  for (int i = 0; i < count; i++) v[i] /= length;
  return length > 1e-9;
}

static void turn_of_quaternion(const double q[4], double t[9])
{
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  t[0] = 1 - 2 * (y * y + z * z), t[1] = 2 * (x * y - w * z), t[2] = 2 * (x * z + w * y);
  t[3] = 2 * (x * y + w * z), t[4] = 1 - 2 * (x * x + z * z), t[5] = 2 * (y * z - w * x);
  t[6] = 2 * (x * z - w * y), t[7] = 2 * (y * z + w * x), t[8] = 1 - 2 * (x * x + y * y);
}

/* lower case: about axes that turn along; upper case: about those that stand still */
static void turn_of_euler(const mjcf *m, const double angle[3], double turn[9])
{
  memcpy(turn, frame_none.turn, sizeof frame_none.turn);
  for (int k = 0; k < 3; k++) {
    const char letter = m->order[k];
    const int still = letter < 'a', place = (still ? letter - 'A' : letter - 'a') - ('x' - 'a');
    double axis[3] = { 0 }, one[9], out[9];
    axis[place] = 1;
    turn_about(axis, angle[k] * m->angle, one);
    turn_product(still ? one : turn, still ? turn : one, out);
    memcpy(turn, out, sizeof out);
  }
}

/* x and y; y loses what it has of x */
static int turn_of_axes(double axes[6], double turn[9])
{
  double *x = axes, *y = axes + 3, z[3];
  if (!make_unit(x, 3)) return 0;
  const double part = dot(x, y);
  for (int i = 0; i < 3; i++) y[i] -= part * x[i];
  if (!make_unit(y, 3)) return 0;
  cross(x, y, z);
  for (int i = 0; i < 3; i++) turn[3 * i] = x[i], turn[3 * i + 1] = y[i], turn[3 * i + 2] = z[i];
  return 1;
}

/* the shortest way from z to there */
static int turn_of_z(double z[3], double turn[9])
{
  static const double up[] = { 0, 0, 1 }, x[] = { 1, 0, 0 };
  double axis[3];
  if (!make_unit(z, 3)) return 0;
  cross(up, z, axis);
  const double angle = atan2(sqrt(dot(axis, axis)), z[2]);
  if (!make_unit(axis, 3)) memcpy(axis, x, sizeof x);
  turn_about(axis, angle, turn);
  return 1;
}

static bristle_fault_kind read_place(const mjcf *m, const xml_node *node, frame *at)
{
  double n[6] = { 0 };
  const xml_document *d = &m->r->document;
  bristle_fault *fault = m->r->fault;
  int fine = 1;
  *at = frame_none;
  bristle_fault_kind kind = xml_numbers(d, node, "pos", 3, at->at, fault);
  if (kind) return kind;
  if (xml_text(node, "quat")) {
    if ((kind = xml_numbers(d, node, "quat", 4, n, fault))) return kind;
    if ((fine = make_unit(n, 4))) turn_of_quaternion(n, at->turn);
  } else if (xml_text(node, "axisangle")) {
    if ((kind = xml_numbers(d, node, "axisangle", 4, n, fault))) return kind;
    if ((fine = make_unit(n, 3))) turn_about(n, n[3] * m->angle, at->turn);
  } else if (xml_text(node, "euler")) {
    if ((kind = xml_numbers(d, node, "euler", 3, n, fault))) return kind;
    turn_of_euler(m, n, at->turn);
  } else if (xml_text(node, "xyaxes")) {
    if ((kind = xml_numbers(d, node, "xyaxes", 6, n, fault))) return kind;
    fine = turn_of_axes(n, at->turn);
  } else if (xml_text(node, "zaxis")) {
    if ((kind = xml_numbers(d, node, "zaxis", 3, n, fault))) return kind;
    fine = turn_of_z(n, at->turn);
  }
  return fine ? BRISTLE_FAULT_NONE
              : xml_fault(d, node, fault, NULL, "the direction of a <%.40s> has no length", node->name);
}

/* ---- bodies ---- */

static bristle_fault_kind read_inertial(const mjcf *m, const xml_node *node, int body, const frame *at)
{
  double mass = 0, i[6] = { 0 }, own[3] = { 0 };
  frame inner;
  const xml_document *d = &m->r->document;
  bristle_fault_kind kind = read_place(m, node, &inner);
  if (!kind) kind = xml_numbers(d, node, "mass", 1, &mass, m->r->fault);
  if (!kind && xml_text(node, "fullinertia")) { /* xx yy zz xy xz yz */
    double full[6];
    kind = xml_numbers(d, node, "fullinertia", 6, full, m->r->fault);
    i[0] = full[0], i[1] = full[3], i[2] = full[1], i[3] = full[4], i[4] = full[5], i[5] = full[2];
  } else if (!kind) {
    kind = xml_numbers(d, node, "diaginertia", 3, own, m->r->fault);
    i[0] = own[0], i[2] = own[1], i[5] = own[2];
  }
  const frame whole = frame_chain(at, &inner);
  return kind ? kind : robot_mass(m->r, node, body, &whole, mass, i);
}

static bristle_fault_kind read_limits(const mjcf *m, const xml_node *node, const char *class, int hinge,
                                      bristle_robot_joint *j)
{
  double range[2] = { NAN, NAN }, stiffness = 0;
  const xml_node *says = who_says(m, node, class, "limited");
  bristle_fault_kind kind = numbers(m, node, class, "range", 2, range);
  if (!kind) kind = numbers(m, node, class, "armature", 1, &j->armature);
  if (!kind) kind = numbers(m, node, class, "damping", 1, &j->damping);
  if (!kind) kind = numbers(m, node, class, "frictionloss", 1, &j->friction);
  if (!kind) kind = numbers(m, node, class, "stiffness", 1, &stiffness);
  if (!kind && stiffness != 0) kind = not_read(m, node, "a joint with a spring (stiffness)");
  if (says && !strcmp(xml_text(says, "limited"), "false")) return kind;
  j->lower = range[0] * (hinge ? m->angle : 1), j->upper = range[1] * (hinge ? m->angle : 1);
  return kind;
}

/* a joint in the body at *at, which stands in the frame of the tree's body *body: both become those behind the joint */
static bristle_fault_kind read_joint(const mjcf *m, const xml_node *node, const char *class, int *body, frame *at)
{
  const xml_node *says = who_says(m, node, class, "type");
  const char *own = xml_text(node, "class"), *used = own ? own : class;
  const char *type = says ? xml_text(says, "type") : "hinge";
  const int hinge = !strcmp(type, "hinge");
  double anchor[3] = { 0 }, axis[3] = { 0, 0, 1 }, zero = 0;
  int place = 0;
  if (used && !defaults_of(m, used) && strcmp(used, "main"))
    return xml_fault(&m->r->document, node, m->r->fault, NULL, "there is no class of defaults '%.40s'", used);
  if (!hinge && strcmp(type, "slide")) return not_read(m, node, "a joint that is neither hinge nor slide");
  bristle_fault_kind kind = numbers(m, node, class, "pos", 3, anchor);
  if (!kind) kind = numbers(m, node, class, "axis", 3, axis);
  if (!kind) kind = numbers(m, node, class, "ref", 1, &zero);
  if (kind) return kind;
  if (zero != 0) return not_read(m, node, "a joint whose zero is moved (ref)");
  frame inner = frame_none;
  memcpy(inner.at, anchor, sizeof anchor);
  const frame whole = frame_chain(at, &inner);
  if ((kind = robot_joint(m->r, node, *body, &whole, !hinge, axis, &place))) return kind;
  *body = place, *at = frame_none;
  for (int i = 0; i < 3; i++) at->at[i] = -anchor[i]; /* the origin of the body, seen from the anchor */
  return read_limits(m, node, class, hinge, &m->r->robot->joint[place]);
}

static bristle_fault_kind read_inside(const mjcf *m, const xml_node *node, const char *class, int body, frame at,
                                      int depth);

static bristle_fault_kind read_body(const mjcf *m, const xml_node *node, const char *class, int body, frame at,
                                    int depth)
{
  const char *child_class = xml_text(node, "childclass");
  const xml_node *inertial, *joint = NULL;
  frame inner;
  bristle_fault_kind kind = robot_only_child(m->r, node, "inertial", &inertial);
  if (!kind) kind = read_place(m, node, &inner);
  if (kind) return kind;
  if (child_class) class = child_class;
  at = frame_chain(&at, &inner);
  while (!kind && (joint = xml_child(node, "joint", joint))) kind = read_joint(m, joint, class, &body, &at);
  if (kind) return kind;
  if (xml_child(node, "freejoint", NULL))
    robot_note(m->r->robot, "a free base is taken as held where it stands in the file");
  if (inertial && !m->from_geoms) kind = read_inertial(m, inertial, body, &at);
  else if (body >= 0 && xml_child(node, "geom", NULL))
    kind = not_read(m, node, "a body that takes its mass from its shapes");
  return kind ? kind : read_inside(m, node, class, body, at, depth + 1);
}

static bristle_fault_kind read_inside(const mjcf *m, const xml_node *node, const char *class, int body, frame at,
                                      int depth)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (const xml_node *n = node->child; n && !kind; n = n->next) {
    if (!strcmp(n->name, "body")) kind = read_body(m, n, class, body, at, depth);
    else if (!strcmp(n->name, "frame")) {
      frame inner;
      const char *child_class = xml_text(n, "childclass");
      if (xml_child(n, "joint", NULL) || xml_child(n, "inertial", NULL) || xml_child(n, "geom", NULL))
        return not_read(m, n, "a <frame> around anything but bodies");
      if ((kind = read_place(m, n, &inner))) break;
      kind = read_inside(m, n, child_class ? child_class : class, body, frame_chain(&at, &inner), depth + 1);
    } else if (!strcmp(n->name, "replicate") || !strcmp(n->name, "attach") || !strcmp(n->name, "composite")
               || !strcmp(n->name, "flexcomp") || !strcmp(n->name, "include")) {
      kind = not_read(m, n, "an element that brings in others");
    }
  }
  return kind;
}

/* ---- the rest of the file ---- */

static bristle_fault_kind read_compiler(mjcf *m, const xml_node *node)
{
  const char *angle = xml_text(node, "angle"), *order = xml_text(node, "eulerseq"),
             *geoms = xml_text(node, "inertiafromgeom"), *coordinate = xml_text(node, "coordinate");
  if (angle) m->angle = !strcmp(angle, "radian") ? 1 : PI / 180;
  if (geoms) m->from_geoms = !strcmp(geoms, "true");
  if (coordinate && !strcmp(coordinate, "global")) return not_read(m, node, "global coordinates");
  if (xml_text(node, "settotalmass") || xml_text(node, "boundmass") || xml_text(node, "boundinertia"))
    return not_read(m, node, "a change of all masses");
  if (!order) return BRISTLE_FAULT_NONE;
  if (strlen(order) != 3 || strspn(order, "xyzXYZ") != 3) return not_read(m, node, "this order of angles");
  memcpy(m->order, order, 4);
  return BRISTLE_FAULT_NONE;
}

/* gains of servos, where one drives a joint alone */
static bristle_fault_kind read_actuators(const mjcf *m, const xml_node *actuators)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (const xml_node *n = NULL; !kind && (n = xml_child(actuators, "position", n));) {
    const char *name = xml_text(n, "joint");
    const int k = name ? bristle_robot_find(m->r->robot, name) : -1;
    if (k < 0) continue;
    bristle_robot_joint *j = &m->r->robot->joint[k];
    j->gain = 1, j->rate_gain = 0; /* MuJoCo's own defaults */
    kind = numbers(m, n, NULL, "kp", 1, &j->gain);
    if (!kind) kind = numbers(m, n, NULL, "kv", 1, &j->rate_gain);
  }
  return kind;
}

bristle_fault_kind mjcf_read(reading *r)
{
  const xml_node *root = r->document.root;
  mjcf m = { .r = r, .angle = PI / 180, .order = "xyz" };
  const char *name = xml_text(root, "model");
  bristle_fault_kind kind = robot_only_child(r, root, "default", &m.base);
  if (!kind && name && *name) kind = robot_name(r, root, name, r->robot->name);
  for (const xml_node *n = root->child; n && !kind; n = n->next) {
    if (!strcmp(n->name, "compiler")) kind = read_compiler(&m, n);
    else if (!strcmp(n->name, "option"))
      kind = xml_numbers(&r->document, n, "gravity", 3, r->robot->tree.gravity, r->fault);
    else if (!strcmp(n->name, "include")) kind = not_read(&m, n, "an included file");
    else if ((!strcmp(n->name, "equality") || !strcmp(n->name, "tendon")) && n->child)
      robot_note(r->robot, "<%s> is not read: what it ties counts as free", n->name);
  }
  for (const xml_node *n = NULL; !kind && (n = xml_child(root, "worldbody", n));)
    kind = read_inside(&m, n, NULL, -1, frame_none, 0);
  for (const xml_node *n = NULL; !kind && (n = xml_child(root, "actuator", n));) kind = read_actuators(&m, n);
  return kind;
}
