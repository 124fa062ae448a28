/* What a result was made of: the list of files that were opened on the way. */
#include "io/opened.h"

#include "lab/digest.h"

#include <stdlib.h>

/* readers are deep below those who want to know what they read, and threads have lists of their own */
static _Thread_local opened_list *kept;

opened_list *opened_keep(opened_list *list)
{
  opened_list *before = kept;
  kept = list;
  return before;
}

static void break_list(opened_list *list, const char *path, const char *why)
{
  if (list->why) return;
  list->why = why;
  snprintf(list->place, sizeof list->place, "%s", path);
}

static void add(opened_list *list, const char *path, const char digest[65])
{
  if (list->count == list->room) {
    const size_t room = 2 * list->room + 8;
    opened_file *larger = realloc(list->file, room * sizeof *larger);
    if (!larger) {
      break_list(list, path, "not enough memory for the list of files");
      return;
    }
    list->file = larger, list->room = room;
  }
  opened_file *f = &list->file[list->count];
  f->path = strdup(path);
  memcpy(f->digest, digest, 65);
  list->count += f->path != NULL;
  if (!f->path) break_list(list, path, "not enough memory for the list of files");
}

void opened_note(const char *path, const char *text, size_t size)
{
  char digest[65] = "";
  if (!kept) return;
  if (text) bristle_digest(text, size, digest);
  const char *known = opened_find(kept, path);
  if (known && strcmp(known, digest)) break_list(kept, path, "this file has changed since the work began");
  else if (known) return;
  else if (kept->sealed) break_list(kept, path, "this file was not among those that were found when the work began");
  else add(kept, path, digest);
}

const char *opened_find(const opened_list *list, const char *path)
{
  for (size_t i = 0; i < list->count; i++)
    if (!strcmp(list->file[i].path, path)) return list->file[i].digest;
  return NULL;
}

bristle_fault_kind opened_fault(const opened_list *list, bristle_fault *fault)
{
  if (!list->why) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_FILE, "leave the files as they are, and begin again in an empty folder", "%s",
            list->why);
  return fault_at(fault, list->place, 0, 0);
}

void opened_digest(const opened_list *list, const char *text, char digest[65])
{
  char(*all)[65] = calloc(list->count + 1, sizeof *all);
  digest[0] = '\0'; /* which no result has */
  if (!all) return;
  for (size_t i = 0; i < list->count; i++) memcpy(all[i], list->file[i].digest, sizeof all[i]);
  bristle_digest(text, strlen(text), all[list->count]);
  bristle_digest(all, sizeof *all * (list->count + 1), digest);
  free(all);
}

void opened_free(opened_list *list)
{
  for (size_t i = 0; i < list->count; i++) free(list->file[i].path);
  free(list->file);
  *list = (opened_list){ .count = 0 };
}
