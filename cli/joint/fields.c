/* Fields of a joint as Adams and MotionSolve call them, turned into the keys of a joint file. The mapping is that of
 * docs/joints.md. */
#include "fields.h"

#include "io/support.h"
#include "maths/elementary.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* what a field becomes: a parameter, another key with the value as it stands, or something that has to be computed */
typedef enum field_kind {
  FIELD_PARAMETER,
  FIELD_COPY,
  FIELD_WORDS,
  FIELD_TRANSITION,  /* where the transition begins, in the stick-slip formulation of Adams */
  FIELD_END_FACTOR,  /* and where it ends, as a multiple of that */
  FIELD_DEFORMATION, /* the travel before the contact slides */
  FIELD_MODEL,
  FIELD_INPUTS,
  FIELD_LABEL /* of their model: nothing here depends on it */
} field_kind;

/* the parameters that fields speak about */
enum { FC, FS, VS, SIGMA0, SIGMA1, SIGMA2, PARAMETERS };
static const char *const parameter_names[PARAMETERS] = { "fc", "fs", "vs", "sigma0", "sigma1", "sigma2" };

typedef struct field {
  const char *names; /* in lower case, with one blank between words; others that mean the same after | */
  const char *key, *unit;
  field_kind kind;
  int parameter;
} field;

