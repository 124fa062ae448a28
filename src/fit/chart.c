/* Unknowns of a fit from the table of a law: which parameters are searched, where, and on which scale.
 *
 * What a parameter is follows from its unit and name, so that a new law needs nothing here. */
#include "fit/identify.h"

#include <math.h>

const bristle_row *chart_row(const bristle_info *info, int place)
{
  for (int r = 0; r < info->param_rows; r++)
    if (place >= info->param[r].first && place < info->param[r].first + info->param[r].count) return &info->param[r];
  return NULL;
}

static int place_of(const bristle_info *info, const char *name)
{
  const bristle_row *row = bristle_param_find(info, name);
  return row ? row->first : -1;
}

static int listed(const char *const *list, const char *name)
{
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && list[i]; i++)
    if (!strcmp(list[i], name)) return i;
  return -1;
}

/* ---- which are searched ---- */

/* Exponents shape a curve that few data resolve; a row whose default is its upper end, or 0 on a logarithmic scale, is
   a feature switched off. Every contact may be viscous. */
static int usually_held(const bristle_row *row)
{
  int off = row->kind == BRISTLE_LOG && row->initial[0] == 0 && !strstr(row->doc, "viscous");
  return off || row->kind == BRISTLE_OPTION || strstr(row->doc, "exponent") || strstr(row->doc, "sharpness")
         || (row->count == 1 && row->initial[0] == row->hi && row->hi > 1);
}

static bristle_fault_kind check_names(const bristle_info *info, const char *const *list, int searched,
                                      bristle_fault *fault)
{
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && list[i]; i++) {
    char shown[EXCERPT];
    const bristle_row *row = bristle_param_find(info, list[i]);
    excerpt(list[i], strlen(list[i]), shown);
    if (!row)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "`bristle show` lists the parameters of a law",
                       "the law %s has no parameter '%s'", info->name, shown);
    if (searched && row->kind == BRISTLE_OPTION)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "fit once for each of its values, with --fix",
                       "'%s' of the law %s selects a variant and cannot be searched", shown, info->name);
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- where to look, by unit ---- */

typedef struct span {
  double guess, lo, hi;
} span;

static span around(double guess, double factor) { return (span){ guess, guess / factor, guess * factor }; }

static span levels(const features *f, const char *name)
{
  double load = f->load;
  if (!strcmp(name, "fs") || !strcmp(name, "f1")) return (span){ f->fs / load, f->fc / load, 3 * f->fc / load };
  if (!strcmp(name, "f2") || !strcmp(name, "excess") || !strcmp(name, "g1"))
    return (span){ fmax(f->fs - f->fc, 0.05 * f->fc) / load, 0.02 * f->fc / load, 2 * f->fc / load };
  return (span){ f->fc / load, 0.5 * f->fc / load, 1.5 * f->fc / load };
}

static span damping(const features *f, const char *name)
{
  double least = 1e-3 * f->fc / f->fast;
  if (!strcmp(name, "sigma1") || !strcmp(name, "pull"))
    return (span){ sqrt(f->fc / f->fast * f->fc / fmax(f->slow, 1e-3 * f->fast)), 10 * least, 3 * f->fc / f->slow };
  double viscous = fmax(f->viscous, 10 * least);
  return (span){ viscous, 0.3 * viscous, 2 * viscous };
}

/* the range where numbers of this unit mean something in these data */
static span span_of(const bristle_row *row, const char *name, const features *f)
{
  const char *unit = row->unit;
  double length = f->fc / f->stiffness;
  if (!strcmp(unit, "N")) return levels(f, name);
  if (!strcmp(unit, "N/m")) return around(f->stiffness, f->resolved ? 5 : 30);
  if (!strcmp(unit, "N*s/m")) return damping(f, name);
  if (!strcmp(unit, "m/s")) {
    span s = { f->vs, fmin(0.2 * f->vs, f->slow), fmax(3 * f->vs, 0.3 * f->fast) };
    return strcmp(name, "vd") ? s : around(f->fast, 10);
  }
  if (!strcmp(unit, "s/m")) return (span){ 1 / f->vs, 1 / f->fast, 3 / f->slow };
  if (!strcmp(unit, "m")) return around(length, 10);
  if (!strcmp(unit, "1/m")) return around(1 / length, 10);
  if (!strcmp(unit, "s")) return (span){ 10 * f->step, f->step, f->duration };
  if (!strcmp(unit, "1/s")) return (span){ 0.1 / f->step, 1 / f->duration, 1 / f->step };
  if (!strcmp(unit, "N/s")) return (span){ f->fc / (30 * f->step), f->fc / (1000 * f->step), f->fc / (2 * f->step) };
  if (!strcmp(unit, "N*s^2/m^2")) return around(fmax(f->viscous / f->fast, 1e-3 * f->fc / f->fast / f->fast), 10);
  return row->kind == BRISTLE_LOG
             ? around(row->initial[0] > 0 ? row->initial[0] : 1, 3)
             : (span){ row->initial[0], fmax(row->lo, row->initial[0] - 1), fmin(row->hi, row->initial[0] + 1) };
}

