/* What the two files of Windows share. */
#ifndef PLATFORM_WINDOWS_H
#define PLATFORM_WINDOWS_H

#include "platform/platform.h"

#ifndef UNICODE
#define UNICODE
#endif
#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#include <shellapi.h> /* CommandLineToArgvW */

/* Others may read, write, rename and remove what this program has open, as they may elsewhere. */
#define WINDOWS_SHARE (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* UTF-8 as UTF-16 and back; belong to the caller, NULL with errno */
wchar_t *windows_wide(const char *text);
char *windows_narrow(const wchar_t *wide);
/* -1, with errno for the last error of the system */
int windows_fail(void);
/* the stream of an open file, which it takes; NULL with errno */
FILE *windows_stream(HANDLE file, const char *mode);

#endif
