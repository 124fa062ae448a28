/* What POSIX and WebAssembly's system interface have in common. */
#include "platform/platform.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

const char platform_library_ending[] = ".so"; /* of modules on macOS too; its linked libraries are .dylib */

void platform_begin(int *argc, char ***argv) { (void)argc, (void)argv; }

/* ---- names of files ---- */

const char *platform_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

int platform_is_absolute(const char *path) { return *path == '/'; }
int platform_separates(char c) { return c == '/'; }

int platform_is_same_name(const char *one, const char *other) { return !strcmp(one, other); }

char *platform_link_target(const char *path)
{
  char target[PATH_MAX];
  const ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0) return NULL;
  target[length] = '\0';
  return strdup(target);
}

#ifdef __APPLE__
char *platform_own_path(void)
{
  char path[PATH_MAX];
  uint32_t room = sizeof path;
  return _NSGetExecutablePath(path, &room) ? NULL : realpath(path, NULL);
}
#else
char *platform_own_path(void) { return platform_link_target("/proc/self/exe"); }
#endif

/* ---- files ---- */

static void tell_about(const struct stat *from, platform_about *about)
{
  about->kind = S_ISREG(from->st_mode)    ? PLATFORM_REGULAR
                : S_ISDIR(from->st_mode)  ? PLATFORM_FOLDER
                : S_ISFIFO(from->st_mode) ? PLATFORM_PIPE
                                          : PLATFORM_DEVICE;
  about->size = (long long)from->st_size;
  about->changed = (long long)from->st_mtime;
  about->device = (unsigned long long)from->st_dev;
  about->inode = (unsigned long long)from->st_ino;
}

int platform_look(const char *path, platform_about *about)
{
  struct stat found;
  if (stat(path, &found)) return -1;
  tell_about(&found, about);
  return 0;
}

int platform_look_at(FILE *stream, platform_about *about)
{
  struct stat found;
  if (fstat(fileno(stream), &found)) return -1;
  tell_about(&found, about);
  return 0;
}

int platform_is_same_file(const platform_about *one, const platform_about *other)
{
  return one->device == other->device && one->inode == other->inode;
}

/* A file of the kernel, or a pipe that took a file's place, has no right to keep its reader waiting. */
FILE *platform_open(const char *path, const char *mode)
{
#ifdef __wasi__
  return fopen(path, mode);
#else
  if (*mode != 'r') return fopen(path, mode);
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  FILE *stream = file < 0 ? NULL : fdopen(file, mode);
  if (file >= 0 && !stream) close(file);
  return stream;
#endif
}

int platform_seek(FILE *stream, long long place) { return fseeko(stream, (off_t)place, SEEK_SET); }
int platform_remove(const char *path) { return unlink(path); }
int platform_replace(const char *from, const char *to) { return rename(from, to); }
int platform_make_folder(const char *path) { return mkdir(path, 0777); }
int platform_remove_folder(const char *path) { return rmdir(path); }
int platform_can_read(const char *path) { return !access(path, R_OK); }
int platform_can_write(const char *path) { return !access(path, W_OK); }

void platform_list(const char *folder, void (*each)(void *context, const char *name), void *context)
{
  DIR *list = opendir(folder);
  for (struct dirent *e; list && (e = readdir(list));) each(context, e->d_name);
  if (list) closedir(list);
}

/* ---- streams ---- */

FILE *platform_memory_open(platform_memory *memory)
{
  *memory = (platform_memory){ 0 };
  return memory->stream = open_memstream(&memory->text, &memory->size);
}

int platform_memory_close(platform_memory *memory)
{
  const int error = ferror(memory->stream);
  if (!fclose(memory->stream) && !error) return 0;
  free(memory->text);
  memory->text = NULL, memory->size = 0;
  return -1;
}

int platform_is_terminal(FILE *stream) { return isatty(fileno(stream)); }

int platform_shows_symbols(FILE *stream)
{
  static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
  if (!platform_is_terminal(stream)) return 0;
  for (int k = 0; k < 3; k++) {
    const char *value = getenv(names[k]);
    if (value && *value) return strstr(value, "UTF-8") || strstr(value, "utf8") || strstr(value, "UTF8");
  }
  return 0;
}

void platform_tell(intptr_t pipe, const char *text)
{
  if (write((int)pipe, text, strlen(text)) < 0) errno = 0; /* nobody listens any more */
}

/* ---- time, processors, memory ---- */

double platform_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int platform_processors(void)
{
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? (int)count : 1;
}

void *platform_aligned(size_t alignment, size_t size) { return aligned_alloc(alignment, size); }
void platform_aligned_free(void *memory) { free(memory); }
