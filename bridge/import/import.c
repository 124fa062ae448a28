/* Friction that other tools know, as model files: BAM parameters, joints of URDF and MuJoCo. */
#include "import/import.h"

#include "parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct found {
  double friction, damping, excess, speed, exponent; /* level, viscous; static level over it, its speed and exponent */
  int rotary, stribeck;
} found;

static bristle_fault_kind at_file(bristle_fault *fault, const char *file)
{
  snprintf(fault->file, sizeof fault->file, "%s", file);
  return fault->kind;
}

static void add_value(buffer *b, const char *name, double value, const char *unit)
{
  char text[BRISTLE_NUMBER_SIZE];
  bristle_number_write(value, text);
  buffer_print(b, "  %s: {value: %s, unit: \"%s\"}\n", name, text, unit);
}

static char *model_text(const found *f)
{
  const char *force = bristle_force_unit(f->rotary);
  buffer b = { 0 };
  buffer_print(&b, "model: %s\nparameters:\n", f->stribeck ? "stribeck" : "coulomb");
  add_value(&b, "fc", f->friction, force);
  if (f->stribeck) {
    add_value(&b, "fs", f->friction + f->excess, force);
    add_value(&b, "vs", f->speed, bristle_speed_unit(f->rotary));
    add_value(&b, "gamma", f->exponent, "1");
  }
  add_value(&b, "sigma2", f->damping, f->rotary ? "N*m*s/rad" : "N*s/m");
  return buffer_take(&b);
}

/* is it a model that this library would read? */
static bristle_fault_kind check_model(const bridge_import *q, const char *text, bristle_fault *fault)
{
  const bristle_friction_wanted wanted = { .dim = 1, .rotary = BRISTLE_LINEAR_OR_ROTARY };
  bristle_friction friction;
  bristle_document *document = NULL;
  bristle_fault_kind kind = bristle_document_parse("(import)", text, strlen(text), &document, fault);
  if (!kind) kind = bristle_friction_read(bristle_document_root(document), &wanted, &friction, fault);
  if (kind) fault->line = 0, at_file(fault, q->file); /* the user has that file, not this text */
  bristle_document_free(document);
  return kind;
}

static bristle_fault_kind write_model(const bridge_import *q, const found *f, bridge_result *r, bristle_fault *fault)
{
  bristle_output *output;
  char *text = model_text(f);
  bristle_fault_kind kind = text ? check_model(q, text, fault)
                                 : bridge_fault(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
  if (!kind) kind = bristle_output_open(q->output, BRISTLE_OUTPUT_DOCUMENT, &output, fault);
  if (!kind) {
    fprintf(bristle_output_stream(output), "bristle: 1\nnote: imported by bristle %s\n%s", q->version, text);
    kind = bristle_output_commit(output, fault);
  }
  if (!kind) snprintf(r->file[r->files++], sizeof r->file[0], "%s", q->output);
  free(text);
  return kind;
}

/* ---- BAM: a flat JSON file ---- */

static bristle_fault_kind bam_number(const bristle_node *root, const char *name, double *value, bristle_fault *fault)
{
  const bristle_node *node = bristle_node_find(root, name);
  return node ? bristle_node_number(node, "1", value, NULL, fault) : BRISTLE_FAULT_NONE;
}

static int is_load(const char *key) { return !strncmp(key, "load_friction", 13); }

static bristle_fault_kind read_bam(const bristle_node *root, found *f, bridge_result *r, bristle_fault *fault)
{
  const bristle_node *node;
  bristle_fault_kind kind = bristle_node_need(root, "friction_base", "friction_base: 0.05", &node, fault);
  f->rotary = 1, f->speed = 0.1, f->exponent = 1;
  if (!kind) kind = bam_number(root, "friction_base", &f->friction, fault);
  if (!kind) kind = bam_number(root, "friction_viscous", &f->damping, fault);
  if (!kind) kind = bam_number(root, "friction_stribeck", &f->excess, fault);
  if (!kind) kind = bam_number(root, "dtheta_stribeck", &f->speed, fault);
  if (!kind) kind = bam_number(root, "alpha", &f->exponent, fault);
  f->stribeck = f->excess > 0;
  for (const bristle_node *n = root->child; n && !kind; n = n->next) {
    double value = 0;
    if (!is_load(n->key) || (kind = bristle_node_number(n, "1", &value, NULL, fault)) || value == 0) continue;
    bridge_lost(r, "%s = %.4g: friction that grows with the torque through the gear; the law `gear` has such a part",
                n->key, value);
  }
  double armature = 0;
  if (!kind && !bam_number(root, "armature", &armature, fault) && armature > 0)
    bridge_lost(r, "armature = %.4g kg m^2: inertia belongs to the host", armature);
  return kind;
}

/* ---- URDF and MuJoCo: joints with attributes ---- */

/* the value of name="..." in an element; NULL when it is not there */
static const char *xml_attribute(const char *element, const char *end, const char *name, char value[64])
{
  const size_t length = strlen(name);
  for (const char *at = element; at + length + 2 < end; at++) {
    if (strncmp(at, name, length) || at[length] != '=' || !strchr(" \t\r\n", at[-1])) continue;
    const char quote = at[length + 1], *from = at + length + 2, *to = memchr(from, quote, (size_t)(end - from));
    if ((quote != '"' && quote != '\'') || !to || to - from > 60) return NULL;
    snprintf(value, 64, "%.*s", (int)(to - from), from);
    return value;
  }
  return NULL;
}

static double xml_number(const char *element, const char *end, const char *name)
{
  char text[64];
  double value = 0;
  if (xml_attribute(element, end, name, text)) bristle_number_read(text, strcspn(text, " "), '.', 0, &value);
  return value;
}

/* the next <joint ...> from here that is no comment; *end is behind its last '>' */
static const char *next_joint(const char *at, const char **end)
{
  for (; *at; at++) {
    if (!strncmp(at, "<!--", 4)) {
      const char *close = strstr(at, "-->");
      if (!close) return NULL;
      at = close + 2;
    } else if (!strncmp(at, "<joint", 6) && strchr(" \t\r\n", at[6])) {
      const char *close = strchr(at, '>'), *whole = close && close[-1] != '/' ? strstr(close, "</joint>") : NULL;
      *end = whole ? whole : close ? close : at + strlen(at);
      return at;
    }
  }
  return NULL;
}

static int says_friction(const char *element, const char *end)
{
  static const char *const names[] = { "damping", "friction", "frictionloss" };
  char value[64];
  for (int i = 0; i < 3; i++)
    if (xml_attribute(element, end, names[i], value)) return 1;
  return 0;
}

/* no joint, too many, or one that says nothing of friction */
static bristle_fault_kind no_joint(const bridge_import *q, const char *text, int joints, int silent, const char *others,
                                   bristle_fault *fault)
{
  if (silent && !joints)
    return bridge_fault(fault, BRISTLE_FAULT_VALUE,
                        strstr(text, "<default") ? "values of <default> are not followed: write them into the joint"
                                                 : "a joint without friction needs no law",
                        "joint '%s' has neither friction nor damping of its own", q->joint);
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, q->joint ? others : "name one: --joint NAME", "found %d joints%s%s",
                      joints, q->joint ? " named " : "", q->joint ? q->joint : "");
}

