/* Output that appears whole or not at all: written to a temporary file beside its place, then renamed. */
#include "io/files.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { BUFFER = 1 << 18, MOST_UNFINISHED = 16, ATTEMPTS = 1000 };

static const char ENDING[] = ".bristle-part"; /* a name that nobody else gives to a file */

struct bristle_output {
  FILE *stream;
  char *path;         /* as the user named it; NULL for the standard output */
  char *place;        /* where it shall be */
  char *temporary;    /* where it is until then; NULL when written directly */
  platform_hold hold; /* keeps others from taking the temporary file for a stale one */
  int slot;           /* of the temporary file in `unfinished`; or -1 */
};

/* ---- files to remove when a signal ends the program ---- */

/* the handler of a signal may look at it at any time, and threads may write side by side */
static _Atomic(char *) unfinished[MOST_UNFINISHED];

static int note_unfinished(char *temporary)
{
  for (int k = 0; k < MOST_UNFINISHED; k++) {
    char *empty = NULL;
    if (atomic_compare_exchange_strong(&unfinished[k], &empty, temporary)) return k;
  }
  return -1;
}

static void forget_unfinished(bristle_output *o)
{
  if (o->slot >= 0) unfinished[o->slot] = NULL;
  o->slot = -1;
}

void bristle_output_abandon(void)
{
  for (int k = 0; k < MOST_UNFINISHED; k++) {
    const char *temporary = unfinished[k];
    if (temporary) platform_remove(temporary);
  }
}

static bristle_fault_kind cannot_write(const char *path, int error, bristle_fault *fault)
{
  const char *hint = error == ENOENT                      ? "make the folder first"
                     : error == EACCES || error == EROFS  ? "choose a folder you may write to"
                     : error == ENOSPC || error == EDQUOT ? "the disk is full"
                     : error == EFBIG                     ? "files may not grow that large here"
                     : error == EISDIR                    ? "name a file in it"
                     : error == EBUSY                     ? "close the program that has it open"
                                                          : NULL;
  fault_set(fault, BRISTLE_FAULT_FILE, hint, "the file cannot be written (%s)", strerror(error));
  return fault_at(fault, !path ? "standard output" : *path ? path : "(no name)", 0, 0);
}

static void release(bristle_output *o)
{
  forget_unfinished(o);
  platform_release(o->hold);
  free(o->path);
  free(o->place);
  free(o->temporary);
  free(o);
}

/* ---- the temporary file ---- */

/* Files that killed runs left beside this place. Whoever still writes one holds it. */
static void remove_stale(void *context, const char *found)
{
  const bristle_output *o = context;
  const char *name = platform_name(o->place), *number = found + strlen(name) + sizeof ENDING - 1;
  const size_t length = strlen(name), folder = (size_t)(name - o->place);
  if (strncmp(found, name, length) || strncmp(found + length, ENDING, sizeof ENDING - 1)) return;
  if (!*number || number[strspn(number, "0123456789")]) return;
  char *path = malloc(folder + strlen(found) + 1);
  if (!path) return;
  memcpy(path, o->place, folder);
  strcpy(path + folder, found);
  platform_remove_stale(path);
  free(path);
}

static void remove_all_stale(bristle_output *o)
{
  char *folder = text_copy(o->place, (size_t)(platform_name(o->place) - o->place));
  if (folder) platform_list(folder, remove_stale, o);
  free(folder);
}

/* a new file beside its place, with the permissions that a file made in the usual way has */
static int open_temporary(bristle_output *o)
{
  const size_t length = strlen(o->place), room = sizeof ENDING + 12;
  o->temporary = malloc(length + room);
  if (!o->temporary) return ENOMEM;
  memcpy(o->temporary, o->place, length);
  remove_all_stale(o);
  for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
    snprintf(o->temporary + length, room, "%s%u", ENDING, attempt);
    if (!platform_create(o->temporary, o->place, &o->stream, &o->hold)) {
      o->slot = note_unfinished(o->temporary);
      return 0;
    }
    if (errno != EEXIST) return errno;
  }
  return EEXIST;
}

