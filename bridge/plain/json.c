/* JSON: the whole model, with units and bounds, for programs. */
#include "plain/plain.h"

#include "bristle/text.h"

static void add_string(buffer *b, const char *text)
{
  buffer_add(b, "\"", 1);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') buffer_add(b, "\\", 1);
    if (*text == '\n') buffer_add(b, "\\n", 2);
    else if ((unsigned char)*text < 0x20) buffer_print(b, "\\u%04x", (unsigned char)*text);
    else buffer_add(b, text, 1);
  }
  buffer_add(b, "\"", 1);
}

static void add_parameter(buffer *b, const bridge_request *q, const bristle_row *row)
{
  char unit[48], number[48];
  bristle_unit(row, q->friction->load, q->friction->rotary, unit, sizeof unit);
  buffer_print(b, "    \"%s\": { \"value\": %s", row->name, row->count > 1 ? "[" : "");
  for (int i = 0; i < row->count; i++) {
    bristle_number_text(q->friction->p[row->first + i], number, sizeof number);
    buffer_print(b, "%s%s", i ? ", " : "", number);
  }
  buffer_print(b, "%s, \"unit\": \"%s\", \"doc\": ", row->count > 1 ? "]" : "", unit);
  add_string(b, row->doc);
  buffer_print(b, " }");
}

static bristle_fault_kind write_json(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  const bristle_info *info = q->friction->info;
  buffer b = { 0 };
  buffer_print(
      &b,
      "{\n  \"bristle\": 1,\n  \"note\": \"written by bristle %s\",\n  \"model\": \"%s\",\n  \"load\": \"%s\",\n"
      "  \"rotary\": %s,\n  \"equations\": ",
      q->version, info->name, bristle_load_text(q->friction->load), q->friction->rotary ? "true" : "false");
  add_string(&b, info->equations);
  buffer_print(&b, ",\n  \"origin\": ");
  add_string(&b, q->origin);
  buffer_print(&b, ",\n  \"parameters\": {\n");
  for (int i = 0; i < info->param_rows; i++) {
    add_parameter(&b, q, &info->param[i]);
    buffer_print(&b, "%s\n", i + 1 < info->param_rows ? "," : "");
  }
  buffer_print(&b, "  }\n}\n");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_json = { "json", "the whole model with units, for programs", ".json", 0, write_json };
