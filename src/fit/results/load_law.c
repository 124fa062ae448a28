/* How a parameter follows the load. Constant, proportional and power laws are straight lines of slope 0, 1 or any in
   logarithms; the affine one is a weighted line. Which to believe is decided by predicting each value from the others:
   with a handful of loads, criteria that count parameters have nothing left to count. */
#include "lab/loads.h"

#include "io/support.h"
#include "maths/elementary.h"

/* a simpler rule is kept unless another predicts better by this factor */
static const double CLEARLY = 0.67;
/* deviations that a set may have and still be called right */
static const double TOLERANCE = 0.05;

const char *bristle_load_rule_text(bristle_load_rule rule)
{
  static const char *const names[BRISTLE_LOAD_RULES] = { "constant", "proportional", "power", "affine" };
  return (int)rule >= 0 && rule < BRISTLE_LOAD_RULES ? names[rule] : "";
}

/* a line y = level + slope (x - centre) with its fit */
typedef struct line {
  double level, slope, slope_deviation;
} line;

/* weighted least squares, leaving out one sample (or none: `without` >= count); a slope that is not NaN is given */
static line line_through(size_t count, const double *x, const double *y, const double *w, size_t without, double centre,
                         double slope)
{
  double sum = 0, sx = 0, sy = 0, sxx = 0, sxy = 0, squares = 0;
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == without) continue;
    const double dx = x[i] - centre;
    sum += w[i], sx += w[i] * dx, sy += w[i] * y[i], sxx += w[i] * dx * dx, sxy += w[i] * dx * y[i];
    used++;
  }
  const double spread = sxx - sx * sx / sum;
  line l = { .slope = isnan(slope) ? (sxy - sx * sy / sum) / spread : slope };
  l.level = (sy - l.slope * sx) / sum;
  for (size_t i = 0; i < count; i++)
    if (i != without) squares += w[i] * pow(y[i] - l.level - l.slope * (x[i] - centre), 2);
  l.slope_deviation = used > 2 ? sqrt(squares / (double)(used - 2) / spread) : (double)NAN;
  return l;
}

enum { MOST_LOADS = 256 };

/* the series in the scales of the fits */
typedef struct scaled {
  size_t count;
  const double *n, *value;
  double log_n[MOST_LOADS], log_value[MOST_LOADS];
  double weight[MOST_LOADS];        /* of relative errors */
  double weight_affine[MOST_LOADS]; /* of absolute ones */
} scaled;

static int parameters_in(bristle_load_rule rule)
{
  return rule == BRISTLE_RULE_POWER || rule == BRISTLE_RULE_AFFINE ? 2 : 1;
}

static line fit_rule(const scaled *s, bristle_load_rule rule, size_t without, double n0)
{
  static const double slopes[BRISTLE_LOAD_RULES] = { 0, 1, (double)NAN, (double)NAN };
  if (rule == BRISTLE_RULE_AFFINE)
    return line_through(s->count, s->n, s->value, s->weight_affine, without, n0, (double)NAN);
  return line_through(s->count, s->log_n, s->log_value, s->weight, without, log(n0), slopes[rule]);
}

static double value_of(const line *l, bristle_load_rule rule, double n, double n0)
{
  if (rule == BRISTLE_RULE_AFFINE) return l->level + l->slope * (n - n0);
  return exp(l->level + l->slope * log(n / n0));
}

static double held_out(const scaled *s, bristle_load_rule rule, double n0)
{
  double squares = 0;
  if ((int)s->count <= parameters_in(rule)) return HUGE_VAL;
  for (size_t i = 0; i < s->count; i++) {
    const line l = fit_rule(s, rule, i, n0);
    squares += pow(value_of(&l, rule, s->n[i], n0) / s->value[i] - 1, 2);
  }
  return sqrt(squares / (double)s->count);
}

static bristle_fault_kind scale_series(const bristle_load_series *series, scaled *s, bristle_load_law *law,
                                       bristle_fault *fault)
{
  double sum = 0;
  s->count = series->count, s->n = series->n, s->value = series->value;
  if (series->count < 2 || series->count > MOST_LOADS)
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "found %zu loads, expected 2 to %d", series->count, MOST_LOADS);
  law->lowest = HUGE_VAL;
  for (size_t i = 0; i < s->count; i++) {
    const double n = s->n[i], value = s->value[i], deviation = series->deviation ? series->deviation[i] : value;
    if (!(n > 0) || !isfinite(n) || !(value > 0) || !isfinite(value) || !(deviation > 0))
      return fault_set(fault, BRISTLE_FAULT_VALUE, "leave out loads where the parameter was not determined",
                       "%s is %g +- %g at the load %g, expected positive numbers",
                       series->name ? series->name : "the parameter", value, deviation, n);
    s->log_n[i] = log(n), s->log_value[i] = log(value);
    s->weight[i] = pow(value / deviation, 2), s->weight_affine[i] = pow(deviation, -2);
    law->lowest = fmin(law->lowest, n), law->highest = fmax(law->highest, n);
    sum += s->log_n[i];
  }
  law->n0 = exp(sum / (double)s->count);
  if (!(law->highest > 1.01 * law->lowest))
    return fault_set(fault, BRISTLE_FAULT_VALUE, "measure at loads that differ by a factor of two or more",
                     "all values are from the same load");
  return BRISTLE_FAULT_NONE;
}

