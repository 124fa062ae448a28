/* Whole files. Devices, pipes and sockets may never end: only regular files are opened by their names, and what comes
   through the standard input has a limit. */
#include "io/files.h"
#include "io/opened.h"

#include <stdlib.h>

static const size_t LARGEST_PIPE = (size_t)1 << 30;

static bristle_fault_kind cannot_read(const char *path, bristle_fault *fault, int error)
{
  const char *hint = error == ENOENT   ? "check the name and the folder"
                     : error == EACCES ? "you may not read it: change its permissions"
                                       : NULL;
  fault_set(fault, BRISTLE_FAULT_FILE, hint, "the file cannot be read (%s)", strerror(error));
  return fault_at(fault, path[0] ? path : "(no name)", 0, 0);
}

static bristle_fault_kind no_file(const char *path, const platform_about *about, bristle_fault *fault)
{
  if (about->kind == PLATFORM_FOLDER)
    fault_set(fault, BRISTLE_FAULT_FILE, "name a file in it", "this is a folder, expected a file");
  else
    fault_set(fault, BRISTLE_FAULT_FILE, "write the data into a file, or name '-' and pipe them in",
              "this is a device or a pipe, expected a file");
  return fault_at(fault, path, 0, 0);
}

/* looked at before it is opened, since a pipe without a writer would keep us there, and again when it is */
static bristle_fault_kind open_regular(const char *path, FILE **stream, platform_about *about, bristle_fault *fault)
{
  *stream = NULL;
  if (platform_look(path, about)) return cannot_read(path, fault, errno);
  if (about->kind != PLATFORM_REGULAR) return no_file(path, about, fault);
  if (!(*stream = platform_open(path, "rb")) || platform_look_at(*stream, about)) {
    const int error = errno;
    if (*stream) fclose(*stream);
    return cannot_read(path, fault, error);
  }
  if (about->kind == PLATFORM_REGULAR) return BRISTLE_FAULT_NONE;
  fclose(*stream);
  return no_file(path, about, fault);
}

static bristle_fault_kind slurp(FILE *stream, const char *path, size_t expected, size_t most, char **text, size_t *size,
                                bristle_fault *fault)
{
  size_t room = expected + 4096, used = 0;
  char *buffer = malloc(room);
  while (buffer) {
    used += fread(buffer + used, 1, room - 1 - used, stream);
    if (used < room - 1 || used > most) break;
    char *larger = room < SIZE_MAX / 2 ? realloc(buffer, room *= 2) : NULL;
    if (!larger) free(buffer);
    buffer = larger;
  }
  if (!buffer) {
    fault_set(fault, BRISTLE_FAULT_MEMORY, "split the file", "not enough memory for the whole file");
    return fault_at(fault, path, 0, 0);
  }
  if (used > most || ferror(stream)) {
    const int error = errno;
    free(buffer);
    if (used <= most) return cannot_read(path, fault, error);
    fault_set(fault, BRISTLE_FAULT_FILE, "write it into a file, and name that",
              "found more than %zu MiB, expected less", most >> 20);
    return fault_at(fault, path, 0, 0);
  }
  buffer[used] = '\0';
  *text = buffer;
  *size = used;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind read_standard_input(char **text, size_t *size, bristle_fault *fault)
{
  static const char name[] = "standard input";
  platform_about about;
  if (platform_look_at(stdin, &about)) about.kind = PLATFORM_DEVICE;
  const bristle_fault_kind kind = files_reading(name, &about, fault);
  const int regular = about.kind == PLATFORM_REGULAR;
  return kind ? kind : slurp(stdin, name, 1 << 16, regular ? SIZE_MAX : LARGEST_PIPE, text, size, fault);
}

static bristle_fault_kind read_file(const char *path, int guarded, char **text, size_t *size, bristle_fault *fault)
{
  platform_about about;
  FILE *stream;
  bristle_fault_kind kind = open_regular(path, &stream, &about, fault);
  if (kind) return kind;
  if (guarded) kind = files_reading(path, &about, fault);
  if (!kind) kind = slurp(stream, path, about.size > 0 ? (size_t)about.size : 0, SIZE_MAX, text, size, fault);
  fclose(stream);
  return kind;
}

bristle_fault_kind read_own(const char *path, char **text, size_t *size, bristle_fault *fault)
{
  *text = NULL;
  return read_file(path, 0, text, size, fault);
}

bristle_fault_kind read_whole(const char *path, char **text, size_t *size, bristle_fault *fault)
{
  *text = NULL;
  const bristle_fault_kind kind = strcmp(path, "-") ? read_file(path, 1, text, size, fault)
                                                    : read_standard_input(text, size, fault);
  opened_note(path, kind ? NULL : *text, kind ? 0 : *size);
  return kind;
}
