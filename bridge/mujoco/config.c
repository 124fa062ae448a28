/* What the XML says: which joints, which law or model file, which parameters. Values go through the reader of model
   files, so that units, ranges and messages are the same here as there. */
#include "plugin.h"

#include "bristle/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATTRIBUTES = 512 };
static const char *const own[] = { "joint", "model", "load", "normal_load" };

/* "axis.yaml" and "models/axis.json" are files, "lugre" is a law */
static int is_file(const char *model) { return strpbrk(model, "./") != NULL; }

static const char *given(const mjModel *m, int instance, const char *key)
{
  const char *value = mj_getPluginConfig(m, instance, key);
  return value && *value ? value : NULL;
}

static void add_attribute(const char **list, int *count, const char *name)
{
  for (int i = 0; i < *count; i++)
    if (!strcmp(list[i], name)) return;
  if (*count < MOST_ATTRIBUTES) list[(*count)++] = name;
}

/* called once, when the library is loaded: the parameters of all laws, by name */
const char *const *config_attributes(int *count)
{
  static const char *list[MOST_ATTRIBUTES];
  static int length;
  for (size_t i = 0; !length && i < sizeof own / sizeof *own; i++) list[i] = own[i];
  if (!length) {
    length = (int)(sizeof own / sizeof *own);
    for (int i = 0; i < bristle_law_count(); i++) {
      const bristle_law *skewed = bristle_law_skewed(bristle_law_at(i));
      const bristle_info *info = skewed ? skewed->f64->info : bristle_law_at(i)->f64->info;
      for (int k = 0; k < info->param_rows; k++) add_attribute(list, &length, info->param[k].name);
    }
  }
  *count = length;
  return list;
}

/* ---- joints ---- */

static int add_joint(const mjModel *m, int id, const char *name, int *joint, int most, int *count, char *why)
{
  if (id < 0) {
    snprintf(why, WHY, "there is no joint '%s'; `joint` lists names of hinge or slide joints, with blanks between",
             name);
    return 1;
  }
  if (m->jnt_type[id] != mjJNT_HINGE && m->jnt_type[id] != mjJNT_SLIDE) {
    snprintf(why, WHY, "joint '%s' is a %s joint; friction of this kind is for hinge and slide joints",
             m->names + m->name_jntadr[id], m->jnt_type[id] == mjJNT_FREE ? "free" : "ball");
    return 1;
  }
  for (int i = 0; i < *count; i++)
    if (joint[i] == id) {
      snprintf(why, WHY, "joint '%s' is listed twice", name);
      return 1;
    }
  if (*count < most) joint[(*count)++] = id;
  return 0;
}

static int joints_of_body(const mjModel *m, int instance, int *joint, int most, int *count, char *why)
{
  for (int b = 0; b < m->nbody; b++) {
    if (m->body_plugin[b] != instance) continue;
    for (int k = 0; k < m->body_jntnum[b]; k++) {
      const int id = m->body_jntadr[b] + k;
      if (add_joint(m, id, m->names + m->name_jntadr[id], joint, most, count, why)) return 1;
    }
  }
  if (*count) return 0;
  snprintf(why, WHY,
           "the body of this plugin has no joint; put it into a body with joints, or give their names: "
           "<config key=\"joint\" value=\"shoulder elbow\"/>");
  return 1;
}

int config_joints(const mjModel *m, int instance, int *joint, int most, int *count, char *why)
{
  const char *text = given(m, instance, "joint");
  *count = 0;
  if (!text) return joints_of_body(m, instance, joint, most, count, why);
  for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
    char name[256];
    const size_t length = strcspn(text, " \t\n");
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    if (add_joint(m, mj_name2id(m, mjOBJ_JOINT, name), name, joint, most, count, why)) return 1;
    text += length;
  }
  return 0;
}

/* the names cannot be looked up yet while a model is compiled, but they can be counted */
static int count_joints(const mjModel *m, int instance)
{
  const char *text = given(m, instance, "joint");
  int count = 0;
  for (int b = 0; !text && b < m->nbody; b++)
    if (m->body_plugin[b] == instance) count += m->body_jntnum[b];
  for (text = text ? text + strspn(text, " \t\n") : ""; *text; text += strspn(text, " \t\n"), count++)
    text += strcspn(text, " \t\n");
  return count;
}

/* ---- friction ---- */

/* Without it the law would have the size of an example: a level, a stiffness, a speed of its own. */
static int is_needed(const bristle_row *row)
{
  return row->initial[0] != 0
         && (strchr(row->unit, 'N') || row->role == BRISTLE_ROLE_STRIBECK_SPEED
             || row->role == BRISTLE_ROLE_STRIBECK_FALL || row->role == BRISTLE_ROLE_LENGTH);
}

static int check_given(const mjModel *m, int instance, const bristle_friction *f, char *why)
{
  for (int k = 0; k < f->info->param_rows; k++) {
    const bristle_row *row = &f->info->param[k];
    char unit[48];
    if (!is_needed(row) || given(m, instance, row->name)) continue;
    bristle_unit(row, f->load, f->rotary, unit, sizeof unit);
    snprintf(why, WHY,
             "'%s' needs the parameter '%s' in %s (%s): add <config key=\"%s\" value=\"...\"/>, or name a model file",
             f->info->name, row->name, unit, row->doc, row->name);
    return 1;
  }
  return 0;
}

