/* The comment at the top of an exported file. */
#include "c99/c99.h"

#include "bristle/text.h"

#include <stdlib.h>
#include <string.h>

/* lines behind " * "; nothing in them may end the comment */
static void add_lines(buffer *b, const char *indent, const char *text)
{
  while (*text) {
    const size_t length = strcspn(text, "\n");
    buffer_print(b, " * %s", indent);
    bridge_comment(b, text, length);
    buffer_add(b, "\n", 1);
    text += length + (text[length] == '\n');
  }
}

static void add_parameters(buffer *b, const c99_export *e)
{
  const bristle_friction *f = e->q->friction;
  for (int r = 0; r < e->info->param_rows; r++) {
    const bristle_row *row = &e->info->param[r];
    char unit[48], number[48];
    int last = row->count - 1;
    while (last > 0 && f->p[row->first + last] == 0) last--;
    bristle_unit(row, f->load, f->rotary, unit, sizeof unit);
    buffer_print(b, " *   %-9s", row->name);
    for (int i = 0; i <= last; i++) {
      bristle_number_text(f->p[row->first + i], number, sizeof number);
      buffer_print(b, " %s", number);
    }
    buffer_print(b, " %s: %s\n", unit, row->doc);
  }
}

static void add_law(buffer *b, const c99_export *e)
{
  static const char *const loads[] = { "force (the load is ignored)",
                                       "coefficient (the force is the load times the law)",
                                       "level (parameters in N are per unit load)" };
  const bristle_friction *f = e->q->friction;
  buffer_print(b, " *\n * Law %s. %s\n", e->info->name, e->info->title);
  add_lines(b, "  ", e->info->equations);
  buffer_print(b, " * Limits: ");
  buffer_print(b, "%s\n", e->info->limits);
  buffer_print(b, " * Units are SI%s; load form %s. Parameters:\n", f->rotary ? ", of a rotary contact" : "",
               loads[f->load]);
  add_parameters(b, e);
}

static void add_origin(buffer *b, const c99_export *e)
{
  if (e->q->origin[0]) add_lines(b, "", e->q->origin);
  if (e->q->sample_time > 0) {
    char number[48];
    bristle_number_text(e->q->sample_time, number, sizeof number);
    buffer_print(b, " * Sample time: %s s.\n", number);
  }
}

char *c99_banner(const c99_export *e, const char *ending, const char *about)
{
  buffer b = { 0 };
  buffer_print(&b, "/* %s%s: %s, written by bristle %s from ", e->stem, ending, about, e->q->version);
  bridge_comment(&b, e->q->model, strlen(e->q->model));
  buffer_print(
      &b,
      ".\n *\n * SPDX-License-Identifier: MIT-0\n * No memory is allocated, no library but memcpy and memset is called;"
      " all loops are bounded.\n");
  add_law(&b, e);
  add_origin(&b, e);
  buffer_print(&b, " */");
  return buffer_take(&b);
}
