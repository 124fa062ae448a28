/* Axes: the span of the values, the prefix of the unit, and where the ticks are. */
#include "report/support.h"

#include "maths/elementary.h"

#include <string.h>

/* ---- spans ---- */

/* differences of greater numbers could overflow */
int frame_shows(const frame *f, double value) { return fabs(value) < 1e300 && (!f->log || value > 0); }

double frame_at(const frame *f, double value)
{
  return ((f->log ? log10(value) : value) - f->low) / (f->high - f->low);
}

frame frame_empty(int log) { return (frame){ HUGE_VAL, -HUGE_VAL, log != 0 }; }

void frame_take(frame *f, double value)
{
  if (!frame_shows(f, value)) return;
  if (f->log) value = log10(value);
  if (value < f->low) f->low = value;
  if (value > f->high) f->high = value;
}

void frame_finish(frame *f)
{
  if (!(f->low <= f->high)) *f = (frame){ 0, 1, f->log };
  double size = fmax(fabs(f->low), fabs(f->high));
  if (f->high - f->low > 1e-12 * size) return; /* less could not be drawn */
  double half = f->log ? 0.5 : size > 0 ? 0.1 * size : 1;
  f->low -= half, f->high += half;
}

void frame_pad(frame *f, double share)
{
  double more = share * (f->high - f->low);
  f->low -= more, f->high += more;
}

/* ---- units ---- */

/* Units that take a prefix in front, and whether they also take the large ones: nobody writes ks or krad. */
static const struct prefixable {
  const char *unit;
  int large;
} prefixables[] = { { "m", 0 }, { "N", 1 },  { "Nm", 1 }, { "s", 0 }, { "rad", 0 }, { "W", 1 },
                    { "J", 1 }, { "Pa", 1 }, { "V", 1 },  { "A", 1 }, { "Hz", 1 } };

static const struct prefixable *find_prefixable(const char *unit)
{
  size_t length = strcspn(unit, "*/ ");
  for (size_t i = 0; i < sizeof prefixables / sizeof *prefixables; i++)
    if (strlen(prefixables[i].unit) == length && !memcmp(unit, prefixables[i].unit, length)) return &prefixables[i];
  return NULL;
}

static const char *plain_unit(const char *unit) { return unit && strcmp(unit, "1") ? unit : ""; }

int axis_exponent(const bristle_plot_axis *axis, const frame *f)
{
  double size = fmax(fabs(f->low), fabs(f->high));
  if (f->log || size == 0) return 0;
  const struct prefixable *p = find_prefixable(plain_unit(axis->unit));
  double least = p ? 0.1 : 1e-3, largest = !p ? 1e5 : p->large ? 1e4 : 1e7;
  return size >= least && size < largest ? 0 : 3 * (int)floor(log10(size) / 3 + 1e-9);
}

static void put_power(text *out, int power)
{
  static const char *const digits[] = {
    "\xe2\x81\xb0", "\xc2\xb9",     "\xc2\xb2",     "\xc2\xb3",     "\xe2\x81\xb4",
    "\xe2\x81\xb5", "\xe2\x81\xb6", "\xe2\x81\xb7", "\xe2\x81\xb8", "\xe2\x81\xb9"
  };
  char decimal[16];
  snprintf(decimal, sizeof decimal, "%d", power);
  for (const char *c = decimal; *c; c++) text_print(out, "%s", *c == '-' ? "\xe2\x81\xbb" : digits[*c - '0']);
}

void axis_unit(const char *unit, int exponent, text *out)
{
  static const char *const prefixes[] = { "p", "n", "\xc2\xb5", "m", "", "k", "M", "G" };
  unit = plain_unit(unit);
  const struct prefixable *p = find_prefixable(unit);
  if (p && exponent >= -12 && exponent <= (p->large ? 9 : 0)) {
    text_print(out, "%s", prefixes[exponent / 3 + 4]);
  } else if (exponent) {
    text_print(out, "\xc3\x97"
                    "10");
    put_power(out, exponent);
    if (*unit) text_add(out, " ", 1);
  }
  for (const char *c = unit; *c; c++) {
    int power = 0, used = 0;
    if (*c == '*') text_print(out, "\xc2\xb7");
    else if (*c == '^' && sscanf(c + 1, "%2d%n", &power, &used) == 1) put_power(out, power), c += used;
    else text_add(out, c, 1);
  }
}

void axis_label(const bristle_plot_axis *axis, int exponent, text *out)
{
  text unit = { 0 };
  axis_unit(axis->unit, exponent, &unit);
  text_print(out, "%s", axis->label ? axis->label : "");
  if (unit.used) text_print(out, "%s(%s)", out->used ? " " : "", unit.data);
  text_drop(&unit);
}

/* ---- ticks ---- */

/* 1, 2 or 5 times a power of ten, so that about `about` steps make the span */
static double nice_step(double span, int about, int *decimals)
{
  double power = floor(log10(span / about)), rest = span / about / pow(10, power);
  *decimals = power < 0 ? (int)-power : 0;
  return (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10) * pow(10, power);
}

static ticks log_ticks(const frame *f, int about)
{
  static const double parts[] = { 1, 2, 5 };
  ticks t = { .decimals = -1 };
  double span = f->high - f->low;
  int every = (int)ceil(span / about), fine = span < about / 3.0;
  if (every < 1) every = 1;
  for (double power = every * floor(f->low / every); power <= f->high; power += every)
    for (int k = 0; k < (fine ? 3 : 1) && t.count < TICKS; k++) {
      double place = power + log10(parts[k]);
      if (place >= f->low - 1e-9 && place <= f->high + 1e-9) t.at[t.count++] = parts[k] * pow(10, power);
    }
  return t;
}

ticks ticks_of(const frame *f, int about)
{
  if (f->log && f->high - f->low > 0.5) return log_ticks(f, about);
  ticks t = { 0 };
  double low = f->log ? pow(10, f->low) : f->low, high = f->log ? pow(10, f->high) : f->high;
  double step = nice_step(high - low, about, &t.decimals), first = ceil(low / step - 1e-9);
  for (double k = first; k * step <= high + 1e-9 * step && t.count < TICKS; k++) t.at[t.count++] = k * step;
  return t;
}

void tick_text(const ticks *t, int i, text *out)
{
  double value = t->at[i], power = floor(log10(fabs(value)) + 1e-9);
  if (t->decimals >= 0) {
    text_fixed(out, value, t->decimals);
  } else if (power >= -2 && power <= 3) {
    text_fixed(out, value, power < 0 ? (int)-power : 0);
  } else {
    double mantissa = value / pow(10, power);
    if (mantissa > 1.5) text_print(out, "%.0f\xc2\xb7", mantissa);
    text_print(out, "10");
    put_power(out, (int)power);
  }
}
