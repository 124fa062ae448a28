/* Fields of a joint as Adams and MotionSolve call them, turned into the keys of a joint file. The mapping is that of
 * docs/joints.md. */
#include "fields.h"

#include "io/support.h"
#include "maths/elementary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* what a field becomes: a key with the value as it stands, or one of the three that are computed */
typedef enum field_kind { FIELD_COPY, FIELD_WORDS, FIELD_TRANSITION, FIELD_DEFORMATION } field_kind;

typedef struct field {
  const char *names; /* in lower case, with one blank between words; others that mean the same after | */
  const char *key, *unit;
  field_kind kind;
} field;

static const field fields[] = {
  { "mu static|static friction coefficient", "friction.parameters.fs", "1", FIELD_COPY },
  { "mu dynamic|dynamic friction coefficient", "friction.parameters.fc", "1", FIELD_COPY },
  { "stiction transition velocity|transition velocity coefficient", "friction.parameters.vs", "m/s", FIELD_TRANSITION },
  { "maximum stiction deformation|max stiction deformation|maximum deformation", "friction.parameters.sigma0", "m",
    FIELD_DEFORMATION },
  { "viscous coefficient|viscous", "friction.parameters.sigma2", "s/m", FIELD_COPY },
  { "bristle damping", "friction.parameters.sigma1", "s/m", FIELD_COPY },
  { "pin radius", "geometry.pin_radius", "m", FIELD_COPY },
  { "friction arm", "geometry.friction_arm", "m", FIELD_COPY },
  { "bending reaction arm|bending arm", "geometry.bending_arm", "m", FIELD_COPY },
  { "reaction arm", "geometry.reaction_arm", "m", FIELD_COPY },
  { "initial overlap", "geometry.overlap", "m", FIELD_COPY },
  { "overlap", "geometry.overlap_rule", "constant=constant|increase=grows|decrease=shrinks", FIELD_WORDS },
  { "ball radius", "geometry.ball_radius", "m", FIELD_COPY },
  { "friction force preload|force preload", "preload.force", "N", FIELD_COPY },
  { "friction torque preload|torque preload", "preload.torque", "N*m", FIELD_COPY },
  { "effect|effects", "effect", "all=all|stiction and sliding=all|sliding=sliding", FIELD_WORDS },
  { "inactive during static", "statics", "true=off|yes=off|on=off|false=bounded|no=bounded|off=bounded", FIELD_WORDS },
  { "model", "friction.model", NULL, FIELD_COPY },
};
static const char *const inputs[][2] = { { "preload", "preload" },
                                         { "reaction force", "reaction" },
                                         { "bending moment", "bending" },
                                         { "torsional moment", "torsion" } };
enum { FIELDS = sizeof fields / sizeof *fields, INPUTS = sizeof inputs / sizeof *inputs, NAME = 64 };

/* MU_STATIC, mu-static and "Mu Static" are one name */
static void plain_name(const char *text, char name[NAME])
{
  size_t used = 0;
  for (; *text && used + 1 < NAME; text++) {
    const int gap = *text == '_' || *text == '-' || *text == ' ' || *text == '\t';
    if (gap && (!used || name[used - 1] == ' ')) continue;
    name[used++] = gap ? ' ' : (char)tolower((unsigned char)*text);
  }
  name[used] = '\0';
}

static int is_one_of(const char *word, const char *list) { return word_find(list, word, strlen(word)) >= 0; }

static const field *find_field(const char *name)
{
  for (size_t i = 0; i < FIELDS; i++)
    if (is_one_of(name, fields[i].names)) return &fields[i];
  return NULL;
}

typedef struct translation {
  bristle_tree *tree;
  bristle_fault *fault;
  const char *name; /* of the field at work */
  char input[INPUTS * 12];
  double mu_static, deformation;
  const bristle_node *deformed;
  int transition, has_model, has_static, has_viscous, has_damping;
} translation;

static bristle_fault_kind put(translation *t, const char *key, const char *value)
{
  return bristle_tree_put(t->tree, key, value, t->name, t->fault);
}

static bristle_fault_kind put_number(translation *t, const char *key, double value)
{
  char text[BRISTLE_NUMBER_SIZE];
  bristle_number_write(value, text);
  return put(t, key, text);
}

/* "stiction and sliding=all|sliding=sliding" */
static bristle_fault_kind put_word(translation *t, const field *f, const bristle_node *node)
{
  char wanted[NAME], known[200] = "";
  plain_name(node->text ? node->text : "", wanted);
  for (const char *list = f->unit; *list;) {
    const size_t name = strcspn(list, "="), length = strcspn(list, "|");
    char word[NAME];
    snprintf(word, sizeof word, "%.*s", (int)(length - name - 1), list + name + 1);
    if (name == strlen(wanted) && !strncmp(list, wanted, name)) return put(t, f->key, word);
    snprintf(known + strlen(known), sizeof known - strlen(known), "%s%.*s", *known ? ", " : "", (int)name, list);
    list += length + (list[length] == '|');
  }
  return bristle_node_fault(node, t->fault, NULL, "found '%.40s', expected one of: %s", node->text ? node->text : "",
                            known);
}