static bristle_fault_kind read_xml(const bridge_import *q, const char *text, found *f, bridge_result *r,
                                   bristle_fault *fault)
{
  char name[64], type[64], names[200] = "";
  const char *end, *chosen = NULL, *chosen_end = NULL;
  int joints = 0, silent = 0;
  for (const char *at = next_joint(text, &end); at; at = next_joint(end, &end)) {
    const char *shown = xml_attribute(at, end, "name", name);
    const int asked = !q->joint || (shown && !strcmp(shown, q->joint));
    if (!says_friction(at, end)) {
      silent += asked && q->joint;
      continue;
    }
    if (!asked) {
      if (shown) snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.30s", names[0] ? ", " : "", shown);
      continue;
    }
    joints++, chosen = at, chosen_end = end;
  }
  if (joints != 1) return no_joint(q, text, joints, silent, names, fault);
  if (strstr(text, "<default"))
    bridge_lost(r, "values of <default>, which are not followed: only what stands in the joint itself was read");
  xml_attribute(chosen, chosen_end, "type", strcpy(type, "hinge"));
  f->rotary = strcmp(type, "prismatic") && strcmp(type, "slide");
  f->friction = xml_number(chosen, chosen_end, "frictionloss") + xml_number(chosen, chosen_end, "friction");
  f->damping = xml_number(chosen, chosen_end, "damping");
  if (f->friction > 0) return BRISTLE_FAULT_NONE;
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, "a joint without dry friction needs no law",
                      "the joint has no friction");
}

bristle_fault_kind bridge_import_run(const bridge_import *q, bridge_result *r, bristle_fault *fault)
{
  found f = { 0 };
  memset(r, 0, sizeof *r);
  bristle_fault_kind kind = bristle_output_reserve(q->output, BRISTLE_OUTPUT_DOCUMENT, fault);
  if (kind) return kind;
  /* of XML it asks only whether this run may read the file, and whether that ends: devices and pipes do not */
  bristle_document *document = NULL;
  kind = bristle_document_read(q->file, &document, fault);
  if (kind == BRISTLE_FAULT_FILE || kind == BRISTLE_FAULT_MEMORY) return kind;
  char *text = buffer_read(q->file, NULL);
  if (!text) {
    bristle_document_free(document);
    bridge_fault(fault, BRISTLE_FAULT_FILE, "check the name and the folder", "the file cannot be read");
    return at_file(fault, q->file);
  }
  if (text[strspn(text, " \t\r\n\xef\xbb\xbf")] == '<') {
    kind = read_xml(q, text, &f, r, fault);
    if (kind) at_file(fault, q->file);
  } else if (!kind) {
    kind = read_bam(bristle_document_root(document), &f, r, fault);
  }
  bristle_document_free(document);
  free(text);
  if (kind) return kind;
  bridge_lost(
      r,
      "what happens below the level: the file has no stiffness of a bristle; `bristle identify` can find one in a log");
  return write_model(q, &f, r, fault);
}
