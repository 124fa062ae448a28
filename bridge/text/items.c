/* C text as a list of definitions. */
#include "items.h"

#include "scan.h"

#include <string.h>

int piece_is(piece p, const char *word) { return strlen(word) == p.length && !strncmp(p.at, word, p.length); }
int piece_same(piece a, piece b) { return a.length == b.length && !strncmp(a.at, b.at, a.length); }

static void add_name(item *x, const char *at, size_t length)
{
  if (x->names < MOST_NAMES) x->name[x->names++] = (piece){ at, length };
}

/* the constants of an enumeration, behind its opening brace */
static void name_constants(item *x, const char *at, const char *end)
{
  int expected = 1;
  while (at < end) {
    const char *behind = skip_quoted(at);
    const size_t length = behind == at ? name_length(at) : 0;
    if (length && expected) add_name(x, at, length), expected = 0;
    expected |= *at == ',';
    at = behind != at ? behind : length ? at + length : strchr("([", *at) ? skip_bracket(at) : at + 1;
  }
}

/* What an item defines: a function by the name before its first bracket, a type by its last name, its constants. */
static void name_item(item *x)
{
  const char *end = x->code.at + x->code.length, *at = x->code.at;
  piece last = { 0 };
  const int is_type = !strncmp(at, "typedef", 7) || !strncmp(at, "enum", 4) || !strncmp(at, "struct", 6);
  while (at < end) {
    const char *behind = skip_quoted(at);
    const size_t length = behind == at ? name_length(at) : 0;
    if (length) last = (piece){ at, length };
    if (piece_is(last, "enum") || piece_is(last, "struct")) last.length = 0;
    if (*at == '(' && !is_type) break;
    if (*at == '{') {
      const char *close = skip_bracket(at);
      if (strstr(x->code.at, "enum") && strstr(x->code.at, "enum") < at) name_constants(x, at + 1, close - 1);
      behind = close;
    }
    at = behind != at ? behind : length ? at + length : at + 1;
  }
  x->is_function = !is_type;
  if (last.length) add_name(x, last.at, last.length);
}

/* a comment behind a definition, on its line, belongs to it */
static const char *with_comment(const char *end)
{
  const char *at = end + strspn(end, " ");
  return at[0] == '/' && at[1] == '*' ? skip_quoted(at) : end;
}

/* the end of the definition that begins here */
static const char *item_end(const char *at)
{
  const int is_type = !strncmp(at, "typedef", 7) || !strncmp(at, "enum", 4) || !strncmp(at, "struct", 6);
  while (*at) {
    const char *behind = skip_quoted(at);
    if (behind != at) at = behind;
    else if (*at == ';') return with_comment(at + 1);
    else if (strchr("({[", *at)) {
      const int body = *at == '{' && !is_type;
      at = skip_bracket(at);
      if (body) return with_comment(at);
    } else at++;
  }
  return at;
}

int items_split(const char *at, definitions *f)
{
  piece comment = { 0 };
  while (*at) {
    if (strchr(" \n\t;", *at)) {
      at++;
      continue;
    }
    const char *behind = skip_quoted(at);
    if (behind != at) {
      comment = (piece){ at, (size_t)(behind - at) };
      if (!strncmp(at, "/* ----", 7)) comment.length = 0;
      at = behind;
      continue;
    }
    if (f->items == MOST_ITEMS) return 0;
    item *x = &f->item[f->items++];
    *x = (item){ .comment = comment, .code = { at, (size_t)(item_end(at) - at) } };
    name_item(x);
    comment.length = 0;
    at += x->code.length;
  }
  return 1;
}
