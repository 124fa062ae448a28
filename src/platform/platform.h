/* What differs between systems: posix.c, windows.c and wasi.c say it in three ways; unix.c is what the first and the
   last share. A build has one of them, and no other file asks which system it is for.

   Paths are UTF-8, and '/' separates in all that comes from here; functions return 0, or -1 with errno, where nothing
   else is said. */
#ifndef BRISTLE_PLATFORM_H
#define BRISTLE_PLATFORM_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifndef EDQUOT /* systems without quotas per user */
#define EDQUOT ENOSPC
#endif
#ifndef ELOOP
#define ELOOP EINVAL
#endif

/* For a program: its arguments as UTF-8, and standard streams that pass every byte on as it is. */
void platform_begin(int *argc, char ***argv);

/* ---- names of files ---- */

/* what comes behind the folders, inside `path` */
const char *platform_name(const char *path);
int platform_is_absolute(const char *path);
int platform_separates(char c); /* does it end the name of a folder? */
/* behind all links; belongs to the caller, NULL with errno */
char *platform_real_path(const char *path);
/* where a link leads, itself; belongs to the caller, NULL where it is none */
char *platform_link_target(const char *path);
/* do two resolved names mean the same file, though none may be there? */
int platform_is_same_name(const char *one, const char *other);
/* the program that runs; belongs to the caller, NULL where nobody tells */
char *platform_own_path(void);

/* ---- files ---- */

typedef enum platform_kind { PLATFORM_REGULAR, PLATFORM_FOLDER, PLATFORM_PIPE, PLATFORM_DEVICE } platform_kind;

typedef struct platform_about {
  platform_kind kind;
  long long size, changed;          /* bytes; seconds since 1970 */
  unsigned long long device, inode; /* together they are the file, whatever its names are */
} platform_about;

int platform_look(const char *path, platform_about *about);
int platform_look_at(FILE *stream, platform_about *about);
int platform_is_same_file(const platform_about *one, const platform_about *other);

/* fopen, binary in every mode */
FILE *platform_open(const char *path, const char *mode);
int platform_seek(FILE *stream, long long place);
int platform_remove(const char *path);
/* `to` is another file from one moment to the next */
int platform_replace(const char *from, const char *to);

int platform_make_folder(const char *path);
int platform_remove_folder(const char *path);
int platform_can_read(const char *path);
int platform_can_write(const char *path);
/* calls `each` with every name in a folder */
void platform_list(const char *folder, void (*each)(void *context, const char *name), void *context);
/* Calls `each` with every path that a pattern with * and ? means, until it returns nonzero. Returns how many there
   were, or -1 where patterns are not known. */
long platform_match(const char *pattern, int (*each)(void *context, const char *path), void *context);
/* a new folder for temporary files; belongs to the caller, NULL with errno */
char *platform_temporary_folder(void);

/* ---- files that are being written ---- */

/* Who holds a new file keeps others from taking it for one that a killed run has left. */
typedef intptr_t platform_hold;
enum { PLATFORM_NO_HOLD = -1 };

/* A new file with the rights of the one that it will replace, if that is there. EEXIST: the name is taken, try another.
 */
int platform_create(const char *path, const char *replaces, FILE **stream, platform_hold *hold);
void platform_release(platform_hold hold);
/* removes a file of this user that nobody holds */
void platform_remove_stale(const char *path);

/* ---- streams ---- */

/* A stream into memory. Closing fills in the rest; the text ends with NUL, belongs to the caller and is NULL after a
   failure. */
typedef struct platform_memory {
  FILE *stream;
  char *text;
  size_t size;
} platform_memory;

FILE *platform_memory_open(platform_memory *memory);
int platform_memory_close(platform_memory *memory);

int platform_is_terminal(FILE *stream);
/* is it a terminal that shows more than ASCII? */
int platform_shows_symbols(FILE *stream);
/* to a pipe that another program has opened for this one: a descriptor, or on Windows a handle */
void platform_tell(intptr_t pipe, const char *text);

/* ---- time, processors, memory ---- */

double platform_seconds(void); /* of a clock that nobody sets */
int platform_processors(void);
void *platform_aligned(size_t alignment, size_t size); /* a multiple of the alignment; for platform_aligned_free */
void platform_aligned_free(void *memory);

/* ---- the end of a program ---- */

/* What ends the program from outside calls `last` first, which may do only what a handler of signals may. */
void platform_before_end(void (*last)(void));
/* From now on the first wish to stop (Ctrl-C) only calls `wish`; the second ends the program, and so does the time. */
void platform_on_stop(void (*wish)(void), unsigned seconds);
/* the wish was heard: no more time is counted */
void platform_be_patient(void);

/* ---- other programs and libraries ---- */

extern const char platform_library_ending[]; /* ".so" */

/* runs a program and waits for it; its messages go to a file. Its exit code; 127: there is no such program */
int platform_run(char *const *arguments, const char *messages);
/* NULL with a reason in `why`; `shared`: libraries that it loads itself may use it. It stays loaded */
void *platform_library(const char *path, int shared, char *why, size_t room);
void *platform_function(void *library, const char *name);

#endif
