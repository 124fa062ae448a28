/* Faults as sentences, pieces of files that are safe to show, word lists with suggestions, and whole files. */
#include "io/files.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

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
      used += (size_t)snprintf(out + used, EXCERPT - used, "\\x%02x", c);
      i++;
    }
  }
  snprintf(out + used, EXCERPT - used, "%s", i < length ? "..." : "");
  return out;
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

/* ---- whole files ---- */

static bristle_fault_kind cannot_read(const char *path, bristle_fault *fault, int error)
{
  const char *hint = error == ENOENT   ? "check the name and the folder"
                     : error == EACCES ? "you may not read it: change its permissions"
                                       : NULL;
  char shown[EXCERPT];
  fault_set(fault, BRISTLE_FAULT_FILE, hint, "the file cannot be read (%s)", strerror(error));
  return fault_at(fault, path[0] ? path : excerpt("(no name)", 9, shown), 0, 0);
}

static bristle_fault_kind slurp(FILE *stream, const char *path, size_t expected, char **text, size_t *size,
                                bristle_fault *fault)
{
  size_t room = expected + 4096, used = 0;
  char *buffer = malloc(room);
  while (buffer) {
    used += fread(buffer + used, 1, room - 1 - used, stream);
    if (used < room - 1) break;
    char *larger = room < SIZE_MAX / 2 ? realloc(buffer, room *= 2) : NULL;
    if (!larger) free(buffer);
    buffer = larger;
  }
  if (!buffer) {
    fault_set(fault, BRISTLE_FAULT_MEMORY, "split the file", "not enough memory for the whole file");
    return fault_at(fault, path, 0, 0);
  }
  if (ferror(stream)) {
    int error = errno;
    free(buffer);
    return cannot_read(path, fault, error);
  }
  buffer[used] = '\0';
  *text = buffer;
  *size = used;
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind read_whole(const char *path, char **text, size_t *size, bristle_fault *fault)
{
  struct stat about;
  if (!strcmp(path, "-")) {
    const bristle_fault_kind kind = fstat(STDIN_FILENO, &about) ? 0 : files_reading("standard input", &about, fault);
    return kind ? kind : slurp(stdin, "standard input", 1 << 16, text, size, fault);
  }
  FILE *stream = fopen(path, "rb");
  if (!stream) return cannot_read(path, fault, errno);
  if (fstat(fileno(stream), &about)) about.st_mode = 0, about.st_size = 0;
  if (S_ISDIR(about.st_mode)) {
    fclose(stream);
    fault_set(fault, BRISTLE_FAULT_FILE, "name a file in it", "this is a folder, expected a file");
    return fault_at(fault, path, 0, 0);
  }
  size_t expected = S_ISREG(about.st_mode) && about.st_size > 0 ? (size_t)about.st_size : 0;
  bristle_fault_kind kind = files_reading(path, &about, fault);
  if (!kind) kind = slurp(stream, path, expected, text, size, fault);
  fclose(stream);
  return kind;
}
