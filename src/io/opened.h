/* The files that a thread opens, in the order of opening, each once, known by what is in them; not installed. */
#ifndef BRISTLE_IO_OPENED_H
#define BRISTLE_IO_OPENED_H

#include "io/support.h"

typedef struct opened_file {
  char *path;
  char digest[65]; /* "" where it could not be read */
} opened_file;

typedef struct opened_list {
  opened_file *file;
  size_t count, room;
  int sealed;      /* no file may be added, and none may have changed */
  const char *why; /* it is broken: a file was not as the list has it, or there was no memory; or NULL */
  char place[256]; /* that file */
} opened_list;

/* From now on this thread notes here what it opens; returns the list that it kept before. NULL: none. */
opened_list *opened_keep(opened_list *list);
/* `text` was read from a file; NULL: it could not be read. For the one function that reads files. */
void opened_note(const char *path, const char *text, size_t size);
/* The digest of a file of the list; NULL: it is not there. */
const char *opened_find(const opened_list *list, const char *path);
/* The fault of a list that is broken. */
bristle_fault_kind opened_fault(const opened_list *list, bristle_fault *fault);
/* of all files, by their contents and order alone, and of a text beside them */
void opened_digest(const opened_list *list, const char *text, char digest[65]);
void opened_free(opened_list *list);

#endif
