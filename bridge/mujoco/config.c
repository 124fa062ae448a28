/* What the XML says: which joints, which law or model file, which parameters. Values go through the reader of model
   files, so that units, ranges and messages are the same here as there. */
#include "plugin.h"

#include "bristle/io.h"

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

/* a growing text; NULL without memory */
typedef struct block {
  char *text;
  size_t used, room;
} block;

static void put(block *b, const char *text, size_t length)
{
  if (b->used + length + 1 > b->room) {
    char *more = b->text || !b->room ? realloc(b->text, b->room = 2 * (b->used + length) + 256) : NULL;
    if (!more) free(b->text);
    b->text = more;
  }
  if (!b->text) return;
  memcpy(b->text + b->used, text, length);
  b->text[b->used += length] = '\0';
}

static void put_text(block *b, const char *text) { put(b, text, strlen(text)); }

static void put_quoted(block *b, const char *text)
{
  put_text(b, "\"");
  for (; *text; text++) {
    char escape[8];
    const unsigned char c = (unsigned char)*text;
    const int special = c < ' ' || c == '"' || c == '\\';
    put(b, escape, (size_t)snprintf(escape, sizeof escape, special ? "\\u%04x" : "%c", c));
  }
  put_text(b, "\"");
}

static void put_list(block *b, const char *value)
{
  put_text(b, "[");
  for (int items = 0; *(value += strspn(value, ", \t\n[]")); items++) {
    const size_t length = strcspn(value, ", \t\n[]");
    if (items) put_text(b, ", ");
    put(b, value, length);
    value += length;
  }
  put_text(b, "]");
}

static void put_entry(block *b, const char *key, const char *value, int first)
{
  if (!value) return;
  if (!first) put_text(b, ", ");
  put_quoted(b, key);
  put_text(b, ": ");
  if (is_list(value)) put_list(b, value);
  else put_quoted(b, value);
}

static bristle_fault_kind read_friction(const mjModel *m, int instance, int rotary, bristle_friction *friction,
                                        bristle_fault *fault)
{
  const bristle_friction_wanted wanted = { .dim = 1, .rotary = rotary };
  const char *model = given(m, instance, "model");
  int attributes, parameters = 0;
  const char *const *name = config_attributes(&attributes);
  block b = { 0 };
  put_text(&b, "{");
  put_entry(&b, is_file(model) ? "file" : "model", model, 1);
  if (!is_file(model)) put_entry(&b, "load", given(m, instance, "load"), 0);
  put_text(&b, ", \"parameters\": {");
  for (int i = (int)(sizeof own / sizeof *own); i < attributes; i++) {
    const char *value = given(m, instance, name[i]);
    put_entry(&b, name[i], value, !parameters);
    parameters += value != NULL;
  }
  put_text(&b, "}}");
  memset(fault, 0, sizeof *fault);
  const bristle_fault_kind kind = b.text
                                      ? bristle_friction_text_read("config", b.text, b.used, &wanted, friction, fault)
                                      : (fault->kind = BRISTLE_FAULT_MEMORY);
  if (kind && !strcmp(fault->file, "config")) fault->line = fault->column = 0; /* of the text made here */
  free(b.text);
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
