/* Screening: many parameter sets walk along a thinned record side by side in the batch engine; what the linear terms
   could explain is projected out, the rest is the score. */
#include "fit/identify.h"

#include <math.h>
#include <stdlib.h>

enum { SIDE = 128, STEPS = 2500 };

/* The record as steps, those of all logs one after the other; h = 0 starts anew. */
typedef struct course {
  size_t count;
  double *h, *slide, *v, *x, *n, *f, *w;
  double *basis[BRISTLE_TERMS]; /* orthonormal columns of the linear terms */
  int terms;
} course;

static void add_log(course *c, const experiment *e, const bristle_log *log, size_t stride)
{
  const bristle_identify_options *o = e->options;
  for (size_t k = 0; k < log->stretches; k++) {
    size_t last = log->first[k];
    for (size_t i = log->first[k]; i < log->first[k + 1]; i += stride, last = i - stride) {
      size_t at = c->count++;
      c->h[at] = i == log->first[k] ? 0 : log->t[i] - log->t[last];
      c->slide[at] = c->h[at] > 0 ? (log->x[i] - log->x[last]) / c->h[at] : 0;
      c->v[at] = log->v[i], c->x[at] = log->x[last], c->n[at] = log->n ? log->n[i] : 1, c->f[at] = log->f[i];
      c->w[at] = log->phase && !experiment_counts(e, log->phase[i]) ? 0 : log->w ? log->w[i] : 1;
      for (int t = 0, used = 0; t < BRISTLE_TERMS; t++) {
        if (o->term[t] == BRISTLE_TERM_GIVEN) c->f[at] -= o->term_value[t] * term_column(log, t, i);
        if (e->term_at[t] >= 0) c->basis[used++][at] = c->w[at] * term_column(log, t, i);
      }
    }
  }
}

static void orthonormalise(course *c)
{
  for (int k = 0; k < c->terms; k++) {
    for (int pass = 0; pass < 2; pass++)
      for (int j = 0; j < k; j++) {
        double dot = 0;
        for (size_t i = 0; i < c->count; i++) dot += c->basis[j][i] * c->basis[k][i];
        for (size_t i = 0; i < c->count; i++) c->basis[k][i] -= dot * c->basis[j][i];
      }
    double square = 0;
    for (size_t i = 0; i < c->count; i++) square += c->basis[k][i] * c->basis[k][i];
    double scale = square > 0 ? 1 / sqrt(square) : 0;
    for (size_t i = 0; i < c->count; i++) c->basis[k][i] *= scale;
  }
}

static int course_make(course *c, const experiment *e, memory **list)
{
  size_t total = 0, room = 0;
  for (size_t l = 0; l < e->log_count; l++) total += e->logs[l]->count;
  size_t stride = total / STEPS + 1;
  for (size_t l = 0; l < e->log_count; l++) room += e->logs[l]->count / stride + e->logs[l]->stretches + 1;
  double **const columns[] = { &c->w, &c->h,        &c->slide,    &c->v,        &c->x,        &c->n,
                               &c->f, &c->basis[0], &c->basis[1], &c->basis[2], &c->basis[3], &c->basis[4] };
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    if (!(*columns[k] = memory_take(list, sizeof(double) * room))) return 1;
  for (int t = 0; t < BRISTLE_TERMS; t++) c->terms += e->term_at[t] >= 0;
  for (size_t l = 0; l < e->log_count; l++) add_log(c, e, e->logs[l], stride);
  orthonormalise(c);
  return 0;
}

/* ---- candidates ---- */

static double draw(const chart *c, int j, double unit)
{
  double lo = c->spread[j][0], hi = c->spread[j][1];
  return c->unknown[j].kind == BRISTLE_LOG && lo > 0 ? lo * pow(hi / lo, unit) : lo + (hi - lo) * unit;
}

/* candidate number `index`: the guess itself, then guesses with one or all numbers drawn anew */
static void candidate(const chart *c, int index, unsigned long long seed, double *u)
{
  unsigned long long state = seed * 0x100000001b3ull + (unsigned long long)index * 0x9e3779b97f4a7c15ull + 1;
  int some = index % 3 == 1;
  for (int j = 0; j < c->count; j++) {
    double unit = random_unit(&state), keep = random_unit(&state);
    u[j] = index == 0 || (some && keep < 0.5) ? c->guess[j] : draw(c, j, unit);
  }
}

