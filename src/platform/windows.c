/* Windows: names of files are UTF-8 outside and UTF-16 inside, and streams are binary. */
#include "platform/windows.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>

const char platform_library_ending[] = ".dll";

/* ---- words ---- */

wchar_t *windows_wide(const char *text)
{
  const int length = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, text, -1, NULL, 0);
  wchar_t *wide = length > 0 ? malloc((size_t)length * sizeof *wide) : NULL;
  if (wide) MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, length);
  else errno = length > 0 ? ENOMEM : EILSEQ;
  return wide;
}

char *windows_narrow(const wchar_t *wide)
{
  const int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
  char *text = length > 0 ? malloc((size_t)length) : NULL;
  if (text) WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, length, NULL, NULL);
  else errno = ENOMEM;
  return text;
}

int windows_fail(void)
{
  switch (GetLastError()) {
  case ERROR_FILE_NOT_FOUND:
  case ERROR_PATH_NOT_FOUND:
  case ERROR_INVALID_DRIVE:
  case ERROR_INVALID_NAME:
  case ERROR_BAD_PATHNAME:
  case ERROR_BAD_NETPATH:
    errno = ENOENT;
    break;
  case ERROR_FILE_EXISTS:
  case ERROR_ALREADY_EXISTS:
    errno = EEXIST;
    break;
  case ERROR_SHARING_VIOLATION: /* another program has it open */
  case ERROR_LOCK_VIOLATION:
  case ERROR_USER_MAPPED_FILE:
    errno = EBUSY;
    break;
  case ERROR_ACCESS_DENIED:
    errno = EACCES;
    break;
  case ERROR_WRITE_PROTECT:
    errno = EROFS;
    break;
  case ERROR_DISK_FULL:
  case ERROR_HANDLE_DISK_FULL:
    errno = ENOSPC;
    break;
  case ERROR_NOT_ENOUGH_MEMORY:
  case ERROR_OUTOFMEMORY:
    errno = ENOMEM;
    break;
  case ERROR_DIRECTORY:
    errno = ENOTDIR;
    break;
  default:
    errno = EIO;
  }
  return -1;
}

void platform_begin(int *argc, char ***argv)
{
  static const int streams[] = { 0, 1, 2 };
  for (int k = 0; k < 3; k++) _setmode(streams[k], _O_BINARY);
  int count = 0;
  wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
  char **list = wide ? calloc((size_t)count + 1, sizeof *list) : NULL;
  for (int i = 0; list && i < count; i++)
    if (!(list[i] = windows_narrow(wide[i]))) list = NULL;
  if (list && count == *argc) *argv = list; /* they live as long as the program */
  LocalFree(wide);
}

/* ---- terminals and pipes ---- */

