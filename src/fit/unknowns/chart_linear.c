/* Which unknowns a law is linear in is not declared: the law is asked. Forces along a motion that visits presliding,
   the Stribeck speeds and fast sliding are compared for once, twice and three times the unknowns. */
#include "fit/unknowns/chart_parts.h"

#include "maths/elementary.h"

#include <string.h>

enum { STEPS = 40 };

typedef struct path { /* velocity and length of each step */
  double v[STEPS], h[STEPS];
} path;

/* speeds and travels over decades, in the order of golden sections: every mixture occurs */
static path path_of(const features *f)
{
  const double length = f->dry / f->stiffness;
  path made;
  for (int i = 0; i < STEPS; i++) {
    double fast = fmod(0.618033988749895 * (i + 1), 1), far = fmod(0.414213562373095 * (i + 1), 1);
    double v = 0.1 * f->slow * pow(10 * f->fast / f->slow, fast), way = 0.02 * length * pow(1e4, far);
    made.v[i] = i / 7 % 2 ? -v : v;
    made.h[i] = way / v;
  }
  return made;
}

/* the forces with the marked unknowns `times` as large; nonzero where the law has none */
static int forces(const chart *c, const path *motion, const int *marked, double times, double *force)
{
  double u[BRISTLE_LAW_SIZE], p[BRISTLE_LAW_SIZE], s[BRISTLE_LAW_SIZE] = { 0 }, x = 0;
  bristle_breach breach;
  for (int j = 0; j < c->count; j++) u[j] = c->guess[j] * (marked[j] ? times : 1);
  chart_params(c, u, p);
  if (c->law->f64->rules(p, &breach, 1) > 0) return 1;
  for (int i = 0; i < STEPS; i++) {
    bristle_input in = { .v = motion->v[i], .x = x, .n = 1, .h = motion->h[i] };
    force[i] = c->law->f64->step(p, s, &in, NULL);
    x += in.v * in.h;
    if (!isfinite(force[i])) return 1;
  }
  return 0;
}

/* `once`: the forces as they are */
static int is_linear(const chart *c, const path *motion, const int *marked, const double *once)
{
  double twice[STEPS], thrice[STEPS], largest = 0, bend = 0;
  if (forces(c, motion, marked, 2, twice) || forces(c, motion, marked, 3, thrice)) return 0;
  for (int i = 0; i < STEPS; i++) {
    largest = fmax(largest, fabs(thrice[i]));
    bend = fmax(bend, fabs(once[i] - 2 * twice[i] + thrice[i]));
  }
  return bend <= 1e-11 * largest;
}

static const bristle_row *row_of(const chart *c, int j) { return bristle_param_at(c->law->f64->info, c->place[j]); }

/* Linear in each of them, and in all together. */
static void mark_linear(chart *c, const features *f)
{
  int together = 0, none[BRISTLE_LAW_SIZE] = { 0 };
  double once[STEPS];
  const path motion = path_of(f);
  if (forces(c, &motion, none, 1, once)) return;
  for (int j = 0; j < c->count; j++) {
    int one[BRISTLE_LAW_SIZE] = { 0 };
    one[j] = 1;
    c->linear[j] = chart_is_force(row_of(c, j)->role) && c->kind[j] != CHART_RATIO && is_linear(c, &motion, one, once);
    together += c->linear[j];
  }
  if (together > 1 && !is_linear(c, &motion, c->linear, once)) memset(c->linear, 0, sizeof c->linear);
}

/* Does every force of the law that is not 0 belong to the unknowns? Then it is homogeneous in them. */
static int all_forces_searched(const chart *c)
{
  const bristle_info *info = c->law->f64->info;
  for (int k = 0; k < info->nparam; k++) {
    int searched = 0;
    for (int j = 0; j < c->count; j++) searched |= c->place[j] == k;
    if (!searched && chart_is_force(bristle_param_at(info, k)->role) && c->base[k] != 0) return 0;
  }
  return 1;
}

/* the unknown that is the level of the law, or -1 */
static int level_of(const chart *c)
{
  static const bristle_role roles[] = { BRISTLE_ROLE_LEVEL, BRISTLE_ROLE_STATIC_LEVEL };
  for (size_t r = 0; r < sizeof roles / sizeof *roles; r++)
    for (int j = 0; j < c->count; j++)
      if (row_of(c, j)->role == roles[r] && c->kind[j] == CHART_PLAIN) return j;
  return -1;
}

/* An unknown relative to the level. An excess may be nothing, or nearly so: a millionth. */
static void relate(chart *c, int j, double level)
{
  bristle_unknown *u = &c->unknown[j];
  c->by_level[j] = 1;
  u->lo /= level, u->hi /= level;
  c->guess[j] /= level, c->spread[j][0] /= level, c->spread[j][1] /= level;
  if (c->kind[j] == CHART_EXCESS) u->lo = 1e-6, u->hi = fmin(u->hi, 9);
}

/* Linear unknowns may be nothing, except for the level, which is never quite that. */
static void straighten(chart *c, int j, int level)
{
  bristle_unknown *u = &c->unknown[j];
  const bristle_row *row = row_of(c, j);
  if (u->kind != BRISTLE_ROW_LOG) return;
  u->kind = BRISTLE_ROW_LINEAR;
  if (j != level && row->role != BRISTLE_ROLE_LEVEL) u->lo = c->kind[j] == CHART_EXCESS ? 0 : row->lo;
  u->scale = fmax(c->guess[j], c->spread[j][1] - c->spread[j][0]);
}

void chart_find_linear(chart *c, const features *f)
{
  int level = level_of(c), whole = all_forces_searched(c);
  mark_linear(c, f);
  if (level >= 0 && !c->linear[level] && whole) {
    c->level = c->place[level];
    for (int j = 0; j < c->count; j++)
      if (j != level && !c->linear[j] && c->kind[j] != CHART_RATIO && c->kind[j] != CHART_PART
          && chart_is_force(row_of(c, j)->role))
        relate(c, j, c->guess[level]);
    c->linear[level] = 1;
  }
  c->homogeneous = whole;
  for (int j = 0; j < c->count; j++) {
    if (c->linear[j]) straighten(c, j, level);
    else if (chart_is_force(row_of(c, j)->role) && !c->by_level[j]) c->homogeneous = 0;
  }
}
