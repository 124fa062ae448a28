/* JSON, as RFC 8259 has it and nothing more: no comments, no single quotes, no comma after the last entry. */
#include "io/document.h"

#include <stdlib.h>

typedef struct reader {
  builder *b;
  const char *p, *end;
  place at;      /* of p */
  char *decoded; /* room for any text of the document */
} reader;

static const char json_hint[] =
    "JSON has \"text\", numbers like -1.5e3, true, false, null, [1, 2] and {\"key\": 1}; YAML "
    "files end in .yaml";

static void step(reader *r)
{
  const unsigned char c = (unsigned char)*r->p++;
  if (c == '\n' || (c == '\r' && (r->p == r->end || *r->p != '\n'))) r->at.line++, r->at.column = 1;
  else if ((c & 0xc0) != 0x80) r->at.column++;
}

static char peek(const reader *r) { return r->p < r->end ? *r->p : '\0'; }

static void skip_blanks(reader *r)
{
  while (r->p < r->end && strchr(" \t\r\n", *r->p)) step(r);
}

/* refuses what stands here, shown up to the next blank or bracket */
static bristle_fault_kind expected(reader *r, const char *what)
{
  char shown[EXCERPT];
  size_t length = 0;
  const size_t left = (size_t)(r->end - r->p);
  if (!left) return document_refuse(r->b, r->at, json_hint, "the text ends here, expected %s", what);
  if (*r->p == '#' || (*r->p == '/' && left > 1 && (r->p[1] == '/' || r->p[1] == '*')))
    return document_refuse(r->b, r->at, "delete it, or name the file .yaml and begin it with #",
                           "found a comment, which JSON does not have");
  if (*r->p == '\'')
    return document_refuse(r->b, r->at, "write \"text\"", "found a single quote, expected a double quote");
  while (length < left && !strchr(" \t\r\n,:[]{}\"", r->p[length])) length++;
  return document_refuse(r->b, r->at, json_hint, "found '%s', expected %s", excerpt(r->p, length ? length : 1, shown),
                         what);
}

/* ---- texts ---- */

static int hex_digits(const reader *r, const char *p, unsigned long *code)
{
  *code = 0;
  for (int i = 0; i < 4; i++, p++) {
    if (p >= r->end) return 0;
    const int digit = *p >= '0' && *p <= '9'                 ? *p - '0'
                      : (*p | 32) >= 'a' && (*p | 32) <= 'f' ? (*p | 32) - 'a' + 10
                                                             : -1;
    if (digit < 0) return 0;
    *code = *code << 4 | (unsigned long)digit;
  }
  return 1;
}

static size_t put_utf8(unsigned long code, char *out)
{
  if (code < 0x80) return out[0] = (char)code, 1;
  const size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = length; --i > 0; code >>= 6) out[i] = (char)(0x80 | (code & 0x3f));
  out[0] = (char)(0xff00 >> length | code);
  return length;
}

/* how many bytes an escape has, 0 for none that JSON knows; what it stands for is put after *out */
static size_t escape(const reader *r, char **out)
{
  static const char names[] = "\"\\/bfnrt", stand_for[] = "\"\\/\b\f\n\r\t";
  if (r->p + 1 == r->end) return 0;
  const char *name = strchr(names, r->p[1]);
  if (name && *name) return *(*out)++ = stand_for[name - names], 2;
  unsigned long code, low;
  if (r->p[1] != 'u' || !hex_digits(r, r->p + 2, &code)) return 0;
  size_t length = 6;
  if (code >= 0xd800 && code < 0xdc00) { /* half of a pair */
    if (r->end - r->p < 12 || r->p[6] != '\\' || r->p[7] != 'u' || !hex_digits(r, r->p + 8, &low)) return 0;
    if (low < 0xdc00 || low >= 0xe000) return 0;
    code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    length = 12;
  } else if (code >= 0xdc00 && code < 0xe000) return 0;
  *out += put_utf8(code, *out);
  return length;
}