static void set_unknown(chart *c, chart_kind kind, int place, bristle_kind scale, span s, double lo, double hi)
{
  int j = c->count++;
  if (scale == BRISTLE_LOG) { /* a small part of what matters is nothing, many times that is anything; but a level
                                 far above every force that was seen would be a strange thing to believe */
    const bristle_row *row = chart_row(c->law->f64->info, place);
    int level = !strcmp(row->unit, "N");
    lo = fmax(lo, (level ? 1e-3 : 1e-5) * s.lo);
    hi = fmin(hi, level ? 5 * c->greatest : 1e5 * s.hi);
  }
  s.lo = fmin(fmax(s.lo, lo), hi), s.hi = fmin(fmax(s.hi, s.lo), hi);
  c->kind[j] = kind;
  c->place[j] = place;
  c->unknown[j] = (bristle_unknown){ c->name[place], scale, lo, hi, 0, 0 };
  if (scale == BRISTLE_LINEAR) c->unknown[j].scale = 0.1 * (s.hi - s.lo);
  c->spread[j][0] = s.lo, c->spread[j][1] = s.hi;
  c->guess[j] = fmin(fmax(s.guess, s.lo), s.hi);
}

/* the stiffness and the share of one element of several that yield one after the other */
static span element_span(span s, int count, int element)
{
  double even = 1.0 / count;
  s.guess *= even * 2 * (double)(count - element) / (count + 1);
  s.lo *= 0.2 * even, s.hi *= even * 2;
  return s;
}

/* as many elements as the defaults of the law have */
static int elements_of(const bristle_row *row)
{
  int count = row->count;
  while (count > 1 && row->initial[count - 1] == 0) count--;
  return count;
}

static void add_parameter(chart *c, const bristle_row *row, int element, const features *f)
{
  int place = row->first + element, used = elements_of(row);
  span s = span_of(row, row->name, f);
  if (element >= used) { /* no such element */
    c->base[place] = 0;
    return;
  }
  if (row->count > 1) {
    if (!strcmp(row->name, "alpha")) {
      if (element + 1 < used) {
        c->last = row->first + used - 1;
        set_unknown(c, CHART_RATIO, place, BRISTLE_LOG, (span){ 1, 0.1, 5 }, 1e-4, 1e4);
      }
      return;
    }
    s = element_span(s, used, element);
  }
  if (!strcmp(row->name, "fs") && c->fc >= 0) {
    double load = f->load, excess = fmax(f->fs - f->fc, 0.02 * f->fc) / load;
    set_unknown(c, CHART_EXCESS, place, BRISTLE_LOG, (span){ excess, 0.02 * f->fc / load, 2 * f->fc / load }, 0,
                row->hi);
  } else if (!strcmp(row->name, "zba") && c->fc >= 0 && c->sigma0 >= 0) {
    set_unknown(c, CHART_PART, place, BRISTLE_LINEAR, (span){ 0.5, 0.1, 0.95 }, 1e-3, 0.999);
  } else {
    set_unknown(c, CHART_PLAIN, place, row->kind, s, row->lo, row->hi);
  }
}

static void name_parameters(chart *c, const bristle_info *info)
{
  for (int r = 0; r < info->param_rows; r++)
    for (int i = 0; i < info->param[r].count; i++) {
      char *name = c->name[info->param[r].first + i];
      if (info->param[r].count > 1) snprintf(name, sizeof c->name[0], "%s[%d]", info->param[r].name, i + 1);
      else snprintf(name, sizeof c->name[0], "%s", info->param[r].name);
    }
}

/* a value that is given must be one that the law allows */
static bristle_fault_kind check_fixed(const bristle_info *info, const bristle_row *row, double value,
                                      bristle_fault *fault)
{
  if (value >= row->lo && value <= row->hi && (row->kind != BRISTLE_OPTION || value == floor(value)))
    return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE, "check the value; it is in SI units",
                   row->kind == BRISTLE_OPTION ? "%s: %s = %g is not one of the whole numbers from %g to %g"
                                               : "%s: %s = %g is outside its range, %g to %g",
                   info->name, row->name, value, row->lo, row->hi);
}

