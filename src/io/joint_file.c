/* Joint files: kind, geometry, preload, options and friction block become a checked bristle_joint. */
#include "io/support.h"

#include "lab/joint_file.h"
#include "bristle/text.h"

#include <stddef.h>

typedef struct length_key {
  const char *key;
  size_t place;
} length_key;
static const length_key lengths[] = {
  { "pin_radius", offsetof(bristle_joint, pin_radius) },   { "friction_arm", offsetof(bristle_joint, friction_arm) },
  { "bending_arm", offsetof(bristle_joint, bending_arm) }, { "reaction_arm", offsetof(bristle_joint, reaction_arm) },
  { "overlap", offsetof(bristle_joint, overlap) },         { "ball_radius", offsetof(bristle_joint, ball_radius) },
};

/* "revolute|translational|..." */
static void list_kinds(char *text, size_t size)
{
  size_t used = 0;
  for (int k = 0; k < bristle_joint_kinds() && used < size; k++)
    used = text_append(text, size, used, "%s%s", k ? "|" : "", bristle_joint_kind_text((bristle_joint_kind)k));
}

static bristle_fault_kind read_choice(const bristle_node *map, const char *key, const char *choices, int *choice,
                                      bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, key);
  return node ? bristle_node_choice(node, choices, choice, fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_number(const bristle_node *map, const char *key, const char *unit, double *value,
                                      bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(map, key);
  return node ? bristle_node_number(node, unit, value, NULL, fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_axis(const bristle_node *node, double axis[3], bristle_fault *fault)
{
  int i = 0;
  bristle_fault_kind kind = bristle_node_expect(node, BRISTLE_NODE_LIST, fault);
  if (!kind && node->count != 3)
    kind = bristle_node_fault(node, fault, "write [1, 0, 0]", "found %zu numbers, expected 3", node->count);
  for (const bristle_node *n = kind ? NULL : node->child; n && !kind; n = n->next)
    kind = bristle_node_number(n, "1", &axis[i++], NULL, fault);
  return kind;
}

static bristle_fault_kind read_geometry(const bristle_node *map, bristle_joint *joint, bristle_fault *fault)
{
  int overlap_rule = joint->overlap_rule, socket = joint->socket;
  bristle_fault_kind kind = bristle_node_allow(map, bristle_joint_keys(joint->kind), fault);
  for (size_t i = 0; !kind && i < sizeof lengths / sizeof *lengths; i++)
    kind = read_number(map, lengths[i].key, "m", (double *)((char *)joint + lengths[i].place), fault);
  if (!kind) kind = read_choice(map, "overlap_rule", "constant|grows|shrinks", &overlap_rule, fault);
  if (!kind) kind = read_choice(map, "socket", "point|full", &socket, fault);
  const bristle_node *axis = kind ? NULL : bristle_node_find(map, "cross_axis");
  if (axis) kind = read_axis(axis, joint->cross_axis, fault);
  joint->overlap_rule = (bristle_joint_overlap)overlap_rule;
  joint->socket = (bristle_joint_socket)socket;
  return kind;
}

/* [preload, reaction, bending, torsion], or a single word, or all */
static bristle_fault_kind read_inputs(const bristle_node *node, bristle_joint *joint, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const char *words = "preload|reaction|bending|torsion";
  int choice = 0;
  if (node->kind == BRISTLE_NODE_SCALAR) {
    if (!strcmp(node->text, "all")) return BRISTLE_FAULT_NONE;
    kind = bristle_node_choice(node, "preload|reaction|bending|torsion|all", &choice, fault);
    if (!kind) joint->inputs = 1u << choice;
    return kind;
  }
  kind = bristle_node_expect(node, BRISTLE_NODE_LIST, fault);
  if (kind) return kind;
  joint->inputs = 0;
  for (const bristle_node *n = node->child; n && !kind; n = n->next)
    if (!(kind = bristle_node_choice(n, words, &choice, fault))) joint->inputs |= 1u << choice;
  return kind;
}

static bristle_fault_kind read_options(const bristle_node *map, bristle_joint *joint, bristle_fault *fault)
{
  int effect = joint->effect, combine = joint->combine, statics = joint->statics;
  const bristle_node *preload = bristle_node_find(map, "preload"), *inputs = bristle_node_find(map, "inputs");
  bristle_fault_kind kind = preload ? bristle_node_allow(preload, "force|torque", fault) : BRISTLE_FAULT_NONE;
  if (!kind && preload) kind = read_number(preload, "force", "N", &joint->preload_force, fault);
  if (!kind && preload) kind = read_number(preload, "torque", "N*m", &joint->preload_torque, fault);
  if (!kind && inputs) kind = read_inputs(inputs, joint, fault);
  if (!kind) kind = read_choice(map, "effect", "all|sliding", &effect, fault);
  if (!kind) kind = read_choice(map, "combine", "sum|max", &combine, fault);
  if (!kind) kind = read_choice(map, "statics", "off|bounded", &statics, fault);
  if (!kind) kind = read_number(map, "mu_s", "1", &joint->mu_s, fault);
  joint->statics = (bristle_joint_statics)statics;
  joint->effect = (bristle_joint_effect)effect;
  joint->combine = (bristle_joint_combine)combine;
  return kind;
}

static bristle_fault_kind read_friction(const bristle_node *map, bristle_joint_file *file, bristle_fault *fault)
{
  static const bristle_load coefficient = BRISTLE_LOAD_COEFFICIENT;
  const bristle_friction_wanted wanted = { bristle_joint_dim(file->joint.kind), 0, &coefficient };
  const bristle_node *node;
  bristle_fault_kind kind = bristle_node_need(map, "friction", "friction: {model: NAME, parameters: {...}}", &node,
                                              fault);
  if (!kind) kind = bristle_friction_read(node, &wanted, &file->friction, fault);
  if (kind) return kind;
  if (file->friction.load != BRISTLE_LOAD_COEFFICIENT)
    return bristle_node_fault(node, fault, "give friction coefficients, with load: coefficient or without `load`",
                              "found the load form '%s', expected 'coefficient': a joint has no load of its own",
                              bristle_load_text(file->friction.load));
  file->joint.contact = bristle_friction_contact(&file->friction);
  return BRISTLE_FAULT_NONE;
}

/* where the file speaks about a field of the joint */
static const bristle_node *place_of(const bristle_node *map, const char *field)
{
  const bristle_node *geometry = bristle_node_find(map, "geometry"), *preload = bristle_node_find(map, "preload");
  const bristle_node *friction = bristle_node_find(map, "friction"), *node = bristle_node_find(map, field);
  if (!node && geometry) node = bristle_node_find(geometry, field);
  if (!node && !strcmp(field, "preload_force")) node = preload ? bristle_node_find(preload, "force") : NULL;
  if (!node && !strcmp(field, "preload_torque")) node = preload ? bristle_node_find(preload, "torque") : NULL;
  if (!node)
    node = word_find("pin_radius|friction_arm|bending_arm|reaction_arm|overlap|ball_radius", field, strlen(field)) >= 0
               ? geometry
               : friction;
  return node ? node : map;
}

bristle_fault_kind bristle_joint_file_read(const bristle_node *map, bristle_joint_file *file, bristle_fault *fault)
{
  const bristle_node *node;
  const char *name;
  bristle_error error;
  int which = 0;
  memset(file, 0, sizeof *file);
  bristle_fault_kind kind = bristle_node_allow(
      map, "bristle|type|name|note|geometry|preload|inputs|effect|combine|statics|mu_s|friction|fields|units", fault);
  if (!kind && !bristle_node_find(map, "fields") && (node = bristle_node_find(map, "units")))
    kind = bristle_node_fault(node, fault, "write units behind the numbers",
                              "it stands for the numbers of `fields`, and there are none");
  if (!kind) kind = bristle_node_need(map, "type", "type: revolute", &node, fault);
  char kinds[400];
  list_kinds(kinds, sizeof kinds);
  if (!kind) kind = bristle_node_choice(node, kinds, &which, fault);
  if (kind) return kind;
  bristle_joint *joint = &file->joint;
  bristle_joint_init(joint, (bristle_joint_kind)which);
  if ((node = bristle_node_find(map, "name"))) {
    if ((kind = bristle_node_text(node, &name, fault))) return kind;
    char shown[EXCERPT];
    snprintf(file->name, sizeof file->name, "%s", excerpt(name, strlen(name), shown));
    joint->name = file->name;
  }
  if ((node = bristle_node_find(map, "geometry"))) kind = read_geometry(node, joint, fault);
  if (!kind) kind = read_options(map, joint, fault);
  if (!kind) kind = read_friction(map, file, fault);
  if (kind || !bristle_joint_check(joint, &error)) return kind;
  char text[300];
  bristle_error_text(&error, text, sizeof text);
  return bristle_node_fault(place_of(map, error.field), fault, NULL, "%s", text);
}
