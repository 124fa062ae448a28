/* Faults as sentences, pieces of files that are safe to show, and word lists with suggestions. */
#include "io/support.h"

#include <stdlib.h>

size_t text_append(char *text, size_t size, size_t used, const char *format, ...)
{
  va_list args;
  if (used + 1 >= size) return used;
  va_start(args, format);
  const int length = vsnprintf(text + used, size - used, format, args);
  va_end(args);
  if (length < 0) {
    text[used] = '\0';
    return used;
  }
  return (size_t)length < size - used ? used + (size_t)length : size - 1;
}

const char *excerpt(const char *text, size_t length, char out[EXCERPT])
{
  enum { SHOWN = 40 };
  size_t used = 0, i = 0;
  while (i < length && used + 4 <= SHOWN) {
    unsigned char c = (unsigned char)text[i];
    size_t follow = c < 0x80 ? 0 : (c & 0xe0) == 0xc0 ? 1 : (c & 0xf0) == 0xe0 ? 2 : (c & 0xf8) == 0xf0 ? 3 : 9;
    int good = c >= 0x20 && c != 0x7f && follow < length - i;
    for (size_t k = 1; good && k <= follow; k++) good = ((unsigned char)text[i + k] & 0xc0) == 0x80;
    if (good && !(c >= 0x80 && follow == 0)) {
      memcpy(out + used, text + i, follow + 1);
      used += follow + 1, i += follow + 1;
    } else {
      used = text_append(out, EXCERPT, used, "\\x%02x", c);
      i++;
    }
  }
  snprintf(out + used, EXCERPT - used, "%s", i < length ? "..." : "");
  return out;
}

/* Names of the user's in a sentence, or of a file, may not break its line or steer a terminal. */
static void keep_on_line(char *text)
{
  for (; *text; text++)
    if ((unsigned char)*text < 0x20 || *text == 0x7f) *text = '?';
}

bristle_fault_kind fault_vset(bristle_fault *fault, bristle_fault_kind kind, const char *hint, const char *format,
                              va_list args)
{
  if (!fault) return kind;
  fault->kind = kind;
  fault->file[0] = '\0';
  fault->line = fault->column = 0;
  snprintf(fault->hint, sizeof fault->hint, "%s", hint ? hint : "");
  vsnprintf(fault->what, sizeof fault->what, format, args);
  keep_on_line(fault->hint), keep_on_line(fault->what);
  return kind;
}

bristle_fault_kind fault_set(bristle_fault *fault, bristle_fault_kind kind, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(fault, kind, hint, format, args);
  va_end(args);
  return kind;
}

bristle_fault_kind fault_memory(bristle_fault *fault)
{
  return fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
}

bristle_fault_kind fault_at(bristle_fault *fault, const char *file, size_t line, size_t column)
{
  if (!fault) return BRISTLE_FAULT_VALUE;
  size_t length = strlen(file), room = sizeof fault->file - 1;
  if (length <= room) snprintf(fault->file, sizeof fault->file, "%s", file);
  else snprintf(fault->file, sizeof fault->file, "...%s", file + length - (room - 3)); /* the end says more */
  fault->line = line;
  fault->column = column;
  return fault->kind;
}

void bristle_fault_text(const bristle_fault *fault, char *text, size_t size)
{
  char place[64] = "";
  if (fault->line && fault->column) snprintf(place, sizeof place, ":%zu:%zu", fault->line, fault->column);
  else if (fault->line) snprintf(place, sizeof place, ":%zu", fault->line);
  snprintf(text, size, "%s%s%s%s%s%s", fault->file, place, fault->file[0] ? ": " : "", fault->what,
           fault->hint[0] ? "; " : "", fault->hint);
  if (size) keep_on_line(text);
}

char *text_copy(const char *text, size_t length)
{
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

/* ---- word lists ---- */

const char *word_at(const char *list, int place, size_t *length)
{
  for (; place > 0; place--) {
    const char *bar = strchr(list, '|');
    if (!bar) {
      *length = 0;
      return list;
    }
    list = bar + 1;
  }
  *length = strcspn(list, "|");
  return list;
}

int word_find(const char *list, const char *word, size_t length)
{
  size_t n;
  const char *w;
  for (int i = 0; (w = word_at(list, i, &n)), n; i++)
    if (n == length && !memcmp(w, word, n)) return i;
  return -1;
}

/* edits that turn a into b, neighbours swapped counting once */
static size_t edits(const char *a, size_t na, const char *b, size_t nb)
{
  enum { LONGEST = 40 };
  size_t rows[3][LONGEST + 1], *before = rows[0], *last = rows[1], *now = rows[2];
  if (na > LONGEST || nb > LONGEST) return LONGEST;
  for (size_t j = 0; j <= nb; j++) last[j] = j;
  for (size_t i = 1; i <= na; i++) {
    now[0] = i;
    for (size_t j = 1; j <= nb; j++) {
      size_t best = last[j - 1] + (a[i - 1] != b[j - 1]);
      if (last[j] + 1 < best) best = last[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < best)
        best = before[j - 2] + 1;
      now[j] = best;
    }
    size_t *free_row = before;
    before = last, last = now, now = free_row;
  }
  return last[nb];
}

int word_nearest(const char *list, const char *word, size_t length)
{
  int best = -1;
  size_t n, fewest = length / 2 + 1; /* half of it wrong is another word */
  const char *w;
  for (int i = 0; (w = word_at(list, i, &n)), n; i++) {
    size_t distance = edits(word, length, w, n);
    if (distance < fewest || (distance == fewest && best < 0)) fewest = distance, best = i;
  }
  return best;
}
