/* What the formats share. */
#include "parts.h"

#include "bristle/text.h"
#include "platform/platform.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bristle_fault_kind bridge_fault(bristle_fault *fault, bristle_fault_kind kind, const char *hint, const char *format,
                                ...)
{
  va_list args;
  memset(fault, 0, sizeof *fault);
  fault->kind = kind;
  va_start(args, format);
  vsnprintf(fault->what, sizeof fault->what, format, args);
  va_end(args);
  if (hint) snprintf(fault->hint, sizeof fault->hint, "%s", hint);
  return kind;
}

void bridge_lost(bridge_result *r, const char *format, ...)
{
  va_list args;
  if (r->losses == BRIDGE_NOTES) return;
  va_start(args, format);
  vsnprintf(r->lost[r->losses++], BRIDGE_NOTE_SIZE, format, args);
  va_end(args);
}

void bridge_note(bridge_result *r, const char *format, ...)
{
  va_list args;
  if (r->notes == BRIDGE_NOTES) return;
  va_start(args, format);
  vsnprintf(r->note[r->notes++], BRIDGE_NOTE_SIZE, format, args);
  va_end(args);
}

bristle_fault_kind bridge_law_text(const bridge_request *q, const law_text **text, bristle_fault *fault)
{
  const bristle_info *info = q->friction->info;
  const int skewed = bristle_param_role(info, BRISTLE_ROLE_SKEW) != NULL;
  *text = law_text_find(info->name, skewed);
  if (*text) return BRISTLE_FAULT_NONE;
  return bridge_fault(fault, BRISTLE_FAULT_VALUE, "leave the skews out, or take the tool of the command line",
                      "this build has no text of %s%s", info->name,
                      skewed ? " with its own friction for each direction" : "");
}

void bridge_stem(const char *path, char *stem, size_t size)
{
  snprintf(stem, size, "%s", platform_name(path));
  char *dot = strrchr(stem, '.');
  if (dot && dot != stem) *dot = '\0';
}

void bridge_comment(buffer *out, const char *text, size_t length)
{
  static const char *const pairs[] = { "*/", "/*", "--" };
  for (size_t i = 0; i < length; i++) {
    buffer_add(out, text + i, 1);
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
      if (text[i] == pairs[k][0] && text[i + 1] == pairs[k][1]) buffer_add(out, " ", 1);
  }
}

void bridge_identifier(const char *path, char name[BRIDGE_NAME])
{
  char stem[BRIDGE_NAME - 10];
  bridge_stem(path, stem, sizeof stem);
  for (char *c = stem; *c; c++)
    if (!is_name_character(*c)) *c = '_';
  snprintf(name, BRIDGE_NAME, "%s%s", name_length(stem) ? "" : "friction_", stem);
}

void bridge_fill(buffer *out, const char *frame, const bridge_field *fields, int count)
{
  while (*frame) {
    const char *mark = strchr(frame, '@'), *end = mark ? strchr(mark + 1, '@') : NULL;
    if (!end) mark = frame + strlen(frame);
    buffer_add(out, frame, (size_t)(mark - frame));
    if (!end) return;
    int found = 0;
    for (int i = 0; i < count && !found; i++)
      if (strlen(fields[i].name) == (size_t)(end - mark - 1)
          && !strncmp(fields[i].name, mark + 1, strlen(fields[i].name)))
        buffer_add(out, fields[i].value, strlen(fields[i].value)), found = 1;
    if (!found) out->failed = 1; /* a frame with a field that nobody fills is a mistake of this program */
    frame = end + 1;
  }
}

void bridge_base_units(buffer *out, const char *unit)
{
  static const char *const names[] = { "m", "kg", "s", "A", "K", "rad" };
  static const int order[] = { BRISTLE_DIMENSION_MASS,    BRISTLE_DIMENSION_LENGTH, BRISTLE_DIMENSION_TIME,
                               BRISTLE_DIMENSION_CURRENT, BRISTLE_DIMENSION_HEAT,   BRISTLE_DIMENSION_ANGLE };
  bristle_unit_scale scale;
  bristle_fault ignored;
  if (bristle_unit_read(unit, strlen(unit), &scale, &ignored)) return;
  for (int k = 0; k < 6; k++)
    if (scale.power[order[k]]) buffer_print(out, " %s=\"%d\"", names[order[k]], scale.power[order[k]]);
}

const char *bridge_constant(double value, int single, char text[48])
{
  if (single) {
    int digits = 1;
    do snprintf(text, 40, "%.*g", digits, value);
    while (strtof(text, NULL) != (float)value && digits++ < 9);
  } else bristle_number_text(value, text, 40);
  if (!strpbrk(text, ".e")) strcat(text, ".0");
  if (single) strcat(text, "f");
  return text;
}

bristle_fault_kind bridge_write(const bridge_file *file, int count, bristle_output_kind kind, bridge_result *r,
                                bristle_fault *fault)
{
  bristle_output *output[BRIDGE_FILES] = { NULL };
  bristle_fault_kind fails = BRISTLE_FAULT_NONE;
  for (int i = 0; i < count && !fails; i++) {
    if (!file[i].text) fails = bridge_fault(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory");
    else fails = bristle_output_open(file[i].path, kind, &output[i], fault);
    if (!fails) fwrite(file[i].text, 1, file[i].size, bristle_output_stream(output[i]));
  }
  for (int i = 0; i < count; i++) {
    if (fails) bristle_output_discard(output[i]);
    else fails = bristle_output_commit(output[i], fault);
    if (!fails && r->files < BRIDGE_FILES) snprintf(r->file[r->files++], sizeof r->file[0], "%s", file[i].path);
  }
  return fails;
}
