/* What model files have beside their laws: mass, offset, gravity, skew, and terms of the records' own. */
#include "compare.h"

#include "cli.h"

static bristle_fault_kind read_plain(const bristle_node *origin, compared *m, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (int t = 0; t < BRISTLE_TERM_EXTRA && !kind; t++) {
    const bristle_node *node = bristle_node_find(origin, bristle_term_name(t));
    char units[40];
    snprintf(units, sizeof units, "%s|%s", bristle_term_unit(t, 0), bristle_term_unit(t, 1));
    if (node) kind = bristle_node_number(node, units, &m->model.term[t], NULL, fault);
  }
  return kind;
}

/* what the command line says about a term of this name, or NULL */
static const char *asked_for(const comparison *c, const char *name)
{
  const size_t length = strlen(name);
  for (int k = 0; k < BRISTLE_ASKED && c->asked[k]; k++)
    if (!strncmp(c->asked[k], name, length) && c->asked[k][length] == '=') return c->asked[k] + length + 1;
  return NULL;
}

/* the place of a term among those of all models */
static bristle_fault_kind place_term(comparison *c, const bristle_node *node, const char *times, int *place,
                                     bristle_fault *fault)
{
  char text[sizeof *c->term];
  if (snprintf(text, sizeof text, "%s=%s", node->key, times) >= (int)sizeof text)
    return bristle_node_fault(node, fault, "shorten it, or put a part of it into a column", "the term is too long");
  for (*place = 0; *place < c->terms; ++*place)
    if (!strcmp(c->term[*place], text)) return BRISTLE_FAULT_NONE;
  if (c->terms == BRISTLE_EXTRAS)
    return bristle_node_fault(node, fault, "compare fewer models at a time", "the models have more than %d terms",
                              BRISTLE_EXTRAS);
  memcpy(c->term[c->terms++], text, sizeof text);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_own(const bristle_node *terms, comparison *c, compared *m, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (const bristle_node *node = terms->child; node && !kind; node = node->next) {
    const bristle_node *times = NULL, *value = NULL;
    const char *text = asked_for(c, node->key);
    int place = 0;
    kind = bristle_node_expect(node, BRISTLE_NODE_MAP, fault);
    if (!kind) kind = bristle_node_need(node, "value", "value: 0.5", &value, fault);
    if (!kind && !text) kind = bristle_node_need(node, "times", "times: ddq2", &times, fault);
    if (!kind && !text) kind = bristle_node_text(times, &text, fault);
    if (!kind) kind = place_term(c, node, text, &place, fault);
    if (!kind) kind = bristle_node_number(value, "1", &m->model.term[BRISTLE_TERM_EXTRA + place], NULL, fault);
  }
  return kind;
}

bristle_fault_kind compare_read_terms(const char *path, comparison *c, compared *m, bristle_fault *fault)
{
  bristle_document *document;
  bristle_fault_kind kind = bristle_document_read(path, &document, fault);
  if (kind) return kind;
  const bristle_node *origin = bristle_node_find(bristle_document_root(document), "identified");
  if (origin && origin->kind == BRISTLE_NODE_MAP) {
    const bristle_node *terms = bristle_node_find(origin, "terms");
    kind = read_plain(origin, m, fault);
    if (!kind && terms) kind = bristle_node_expect(terms, BRISTLE_NODE_MAP, fault);
    if (!kind && terms) kind = read_own(terms, c, m, fault);
  }
  bristle_document_free(document);
  return kind;
}
