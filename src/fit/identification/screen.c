/* Screening: many parameter sets walk along a thinned record side by side in the batch engine. What a law is linear in
   is not drawn but solved for, together with the terms beside friction; the rest is the score. */
#include "fit/identification/screen.h"
#include "core/clones.h"
#include "fit/identification/course.h"
#include "fit/common/sort.h"
#include "fit/residuals/experiment.h"
#include "fit/residuals/terms.h"
#include "fit/unknowns/chart.h"
#include "io/memory.h"
#include "io/support.h"
#include "maths/random.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { SIDE = 128, STEPS = 2500, LINES = 6, ROUGHER = 4, SIFTED = 8 };

/* ---- candidates ---- */

static double draw(const chart *c, int j, double unit)
{
  double lo = c->spread[j][0], hi = c->spread[j][1];
  /* a law without its excess is a smaller law, and often the right one */
  if (c->kind[j] == CHART_EXCESS && (unit = (unit - 0.25) / 0.75) < 0) return c->unknown[j].lo;
  if (c->unknown[j].kind == BRISTLE_ROW_LOG && hi > 1e3 * lo
      && unit < 0.5) { /* decades: half of them around the guess */
    lo = fmax(lo, c->guess[j] / 6), hi = fmin(hi, c->guess[j] * 6);
    unit *= 2;
  } else if (c->unknown[j].kind == BRISTLE_ROW_LOG && hi > 1e3 * lo) unit = 2 * unit - 1;
  return c->unknown[j].kind == BRISTLE_ROW_LOG && lo > 0 ? lo * pow(hi / lo, unit) : lo + (hi - lo) * unit;
}

/* candidate number `index`: the guess itself, then guesses with one or all numbers drawn anew */
static void candidate(const chart *c, int index, unsigned long long seed, double *u)
{
  uint64_t state = seed * 0x100000001b3u + (uint64_t)index * RANDOM_STEP + 1;
  int some = index % 3 == 1;
  for (int j = 0; j < c->count; j++) {
    double unit = random_unit(&state), keep = random_unit(&state);
    u[j] = index == 0 || c->linear[j] || (some && keep < 0.5) ? c->guess[j] : draw(c, j, unit);
  }
}

/* ---- what is linear, for given other unknowns ---- */

/* A candidate is walked once with its linear unknowns at a base point, and once more for each of them with that one
   changed: the forces for all other values follow, and the best of these by a small least-squares problem. */
typedef struct lines {
  int count, runs;               /* linear unknowns; walks for each candidate */
  int at[LINES];                 /* places among the unknowns; the first one is the level, if any */
  double base[LINES], by[LINES]; /* the base point, and by how much each is changed */
  double lo[LINES], hi[LINES];   /* bounds of the change */
} lines;

static void add_line(lines *l, const chart *c, int j)
{
  int k = l->count++, first = k == 0;
  l->at[k] = j;
  l->base[k] = first ? c->guess[j] : fmax(c->unknown[j].lo, fmin(0, c->unknown[j].hi));
  l->by[k] = fmax(fabs(c->guess[j]), 1e-3 * c->spread[j][1]);
  l->lo[k] = c->unknown[j].lo - l->base[k], l->hi[k] = c->unknown[j].hi - l->base[k];
}

static lines lines_of(const chart *c)
{
  lines l = { 0 };
  for (int j = 0; j < c->count; j++)
    if (c->linear[j] && (c->level < 0 || c->place[j] == c->level)) {
      add_line(&l, c, j);
      break;
    }
  for (int j = 0; j < c->count && l.count < LINES; j++)
    if (c->linear[j] && j != l.at[0]) add_line(&l, c, j);
  l.runs = l.count + !(c->homogeneous && l.count);
  return l;
}

/* Sums of products: of the columns, with what the base point leaves, and of both with the terms. */
typedef struct sums {
  double column[LINES][LINES], rest[LINES], square;
  double term_column[BRISTLE_TERMS][LINES], term_rest[BRISTLE_TERMS];
} sums;

