/* A small reader of XML: elements, attributes, comments; no DTD, no entities of its own. */
#include "robot/xml.h"

#include <stdlib.h>

enum { XML_DEEPEST = 200, XML_ATTRIBUTES = 200 }; /* each looks for one of its name among those before it */

typedef struct reader {
  xml_document *d;
  const char *at, *end;
  size_t line;
  bristle_fault *fault;
} reader;

static bristle_fault_kind refuse(const reader *r, const char *hint, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bristle_fault_kind refuse(const reader *r, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(r->fault, BRISTLE_FAULT_SYNTAX, hint, format, args);
  va_end(args);
  return fault_at(r->fault, r->d->file, r->line, 0);
}

static int is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static int is_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.'
         || c == ':';
}

static void skip_to(reader *r, const char *to)
{
  for (; r->at < to; r->at++) r->line += *r->at == '\n';
}

static void skip_spaces(reader *r)
{
  while (r->at < r->end && is_space(*r->at)) r->line += *r->at++ == '\n';
}

static int starts(const reader *r, const char *text)
{
  const size_t length = strlen(text);
  return (size_t)(r->end - r->at) >= length && !strncmp(r->at, text, length);
}

static const char *find(const reader *r, const char *text)
{
  const size_t length = strlen(text);
  for (const char *at = r->at; at + length <= r->end; at++)
    if (!strncmp(at, text, length)) return at;
  return NULL;
}

static char *keep(reader *r, const char *from, size_t length)
{
  char *text = memory_take(&r->d->list, length + 1);
  if (text) memcpy(text, from, length);
  return text;
}

static const char *take_name(reader *r)
{
  const char *from = r->at;
  while (r->at < r->end && is_name(*r->at)) r->at++;
  return keep(r, from, (size_t)(r->at - from));
}

/* the five entities that XML itself has, in place; what is no plain letter may not reach a message */
static void decode(char *text)
{
  static const char *const names[] = { "lt;<", "gt;>", "amp;&", "quot;\"", "apos;'" };
  char *to = text;
  for (const char *at = text; *at; at++) {
    const unsigned char c = (unsigned char)*at;
    *to = (char)(c < 0x20 ? ' ' : c < 0x7f ? c : '?');
    for (size_t k = 0; *at == '&' && k < sizeof names / sizeof *names; k++) {
      const size_t length = strlen(names[k]) - 1;
      if (strncmp(at + 1, names[k], length)) continue;
      *to = names[k][length], at += length;
      break;
    }
    to++;
  }
  *to = '\0';
}

static bristle_fault_kind take_attribute(reader *r, xml_node *node)
{
  xml_attribute *a = memory_take(&r->d->list, sizeof *a), **last = &node->attribute;
  const char *name = take_name(r);
  if (!a || !name) return fault_memory(r->fault);
  char shown[EXCERPT];
  excerpt(name, strlen(name), shown);
  skip_spaces(r);
  if (r->at == r->end || *r->at != '=') return refuse(r, NULL, "the attribute '%s' has no value", shown);
  r->at++;
  skip_spaces(r);
  const char quote = r->at < r->end ? *r->at : 0;
  const char *from = r->at + 1,
             *to = quote == '"' || quote == '\'' ? memchr(from, quote, (size_t)(r->end - from)) : NULL;
  if (!to) return refuse(r, NULL, "the value of '%s' is not in quotes", shown);
  char *value = keep(r, from, (size_t)(to - from));
  if (!value) return fault_memory(r->fault);
  skip_to(r, to + 1);
  decode(value);
  int count = 1;
  for (; *last; last = &(*last)->next, count++)
    if (!strcmp((*last)->name, name)) return refuse(r, NULL, "the attribute '%s' is given twice", shown);
  if (count > XML_ATTRIBUTES) return refuse(r, NULL, "more than %d attributes in <%.40s>", XML_ATTRIBUTES, node->name);
  *a = (xml_attribute){ name, value, NULL };
  *last = a;
  return BRISTLE_FAULT_NONE;
}

/* behind '<'; *open: it has an end of its own */
static bristle_fault_kind take_element(reader *r, xml_node *parent, xml_node **made, int *open)
{
  xml_node *node = memory_take(&r->d->list, sizeof *node);
  if (!node) return fault_memory(r->fault);
  node->line = r->line, node->parent = parent;
  node->name = take_name(r);
  if (!node->name) return fault_memory(r->fault);
  if (!*node->name) return refuse(r, NULL, "found '<' without a name");
  for (;;) {
    skip_spaces(r);
    if (r->at == r->end) return refuse(r, NULL, "the file ends inside <%.40s", node->name);
    if (*r->at == '>' || starts(r, "/>")) break;
    if (!is_name(*r->at)) return refuse(r, NULL, "found an odd character inside <%.40s", node->name);
    bristle_fault_kind kind = take_attribute(r, node);
    if (kind) return kind;
  }
  *open = *r->at == '>';
  r->at += *open ? 1 : 2;
  if (!parent) r->d->root = node;
  else if (parent->last) parent->last->next = node;
  else parent->child = node;
  if (parent) parent->last = node;
  *made = node;
  return BRISTLE_FAULT_NONE;
}

