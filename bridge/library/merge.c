/* Texts of several laws as one: what they share is written once. */
#include "library/merge.h"

#include "text/items.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WRITTEN = 8000, MOST_RENAMED = 400, LONGEST_NAME = 100 };

/* a definition that stands in the file */
typedef struct definition {
  char *name, *code, *comment;
  int prototype;
} definition;

struct merged {
  definition written[MOST_WRITTEN];
  int count;
};

/* A name of one text that is written in another way. Variables may have the names of functions and types, which are
   known by what stands behind them. */
typedef enum name_kind { NAME_FUNCTION, NAME_TYPE, NAME_CONSTANT } name_kind;
typedef struct renaming {
  char from[LONGEST_NAME], to[LONGEST_NAME];
  name_kind kind;
} renaming;
typedef struct renamings {
  renaming item[MOST_RENAMED];
  int count;
} renamings;

merged *merge_new(void) { return calloc(1, sizeof(merged)); }

void merge_free(merged *m)
{
  for (int i = 0; m && i < m->count; i++)
    free(m->written[i].name), free(m->written[i].code), free(m->written[i].comment);
  free(m);
}

static char *text_of(piece p)
{
  buffer b = { 0 };
  buffer_add(&b, p.at, p.length);
  return buffer_take(&b);
}

/* Is the name between `at` and `end` used as a type, in a declaration, a cast or behind sizeof? */
static int names_type(const char *code, const char *at, const char *end)
{
  if (*end == ')') {
    const int alone = at > code && at[-1] == '(', measured = at - code > 6 && !strncmp(at - 7, "sizeof(", 7);
    return alone && (measured || end[1] == '(' || is_name_character(end[1]));
  }
  if (*end == ';') return at - code > 1 && at[-1] == ' ' && at[-2] == '}';
  if (*end != ' ') return 0;
  if (end[1] == '*') return end[2] != ' ';
  return end[1] == '{' || name_length(end + 1) > 0;
}

static const renaming *find_renaming(const renamings *r, const char *at, size_t length, const char *begin)
{
  const int member = at > begin && (at[-1] == '.' || (at[-1] == '>' && at[-2] == '-'));
  if (member) return NULL;
  for (int i = r->count - 1; i >= 0; i--) { /* the last word counts */
    const renaming *x = &r->item[i];
    if (strlen(x->from) != length || strncmp(x->from, at, length)) continue;
    if (x->kind == NAME_FUNCTION ? at[length] == '(' : x->kind == NAME_CONSTANT || names_type(begin, at, at + length))
      return x;
  }
  return NULL;
}

static char *renamed(piece code, const renamings *r)
{
  buffer b = { 0 };
  const char *at = code.at, *end = at + code.length;
  while (at < end) {
    const char *behind = skip_quoted(at);
    const size_t length = behind == at ? name_length(at) : 0;
    const renaming *x = length ? find_renaming(r, at, length, code.at) : NULL;
    if (behind == at) behind = at + (length ? length : 1);
    /* digits of a number are no names */
    if (!length && is_name_character(*at))
      while (is_name_character(*behind)) behind++;
    if (x) buffer_add(&b, x->to, strlen(x->to));
    else buffer_add(&b, at, (size_t)(behind - at));
    at = behind;
  }
  return buffer_take(&b);
}

static const definition *find_written(const merged *m, const char *name, int prototype)
{
  for (int i = 0; i < m->count; i++)
    if (m->written[i].prototype == prototype && !strcmp(m->written[i].name, name)) return &m->written[i];
  return NULL;
}

static int has_comment(const merged *m, const char *comment)
{
  for (int i = 0; i < m->count; i++)
    if (!strcmp(m->written[i].comment, comment)) return 1;
  return 0;
}

static int rename_to(renamings *r, const char *from, const char *to, name_kind kind)
{
  if (r->count == MOST_RENAMED || strlen(from) >= LONGEST_NAME || strlen(to) >= LONGEST_NAME) return 0;
  renaming *x = &r->item[r->count++];
  strcpy(x->from, from), strcpy(x->to, to);
  x->kind = kind;
  return 1;
}