/* "1 2 3" is a list, where the law has a vector; "1 N/mm" is none */
static int is_list(const char *value)
{
  return value[strspn(value, "0123456789.eE+-")] && !value[strspn(value, "0123456789.eE+-, \t\n[]")];
}

static bristle_fault_kind put_parameter(bristle_tree *tree, const char *name, const char *value, bristle_fault *fault)
{
  char key[160], text[1200];
  size_t used;
  if (!is_list(value)) {
    snprintf(key, sizeof key, "friction.parameters.%s", name);
    return bristle_tree_put(tree, key, value, "config", fault);
  }
  used = (size_t)snprintf(text, sizeof text, "%s=[", name);
  for (value += strspn(value, ", \t\n[]"); *value;) {
    const size_t length = strcspn(value, ", \t\n[]");
    if (used + length + 4 > sizeof text) { /* a number that was cut off would be another one */
      snprintf(key, sizeof key, "friction.parameters.%s", name);
      return bristle_tree_put(tree, key, "too long a list", "config", fault);
    }
    used += (size_t)sprintf(text + used, "%s%.*s", text[used - 1] == '[' ? "" : ", ", (int)length, value);
    value += length;
    value += strspn(value, ", \t\n[]");
  }
  snprintf(text + used, sizeof text - used, "]");
  return bristle_tree_set(tree, "friction.parameters", text, fault);
}

static bristle_fault_kind put_attributes(const mjModel *m, int instance, bristle_tree *tree, bristle_fault *fault)
{
  int attributes;
  const char *const *name = config_attributes(&attributes);
  const char *model = given(m, instance, "model"), *load = given(m, instance, "load");
  bristle_fault_kind kind = bristle_tree_put(tree, is_file(model) ? "friction.file" : "friction.model", model, "config",
                                             fault);
  if (!kind && load && !is_file(model)) kind = bristle_tree_put(tree, "friction.load", load, "config", fault);
  for (int i = (int)(sizeof own / sizeof *own); i < attributes && !kind; i++) {
    const char *value = given(m, instance, name[i]);
    if (value) kind = put_parameter(tree, name[i], value, fault);
  }
  return kind;
}

static bristle_fault_kind read_friction(const mjModel *m, int instance, int rotary, bristle_friction *friction,
                                        bristle_fault *fault)
{
  static const char text[] = "friction: {}\n";
  const bristle_friction_wanted wanted = { .dim = 1, .rotary = rotary };
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_fault_kind kind = bristle_document_parse("(config)", text, sizeof text - 1, &document, fault);
  if (!kind) kind = bristle_tree_new(document, &tree, fault);
  if (!kind) kind = put_attributes(m, instance, tree, fault);
  if (!kind)
    kind = bristle_friction_read(bristle_node_find(bristle_tree_root(tree), "friction"), &wanted, friction, fault);
  if (kind && !strcmp(fault->file, "(config)")) fault->file[0] = '\0', fault->line = 0;
  bristle_tree_free(tree);
  bristle_document_free(document);
  return kind;
}

static int read_load(const mjModel *m, int instance, friction_joint *out, char *why)
{
  const char *text = given(m, instance, "normal_load");
  bristle_fault fault;
  out->normal = 1;
  if (!text && out->friction.load == BRISTLE_LOAD_FORCE) return 0;
  if (!text) {
    snprintf(why, WHY, "friction that follows the load needs it: add <config key=\"normal_load\" value=\"... N\"/>");
    return 1;
  }
  if (!bristle_quantity_read(text, strlen(text), "N|N*m", &out->normal, NULL, &fault) && out->normal >= 0) return 0;
  snprintf(why, WHY, "normal_load: found '%s', expected a force that is not negative, in N", text);
  return 1;
}

int config_friction(const mjModel *m, int instance, int joint, friction_joint *out, char *why)
{
  const char *model = given(m, instance, "model");
  bristle_fault fault;
  if (!model) {
    snprintf(why, WHY,
             "no law: add <config key=\"model\" value=\"lugre\"/> and its parameters, or value=\"axis.yaml\"");
    return 1;
  }
  if (read_friction(m, instance, m->jnt_type[joint] == mjJNT_HINGE, &out->friction, &fault)) {
    bristle_fault_text(&fault, why, WHY);
    return 1;
  }
  out->dof = m->jnt_dofadr[joint], out->qpos = m->jnt_qposadr[joint];
  if (!is_file(model) && check_given(m, instance, &out->friction, why)) return 1;
  return read_load(m, instance, out, why);
}

int config_states(const mjModel *m, int instance)
{
  bristle_friction friction;
  bristle_fault fault;
  const char *model = given(m, instance, "model");
  if (!model || read_friction(m, instance, BRISTLE_LINEAR_OR_ROTARY, &friction, &fault)) return 0;
  return count_joints(m, instance) * friction.info->nstate;
}