static bristle_fault_kind put_field(translation *t, const field *f, const bristle_node *node)
{
  double value;
  bristle_fault_kind kind;
  if (f->kind == FIELD_WORDS) return put_word(t, f, node);
  if (!f->unit) {
    t->has_model = 1;
    return put(t, f->key, node->text ? node->text : "");
  }
  if ((kind = bristle_node_number(node, f->unit, &value, NULL, t->fault))) return kind;
  if (f == &fields[0]) t->mu_static = value, t->has_static = 1;
  if (!strcmp(f->key, "friction.parameters.sigma2")) t->has_viscous = 1;
  if (!strcmp(f->key, "friction.parameters.sigma1")) t->has_damping = 1;
  if (f->kind == FIELD_DEFORMATION) {
    t->deformation = value, t->deformed = node;
    return BRISTLE_FAULT_NONE;
  }
  if (f->kind == FIELD_TRANSITION) t->transition = 1, value *= 0.5;
  return put_number(t, f->key, value);
}

/* REACTION_FORCE: on */
static int is_input(translation *t, const char *name, const bristle_node *node, bristle_fault_kind *kind)
{
  for (size_t i = 0; i < INPUTS; i++) {
    int on = 0;
    if (strcmp(name, inputs[i][0])) continue;
    char word[NAME];
    plain_name(node->text ? node->text : "", word);
    on = is_one_of(word, "on|true|yes|1");
    if (!on && !is_one_of(word, "off|false|no|0"))
      *kind = bristle_node_fault(node, t->fault, NULL, "found '%.40s', expected on or off",
                                 node->text ? node->text : "");
    if (on)
      snprintf(t->input + strlen(t->input), sizeof t->input - strlen(t->input), "%s%s", *t->input ? ", " : "",
               inputs[i][1]);
    return 1;
  }
  return 0;
}

/* The simplest law that has all that was given. Their lists have no viscous friction, which is then none, and no
   damping of the bristle: that is critical for a body under its own weight. */
static bristle_fault_kind choose_law(translation *t)
{
  const char *law = t->deformed ? "lugre" : t->has_static ? "stribeck" : "coulomb";
  bristle_fault_kind kind = put(t, "friction.model", law);
  if (!kind && !t->has_viscous) kind = put(t, "friction.parameters.sigma2", "0");
  if (!kind && t->deformed && !t->has_damping)
    kind = put_number(t, "friction.parameters.sigma1", 2 * sqrt(t->mu_static / t->deformation / 9.81));
  return kind;
}

/* a stiffness from the deformation, the law, and the inputs that are on */
static bristle_fault_kind finish(translation *t, const bristle_node *map)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  t->name = "fields";
  if (t->deformed && !(t->deformation > 0 && t->mu_static > 0))
    return bristle_node_fault(t->deformed, t->fault, "the stiffness of the contact is mu static / deformation",
                              "it must be above 0, beside a mu static above 0");
  if (t->has_static && !t->transition)
    return bristle_node_fault(map, t->fault, "give it, or leave mu static away",
                              "there is a mu static without a stiction transition velocity");
  if (t->deformed) kind = put_number(t, "friction.parameters.sigma0", t->mu_static / t->deformation);
  if (!kind && !t->has_model) kind = choose_law(t);
  if (!kind && *t->input) {
    char text[sizeof t->input + 12];
    snprintf(text, sizeof text, "inputs=[%s]", t->input);
    kind = bristle_tree_set(t->tree, NULL, text, t->fault);
  }
  return kind;
}

bristle_fault_kind joint_fields(const bristle_document *document, bristle_tree **tree, bristle_fault *fault)
{
  const bristle_node *map = bristle_node_find(bristle_document_root(document), "fields");
  translation t = { .fault = fault };
  bristle_fault_kind kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  if (!kind) kind = bristle_tree_new(document, tree, fault);
  t.tree = *tree;
  for (const bristle_node *node = kind ? NULL : map->child; node && !kind; node = node->next) {
    char name[NAME];
    plain_name(node->key, name);
    t.name = node->key;
    if (is_input(&t, name, node, &kind)) continue;
    const field *f = find_field(name);
    if (f) kind = put_field(&t, f, node);
    else
      kind = bristle_node_fault(node, fault, "docs/joints.md lists the fields; keys of our own stand outside `fields`",
                                "there is no field '%.40s'", node->key);
  }
  return kind ? kind : finish(&t, map);
}