/* comments, declarations, <![CDATA[ ]]>; nonzero: it was one, *kind says how that went */
static int take_other(reader *r, bristle_fault_kind *kind)
{
  static const char *const pairs[][2] = { { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<?", "?>" }, { "<!", ">" } };
  for (int k = 0; k < 4; k++) {
    if (!starts(r, pairs[k][0])) continue;
    const char *end = find(r, pairs[k][1]);
    *kind = BRISTLE_FAULT_NONE;
    if (!end) *kind = refuse(r, NULL, "'%s' has no end", pairs[k][0]);
    else if (k == 3 && memchr(r->at, '[', (size_t)(end - r->at)))
      *kind = refuse(r, "write the values where they are used", "a DTD with definitions of its own is not read");
    else skip_to(r, end + strlen(pairs[k][1]));
    return 1;
  }
  return 0;
}

static bristle_fault_kind take_end(reader *r, xml_node **open)
{
  r->at += 2;
  const char *name = take_name(r);
  if (!name) return fault_memory(r->fault);
  skip_spaces(r);
  if (!*open || strcmp(name, (*open)->name) || r->at == r->end || *r->at != '>')
    return refuse(r, NULL, "found </%.40s>, expected </%.40s>", name, *open ? (*open)->name : "");
  r->at++;
  *open = (*open)->parent;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind xml_parse(const char *file, const char *text, size_t size, xml_document *document,
                             bristle_fault *fault)
{
  reader r = { document, text, text + size, 1, fault };
  xml_node *open = NULL;
  int depth = 0;
  *document = (xml_document){ .file = file };
  if (starts(&r, "\xef\xbb\xbf")) r.at += 3;
  for (;;) {
    bristle_fault_kind kind = BRISTLE_FAULT_NONE;
    const char *next = memchr(r.at, '<', (size_t)(r.end - r.at));
    skip_to(&r, next ? next : r.end);
    if (!next) break;
    if (take_other(&r, &kind)) {
    } else if (starts(&r, "</")) {
      kind = take_end(&r, &open), depth--;
    } else {
      xml_node *made = NULL;
      int has_end = 0;
      if (!open && document->root) return refuse(&r, NULL, "a second element behind the end of the first");
      r.at++;
      kind = take_element(&r, open, &made, &has_end);
      if (!kind && has_end) open = made, depth++;
      if (depth > XML_DEEPEST) return refuse(&r, NULL, "elements more than %d deep", XML_DEEPEST);
    }
    if (kind) return kind;
  }
  if (open) return refuse(&r, NULL, "the file ends inside <%.40s> of line %zu", open->name, open->line);
  return document->root ? BRISTLE_FAULT_NONE : refuse(&r, NULL, "there is no XML in it");
}

bristle_fault_kind xml_read(const char *file, xml_document *document, bristle_fault *fault)
{
  char *text = NULL;
  size_t size = 0;
  *document = (xml_document){ .file = file };
  bristle_fault_kind kind = read_whole(file, &text, &size, fault);
  if (!kind && memchr(text, '\0', size))
    kind = fault_at(fault, file, (fault_set(fault, BRISTLE_FAULT_SYNTAX, NULL, "found a NUL; it is no text"), 0), 0);
  if (!kind) kind = xml_parse(file, text, size, document, fault);
  free(text);
  return kind;
}

void xml_close(xml_document *document)
{
  memory_free(document->list);
  document->list = NULL, document->root = NULL;
}

const char *xml_text(const xml_node *node, const char *name)
{
  for (const xml_attribute *a = node->attribute; a; a = a->next)
    if (!strcmp(a->name, name)) return a->value;
  return NULL;
}

const xml_node *xml_child(const xml_node *node, const char *name, const xml_node *after)
{
  for (const xml_node *n = after ? after->next : node->child; n; n = n->next)
    if (!name || !strcmp(n->name, name)) return n;
  return NULL;
}

bristle_fault_kind xml_fault(const xml_document *d, const xml_node *node, bristle_fault *fault, const char *hint,
                             const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  return fault_at(fault, d->file, node->line, 0);
}

bristle_fault_kind xml_numbers(const xml_document *d, const xml_node *node, const char *name, int count, double *to,
                               bristle_fault *fault)
{
  const char *text = xml_text(node, name), *at = text;
  int found = 0;
  if (!text) return BRISTLE_FAULT_NONE;
  for (; found <= count; found++) {
    double value;
    while (is_space(*at)) at++;
    if (!*at) break;
    size_t length = 0;
    while (at[length] && !is_space(at[length])) length++;
    if (!bristle_number_read(at, length, '.', 0, &value)) {
      char shown[EXCERPT];
      excerpt(at, length, shown);
      return xml_fault(d, node, fault, strchr(at, '$') ? "expand the file with xacro first" : NULL,
                       "%s of <%.40s>: found '%s', expected a number", name, node->name, shown);
    }
    if (found < count) to[found] = value;
    at += length;
  }
  if (found == count) return BRISTLE_FAULT_NONE;
  return xml_fault(d, node, fault, NULL, "%s of <%.40s>: found %d numbers, expected %d", name, node->name, found,
                   count);
}
