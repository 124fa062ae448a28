/* What model files have beside their laws: mass, offset, gravity, skew, and terms of the records' own. */
#include "compare.h"

#include "common/cli.h"

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
    return bristle_node_fault(node, fault, "shorten it, or store part of it in a column of the log",
                              "the term is too long");
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

/* as many numbers as there are knots */
static bristle_fault_kind read_knots(const bristle_node *node, const char *key, const char *meaning, int *knots,
                                     double *to, bristle_fault *fault)
{
  const bristle_node *list = NULL;
  bristle_fault_kind kind = bristle_node_need(node, key, meaning, &list, fault);
  if (!kind) kind = bristle_node_expect(list, BRISTLE_NODE_LIST, fault);
  if (!kind && (list->count < 2 || list->count > BRISTLE_KNOTS || (*knots && (int)list->count != *knots)))
    kind = bristle_node_fault(list, fault, "", "found %zu knots, expected %d%s", list->count,
                              *knots ? *knots : BRISTLE_KNOTS, *knots ? "" : " at most and 2 at least");
  *knots = kind ? 0 : (int)list->count;
  for (const bristle_node *n = kind ? NULL : list->child; n && !kind; n = n->next)
    kind = bristle_node_number(n, "1", to++, NULL, fault);
  return kind;
}

static bristle_fault_kind read_over(const bristle_node *over, compared *m, bristle_fault *fault)
{
  static const char *const names[BRISTLE_OVERS] = { "friction", "force" };
  bristle_fault_kind kind = bristle_node_allow(over, "friction|force", fault);
  for (int k = 0; k < BRISTLE_OVERS && !kind; k++) {
    const bristle_node *node = bristle_node_find(over, names[k]), *first = NULL, *length = NULL, *periodic = NULL;
    double value[BRISTLE_KNOTS];
    bristle_places *p = &m->model.over[k];
    if (!node) continue;
    kind = bristle_node_expect(node, BRISTLE_NODE_MAP, fault);
    if (!kind) kind = bristle_node_need(node, "first", "first: 0", &first, fault);
    if (!kind) kind = bristle_node_need(node, "length", "length: 0.02", &length, fault);
    if (!kind) kind = bristle_node_need(node, "periodic", "periodic: true", &periodic, fault);
    if (!kind) kind = bristle_node_number(first, "1", &p->low, NULL, fault);
    if (!kind) kind = bristle_node_number(length, "1", &p->length, NULL, fault);
    if (!kind && !(p->length > 0))
      kind = bristle_node_fault(length, fault, "", "found %g, expected more than 0", p->length);
    if (!kind) kind = bristle_node_flag(periodic, &p->periodic, fault);
    if (!kind) kind = read_knots(node, "values", "values: [1, -1]", &p->knots, value, fault);
    if (!kind) kind = read_knots(node, "shares", "shares: [0.5, 0.5]", &p->knots, p->share, fault);
    for (int j = 0; j < p->knots && !kind; j++)
      if (!(p->share[j] > 0))
        kind = bristle_node_fault(node, fault, "", "found a share of %g, expected more than 0", p->share[j]);
    if (!kind)
      memcpy(m->model.term + (k ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT), value,
             sizeof *value * (size_t)(p->knots - 1));
  }
  return kind;
}

bristle_fault_kind compare_read_terms(const char *path, comparison *c, compared *m, bristle_fault *fault)
{
  bristle_document *document;
  const bristle_node *model;
  bristle_fault_kind kind = bristle_model_document(path, &document, &model, fault);
  if (kind) return kind;
  const bristle_node *origin = bristle_node_find(model, "identified");
  if (origin && origin->kind == BRISTLE_NODE_MAP) {
    const bristle_node *terms = bristle_node_find(origin, "terms");
    kind = read_plain(origin, m, fault);
    if (!kind && terms) kind = bristle_node_expect(terms, BRISTLE_NODE_MAP, fault);
    if (!kind && terms) kind = read_own(terms, c, m, fault);
    const bristle_node *over = bristle_node_find(origin, "over_position");
    if (!kind && over) kind = bristle_node_expect(over, BRISTLE_NODE_MAP, fault);
    if (!kind && over) kind = read_over(over, m, fault);
  }
  bristle_document_free(document);
  return kind;
}
