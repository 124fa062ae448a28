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

void print_places(FILE *out)
{
  static const char *const examples[2] = { "../share/bristle/examples", "../examples" };
  static const char *const documents[2] = { "../share/doc/bristle", "../docs" };
  char program[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  if (length <= 0) return; /* a system that does not tell */
  program[length] = '\0';
  char *place = find(program, examples, "stick_slip.yaml");
  if (place) fprintf(out, "Examples are in %s\n", place);
  free(place);
  place = find(program, documents, "identify.md");
  if (place) fprintf(out, "Documents are in %s\n", place);
  free(place);
}
