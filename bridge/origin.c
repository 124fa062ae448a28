/* Where the parameters of a model come from: what its file says about itself. */
#include "parts.h"

#include <stdlib.h>
#include <string.h>

static void add_list(buffer *b, const char *name, const bristle_node *map, const char *key)
{
  const bristle_node *node = bristle_node_find(map, key);
  if (!node) return;
  if (node->kind == BRISTLE_NODE_SCALAR && node->text) buffer_print(b, "%s: %.300s\n", name, node->text);
  if (node->kind != BRISTLE_NODE_LIST) return;
  for (const bristle_node *n = node->child; n; n = n->next)
    if (n->text) buffer_print(b, "%s: %.300s\n", name, n->text);
}

static void add_rms(buffer *b, const bristle_node *map)
{
  const bristle_node *node = bristle_node_find(map, "rms"), *value = NULL, *unit = NULL;
  if (node && node->kind == BRISTLE_NODE_MAP)
    value = bristle_node_find(node, "value"), unit = bristle_node_find(node, "unit");
  if (value && value->text) buffer_print(b, "Rms residual: %s %s\n", value->text, unit && unit->text ? unit->text : "");
}

char *bridge_origin(const char *path)
{
  bristle_document *document = NULL;
  bristle_fault ignored;
  buffer b = { 0 };
  if (!bristle_document_read(path, &document, &ignored)) {
    const bristle_node *root = bristle_document_root(document), *origin = bristle_node_find(root, "identified");
    add_list(&b, "Name", root, "name");
    add_list(&b, "Note", root, "note");
    if (origin && origin->kind == BRISTLE_NODE_MAP) {
      add_list(&b, "Identified from", origin, "data");
      add_list(&b, "SHA-256", origin, "sha256");
      add_rms(&b, origin);
    }
  }
  bristle_document_free(document);
  return buffer_take(&b);
}