int platform_is_terminal(FILE *stream)
{
  DWORD mode;
  HANDLE console = (HANDLE)_get_osfhandle(_fileno(stream));
  return GetConsoleMode(console, &mode) && SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int platform_shows_symbols(FILE *stream) { return platform_is_terminal(stream) && GetConsoleOutputCP() == CP_UTF8; }

void platform_tell(intptr_t pipe, const char *text)
{
  DWORD written;
  WriteFile((HANDLE)pipe, text, (DWORD)strlen(text), &written, NULL);
}

/* There is no stream into memory here; a temporary file that vanishes by itself is one that the system keeps in its
   cache. */
FILE *platform_memory_open(platform_memory *memory)
{
  wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
  *memory = (platform_memory){ 0 };
  if (!GetTempPathW(MAX_PATH, folder) || !GetTempFileNameW(folder, L"bri", 0, path)) return windows_fail(), NULL;
  HANDLE file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE | DELETE, WINDOWS_SHARE, NULL, CREATE_ALWAYS,
                            FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
  return memory->stream = windows_stream(file, "w+b");
}

int platform_memory_close(platform_memory *memory)
{
  FILE *stream = memory->stream;
  const long size = fflush(stream) || ferror(stream) ? -1 : ftell(stream);
  memory->text = size < 0 ? NULL : malloc((size_t)size + 1);
  rewind(stream);
  if (memory->text && fread(memory->text, 1, (size_t)size, stream) != (size_t)size) {
    free(memory->text);
    memory->text = NULL;
  }
  fclose(stream);
  memory->size = memory->text ? (size_t)size : 0;
  if (memory->text) memory->text[size] = '\0';
  return memory->text ? 0 : -1;
}

/* ---- time, processors, memory ---- */

double platform_seconds(void)
{
  LARGE_INTEGER now, second;
  QueryPerformanceFrequency(&second);
  QueryPerformanceCounter(&now);
  return (double)now.QuadPart / (double)second.QuadPart;
}

int platform_processors(void)
{
  const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
  return count ? (int)count : 1;
}

void *platform_aligned(size_t alignment, size_t size) { return _aligned_malloc(size, alignment); }
void platform_aligned_free(void *memory) { _aligned_free(memory); }

/* ---- the end of a program ---- */

static void (*before_end)(void);
static void (*volatile on_stop)(void); /* NULL: the next wish ends the program */
static unsigned patience;
static HANDLE timer;

static void CALLBACK end_now(void *unused, BOOLEAN late)
{
  (void)unused, (void)late;
  if (before_end) before_end();
  ExitProcess(0xC000013A); /* what Ctrl-C gives without a handler */
}

/* a thread of its own: Ctrl-C, Ctrl-Break, or the window, the session or the machine ends */
static BOOL WINAPI hear(DWORD event)
{
  void (*wish)(void) = on_stop;
  if (wish && (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT)) {
    on_stop = NULL;
    wish();
    CreateTimerQueueTimer(&timer, NULL, end_now, NULL, patience * 1000, 0, WT_EXECUTEONLYONCE);
    return TRUE;
  }
  end_now(NULL, FALSE);
  return TRUE;
}

void platform_before_end(void (*last)(void))
{
  before_end = last;
  SetConsoleCtrlHandler(hear, TRUE);
}

void platform_on_stop(void (*wish)(void), unsigned seconds)
{
  patience = seconds;
  on_stop = wish;
}

void platform_be_patient(void)
{
  if (timer) DeleteTimerQueueTimer(NULL, timer, NULL);
  timer = NULL;
}

/* ---- other programs and libraries ---- */

/* one argument as the program's own start reads it: quotes, and backslashes before them doubled */
static size_t quote(const wchar_t *from, wchar_t *to)
{
  size_t used = 0, slashes = 0;
  to[used++] = L'"';
  for (; *from; from++) {
    slashes = *from == L'\\' ? slashes + 1 : 0;
    if (*from == L'"') {
      for (size_t back = 1; back < used && to[used - back] == L'\\'; back++) slashes++;
      while (slashes--) to[used++] = L'\\';
      to[used++] = L'\\', slashes = 0;
    }
    to[used++] = *from;
  }
  while (slashes--) to[used++] = L'\\';
  to[used++] = L'"';
  to[used++] = L' ';
  return used;
}

static wchar_t *command_line(char *const *arguments)
{
  size_t room = 1, used = 0;
  for (char *const *a = arguments; *a; a++) room += 2 * strlen(*a) + 4;
  wchar_t *line = malloc(room * sizeof *line);
  for (char *const *a = arguments; *a && line; a++) {
    wchar_t *wide = windows_wide(*a);
    if (wide) used += quote(wide, line + used);
    free(wide);
  }
  if (line) line[used] = L'\0';
  return line;
}

int platform_run(char *const *arguments, const char *messages)
{
  SECURITY_ATTRIBUTES inherited = { sizeof inherited, NULL, TRUE };
  wchar_t *line = command_line(arguments), *path = windows_wide(messages);
  HANDLE file = path ? CreateFileW(path, GENERIC_WRITE, WINDOWS_SHARE, &inherited, CREATE_ALWAYS, 0, NULL) : NULL;
  STARTUPINFOW start = { .cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES, .hStdOutput = file, .hStdError = file };
  PROCESS_INFORMATION child;
  DWORD code = 127;
  if (line && file != INVALID_HANDLE_VALUE
      && CreateProcessW(NULL, line, NULL, NULL, TRUE, 0, NULL, NULL, &start, &child)) {
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &code);
    CloseHandle(child.hProcess);
    CloseHandle(child.hThread);
  }
  if (file && file != INVALID_HANDLE_VALUE) CloseHandle(file);
  free(line);
  free(path);
  return (int)code;
}

void *platform_library(const char *path, int shared, char *why, size_t room)
{
  (void)shared;
  wchar_t *wide = windows_wide(path);
  void *library = wide ? (void *)LoadLibraryW(wide) : NULL;
  if (!library && room) snprintf(why, room, "error %lu of Windows", GetLastError());
  free(wide);
  return library;
}

void *platform_function(void *library, const char *name)
{
  void *function;
  FARPROC found = GetProcAddress(library, name);
  memcpy(&function, &found, sizeof function);
  return function;
}