/* the ways to write a name, the plain one first */
static void spell(int way, const merge_text *t, const char *name, char spelt[2 * LONGEST_NAME])
{
  const int prefixed = way >= 2 && strncmp(name, t->law, strlen(t->law));
  snprintf(spelt, 2 * LONGEST_NAME, "%s%s%s%s", prefixed ? t->law : "", prefixed ? "_" : "", name,
           way % 2 ? t->suffix : "");
}

static int ends_with(const char *text, const char *end)
{
  const size_t length = strlen(text), last = strlen(end);
  return length >= last && !strcmp(text + length - last, end);
}

/* Is this the law's own: lugre_eval, bristle_lugre_step? A law may have the name of a function: tanh_f64 is not its
 * own. */
static int is_own(const char *plain, const char *spelt, const char *law)
{
  const size_t length = strlen(law);
  const int public = !strncmp(spelt, "bristle_", 8);
  if (!public && (ends_with(plain, "_f64") || ends_with(plain, "_f32"))) return 0;
  if (public) spelt += 8;
  return !strncmp(spelt, law, length) && spelt[length] == '_';
}

/* a definition behind the others, in the file and in the list; its texts belong to the list from now on */
static int write_definition(merged *m, definition d, int spaced, buffer *out)
{
  const int new_comment = d.comment[0] && !has_comment(m, d.comment);
  if (m->count == MOST_WRITTEN) return 0;
  if (spaced || new_comment) buffer_add(out, "\n", 1);
  if (new_comment) buffer_add(out, d.comment, strlen(d.comment)), buffer_add(out, "\n", 1);
  buffer_add(out, d.code, strlen(d.code));
  buffer_add(out, "\n", 1);
  m->written[m->count++] = d;
  return 1;
}

/* the name of a definition before others were looked at */
static const char *first_name(const merge_text *t, const char *name)
{
  for (const merge_name *k = t->known; k->from; k++)
    if (!strcmp(k->from, name)) return k->to;
  return name;
}

static name_kind kind_of(const item *x)
{
  if (x->is_function) return NAME_FUNCTION;
  return strncmp(x->code.at, "typedef", 7) ? NAME_CONSTANT : NAME_TYPE;
}

/* One definition: under the first of its names that is free, or that has this very definition already. */
static int merge_item(merged *m, const merge_text *t, const item *x, renamings *r, buffer *shared, buffer *own)
{
  const name_kind kind = kind_of(x);
  const int prototype = kind == NAME_FUNCTION && x->code.at[x->code.length - 1] == ';', before = r->count;
  char *plain = text_of(x->name[x->names - 1]), *code = NULL, name[2 * LONGEST_NAME] = "";
  int fine = plain != NULL, same = 0, own_one = 0;
  for (int way = 0; fine && way < 4; way++) {
    const char *first = first_name(t, plain);
    r->count = before;
    spell(way, t, first, name);
    fine = !strcmp(name, first) || rename_to(r, plain, name, kind);
    free(code);
    code = renamed(x->code, r);
    own_one = is_own(first, name, t->law);
    const definition *there = find_written(m, name, prototype);
    same = there && code && !strcmp(there->code, code);
    if (!there || same) break;
  }
  free(plain);
  if (!fine || !code || same) {
    free(code);
    return fine && same;
  }
  const definition d = { text_of((piece){ name, strlen(name) }), code, text_of(x->comment), prototype };
  return d.name && d.comment && write_definition(m, d, x->is_function, own_one ? own : shared);
}

static int is_given(const merge_text *t, const item *x)
{
  for (const merge_name *k = t->known; k->from; k++)
    if (k->given && piece_is(x->name[x->names - 1], k->from)) return 1;
  return 0;
}

int merge_add(merged *m, const merge_text *t, buffer *shared, buffer *own)
{
  definitions *d = calloc(1, sizeof *d);
  renamings *r = calloc(1, sizeof *r);
  int fine = d && r && items_split(t->text, d);
  for (const merge_name *k = t->known; fine && k->from; k++) fine = rename_to(r, k->from, k->to, NAME_TYPE);
  for (int i = 0; fine && i < d->items; i++)
    if (!is_given(t, &d->item[i])) fine = merge_item(m, t, &d->item[i], r, shared, own);
  free(d), free(r);
  return fine && !shared->failed && !own->failed;
}
