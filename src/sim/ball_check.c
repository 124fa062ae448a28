/* What a body on a ball joint must be, and the columns it gives. */
#include "sim/ball.h"
#include "sim/rigs.h"

/* one bristle, with the three components of space */
int ball_shows_bristles(const bristle_info *info)
{
  return info->nstate == 3 && info->state_rows == 1 && info->state[0].kind == BRISTLE_ROW_FLOW;
}

int sim_columns_ball(const void *self, int rotary, bristle_sim_column *columns)
{
  const bristle_ball *r = self;
  static const char *const names[][2] = {
    { "t", "s" },    { "tilt", "rad" }, { "azimuth", "rad" }, { "ux", "1" },     { "uy", "1" },
    { "uz", "1" },   { "wx", "rad/s" }, { "wy", "rad/s" },    { "wz", "rad/s" }, { "Tx", "N*m" },
    { "Ty", "N*m" }, { "Tz", "N*m" },   { "N", "N" },
  };
  const bristle_info *info = r->contact.vector->f64[1]->info;
  int count = (int)(sizeof names / sizeof *names);
  (void)rotary;
  for (int i = 0; i < count; i++) sim_put_column(columns, i, names[i][0], names[i][1]);
  for (int i = 0; i < 3 && ball_shows_bristles(info); i++)
    sim_put_column(columns, count++, (const char *[]){ "zx", "zy", "zz" }[i], "m");
  sim_put_column(columns, count++, "lambda", "m/s");
  sim_put_column(columns, count++, "C0", "1/s");
  sim_put_column(columns, count++, "mode", "1");
  return count;
}

bristle_joint ball_joint(const bristle_ball *r)
{
  bristle_joint joint;
  bristle_joint_init(&joint, BRISTLE_JOINT_SPHERICAL);
  joint.ball_radius = r->radius;
  joint.preload_torque = r->preload;
  joint.combine = r->sum ? BRISTLE_JOINT_COMBINE_SUM : BRISTLE_JOINT_COMBINE_MAX;
  joint.contact = r->contact;
  joint.contact.load = BRISTLE_LOAD_COEFFICIENT;
  joint.mu_s = r->mu_s;
  return joint;
}

bristle_sim_status sim_check_ball(const void *self, bristle_sim_error *error)
{
  const bristle_ball *r = self;
  const sim_number numbers[] = { { "mass", r->mass, SIM_POSITIVE },
                                 { "arm", r->arm, SIM_NOT_NEGATIVE },
                                 { "inertia", r->inertia[0], SIM_POSITIVE },
                                 { "inertia", r->inertia[1], SIM_POSITIVE },
                                 { "inertia", r->inertia[2], SIM_POSITIVE },
                                 { "gravity", r->gravity, SIM_FINITE },
                                 { "radius", r->radius, SIM_POSITIVE },
                                 { "preload", r->preload, SIM_NOT_NEGATIVE },
                                 { "load", r->load, SIM_NOT_NEGATIVE },
                                 { "mu_s", r->mu_s, SIM_NOT_NEGATIVE },
                                 { "tilt", r->tilt, SIM_FINITE },
                                 { "azimuth", r->azimuth, SIM_FINITE },
                                 { "w", r->w[0], SIM_FINITE },
                                 { "w", r->w[1], SIM_FINITE },
                                 { "w", r->w[2], SIM_FINITE } };
  bristle_error fault = { 0 };
  bristle_sim_status status = sim_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
  if (!status) status = sim_check_vector(&r->contact, 3, error);
  if (status) return status;
  for (int i = 0; i < 2; i++)
    if (!(r->inertia[i] >= r->mass * r->arm * r->arm * (1 - 1e-9)))
      return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "inertia",
                      "%g across the arm is less than mass*arm^2 = %g, that of a point", r->inertia[i],
                      r->mass * r->arm * r->arm);
  const bristle_joint joint = ball_joint(r);
  return bristle_joint_check(&joint, &fault) ? sim_fail_check(error, &fault) : BRISTLE_SIM_OK;
}
