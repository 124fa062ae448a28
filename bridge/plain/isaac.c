/* PhysX, Isaac: static and dynamic friction effort, viscous coefficient of a joint. */
#include "plain/plain.h"

#include "bristle/text.h"

static bristle_fault_kind write_isaac(const bridge_request *q, bridge_result *r, bristle_fault *fault)
{
  plain_model plain;
  buffer b = { 0 };
  bristle_fault_kind kind = plain_reduce(q, PLAIN_PEAK, &plain, r, fault);
  if (kind) return kind;
  const double rest = plain.resting > plain.friction ? plain.resting : plain.friction;
  buffer_print(&b, "{\n  \"note\": \"written by bristle %s: law %s; %s\",\n", q->version, q->friction->info->name,
               q->friction->rotary ? "N m, N m s/rad" : "N, N s/m");
  buffer_print(&b,
               "  \"static_friction_effort\": %.8g,\n  \"dynamic_friction_effort\": %.9g,\n"
               "  \"viscous_friction_coefficient\": %.9g\n}\n",
               rest, plain.friction, plain.damping);
  return plain_write(q, &b, r, fault);
}

const bridge_format format_isaac = { "isaac", "friction efforts of a joint for PhysX and Isaac, as JSON", ".json",
                                     BRIDGE_LOAD | BRIDGE_DATA, write_isaac };
