/* Unknowns of a fit from the table of a law: which parameters are searched, where, and on which scale.
 *
 * What a parameter is follows from its role and its relations, so that a new law needs nothing here. */
#include "io/support.h"
#include "fit/unknowns/chart_parts.h"

#include "bristle/text.h"
#include "maths/elementary.h"

#include <string.h>

static const double REACH = 30; /* from the start, where bounds are wider */

const bristle_row *chart_row(const bristle_info *info, int place) { return bristle_param_at(info, place); }

static int listed(const char *const *list, const char *name)
{
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && list[i]; i++)
    if (!strcmp(list[i], name)) return i;
  return -1;
}

static bristle_fault_kind check_names(const bristle_info *info, const char *const *list, int searched, int of_any,
                                      bristle_fault *fault)
{
  for (int i = 0; i < BRISTLE_IDENTIFY_NAMES && list[i]; i++) {
    char shown[EXCERPT];
    const bristle_row *row = bristle_param_find(info, list[i]);
    excerpt(list[i], strlen(list[i]), shown);
    if (!row && of_any) continue;
    if (!row)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "`bristle show` lists the parameters of a law",
                       "the law %s has no parameter '%s'", info->name, shown);
    if (searched && row->kind == BRISTLE_ROW_OPTION)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "fit once for each of its values, with option fix",
                       "'%s' of the law %s selects a variant and cannot be searched", shown, info->name);
  }
  return BRISTLE_FAULT_NONE;
}

/* ---- the unknowns ---- */

static void set_unknown(chart *c, chart_kind kind, int place, bristle_row_kind scale, span s, double lo, double hi)
{
  int j = c->count++;
  s.lo = fmin(fmax(s.lo, lo), hi), s.hi = fmin(fmax(s.hi, s.lo), hi);
  c->kind[j] = kind;
  c->place[j] = place;
  c->unknown[j] = (bristle_unknown){ .name = c->name[place], .kind = scale, .lo = lo, .hi = hi };
  if (scale == BRISTLE_ROW_LINEAR) c->unknown[j].scale = 0.1 * (s.hi - s.lo);
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
  set_unknown(c, CHART_RATIO, place, BRISTLE_ROW_LOG, (span){ 1, 0.1, 5 }, 1e-4, 1e4);
}

/* above the parameter `partner`, which has a role of its own */
static void add_excess(chart *c, const bristle_row *row, int partner, const features *f)
{
  span own = chart_span(row, f), other = chart_span(chart_row(c->law->f64->info, partner), f);
  double size = chart_is_level(row->role) ? f->dry / f->load : other.guess;
  span s = { fmax(own.guess - other.guess, 0.02 * size), 0.02 * size, 2 * size };
  double lo, hi;
  chart_bounds(c->law->f64->info, row, f, s, &lo, &hi);
  set_unknown(c, CHART_EXCESS, row->first, BRISTLE_ROW_LOG, s, 1e-3 * s.lo, hi);
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
  if (relation < 0 || info->relation[relation].kind == BRISTLE_RELATION_SUM_IS_ONE)
    set_unknown(c, CHART_PLAIN, place, row->kind, s, lo, hi);
  else if (info->relation[relation].kind == BRISTLE_RELATION_BELOW_RATIO)
    set_unknown(c, CHART_PART, place, BRISTLE_ROW_LINEAR, (span){ 0.5, 0.1, 0.95 }, 1e-3, 0.999);
  else add_excess(c, row, info->relation[relation].b, f);
  for (int j = before; j < c->count; j++) c->relation[j] = relation;
}

/* ---- bounds that the caller gives ---- */

static const bristle_range *range_of(const bristle_identify_options *o, const bristle_row *row)
{
  for (int i = 0; i < o->ranges; i++)
    if (row->count == 1 && !strcmp(o->range[i].name, row->name)) return &o->range[i];
  return NULL;
}

