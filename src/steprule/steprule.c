/* Steps proposed from the slip speed: the rules of Dymore's manual, their defaults, and the hold time. */
#include "bristle/steprule.h"
#include "bristle/bristle.h"
#include "core/check.h"

static const double largest = 0x1.fffffffffffffp1023;

/* Coulomb's rule: between two lengths, and without a bristle */
static int has_limits(const bristle_steprule *rule) { return rule->kind == BRISTLE_STEPRULE_COULOMB; }

void bristle_steprule_init(bristle_steprule *rule, bristle_steprule_kind kind)
{
  static const double c[2][4] = { { 1e-4, 1e-3, 5, 1 }, { 0.02, 5, 1.2, 5 } };
  rule->kind = kind;
  for (int i = 0; i < 4; i++) rule->c[i] = c[kind == BRISTLE_STEPRULE_LUGRE][i];
  rule->speed = rule->stiffness = rule->level = rule->static_level = 0;
  rule->exponent = 2;
  rule->explicit_update = 0;
}

bristle_status bristle_steprule_take(bristle_steprule *rule, bristle_steprule_kind kind, const bristle_info *law,
                                     const double *p, bristle_error *error)
{
  return bristle_steprule_take_at(rule, kind, law, p, 0, error);
}

bristle_status bristle_steprule_take_at(bristle_steprule *rule, bristle_steprule_kind kind, const bristle_info *law,
                                        const double *p, double given, bristle_error *error)
{
  bristle_steprule taken;
  bristle_steprule_init(&taken, kind);
  const bristle_row *speed = bristle_law_speed(law);
  taken.speed = given != 0 ? given : speed ? p[speed->first] : 0;
  taken.stiffness = bristle_stiffness(law, p);
  taken.level = bristle_role_value(law, p, BRISTLE_ROLE_LEVEL, 0);
  taken.static_level = bristle_role_value(law, p, BRISTLE_ROLE_STATIC_LEVEL, taken.level);
  taken.exponent = bristle_law_exponent(law, p);
  bristle_status bad = bristle_steprule_check(&taken, error);
  if (bad && error) error->model = law->name;
  if (!bad) *rule = taken;
  return bad;
}

bristle_status bristle_steprule_check(const bristle_steprule *rule, bristle_error *error)
{
  const char *model = has_limits(rule) ? "Coulomb step rule" : "LuGre step rule";
  const int bristle = !has_limits(rule) || rule->explicit_update;
  const struct {
    const char *field;
    int index, needed;
    double value;
  } numbers[] = {
    { "speed", -1, 1, rule->speed },
    { "stiffness", -1, bristle, rule->stiffness },
    { "level", -1, bristle, rule->level },
    { "static_level", -1, bristle, rule->static_level },
    { "exponent", -1, bristle, rule->exponent },
    { "c", 0, 1, rule->c[0] },
    { "c", 1, 1, rule->c[1] },
    { "c", 2, 1, rule->c[2] },
  };
  for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
    double value = numbers[i].value;
    if (!is_finite(value))
      return refuse_with(error, (bristle_error){ BRISTLE_STATUS_NOT_FINITE, model, numbers[i].field,
                                                 "must be a finite number", numbers[i].index, value, 0, 0 });
    if (numbers[i].needed && !(value > 0))
      return refuse_with(error, (bristle_error){ BRISTLE_STATUS_RULE_BROKEN, model, numbers[i].field, "must be above 0",
                                                 numbers[i].index, value, 0, 0 });
  }
  if (!(rule->c[3] >= 0))
    return refuse_with(error, (bristle_error){ BRISTLE_STATUS_RULE_BROKEN, model, "c",
                                               "the hold time must not be negative", 3, rule->c[3], 0, 0 });
  if (has_limits(rule) && rule->c[1] < rule->c[0])
    return refuse_with(error, (bristle_error){ BRISTLE_STATUS_RULE_BROKEN, model, "c",
                                               "dt_max must not be below dt_min", 1, rule->c[1], 0, 0 });
  if (bristle && rule->static_level < rule->level)
    return refuse_with(error,
                       (bristle_error){ BRISTLE_STATUS_RULE_BROKEN, model, "static_level",
                                        "the static level must not be below the level", -1, rule->static_level, 0, 0 });
  return BRISTLE_STATUS_OK;
}

double bristle_steprule_speed(const double *slip, int dim)
{
  double sum = 0;
  for (int i = 0; i < dim; i++) sum += slip[i] * slip[i];
  return sqrt_f64(sum);
}

/* eqs. 5 and 9 */
static double smallness(const bristle_steprule *rule, double V)
{
  return V / rule->speed / (has_limits(rule) ? rule->c[2] : rule->c[1]);
}

/* eq. 8's 1/Omega */
static double bristle_time(const bristle_steprule *rule) { return rule->level / (rule->stiffness * rule->speed); }

double bristle_steprule_cap(const bristle_steprule *rule, double V)
{
  double g = rule->level + (rule->static_level - rule->level) * exp_f64(-pow_f64(V / rule->speed, rule->exponent));
  double rate = rule->stiffness * V;
  return rate > g / largest ? g / rate : largest;
}

double bristle_steprule_length(const bristle_steprule *rule, double V)
{
  double nu = smallness(rule, V), dt, t2 = tanh_f64(nu) * tanh_f64(nu);
  if (has_limits(rule)) dt = rule->c[0] + (rule->c[1] - rule->c[0]) * t2 * t2;
  else dt = rule->c[0] * bristle_time(rule) * (nu > 1 ? pow_f64(nu, rule->c[2]) : 1);
  if (!rule->explicit_update) return dt;
  double cap = bristle_steprule_cap(rule, V);
  return dt < cap ? dt : cap;
}

double bristle_steprule_hold(const bristle_steprule *rule)
{
  return has_limits(rule) ? rule->c[3] : rule->c[3] * bristle_time(rule);
}

double bristle_steprule_next(const bristle_steprule *rules, bristle_steprule_clock *clocks, const double *speeds,
                             int count, double t, double host)
{
  double smallest = largest, cap = largest;
  int controlled = 0;
  for (int i = 0; i < count; i++) {
    bristle_steprule_clock *clock = &clocks[i];
    if (speeds[i] < 0) continue;
    if (!clock->started || smallness(&rules[i], speeds[i]) < 1) clock->last = t;
    clock->started = 1;
    if (t - clock->last <= bristle_steprule_hold(&rules[i])) {
      double dt = bristle_steprule_length(&rules[i], speeds[i]);
      smallest = dt < smallest ? dt : smallest;
      controlled = 1;
    }
    if (rules[i].explicit_update) {
      double most = bristle_steprule_cap(&rules[i], speeds[i]);
      cap = most < cap ? most : cap;
    }
  }
  double dt = controlled ? smallest : host;
  return dt < cap ? dt : cap;
}
