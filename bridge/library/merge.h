/* Texts of several laws as one: what they share is written once. */
#ifndef BRIDGE_MERGE_H
#define BRIDGE_MERGE_H

#include "text/scan.h"

/* a type of the text, and how it is written; what is given is defined elsewhere */
typedef struct merge_name {
  const char *from, *to;
  int given;
} merge_name;

/* The text of one law in one precision. Where a name is already taken by another definition, the suffix is tried, then
   the law's name in front. */
typedef struct merge_text {
  const char *text;        /* distilled */
  const char *law;         /* names that begin with it are the law's own */
  const char *suffix;      /* "_f32" behind names of a second precision, "" */
  const merge_name *known; /* ends with NULL */
} merge_text;

typedef struct merged merged; /* what is written so far */
merged *merge_new(void);      /* NULL without memory */
void merge_free(merged *m);
/* Adds what is not yet written: to `own` what has the law's name, to `shared` all else. A comment that stands somewhere
   already is not repeated. 0 without memory, or when the text is too long. */
int merge_add(merged *m, const merge_text *t, buffer *shared, buffer *own);

#endif
