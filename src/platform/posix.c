/* POSIX: Linux, macOS and their kin. */
#include "platform/platform.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *platform_real_path(const char *path) { return realpath(path, NULL); }

/* ---- folders ---- */

long platform_match(const char *pattern, int (*each)(void *context, const char *path), void *context)
{
  glob_t found;
  if (glob(pattern, 0, NULL, &found)) return 0;
  const long count = (long)found.gl_pathc;
  for (long i = 0; i < count && !each(context, found.gl_pathv[i]); i++) {}
  globfree(&found);
  return count;
}

char *platform_temporary_folder(void)
{
  static const char ending[] = "/bristle-XXXXXX";
  const char *given = getenv("TMPDIR"), *above = given && *given ? given : "/tmp";
  char *path = malloc(strlen(above) + sizeof ending);
  if (!path) return NULL;
  strcpy(path, above);
  strcat(path, ending);
  if (mkdtemp(path)) return path;
  free(path);
  return NULL;
}

/* ---- files that are being written ---- */

static int lock(int file) { return flock(file, LOCK_EX | LOCK_NB); }

/* Is the new file ours? Another run may have taken it for a stale one before it was locked. */
static int is_kept(int file)
{
  struct stat about;
  if (lock(file) && errno == EWOULDBLOCK) return 0;
  return !fstat(file, &about) && about.st_nlink > 0;
}

int platform_create(const char *path, const char *replaces, FILE **stream, platform_hold *hold)
{
  struct stat about;
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return -1;
  if (!is_kept(file)) {
    close(file);
    errno = EEXIST;
    return -1;
  }
  if (!stat(replaces, &about) && fchmod(file, about.st_mode & 07777)) errno = 0;
  *hold = fcntl(file, F_DUPFD_CLOEXEC, 0);
  *stream = *hold < 0 ? NULL : fdopen(file, "w");
  if (*stream) return 0;
  const int error = errno;
  close(file);
  unlink(path);
  errno = error;
  return -1;
}

void platform_release(platform_hold hold)
{
  if (hold >= 0) close((int)hold);
}

void platform_remove_stale(const char *path)
{
  struct stat about;
  const int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  if (!fstat(file, &about) && S_ISREG(about.st_mode) && about.st_uid == geteuid() && !lock(file)) unlink(path);
  close(file);
}

/* ---- the end of a program ---- */

static void (*before_end)(void);
static void (*on_stop)(void);
static unsigned patience;

static void end(int number)
{
  before_end();
  signal(number, SIG_DFL);
  raise(number);
}

static void stop(int number)
{
  on_stop();
  signal(number, end); /* the second Ctrl-C ends the program at once, */
  alarm(patience);     /* and so does the time when the job does not listen */
}

void platform_before_end(void (*last)(void))
{
  static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGALRM, SIGXCPU };
  before_end = last;
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
    if (signal(ends[k], end) == SIG_IGN && ends[k] == SIGHUP) signal(SIGHUP, SIG_IGN); /* nohup wants it so */
  signal(SIGXFSZ, SIG_IGN); /* a limit for files is a full disk: an error of writing, not an end */
}

void platform_on_stop(void (*wish)(void), unsigned seconds)
{
  on_stop = wish;
  patience = seconds;
  signal(SIGINT, stop);
  signal(SIGTERM, stop);
}

void platform_be_patient(void) { alarm(0); }

/* ---- other programs and libraries ---- */

int platform_run(char *const *arguments, const char *messages)
{
  const pid_t child = fork();
  if (child == 0) {
    const int file = open(messages, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file >= 0) dup2(file, 1), dup2(file, 2);
    execvp(arguments[0], arguments);
    _exit(127);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

void *platform_library(const char *path, int shared, char *why, size_t room)
{
  void *library = dlopen(path, RTLD_NOW | (shared ? RTLD_GLOBAL : RTLD_LOCAL));
  if (!library && room) snprintf(why, room, "%s", dlerror());
  return library;
}

void *platform_function(void *library, const char *name) { return dlsym(library, name); }
