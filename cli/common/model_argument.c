/* A law as people name it on the command line. */
#include "model_argument.h"

#include "lab/scenario.h"
#include "cli.h"

/* stands for the file that a verb without scenario has not */
static const char empty_text[] = "friction: {}\n", empty_name[] = "(command line)";

int model_argument_is_file(const char *model) { return strpbrk(model, "./") != NULL; }

bristle_fault_kind model_argument_read(const char *model, const char *const *set, bristle_friction *friction,
                                       bristle_fault *fault)
{
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  const char *key = model_argument_is_file(model) ? "friction.file" : "friction.model";
  const bristle_friction_wanted wanted = { .dim = 1, .rotary = BRISTLE_LINEAR_OR_ROTARY };
  bristle_fault_kind kind = bristle_document_parse(empty_name, empty_text, sizeof empty_text - 1, &document, fault);
  if (!kind) kind = bristle_tree_new(document, &tree, fault);
  if (!kind) kind = bristle_tree_put(tree, key, model, model, fault);
  for (; set && *set && !kind; set++) kind = bristle_tree_set(tree, "friction.parameters", *set, fault);
  if (!kind)
    kind = bristle_friction_read(bristle_node_find(bristle_tree_root(tree), "friction"), &wanted, friction, fault);
  if (kind && !strcmp(fault->file, empty_name)) fault->file[0] = '\0', fault->line = 0;
  bristle_tree_free(tree);
  bristle_document_free(document);
  return kind;
}

/* ---- loads ---- */

const char model_load_note[] =
    "the load has no effect: the load form of this friction is 'force'. friction: {load: coefficient} multiplies the "
    "law by it, {load: level} its parameters in N";

/* the force after some travel under a load: a gear's losses follow it in every load form */
static double force_under(const bristle_friction *f, double load)
{
  double z[BRISTLE_LAW_SIZE] = { 0 };
  const bristle_input in = { .v = 1, .n = load, .h = 1, .load = f->load };
  return f->law->f64->step(f->p, z, &in, NULL);
}

int model_ignores_load(const bristle_friction *f)
{
  return f->load == BRISTLE_LOAD_FORCE && f->law && force_under(f, 1) == force_under(f, 2);
}
