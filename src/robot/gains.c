/* Numbers that a request gives for all joints or for one: gains and damping. */
#include "robot/data.h"

#include "maths/elementary.h"

/* "VALUE" for all joints, "NAME=VALUE" for one */
static bristle_fault_kind read_values(const bristle_robot *robot, const char *const *given, const char *option,
                                      const char *units, double missing, double *to, bristle_fault *fault)
{
  for (int k = 0; k < BRISTLE_ROBOT_JOINTS; k++) to[k] = missing;
  for (; given && *given; given++) {
    const char *equals = strchr(*given, '='), *value = equals ? equals + 1 : *given;
    char name[BRISTLE_ROBOT_NAME];
    double number;
    snprintf(name, sizeof name, "%.*s", (int)(equals ? equals - *given : 0), *given);
    const int joint = equals ? bristle_robot_find(robot, name) : -1;
    if (equals && joint < 0)
      return fault_set(fault, BRISTLE_FAULT_REQUEST, "the names are those of the robot's file",
                       "option %s %s: there is no such joint that moves", option, name);
    for (const char *const *other = given + 1; *other; other++)
      if (!strncmp(*other, *given, (size_t)(value - *given)) && !strchr(*other + (value - *given), '=')
          && (equals || !strchr(*other, '=')))
        return fault_set(fault, BRISTLE_FAULT_REQUEST, "say it once", "option %s%s%s is given twice", option,
                         equals ? " " : "", name);
    if (bristle_quantity_read(value, strlen(value), units, &number, NULL, fault))
      return fault->kind = BRISTLE_FAULT_REQUEST;
    if (number == 0 && isnan(missing))
      return fault_set(fault, BRISTLE_FAULT_REQUEST, NULL, "option %s %s: expected another value than zero", option,
                       *given);
    for (int k = 0; k < robot->tree.count; k++)
      if (joint < 0 || joint == k) to[k] = number;
  }
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind robot_gains_read(bristle_robot_study *study, bristle_fault *fault)
{
  const bristle_robot_request *q = &study->request;
  bristle_fault_kind kind = read_values(&study->robot, q->gain, "gain", "N*m/A|N/A|1|N*m/rad|N/m", (double)NAN,
                                        study->data->gain, fault);
  if (kind) return kind;
  return read_values(&study->robot, q->damping, "damping", "N*m*s/rad|N*s/m", 0, study->data->damping, fault);
}
