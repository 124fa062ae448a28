/* What a slider must be, and the columns it gives. */
#include "sim/axis.h"
#include "sim/rigs.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 1000 };

int sim_columns_slider(const void *self, int rotary, bristle_sim_column *columns)
{
  const bristle_slider *r = self;
  static const char *const names[][2] = { { "t", "s" },         { "x", "m" },    { "y", "m" },
                                          { "angle", "rad" },   { "vx", "m/s" }, { "vy", "m/s" },
                                          { "omega", "rad/s" }, { "Fx", "N" },   { "Fy", "N" },
                                          { "torque", "N*m" },  { "mode", "1" } };
  const int count = (int)(sizeof names / sizeof *names);
  (void)r, (void)rotary;
  for (int i = 0; i < count; i++) sim_put_column(columns, i, names[i][0], names[i][1]);
  return count;
}

static bristle_sim_status check_shape(const bristle_slider *r, bristle_sim_error *error)
{
  const sim_number ring[] = { { "inner", r->inner, SIM_NOT_NEGATIVE }, { "outer", r->outer, SIM_POSITIVE } };
  const sim_number sides[] = { { "width", r->width, SIM_POSITIVE }, { "height", r->height, SIM_POSITIVE } };
  const bristle_sim_status status = sim_check_numbers(r->ring ? ring : sides, 2, error);
  if (status) return status;
  if (r->ring && !(r->inner < r->outer))
    return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "inner", "it is %g, and must be below outer, %g", r->inner,
                    r->outer);
  if (r->cells < 1 || r->cells > MOST_CELLS)
    return sim_fail(error, BRISTLE_SIM_BAD_INPUT, 0, "cells", "it is %d, and must be from 1 to %d", r->cells,
                    MOST_CELLS);
  return BRISTLE_SIM_OK;
}

/* A cell at rest is not told what pulls at it: laws that can only answer then cannot hold a slider. Those that can are
   named. */
static bristle_sim_status refuse_law(const bristle_info *info, bristle_sim_error *error)
{
  char others[160] = "";
  for (int i = 0; i < bristle_vector_law_count(); i++) {
    const bristle_vector_law *law = bristle_vector_law_at(i);
    const size_t used = strlen(others);
    if (!(law->f64[0]->info->traits & BRISTLE_TRAIT_SET_VALUED))
      snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "", law->name);
  }
  return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "friction",
                  "%s has no bristle to hold a patch at rest; laws for patches are %s", info->name, others);
}

static bristle_sim_status check_law(const bristle_slider *r, bristle_sim_error *error)
{
  const bristle_sim_status status = sim_check_vector(&r->contact, 2, error);
  if (status) return status;
  const bristle_info *info = r->contact.vector->f64[0]->info;
  if (info->traits & BRISTLE_TRAIT_SET_VALUED) return refuse_law(info, error);
  if (r->reduced && !bristle_planar_suits(info))
    return sim_fail(error, BRISTLE_SIM_UNSUITABLE, 0, "friction", "there is no reduced model with the law %s",
                    info->name);
  return BRISTLE_SIM_OK;
}

bristle_sim_status sim_check_slider(const void *self, bristle_sim_error *error)
{
  const bristle_slider *r = self;
  static const char *const forces[] = { "force_x", "force_y", "torque" }, *const anchors[] = { "anchor_x", "anchor_y" };
  const sim_number numbers[] = { { "mass", r->mass, SIM_POSITIVE },     { "inertia", r->inertia, SIM_POSITIVE },
                                 { "load", r->load, SIM_NOT_NEGATIVE }, { "stiffness", r->stiffness, SIM_NOT_NEGATIVE },
                                 { "x", r->x[0], SIM_FINITE },          { "y", r->x[1], SIM_FINITE },
                                 { "angle", r->x[2], SIM_FINITE },      { "vx", r->v[0], SIM_FINITE },
                                 { "vy", r->v[1], SIM_FINITE },         { "omega", r->v[2], SIM_FINITE } };
  bristle_sim_status status = sim_check_numbers(numbers, sizeof numbers / sizeof *numbers, error);
  if (!status) status = check_shape(r, error);
  if (!status) status = check_law(r, error);
  for (int i = 0; !status && i < 3; i++) status = program_check(&r->force[i], forces[i], error);
  for (int i = 0; !status && i < 2; i++) status = program_check(&r->anchor[i], anchors[i], error);
  return status;
}
