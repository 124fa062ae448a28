/* What a serial arm must be, and the columns it gives. */
#include "sim/arm.h"

#include <stdio.h>
#include <string.h>

int sim_columns_arm(const void *self, int rotary, bristle_sim_column *columns)
{
  const bristle_arm *r = self;
  static const char *const each[][2] = {
    { "q", "rad" }, { "v", "rad/s" }, { "F", "N*m" }, { "motor", "N*m" }, { "mode", "1" }
  };
  int at = sim_put_column(columns, 0, "t", "s");
  (void)rotary;
  for (size_t k = 0; k < sizeof each / sizeof *each; k++)
    for (size_t i = 0; i < r->count; i++) {
      char name[24];
      snprintf(name, sizeof name, "%s%zu", each[k][0], i + 1);
      at = sim_put_column(columns, at, name, each[k][1]);
    }
  at = sim_put_column(columns, at, "x", "m");
  at = sim_put_column(columns, at, "y", "m");
  at = sim_put_column(columns, at, "kinetic", "J");
  at = sim_put_column(columns, at, "potential", "J");
  at = sim_put_column(columns, at, "motor_work", "J");
  return sim_put_column(columns, at, "mode", "1");
}

/* puts the number of the link before the field and the sentence: "links[2].mass" */
static bristle_sim_status name_link(bristle_sim_status status, size_t i, bristle_sim_error *error)
{
  if (!status || !error) return status;
  const bristle_sim_error inner = *error;
  const unsigned number = (unsigned)i + 1;
  snprintf(error->field, sizeof error->field, "links[%u].%.29s", number, inner.field);
  snprintf(error->what, sizeof error->what, "link %u, %s: %.170s", number, inner.field, inner.what);
  return status;
}

static bristle_sim_status check_link(const bristle_arm_link *link, bristle_sim_error *error)
{
  const sim_number numbers[] = { { "mass", link->mass, SIM_POSITIVE },
                                 { "length", link->length, SIM_POSITIVE },
                                 { "centre", link->centre, SIM_FINITE },
                                 { "inertia", link->inertia, SIM_NOT_NEGATIVE },
                                 { "kp", link->kp, SIM_NOT_NEGATIVE },
                                 { "kd", link->kd, SIM_NOT_NEGATIVE },
                                 { "limit", link->limit, SIM_NOT_NEGATIVE },
                                 { "q", link->q, SIM_FINITE },
                                 { "v", link->v, SIM_FINITE } };
  const bristle_program *const programs[] = { &link->torque, &link->target, &link->load };
  static const char *const names[] = { "torque", "target", "load" };
  bristle_sim_status status = sim_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
  if (!status && !(link->inertia > 0) && link->centre == 0)
    status = sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "inertia",
                      "it is 0 and the mass is in the joint: give a non-zero inertia, or a centre");
  for (int i = 0; !status && i < 3; i++) status = program_check(programs[i], names[i], error);
  return status ? status : contact_check(&link->contact, link->z, error);
}

bristle_sim_status sim_check_arm(const void *self, bristle_sim_error *error)
{
  const bristle_arm *r = self;
  const sim_number numbers[] = { { "gravity", r->gravity, SIM_FINITE } };
  if (r->count < 1 || r->count > LINKS || !r->link)
    return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "links", "there are %zu, and must be from 1 to %d", r->count,
                    (int)LINKS);
  bristle_sim_status status = sim_check_numbers(numbers, 1, error);
  for (int k = 0; !status && k < 2; k++) status = program_check(&r->push[k], "push", error);
  for (size_t i = 0; !status && i < r->count; i++) status = name_link(check_link(&r->link[i], error), i, error);
  return status;
}