static const field fields[] = {
  { "mu static|static friction coefficient", NULL, "1", FIELD_PARAMETER, FS },
  { "mu dynamic|dynamic friction coefficient", NULL, "1", FIELD_PARAMETER, FC },
  { "stiction trans vel|transition velocity|transition vel", NULL, "m/s", FIELD_PARAMETER, VS },
  { "stiction transition velocity", NULL, "m/s", FIELD_TRANSITION, VS },
  { "transition velocity coefficient", NULL, "1", FIELD_END_FACTOR, VS },
  { "bristle stiffness|bristle stiffness coefficient", NULL, "1/m", FIELD_PARAMETER, SIGMA0 },
  { "maximum stiction deformation|max stiction deformation|max stiction deform|maximum deformation|max deformation",
    NULL, "m", FIELD_DEFORMATION, SIGMA0 },
  { "bristle damping|damping effects|damping coefficient", NULL, "s/m", FIELD_PARAMETER, SIGMA1 },
  { "viscous coefficient|viscous|viscous effects|viscous friction coefficient|slip damping", NULL, "s/m",
    FIELD_PARAMETER, SIGMA2 },
  { "pin radius", "geometry.pin_radius", "m", FIELD_COPY, 0 },
  { "friction arm", "geometry.friction_arm", "m", FIELD_COPY, 0 },
  { "bending reaction arm|bending arm", "geometry.bending_arm", "m", FIELD_COPY, 0 },
  { "reaction arm", "geometry.reaction_arm", "m", FIELD_COPY, 0 },
  { "initial overlap", "geometry.overlap", "m", FIELD_COPY, 0 },
  { "overlap|overlap delta", "geometry.overlap_rule", "constant=constant|increase=grows|decrease=shrinks", FIELD_WORDS,
    0 },
  { "ball radius", "geometry.ball_radius", "m", FIELD_COPY, 0 },
  { "friction force preload|force preload", "preload.force", "N", FIELD_COPY, 0 },
  { "friction torque preload|torque preload", "preload.torque", "N*m", FIELD_COPY, 0 },
  { "effect|effects", "effect", "all=all|stiction and sliding=all|sliding=sliding", FIELD_WORDS, 0 },
  { "inactive during static", "statics", "true=off|yes=off|on=off|false=bounded|no=bounded|off=bounded", FIELD_WORDS,
    0 },
  { "inactive", "statics", "static=off|none=bounded", FIELD_WORDS, 0 },
  { "analysis modes", "statics", "dynamics only=off|statics and dynamics=bounded", FIELD_WORDS, 0 },
  { "inputs", NULL, NULL, FIELD_INPUTS, 0 },
  { "model|friction model", NULL, NULL, FIELD_MODEL, 0 },
  { "id|label|joint id|joint|joint name|friction name|adams id|formulation", NULL, NULL, FIELD_LABEL, 0 },
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
  joint_notes *notes;
  const char *name;   /* of the field at work */
  const char *length; /* the unit of lengths in numbers without one; NULL: metres */
  char model[NAME];   /* chosen by a field */
  int input[INPUTS], inputs_given;
  double value[PARAMETERS], deformation, end_factor;
  const bristle_node *given[PARAMETERS], *deformed;
  int is_transition; /* the value of VS is the beginning of a transition */
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

/* A quantity in SI. A number without a unit has the lengths of the file's `units`: "1/m" is read as "1/mm" then. */
static bristle_fault_kind read_value(const translation *t, const field *f, const bristle_node *node, double *value)
{
  char text[2 * NAME];
  int which = -1;
  bristle_fault_kind kind = bristle_node_number(node, f->unit, value, &which, t->fault);
  if (kind || which >= 0 || !t->length || !node->text) return kind;
  snprintf(text, sizeof text, "%.60s ", node->text);
  for (const char *c = f->unit; *c; c++) {
    const char one[2] = { *c, '\0' };
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s", *c == 'm' ? t->length : one);
  }
  return bristle_quantity_read(text, strlen(text), f->unit, value, NULL, t->fault);
}

/* MotionSolve's four bits "1100", or Adams' list "PRELOAD, REACTION_FORCE", "ALL", "NONE" */
static bristle_fault_kind read_inputs(translation *t, const bristle_node *node)
{
  const char *at = node->text ? node->text : "";
  t->inputs_given = 1;
  if (strlen(at) == INPUTS && strspn(at, "01") == INPUTS) {
    for (int i = 0; i < INPUTS; i++) t->input[i] = at[i] == '1';
    return BRISTLE_FAULT_NONE;
  }
  while (*(at += strspn(at, " ,:()"))) {
    char word[NAME], name[NAME];
    int found = 0;
    const int length = (int)strcspn(at, ",:()");
    snprintf(word, sizeof word, "%.*s", length, at);
    plain_name(word, name);
    for (size_t end = strlen(name); end && name[end - 1] == ' ';) name[--end] = '\0';
    for (int i = 0; i < INPUTS; i++)
      if (!strcmp(name, inputs[i][0]) || !strcmp(name, "all")) t->input[i] = found = 1;
    if (!found && strcmp(name, "none"))
      return bristle_node_fault(node, t->fault,
                                "write four bits, 1100, or preload, reaction force, bending moment, "
                                "torsional moment, all or none",
                                "there is no input '%.40s'", word);
    at += length;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind put_field(translation *t, const field *f, const bristle_node *node)
{
  double value = 0;
  bristle_fault_kind kind;
  if (f->kind == FIELD_LABEL) return BRISTLE_FAULT_NONE;
  if (f->kind == FIELD_WORDS) return put_word(t, f, node);
  if (f->kind == FIELD_INPUTS) return read_inputs(t, node);
  if (f->kind == FIELD_MODEL) {
    plain_name(node->text ? node->text : "", t->model);
    for (char *c = t->model; *c; c++)
      if (*c == ' ') *c = '_';
    return BRISTLE_FAULT_NONE;
  }
  if ((kind = read_value(t, f, node, &value))) return kind;
  if (f->kind == FIELD_COPY) return put_number(t, f->key, value);
  if (f->kind == FIELD_DEFORMATION) t->deformation = value, t->deformed = node;
  else if (f->kind == FIELD_END_FACTOR) t->end_factor = value;
  else if (t->given[f->parameter])
    return bristle_node_fault(node, t->fault, "leave one of them away", "'%.40s' says the same",
                              t->given[f->parameter]->key);
  else t->value[f->parameter] = value, t->given[f->parameter] = node, t->is_transition |= f->kind == FIELD_TRANSITION;
  return BRISTLE_FAULT_NONE;
}

/* REACTION_FORCE: on */
static int is_input(translation *t, const char *name, const bristle_node *node, bristle_fault_kind *kind)
{
  for (size_t i = 0; i < INPUTS; i++) {
    if (strcmp(name, inputs[i][0])) continue;
    char word[NAME];
    plain_name(node->text ? node->text : "", word);
    t->input[i] = is_one_of(word, "on|true|yes|1");
    t->inputs_given |= t->input[i];
    if (!t->input[i] && !is_one_of(word, "off|false|no|0"))
      *kind = bristle_node_fault(node, t->fault, NULL, "found '%.40s', expected on or off",
                                 node->text ? node->text : "");
    return 1;
  }
  return 0;
}

/* Their values become the law's: a stiffness from the deformation, and the speed of the Stribeck curve from the end of
   a transition, where the drop is 98 % over at twice that speed. MotionSolve's speed is that of the curve already. */
static bristle_fault_kind convert(translation *t, const bristle_node *map)
{
  if (t->given[FS] && !t->given[VS])
    return bristle_node_fault(map, t->fault, "give it, or leave mu static away",
                              "there is a mu static without a stiction transition velocity");
  if (t->is_transition) t->value[VS] *= 0.5 * t->end_factor;
  if (!t->deformed) return BRISTLE_FAULT_NONE;
  if (t->given[SIGMA0]) {
    snprintf(joint_note(t->notes), sizeof *t->notes->text,
             "'%.40s' is not used: '%.40s' says how stiff the contact is, and it bends by %.3g m", t->deformed->key,
             t->given[SIGMA0]->key, t->value[t->given[FS] ? FS : FC] / t->value[SIGMA0]);
    return BRISTLE_FAULT_NONE;
  }
  if (!(t->deformation > 0 && t->value[FS] > 0))
    return bristle_node_fault(t->deformed, t->fault, "the stiffness of the contact is mu static / deformation",
                              "it must be above 0, beside a mu static above 0");
  t->value[SIGMA0] = t->value[FS] / t->deformation;
  t->given[SIGMA0] = t->deformed;
  return BRISTLE_FAULT_NONE;
}

/* The simplest law that has all that was given. Their lists have no viscous friction, which is then none, and Adams' no
   damping of the bristle: that is critical for a body under its own weight. */
static bristle_fault_kind choose_law(translation *t)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  const int bristles = t->given[SIGMA0] != NULL;
  snprintf(t->model, sizeof t->model, "%s", bristles ? "lugre" : t->given[FS] ? "stribeck" : "coulomb");
  if (bristles && !t->given[FS]) snprintf(t->model, sizeof t->model, "dahl");
  if (!t->given[SIGMA2]) kind = put(t, "friction.parameters.sigma2", "0");
  if (!kind && bristles && t->given[FS] && !t->given[SIGMA1]) {
    kind = put_number(t, "friction.parameters.sigma1", 2 * sqrt(t->value[SIGMA0] / 9.81));
    snprintf(
        joint_note(t->notes), sizeof *t->notes->text,
        "the damping of the bristle is not among the fields: it is critical for a body under its own weight. While "
        "there are no measurements, Altair's page advises Dahl, which has none: model: Dahl");
  }
  return kind;
}

/* those parameters that the law has; the others are named */
static bristle_fault_kind put_parameters(translation *t)
{
  const bristle_law *law = bristle_law_find(t->model);
  bristle_fault_kind kind = put(t, "friction.model", t->model);
  char unused[200] = "";
  for (int i = 0; i < PARAMETERS && !kind; i++) {
    char key[NAME];
    if (!t->given[i]) continue;
    snprintf(key, sizeof key, "friction.parameters.%s", parameter_names[i]);
    t->name = t->given[i]->key;
    if (!law || bristle_param_find(law->f64->info, parameter_names[i])) kind = put_number(t, key, t->value[i]);
    else snprintf(unused + strlen(unused), sizeof unused - strlen(unused), "%s'%.40s'", *unused ? ", " : "", t->name);
  }
  if (*unused && !kind)
    snprintf(joint_note(t->notes), sizeof *t->notes->text, "the law %s has nothing like %s: not used", t->model,
             unused);
  return kind;
}

static bristle_fault_kind put_inputs(translation *t)
{
  char text[INPUTS * 12 + 12] = "inputs=[";
  int on = 0;
  for (int i = 0; i < INPUTS; i++)
    if (t->input[i]) snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", on++ ? ", " : "", inputs[i][1]);
  snprintf(text + strlen(text), sizeof text - strlen(text), "]");
  return t->inputs_given && on < INPUTS ? bristle_tree_set(t->tree, NULL, text, t->fault) : BRISTLE_FAULT_NONE;
}

static bristle_fault_kind translate(translation *t, const bristle_node *map)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (const bristle_node *node = map->child; node && !kind; node = node->next) {
    char name[NAME];
    plain_name(node->key, name);
    t->name = node->key;
    if (is_input(t, name, node, &kind)) continue;
    const field *f = find_field(name);
    if (f) kind = put_field(t, f, node);
    else
      kind = bristle_node_fault(node, t->fault,
                                "docs/joints.md lists the fields; keys of our own stand outside `fields`",
                                "there is no field '%.40s'", node->key);
  }
  t->name = "fields";
  if (!kind) kind = convert(t, map);
  if (!kind && !*t->model) kind = choose_law(t);
  if (!kind) kind = put_parameters(t);
  return kind ? kind : put_inputs(t);
}

/* the unit of lengths in numbers without one */
static bristle_fault_kind read_units(translation *t, const bristle_node *root)
{
  static const char *const lengths[] = { NULL, "mm", "cm" };
  const bristle_node *units = bristle_node_find(root, "units");
  int choice = 0;
  bristle_fault_kind kind = units ? bristle_node_choice(units, "m|mm|cm", &choice, t->fault) : BRISTLE_FAULT_NONE;
  t->length = lengths[choice];
  return kind;
}

char *joint_note(joint_notes *notes)
{
  notes->count += notes->count < JOINT_NOTES;
  return notes->text[notes->count - 1];
}

bristle_fault_kind joint_fields(const bristle_document *document, bristle_tree **tree, joint_notes *notes,
                                bristle_fault *fault)
{
  const bristle_node *root = bristle_document_root(document), *map = bristle_node_find(root, "fields");
  /* 1.5: the stick-slip formulation of Adams where the file says nothing else */
  translation t = { .fault = fault, .notes = notes, .end_factor = 1.5 };
  bristle_document *pasted = NULL;
  bristle_fault_kind kind = read_units(&t, root);
  if (!kind && map->kind == BRISTLE_NODE_SCALAR && !(kind = joint_pasted(map, &pasted, fault)))
    map = bristle_document_root(pasted);
  if (!kind) kind = bristle_node_expect(map, BRISTLE_NODE_MAP, fault);
  if (!kind) kind = bristle_tree_new(document, tree, fault);
  t.tree = *tree;
  if (!kind) kind = translate(&t, map);
  bristle_document_free(pasted);
  return kind;
}