/* The smallest sum of squares with the marked lines free and the others at the base point; x: the changes. */
static double solve_marked(const lines *l, const sums *s, unsigned marked, double *x)
{
  double m[LINES][LINES + 1], left = s->square;
  int pick[LINES], n = 0;
  for (int i = 0; i < l->count; i++) {
    x[i] = 0;
    if (marked >> i & 1 && s->column[i][i] > 0) pick[n++] = i;
  }
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) m[i][j] = s->column[pick[i]][pick[j]];
    m[i][i] *= 1 + 1e-10;
    m[i][n] = s->rest[pick[i]];
  }
  for (int k = 0; k < n; k++)
    for (int i = k + 1; i < n; i++) {
      double part = m[i][k] / m[k][k];
      for (int j = k; j <= n; j++) m[i][j] -= part * m[k][j];
    }
  for (int k = n - 1; k >= 0; k--) {
    double sum = m[k][n];
    for (int j = k + 1; j < n; j++) sum -= m[k][j] * x[pick[j]];
    x[pick[k]] = sum / m[k][k];
  }
  for (int i = 0; i < n; i++) left -= x[pick[i]] * s->rest[pick[i]];
  return left;
}

/* The best values within the bounds, by trying which are free: they are few. The first one always is. */
static double solve_lines(const lines *l, sums *s, int terms, double *best)
{
  double least = s->square;
  for (int t = 0; t < terms; t++) {
    s->square -= s->term_rest[t] * s->term_rest[t];
    for (int i = 0; i < l->count; i++) {
      s->rest[i] -= s->term_column[t][i] * s->term_rest[t];
      for (int j = 0; j < l->count; j++) s->column[i][j] -= s->term_column[t][i] * s->term_column[t][j];
    }
  }
  memset(best, 0, sizeof *best * LINES);
  if (!l->count) return s->square;
  for (unsigned marked = 1; marked < 1u << l->count; marked += 2) {
    double x[LINES], left = solve_marked(l, s, marked, x);
    int within = isfinite(left);
    for (int i = 0; i < l->count; i++) within &= x[i] >= l->lo[i] && x[i] <= l->hi[i];
    if (within && left < least) least = left, memcpy(best, x, sizeof x);
  }
  return least;
}

/* ---- scores ---- */

typedef struct side {
  double p[BRISTLE_LAW_SIZE * SIDE], s[BRISTLE_LAW_SIZE * SIDE];
  double v[SIDE], x[SIDE], n[SIDE], f[SIDE];
  double now[LINES][SIDE], left[SIDE], level[SIDE]; /* columns of the step, and what the base point leaves */
  /* the sums of all candidates, side by side */
  double column[LINES][LINES][SIDE], rest[LINES][SIDE], square[SIDE];
  double term_column[BRISTLE_TERMS][LINES][SIDE], term_rest[BRISTLE_TERMS][SIDE];
  int bad[SIDE];
} side;

/* the parameters of all walks of a candidate: lane k + run count */
static void set_lanes(const experiment *e, const lines *l, side *w, const double *u, size_t k, size_t count)
{
  const chart *c = e->chart;
  const size_t lanes = count * (size_t)l->runs;
  bristle_breach breach;
  for (int run = 0; run < l->runs; run++) {
    double p[BRISTLE_LAW_SIZE], at[BRISTLE_LAW_SIZE];
    memcpy(at, u, sizeof *at * (size_t)c->count);
    int changed = run + (l->runs == l->count ? 0 : -1); /* run 0 is the base point; the level needs no walk where the
                                                           force is homogeneous */
    for (int i = 0; i < l->count; i++) at[l->at[i]] = l->base[i] + (run && i == changed ? l->by[i] : 0);
    chart_params(c, at, p);
    if (!run) w->bad[k] = e->law->f64->rules(p, &breach, 1) > 0;
    for (int j = 0; j < c->nparam; j++) w->p[(size_t)j * lanes + (size_t)run * count + k] = p[j];
  }
}

/* to[k] += a[k] b[k] */
static inline void add_products(double *restrict to, const double *a, const double *b, size_t count)
{
  for (size_t k = 0; k < count; k++) to[k] += a[k] * b[k];
}

