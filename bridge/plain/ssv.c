/* SSP: a parameter set for FMUs of the same law. */
#include "plain/plain.h"

#include "bristle/text.h"

#include <string.h>

static void unit_of(const bridge_request *q, int row, char unit[48])
{
  bristle_unit(&q->friction->info->param[row], q->friction->load, q->friction->rotary, unit, 48);
}

/* each unit once, made of base units: the parameters refer to these by name */
static void add_units(buffer *b, const bridge_request *q)
{
  const int rows = q->friction->info->param_rows;
  int any = 0;
  for (int k = 0; k < rows; k++) {
    char unit[48], other[48];
    unit_of(q, k, unit);
    int known = !strcmp(unit, "1");
    for (int i = 0; i < k && !known; i++) unit_of(q, i, other), known = !strcmp(unit, other);
    if (known) continue;
    buffer_print(b, "%s    <ssc:Unit name=\"%s\"><ssc:BaseUnit", any ? "" : "  <ssv:Units>\n", unit);
    bridge_base_units(b, unit);
    buffer_print(b, "/></ssc:Unit>\n");
    any = 1;
  }
  if (any) buffer_print(b, "  </ssv:Units>\n");
}

static bristle_fault_kind write_ssv(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  const bristle_info *info = q->friction->info;
  buffer b = { 0 };
  char name[BRIDGE_NAME], number[48], unit[48];
  bridge_identifier(q->output, name);
  buffer_print(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!--\n");
  plain_banner(&b, q, "  ");
  buffer_print(&b,
               "-->\n<ssv:ParameterSet xmlns:ssv=\"http://ssp-standard.org/SSP1/SystemStructureParameterValues\""
               " xmlns:ssc=\"http://ssp-standard.org/SSP1/SystemStructureCommon\" version=\"1.0\" name=\"%s\">\n  "
               "<ssv:Parameters>\n",
               name);
  for (int k = 0; k < info->param_rows; k++)
    for (int i = 0; i < info->param[k].count; i++) {
      const bristle_row *row = &info->param[k];
      unit_of(q, k, unit);
      bristle_number_text(q->friction->p[row->first + i], number, sizeof number);
      buffer_print(&b, "    <ssv:Parameter name=\"%s", row->name);
      if (row->count > 1) buffer_print(&b, "[%d]", i + 1);
      buffer_print(&b, "\"><ssv:Real value=\"%s\"", number);
      if (strcmp(unit, "1")) buffer_print(&b, " unit=\"%s\"", unit);
      buffer_print(&b, "/></ssv:Parameter>\n");
    }
  buffer_print(&b, "  </ssv:Parameters>\n");
  add_units(&b, q);
  buffer_print(&b, "</ssv:ParameterSet>\n");
  bridge_note(r, "names are those of an FMU of this law; where an input has the same name, its parameter ends in _law");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_ssv = { "ssv", "a parameter set for FMUs of the same law (SSP)", ".ssv", 0, write_ssv };
