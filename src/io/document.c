/* YAML and JSON to a tree of plain nodes. yaml.c and json.c read the text; everything that files of this library do not
 * need (aliases, tags, several documents, keys that are no text) is refused, so that one file has one meaning. */
#include "io/document.h"

#include <stdlib.h>

enum { MOST_KEYS = 4096, LARGEST = 16 << 20, BLOCK = 1 << 14 };
static const place nowhere = { 0, 0 };

typedef struct block {
  struct block *next;
  size_t used, size;
} block;

struct bristle_document {
  char *name;
  const bristle_node *root;
  block *blocks; /* holds all nodes and texts */
};

static void *take(bristle_document *d, size_t size)
{
  size = (size + 15) & ~(size_t)15;
  if (!d->blocks || d->blocks->size - d->blocks->used < size) {
    size_t most = size > BLOCK ? size : BLOCK;
    block *b = malloc(sizeof *b + 16 + most);
    if (!b) return NULL;
    *b = (block){ d->blocks, 0, most };
    d->blocks = b;
  }
  char *start = (char *)(((uintptr_t)(d->blocks + 1) + 15) & ~(uintptr_t)15);
  void *room = start + d->blocks->used;
  d->blocks->used += size;
  return room;
}

static const char *keep(bristle_document *d, const char *text, size_t length)
{
  char *copy = take(d, length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

bristle_fault_kind document_refuse(builder *b, place at, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(b->fault, BRISTLE_FAULT_SYNTAX, hint, format, args);
  va_end(args);
  return fault_at(b->fault, b->document->name, at.line, at.column);
}

bristle_fault_kind document_no_memory(builder *b)
{
  fault_set(b->fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the document");
  return fault_at(b->fault, b->document->name, 0, 0);
}

/* ---- the tree ---- */

static bristle_fault_kind take_key(builder *b, const char *text, size_t length, place at)
{
  const bristle_node *map = b->stack[b->depth - 1];
  char shown[EXCERPT];
  if (memchr(text, 0, length)) return document_refuse(b, at, NULL, "found a key with a NUL in it, expected text");
  if (map->count >= MOST_KEYS) return document_refuse(b, at, NULL, "expected at most %d keys", MOST_KEYS);
  for (const bristle_node *n = map->child; n; n = n->next)
    if (strlen(n->key) == length && !memcmp(n->key, text, length))
      return document_refuse(b, at, "delete one of the two", "found the key '%s' again, it is already on line %zu",
                             excerpt(text, length, shown), n->key_line);
  b->key = keep(b->document, text, length);
  b->key_at = at;
  return b->key ? BRISTLE_FAULT_NONE : document_no_memory(b);
}

/* a new value: below the key that waits for it, at the end of a list, or as the root */
static bristle_fault_kind add_node(builder *b, bristle_node_kind kind, place at, bristle_node **made)
{
  bristle_node *node = take(b->document, sizeof *node);
  if (!node) return document_no_memory(b);
  *node = (bristle_node){ .kind = kind, .line = at.line, .column = at.column, .document = b->document };
  *made = node;
  if (b->depth == 0) {
    if (b->document->root) return document_refuse(b, at, "split the file", "found a second document, expected one");
    b->document->root = node;
    return BRISTLE_FAULT_NONE;
  }
  bristle_node *parent = b->stack[b->depth - 1];
  node->key = parent->kind == BRISTLE_NODE_MAP ? b->key : parent->key;
  node->key_line = parent->kind == BRISTLE_NODE_MAP ? b->key_at.line : node->line;
  node->key_column = parent->kind == BRISTLE_NODE_MAP ? b->key_at.column : node->column;
  b->key = NULL;
  parent->count++;
  if (b->last[b->depth - 1]) b->last[b->depth - 1]->next = node;
  else parent->child = node;
  b->last[b->depth - 1] = node;
  return BRISTLE_FAULT_NONE;
}

static int wants_key(const builder *b)
{
  return b->depth && b->stack[b->depth - 1]->kind == BRISTLE_NODE_MAP && !b->key;
}

bristle_fault_kind document_open(builder *b, bristle_node_kind kind, place at)
{
  bristle_node *node = NULL;
  if (wants_key(b))
    return document_refuse(b, at, "write key: value", "found a list or mapping as a key, expected text");
  if (b->depth == DEEPEST) return document_refuse(b, at, NULL, "found more than %d levels, expected fewer", DEEPEST);
  bristle_fault_kind fault = add_node(b, kind, at, &node);
  if (fault) return fault;
  b->stack[b->depth] = node;
  b->last[b->depth++] = NULL;
  return BRISTLE_FAULT_NONE;
}

void document_close(builder *b) { b->depth--; }

bristle_fault_kind document_scalar(builder *b, const char *text, size_t length, int quoted, place at)
{
  bristle_node *node = NULL;
  if (wants_key(b)) return take_key(b, text, length, at);
  bristle_fault_kind kind = add_node(b, BRISTLE_NODE_SCALAR, at, &node);
  if (kind) return kind;
  if (memchr(text, 0, length)) return document_refuse(b, at, NULL, "found text with a NUL in it, expected plain text");
  node->text = keep(b->document, text, length);
  node->quoted = quoted;
  return node->text ? BRISTLE_FAULT_NONE : document_no_memory(b);
}

/* ---- the text ---- */

/* Length of the UTF-8 character at p, 0 if there is none that a document may hold. U+2028 and U+2029 end a line in
   YAML 1.1 and do not in YAML 1.2 and JSON: a text with them has two meanings. */
static size_t character(const unsigned char *p, size_t left)
{
  if (*p < 0x80) return (*p >= 0x20 && *p != 0x7f) || *p == '\t' || *p == '\n' || *p == '\r';
  size_t length = *p >= 0xc2 && *p < 0xe0 ? 2 : *p >= 0xe0 && *p < 0xf0 ? 3 : *p >= 0xf0 && *p < 0xf5 ? 4 : 0;
  if (!length || length > left) return 0;
  unsigned long code = *p & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    if ((p[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (p[i] & 0x3fu);
  }
  int shortest = code >= (length == 2 ? 0x80u : length == 3 ? 0x800u : 0x10000u) && code < 0x110000;
  int printable = code >= 0xa0 && !(code >= 0xd800 && code < 0xe000) && code != 0xfffe && code != 0xffff
                  && code != 0xfeff && code != 0x2028 && code != 0x2029;
  return shortest && printable ? length : 0;
}

/* Only text that a person wrote reaches the readers: bytes are the same fault in both formats, and a directive changes
   what the rest of a YAML text means. */
static bristle_fault_kind check_bytes(builder *b, const char *text, size_t size, int json)
{
  place at = { 1, 1 };
  if (size > LARGEST)
    return document_refuse(b, nowhere, "put long tables into a CSV file",
                           "found more than %d MB, expected a short text", LARGEST >> 20);
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    size_t length = character((const unsigned char *)text + i, size - i);
    if (!length) return document_refuse(b, at, "save it as UTF-8 text", "found the byte 0x%02x, expected text", c);
    if (c == '%' && at.column == 1 && !json)
      return document_refuse(b, at, "delete the line, or put the text in quotes",
                             "found a YAML directive, expected keys and values");
    at.column++;
    if (c == '\n' || c == '\r') at.line += c == '\n' || text[i + (i + 1 < size)] != '\n', at.column = 1;
    i += length;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_text(builder *b, const char *text, size_t size)
{
  const char *name = b->document->name;
  const size_t length = strlen(name);
  const int json = length >= 5 && !strcmp(name + length - 5, ".json");
  const size_t mark = size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0; /* of byte order, by editors of Windows */
  bristle_fault_kind kind = check_bytes(b, text + mark, size - mark, json);
  if (kind) return kind;
  return json ? json_read(b, text + mark, size - mark) : yaml_read(b, text + mark, size - mark);
}

bristle_fault_kind bristle_document_parse(const char *name, const char *text, size_t size, bristle_document **document,
                                          bristle_fault *fault)
{
  static const place start = { 1, 1 };
  bristle_fault spare;
  builder b = { .document = calloc(1, sizeof(bristle_document)), .fault = fault ? fault : &spare };
  *document = NULL;
  if (!b.document || !(b.document->name = malloc(strlen(name) + 1))) {
    free(b.document);
    fault_set(b.fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the document");
    return fault_at(b.fault, name, 0, 0);
  }
  strcpy(b.document->name, name);
  bristle_fault_kind kind = read_text(&b, text, size);
  const bristle_node *root = b.document->root;
  if (!kind && (!root || (root->kind == BRISTLE_NODE_SCALAR && !root->text[0])))
    kind = document_refuse(&b, nowhere, "write `key: value` lines",
                           "found an empty document, expected keys and values");
  else if (!kind && root->kind != BRISTLE_NODE_MAP)
    kind = document_refuse(&b, start, "write `key: value` lines", "found %s, expected keys and values",
                           root->kind == BRISTLE_NODE_LIST ? "a list" : "a single value");
  if (kind) bristle_document_free(b.document);
  else *document = b.document;
  return kind;
}

bristle_fault_kind bristle_document_read(const char *path, bristle_document **document, bristle_fault *fault)
{
  char *text;
  size_t size;
  *document = NULL;
  bristle_fault_kind kind = read_whole(path, &text, &size, fault);
  if (kind) return kind;
  kind = bristle_document_parse(strcmp(path, "-") ? path : "standard input", text, size, document, fault);
  free(text);
  return kind;
}

void bristle_document_free(bristle_document *document)
{
  if (!document) return;
  for (block *b = document->blocks; b;) {
    block *next = b->next;
    free(b);
    b = next;
  }
  free(document->name);
  free(document);
}

const bristle_node *bristle_document_root(const bristle_document *document) { return document->root; }
const char *bristle_document_name(const bristle_document *document) { return document->name; }
