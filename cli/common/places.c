/* Where examples and documents are: beside the tool in an installation, or in the tree that it was built in. */
#include "cli.h"

#include "io/platform.h"

#include <limits.h>

/* the first of two folders, seen from that of the program, that has this file in it; NULL: none. To be freed */
static char *find(const char *program, const char *const places[2], const char *file)
{
  for (int i = 0; i < 2; i++) {
    char path[2 * PATH_MAX];
    const int folder = (int)(strrchr(program, '/') - program);
    snprintf(path, sizeof path, "%.*s/%s/%s", folder, program, places[i], file);
    if (access(path, R_OK)) continue;
    *strrchr(path, '/') = '\0';
    return platform_real_path(path);
  }
  return NULL;
}

char *find_place(place_kind kind)
{
  static const char *const folders[][2] = { { "../share/bristle/examples", "../examples" },
                                            { "../share/doc/bristle", "../docs" } };
  static const char *const files[] = { "stick_slip.yaml", "identify.md" };
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return NULL; /* a system that does not tell */
  program[length] = '\0';
  return find(program, folders[kind], files[kind]);
}

void print_places(FILE *out)
{
  static const char *const words[] = { "Examples", "Documents" };
  for (int kind = PLACE_EXAMPLES; kind <= PLACE_DOCUMENTS; kind++) {
    char *place = find_place((place_kind)kind);
    if (place) fprintf(out, "%s are in %s\n", words[kind], place);
    free(place);
  }
}
