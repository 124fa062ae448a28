/* Which files a run reads and writes; not installed. */
#ifndef BRISTLE_IO_FILES_H
#define BRISTLE_IO_FILES_H

#include "io/support.h"
#include "platform/platform.h"

/* Where an output will be, behind all links, even when nothing is there yet. Belongs to the caller; NULL with errno. */
char *files_resolve(const char *path);

/* A guarded run refuses to read what it writes, to write what it reads, and to write a file twice. `about` is that of
   the open file. */
bristle_fault_kind files_reading(const char *path, const platform_about *about, bristle_fault *fault);
/* `place` is `path` resolved. Opening what was reserved is no second claim. */
bristle_fault_kind files_reserve(const char *path, const char *place, bristle_fault *fault);
bristle_fault_kind files_writing(const char *path, const char *place, bristle_fault *fault);
/* this run has written the file and will write it again */
void files_rewriting(const char *path);
/* another file is there now */
void files_replaced(const char *place);

/* May what is there be replaced? A file is, by one of its own kind. */
bristle_fault_kind files_replaceable(const char *path, const char *place, bristle_output_kind kind,
                                     bristle_fault *fault);
/* A folder of results holds files: a pipe that somebody put there waits for a reader, a device swallows what is
 * written. */
bristle_fault_kind files_result(const char *path, bristle_fault *fault);

#endif