static int open_stream(bristle_output *o)
{
  platform_about about;
  const int there = !platform_look(o->place, &about);
  if (there && about.kind == PLATFORM_FOLDER) return EISDIR;
  if (there && !platform_can_write(o->place)) return errno;
  if (!there || about.kind == PLATFORM_REGULAR) return open_temporary(o);
  o->stream = platform_open(o->place, "w"); /* a device or a pipe cannot be replaced */
  return o->stream ? 0 : errno;
}

/* ---- outputs ---- */

typedef bristle_fault_kind claim_function(const char *path, const char *place, bristle_fault *fault);

static bristle_fault_kind open_claimed(bristle_output *o, const char *path, bristle_output_kind kind,
                                       claim_function *claim, bristle_fault *fault)
{
  o->path = strdup(path);
  o->place = o->path ? files_resolve(path) : NULL;
  if (!o->place) return cannot_write(path, errno, fault);
  bristle_fault_kind refused = claim(path, o->place, fault); /* first: that an input is lost is worse than its kind */
  if (!refused) refused = files_replaceable(path, o->place, kind, fault);
  if (refused) return refused;
  const int error = open_stream(o);
  if (error) return cannot_write(path, error, fault);
  setvbuf(o->stream, NULL, _IOFBF, BUFFER);
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind open_output(const char *path, bristle_output_kind kind, claim_function *claim,
                                      bristle_output **output, bristle_fault *fault)
{
  bristle_output *o = calloc(1, sizeof *o);
  *output = NULL;
  if (!o) return cannot_write(path, ENOMEM, fault);
  o->hold = PLATFORM_NO_HOLD, o->slot = -1;
  bristle_fault_kind refused = BRISTLE_FAULT_NONE;
  if (!path || !strcmp(path, "-")) o->stream = stdout;
  else refused = open_claimed(o, path, kind, claim, fault);
  if (refused) release(o);
  else *output = o;
  return refused;
}

bristle_fault_kind bristle_output_open(const char *path, bristle_output_kind kind, bristle_output **output,
                                       bristle_fault *fault)
{
  return open_output(path, kind, files_writing, output, fault);
}

bristle_fault_kind bristle_output_reserve(const char *path, bristle_output_kind kind, bristle_fault *fault)
{
  platform_about about;
  bristle_output *trial;
  if (!path || !strcmp(path, "-") || (!platform_look(path, &about) && about.kind == PLATFORM_PIPE))
    return BRISTLE_FAULT_NONE;
  bristle_fault_kind refused = open_output(path, kind, files_reserve, &trial, fault);
  if (!refused) bristle_output_discard(trial);
  return refused;
}

FILE *bristle_output_stream(bristle_output *output) { return output->stream; }

/* What an earlier write ran into: nobody kept its error, but one more byte meets it again, in a file that is given up.
 */
static int why_failed(const bristle_output *o)
{
  if (!o->temporary) return EIO;
  clearerr(o->stream);
  errno = 0;
  return (putc(' ', o->stream) == EOF || fflush(o->stream)) && errno ? errno : EIO;
}

bristle_fault_kind bristle_output_commit(bristle_output *o, bristle_fault *fault)
{
  int error = 0;
  errno = 0;
  if (fflush(o->stream) || ferror(o->stream)) error = errno ? errno : why_failed(o);
  if (o->stream != stdout && fclose(o->stream) && !error) error = errno;
  if (o->temporary && !error && platform_replace(o->temporary, o->place)) error = errno;
  if (o->temporary && error) platform_remove(o->temporary);
  if (o->temporary && !error) files_replaced(o->place);
  bristle_fault_kind kind = error ? cannot_write(o->path, error, fault) : BRISTLE_FAULT_NONE;
  release(o);
  return kind;
}

void bristle_output_discard(bristle_output *o)
{
  if (!o) return;
  if (o->stream != stdout) fclose(o->stream);
  if (o->temporary) platform_remove(o->temporary);
  release(o);
}
