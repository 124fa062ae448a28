/* Preprocessed C, made readable: what is needed of it, with its comments. */
#include "distil.h"

#include "items.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

static int is_given(const char *const *given, piece name)
{
  for (; given && *given; given++)
    if (piece_is(name, *given)) return 1;
  return 0;
}

/* Functions are meant only where they are called: locals may have their names. */
static int want(definitions *f, piece name, int called, const char *const *given)
{
  int more = 0;
  if (is_given(given, name)) return 0;
  for (int i = 0; i < f->items; i++) {
    item *x = &f->item[i];
    if (x->wanted || (x->is_function && !called)) continue;
    for (int k = 0; k < x->names; k++)
      if (piece_same(x->name[k], name)) x->wanted = more = 1;
  }
  return more;
}

static int want_uses(definitions *f, const item *x, const char *const *given)
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
  definitions *f = calloc(1, sizeof *f);
  buffer out = { 0 };
  if (!f || !items_split(text, f)) {
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
