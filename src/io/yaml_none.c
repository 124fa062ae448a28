/* The reader of YAML in a build without libyaml (BRISTLE_YAML=OFF): it says so. Tables and JSON still work. */
#include "io/document.h"

bristle_fault_kind yaml_read(builder *b, const char *text, size_t size)
{
  (void)text, (void)size;
  fault_set(b->fault, BRISTLE_FAULT_FILE, "use a build with libyaml, or write the file as JSON (name.json)",
            "this build reads no YAML");
  return fault_at(b->fault, bristle_document_name(b->document), 0, 0);
}
