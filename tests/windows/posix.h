/* What the unit tests take from POSIX and mingw-w64 lacks; the compiler reads it before every test file. Temporary
   files go to /tmp of the current drive, which wine has. */
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static inline char *mkdtemp(char *name) { return _mktemp(name) && !_mkdir(name) ? name : NULL; }

/* with the separators that tests compare */
static inline char *realpath(const char *path, char *resolved)
{
  char *whole = _fullpath(resolved, path, _MAX_PATH);
  for (char *c = whole; c && *c; c++)
    if (*c == '\\') *c = '/';
  return whole;
}

/* a new file whose name ends with `ending` characters behind the six that change */
static inline int mkstemps(char *name, int ending)
{
  char *end = name + strlen(name) - ending, first = *end;
  *end = 0;
  name = _mktemp(name);
  *end = first;
  return name ? _open(name, _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY, _S_IREAD | _S_IWRITE) : -1;
}

static inline int setenv(const char *name, const char *value, int replace)
{
  (void)replace;
  return _putenv_s(name, value);
}
static inline int unsetenv(const char *name) { return _putenv_s(name, ""); }

/* whoever runs the tests may read everything */
static inline int geteuid(void) { return 0; }
static inline int fchmod(int file, int mode) { return (void)file, (void)mode, 0; }

#endif
