/* MuJoCo: frictionloss and damping of a joint. */
#include "plain/plain.h"

static bristle_fault_kind write_mujoco(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  plain_model plain;
  buffer b = { 0 };
  char name[BRIDGE_NAME];
  bristle_fault_kind kind = plain_reduce(q, PLAIN_LINE, &plain, r, fault);
  if (kind) return kind;
  bridge_identifier(q->output, name);
  buffer_print(&b, "<!--\n");
  plain_banner(&b, q, "  ");
  buffer_print(
      &b,
      "-->\n<joint name=\"%s\" type=\"%s\" frictionloss=\"%.9g\" damping=\"%.9g\" solreffriction=\"-50000 -200\""
      " solimpfriction=\"0.99 0.9999 0.001 0.5 2\"/>\n",
      name, q->friction->rotary ? "hinge" : "slide", plain.friction, plain.damping);
  bridge_lost(r, "true stick: frictionloss is a soft constraint and creeps under load, less with the stiff "
                 "solreffriction in the file");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_mujoco = { "mujoco", "frictionloss and damping of a joint, as XML", ".xml",
                                      BRIDGE_LOAD | BRIDGE_DATA, write_mujoco };