/* columns of all candidates at one step, from the forces of their walks */
static inline void columns_of(const lines *l, double weight, side *w, size_t count)
{
  const int whole = l->runs == l->count;
  for (size_t k = 0; k < count; k++) w->level[k] = w->f[k];
  for (int i = whole; i < l->count; i++) {
    const double *f = w->f + (size_t)(i + !whole) * count, by = l->by[i], base = l->base[i];
    for (size_t k = 0; k < count; k++) {
      w->now[i][k] = (f[k] - w->f[k]) / by;
      w->level[k] -= base * w->now[i][k];
    }
  }
  for (size_t k = 0; k < count && whole; k++) w->now[0][k] = w->level[k] / l->base[0];
  for (int i = 0; i < l->count; i++)
    for (size_t k = 0; k < count; k++) w->now[i][k] *= weight;
}

BRISTLE_CLONES static void add_step(const lines *l, const course *c, size_t i, double weight, side *w, size_t count)
{
  for (size_t k = 0; k < count; k++) w->left[k] = (c->f[i] - w->f[k]) * weight;
  if (l->count) columns_of(l, weight, w, count);
  add_products(w->square, w->left, w->left, count);
  for (int t = 0; t < c->terms; t++) {
    const double basis = c->basis[t][i];
    for (size_t k = 0; k < count; k++) w->term_rest[t][k] += basis * w->left[k];
    for (int a = 0; a < l->count; a++)
      for (size_t k = 0; k < count; k++) w->term_column[t][a][k] += basis * w->now[a][k];
  }
  for (int a = 0; a < l->count; a++) {
    add_products(w->rest[a], w->now[a], w->left, count);
    for (int b = 0; b <= a; b++) add_products(w->column[a][b], w->now[a], w->now[b], count);
  }
}

static void clear_sums(const lines *l, int terms, side *w)
{
  memset(w->square, 0, sizeof w->square);
  memset(w->rest, 0, sizeof w->rest);
  memset(w->column, 0, sizeof w->column);
  memset(w->term_rest, 0, sizeof *w->term_rest * (size_t)terms);
  memset(w->term_column, 0, sizeof *w->term_column * (size_t)(l->count ? terms : 0));
}

/* the sums of one candidate */
static void take_sums(const lines *l, int terms, const side *w, size_t k, sums *s)
{
  s->square = w->square[k];
  for (int i = 0; i < l->count; i++) {
    s->rest[i] = w->rest[i][k];
    for (int j = 0; j <= i; j++) s->column[i][j] = s->column[j][i] = w->column[i][j][k];
  }
  for (int t = 0; t < terms; t++) {
    s->term_rest[t] = w->term_rest[t][k];
    for (int i = 0; i < l->count; i++) s->term_column[t][i] = w->term_column[t][i][k];
  }
}

/* scores of candidates; the linear unknowns among theirs become the best ones */
static void score(const experiment *e, const course *c, const lines *l, side *w, double *u, size_t count, double *out)
{
  const bristle_info *info = e->law->f64->info;
  const size_t lanes = count * (size_t)l->runs, width = (size_t)e->chart->count;
  clear_sums(l, c->terms, w);
  for (size_t k = 0; k < count; k++) set_lanes(e, l, w, u + k * width, k, count);
  bristle_batch b = {
    .count = lanes, .p = w->p, .per_contact = 1, .s = w->s, .v = w->v, .x = w->x, .n = w->n, .load = e->load, .f = w->f
  };
  for (size_t i = 0; i < c->count; i++) {
    double weight = c->w[i] * (e->force_floor > 0 ? 1 / fmax(fabs(c->f[i]), e->force_floor) : 1);
    if (c->h[i] == 0) {
      memset(w->s, 0, sizeof *w->s * (size_t)info->nstate * lanes);
      continue;
    }
    b.h = c->h[i];
    for (size_t k = 0; k < lanes; k++)
      w->v[k] = info->nstate ? c->slide[i] : c->v[i], w->x[k] = c->x[i], w->n[k] = c->n[i];
    e->law->f64->step_n(&b);
    add_step(l, c, i, weight, w, count);
  }
  for (size_t k = 0; k < count; k++) {
    sums s;
    double best[LINES];
    take_sums(l, c->terms, w, k, &s);
    out[k] = solve_lines(l, &s, c->terms, best);
    for (int i = 0; i < l->count; i++) u[k * width + (size_t)l->at[i]] = l->base[i] + best[i];
    if (w->bad[k] || !isfinite(out[k])) out[k] = HUGE_VAL;
  }
}

