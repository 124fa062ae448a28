/* A document while it is read: what the readers of YAML and JSON tell the tree. Not installed. */
#ifndef BRISTLE_IO_DOCUMENT_H
#define BRISTLE_IO_DOCUMENT_H

#include "io/support.h"

enum { DEEPEST = 32 };

/* as a person counts, in characters; line 0: no place */
typedef struct place {
  size_t line, column;
} place;

typedef struct builder {
  bristle_document *document;
  bristle_fault *fault;
  bristle_node *stack[DEEPEST], *last[DEEPEST]; /* open collections and their last children */
  int depth;
  const char *key; /* waiting for its value */
  place key_at;
} builder;

/* Refuses the document. Returns the kind of the fault, as all of these do. */
bristle_fault_kind document_refuse(builder *b, place at, const char *hint, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
bristle_fault_kind document_no_memory(builder *b);

bristle_fault_kind document_open(builder *b, bristle_node_kind kind, place at); /* a list or a mapping */
void document_close(builder *b);
/* a value, or a key where one is due */
bristle_fault_kind document_scalar(builder *b, const char *text, size_t length, int quoted, place at);

/* the readers: the text is valid UTF-8 without control characters, and not too long */
bristle_fault_kind yaml_read(builder *b, const char *text, size_t size);
bristle_fault_kind json_read(builder *b, const char *text, size_t size);

#endif
