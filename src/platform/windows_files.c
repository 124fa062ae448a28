/* Files of Windows. Which file it is, its handle tells: the serial number of the volume and the file's own number, so
   that another spelling, a short name or a link does not deceive. */
#include "platform/windows.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

/* ---- names of files ---- */

int platform_separates(char c) { return c == '/' || c == '\\'; }

const char *platform_name(const char *path)
{
  const char *name = path;
  if (path[0] && path[1] == ':') name = path + 2;
  for (const char *c = name; *c; c++)
    if (platform_separates(*c)) name = c + 1;
  return name;
}

int platform_is_absolute(const char *path) { return platform_separates(path[0]) || (path[0] && path[1] == ':'); }

/* UTF-8 with '/', without the \\?\ of long names */
static char *plain_name(const wchar_t *wide)
{
  const int network = !wcsncmp(wide, L"\\\\?\\UNC\\", 8), longer = !wcsncmp(wide, L"\\\\?\\", 4);
  char *text = windows_narrow(wide + (network ? 6 : longer ? 4 : 0));
  if (text && network) text[0] = '\\';
  for (char *c = text; c && *c; c++)
    if (*c == '\\') *c = '/';
  return text;
}

/* a handle that reads nothing but what there is to know; it also opens folders */
static HANDLE open_to_look(const char *path)
{
  wchar_t *wide = windows_wide(path);
  if (!wide) return INVALID_HANDLE_VALUE;
  HANDLE file = CreateFileW(wide, FILE_READ_ATTRIBUTES, WINDOWS_SHARE, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS,
                            NULL);
  if (file == INVALID_HANDLE_VALUE) windows_fail();
  free(wide);
  return file;
}

char *platform_real_path(const char *path)
{
  enum { ROOM = 32768 };
  HANDLE file = open_to_look(path);
  if (file == INVALID_HANDLE_VALUE) return NULL;
  wchar_t *wide = malloc(ROOM * sizeof *wide);
  const DWORD length = wide ? GetFinalPathNameByHandleW(file, wide, ROOM, FILE_NAME_NORMALIZED | VOLUME_NAME_DOS) : 0;
  char *text = NULL;
  if (length && length < ROOM) text = plain_name(wide);
  else windows_fail();
  CloseHandle(file);
  free(wide);
  return text;
}

/* a link to what is not there yet is replaced itself */
char *platform_link_target(const char *path) { return (void)path, errno = EINVAL, NULL; }

/* the whole name as Windows reads it: without dots and spaces at its end, and without . and .. */
static wchar_t *whole_name(const char *path)
{
  wchar_t *wide = windows_wide(path), *whole = NULL;
  const DWORD length = wide ? GetFullPathNameW(wide, 0, NULL, NULL) : 0;
  if (length) whole = malloc(length * sizeof *whole);
  if (whole) GetFullPathNameW(wide, length, whole, NULL);
  free(wide);
  return whole;
}

int platform_is_same_name(const char *one, const char *other)
{
  wchar_t *a = whole_name(one), *b = whole_name(other);
  const int same = a && b && CompareStringOrdinal(a, -1, b, -1, TRUE) == CSTR_EQUAL;
  free(a);
  free(b);
  return same;
}

char *platform_own_path(void)
{
  wchar_t path[4096];
  const DWORD length = GetModuleFileNameW(NULL, path, 4096);
  return length && length < 4096 ? plain_name(path) : NULL;
}

/* ---- files ---- */

static int look_at_handle(HANDLE file, platform_about *about)
{
  BY_HANDLE_FILE_INFORMATION found;
  *about = (platform_about){ .kind = PLATFORM_DEVICE };
  const DWORD type = GetFileType(file);
  if (type == FILE_TYPE_PIPE) about->kind = PLATFORM_PIPE;
  if (type != FILE_TYPE_DISK) return type == FILE_TYPE_UNKNOWN ? windows_fail() : 0;
  if (!GetFileInformationByHandle(file, &found)) return windows_fail();
  about->kind = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? PLATFORM_FOLDER : PLATFORM_REGULAR;
  about->size = (long long)found.nFileSizeHigh << 32 | found.nFileSizeLow;
  const long long ticks = (long long)found.ftLastWriteTime.dwHighDateTime << 32 | found.ftLastWriteTime.dwLowDateTime;
  about->changed = ticks / 10000000 - 11644473600; /* from 100 ns since 1601 */
  about->device = found.dwVolumeSerialNumber;
  about->inode = (unsigned long long)found.nFileIndexHigh << 32 | found.nFileIndexLow;
  return 0;
}

int platform_look(const char *path, platform_about *about)
{
  HANDLE file = open_to_look(path);
  if (file == INVALID_HANDLE_VALUE) return -1;
  const int result = look_at_handle(file, about);
  CloseHandle(file);
  return result;
}

