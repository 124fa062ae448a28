/* YAML and JSON to a tree of plain nodes. libfyaml's events are read; everything that files of this library do not
 * need (aliases, tags, several documents, keys that are no text) is refused, so that one file has one meaning. */
#include "io/support.h"

#include <libfyaml.h>
#include <stdlib.h>

enum { DEEPEST = 32, MOST_KEYS = 4096, LARGEST = 16 << 20, BLOCK = 1 << 14 };

typedef struct block {
  struct block *next;
  size_t used, size;
} block;

struct bristle_document {
  char *name;
  const bristle_node *root;
  block *blocks; /* holds all nodes and texts */
};

typedef struct builder {
  bristle_document *document;
  bristle_fault *fault;
  bristle_node *stack[DEEPEST], *last[DEEPEST]; /* open collections and their last children */
  int depth;
  const char *key; /* waiting for its value */
  size_t key_line, key_column;
} builder;

static void *take(bristle_document *d, size_t size)
{
  size = (size + 15) & ~(size_t)15;
  if (!d->blocks || d->blocks->size - d->blocks->used < size) {
    size_t room = size > BLOCK ? size : BLOCK;
    block *b = malloc(sizeof *b + 16 + room);
    if (!b) return NULL;
    *b = (block){ d->blocks, 0, room };
    d->blocks = b;
  }
  char *start = (char *)(((uintptr_t)(d->blocks + 1) + 15) & ~(uintptr_t)15);
  void *place = start + d->blocks->used;
  d->blocks->used += size;
  return place;
}

