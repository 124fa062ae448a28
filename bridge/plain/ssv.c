/* SSP: a parameter set for FMUs of the same law. */
#include "plain/plain.h"

#include "bristle/text.h"

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
               " version=\"1.0\" name=\"%s\">\n  <ssv:Parameters>\n",
               name);
  for (int k = 0; k < info->param_rows; k++)
    for (int i = 0; i < info->param[k].count; i++) {
      const bristle_row *row = &info->param[k];
      bristle_unit(row, q->friction->load, q->friction->rotary, unit, sizeof unit);
      bristle_number_text(q->friction->p[row->first + i], number, sizeof number);
      buffer_print(&b, "    <ssv:Parameter name=\"%s", row->name);
      if (row->count > 1) buffer_print(&b, "[%d]", i + 1);
      buffer_print(&b, "\"><ssv:Real value=\"%s\" unit=\"%s\"/></ssv:Parameter>\n", number, unit);
    }
  buffer_print(&b, "  </ssv:Parameters>\n</ssv:ParameterSet>\n");
  bridge_note(r, "names are those of an FMU of this law; where an input has the same name, its parameter ends in _law");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_ssv = { "ssv", "a parameter set for FMUs of the same law (SSP)", ".ssv", 0, write_ssv };
