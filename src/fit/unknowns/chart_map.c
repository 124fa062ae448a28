/* From the unknowns of a fit to the parameters that they stand for, and back. */
#include "fit/unknowns/chart_parts.h"
#include "core/clones.h"

#include "maths/elementary.h"

#include <string.h>

/* the lowest value of a parameter that is searched as its place */
static double lowest_of(const chart *c, int j, const double *p)
{
  const double *range = c->range[j];
  return fmax(fmax(p[c->law->f64->info->relation[c->relation[j]].b], range[0]), 1e-12 * range[1]);
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
    if (c->kind[j] == CHART_PLACE) p[c->place[j]] = lowest_of(c, j, p) * pow(c->range[j][1] / lowest_of(c, j, p), u[j]);
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
  if (c->kind[j] == CHART_PLACE) {
    const double lowest = lowest_of(c, j, p);
    return log(fmax(value, lowest) / lowest) / log(c->range[j][1] / lowest);
  }
  return value / size_of(c, j, p);
}

void chart_unknowns(const chart *c, const double *p, double *u)
{
  for (int j = 0; j < c->count; j++) u[j] = fmin(fmax(unknown_of(c, j, p), c->unknown[j].lo), c->unknown[j].hi);
}

/* Derivatives by dependent parameters are passed on to what they depend on, the last made first. */
void chart_derivatives(const chart *c, const double *u, const double *p, const double *by_param, double *by_unknown)
{
  double by[BRISTLE_LAW_SIZE], mean = 0;
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
    if (c->kind[j] != CHART_PLACE) continue;
    const double slope = by[c->place[j]], value = p[c->place[j]], lowest = lowest_of(c, j, p);
    const int b = partners(c, j)->b;
    by_unknown[j] = slope * value * log(c->range[j][1] / lowest);
    if (p[b] >= lowest) by[b] += slope * (1 - u[j]) * value / p[b];
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
BRISTLE_CLONES static void fold(double *restrict to, double factor, double *restrict from, double scale, size_t count)
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
  int from[BRISTLE_LAW_SIZE]; /* where the column of each unknown is now */
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
  double p[BRISTLE_LAW_SIZE];
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