static void add_ranged(chart *c, const bristle_row *row, const bristle_range *given)
{
  const bristle_info *info = c->law->f64->info;
  const int relation = relation_of(info, row->first);
  const int above = relation >= 0 && info->relation[relation].kind == BRISTLE_RELATION_AT_LEAST;
  const double lo = fmax(given->lo, row->lo), hi = fmin(given->hi, row->hi);
  const double middle = lo > 0 ? sqrt(lo * hi) : 0.5 * (lo + hi), held = c->base[row->first];
  const double start = !isnan(given->start) ? given->start : held >= lo && held <= hi ? held : middle;
  c->range[c->count][0] = lo, c->range[c->count][1] = hi;
  c->relation[c->count] = relation;
  c->base[row->first] = start;
  if (above) set_unknown(c, CHART_PLACE, row->first, BRISTLE_ROW_LINEAR, (span){ 0.5, 0, 1 }, 0, 1);
  else {
    const bristle_row_kind kind = row->kind == BRISTLE_ROW_LOG && lo > 0 ? BRISTLE_ROW_LOG : BRISTLE_ROW_LINEAR;
    /* bounds that only exclude nonsense say nothing about where to look */
    const double reach = kind == BRISTLE_ROW_LOG ? 0 : REACH * fmax(fabs(start), 1e-3 * (hi - lo));
    span s = { start, fmax(lo, kind == BRISTLE_ROW_LOG ? start / REACH : start - reach),
               fmin(hi, kind == BRISTLE_ROW_LOG ? start * REACH : start + reach) };
    set_unknown(c, CHART_PLAIN, row->first, kind, s, lo, hi);
    if (kind == BRISTLE_ROW_LINEAR) c->unknown[c->count - 1].scale = 1e-3 * (hi - lo);
  }
}

static int unknown_at(const chart *c, int place)
{
  for (int j = 0; j < c->count; j++)
    if (c->place[j] == place) return j;
  return -1;
}

/* What must not be above another one stays below its upper bound, or below its value where that is held. */
static bristle_fault_kind link_ranges(chart *c, bristle_fault *fault)
{
  const bristle_info *info = c->law->f64->info;
  for (int k = 0; k < info->relations; k++) {
    const bristle_relation *r = &info->relation[k];
    if (r->kind != BRISTLE_RELATION_AT_LEAST) continue;
    const int above = unknown_at(c, r->a), below = unknown_at(c, r->b);
    if (above < 0 && below < 0) continue;
    if (above >= 0 && c->kind[above] != CHART_PLACE) continue;
    const double hi = above >= 0 ? c->range[above][1] : c->base[r->a];
    const double lo = below >= 0 ? c->unknown[below].lo : c->base[r->b];
    if (lo >= hi)
      return fault_set(fault, BRISTLE_FAULT_VALUE, "give the upper one a larger upper bound",
                       "%s is at least %g and %s at most %g", c->name[r->b], lo, c->name[r->a], hi);
    if (below < 0 || c->kind[below] != CHART_PLAIN) continue;
    bristle_unknown *x = &c->unknown[below];
    x->hi = fmin(x->hi, above >= 0 ? hi * (1 - 1e-9) : hi);
    for (int end = 0; end < 2; end++) c->spread[below][end] = fmin(c->spread[below][end], x->hi);
    c->base[r->b] = fmin(c->base[r->b], x->hi);
  }
  return BRISTLE_FAULT_NONE;
}

static void name_parameters(chart *c, const bristle_info *info)
{
  for (int r = 0; r < info->param_rows; r++)
    for (int i = 0; i < info->param[r].count; i++) {
      char *name = c->name[info->param[r].first + i];
      bristle_param_name(&info->param[r], i, name, sizeof c->name[0]);
    }
}

/* a value that is given must be one that the law allows */
static bristle_fault_kind check_fixed(const bristle_info *info, const bristle_row *row, double value,
                                      bristle_fault *fault)
{
  if (value >= row->lo && value <= row->hi && (row->kind != BRISTLE_ROW_OPTION || value == floor(value)))
    return BRISTLE_FAULT_NONE;
  return fault_set(fault, BRISTLE_FAULT_VALUE, "check the value; it is in SI units",
                   row->kind == BRISTLE_ROW_OPTION ? "%s: %s = %g is not one of the whole numbers from %g to %g"
                                                   : "%s: %s = %g is outside its range, %g to %g",
                   info->name, row->name, value, row->lo, row->hi);
}