static void choose(bristle_load_law *law)
{
  static const bristle_load_rule order[BRISTLE_LOAD_RULES] = { BRISTLE_RULE_CONSTANT, BRISTLE_RULE_PROPORTIONAL,
                                                               BRISTLE_RULE_POWER, BRISTLE_RULE_AFFINE };
  law->best = BRISTLE_RULE_CONSTANT;
  for (int k = 1; k < BRISTLE_LOAD_RULES; k++) {
    /* constant and proportional are equally simple, as are power and affine */
    const int simpler = k == 2 || (k == 3 && law->best < BRISTLE_RULE_POWER);
    const double needed = law->rule[law->best].held_out * (simpler ? CLEARLY : 1);
    if (law->rule[order[k]].held_out < needed) law->best = order[k];
  }
}

/* the load ratio up to which a rule of slope `wrong` stays within the tolerance of the power law */
static double reach(double exponent, double wrong)
{
  const double off = fabs(exponent - wrong);
  return off > 0 ? pow(1 + TOLERANCE, 1 / off) : HUGE_VAL;
}

/* the largest error of a value taken from one load to another with `exponent` in between */
static double transfer_error(const scaled *s, const bristle_load_law *law, bristle_load_rule rule)
{
  double largest = 0;
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j < s->count; j++) {
      const double factor = bristle_load_law_value(law, rule, s->n[j]) / bristle_load_law_value(law, rule, s->n[i]);
      largest = fmax(largest, fabs(s->value[i] * factor / s->value[j] - 1));
    }
  return largest;
}

bristle_fault_kind bristle_load_law_find(const bristle_load_series *series, bristle_load_law *law, bristle_fault *fault)
{
  scaled s;
  *law = (bristle_load_law){ 0 };
  bristle_fault_kind kind = scale_series(series, &s, law, fault);
  if (kind) return kind;
  for (int k = 0; k < BRISTLE_LOAD_RULES; k++) {
    const bristle_load_rule rule = (bristle_load_rule)k;
    const line l = fit_rule(&s, rule, s.count, law->n0);
    double squares = 0;
    for (size_t i = 0; i < s.count; i++) squares += pow(value_of(&l, rule, s.n[i], law->n0) / s.value[i] - 1, 2);
    law->rule[k].value = value_of(&l, rule, law->n0, law->n0);
    law->rule[k].slope = rule == BRISTLE_RULE_AFFINE ? l.slope : 0;
    law->rule[k].exponent = rule == BRISTLE_RULE_AFFINE ? 0 : l.slope;
    law->rule[k].error = sqrt(squares / (double)s.count);
    law->rule[k].held_out = held_out(&s, rule, law->n0);
    if (rule == BRISTLE_RULE_POWER) law->exponent = l.slope, law->exponent_deviation = l.slope_deviation;
  }
  law->is_judged = s.count >= 3;
  choose(law);
  law->unchanged_reach = reach(law->exponent, 0);
  law->scaled_reach = reach(law->exponent, 1);
  law->unchanged_error = transfer_error(&s, law, BRISTLE_RULE_CONSTANT);
  law->scaled_error = transfer_error(&s, law, BRISTLE_RULE_PROPORTIONAL);
  law->best_error = transfer_error(&s, law, law->best);
  return BRISTLE_FAULT_NONE;
}

double bristle_load_law_value(const bristle_load_law *law, bristle_load_rule rule, double n)
{
  if (rule == BRISTLE_RULE_AFFINE) return law->rule[rule].value + law->rule[rule].slope * (n - law->n0);
  return law->rule[rule].value * pow(n / law->n0, law->rule[rule].exponent);
}

void bristle_load_law_text(const bristle_load_series *series, const bristle_load_law *law, char *text, size_t size)
{
  const char *name = series->name ? series->name : "the parameter";
  char rule[160], carry[200];
  if (law->best == BRISTLE_RULE_POWER)
    snprintf(rule, sizeof rule, "grows with the power %.2f of the load", law->exponent);
  else if (law->best == BRISTLE_RULE_AFFINE)
    snprintf(rule, sizeof rule, "is %.3g at no load and grows by %.3g for each unit of load",
             bristle_load_law_value(law, law->best, 0), law->rule[law->best].slope);
  else
    snprintf(rule, sizeof rule, "is %s",
             law->best == BRISTLE_RULE_CONSTANT ? "the same at all loads" : "proportional to the load");
  if (law->unchanged_error <= TOLERANCE)
    snprintf(carry, sizeof carry, "a value from one load may be used at all of them");
  else if (law->scaled_error <= TOLERANCE)
    snprintf(carry, sizeof carry, "a value from one load may be used at all of them when it is scaled with the load");
  else
    snprintf(
        carry, sizeof carry,
        "a value from one load is wrong by up to %.0f %% at another, and by up to %.0f %% when it is scaled with the "
        "load: unchanged it holds within 5 %% only up to a factor of %.2g in load",
        100 * law->unchanged_error, 100 * law->scaled_error, law->unchanged_reach);
  snprintf(text, size, "%s %s%s; %s.", name, rule, law->is_judged ? "" : " as far as two loads can show", carry);
}