/* ---- scores ---- */

typedef struct side {
  double p[BRISTLE_FRICTION_SIZE * SIDE], s[BRISTLE_FRICTION_SIZE * SIDE];
  double v[SIDE], x[SIDE], n[SIDE], f[SIDE];
  double square[SIDE], part[BRISTLE_TERMS][SIDE];
  int bad[SIDE];
} side;

static void score(const experiment *e, const course *c, side *w, const double *u, size_t count, double *out)
{
  const bristle_info *info = e->law->f64->info;
  int absolute = e->options->objective == BRISTLE_ROBUST;
  bristle_breach breach;
  memset(w->s, 0, sizeof *w->s * (size_t)info->nstate * count);
  memset(w->square, 0, sizeof w->square), memset(w->part, 0, sizeof w->part);
  for (size_t k = 0; k < count; k++) {
    double p[BRISTLE_FRICTION_SIZE];
    chart_params(e->chart, u + k * (size_t)e->chart->count, p);
    w->bad[k] = e->law->f64->rules(p, &breach, 1) > 0;
    for (int j = 0; j < info->nparam; j++) w->p[(size_t)j * count + k] = p[j];
  }
  bristle_batch b = {
    .count = count, .p = w->p, .per_contact = 1, .s = w->s, .v = w->v, .x = w->x, .n = w->n, .load = e->load, .f = w->f
  };
  for (size_t i = 0; i < c->count; i++) {
    double weight = c->w[i] * (e->force_floor > 0 ? 1 / fmax(fabs(c->f[i]), e->force_floor) : 1);
    if (c->h[i] == 0) {
      memset(w->s, 0, sizeof *w->s * (size_t)info->nstate * count);
      continue;
    }
    b.h = c->h[i];
    for (size_t k = 0; k < count; k++)
      w->v[k] = info->nstate ? c->slide[i] : c->v[i], w->x[k] = c->x[i], w->n[k] = c->n[i];
    e->law->f64->step_n(&b);
    for (size_t k = 0; k < count; k++) {
      double r = (w->f[k] - c->f[i]) * weight;
      w->square[k] += absolute ? fabs(r) : r * r;
      for (int t = 0; t < c->terms; t++) w->part[t][k] += c->basis[t][i] * r;
    }
  }
  for (size_t k = 0; k < count; k++) {
    out[k] = w->square[k];
    for (int t = 0; t < c->terms && !absolute; t++) out[k] -= w->part[t][k] * w->part[t][k];
    if (w->bad[k] || !isfinite(out[k])) out[k] = HUGE_VAL;
  }
}

/* ---- the best of them, not all the same ---- */

static double distance(const chart *c, const double *a, const double *b)
{
  double most = 0;
  for (int j = 0; j < c->count; j++) {
    double lo = c->spread[j][0], hi = c->spread[j][1], apart;
    if (!(hi > lo)) continue;
    if (c->unknown[j].kind == BRISTLE_LOG && lo > 0) apart = fabs(log(a[j] / b[j])) / log(hi / lo);
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

int screen_candidates(const experiment *e, int candidates, int keep, unsigned long long seed, double *best,
                      bristle_fault_kind *kind, bristle_fault *fault)
{
  memory *list = NULL;
  course c = { 0 };
  size_t width = (size_t)e->chart->count;
  double *u = memory_take(&list, sizeof *u * width * (size_t)candidates);
  double *scores = memory_take(&list, sizeof *scores * (size_t)candidates);
  side *w = memory_take(&list, sizeof *w);
  int kept = 0;
  if (!u || !scores || !w || course_make(&c, e, &list)) {
    *kind = fault_set(fault, BRISTLE_FAULT_MEMORY, NULL, "not enough memory for the screening");
  } else {
    for (int i = 0; i < candidates; i++) candidate(e->chart, i, seed, u + (size_t)i * width);
    for (int i = 0; i < candidates; i += SIDE) {
      int count = candidates - i < SIDE ? candidates - i : SIDE;
      score(e, &c, w, u + (size_t)i * width, (size_t)count, scores + i);
    }
    kept = pick_best(e->chart, u, scores, candidates, keep, best);
    if (!kept) { /* none of them exists: at least the guess goes on */
      candidate(e->chart, 0, seed, best);
      kept = 1;
    }
  }
  memory_free(list);
  return kept;
}
