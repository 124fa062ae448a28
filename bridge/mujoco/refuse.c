/* What the solve could not be right for is refused by name, never approximated silently. */
#include "plugin.h"

const char *refused_option(const mjModel *m)
{
  switch (m->opt.integrator) {
  case mjINT_EULER:
  case mjINT_IMPLICITFAST:
    break;
  case mjINT_RK4:
    return "integrator RK4 evaluates forces four times a step and advances states once: use implicitfast or Euler";
  case mjINT_IMPLICIT:
    return "integrator implicit has a matrix that is not symmetric: use implicitfast or Euler";
  default:
    return "this integrator solves with a matrix of its own, which a plugin cannot see: use implicitfast or Euler";
  }
  if ((m->opt.disableflags & mjDSBL_SPRING) && (m->opt.disableflags & mjDSBL_DAMPER))
    return "flags spring and damper are both disabled, and then MuJoCo leaves out all passive forces of plugins: "
           "enable one of them";
  if (m->opt.enableflags & mjENBL_SLEEP) return "flag sleep puts joints to sleep without their friction: disable it";
  if (m->opt.integrator == mjINT_EULER && !(m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)))
    for (int i = 0; i < m->nv; i++) {
      int plain = m->jnt_actuatorid[m->dof_jntid[i]] == -1;
      for (int k = 0; k < mjNPOLY; k++) plain = plain && m->dof_dampingpoly[mjNPOLY * i + k] == 0;
      if (!plain)
        return "with integrator Euler, damping that is polynomial or belongs to an actuator: use implicitfast";
    }
  return NULL;
}

const char *refused_model(const mjModel *m, int lead, int slot)
{
  if (m->nflex) return "flexible bodies (flex) are solved with a matrix of their own, which a plugin cannot see";
  for (int i = lead + 1; i < m->nplugin && m->nactuator == 0; i++) {
    const mjpPlugin *other = mjp_getPluginAtSlot(m->plugin[i]);
    if (m->plugin[i] != slot && other && (other->capabilityflags & mjPLUGIN_PASSIVE))
      return "another plugin with passive forces comes after it in a model without actuators, so that its forces would "
             "not "
             "be seen: put it before, or add an actuator";
  }
  return NULL;
}
