/* What the formats of a few numbers share. */
#include "plain/plain.h"

#include <stdlib.h>
#include <string.h>

bristle_fault_kind plain_write(const bridge_request *q, buffer *b, bridge_result *r, bristle_fault *fault)
{
  bridge_file file = { .size = b->length, .text = buffer_take(b) };
  snprintf(file.path, sizeof file.path, "%s", q->output);
  if (q->friction->beside[0]) bridge_lost(r, "because it is not friction: %s", q->friction->beside);
  const bristle_fault_kind kind = bridge_write(&file, 1, BRISTLE_OUTPUT_EXPORT, r, fault);
  free(file.text);
  return kind;
}

/* a line of a comment */
static void add_line(buffer *b, const char *before, const char *text, size_t length)
{
  buffer_print(b, "%s", before);
  bridge_comment(b, text, length);
  buffer_add(b, "\n", 1);
}

void plain_banner(buffer *b, const bridge_request *q, const char *before)
{
  char line[600];
  const int length = snprintf(line, sizeof line, "written by bristle %s from %.300s: law %s", q->version, q->model,
                              q->friction->info->name);
  add_line(b, before, line, (size_t)length);
  for (const char *at = q->origin; *at;) {
    const size_t part = strcspn(at, "\n");
    add_line(b, before, at, part);
    at += part + (at[part] == '\n');
  }
}
