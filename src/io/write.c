/* Output that appears whole or not at all: written to a temporary file beside its place, then renamed. */
#include "io/support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 18 };

struct bristle_output {
  FILE *stream;
  char *path;      /* where it shall be; NULL for the standard output */
  char *temporary; /* where it is until then; NULL when written directly */
};

static bristle_fault_kind cannot_write(const char *path, int error, bristle_fault *fault)
{
  const char *hint = error == ENOENT                      ? "make the folder first"
                     : error == EACCES || error == EROFS  ? "choose a folder you may write to"
                     : error == ENOSPC || error == EDQUOT ? "the disk is full"
                     : error == EISDIR                    ? "name a file in it"
                                                          : NULL;
  fault_set(fault, BRISTLE_FAULT_FILE, hint, "the file cannot be written (%s)", strerror(error));
  return fault_at(fault, path ? path : "standard output", 0, 0);
}

static void release(bristle_output *o)
{
  free(o->path);
  free(o->temporary);
  free(o);
}

/* a new file beside `path`, with the permissions that a file made in the usual way has */
static int open_temporary(bristle_output *o)
{
  struct stat about;
  size_t length = strlen(o->path);
  o->temporary = malloc(length + 16);
  if (!o->temporary) return ENOMEM;
  memcpy(o->temporary, o->path, length);
  for (unsigned attempt = 0; attempt < 1000; attempt++) {
    snprintf(o->temporary + length, 16, ".part%u", attempt);
    int file = open(o->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST) continue;
    if (file < 0) return errno;
    if (!stat(o->path, &about) && fchmod(file, about.st_mode & 07777)) errno = 0; /* keep what the old file had */
    o->stream = fdopen(file, "w");
    if (o->stream) return 0;
    int error = errno;
    close(file);
    unlink(o->temporary);
    return error;
  }
  return EEXIST;
}

static int open_file(bristle_output *o, const char *path)
{
  struct stat about;
  int there = !stat(path, &about);
  if (there && S_ISDIR(about.st_mode)) return EISDIR;
  if (there && access(path, W_OK)) return errno;
  if (there) o->path = realpath(path, NULL); /* behind a link, the link stays */
  if (!o->path && (o->path = malloc(strlen(path) + 1))) strcpy(o->path, path);
  if (!o->path) return ENOMEM;
  if (!there || S_ISREG(about.st_mode)) return open_temporary(o);
  o->stream = fopen(path, "w"); /* a device or a pipe cannot be replaced */
  return o->stream ? 0 : errno;
}

bristle_fault_kind bristle_output_open(const char *path, bristle_output **output, bristle_fault *fault)
{
  bristle_output *o = calloc(1, sizeof *o);
  *output = NULL;
  if (!o) return cannot_write(path, ENOMEM, fault);
  if (!path || !strcmp(path, "-")) {
    o->stream = stdout;
  } else {
    int error = open_file(o, path);
    if (error) {
      release(o);
      return cannot_write(path, error, fault);
    }
    setvbuf(o->stream, NULL, _IOFBF, BUFFER);
  }
  *output = o;
  return BRISTLE_FAULT_NONE;
}

FILE *bristle_output_stream(bristle_output *output) { return output->stream; }

bristle_fault_kind bristle_output_commit(bristle_output *o, bristle_fault *fault)
{
  int error = 0;
  errno = 0;
  if (fflush(o->stream) || ferror(o->stream)) error = errno ? errno : EIO;
  if (o->stream != stdout && fclose(o->stream) && !error) error = errno;
  if (o->temporary && !error && rename(o->temporary, o->path)) error = errno;
  if (o->temporary && error) unlink(o->temporary);
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
