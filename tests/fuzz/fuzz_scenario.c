/* Any bytes as a scenario: the first line as options of --set, the rest as the file. */
#include "lab/scenario.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* no other files: what they hold is not of this run */
static int names_a_file(const bristle_node *node)
{
  for (const bristle_node *n = node->child; n; n = n->next)
    if ((n->key && !strcmp(n->key, "file")) || names_a_file(n)) return 1;
  return 0;
}

static void check_program(const bristle_program *p)
{
  for (double t = 0; t < 8; t += 0.7) {
    const bristle_piece piece = bristle_program_piece(p, t);
    if (piece.begin > t || piece.end < t || isnan(bristle_program_value(p, &piece, t, NULL))) abort();
  }
}

static void check_scenario(const bristle_scenario *s)
{
  if (!(s->options.end > 0) || !s->friction.info || !s->rig_name) abort();
  if (s->rig.kind == BRISTLE_RIG_AXIS) {
    const bristle_axis *a = &s->rig.as.axis;
    if (!(a->mass > 0) || !a->contact.law || a->contact.p != s->friction.p) abort();
    check_program(&a->force);
    check_program(&a->anchor);
    check_program(&a->target);
    check_program(&a->base);
    check_program(&a->load);
  } else if (s->rig.kind == BRISTLE_RIG_DRIVEN) {
    check_program(&s->rig.as.driven.motion);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
  const size_t length = line ? (size_t)(line - data) : 0, start = line ? length + 1 : 0;
  char *options = calloc(1, length + 1), *text = malloc(size - start + 1), sentence[1000];
  bristle_document *document = NULL;
  bristle_tree *tree = NULL;
  bristle_scenario *scenario = NULL;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  if (length) memcpy(options, data, length);
  if (size > start) memcpy(text, data + start, size - start);
  bristle_fault_kind kind = bristle_document_parse("fuzz.yaml", text, size - start, &document, &fault);
  if (!kind) kind = bristle_tree_new(document, &tree, &fault);
  if (!kind && options[0]) kind = bristle_tree_set(tree, NULL, options, &fault);
  if (!kind && !names_a_file(bristle_tree_root(tree))) {
    kind = bristle_scenario_read(bristle_tree_root(tree), &scenario, &fault);
    if (!kind != (scenario != NULL)) abort();
    if (scenario) check_scenario(scenario);
  }
  bristle_fault_text(&fault, sentence, sizeof sentence);
  if (kind && (kind != fault.kind || !fault.what[0] || strpbrk(sentence, "\n\r"))) abort();
  bristle_scenario_free(scenario);
  bristle_tree_free(tree);
  bristle_document_free(document);
  free(options);
  free(text);
  return 0;
}
