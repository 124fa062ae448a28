/* Tables of a law as C. */
#include "library/typed.h"

#include "bristle/text.h"

#include <stdio.h>
#include <string.h>

void typed_fields(buffer *out, const bristle_row *rows, int count, const char *type)
{
  for (int r = 0; r < count; r++) {
    const bristle_row *row = &rows[r];
    char name[64];
    snprintf(name, sizeof name, row->count > 1 ? "%s[%d];" : "%s;", row->name, row->count);
    buffer_print(out, "  %s %-14s /* [%s] %s */\n", type, name, row->unit, row->doc);
  }
}

void typed_defaults(buffer *out, const bristle_info *info, const char *suffix)
{
  for (int r = 0; r < info->param_rows; r++) {
    const bristle_row *row = &info->param[r];
    buffer_print(out, "%s%s", r ? ", " : "", row->count > 1 ? "{ " : "");
    for (int i = 0; i < row->count; i++) {
      char text[40];
      bristle_number_text(row->initial[i], text, sizeof text);
      if (*suffix && !strpbrk(text, ".e")) strcat(text, ".0");
      buffer_print(out, "%s%s%s", i ? ", " : "", text, suffix);
    }
    if (row->count > 1) buffer_add(out, " }", 2);
  }
}
