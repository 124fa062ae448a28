/* Preprocessed C, made readable: what is needed of it, with its comments. */
#include "distil.h"

#include "scan.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 400, MOST_NAMES = 24 };

typedef struct piece {
  const char *at;
  size_t length;
} piece;

/* one definition of a file */
typedef struct item {
  piece comment, code, name[MOST_NAMES];
  int names, is_function, wanted;
} item;

typedef struct file {
  item item[MOST_ITEMS];
  int items;
} file;

static int is_word(piece p, const char *word) { return strlen(word) == p.length && !strncmp(p.at, word, p.length); }
static int is_same(piece a, piece b) { return a.length == b.length && !strncmp(a.at, b.at, a.length); }

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
    if (is_word(last, "enum") || is_word(last, "struct")) last.length = 0;
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

static int split(const char *at, file *f)
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

static int is_given(const char *const *given, piece name)
{
  for (; given && *given; given++)
    if (is_word(name, *given)) return 1;
  return 0;
}

/* Functions are meant only where they are called: locals may have their names. */
static int want(file *f, piece name, int called, const char *const *given)
{
  int more = 0;
  if (is_given(given, name)) return 0;
  for (int i = 0; i < f->items; i++) {
    item *x = &f->item[i];
    if (x->wanted || (x->is_function && !called)) continue;
    for (int k = 0; k < x->names; k++)
      if (is_same(x->name[k], name)) x->wanted = more = 1;
  }
  return more;
}

static int want_uses(file *f, const item *x, const char *const *given)
{
  const char *at = x->code.at, *end = at + x->code.length;
  int more = 0;
  while (at < end) {
    const char *behind = skip_quoted(at);
    const size_t length = behind == at ? name_length(at) : 0;
    const int member = at > x->code.at && (at[-1] == '.' || (at[-1] == '>' && at[-2] == '-'));
    if (length && !member) more |= want(f, (piece){ at, length }, at[length] == '(', given);
    at = behind != at ? behind : length ? at + length : is_name_character(*at) ? at + strcspn(at, " ;,)*/+-") : at + 1;
  }
  return more;
}

/* does the word occur between the two places? */
static int occurs(const char *at, const char *end, const char *word)
{
  const char *found = strstr(at, word);
  return found && found < end;
}

/* What only other builds or other laws look at is said to be unused: behind a text comes another one, unless a word
   follows. */
static void write_code(const item *x, buffer *out)
{
  static const char *const unused[][3] = { { "int alone)\n{\n", "alone", "  (void)alone;\n" },
                                           { "== BRISTLE_LOAD_LEVEL ? n : ", " level", "\n  (void)level;" } };
  const char *at = x->code.at, *end = at + x->code.length;
  for (int i = 0; i < 2; i++) {
    const char *found = strstr(at, unused[i][0]);
    if (!found || found >= end) continue;
    const char *behind = found + strlen(unused[i][0]);
    if (i == 1) behind += strcspn(behind, "\n");
    if (occurs(behind, end, unused[i][1])) continue;
    buffer_add(out, at, (size_t)(behind - at));
    buffer_add(out, unused[i][2], strlen(unused[i][2]));
    at = behind;
  }
  buffer_add(out, at, (size_t)(end - at));
}

char *distil(const char *text, const char *const *roots, const char *const *given)
{
  file *f = calloc(1, sizeof *f);
  buffer out = { 0 };
  if (!f || !split(text, f)) {
    free(f);
    return NULL;
  }
  for (; *roots; roots++) want(f, (piece){ *roots, strlen(*roots) }, 1, NULL);
  for (int more = 1; more;) {
    more = 0;
    for (int i = 0; i < f->items; i++)
      if (f->item[i].wanted) more |= want_uses(f, &f->item[i], given);
  }
  for (int i = 0; i < f->items; i++) {
    const item *x = &f->item[i];
    if (!x->wanted) continue;
    if (x->is_function || x->comment.length) buffer_add(&out, "\n", 1);
    if (x->comment.length) buffer_add(&out, x->comment.at, x->comment.length), buffer_add(&out, "\n", 1);
    write_code(x, &out);
    buffer_add(&out, "\n", 1);
  }
  free(f);
  return buffer_take(&out);
}

char *distil_head(const char *text)
{
  buffer out = { 0 };
  const char *begin = strstr(text, "/*"), *end = begin ? skip_quoted(begin) : NULL;
  if (begin) buffer_add(&out, begin, (size_t)(end - begin));
  return buffer_take(&out);
}
