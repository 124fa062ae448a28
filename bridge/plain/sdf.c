/* SDFormat: damping and friction of a joint's axis. */
#include "plain/plain.h"

static bristle_fault_kind write_sdf(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  plain_model plain;
  buffer b = { 0 };
  bristle_fault_kind kind = plain_reduce(q, PLAIN_LINE, &plain, r, fault);
  if (kind) return kind;
  buffer_print(&b, "<!--\n");
  plain_banner(&b, q, "  ");
  buffer_print(
      &b,
      "-->\n<axis>\n  <dynamics>\n    <damping>%.9g</damping>\n    <friction>%.9g</friction>\n  </dynamics>\n</axis>\n",
      plain.damping, plain.friction);
  bridge_note(r, "put the element <dynamics> into the <axis> of your joint");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_sdf = { "sdf", "damping and friction of an axis, as XML", ".xml", BRIDGE_LOAD | BRIDGE_DATA,
                                   write_sdf };
