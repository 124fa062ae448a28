/* Friction blocks and model files: a law by name and its parameters by name, with units, checked as a set. */
#include "io/support.h"

#include "bristle/text.h"
#include "lab/units.h"
#include "platform/platform.h"

#include <stdlib.h>

typedef struct block_reader {
  bristle_friction *friction;
  bristle_fault *fault;
  int rotary;                                  /* 0, 1, or BRISTLE_LINEAR_OR_ROTARY while no unit has decided */
  const bristle_node *decided;                 /* the parameter whose unit decided */
  const bristle_node *given[BRISTLE_LAW_SIZE]; /* for each number: where it was written */
} block_reader;

static bristle_fault_kind find_law(const bristle_node *node, int dim, bristle_friction *f, bristle_fault *fault)
{
  const char *name;
  char shown[EXCERPT], hint[200];
  bristle_fault_kind kind = bristle_node_text(node, &name, fault);
  if (kind) return kind;
  f->law = bristle_law_find(name);
  f->vector = bristle_vector_law_find(name);
  if (dim > 1 ? f->vector != NULL : f->law != NULL || (dim == 0 && f->vector)) {
    f->info = f->law ? f->law->f64->info : f->vector->f64[dim > 2]->info;
    if (dim > 1) f->info = f->vector->f64[dim - 2]->info;
    return BRISTLE_FAULT_NONE;
  }
  excerpt(name, strlen(name), shown);
  if (f->law || f->vector) {
    size_t used = (size_t)snprintf(hint, sizeof hint,
                                   f->law ? "laws with a vector form are" : "it exists in the plane and in space");
    for (int i = 0; f->law && i < bristle_vector_law_count() && used < sizeof hint; i++)
      used = text_append(hint, sizeof hint, used, "%s %s", i ? "," : "", bristle_vector_law_at(i)->name);
    return bristle_node_fault(node, fault, hint, "the law '%s' has no %s form, and it is needed here", shown,
                              f->law ? "vector" : "scalar");
  }
  snprintf(hint, sizeof hint, "did you mean '%s'? `bristle models` lists them", bristle_law_nearest(name));
  return bristle_node_fault(node, fault, hint, "there is no law '%s'", shown);
}

