/* Unknowns of a fit from the table of a law: which parameters are searched, where, and on which scale.
 *
 * What a parameter is follows from its role and its relations, so that a new law needs nothing here. */
#include "fit/chart.h"

#include <math.h>

#if defined(BRISTLE_DISPATCH) && defined(__x86_64__)
#define CHART_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define CHART_CLONES
#endif

const bristle_row *chart_row(const bristle_info *info, int place) { return bristle_param_at(info, place); }

static int listed(const char *const *list, const char *name)
{
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && list[i]; i++)
    if (!strcmp(list[i], name)) return i;
  return -1;
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

/* ---- the unknowns ---- */

static void set_unknown(chart *c, chart_kind kind, int place, bristle_kind scale, span s, double lo, double hi)
{
  int j = c->count++;
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

/* the relation that bounds the parameter at this place, or -1 */
static int relation_of(const bristle_info *info, int place)
{
  for (int k = 0; k < info->relations; k++)
    if (info->relation[k].a == place) return k;
  return -1;
}

static void add_share(chart *c, int place, int element, int used, int first)
{
  if (element + 1 == used) return; /* what is left */
  c->last = first + used - 1;
  set_unknown(c, CHART_RATIO, place, BRISTLE_LOG, (span){ 1, 0.1, 5 }, 1e-4, 1e4);
}

/* above the parameter `partner`, which has a role of its own */
static void add_excess(chart *c, const bristle_row *row, int partner, const features *f)
{
  span own = chart_span(row, f), other = chart_span(chart_row(c->law->f64->info, partner), f);
  double size = chart_is_level(row->role) ? f->fc / f->load : other.guess;
  span s = { fmax(own.guess - other.guess, 0.02 * size), 0.02 * size, 2 * size };
  double lo, hi;
  chart_bounds(c->law->f64->info, row, f, s, &lo, &hi);
  set_unknown(c, CHART_EXCESS, row->first, BRISTLE_LOG, s, 1e-3 * s.lo, hi);
}

static void add_parameter(chart *c, const bristle_row *row, int element, const features *f)
{
  const bristle_info *info = c->law->f64->info;
  int place = row->first + element, used = elements_of(row), relation = relation_of(info, place), before = c->count;
  span s = chart_span(row, f);
  double lo, hi;
  if (element >= used) { /* no such element */
    c->base[place] = 0;
    return;
  }
  if (row->role == BRISTLE_ROLE_SHARE && row->count > 1) {
    add_share(c, place, element, used, row->first);
    return;
  }
  if (row->count > 1) s = element_span(s, used, element);
  chart_bounds(info, row, f, s, &lo, &hi);
  if (relation < 0 || info->relation[relation].kind == BRISTLE_SUM_IS_ONE)
    set_unknown(c, CHART_PLAIN, place, row->kind, s, lo, hi);
  else if (info->relation[relation].kind == BRISTLE_BELOW_RATIO)
    set_unknown(c, CHART_PART, place, BRISTLE_LINEAR, (span){ 0.5, 0.1, 0.95 }, 1e-3, 0.999);
  else add_excess(c, row, info->relation[relation].b, f);
  for (int j = before; j < c->count; j++) c->relation[j] = relation;
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
  c->last = c->level = -1;
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
    if (fixed >= 0 || (chart_usually_fixed(row) && listed(options->free, row->name) < 0)) continue;
    for (int i = 0; i < row->count; i++) add_parameter(c, row, i, f);
  }
  if (kind) return kind;
  if (!c->count)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "leave one of them free", "every parameter of %s is fixed",
                     info->name);
  chart_find_linear(c, f);
  return BRISTLE_FAULT_NONE;
}

/* ---- there and back ---- */

static const bristle_relation *partners(const chart *c, int j) { return &c->law->f64->info->relation[c->relation[j]]; }

static double size_of(const chart *c, int j, const double *p) { return c->by_level[j] ? p[c->level] : 1; }

void chart_params(const chart *c, const double *u, double *p)
{
  double sum = 1;
  memcpy(p, c->base, sizeof *p * (size_t)c->nparam);
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] == CHART_PLAIN && !c->by_level[j]) p[c->place[j]] = u[j];
    if (c->kind[j] == CHART_RATIO) sum += u[j];
  }
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] == CHART_PLAIN && c->by_level[j]) p[c->place[j]] = p[c->level] * u[j];
    if (c->kind[j] == CHART_RATIO) p[c->place[j]] = u[j] / sum;
  }
  for (int j = 0; j < c->count; j++)
    if (c->kind[j] == CHART_EXCESS) p[c->place[j]] = p[partners(c, j)->b] + size_of(c, j, p) * u[j];
  for (int j = 0; j < c->count; j++)
    if (c->kind[j] == CHART_PART) p[c->place[j]] = u[j] * p[partners(c, j)->b] / p[partners(c, j)->c];
  if (c->last >= 0 && sum > 1) {
    double rest = 1;
    for (int j = 0; j < c->count; j++)
      if (c->kind[j] == CHART_RATIO) rest -= p[c->place[j]];
    p[c->last] = rest;
  }
}

