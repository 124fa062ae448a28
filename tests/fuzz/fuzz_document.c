/* Any bytes as YAML (or JSON, when they begin so), read as a friction block and value by value. */
#include "lab/io.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_all(const bristle_node *map, int depth)
{
  bristle_fault fault;
  for (const bristle_node *n = map->child; n; n = n->next) {
    const char *text;
    double value;
    int choice;
    if (n->line == 0 || (depth == 0 && !n->key)) abort();
    bristle_node_text(n, &text, &fault);
    bristle_node_number(n, "N/m|N*m/rad", &value, &choice, &fault);
    bristle_node_choice(n, "sum|max", &choice, &fault);
    bristle_node_allow(n, "model|parameters|load", &fault);
    read_all(n, depth + 1);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const bristle_friction_wanted any = { 0, BRISTLE_LINEAR_OR_ROTARY, NULL };
  bristle_document *document;
  bristle_fault fault = { .kind = BRISTLE_FAULT_NONE };
  bristle_friction friction;
  char *text = malloc(size), sentence[1000];
  if (size) memcpy(text, data, size);
  if (bristle_document_parse(size && *data == '{' ? "fuzz.json" : "fuzz.yaml", text, size, &document, &fault)) {
    bristle_fault_text(&fault, sentence, sizeof sentence);
    if (document || !fault.what[0] || strpbrk(sentence, "\n\r")) abort();
  } else {
    const bristle_node *root = bristle_document_root(document), *block = bristle_node_find(root, "friction");
    read_all(root, 0);
    /* no other files: what they hold is not of this run */
    if (block && !bristle_node_find(block, "file") && !bristle_friction_read(block, &any, &friction, &fault)
        && bristle_check(friction.law ? friction.law->f64 : bristle_law_find("lugre")->f64, friction.p, NULL)
        && friction.law)
      abort();
  }
  bristle_document_free(document);
  free(text);
  return 0;
}
