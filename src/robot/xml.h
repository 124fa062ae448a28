/* XML as robots are written in it: elements with attributes; texts between them are passed over. Not installed. */
#ifndef BRISTLE_ROBOT_XML_H
#define BRISTLE_ROBOT_XML_H

#include "io/memory.h"
#include "io/support.h"

typedef struct xml_attribute {
  const char *name, *value;
  struct xml_attribute *next;
} xml_attribute;

typedef struct xml_node {
  const char *name;
  size_t line;
  xml_attribute *attribute;
  struct xml_node *parent, *child, *last, *next;
} xml_node;

typedef struct xml_document {
  const char *file;
  xml_node *root;
  memory *list;
} xml_document;

/* The file's name must live as long as the document. To be closed in any case. */
bristle_fault_kind xml_read(const char *file, xml_document *document, bristle_fault *fault);
bristle_fault_kind xml_parse(const char *file, const char *text, size_t size, xml_document *document,
                             bristle_fault *fault);
void xml_close(xml_document *document);

/* NULL: it has none */
const char *xml_text(const xml_node *node, const char *name);
/* the first child of this name behind `after` (NULL: from the start); NULL: no more */
const xml_node *xml_child(const xml_node *node, const char *name, const xml_node *after);
/* A fault at an element. */
bristle_fault_kind xml_fault(const xml_document *d, const xml_node *node, bristle_fault *fault, const char *hint,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));
/* Exactly `count` numbers of an attribute; left as they are where it is absent. */
bristle_fault_kind xml_numbers(const xml_document *d, const xml_node *node, const char *name, int count, double *to,
                               bristle_fault *fault);

#endif
