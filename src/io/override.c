/* Values changed from the command line: the tree of a document is copied, and what is set carries its own place. */
#include "io/memory.h"
#include "io/support.h"

#include "lab/scenario.h"

#include <stdlib.h>

enum { PLACE = EXCERPT + 16, DEEPEST = 30 };

typedef struct small_document {
  bristle_document *document;
  struct small_document *next;
} small_document;

struct bristle_tree {
  bristle_node *root;
  memory *memory;
  small_document *documents; /* one for each value that was set */
};

/* ---- copies ---- */

/* a value with all below it; `from_option` values have no line and column, only the name of their option */
static bristle_node *copy_node(bristle_tree *tree, const bristle_node *from, int from_option)
{
  bristle_node *node = memory_take(&tree->memory, sizeof *node), *last = NULL;
  if (!node) return NULL;
  *node = *from;
  node->child = node->next = NULL;
  if (from_option) node->line = node->column = node->key_line = node->key_column = 0;
  for (const bristle_node *n = from->child; n; n = n->next) {
    bristle_node *child = copy_node(tree, n, from_option);
    if (!child) return NULL;
    if (last) last->next = child;
    else node->child = child;
    last = child;
  }
  return node;
}

bristle_fault_kind bristle_tree_new(const bristle_document *document, bristle_tree **tree, bristle_fault *fault)
{
  bristle_tree *made = calloc(1, sizeof *made);
  *tree = NULL;
  if (made) made->root = copy_node(made, bristle_document_root(document), 0);
  if (!made || !made->root) {
    bristle_tree_free(made);
    return fault_memory(fault);
  }
  *tree = made;
  return BRISTLE_FAULT_NONE;
}

void bristle_tree_free(bristle_tree *tree)
{
  if (!tree) return;
  for (small_document *d = tree->documents; d; d = d->next) bristle_document_free(d->document);
  memory_free(tree->memory);
  free(tree);
}

const bristle_node *bristle_tree_root(const bristle_tree *tree) { return tree->root; }

/* ---- setting ---- */

