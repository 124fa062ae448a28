/* Values of a law's parameters by what they are. */
#include "bristle/bristle.h"

double bristle_role_value(const bristle_info *law, const double *p, bristle_role role, double missing)
{
  const bristle_row *row = bristle_param_role(law, role);
  return row ? p[row->first] : missing;
}

double bristle_static_level(const bristle_info *law, const double *p)
{
  const bristle_row *whole = bristle_param_role(law, BRISTLE_ROLE_STATIC_LEVEL);
  if (whole) return p[whole->first];
  return bristle_role_value(law, p, BRISTLE_ROLE_LEVEL, 0) + bristle_role_value(law, p, BRISTLE_ROLE_EXCESS_LEVEL, 0);
}

double bristle_stiffness(const bristle_info *law, const double *p)
{
  const bristle_row *row = bristle_param_role(law, BRISTLE_ROLE_STIFFNESS);
  const bristle_row *level = bristle_param_role(law, BRISTLE_ROLE_LEVEL);
  if (!row) return 0;
  return row->count == (level ? level->count : 1) ? p[row->first] : 0; /* elements share one level, axes do not */
}

void bristle_sliding_only(const bristle_info *law, const double *p, double *copy)
{
  const bristle_row *level = bristle_param_role(law, BRISTLE_ROLE_LEVEL);
  for (int i = 0; i < law->nparam; i++) copy[i] = p[i];
  for (int r = 0; level && r < law->param_rows; r++) {
    const bristle_row *row = &law->param[r];
    for (int i = 0; i < row->count; i++) {
      if (row->role == BRISTLE_ROLE_STATIC_LEVEL) copy[row->first + i] = p[level->first + (i < level->count ? i : 0)];
      if (row->role == BRISTLE_ROLE_EXCESS_LEVEL) copy[row->first + i] = 0;
    }
  }
}

const bristle_row *bristle_law_speed(const bristle_info *law)
{
  for (int r = 0; r < law->param_rows; r++) {
    const bristle_role role = law->param[r].role;
    if (role == BRISTLE_ROLE_STRIBECK_SPEED || role == BRISTLE_ROLE_SMOOTHING_SPEED) return &law->param[r];
  }
  return NULL;
}

double bristle_law_exponent(const bristle_info *law, const double *p)
{
  const bristle_row *speed = bristle_law_speed(law), *next = speed ? speed + 1 : NULL;
  const int has_one = next && next < law->param + law->param_rows && next->role == BRISTLE_ROLE_EXPONENT;
  return has_one ? p[next->first] : 2;
}
