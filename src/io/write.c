/* Output that appears whole or not at all: written to a temporary file beside its place, then renamed. */
#include "io/files.h"
#include "io/platform.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

enum { BUFFER = 1 << 18, MOST_UNFINISHED = 16, ATTEMPTS = 1000 };

static const char ENDING[] = ".bristle-part"; /* a name that nobody else gives to a file */

struct bristle_output {
  FILE *stream;
  char *path;      /* as the user named it; NULL for the standard output */
  char *place;     /* where it shall be */
  char *temporary; /* where it is until then; NULL when written directly */
  int lock;        /* keeps others from taking the temporary file for a stale one; or -1 */
  int slot;        /* of the temporary file in `unfinished`; or -1 */
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
    if (temporary) unlink(temporary);
  }
}

static bristle_fault_kind cannot_write(const char *path, int error, bristle_fault *fault)
{
  const char *hint = error == ENOENT                      ? "make the folder first"
                     : error == EACCES || error == EROFS  ? "choose a folder you may write to"
                     : error == ENOSPC || error == EDQUOT ? "the disk is full"
                     : error == EFBIG                     ? "files may not grow that large here"
                     : error == EISDIR                    ? "name a file in it"
                                                          : NULL;
  fault_set(fault, BRISTLE_FAULT_FILE, hint, "the file cannot be written (%s)", strerror(error));
  return fault_at(fault, !path ? "standard output" : *path ? path : "(no name)", 0, 0);
}

static void release(bristle_output *o)
{
  forget_unfinished(o);
  if (o->lock >= 0) close(o->lock);
  free(o->path);
  free(o->place);
  free(o->temporary);
  free(o);
}

/* ---- the temporary file ---- */

/* Files that killed runs left beside this place. Whoever still writes one holds its lock. */
static void remove_stale(const char *place)
{
  const char *name = strrchr(place, '/') + 1;
  const size_t length = strlen(name), ending = sizeof ENDING - 1;
  char *folder = strndup(place, (size_t)(name - place));
  DIR *list = folder ? opendir(folder) : NULL;
  free(folder);
  for (struct dirent *e; list && (e = readdir(list));) {
    const char *found = e->d_name, *number = found + length + ending;
    if (strncmp(found, name, length) || strncmp(found + length, ENDING, ending)) continue;
    if (!*number || number[strspn(number, "0123456789")]) continue;
    struct stat about;
    const int file = openat(dirfd(list), found, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) continue;
    if (!fstat(file, &about) && S_ISREG(about.st_mode) && platform_is_mine(&about) && !platform_lock(file))
      unlinkat(dirfd(list), found, 0);
    close(file);
  }
  if (list) closedir(list);
}

/* Is the new file ours? Another run may have taken it for a stale one before it was locked. */
static int is_kept(int file)
{
  struct stat about;
  if (platform_lock(file) && errno == EWOULDBLOCK) return 0;
  return !fstat(file, &about) && about.st_nlink > 0;
}

static int adopt(bristle_output *o, int file)
{
  struct stat about;
  o->slot = note_unfinished(o->temporary);
  if (!stat(o->place, &about)) platform_take_mode(file, &about); /* keep what the old file had */
  o->lock = platform_duplicate(file);
  o->stream = o->lock < 0 && PLATFORM_HAS_LOCKS ? NULL : fdopen(file, "w");
  if (o->stream) return 0;
  const int error = errno;
  close(file);
  unlink(o->temporary);
  return error;
}

/* a new file beside its place, with the permissions that a file made in the usual way has */
static int open_temporary(bristle_output *o)
{
  const size_t length = strlen(o->place), room = sizeof ENDING + 12;
  o->temporary = malloc(length + room);
  if (!o->temporary) return ENOMEM;
  memcpy(o->temporary, o->place, length);
  remove_stale(o->place);
  for (unsigned attempt = 0; attempt < ATTEMPTS; attempt++) {
    snprintf(o->temporary + length, room, "%s%u", ENDING, attempt);
    const int file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return errno;
    if (is_kept(file)) return adopt(o, file);
    close(file);
  }
  return EEXIST;
}

static int open_stream(bristle_output *o)
{
  struct stat about;
  const int there = !stat(o->place, &about);
  if (there && S_ISDIR(about.st_mode)) return EISDIR;
  if (there && access(o->place, W_OK)) return errno;
  if (!there || S_ISREG(about.st_mode)) return open_temporary(o);
  o->stream = fopen(o->place, "w"); /* a device or a pipe cannot be replaced */
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
  o->lock = o->slot = -1;
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
  struct stat about;
  bristle_output *trial;
  if (!path || !strcmp(path, "-") || (!stat(path, &about) && S_ISFIFO(about.st_mode))) return BRISTLE_FAULT_NONE;
  bristle_fault_kind refused = open_output(path, kind, files_reserve, &trial, fault);
  if (!refused) bristle_output_discard(trial);
  return refused;
}

FILE *bristle_output_stream(bristle_output *output) { return output->stream; }

bristle_fault_kind bristle_output_commit(bristle_output *o, bristle_fault *fault)
{
  int error = 0;
  errno = 0;
  if (fflush(o->stream) || ferror(o->stream)) error = errno ? errno : EIO;
  if (o->stream != stdout && fclose(o->stream) && !error) error = errno;
  if (o->temporary && !error && rename(o->temporary, o->place)) error = errno;
  if (o->temporary && error) unlink(o->temporary);
  if (o->temporary && !error) files_replaced(o->place);
  bristle_fault_kind kind = error ? cannot_write(o->path, error, fault) : BRISTLE_FAULT_NONE;
  release(o);
  return kind;
}

void bristle_output_discard(bristle_output *o)
{
  if (!o) return;
  if (o->stream != stdout) fclose(o->stream);
  if (o->temporary) unlink(o->temporary);
  release(o);
}