int platform_look_at(FILE *stream, platform_about *about)
{
  return look_at_handle((HANDLE)_get_osfhandle(_fileno(stream)), about);
}

int platform_is_same_file(const platform_about *one, const platform_about *other)
{
  return one->device == other->device && one->inode == other->inode;
}

FILE *windows_stream(HANDLE file, const char *mode)
{
  if (file == INVALID_HANDLE_VALUE) return windows_fail(), NULL;
  const int number = _open_osfhandle((intptr_t)file, _O_BINARY);
  FILE *stream = number < 0 ? NULL : _fdopen(number, mode);
  if (stream) return stream;
  if (number < 0) CloseHandle(file);
  else _close(number);
  return NULL;
}

FILE *platform_open(const char *path, const char *mode)
{
  const int writes = *mode == 'w';
  wchar_t *wide = windows_wide(path);
  if (!wide) return NULL;
  HANDLE file = CreateFileW(wide, writes ? GENERIC_WRITE : GENERIC_READ, WINDOWS_SHARE, NULL,
                            writes ? CREATE_ALWAYS : OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);
  free(wide);
  return windows_stream(file, writes ? "wb" : "rb");
}

int platform_seek(FILE *stream, long long place) { return _fseeki64(stream, place, SEEK_SET); }

int platform_replace(const char *from, const char *to)
{
  wchar_t *source = windows_wide(from), *target = windows_wide(to);
  const int done = source && target && MoveFileExW(source, target, MOVEFILE_REPLACE_EXISTING);
  const int result = done ? 0 : source && target ? windows_fail() : -1;
  free(source);
  free(target);
  return result;
}

/* calls a function of the system that takes a name */
static int with_name(const char *path, BOOL(WINAPI *function)(const wchar_t *))
{
  wchar_t *wide = windows_wide(path);
  const int result = wide && function(wide) ? 0 : wide ? windows_fail() : -1;
  free(wide);
  return result;
}

static BOOL WINAPI make_folder(const wchar_t *path) { return CreateDirectoryW(path, NULL); }

int platform_remove(const char *path) { return with_name(path, DeleteFileW); }
int platform_make_folder(const char *path) { return with_name(path, make_folder); }
int platform_remove_folder(const char *path) { return with_name(path, RemoveDirectoryW); }

int platform_can_read(const char *path)
{
  platform_about about;
  return !platform_look(path, &about);
}

/* rights are asked for by opening; of a folder: to make a file in it */
int platform_can_write(const char *path)
{
  platform_about about;
  if (platform_look(path, &about)) return 0;
  wchar_t *wide = windows_wide(path);
  const DWORD right = about.kind == PLATFORM_FOLDER ? FILE_ADD_FILE : GENERIC_WRITE;
  HANDLE file = wide ? CreateFileW(wide, right, WINDOWS_SHARE, NULL, OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL)
                     : INVALID_HANDLE_VALUE;
  const int can = file != INVALID_HANDLE_VALUE;
  if (can) CloseHandle(file);
  else windows_fail();
  free(wide);
  return can;
}

char *platform_temporary_folder(void)
{
  wchar_t above[MAX_PATH + 1], path[MAX_PATH + 40];
  static volatile LONG count;
  if (!GetTempPathW(MAX_PATH, above)) return windows_fail(), NULL;
  for (int attempt = 0; attempt < 100; attempt++) {
    swprintf(path, sizeof path / sizeof *path, L"%lsbristle-%lu-%ld", above, GetCurrentProcessId(),
             InterlockedIncrement(&count));
    if (CreateDirectoryW(path, NULL)) return plain_name(path);
    if (GetLastError() != ERROR_ALREADY_EXISTS) break;
  }
  return windows_fail(), NULL;
}

/* ---- lists of files ---- */

typedef int name_function(void *context, const char *name);

/* every name in a folder that fits, until `each` returns nonzero */
static void list_names(const char *folder, const char *pattern, name_function *each, void *context)
{
  WIN32_FIND_DATAW found;
  char *whole = malloc(strlen(folder) + strlen(pattern) + 1);
  if (whole) strcat(strcpy(whole, folder), pattern);
  wchar_t *wide = whole ? windows_wide(whole) : NULL;
  HANDLE list = wide ? FindFirstFileW(wide, &found) : INVALID_HANDLE_VALUE;
  int go_on = list != INVALID_HANDLE_VALUE;
  while (go_on) {
    char *name = windows_narrow(found.cFileName);
    go_on = !(name && strcmp(name, ".") && strcmp(name, "..") && each(context, name)) && FindNextFileW(list, &found);
    free(name);
  }
  if (list != INVALID_HANDLE_VALUE) FindClose(list);
  free(wide);
  free(whole);
}

