/* The parts of the C99 export. */
#ifndef BRIDGE_C99_H
#define BRIDGE_C99_H

#include "parts.h"

extern const char template_frame_h[], template_frame_c[], template_compensate_h[], template_compensate_c[],
    template_test_c[], template_compensation[];

/* what the frames of one export share */
typedef struct c99_export {
  const bridge_request *q;
  const bristle_info *info;
  const law_text *text;
  char name[BRIDGE_NAME], stem[200];
  int single;
} c99_export;

/* the comment at the top of a file: what it is, of which contact, where its parameters come from */
char *c99_banner(const c99_export *e, const char *ending, const char *about);
/* inputs and what the library makes of them: rows of a table, and the state after the last */
void c99_vectors(const c99_export *e, buffer *rows, buffer *last);

#endif
