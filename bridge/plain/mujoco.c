/* MuJoCo: frictionloss and damping of a joint. */
#include "plain/plain.h"

static double role_value(const bridge_request *q, bristle_role role)
{
  const bristle_row *row = bristle_param_role(q->friction->info, role);
  return row && row->count == 1 ? q->friction->p[row->first] : 0;
}

/* MuJoCo's own bristle takes its damping implicitly and its stiffness explicitly: with z' = z + h v and
   v' = (v - h/J stiffness z)/(1 + h/J damping) it is stable up to h = damping/stiffness, whatever the inertia J. */
static void add_bristle(const bridge_request *q, const char *name, buffer *b, bridge_result *r)
{
  const double stiffness = role_value(q, BRISTLE_ROLE_STIFFNESS), damping = role_value(q, BRISTLE_ROLE_DAMPING);
  const double level = role_value(q, BRISTLE_ROLE_LEVEL), most = role_value(q, BRISTLE_ROLE_STATIC_LEVEL);
  const double speed = role_value(q, BRISTLE_ROLE_STRIBECK_SPEED), exponent = role_value(q, BRISTLE_ROLE_EXPONENT);
  if (!(q->friction->info->traits & BRISTLE_TRAIT_AFFINE) || !(stiffness > 0 && damping > 0 && most > 0 && speed > 0))
    return;
  if (q->friction->load != BRISTLE_LOAD_FORCE) return;
  buffer_print(b,
               "<!-- or, instead of frictionloss, the bristle of MuJoCo's motor; it sticks with time steps up to %.3g "
               "s and integrator "
               "implicitfast:\n  <dcmotor joint=\"%s\" motorconst=\"1e-6\" resistance=\"1\" input=\"none\" "
               "lugre=\"%.9g %.9g %.9g "
               "%.9g %.9g\"/>\n-->\n",
               damping / stiffness, name, stiffness, damping, level, most, speed);
  bridge_lost(
      r,
      "stick at time steps above %.3g s (damping/stiffness), with dcmotor lugre: it slips away below the static level; "
      "the plugin of docs/mujoco.md does not",
      damping / stiffness);
  if (exponent > 0 && exponent != 2) bridge_lost(r, "the Stribeck exponent %g: dcmotor has 2", exponent);
}

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
  add_bristle(q, name, &b, r);
  bridge_lost(
      r, "true stick at any time step: frictionloss is a soft constraint and creeps under load, less with the stiff "
         "solreffriction in the file");
  return plain_write(q, &b, r, fault);
}

const bridge_format format_mujoco = { "mujoco", "frictionloss and damping of a joint, as XML", ".xml",
                                      BRIDGE_LOAD | BRIDGE_DATA, write_mujoco };
