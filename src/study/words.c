/* Names, numbers and units as page, summary and JSON show them. */
#include "study/study.h"

#include "maths/elementary.h"

const char *study_unit(const bristle_identified *r) { return r->unit[0] ? r->unit : bristle_force_unit(r->rotary); }

void study_name(const bristle_identified *r, char text[64])
{
  const bristle_estimate *skew = &r->estimate[r->law->f64->info->nparam + BRISTLE_TERM_SKEW];
  const int levels = bristle_param_role(r->law->f64->info, BRISTLE_ROLE_SKEW) != NULL;
  snprintf(text, 64, "%s%s%s%s%s", r->law->name,
           levels       ? " + level skew"
           : skew->free ? " + skew"
                        : "",
           bristle_identified_has_drag(r) ? " + drag" : "",
           r->over[BRISTLE_OVER_FRICTION].knots ? " + friction(x)" : "",
           r->over[BRISTLE_OVER_FORCE].knots ? " + force(x)" : "");
}

char study_mark(const bristle_identified *r, int place)
{
  return place == 0 ? '*' : r->explains_more ? '+' : r->indistinguishable ? '=' : ' ';
}

/* value and deviation to the second digit of the deviation: "399540 +- 290", "(1.9935 +- 0.0057)e-3" */
static void write_with_deviation(double value, double deviation, char text[64])
{
  if (deviation > fabs(value)) {
    snprintf(text, 64, "%.2g +- %.2g", value, deviation);
    return;
  }
  const int size = (int)floor(log10(fabs(value))), last = (int)floor(log10(deviation)) - 1;
  const int power = size >= -3 && size < 7 ? 0 : size;
  const int places = power > last ? power - last : 0;
  const double unit = pow(10, last), scale = pow(10, -power);
  const double shown = scale * unit * round(value / unit), spread = scale * unit * round(deviation / unit);
  if (power) snprintf(text, 64, "(%.*f +- %.*f)e%d", places, shown, places, spread, power);
  else snprintf(text, 64, "%.*f +- %.*f", places, shown, places, spread);
}

static const double LOST = 1000; /* a deviation of that many times the value says nothing, not even of its size */

void study_number(const bristle_estimate *x, char text[64])
{
  if (!x->free) snprintf(text, 64, "%.6g (fixed)", x->value);
  else if (!isfinite(x->deviation) || (x->value != 0 && x->deviation > LOST * fabs(x->value)))
    snprintf(text, 64, "%.3g (not determined)", x->value);
  else if (x->deviation <= 0) snprintf(text, 64, "%.3g (at its bound)", x->value);
  else if (x->deviation > 1e-12 * fabs(x->value)) write_with_deviation(x->value, x->deviation, text);
  else snprintf(text, 64, "%.13g", x->value);
}

void study_interval(const bristle_identified *r, int k, double interval[2])
{
  const bristle_info *info = r->law->f64->info;
  const bristle_estimate *x = &r->estimate[k];
  const double wide = 1.96 * x->deviation;
  double lo = -HUGE_VAL, hi = HUGE_VAL;
  int positive = k == info->nparam + BRISTLE_TERM_MASS;
  for (int i = 0; i < info->param_rows && k < info->nparam; i++) {
    const bristle_row *row = &info->param[i];
    if (k < row->first || k >= row->first + row->count) continue;
    positive = row->kind == BRISTLE_ROW_LOG;
    lo = row->lo, hi = row->hi;
  }
  positive &= x->value > 0;
  interval[0] = fmax(positive ? x->value * exp(-wide / x->value) : x->value - wide, lo);
  interval[1] = fmin(positive ? x->value * exp(wide / x->value) : x->value + wide, hi);
}

const char *study_times(const bristle_identified *r, int k)
{
  const int extra = k - r->law->f64->info->nparam - BRISTLE_TERM_EXTRA;
  return extra >= 0 && extra < BRISTLE_EXTRAS ? r->extra_text[extra] : "";
}

int study_is_validated(const bristle_study *study)
{
  return study->validation || (study->motion && study->motion->held);
}

int study_has_slow(const bristle_study *study)
{
  for (int i = 0; i < study->results; i++)
    if (isfinite(study->result[i]->held_out_slow)) return 1;
  return 0;
}