static const char *keep(bristle_document *d, const char *text, size_t length)
{
  char *copy = take(d, length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

static bristle_fault_kind refuse(builder *b, const struct fy_mark *mark, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(b->fault, BRISTLE_FAULT_SYNTAX, hint, format, args);
  va_end(args);
  return fault_at(b->fault, b->document->name, mark ? (size_t)mark->line + 1 : 0, mark ? (size_t)mark->column + 1 : 0);
}

static bristle_fault_kind no_memory(builder *b)
{
  fault_set(b->fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the document");
  return fault_at(b->fault, b->document->name, 0, 0);
}

/* ---- the tree ---- */

static bristle_fault_kind take_key(builder *b, const char *text, size_t length, const struct fy_mark *mark)
{
  const bristle_node *map = b->stack[b->depth - 1];
  char shown[EXCERPT];
  if (memchr(text, 0, length)) return refuse(b, mark, NULL, "found a key with a NUL in it, expected text");
  if (map->count >= MOST_KEYS) return refuse(b, mark, NULL, "expected at most %d keys", MOST_KEYS);
  for (const bristle_node *n = map->child; n; n = n->next)
    if (strlen(n->key) == length && !memcmp(n->key, text, length))
      return refuse(b, mark, "delete one of the two", "found the key '%s' again, it is already on line %zu",
                    excerpt(text, length, shown), n->key_line);
  b->key = keep(b->document, text, length);
  b->key_line = (size_t)mark->line + 1;
  b->key_column = (size_t)mark->column + 1;
  return b->key ? BRISTLE_FAULT_NONE : no_memory(b);
}

/* a new value: below the key that waits for it, at the end of a list, or as the root */
static bristle_fault_kind add_node(builder *b, bristle_node_kind kind, const struct fy_mark *mark, bristle_node **made)
{
  bristle_node *node = take(b->document, sizeof *node);
  if (!node) return no_memory(b);
  *node = (bristle_node){
    .kind = kind, .line = (size_t)mark->line + 1, .column = (size_t)mark->column + 1, .document = b->document
  };
  *made = node;
  if (b->depth == 0) {
    if (b->document->root) return refuse(b, mark, "split the file", "found a second document, expected one");
    b->document->root = node;
    return BRISTLE_FAULT_NONE;
  }
  bristle_node *parent = b->stack[b->depth - 1];
  node->key = parent->kind == BRISTLE_NODE_MAP ? b->key : parent->key;
  node->key_line = parent->kind == BRISTLE_NODE_MAP ? b->key_line : node->line;
  node->key_column = parent->kind == BRISTLE_NODE_MAP ? b->key_column : node->column;
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

static bristle_fault_kind open_collection(builder *b, bristle_node_kind kind, const struct fy_mark *mark)
{
  bristle_node *node = NULL;
  if (wants_key(b)) return refuse(b, mark, "write key: value", "found a list or mapping as a key, expected text");
  if (b->depth == DEEPEST) return refuse(b, mark, NULL, "found more than %d levels, expected fewer", DEEPEST);
  bristle_fault_kind fault = add_node(b, kind, mark, &node);
  if (fault) return fault;
  b->stack[b->depth] = node;
  b->last[b->depth++] = NULL;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind take_scalar(builder *b, struct fy_event *event, const struct fy_mark *mark)
{
  size_t length = 0;
  const char *text = fy_token_get_text(event->scalar.value, &length);
  bristle_node *node = NULL;
  if (!text) text = "", length = 0;
  if (wants_key(b)) return take_key(b, text, length, mark);
  bristle_fault_kind kind = add_node(b, BRISTLE_NODE_SCALAR, mark, &node);
  if (kind) return kind;
  if (memchr(text, 0, length)) return refuse(b, mark, NULL, "found text with a NUL in it, expected plain text");
  node->text = keep(b->document, text, length);
  node->quoted = event->scalar.value && fy_scalar_token_get_style(event->scalar.value) != FYSS_PLAIN;
  return node->text ? BRISTLE_FAULT_NONE : no_memory(b);
}

/* Where a value starts, as a person counts: quotes and stars belong to it; an empty one stands after its key. */
static struct fy_mark event_mark(const builder *b, struct fy_event *event)
{
  const struct fy_mark *mark = fy_event_start_mark(event);
  struct fy_mark at = { 0, 0, 0 };
  if (mark) at = *mark;
  else if (b->key) at.line = (int)b->key_line - 1, at.column = (int)(b->key_column + strlen(b->key));
  int quoted = event->type == FYET_ALIAS;
  if (event->type == FYET_SCALAR && event->scalar.value) {
    enum fy_scalar_style style = fy_scalar_token_get_style(event->scalar.value);
    quoted = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
  }
  if (quoted && at.column) at.column--;
  return at;
}

static bristle_fault_kind take_event(builder *b, struct fy_event *event)
{
  struct fy_mark mark = event_mark(b, event);
  struct fy_token *tag = event->type == FYET_SCALAR           ? event->scalar.tag
                         : event->type == FYET_MAPPING_START  ? event->mapping_start.tag
                         : event->type == FYET_SEQUENCE_START ? event->sequence_start.tag
                                                              : NULL;
  if (tag)
    return refuse(b, fy_token_start_mark(tag), "delete the tag: numbers and texts are told apart by their place",
                  "found a tag, expected a plain value");
  switch (event->type) {
  case FYET_SCALAR:
    return take_scalar(b, event, &mark);
  case FYET_MAPPING_START:
    return open_collection(b, BRISTLE_NODE_MAP, &mark);
  case FYET_SEQUENCE_START:
    return open_collection(b, BRISTLE_NODE_LIST, &mark);
  case FYET_MAPPING_END:
  case FYET_SEQUENCE_END:
    b->depth--;
    return BRISTLE_FAULT_NONE;
  case FYET_ALIAS:
    return refuse(b, &mark, "write the value again", "found an alias (*name), expected a value");
  default:
    return BRISTLE_FAULT_NONE;
  }
}

/* ---- libfyaml ---- */

static bristle_fault_kind syntax_error(builder *b, struct fy_diag *diag)
{
  const char *hint = "YAML is `key: value`, indented with blanks; text with : or # in it needs quotes";
  void *state = NULL;
  struct fy_diag_error *error = fy_diag_errors_iterate(diag, &state);
  char message[EXCERPT * 4];
  if (!error) return refuse(b, NULL, hint, "the text cannot be read");
  snprintf(message, sizeof message, "%s", error->msg ? error->msg : "the text cannot be read");
  message[strcspn(message, "\r\n")] = '\0';
  struct fy_mark mark = { 0, error->line > 0 ? error->line - 1 : 0, error->column > 0 ? error->column - 1 : 0 };
  return refuse(b, &mark, hint, "%s", message);
}

static bristle_fault_kind read_events(builder *b, struct fy_parser *parser, struct fy_diag *diag)
{
  for (;;) {
    struct fy_event *event = fy_parser_parse(parser);
    if (!event) return fy_parser_get_stream_error(parser) ? syntax_error(b, diag) : BRISTLE_FAULT_NONE;
    int over = event->type == FYET_STREAM_END;
    bristle_fault_kind kind = take_event(b, event);
    fy_parser_event_free(parser, event);
    if (kind || over) return kind;
  }
}

static int ends_with(const char *name, const char *ending)
{
  size_t n = strlen(name), k = strlen(ending);
  return n >= k && !strcmp(name + n - k, ending);
}

static bristle_fault_kind read_text(builder *b, const char *text, size_t size)
{
  struct fy_diag_cfg quiet;
  fy_diag_cfg_default(&quiet);
  quiet.fp = NULL;
  quiet.colorize = false;
  struct fy_diag *diag = fy_diag_create(&quiet);
  if (!diag) return no_memory(b);
  fy_diag_set_collect_errors(diag, true);
  int json = ends_with(b->document->name, ".json");
  struct fy_parse_cfg how = { .flags = json ? FYPCF_JSON_FORCE : FYPCF_JSON_NONE, .diag = diag };
  struct fy_parser *parser = fy_parser_create(&how);
  bristle_fault_kind kind;
  if (!parser || fy_parser_set_string(parser, text, size)) kind = no_memory(b);
  else kind = read_events(b, parser, diag);
  fy_parser_destroy(parser);
  fy_diag_destroy(diag);
  return kind;
}

/* length of the UTF-8 character at p, 0 if there is none that a YAML text may hold */
static size_t character(const unsigned char *p, size_t left, int first)
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
                  && (code != 0xfeff || first);
  return shortest && printable ? length : 0;
}

/* libfyaml never ends on some broken bytes and directives: only text that a person wrote gets there */
static bristle_fault_kind check_bytes(builder *b, const char *text, size_t size)
{
  struct fy_mark mark = { 0, 0, 0 };
  if (size > LARGEST)
    return refuse(b, NULL, "put long tables into a CSV file", "found more than %d MB, expected a short text",
                  LARGEST >> 20);
  for (size_t i = 0; i < size;) {
    unsigned char c = (unsigned char)text[i];
    size_t length = character((const unsigned char *)text + i, size - i, i == 0);
    if (!length) return refuse(b, &mark, "save it as UTF-8 text", "found the byte 0x%02x, expected text", c);
    if (c == '%' && mark.column == 0)
      return refuse(b, &mark, "delete the line, or put the text in quotes",
                    "found a YAML directive, expected keys and values");
    mark.column++;
    if (c == '\n' || c == '\r') mark.line += c == '\n' || text[i + (i + 1 < size)] != '\n', mark.column = 0;
    i += length;
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind bristle_document_parse(const char *name, const char *text, size_t size, bristle_document **document,
                                          bristle_fault *fault)
{
  static const struct fy_mark start = { 0, 0, 0 };
  bristle_fault spare;
  builder b = { .document = calloc(1, sizeof(bristle_document)), .fault = fault ? fault : &spare };
  *document = NULL;
  if (!b.document || !(b.document->name = malloc(strlen(name) + 1))) {
    free(b.document);
    fault_set(b.fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the document");
    return fault_at(b.fault, name, 0, 0);
  }
  strcpy(b.document->name, name);
  bristle_fault_kind kind = check_bytes(&b, text, size);
  if (!kind) kind = read_text(&b, text, size);
  const bristle_node *root = b.document->root;
  if (!kind && (!root || (root->kind == BRISTLE_NODE_SCALAR && !root->text[0])))
    kind = refuse(&b, NULL, "write `key: value` lines", "found an empty document, expected keys and values");
  else if (!kind && root->kind != BRISTLE_NODE_MAP)
    kind = refuse(&b, &start, "write `key: value` lines", "found %s, expected keys and values",
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