typedef struct list_call {
  void (*each)(void *context, const char *name);
  void *context;
} list_call;

static int pass_on(void *context, const char *name)
{
  const list_call *call = context;
  call->each(call->context, name);
  return 0;
}

void platform_list(const char *folder, void (*each)(void *context, const char *name), void *context)
{
  list_call call = { each, context };
  list_names(folder, "*", pass_on, &call);
}

typedef struct search {
  char folder[4200];
  const char *rest; /* of the pattern, behind the folder that is searched */
  name_function *each;
  void *context;
  long found;
  int stop;
} search;

static void match_in(search *s, const char *pattern);

static int enter(void *context, const char *name)
{
  search *s = context;
  const size_t length = strlen(s->folder);
  platform_about about;
  if (length + strlen(name) + 2 > sizeof s->folder) return 0;
  strcpy(s->folder + length, name);
  if (!platform_look(s->folder, &about)) {
    if (!*s->rest) s->found++, s->stop = s->each(s->context, s->folder);
    else if (about.kind == PLATFORM_FOLDER) {
      const char *rest = s->rest;
      strcat(s->folder, "/");
      match_in(s, rest);
      s->rest = rest;
    }
  }
  s->folder[length] = '\0';
  return s->stop;
}

/* the names of one folder that fit the first part of the pattern, then those in them */
static void match_in(search *s, const char *pattern)
{
  char part[400];
  size_t length = 0;
  while (pattern[length] && !platform_separates(pattern[length])) length++;
  if (length >= sizeof part) return;
  snprintf(part, sizeof part, "%.*s", (int)length, pattern);
  s->rest = pattern + length;
  while (platform_separates(*s->rest)) s->rest++;
  list_names(s->folder, part, enter, s);
}

long platform_match(const char *pattern, int (*each)(void *context, const char *path), void *context)
{
  search s = { .each = each, .context = context };
  size_t folder = 0;
  for (size_t i = 0; i < strcspn(pattern, "*?"); i++)
    if (platform_separates(pattern[i]) || (i == 1 && pattern[i] == ':')) folder = i + 1;
  if (folder >= sizeof s.folder) return 0;
  memcpy(s.folder, pattern, folder);
  match_in(&s, pattern + folder);
  return s.found;
}

/* ---- files that are being written ---- */

/* A byte far behind the end of any file: what is locked here cannot be written, and this byte nobody writes. */
static int lock(HANDLE file)
{
  OVERLAPPED place = { .OffsetHigh = 0x7fffffff };
  return LockFileEx(file, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &place) ? 0 : windows_fail();
}

static int is_kept(HANDLE file)
{
  FILE_STANDARD_INFO about;
  if (lock(file)) return 0;
  return GetFileInformationByHandleEx(file, FileStandardInfo, &about, sizeof about) && !about.DeletePending;
}

/* one handle holds the lock, another one writes: closing a file gives its locks back. The rights are those of the
   folder, as for every new file. */
int platform_create(const char *path, const char *replaces, FILE **stream, platform_hold *hold)
{
  (void)replaces;
  wchar_t *wide = windows_wide(path);
  if (!wide) return -1;
  HANDLE held = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE, WINDOWS_SHARE, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL,
                            NULL);
  int result = held == INVALID_HANDLE_VALUE ? windows_fail() : 0;
  if (!result && !is_kept(held)) {
    CloseHandle(held);
    errno = EEXIST;
    result = -1;
  }
  if (!result) {
    *stream = windows_stream(
        CreateFileW(wide, GENERIC_WRITE, WINDOWS_SHARE, NULL, OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL), "wb");
    *hold = (platform_hold)held;
    if (!*stream) {
      CloseHandle(held);
      DeleteFileW(wide);
      *hold = PLATFORM_NO_HOLD;
      result = -1;
    }
  }
  free(wide);
  return result;
}

void platform_release(platform_hold hold)
{
  if (hold != PLATFORM_NO_HOLD) CloseHandle((HANDLE)hold);
}

void platform_remove_stale(const char *path)
{
  FILE_DISPOSITION_INFO remove = { TRUE };
  wchar_t *wide = windows_wide(path);
  HANDLE file = wide ? CreateFileW(wide, GENERIC_READ | DELETE, WINDOWS_SHARE, NULL, OPEN_EXISTING,
                                   FILE_FLAG_OPEN_REPARSE_POINT, NULL)
                     : INVALID_HANDLE_VALUE;
  if (file != INVALID_HANDLE_VALUE) {
    if (!lock(file)) SetFileInformationByHandle(file, FileDispositionInfo, &remove, sizeof remove);
    CloseHandle(file);
  }
  free(wide);
}
