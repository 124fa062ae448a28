/* Which files a run reads and writes. Files are told apart by device and inode, so that links do not deceive; a file
   that is not there yet by its folder and its name. */
#include "io/files.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MOST_LINKS = 40 };

typedef enum file_role { READ, RESERVED, WRITTEN, STREAM } file_role;

typedef struct entry {
  char *path, *place; /* as the user named it; resolved, NULL for inputs and streams */
  file_role role;
  int exists;
  platform_about about;
} entry;

/* the one thing that the readers and writers remember, and only in a guarded run */
static struct {
  int guarded;
  entry *list;
  size_t count, room;
} files;

/* threads read and write side by side; each holds the list for a few comparisons */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void list_take(void)
{
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) continue;
}
static void list_give(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

/* ---- places ---- */

/* frees `used` and leaves errno as it is */
static char *after(char *used, char *result)
{
  const int error = errno;
  free(used);
  errno = error;
  return result;
}

/* "folder/name" with the folder behind its links; NULL with errno */
static char *resolve_folder(const char *path)
{
  const char *name = platform_name(path);
  if (!*name || !strcmp(name, ".") || !strcmp(name, "..")) {
    errno = ENOENT;
    return NULL;
  }
  char *above = text_copy(path, (size_t)(name - path)),
       *folder = above ? platform_real_path(*above ? above : ".") : NULL;
  char *whole = folder ? malloc(strlen(folder) + strlen(name) + 2) : NULL;
  if (whole) sprintf(whole, "%s%s%s", folder, *platform_name(folder) ? "/" : "", name);
  return after(above, after(folder, whole));
}

/* where a link points, seen from the folder that the link is in; takes both */
static char *follow(char *link, char *target)
{
  const size_t folder = platform_is_absolute(target) ? 0 : (size_t)(platform_name(link) - link);
  char *next = malloc(folder + strlen(target) + 1);
  if (next) sprintf(next, "%.*s%s", (int)folder, link, target);
  free(link);
  free(target);
  return next;
}

char *files_resolve(const char *path)
{
  platform_about about;
  /* a pipe behind /dev/stdout is there, although its link leads to no name */
  if (!platform_look(path, &about) && about.kind >= PLATFORM_PIPE) return strdup(path);
  char *now = strdup(path);
  for (int links = 0; now && links < MOST_LINKS; links++) {
    char *whole = platform_real_path(now);
    if (whole || errno != ENOENT) return after(now, whole);
    char *target = platform_link_target(now); /* a link to what is not there yet */
    if (!target) return after(now, resolve_folder(now));
    now = follow(now, target);
  }
  errno = now ? ELOOP : ENOMEM;
  return after(now, NULL);
}

/* ---- who uses them ---- */

static void identify_entry(entry *e, const platform_about *about)
{
  e->exists = about && about->kind == PLATFORM_REGULAR;
  if (e->exists) e->about = *about;
}

static int is_same(const entry *a, const entry *b)
{
  if (a->place && b->place && platform_is_same_name(a->place, b->place)) return 1;
  return a->exists && b->exists && platform_is_same_file(&a->about, &b->about);
}

static entry *remember(const char *path, const char *place, file_role role, const platform_about *about)
{
  if (files.count == files.room) {
    const size_t room = 2 * files.room + 16;
    entry *larger = realloc(files.list, room * sizeof *larger);
    if (!larger) return NULL;
    files.list = larger, files.room = room;
  }
  entry *e = &files.list[files.count];
  *e = (entry){ strdup(path), place ? strdup(place) : NULL, role, 0, { 0 } };
  identify_entry(e, about);
  files.count += e->path && (e->place || !place);
  return e->path && (e->place || !place) ? e : NULL;
}

void bristle_files_guard(void)
{
  static const char *const names[] = { "the standard output", "the standard error" };
  FILE *const streams[] = { stdout, stderr };
  platform_about about;
  files.guarded = 1;
  for (int k = 0; k < 2; k++)
    if (!platform_look_at(streams[k], &about) && about.kind == PLATFORM_REGULAR)
      remember(names[k], NULL, STREAM, &about);
}

static bristle_fault_kind note_reading(const char *path, const platform_about *about, bristle_fault *fault)
{
  entry now = { 0 };
  identify_entry(&now, about);
  if (!files.guarded || !now.exists) return BRISTLE_FAULT_NONE;
  for (size_t i = 0; i < files.count; i++) {
    const entry *e = &files.list[i];
    if (!is_same(e, &now)) continue;
    if (e->role == READ) return BRISTLE_FAULT_NONE;
    fault_set(fault, BRISTLE_FAULT_FILE, "choose another name for the output",
              e->role == STREAM ? "this file is to be read, but %s goes to it"
                                : "this file is to be read, but the output '%s' would overwrite it",
              e->path);
    return fault_at(fault, path, 0, 0);
  }
  return remember(path, NULL, READ, about) ? BRISTLE_FAULT_NONE : fault_memory(fault);
}

bristle_fault_kind files_reading(const char *path, const platform_about *about, bristle_fault *fault)
{
  list_take();
  const bristle_fault_kind kind = note_reading(path, about, fault);
  list_give();
  return kind;
}

static bristle_fault_kind note_claim(const char *path, const char *place, file_role role, bristle_fault *fault)
{
  platform_about about;
  const int there = !platform_look(place, &about);
  entry now = { .place = (char *)place };
  if (!files.guarded || (there && about.kind != PLATFORM_REGULAR)) return BRISTLE_FAULT_NONE; /* devices hold nothing */
  identify_entry(&now, there ? &about : NULL);
  for (size_t i = 0; i < files.count; i++) {
    entry *e = &files.list[i];
    if (!is_same(e, &now)) continue;
    if (e->role == RESERVED && role == WRITTEN && !strcmp(e->path, path)) {
      e->role = WRITTEN;
      return BRISTLE_FAULT_NONE;
    }
    fault_set(fault, BRISTLE_FAULT_FILE, "choose another name for the output",
              e->role == READ     ? "this output would overwrite the input '%s'"
              : e->role == STREAM ? "%s goes to this file as well"
                                  : "this output would overwrite another one of this run, '%s'",
              e->path);
    return fault_at(fault, path, 0, 0);
  }
  return remember(path, place, role, there ? &about : NULL) ? BRISTLE_FAULT_NONE : fault_memory(fault);
}

static bristle_fault_kind claim(const char *path, const char *place, file_role role, bristle_fault *fault)
{
  list_take();
  const bristle_fault_kind kind = note_claim(path, place, role, fault);
  list_give();
  return kind;
}

bristle_fault_kind files_reserve(const char *path, const char *place, bristle_fault *fault)
{
  return claim(path, place, RESERVED, fault);
}

bristle_fault_kind files_writing(const char *path, const char *place, bristle_fault *fault)
{
  return claim(path, place, WRITTEN, fault);
}

void files_rewriting(const char *path)
{
  list_take();
  for (size_t i = 0; i < files.count; i++)
    if (files.list[i].role == WRITTEN && !strcmp(files.list[i].path, path)) files.list[i].role = RESERVED;
  list_give();
}

void files_replaced(const char *place)
{
  platform_about about;
  list_take();
  for (size_t i = 0; i < files.count; i++)
    if (files.list[i].place && platform_is_same_name(files.list[i].place, place))
      identify_entry(&files.list[i], platform_look(place, &about) ? NULL : &about);
  list_give();
}

/* ---- what is there already ---- */

#define GENERATOR "name=\"generator\" content=\"bristle\""

/* Names that say what a file is, and the first bytes of what this tool writes where names say nothing. */
static const struct {
  const char *what, *names, *begins[2], *has;
} kinds[] = {
  [BRISTLE_OUTPUT_TABLE] = { "a table", "csv", { "t [s]", NULL }, "" },
  [BRISTLE_OUTPUT_PAGE] = { "a page", "html|htm", { "<!doctype html>", NULL }, GENERATOR },
  [BRISTLE_OUTPUT_DOCUMENT] = { "a YAML file",
                                "yaml|yml",
                                { "bristle: 1\n", "rig: prescribed\ntitle: Experiment for " },
                                "" },
  [BRISTLE_OUTPUT_OWN_TABLE] = { "a table that this tool wrote", "", { "t [s]", NULL }, "" },
  [BRISTLE_OUTPUT_OWN_PAGE] = { "a page that this tool wrote", "", { "<!doctype html>", NULL }, GENERATOR },
  [BRISTLE_OUTPUT_EXPORT] = { "a file that this tool wrote", "", { "", NULL }, "written by bristle" },
  [BRISTLE_OUTPUT_ARCHIVE] = { "an FMU", "fmu", { NULL, NULL }, "" },
  [BRISTLE_OUTPUT_SWEEP] = { "a result of a sweep", "npy|csv", { NULL, NULL }, "" },
};

static int is_of_this_tool(const char *place, bristle_output_kind kind)
{
  char start[1024];
  FILE *stream = platform_open(place, "rb");
  if (!stream) return 0;
  start[fread(start, 1, sizeof start - 1, stream)] = '\0';
  fclose(stream);
  for (int k = 0; k < 2; k++) {
    const char *begins = kinds[kind].begins[k];
    if (begins && !strncmp(start, begins, strlen(begins)) && strstr(start, kinds[kind].has)) return 1;
  }
  return 0;
}

bristle_fault_kind files_replaceable(const char *path, const char *place, bristle_output_kind kind,
                                     bristle_fault *fault)
{
  platform_about about;
  char ending[8] = "";
  const char *dot = strrchr(platform_name(place), '.');
  if (platform_look(place, &about) || about.kind != PLATFORM_REGULAR || !about.size) return BRISTLE_FAULT_NONE;
  for (size_t i = 0; dot && dot[1 + i] && i + 1 < sizeof ending; i++)
    ending[i] = (char)tolower((unsigned char)dot[1 + i]);
  if (word_find(kinds[kind].names, ending, strlen(ending)) >= 0) return BRISTLE_FAULT_NONE;
  if (is_of_this_tool(place, kind)) return BRISTLE_FAULT_NONE;
  size_t length;
  const char *usual = word_at(kinds[kind].names, 0, &length);
  char hint[100] = "choose another folder, or remove the file first";
  if (length)
    snprintf(hint, sizeof hint, "choose a name that ends in .%.*s, or remove the file first", (int)length, usual);
  fault_set(fault, BRISTLE_FAULT_FILE, hint, "this file is there already and is not %s: it is not overwritten",
            kinds[kind].what);
  return fault_at(fault, path, 0, 0);
}

bristle_fault_kind files_result(const char *path, bristle_fault *fault)
{
  platform_about about;
  if (platform_look(path, &about) || about.kind == PLATFORM_REGULAR) return BRISTLE_FAULT_NONE;
  fault_set(fault, BRISTLE_FAULT_FILE, "delete it, or choose another folder", "a result has to stand here, found %s",
            about.kind == PLATFORM_FOLDER ? "a folder" : "a device or a pipe");
  return fault_at(fault, path, 0, 0);
}