/* the unknown that gives this parameter */
static double unknown_of(const chart *c, int j, const double *p)
{
  double value = p[c->place[j]];
  if (c->kind[j] == CHART_EXCESS) value -= p[partners(c, j)->b];
  if (c->kind[j] == CHART_PART) return value * p[partners(c, j)->c] / p[partners(c, j)->b];
  if (c->kind[j] == CHART_RATIO) return value / p[c->last];
  return value / size_of(c, j, p);
}

void chart_unknowns(const chart *c, const double *p, double *u)
{
  for (int j = 0; j < c->count; j++) u[j] = fmin(fmax(unknown_of(c, j, p), c->unknown[j].lo), c->unknown[j].hi);
}

/* Derivatives by dependent parameters are passed on to what they depend on, the last made first. */
void chart_derivatives(const chart *c, const double *u, const double *p, const double *by_param, double *by_unknown)
{
  double by[BRISTLE_FRICTION_SIZE], mean = 0;
  memcpy(by, by_param, sizeof *by * (size_t)c->nparam);
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] != CHART_PART) continue;
    const bristle_relation *r = partners(c, j);
    double slope = by[c->place[j]];
    by_unknown[j] = slope * p[r->b] / p[r->c];
    by[r->b] += slope * u[j] / p[r->c];
    by[r->c] -= slope * p[c->place[j]] / p[r->c];
  }
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] != CHART_EXCESS) continue;
    double slope = by[c->place[j]];
    by_unknown[j] = slope * size_of(c, j, p);
    by[partners(c, j)->b] += slope;
    if (c->by_level[j]) by[c->level] += slope * u[j];
  }
  for (int j = 0; j < c->count; j++) {
    double slope = by[c->place[j]];
    if (c->kind[j] == CHART_RATIO) mean += slope * p[c->place[j]];
    if (c->kind[j] != CHART_PLAIN || !c->by_level[j]) continue;
    by_unknown[j] = slope * p[c->level];
    by[c->level] += slope * u[j];
  }
  if (c->last >= 0) mean += by[c->last] * p[c->last];
  for (int j = 0; j < c->count; j++) {
    if (c->kind[j] == CHART_PLAIN && !c->by_level[j]) by_unknown[j] = by[c->place[j]];
    if (c->kind[j] == CHART_RATIO) by_unknown[j] = (by[c->place[j]] - mean) * p[c->last];
  }
}

/* to += factor from, then from *= scale */
CHART_CLONES static void fold(double *restrict to, double factor, double *restrict from, double scale, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    double value = from[i];
    to[i] += factor * value;
    from[i] = scale * value;
  }
}

static void exchange(double *restrict a, double *restrict b, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    double keep = a[i];
    a[i] = b[i], b[i] = keep;
  }
}

void chart_columns(const chart *c, const double *p, const int *at, double *row, size_t stride)
{
  double *level = c->level >= 0 ? row + (size_t)at[c->level] * stride : NULL;
  for (int kind = CHART_EXCESS; kind >= CHART_PLAIN; kind--)
    for (int j = 0; j < c->count; j++) {
      double *own = row + (size_t)at[c->place[j]] * stride, size = size_of(c, j, p);
      if ((int)c->kind[j] != kind) continue;
      if (kind == CHART_EXCESS && partners(c, j)->b == c->level && c->by_level[j])
        fold(level, 1 + unknown_of(c, j, p), own, size, stride);
      else if (kind == CHART_EXCESS) {
        fold(row + (size_t)at[partners(c, j)->b] * stride, 1, own, 1, stride);
        if (c->by_level[j]) fold(level, unknown_of(c, j, p), own, size, stride);
      } else if (c->by_level[j]) fold(level, unknown_of(c, j, p), own, size, stride);
    }
  int from[BRISTLE_FRICTION_SIZE]; /* where the column of each unknown is now */
  for (int j = 0; j < c->count; j++) from[j] = at[c->place[j]];
  for (int j = 0; j < c->count; j++) {
    if (from[j] == j) continue;
    exchange(row + (size_t)j * stride, row + (size_t)from[j] * stride, stride);
    for (int k = j + 1; k < c->count; k++)
      if (from[k] == j) from[k] = from[j];
  }
}

/* ---- elements ---- */

/* Elements may change places without changing the law: the one that yields first comes first. */
void chart_sort(const chart *c, double *u)
{
  const bristle_info *info = c->law->f64->info;
  const bristle_row *k = bristle_param_role(info, BRISTLE_ROLE_STIFFNESS),
                    *alpha = bristle_param_role(info, BRISTLE_ROLE_SHARE);
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