static bristle_fault_kind read_string(reader *r)
{
  const place start = r->at;
  char *out = r->decoded;
  for (step(r); r->p < r->end && *r->p != '"';) {
    const char c = *r->p;
    if (c == '\n' || c == '\r') break;
    if (c == '\t') return document_refuse(r->b, r->at, "write \\t", "found a tab in a text, expected an escape");
    size_t length = 1;
    if (c == '\\' && !(length = escape(r, &out)))
      return document_refuse(r->b, r->at, "write \\\\ for a backslash", "found an escape that JSON does not have");
    if (c != '\\') *out++ = c;
    while (length--) step(r);
  }
  if (peek(r) != '"')
    return document_refuse(r->b, start, "close it", "the quote that begins here is not closed on its line");
  step(r);
  return document_scalar(r->b, r->decoded, (size_t)(out - r->decoded), 1, start);
}

/* ---- numbers, true, false, null ---- */

static const char *digits(const char *p, const char *end)
{
  while (p < end && *p >= '0' && *p <= '9') p++;
  return p;
}

/* the end of the number at p, p itself if there is none */
static const char *number_end(const char *p, const char *end)
{
  const char *start = p, *first = p + (p < end && *p == '-');
  p = digits(first, end);
  if (p == first || (*first == '0' && p > first + 1)) return start;
  if (p < end && *p == '.') {
    first = ++p;
    if ((p = digits(first, end)) == first) return start;
  }
  if (p < end && (*p | 32) == 'e') {
    first = p + 1;
    first += first < end && (*first == '+' || *first == '-');
    if ((p = digits(first, end)) == first) return start;
  }
  return p;
}

static bristle_fault_kind read_word(reader *r)
{
  static const char *const words[] = { "true", "false", "null" };
  const char *start = r->p;
  size_t length = (size_t)(number_end(start, r->end) - start);
  for (int i = 0; i < 3; i++)
    if ((size_t)(r->end - start) >= strlen(words[i]) && !memcmp(start, words[i], strlen(words[i])))
      length = strlen(words[i]);
  if (!length || (start + length < r->end && !strchr(" \t\r\n,:[]{}\"", start[length]))) return expected(r, "a value");
  const place at = r->at;
  while (r->p < start + length) step(r);
  return document_scalar(r->b, start, length, 0, at);
}

/* ---- lists and mappings ---- */

static bristle_fault_kind read_value(reader *r);

static bristle_fault_kind read_key(reader *r)
{
  if (peek(r) != '"') return expected(r, "a key in double quotes");
  const bristle_fault_kind kind = read_string(r);
  if (kind) return kind;
  skip_blanks(r);
  if (peek(r) != ':') return expected(r, "':' after the key");
  step(r);
  skip_blanks(r);
  return BRISTLE_FAULT_NONE;
}

/* document_open bounds the depth */
static bristle_fault_kind read_collection(reader *r, int mapping)
{
  const place start = r->at;
  const char close = mapping ? '}' : ']';
  char what[80];
  bristle_fault_kind kind = document_open(r->b, mapping ? BRISTLE_NODE_MAP : BRISTLE_NODE_LIST, start);
  if (kind) return kind;
  step(r), skip_blanks(r);
  if (peek(r) != close)
    for (;;) {
      if ((mapping && (kind = read_key(r))) || (kind = read_value(r))) return kind;
      skip_blanks(r);
      if (peek(r) == close) break;
      snprintf(what, sizeof what, "',' or '%c' in the %s that begins on line %zu", close, mapping ? "mapping" : "list",
               start.line);
      if (peek(r) != ',') return expected(r, what);
      const place comma = r->at;
      step(r), skip_blanks(r);
      if (peek(r) == close)
        return document_refuse(r->b, comma, "delete it", "found a ',' after the last entry, expected none");
    }
  step(r);
  document_close(r->b);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_value(reader *r)
{
  const char c = peek(r);
  return c == '{' || c == '[' ? read_collection(r, c == '{') : c == '"' ? read_string(r) : read_word(r);
}

bristle_fault_kind json_read(builder *b, const char *text, size_t size)
{
  reader r = { .b = b, .p = text, .end = text + size, .at = { 1, 1 }, .decoded = malloc(size + 1) };
  if (!r.decoded) return document_no_memory(b);
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  skip_blanks(&r);
  if (r.p < r.end) kind = read_value(&r);
  if (!kind) {
    skip_blanks(&r);
    if (r.p < r.end) kind = expected(&r, "nothing after the end of the document");
  }
  free(r.decoded);
  return kind;
}