static char *keep(bristle_tree *tree, const char *text, size_t length)
{
  char *copy = memory_take(&tree->memory, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

static bristle_fault_kind refuse(bristle_fault *fault, const char *place, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  fault_at(fault, place, 0, 0);
  return BRISTLE_FAULT_VALUE;
}

/* the entry of a mapping, made when it is absent */
static bristle_node *entry(bristle_tree *tree, bristle_node *map, const char *key, size_t length,
                           const bristle_document *document)
{
  bristle_node *last = NULL, *made;
  for (const bristle_node *n = map->child; n; n = n->next) {
    last = (bristle_node *)n;
    if (strlen(n->key) == length && !memcmp(n->key, key, length)) return last;
  }
  made = memory_take(&tree->memory, sizeof *made);
  if (!made || !(made->key = keep(tree, key, length))) return NULL;
  made->kind = BRISTLE_NODE_MAP;
  made->document = document;
  map->count++;
  if (last) last->next = made;
  else map->child = made;
  return made;
}

/* the item of a list by its number, from 1; NULL where there is none */
static bristle_node *item(const bristle_node *list, const char *name, size_t length)
{
  char *end;
  const unsigned long number = *name >= '0' && *name <= '9' ? strtoul(name, &end, 10) : 0;
  if (number < 1 || number > list->count || end != name + length) return NULL;
  const bristle_node *n = list->child;
  for (unsigned long i = 1; i < number; i++) n = n->next;
  return (bristle_node *)n;
}

/* walks a.b.c from the root, making mappings on the way; links.2 is the second item of a list */
static bristle_fault_kind find_place(bristle_tree *tree, const char *name, const char *place,
                                     const bristle_document *document, bristle_node **found, bristle_fault *fault)
{
  bristle_node *node = tree->root;
  char shown[EXCERPT];
  for (int depth = 0; *name; depth++) {
    size_t length = strcspn(name, ".");
    if (!length || depth == DEEPEST)
      return refuse(fault, place, "write friction.NAME=VALUE",
                    "found an empty name, expected names with points between");
    if (node->kind == BRISTLE_NODE_LIST) {
      const bristle_node *list = node;
      char key[EXCERPT];
      if (!(node = item(list, name, length)))
        return refuse(fault, place, NULL, "'%s' is no item of the list '%s', expected a number from 1 to %zu",
                      excerpt(name, length, shown), excerpt(list->key, strlen(list->key), key), list->count);
    } else if (node->kind != BRISTLE_NODE_MAP) {
      return refuse(fault, place, NULL, "'%s' holds a value, expected keys below it",
                    excerpt(node->key, strlen(node->key), shown));
    } else if (!(node = entry(tree, node, name, length, document))) {
      return fault_memory(fault);
    }
    name += length;
    if (*name == '.' && !*++name)
      return refuse(fault, place, "write friction.NAME=VALUE", "the name ends with a point");
  }
  *found = node;
  return BRISTLE_FAULT_NONE;
}

/* has another option given this value? */
static int is_given(const bristle_tree *tree, const bristle_node *node, const bristle_document *now)
{
  for (const small_document *d = tree->documents; d; d = d->next)
    if (d->document == node->document && d->document != now) return 1;
  return 0;
}

/* puts the only value of a small document into the tree; `once`: not over that of another option */
static bristle_fault_kind graft(bristle_tree *tree, const char *name, bristle_document *document,
                                const bristle_node *value, int once, bristle_fault *fault)
{
  bristle_node *node = NULL, *copy;
  small_document *holder = memory_take(&tree->memory, sizeof *holder);
  if (!holder) {
    bristle_document_free(document);
    return fault_memory(fault);
  }
  *holder = (small_document){ document, tree->documents };
  tree->documents = holder;
  bristle_fault_kind kind = find_place(tree, name, bristle_document_name(document), document, &node, fault);
  if (kind) return kind;
  if (once && is_given(tree, node, document)) /* of two values one would be lost without a word */
    return refuse(fault, bristle_document_name(document), "give it once", "'%s' is given twice", name);
  if (!(copy = copy_node(tree, value, 1))) return fault_memory(fault);
  copy->key = node->key;
  copy->next = node->next;
  *node = *copy;
  for (const bristle_node *n = node->child; n && node->kind == BRISTLE_NODE_LIST; n = n->next)
    ((bristle_node *)n)->key = node->key;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind put_text(bristle_tree *tree, const char *name, const char *value, const char *place, int once,
                                   bristle_fault *fault)
{
  bristle_document *document;
  bristle_fault_kind kind = bristle_document_parse(place, "value: x\n", 9, &document, fault);
  if (kind) return kind;
  bristle_node node = *bristle_document_root(document)->child;
  node.text = keep(tree, value, strlen(value));
  if (node.text) return graft(tree, name, document, &node, once, fault);
  bristle_document_free(document);
  return fault_memory(fault);
}

bristle_fault_kind bristle_tree_put(bristle_tree *tree, const char *name, const char *value, const char *place,
                                    bristle_fault *fault)
{
  return put_text(tree, name, value, place, 0, fault);
}

bristle_fault_kind tree_put_once(bristle_tree *tree, const char *name, const char *value, const char *place,
                                 bristle_fault *fault)
{
  return put_text(tree, name, value, place, 1, fault);
}

/* a value as YAML has it: 5 s, lugre, [1, 2], {ramp: {rate: 2}} */
static bristle_fault_kind set_one(bristle_tree *tree, const char *name, const char *value, size_t length,
                                  const char *place, bristle_fault *fault)
{
  bristle_document *document;
  char *text = malloc(length + 16), shown[EXCERPT];
  if (!text) return fault_memory(fault);
  int size = sprintf(text, "value: %.*s\n", (int)length, value);
  bristle_fault_kind kind = bristle_document_parse(place, text, (size_t)size, &document, fault);
  free(text);
  if (kind) {
    if (fault) fault->line = fault->column = 0; /* of the text made here, which nobody wrote */
    return kind;
  }
  const bristle_node *root = bristle_document_root(document);
  if (root->count == 1 && !(root->child->kind == BRISTLE_NODE_SCALAR && !root->child->text[0]))
    return graft(tree, name, document, root->child, 1, fault);
  bristle_document_free(document);
  return refuse(fault, place, NULL, "found '%s', expected one value", excerpt(value, length, shown));
}

/* the end of a value: a comma outside of brackets and quotes, or the end of the text */
static size_t value_length(const char *text)
{
  int depth = 0;
  char quote = 0;
  size_t i = 0;
  for (; text[i] && (depth > 0 || quote || text[i] != ','); i++) {
    if (quote) quote = text[i] == quote ? 0 : quote;
    else if (text[i] == '"' || text[i] == '\'') quote = text[i];
    else if (strchr("[{", text[i])) depth++;
    else if (strchr("]}", text[i])) depth--;
  }
  return i;
}

/* friction.sigma0 is friction.parameters.sigma0 */
static char *full_name(bristle_tree *tree, const char *prefix, const char *name, size_t length)
{
  static const char block[] = "friction.";
  size_t start = sizeof block - 1, used = 0;
  int is_short = !prefix && length > start && !memcmp(name, block, start) && !memchr(name + start, '.', length - start)
                 && word_find("model|load|parameters|file", name + start, length - start) < 0;
  if (is_short) prefix = "friction.parameters", name += start, length -= start;
  char *full = memory_take(&tree->memory, (prefix ? strlen(prefix) : 0) + length + 2);
  if (!full) return NULL;
  if (prefix) used = (size_t)sprintf(full, "%s.", prefix);
  memcpy(full + used, name, length);
  return full;
}

bristle_fault_kind bristle_tree_set(bristle_tree *tree, const char *prefix, const char *text, bristle_fault *fault)
{
  do {
    size_t length = value_length(text), name = strcspn(text, "=");
    char place[PLACE], shown[EXCERPT];
    snprintf(place, sizeof place, "option set %s", excerpt(text, length, shown));
    if (name >= length)
      return refuse(fault, place, "write option set time.end=5s,mass=2, with decimal points",
                    "found '%s', expected NAME=VALUE", shown);
    if (name == 0) return refuse(fault, place, "write option set mass=2", "found no name before '='");
    if (name + 1 == length) return refuse(fault, place, "write option set mass=2", "found nothing after '='");
    char *full = full_name(tree, prefix, text, name);
    if (!full) return fault_memory(fault);
    bristle_fault_kind kind = set_one(tree, full, text + name + 1, length - name - 1, place, fault);
    if (kind) return kind;
    text += length;
  } while (*text++ == ',');
  return BRISTLE_FAULT_NONE;
}
