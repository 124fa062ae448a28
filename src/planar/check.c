/* Checks of what callers of the planar models give, each naming field, value and rule; and the usual parameters. */
#include "planar/couple.h"
#include "bristle/bristle.h"

bristle_status planar_fail(bristle_error *error, bristle_status status, const char *model, const char *field,
                           const char *rule, long index, double value)
{
  return refuse_with(error, (bristle_error){ status, model, field, rule, (int)index, value, 0, 0 });
}

bristle_status planar_check_bounds(const char *model, const planar_bound *bounds, int count, bristle_error *error)
{
  for (int i = 0; i < count; i++) {
    const planar_bound *b = &bounds[i];
    bristle_error what = { BRISTLE_STATUS_OK, model, b->field, NULL, -1, b->value, b->lo, b->hi };
    if (!is_finite(b->value)) what.status = BRISTLE_STATUS_NOT_FINITE;
    else if (b->value < b->lo || b->value > b->hi) what.status = BRISTLE_STATUS_OUT_OF_RANGE;
    if (!what.status) continue;
    return refuse_with(error, what);
  }
  return BRISTLE_STATUS_OK;
}

bristle_status bristle_planar_check_input(const bristle_planar_input *in, int step, bristle_error *error)
{
  const double most = PLANAR_LARGEST;
  const planar_bound bounds[] = {
    { "v", in->v[0], -most, most }, { "v", in->v[1], -most, most }, { "v", in->v[2], -most, most },
    { "n", in->n, -most, most },    { "h", in->h, 0, most },
  };
  bristle_status status = planar_check_bounds("planar", bounds, 5, error);
  if (status) return status;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double value = in->w[i][j];
      if (!is_finite(value))
        return planar_fail(error, BRISTLE_STATUS_NOT_FINITE, "planar", "w", NULL, 3 * i + j, value);
      double size = sqrt_f64(abs_f64(in->w[i][i] * in->w[j][j]));
      if (abs_f64(value - in->w[j][i]) > 1e-9 * size)
        return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, "planar", "w", "w must be symmetric", 3 * i + j, value);
      if (in->w[i][i] < 0 || abs_f64(value) > size * (1 + 1e-9))
        return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, "planar", "w", "w must not be negative in any direction",
                           3 * i + j, value);
    }
  const double(*w)[3] = in->w;
  double volume = w[0][0] * (w[1][1] * w[2][2] - w[1][2] * w[2][1]) - w[0][1] * (w[1][0] * w[2][2] - w[1][2] * w[2][0])
                  + w[0][2] * (w[1][0] * w[2][1] - w[1][1] * w[2][0]);
  if (volume < -1e-9 * w[0][0] * w[1][1] * w[2][2])
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, "planar", "w", "w must not be negative in any direction", -1,
                       volume);
  if (step && !(in->h > 0))
    return planar_fail(error, BRISTLE_STATUS_RULE_BROKEN, "planar", "h", "a step needs a length h > 0", -1, in->h);
  return BRISTLE_STATUS_OK;
}

void bristle_planar_defaults(const bristle_info *law, double *p)
{
  static const struct {
    bristle_role role;
    double value;
  } usual[] = {
    { BRISTLE_ROLE_STIFFNESS, 1e6 }, { BRISTLE_ROLE_DAMPING, 80 },       { BRISTLE_ROLE_VISCOUS, 0.2 },
    { BRISTLE_ROLE_LEVEL, 1 },       { BRISTLE_ROLE_STATIC_LEVEL, 1.2 }, { BRISTLE_ROLE_STRIBECK_SPEED, 1e-3 },
    { BRISTLE_ROLE_LENGTH, 0.9e-6 },
  };
  bristle_defaults(law, p);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    const bristle_row *row = bristle_param_role(law, usual[i].role);
    const int is_shared = row && row->role == BRISTLE_ROLE_STIFFNESS && !(bristle_stiffness(law, p) > 0);
    for (int k = 0; row && !is_shared && k < row->count; k++) p[row->first + k] = usual[i].value;
  }
}