/* one number; its unit must agree with those before it on linear or rotary */
static bristle_fault_kind read_value(block_reader *r, const bristle_node *node, const bristle_row *row, int at)
{
  char units[2][48], wanted[100];
  int which = -1;
  for (int i = 0; i < 2; i++) bristle_unit(row, r->friction->load, i, units[i], sizeof units[i]);
  if (r->rotary == BRISTLE_LINEAR_OR_ROTARY && strcmp(units[0], units[1]))
    snprintf(wanted, sizeof wanted, "%s|%s", units[0], units[1]);
  else snprintf(wanted, sizeof wanted, "%s", units[r->rotary == 1]);
  double *p = &r->friction->p[row->first + at];
  bristle_fault_kind kind = bristle_node_number(node, wanted, p, &which, r->fault);
  if (kind == BRISTLE_FAULT_UNIT && r->decided && r->fault)
    snprintf(r->fault->hint, sizeof r->fault->hint, "'%s' on line %zu has made this contact %s", r->decided->key,
             r->decided->line, bristle_rotary_text(r->rotary));
  if (kind) return kind;
  if (which >= 0 && strchr(wanted, '|')) r->rotary = which, r->decided = node;
  r->given[row->first + at] = node;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_row(block_reader *r, const bristle_node *node, const bristle_row *row)
{
  int place = 0;
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (node->kind != BRISTLE_NODE_LIST) return read_value(r, node, row, 0);
  if (row->count == 1) return bristle_node_expect(node, BRISTLE_NODE_SCALAR, r->fault);
  if (node->count > (size_t)row->count)
    return bristle_node_fault(node, r->fault, NULL, "found %zu values, expected at most %d", node->count, row->count);
  for (int i = 0; i < row->count; i++) r->friction->p[row->first + i] = 0; /* a shorter list leaves elements unused */
  for (const bristle_node *n = node->child; n && !kind; n = n->next) kind = read_value(r, n, row, place++);
  for (; place < row->count; place++) r->given[row->first + place] = node;
  return kind;
}

int bristle_friction_skew(bristle_friction *friction)
{
  const bristle_law *law = friction->law && friction->info == friction->law->f64->info
                               ? bristle_law_skewed(friction->law)
                               : NULL;
  if (!law || law->f64->info->nparam > BRISTLE_LAW_SIZE) return 1;
  for (int k = friction->info->nparam; k < law->f64->info->nparam; k++) friction->p[k] = 0;
  friction->law = law, friction->info = law->f64->info, friction->vector = NULL;
  return 0;
}

static bristle_fault_kind read_parameters(block_reader *r, const bristle_node *map)
{
  if (bristle_node_find(map, "level_skew") || bristle_node_find(map, "viscous_skew"))
    bristle_friction_skew(r->friction); /* where it cannot be, they are unknown names below */
  const bristle_info *info = r->friction->info;
  char names[1024] = "";
  size_t used = 0;
  for (int i = 0; i < info->param_rows && used < sizeof names; i++)
    used = text_append(names, sizeof names, used, "%s%s", i ? "|" : "", info->param[i].name);
  bristle_fault_kind kind = bristle_node_allow(map, names, r->fault);
  for (const bristle_node *n = map->child; n && !kind; n = n->next)
    kind = read_row(r, n, bristle_param_find(info, n->key));
  return kind;
}

/* A default is meant for the law's own load form: 1 N is no sensible coefficient. Zero is zero in all of them. */
static int all_zero(const bristle_row *row)
{
  for (int i = 0; i < row->count; i++)
    if (row->initial[i] != 0) return 0;
  return 1;
}

static bristle_fault_kind check_absent(const block_reader *r, const bristle_node *block)
{
  const bristle_friction *f = r->friction;
  for (int i = 0; i < f->info->param_rows; i++) {
    const bristle_row *row = &f->info->param[i];
    char own[48], chosen[48];
    bristle_unit(row, f->info->load, r->rotary == 1, own, sizeof own);
    bristle_unit(row, f->load, r->rotary == 1, chosen, sizeof chosen);
    if (r->given[row->first] || all_zero(row) || !strcmp(own, chosen)) continue;
    char hint[200];
    snprintf(hint, sizeof hint, "give %s in %s: %s", row->name, chosen, row->doc);
    return bristle_node_fault(block, r->fault, hint, "the parameter '%s' has no default in the load form '%s'",
                              row->name, bristle_load_text(f->load));
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind check_set(const block_reader *r, const bristle_node *block)
{
  const bristle_friction *f = r->friction;
  const int dim = f->vector && f->info == f->vector->f64[1]->info ? 3 : 2;
  bristle_error error;
  if (!(f->law ? bristle_check(f->law->f64, f->p, &error)
               : bristle_vector_check(f->vector->f64[dim - 2], f->p, &error)))
    return BRISTLE_FAULT_NONE;
  char text[300];
  bristle_error_text(&error, text, sizeof text);
  const bristle_row *row = bristle_param_find(f->info, error.field);
  const bristle_node *node = row ? r->given[row->first + (error.index > 0 ? error.index : 0)] : NULL;
  char *hint = strchr(text, ';');
  if (hint) *hint = '\0';
  return bristle_node_fault(node ? node : block, r->fault, hint ? hint + 2 : NULL, "%s", text);
}

/* `over` (may be NULL): parameters that replace those of the block */
static bristle_fault_kind read_block(const bristle_node *block, const bristle_node *over,
                                     const bristle_friction_wanted *wanted, bristle_friction *friction,
                                     bristle_fault *fault)
{
  block_reader r = { .friction = friction, .fault = fault, .rotary = wanted->rotary };
  const bristle_node *node;
  int choice = 0;
  bristle_fault_kind kind = bristle_node_need(block, "model", "model: NAME", &node, fault);
  if (!kind) kind = find_law(node, wanted->dim, friction, fault);
  if (kind) return kind;
  if (friction->info->nparam > BRISTLE_LAW_SIZE)
    return bristle_node_fault(node, fault, NULL, "the law has more than %d parameters", BRISTLE_LAW_SIZE);
  friction->load = wanted->load ? *wanted->load : friction->info->load;
  if ((node = bristle_node_find(block, "load"))) {
    if ((kind = bristle_node_choice(node, "force|coefficient|level", &choice, fault))) return kind;
    friction->load = (bristle_load)choice;
  }
  bristle_defaults(friction->info, friction->p);
  if ((node = bristle_node_find(block, "parameters"))) kind = read_parameters(&r, node);
  if (!kind && over) kind = read_parameters(&r, over);
  if (!kind) kind = check_absent(&r, node ? node : block);
  if (!kind) kind = check_set(&r, node ? node : block);
  friction->rotary = r.rotary == 1;
  return kind;
}

bristle_fault_kind friction_parameters(const bristle_node *map, bristle_friction *friction, bristle_fault *fault)
{
  block_reader r = { .friction = friction, .fault = fault, .rotary = friction->rotary };
  bristle_fault_kind kind = read_parameters(&r, map);
  return kind ? kind : check_set(&r, map);
}

char *path_beside(const bristle_node *node, const char *path)
{
  const char *document = bristle_document_name(node->document);
  const size_t folder = platform_is_absolute(path) || !node->line ? 0 : (size_t)(platform_name(document) - document);
  char *joined = malloc(folder + strlen(path) + 1);
  if (!joined) return NULL;
  memcpy(joined, document, folder);
  strcpy(joined + folder, path);
  return joined;
}

/* Mass, offset, gravity and skew of an identified axis: a rig takes over what it can, and the rest is named, so that
   its user can bring it in. */
static void note_beside(const bristle_node *root, bristle_friction *friction)
{
  static const char *const names[BRISTLE_BESIDES] = { "mass", "offset", "gravity", "gravity_cos", "skew" };
  static const char *const units[BRISTLE_BESIDES][2] = {
    { "kg", "kg*m^2" }, { "N", "N*m" }, { "N", "N*m" }, { "N", "N*m" }, { "N*s/m", "N*m*s/rad" }
  };
  const bristle_node *origin = bristle_node_find(root, "identified");
  size_t used = 0;
  if (!origin || origin->kind != BRISTLE_NODE_MAP) return;
  for (int i = 0; i < BRISTLE_BESIDES && used < sizeof friction->beside; i++) {
    const bristle_node *node = bristle_node_find(origin, names[i]);
    const char *unit = units[i][friction->rotary];
    bristle_fault ignored;
    double value;
    if (!node || bristle_node_number(node, unit, &value, NULL, &ignored)) continue;
    friction->found[i] = value;
    used = text_append(friction->beside, sizeof friction->beside, used, "%s%s %.4g %s", used ? ", " : "", names[i],
                       value, unit);
  }
  const bristle_node *load = bristle_node_find(origin, "load_friction");
  bristle_fault ignored;
  double part;
  if (load && !bristle_node_number(load, "1", &part, NULL, &ignored))
    used = text_append(friction->beside, sizeof friction->beside, used, "%slevel that grows by %.4g of the load",
                       used ? ", " : "", part);
  const bristle_node *terms = bristle_node_find(origin, "terms");
  for (const bristle_node *n = terms ? terms->child : NULL; n && used < sizeof friction->beside; n = n->next)
    used = text_append(friction->beside, sizeof friction->beside, used, "%sterm %s", used ? ", " : "", n->key);
  const bristle_node *over = bristle_node_find(origin, "over_position");
  for (const bristle_node *n = over ? over->child : NULL; n && used < sizeof friction->beside; n = n->next)
    used = text_append(friction->beside, sizeof friction->beside, used, "%s%s over the position", used ? ", " : "",
                       n->key);
}

/* a file of its own, with the parameters of `over` (may be NULL) instead of those that it has */
static bristle_fault_kind read_file(const char *path, const bristle_node *over, const bristle_friction_wanted *wanted,
                                    bristle_friction *friction, bristle_fault *fault)
{
  bristle_document *document = NULL;
  double version;
  const bristle_node *model;
  bristle_fault_kind kind = bristle_model_document(path, &document, &model, fault);
  if (kind) return kind;
  const bristle_node *mark = bristle_node_find(bristle_document_root(document), "bristle");
  if (mark && !(kind = bristle_node_number(mark, "1", &version, NULL, fault)) && version != 1)
    kind = bristle_node_fault(mark, fault, "this program is older than the file", "found version %s, expected 1",
                              mark->text);
  if (!kind) kind = read_block(model, over, wanted, friction, fault);
  if (!kind) note_beside(model, friction);
  bristle_document_free(document);
  return kind;
}

static const bristle_friction_wanted any_scalar = { .dim = 1, .rotary = BRISTLE_LINEAR_OR_ROTARY };

bristle_fault_kind bristle_friction_file_read(const char *path, const bristle_friction_wanted *wanted,
                                              bristle_friction *friction, bristle_fault *fault)
{
  memset(friction, 0, sizeof *friction);
  return read_file(path, NULL, wanted ? wanted : &any_scalar, friction, fault);
}

static bristle_fault_kind read_beside(const bristle_node *node, const bristle_node *over,
                                      const bristle_friction_wanted *wanted, bristle_friction *friction,
                                      bristle_fault *fault)
{
  const char *name;
  bristle_fault_kind kind = bristle_node_text(node, &name, fault);
  if (kind) return kind;
  char *path = path_beside(node, name);
  if (!path) return fault_memory(fault);
  kind = read_file(path, over, wanted, friction, fault);
  free(path);
  return kind;
}

bristle_fault_kind bristle_friction_text_read(const char *name, const char *text, size_t size,
                                              const bristle_friction_wanted *wanted, bristle_friction *friction,
                                              bristle_fault *fault)
{
  bristle_document *document;
  bristle_fault_kind kind = bristle_document_parse(name, text, size, &document, fault);
  if (kind) return kind;
  kind = bristle_friction_read(bristle_document_root(document), wanted ? wanted : &any_scalar, friction, fault);
  bristle_document_free(document);
  return kind;
}

bristle_contact bristle_friction_contact(const bristle_friction *friction)
{
  return (bristle_contact){ friction->law, friction->vector, friction->load, friction->p };
}

bristle_fault_kind bristle_friction_read(const bristle_node *block, const bristle_friction_wanted *wanted,
                                         bristle_friction *friction, bristle_fault *fault)
{
  memset(friction, 0, sizeof *friction);
  bristle_fault_kind kind = bristle_node_expect(block, BRISTLE_NODE_MAP, fault);
  const bristle_node *file = kind ? NULL : bristle_node_find(block, "file");
  if (kind) return kind;
  if (file) {
    kind = bristle_node_allow(block, "file|parameters", fault);
    return kind ? kind : read_beside(file, bristle_node_find(block, "parameters"), wanted, friction, fault);
  }
  kind = bristle_node_allow(block, "model|load|parameters|file", fault);
  return kind ? kind : read_block(block, NULL, wanted, friction, fault);
}
