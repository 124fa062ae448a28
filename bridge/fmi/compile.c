/* The shared object of a unit, made by the compiler of this machine. */
#include "fmi/fmi.h"

#include "platform/platform.h"

#include <stdlib.h>
#include <string.h>

static int write_whole(const char *path, const char *text)
{
  FILE *out = platform_open(path, "w");
  if (!out) return 0;
  fputs(text, out);
  return fclose(out) == 0;
}

/* the last line that a compiler said, for a person */
static void last_words(const char *messages, char *why, size_t room)
{
  char *text = buffer_read(messages, NULL), *error = text ? strstr(text, "error") : NULL;
  if (error) snprintf(why, room, "%.*s", (int)strcspn(error, "\n"), error);
  free(text);
}

enum { PATHS = 7 };
static const char *const path_names[PATHS] = { "fmu.c", "slopes.cpp", "fmu.o", "slopes.o", "fmu.so", "said", "" };

/* three calls of the compiler: C, C++ without its runtime, and both together */
static int build(char *cc, char path[PATHS][300], char *why, size_t room)
{
  char *const c[] = { cc,      "-std=c99", "-O2",   "-fPIC", "-fvisibility=hidden", "-ffp-contract=off", "-c",
                      path[0], "-o",       path[2], NULL };
  char *const cpp[] = { cc,
                        "-x",
                        "c++",
                        "-std=c++17",
                        "-fno-exceptions",
                        "-fno-rtti",
                        "-O2",
                        "-fPIC",
                        "-fvisibility=hidden",
                        "-ffp-contract=off",
                        "-c",
                        path[1],
                        "-o",
                        path[3],
                        NULL };
  char *const link[] = { cc, "-shared", path[2], path[3], "-lm", "-o", path[4], NULL };
  char *const *const steps[] = { c, cpp, link };
  for (int i = 0; i < 3; i++) {
    const int code = platform_run(steps[i], path[5]);
    if (!code) continue;
    snprintf(why, room, code == 127 ? "there is no compiler '%s'" : "'%s' failed", cc);
    last_words(path[5], why, room);
    return 0;
  }
  return 1;
}

char *fmi_compile(const char *source, const char *slopes, size_t *size, char *why, size_t room)
{
  const char *given = getenv("CC");
  char path[PATHS][300], cc[200], *binary = NULL, *work = platform_temporary_folder();
  snprintf(cc, sizeof cc, "%s", given && *given ? given : "cc");
  snprintf(why, room, "no folder for temporary files");
  if (!work) return NULL;
  for (int i = 0; i < PATHS; i++) snprintf(path[i], sizeof path[i], "%.280s/%s", work, path_names[i]);
  if (write_whole(path[0], source) && write_whole(path[1], slopes) && build(cc, path, why, room))
    binary = buffer_read(path[4], size);
  for (int i = 0; i < PATHS - 1; i++) platform_remove(path[i]);
  platform_remove_folder(work);
  free(work);
  return binary;
}