bristle_fault_kind chart_make(chart *c, const bristle_law *law, bristle_load load, const features *f,
                              const bristle_identify_options *options, bristle_fault *fault)
{
  const bristle_info *info = law->f64->info;
  (void)load;
  memset(c, 0, sizeof *c);
  c->law = law;
  c->nparam = info->nparam;
  c->last = -1;
  c->greatest = f->size / f->load;
  c->fc = place_of(info, "fc");
  c->sigma0 = place_of(info, "sigma0");
  name_parameters(c, info);
  bristle_defaults(info, c->base);
  bristle_fault_kind kind = check_names(info, options->free, 1, fault);
  if (!kind) kind = check_names(info, options->fixed, 0, fault);
  for (int r = 0; r < info->param_rows && !kind; r++) {
    const bristle_row *row = &info->param[r];
    int fixed = listed(options->fixed, row->name);
    if (fixed >= 0 && isfinite(options->fixed_value[fixed])
        && (kind = check_fixed(info, row, options->fixed_value[fixed], fault)))
      break;
    if (fixed >= 0 && isfinite(options->fixed_value[fixed]))
      for (int i = 0; i < row->count; i++) c->base[row->first + i] = options->fixed_value[fixed];
    if (fixed >= 0 || (usually_held(row) && listed(options->free, row->name) < 0)) continue;
    /* an offset cannot be told from levels of its own for each direction, nor from the offset of the balance */
    if (!strcmp(row->name, "offset") && listed(options->free, row->name) < 0) continue;
    for (int i = 0; i < row->count; i++) add_parameter(c, row, i, f);
  }
  if (!kind && !c->count)
    kind = fault_set(fault, BRISTLE_FAULT_VALUE, "leave one of them free", "every parameter of %s is held", info->name);
  return kind;
}

/* ---- there and back ---- */

void chart_params(const chart *c, const double *u, double *p)
{
  double sum = 1;
  memcpy(p, c->base, sizeof *p * (size_t)c->nparam);
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] == CHART_PLAIN) p[c->place[j]] = u[j];
    if (c->kind[j] == CHART_RATIO) sum += u[j];
  }
  for (int j = 0; j < c->count; j++) {
    double *to = &p[c->place[j]];
    if (c->kind[j] == CHART_EXCESS) *to = p[c->fc] + u[j];
    if (c->kind[j] == CHART_PART) *to = u[j] * p[c->fc] / p[c->sigma0];
    if (c->kind[j] == CHART_RATIO) *to = u[j] / sum;
  }
  if (c->last >= 0 && sum > 1) {
    double rest = 1;
    for (int j = 0; j < c->count; j++)
      if (c->kind[j] == CHART_RATIO) rest -= p[c->place[j]];
    p[c->last] = rest;
  }
}

void chart_unknowns(const chart *c, const double *p, double *u)
{
  for (int j = 0; j < c->count; j++) {
    double value = p[c->place[j]];
    if (c->kind[j] == CHART_EXCESS) value -= p[c->fc];
    if (c->kind[j] == CHART_PART) value *= p[c->sigma0] / p[c->fc];
    if (c->kind[j] == CHART_RATIO) value /= p[c->last];
    u[j] = fmin(fmax(value, c->unknown[j].lo), c->unknown[j].hi);
  }
}

void chart_derivatives(const chart *c, const double *u, const double *p, const double *by_param, double *by_unknown)
{
  double level = 0, stiffness = 0, mean = 0;
  for (int j = 0; j < c->count; j++) {
    double slope = by_param[c->place[j]];
    switch (c->kind[j]) {
    case CHART_PLAIN:
      by_unknown[j] = slope;
      break;
    case CHART_EXCESS:
      by_unknown[j] = slope;
      level += slope;
      break;
    case CHART_PART:
      by_unknown[j] = slope * p[c->fc] / p[c->sigma0];
      level += slope * u[j] / p[c->sigma0];
      stiffness -= slope * p[c->place[j]] / p[c->sigma0];
      break;
    case CHART_RATIO:
      mean += slope * p[c->place[j]];
      break;
    }
  }
  if (c->last >= 0) mean += by_param[c->last] * p[c->last];
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] == CHART_RATIO) by_unknown[j] = (by_param[c->place[j]] - mean) * p[c->last];
    if (c->kind[j] != CHART_PLAIN) continue;
    if (c->place[j] == c->fc) by_unknown[j] += level;
    if (c->place[j] == c->sigma0) by_unknown[j] += stiffness;
  }
}

/* ---- elements ---- */

/* Elements may change places without changing the law: the one that yields first comes first. */
void chart_sort(const chart *c, double *u)
{
  const bristle_info *info = c->law->f64->info;
  const bristle_row *k = bristle_param_find(info, "k"), *alpha = bristle_param_find(info, "alpha");
  double p[BRISTLE_FRICTION_SIZE];
  if (!k || !alpha || k->count != alpha->count || k->count < 2) return;
  chart_params(c, u, p);
  double *stiffness = p + k->first, *share = p + alpha->first;
  for (int i = 1; i < k->count; i++)
    for (int j = i; j > 0 && stiffness[j] > 0 && share[j] * stiffness[j - 1] < share[j - 1] * stiffness[j]; j--) {
      double keep[2] = { stiffness[j], share[j] };
      stiffness[j] = stiffness[j - 1], share[j] = share[j - 1];
      stiffness[j - 1] = keep[0], share[j - 1] = keep[1];
    }
  chart_unknowns(c, p, u);
}
