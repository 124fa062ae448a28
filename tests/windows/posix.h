/* What the unit tests take from POSIX and mingw-w64 lacks; the compiler reads it before every test file. Temporary files
   go to /tmp of the current drive, which wine has. */
#ifndef TESTS_WINDOWS_POSIX_H
#define TESTS_WINDOWS_POSIX_H

#include <direct.h>
#include <io.h>
#include <stdlib.h>

static inline char *mkdtemp(char *name) { return _mktemp(name) && !_mkdir(name) ? name : NULL; }

/* with the separators that tests compare */
static inline char *realpath(const char *path, char *resolved)
{
  char *whole = _fullpath(resolved, path, _MAX_PATH);
  for (char *c = whole; c && *c; c++)
    if (*c == '\\') *c = '/';
  return whole;
}

static inline int geteuid(void) { return 0; }
#define mkdir(path, mode) _mkdir(path)

#endif
