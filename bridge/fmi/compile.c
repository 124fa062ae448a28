/* The shared object of a unit, made by the compiler of this machine. */
#include "fmi/fmi.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* runs a program and waits for it; its messages go to a file */
static int run(char *const *argv, const char *messages)
{
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) dup2(file, 1), dup2(file, 2);
    execvp(argv[0], argv);
    _exit(127);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

static int write_whole(const char *path, const char *text)
{
  FILE *out = fopen(path, "w");
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
    const int code = run(steps[i], path[5]);
    if (!code) continue;
    snprintf(why, room, code == 127 ? "there is no compiler '%s'" : "'%s' failed", cc);
    last_words(path[5], why, room);
    return 0;
  }
  return 1;
}

char *fmi_compile(const char *source, const char *slopes, size_t *size, char *why, size_t room)
{
  const char *given = getenv("CC"), *folder = getenv("TMPDIR");
  char path[PATHS][300], work[200], cc[200], *binary = NULL;
  snprintf(cc, sizeof cc, "%s", given && *given ? given : "cc");
  snprintf(work, sizeof work, "%.150s/bristle-fmu-XXXXXX", folder && *folder ? folder : "/tmp");
  snprintf(why, room, "no folder for temporary files");
  if (!mkdtemp(work)) return NULL;
  for (int i = 0; i < PATHS; i++) snprintf(path[i], sizeof path[i], "%s/%s", work, path_names[i]);
  if (write_whole(path[0], source) && write_whole(path[1], slopes) && build(cc, path, why, room))
    binary = buffer_read(path[4], size);
  for (int i = 0; i < PATHS - 1; i++) unlink(path[i]);
  rmdir(work);
  return binary;
}
