/* WebAssembly's system interface: one process, one view of its folders, no signals, no other programs. */
#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* a name is taken as it is */
char *platform_real_path(const char *path)
{
  struct stat about;
  return stat(path, &about) ? NULL : strdup(path);
}

/* ---- folders ---- */

long platform_match(const char *pattern, int (*each)(void *context, const char *path), void *context)
{
  (void)pattern, (void)each, (void)context;
  return -1;
}

char *platform_temporary_folder(void)
{
  errno = ENOSYS;
  return NULL;
}

/* ---- files that are being written ---- */

int platform_create(const char *path, const char *replaces, FILE **stream, platform_hold *hold)
{
  (void)replaces;
  *hold = PLATFORM_NO_HOLD;
  *stream = fopen(path, "wx");
  return *stream ? 0 : -1;
}

void platform_release(platform_hold hold) { (void)hold; }
void platform_remove_stale(const char *path) { (void)path; } /* without locks nobody knows */

/* ---- the end of a program ---- */

void platform_before_end(void (*last)(void)) { (void)last; }
void platform_on_stop(void (*wish)(void), unsigned seconds) { (void)wish, (void)seconds; }
void platform_be_patient(void) {}

/* ---- other programs and libraries ---- */

int platform_run(char *const *arguments, const char *messages)
{
  (void)arguments, (void)messages;
  return 127;
}

void *platform_library(const char *path, int shared, char *why, size_t room)
{
  (void)shared;
  if (room) snprintf(why, room, "%s: nothing can be loaded here", path);
  return NULL;
}

void *platform_function(void *library, const char *name) { return (void)library, (void)name, NULL; }