/* a law that has nothing to skew refuses skews */
static int refuses_skew(const bristle_law *law, const bristle_row *row)
{
  double p[BRISTLE_LAW_SIZE];
  if (row->role != BRISTLE_ROLE_SKEW) return 0;
  bristle_defaults(law->f64->info, p);
  p[row->first] = 0.1 * row->hi;
  return bristle_check(law->f64, p, NULL) != BRISTLE_STATUS_OK;
}

/* forces of a motion that starts, turns, and starts again after a rest, in steps of 0.1 ms to 1 s */
static double force_after_rest(const bristle_law *law, const double *p)
{
  double state[BRISTLE_LAW_SIZE] = { 0 }, sum = 0;
  const double speed = bristle_role_value(law->f64->info, p, BRISTLE_ROLE_STRIBECK_SPEED, 1e-3);
  static const double way[] = { 0.1, 1, 0.1, 0, 0.1, 0.5, 3, -0.1, -1, -0.1, 0, 0.1 };
  for (size_t i = 0; i < sizeof way / sizeof *way; i++)
    for (double h = 1e-4; h < 2; h *= 10) {
      const bristle_input in = { .v = way[i] * speed, .a = speed, .n = 1, .h = h };
      sum += (1 + 0.1 * (double)i) * law->f64->step(p, state, &in, NULL);
    }
  return sum;
}

/* A time of a dwell or a delay may be that of a level which is not there: then no record can say anything about it.
   Where something that is usually fixed is freed, it may be there after all. */
static int is_without_effect(const chart *c, const bristle_row *row, const bristle_identify_options *options)
{
  double p[BRISTLE_LAW_SIZE];
  if (row->role != BRISTLE_ROLE_TIME || options->free[0] || options->ranges) return 0;
  memcpy(p, c->base, sizeof p);
  const double before = force_after_rest(c->law, p);
  for (int i = 0; i < row->count; i++) p[row->first + i] = fmin(3 * p[row->first + i], row->hi);
  return force_after_rest(c->law, p) == before;
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
  if (options->base) memcpy(c->base, options->base, sizeof *c->base * (size_t)info->nparam);
  bristle_fault_kind kind = check_names(info, options->free, 1, options->names_of_any, fault);
  if (!kind) kind = check_names(info, options->fixed, 0, options->names_of_any, fault);
  for (int r = 0; r < info->param_rows && !kind; r++) {
    const bristle_row *row = &info->param[r];
    int fixed = listed(options->fixed, row->name);
    if (fixed >= 0 && isfinite(options->fixed_value[fixed])
        && (kind = check_fixed(info, row, options->fixed_value[fixed], fault)))
      break;
    if (fixed >= 0 && isfinite(options->fixed_value[fixed]))
      for (int i = 0; i < row->count; i++) c->base[row->first + i] = options->fixed_value[fixed];
    const bristle_range *range = range_of(options, row);
    if (range) add_ranged(c, row, range);
    if (range || options->only_ranges) continue;
    if (fixed >= 0 || refuses_skew(law, row) || is_without_effect(c, row, options)
        || (chart_usually_fixed(row) && listed(options->free, row->name) < 0))
      continue;
    for (int i = 0; i < row->count; i++) add_parameter(c, row, i, f);
  }
  if (!kind && options->ranges) kind = link_ranges(c, fault);
  if (kind) return kind;
  if (!c->count && !options->only_ranges)
    return fault_set(fault, BRISTLE_FAULT_VALUE, "leave one of them free", "every parameter of %s is fixed",
                     info->name);
  if (!options->ranges) chart_find_linear(c, f); /* which would put ratios in the place of what has bounds */
  if (options->base || options->ranges) {
    double start[BRISTLE_LAW_SIZE];
    memcpy(start, c->base, sizeof start);
    chart_unknowns(c, start, c->guess);
  }
  return BRISTLE_FAULT_NONE;
}
