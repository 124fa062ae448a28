/* What WebAssembly's system interface lacks of POSIX, so that files.c and write.c need not know. */
#ifndef IO_PLATFORM_H
#define IO_PLATFORM_H

#include <unistd.h>

#ifdef __wasi__
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* a name is taken as it is: one process has one view of its folders */
static inline char *platform_real_path(const char *path)
{
  struct stat about;
  return stat(path, &about) ? NULL : strdup(path);
}
static inline int platform_is_mine(const struct stat *about) { return (void)about, 0; } /* without locks nobody knows */
static inline void platform_take_mode(int file, const struct stat *about) { (void)file, (void)about; }
enum { PLATFORM_HAS_LOCKS = 0 };
static inline int platform_lock(int file) { return (void)file, 0; }
static inline int platform_duplicate(int file) { return (void)file, -1; }

#else
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>

static inline char *platform_real_path(const char *path) { return realpath(path, NULL); }
static inline int platform_is_mine(const struct stat *about) { return about->st_uid == geteuid(); }
static inline void platform_take_mode(int file, const struct stat *about)
{
  if (fchmod(file, about->st_mode & 07777)) errno = 0;
}
enum { PLATFORM_HAS_LOCKS = 1 };
static inline int platform_lock(int file) { return flock(file, LOCK_EX | LOCK_NB); }
static inline int platform_duplicate(int file) { return fcntl(file, F_DUPFD_CLOEXEC, 0); }
#endif

#endif
