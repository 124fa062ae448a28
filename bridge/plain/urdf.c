/* URDF: damping and friction of a joint. */
#include "plain/plain.h"

static bristle_fault_kind write_urdf(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  plain_model plain;
  buffer b = { 0 };
  char name[BRIDGE_NAME];
  bristle_fault_kind kind = plain_reduce(q, PLAIN_LINE, &plain, r, fault);
  if (kind) return kind;
  bridge_identifier(q->output, name);
  buffer_print(&b, "<!--\n");
  plain_banner(&b, q, "  ");
  buffer_print(&b, "-->\n<joint name=\"%s\" type=\"%s\">\n  <dynamics damping=\"%.9g\" friction=\"%.9g\"/>\n</joint>\n",
               name, q->friction->rotary ? "revolute" : "prismatic", plain.damping, plain.friction);
  bridge_note(r, "put the element <dynamics> into your joint; what a simulator makes of friction at rest is its own");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_urdf = { "urdf", "damping and friction of a joint, as XML", ".xml",
                                    BRIDGE_LOAD | BRIDGE_DATA, write_urdf };
