/* Steps proposed from the slip speed: the rules of Dymore's manual, their defaults, and the hold time. */
#include "bristle/steprule.h"
#include "core/maths.h"

static const double largest = 0x1.fffffffffffffp1023;

static int is_coulomb(const bristle_steprule *rule) { return rule->kind == BRISTLE_STEPRULE_COULOMB; }

void bristle_steprule_init(bristle_steprule *rule, bristle_steprule_kind kind)
{
  static const double c[2][4] = { { 1e-4, 1e-3, 5, 1 }, { 0.02, 5, 1.2, 5 } };
  rule->kind = kind;
  for (int i = 0; i < 4; i++) rule->c[i] = c[kind == BRISTLE_STEPRULE_LUGRE][i];
  rule->vs = rule->sigma0 = rule->fc = rule->fs = 0;
  rule->gamma = 2;
  rule->explicit_update = 0;
}

static double row_value(const bristle_info *law, const double *p, const char *name, double missing)
{
  const bristle_row *row = bristle_param_find(law, name);
  return row ? p[row->first] : missing;
}

static bristle_status refuse(bristle_error *error, const char *model, bristle_status status, const char *field,
                             int index, double value, const char *text)
{
  if (error) {
    error->status = status;
    error->model = model;
    error->field = field;
    error->rule = text;
    error->index = index;
    error->value = value;
    error->lo = error->hi = 0;
  }
  return status;
}

bristle_status bristle_steprule_take(bristle_steprule *rule, bristle_steprule_kind kind, const bristle_info *law,
                                     const double *p, bristle_error *error)
{
  bristle_steprule taken;
  bristle_steprule_init(&taken, kind);
  taken.vs = row_value(law, p, "vs", row_value(law, p, "vt", 0));
  taken.sigma0 = row_value(law, p, "sigma0", 0);
  taken.fc = row_value(law, p, "fc", 0);
  taken.fs = row_value(law, p, "fs", taken.fc);
  taken.gamma = row_value(law, p, "gamma", 2);
  bristle_status bad = bristle_steprule_check(&taken, error);
  if (bad && error) error->model = law->name;
  if (!bad) *rule = taken;
  return bad;
}

static int is_finite(double x) { return (bits_f64(x) & 0x7ff0000000000000u) != 0x7ff0000000000000u; }

bristle_status bristle_steprule_check(const bristle_steprule *rule, bristle_error *error)
{
  const char *model = is_coulomb(rule) ? "Coulomb step rule" : "LuGre step rule";
  const int bristle = !is_coulomb(rule) || rule->explicit_update;
  const struct {
    const char *field;
    int index, needed;
    double value;
  } numbers[] = {
    { "vs", -1, 1, rule->vs },
    { "sigma0", -1, bristle, rule->sigma0 },
    { "fc", -1, bristle, rule->fc },
    { "fs", -1, bristle, rule->fs },
    { "gamma", -1, bristle, rule->gamma },
    { "c", 0, 1, rule->c[0] },
    { "c", 1, 1, rule->c[1] },
    { "c", 2, 1, rule->c[2] },
  };
  for (int i = 0; i < (int)(sizeof numbers / sizeof *numbers); i++) {
    double value = numbers[i].value;
    if (!is_finite(value))
      return refuse(error, model, BRISTLE_NOT_FINITE, numbers[i].field, numbers[i].index, value,
                    "must be a finite number");
    if (numbers[i].needed && !(value > 0))
      return refuse(error, model, BRISTLE_RULE_BROKEN, numbers[i].field, numbers[i].index, value, "must be above 0");
  }
  if (!(rule->c[3] >= 0))
    return refuse(error, model, BRISTLE_RULE_BROKEN, "c", 3, rule->c[3], "the hold time must not be negative");
  if (is_coulomb(rule) && rule->c[1] < rule->c[0])
    return refuse(error, model, BRISTLE_RULE_BROKEN, "c", 1, rule->c[1], "dt_max must not be below dt_min");
  if (bristle && rule->fs < rule->fc)
    return refuse(error, model, BRISTLE_RULE_BROKEN, "fs", -1, rule->fs, "fs must not be below fc");
  return BRISTLE_OK;
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
  return V / rule->vs / (is_coulomb(rule) ? rule->c[2] : rule->c[1]);
}

/* eq. 8's 1/Omega */
static double bristle_time(const bristle_steprule *rule) { return rule->fc / (rule->sigma0 * rule->vs); }

double bristle_steprule_cap(const bristle_steprule *rule, double V)
{
  double g = rule->fc + (rule->fs - rule->fc) * exp_f64(-pow_f64(V / rule->vs, rule->gamma));
  double rate = rule->sigma0 * V;
  return rate > g / largest ? g / rate : largest;
}

double bristle_steprule_length(const bristle_steprule *rule, double V)
{
  double nu = smallness(rule, V), dt, t2 = tanh_f64(nu) * tanh_f64(nu);
  if (is_coulomb(rule)) dt = rule->c[0] + (rule->c[1] - rule->c[0]) * t2 * t2;
  else dt = rule->c[0] * bristle_time(rule) * (nu > 1 ? pow_f64(nu, rule->c[2]) : 1);
  if (!rule->explicit_update) return dt;
  double cap = bristle_steprule_cap(rule, V);
  return dt < cap ? dt : cap;
}

double bristle_steprule_hold(const bristle_steprule *rule)
{
  return is_coulomb(rule) ? rule->c[3] : rule->c[3] * bristle_time(rule);
}

double bristle_steprule_next(const bristle_steprule *rules, bristle_steprule_clock *clocks, const double *speeds,
                             int count, double t, double host)
{
  double smallest = largest, cap = largest;
  int controlled = 0;
  for (int i = 0; i < count; i++) {
    bristle_steprule_clock *clock = &clocks[i];
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
