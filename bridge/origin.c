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
  const bristle_node *root;
  if (!bristle_model_document(path, &document, &root, &ignored)) {
    const bristle_node *origin = bristle_node_find(root, "identified");
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

/* ---- what nobody gave ---- */

/* without it the law has the size of an example: a level, a stiffness, a speed of its own */
static int gives_size(const bristle_row *row)
{
  return row->initial[0] != 0
         && (strchr(row->unit, 'N') || row->role == BRISTLE_ROLE_STRIBECK_SPEED
             || row->role == BRISTLE_ROLE_SMOOTHING_SPEED || row->role == BRISTLE_ROLE_LENGTH);
}

/* "fc=2 N,fs=3" names fc and fs */
static int is_set(const char *const *set, const char *name)
{
  const size_t length = strlen(name);
  for (; set && *set; set++)
    for (const char *at = *set; *at; at += strcspn(at, ","), at += *at == ',')
      if (!strncmp(at, name, length) && at[length] == '=') return 1;
  return 0;
}

void bridge_tell_defaults(const bridge_request *q, bridge_result *r)
{
  const bristle_info *info = q->friction->info;
  const bristle_node *given = NULL, *model;
  bristle_document *document = NULL;
  bristle_fault ignored;
  char list[200] = "";
  if (strpbrk(q->model, "./") && !bristle_model_document(q->model, &document, &model, &ignored))
    given = bristle_node_find(model, "parameters");
  for (int k = 0; k < info->param_rows; k++) {
    const char *name = info->param[k].name;
    const size_t used = strlen(list);
    if (!gives_size(&info->param[k]) || is_set(q->set, name) || (given && bristle_node_find(given, name))) continue;
    snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", name);
  }
  bristle_document_free(document);
  if (list[0]) bridge_note(r, "default values used for %s; give them with --set", list);
}