/* ---- the best of them, not all the same ---- */

static double distance(const chart *c, const double *a, const double *b)
{
  double most = 0;
  for (int j = 0; j < c->count; j++) {
    double lo = c->spread[j][0], hi = c->spread[j][1], apart;
    if (!(hi > lo) || c->linear[j]) continue;
    if (c->unknown[j].kind == BRISTLE_ROW_LOG && lo > 0) apart = fabs(log(a[j] / b[j])) / log(hi / lo);
    else apart = fabs(a[j] - b[j]) / (hi - lo);
    most = fmax(most, apart);
  }
  return most;
}

static int pick_best(const chart *c, const double *u, double *scores, int count, int keep, double *best)
{
  int kept = 0;
  size_t width = (size_t)c->count;
  while (kept < keep) {
    int at = -1;
    for (int i = 0; i < count; i++)
      if (scores[i] < HUGE_VAL && (at < 0 || scores[i] < scores[at])) at = i;
    if (at < 0) break;
    scores[at] = HUGE_VAL;
    int near = 0;
    for (int k = 0; k < kept; k++) near |= distance(c, best + (size_t)k * width, u + (size_t)at * width) < 0.15;
    if (!near) memcpy(best + (size_t)kept++ * width, u + (size_t)at * width, sizeof *best * width);
  }
  return kept;
}

/* scores of all candidates */
static void score_all(const experiment *e, const course *c, const lines *l, side *w, double *u, int candidates,
                      double *scores)
{
  const int side_by_side = SIDE / (l->runs ? l->runs : 1);
  const size_t width = (size_t)e->chart->count;
  for (int i = 0; i < candidates; i += side_by_side) {
    int count = candidates - i < side_by_side ? candidates - i : side_by_side;
    score(e, c, l, w, u + (size_t)i * width, (size_t)count, scores + i);
  }
}

/* Laws with elements take long steps: of many candidates only those that do best on a rougher course walk the fine one.
   Brings these to the front, in the order they had; returns how many. */
static int sift(const experiment *e, const lines *l, side *w, double *u, int candidates, double *scores, memory **list)
{
  course rough = { 0 };
  const size_t width = (size_t)e->chart->count;
  int left = 0;
  double *sorted = memory_take(list, sizeof *sorted * (size_t)candidates);
  if (!sorted || course_make(&rough, e, STEPS / ROUGHER, list)) return candidates;
  score_all(e, &rough, l, w, u, candidates, scores);
  memcpy(sorted, scores, sizeof *sorted * (size_t)candidates);
  sort_numbers(sorted, (size_t)candidates);
  const double most = sorted[candidates / SIFTED];
  for (int i = 0; i < candidates; i++)
    if (scores[i] <= most && scores[i] < HUGE_VAL)
      memmove(u + (size_t)left++ * width, u + (size_t)i * width, sizeof *u * width);
  return left ? left : candidates;
}

int screen_candidates(const experiment *e, int candidates, int keep, unsigned long long seed, double *best,
                      bristle_fault_kind *kind, bristle_fault *fault)
{
  memory *list = NULL;
  course c = { 0 };
  size_t width = (size_t)e->chart->count;
  double *u = memory_take(&list, sizeof *u * width * (size_t)candidates);
  double *scores = memory_take(&list, sizeof *scores * (size_t)candidates);
  side *w = memory_take(&list, sizeof *w);
  lines l = lines_of(e->chart);
  int kept = 0;
  if (!u || !scores || !w || course_make(&c, e, STEPS, &list)) {
    *kind = fault_memory(fault);
  } else {
    for (int i = 0; i < candidates; i++) candidate(e->chart, i, seed, u + (size_t)i * width);
    if (e->chart->last >= 0) candidates = sift(e, &l, w, u, candidates, scores, &list);
    score_all(e, &c, &l, w, u, candidates, scores);
    kept = pick_best(e->chart, u, scores, candidates, keep, best);
    if (!kept) { /* none of them exists: at least the guess goes on */
      candidate(e->chart, 0, seed, best);
      kept = 1;
    }
  }
  memory_free(list);
  return kept;
}
