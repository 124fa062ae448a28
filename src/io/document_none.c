/* The reader of YAML and JSON in a build without libfyaml (BRISTLE_YAML=OFF): it says so. Tables still work. */
#include "io/support.h"

bristle_fault_kind bristle_document_parse(const char *name, const char *text, size_t size, bristle_document **document,
                                          bristle_fault *fault)
{
  (void)text, (void)size;
  *document = NULL;
  fault_set(fault, BRISTLE_FAULT_FILE, "use a build with libfyaml", "this build reads no YAML or JSON");
  return fault_at(fault, name, 0, 0);
}

bristle_fault_kind bristle_document_read(const char *path, bristle_document **document, bristle_fault *fault)
{
  return bristle_document_parse(path, "", 0, document, fault);
}

void bristle_document_free(bristle_document *document) { (void)document; }
const bristle_node *bristle_document_root(const bristle_document *document) { return (void)document, NULL; }
const char *bristle_document_name(const bristle_document *document) { return (void)document, ""; }
