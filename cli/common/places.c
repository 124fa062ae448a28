/* Where examples and documents are: beside the tool in an installation, or in the tree that it was built in. */
#include "cli.h"

#include "platform/platform.h"

/* the first of two folders, seen from that of the program, that has this file in it; NULL: none. To be freed */
static char *find(const char *program, const char *const places[2], const char *file)
{
  for (int i = 0; i < 2; i++) {
    char path[8200];
    snprintf(path, sizeof path, "%.*s%s/%s", (int)(platform_name(program) - program), program, places[i], file);
    if (!platform_can_read(path)) continue;
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
  char *program = platform_own_path(), *place = program ? find(program, folders[kind], files[kind]) : NULL;
  free(program);
  return place;
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
