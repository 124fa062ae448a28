/* Lets a program or library that was linked on a new system run on one with glibc 2.28 or older.
 *
 * glibc 2.33 and 2.34 gave a few functions new versions (stat became a function of its own, threads and dlopen moved
 * into libc), and a linker asks for the newest. The link options of cmake/older_glibc.cmake lead these names here
 * (--wrap), and from here they go to the versions that every glibc has had since its port to the processor. */
#include "older_glibc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/stat.h>

#ifdef __x86_64__
enum { STAT_VERSION = 1 };
#else
enum { STAT_VERSION = 0 };
#endif

#define WRAP(type, name, parameters, arguments)                                                                        \
  type older_##name parameters;                                                                                        \
  OLDER(name, name);                                                                                                   \
  type __wrap_##name parameters;                                                                                       \
  type __wrap_##name parameters { return older_##name arguments; }

WRAP(int, pthread_create, (pthread_t * thread, const pthread_attr_t *how, void *(*run)(void *), void *data),
     (thread, how, run, data))
WRAP(int, pthread_join, (pthread_t thread, void **result), (thread, result))
WRAP(void *, dlopen, (const char *file, int how), (file, how))
WRAP(void *, dlsym, (void *library, const char *name), (library, name))
WRAP(char *, dlerror, (void), ())

int older_stat(int version, const char *path, struct stat *about);
int older_fstat(int version, int file, struct stat *about);
OLDER(stat, __xstat);
OLDER(fstat, __fxstat);
int __wrap_stat(const char *path, struct stat *about);
int __wrap_fstat(int file, struct stat *about);
int __wrap_stat(const char *path, struct stat *about) { return older_stat(STAT_VERSION, path, about); }
int __wrap_fstat(int file, struct stat *about) { return older_fstat(STAT_VERSION, file, about); }
