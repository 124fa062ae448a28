/* Residuals of a law against measured forces: model - measured, sample by sample, or all columns through one filter and
   every n-th of them. */
#include "fit/residuals/terms.h"
#include "fit/records/log.h"
#include "fit/residuals/walk.h"
#include "io/support.h"
#include "fit/fast/fast.h"
#include "fit/objectives/objective.h"
#include "fit/squares/rows.h"
#include "fit/residuals/sheet.h"
#include "fit/squares/sums.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* ---- passing rows on ---- */

static double term_value(const experiment *e, int term, const double *u)
{
  if (e->options->term[term] == BRISTLE_TERM_NONE) return 0;
  return e->term_at[term] >= 0 ? u[e->term_at[term]] : e->options->term_value[term];
}

double experiment_root_weight(const experiment *e, double force)
{
  return e->force_floor > 0 ? 1 / fmax(fabs(force), e->force_floor) : 1;
}

static double weight_of(const experiment *e, double force, size_t slot)
{
  if (e->folds > 0 && experiment_fold(e, slot) == e->fold) return 0;
  return pow(experiment_root_weight(e, force), 2);
}

void sheet_pour(const experiment *e, sheet *s, receiver *to, size_t count)
{
  const double *r = column_of(s, 0), *force = column_of(s, 1);
  if (to->rows) {
    int plain = e->force_floor == 0 && e->folds == 0;
    for (size_t i = 0; i < count && !plain; i++)
      s->weight[i] = weight_of(e, force[i], s->slot ? s->slot[i] : to->slots + i);
    bristle_block block = { count, r, s->columns > 2 ? column_of(s, 2) : NULL, 1, s->room, plain ? NULL : s->weight };
    bristle_rows_add(to->rows, &block);
  } else if (to->residual) {
    memcpy(to->residual + to->count, r, sizeof *r * count);
    if (to->measured) memcpy(to->measured + to->count, force, sizeof *force * count);
    for (size_t i = 0; to->jacobian && i < count; i++) {
      const double root = experiment_root_weight(e, force[i]);
      to->residual[to->count + i] *= root;
      for (int j = 0; j < e->unknowns; j++)
        to->jacobian[(to->count + i) * (size_t)e->unknowns + (size_t)j] = root * column_of(s, 2 + j)[i];
    }
  }
  if (to->slot)
    for (size_t i = 0; i < count; i++) to->slot[to->count + i] = s->slot ? s->slot[i] : to->slots + i;
  to->count += count;
  if (!s->slot) to->slots += count;
  s->filled = 0;
}

/* one filter for all columns, so that they stay what they are to each other */
static int pour_thinned(const experiment *e, sheet *s, receiver *to)
{
  bristle_fault ignored;
  size_t count = (s->filled + e->decimate - 1) / e->decimate;
  double *out = malloc(sizeof *out * (count + 1));
  int failed = !out;
  for (int c = 0; c < s->columns && !failed; c++) {
    failed = bristle_decimate(column_of(s, c), s->filled, e->decimate, out, &ignored) != BRISTLE_FAULT_NONE;
    if (!failed) memcpy(column_of(s, c), out, sizeof *out * count);
  }
  free(out);
  if (!failed) sheet_pour(e, s, to, count);
  return failed;
}

/* ---- one stretch ---- */

int experiment_has_stretch(const bristle_log *log, size_t stretch)
{
  return log->first[stretch + 1] - log->first[stretch] >= 2 * log->drop + LOG_SHORTEST;
}

static int walk_stretch(const experiment *e, walk *w, size_t stretch, const double *u, sheet *s, receiver *to)
{
  const bristle_log *log = w->log;
  const int terms_only = s->columns > 2 && !w->derivatives;
  double df[BRISTLE_LAW_SIZE], by_unknown[UNKNOWNS], value[BRISTLE_TERMS];
  size_t begin = log->first[stretch], end = log->first[stretch + 1], drop = log->drop;
  if (!experiment_has_stretch(log, stretch)) return 0;
  for (int k = 0; k < BRISTLE_TERMS; k++) value[k] = term_value(e, k, u);
  walk_begin(w, stretch);
  for (size_t i = begin; i + drop < end; i++) {
    double force = walk_force(w, i, df);
    if (i < begin + drop) continue;
    size_t at = s->filled++;
    if (s->slot) { /* the law alone: the rest comes behind the filter */
      law_of(s, 0)[at] = force;
      if (w->derivatives) chart_derivatives(e->chart, u, w->contact.p, df, by_unknown);
      for (int j = 0; j < e->chart->count && w->derivatives; j++) law_of(s, 1 + j)[at] = by_unknown[j];
      continue;
    }
    const double root = log->w ? log->w[i] : 1;
    force += term_sum(log, value, i);
    column_of(s, 0)[at] = root * (force - log->f[i]);
    /* rows are weighted by it, as it is */
    column_of(s, 1)[at] = to->rows || to->jacobian ? log->f[i] : root * log->f[i];
    if (w->derivatives) {
      chart_derivatives(e->chart, u, w->contact.p, df, by_unknown);
      for (int j = 0; j < e->chart->count; j++) column_of(s, 2 + j)[at] = root * by_unknown[j];
    } else if (terms_only) {
      for (int j = 0; j < e->chart->count; j++) column_of(s, 2 + j)[at] = 0;
    }
    if (s->columns > 2)
      for (int k = 0; k < term_end(log); k++)
        if (e->term_at[k] >= 0) column_of(s, 2 + e->term_at[k])[at] = root * term_column(log, k, i);
    if (e->decimate <= 1 && s->filled == s->room) sheet_pour(e, s, to, s->filled);
  }
  if (s->slot) return sheet_select(e, log, stretch, value, w->derivatives, s, to);
  if (e->decimate > 1) return pour_thinned(e, s, to);
  sheet_pour(e, s, to, s->filled);
  return 0;
}

/* ---- one stretch, the quick way: by blocks, with derivatives whether wanted or not ---- */

typedef struct quick {
  fast_walk walk;
  fast_block block;
  double weight[MAPS_BLOCK];
  fast_layout *made; /* ours, where the experiment has none */
  const fast_layout *layout;
  const maps_law *law;
  int row[BRISTLE_LAW_SIZE]; /* of slopes, of each parameter */
  const double *p, *value;   /* of the terms */
  int derivatives;           /* are wanted */
} quick;

/* forces become residuals with all terms (none: they stay the law's), derivatives by parameters become columns by
 * unknowns */
static void finish_block(const experiment *e, const bristle_log *log, const fast_span *span, const fast_steps *steps,
                         const double *value, quick *q)
{
  fast_block *b = &q->block;
  if (value) fast_add(b->force, -1, steps->f);
  chart_columns(e->chart, q->p, q->row, b->slope[0], MAPS_BLOCK);
  for (int t = 0; t < term_end(log) && value; t++) {
    double *column = e->term_at[t] >= 0 ? b->slope[e->term_at[t]] : NULL;
    if (value[t] == 0 && !column) continue;
    for (size_t i = 0; i < span->count; i++) {
      double x = term_column(log, t, span->first + i);
      b->force[fast_place(i)] += value[t] * x;
      if (column) column[fast_place(i)] = x;
    }
  }
}

/* Samples `first` to `last` of a block as they stand: the solver does not mind the order of rows. 0: it does, here. */
static int pour_block(const experiment *e, const fast_steps *steps, size_t first, size_t last, quick *q, receiver *to)
{
  const int plain = e->force_floor == 0 && e->folds == 0, whole = last - first == MAPS_BLOCK;
  if (!to->rows || e->decimate > 1 || (!whole && !plain)) return 0;
  for (size_t i = 0; i < MAPS_BLOCK && !plain; i++)
    q->weight[fast_place(i)] = weight_of(e, steps->f[fast_place(i)], to->slots + i);
  bristle_block block = { MAPS_BLOCK, q->block.force, q->block.slope[0], 1, MAPS_BLOCK, plain ? NULL : q->weight };
  if (whole) {
    bristle_rows_add(to->rows, &block);
  } else {
    for (size_t i = 0; i < MAPS_BLOCK; i++) {
      if (i >= first && i < last) continue;
      q->block.force[fast_place(i)] = 0;
      for (int j = 0; j < e->unknowns; j++) q->block.slope[j][fast_place(i)] = 0;
    }
    if (!rows_sum(to->rows, &block, last - first)) return 0;
  }
  to->count += last - first, to->slots += last - first;
  return 1;
}

/* Samples `first` to `last` of a block, in the order of time; where rows are selected, `derivatives` of the law. */
static void copy_block(const fast_steps *steps, const fast_block *b, size_t first, size_t last, int derivatives,
                       sheet *s)
{
  size_t at = s->filled;
  s->filled += last - first;
  for (int j = 0; s->slot && j <= derivatives; j++) {
    const double *from = j ? b->slope[j - 1] : b->force;
    for (size_t i = first; i < last; i++) law_of(s, j)[at + i - first] = from[fast_place(i)];
  }
  if (s->slot) return;
  for (size_t i = first; i < last; i++) {
    column_of(s, 0)[at + i - first] = b->force[fast_place(i)];
    column_of(s, 1)[at + i - first] = steps->f[fast_place(i)];
  }
  for (int j = 2; j < s->columns; j++)
    for (size_t i = first; i < last; i++) column_of(s, j)[at + i - first] = b->slope[j - 2][fast_place(i)];
}

/* `blocks` has the first block of the stretch in the layout, and that of the next one */
static int quick_stretch(const experiment *e, quick *q, const bristle_log *log, size_t stretch, const size_t *blocks,
                         sheet *s, receiver *to)
{
  size_t begin = log->first[stretch] + log->drop, end = log->first[stretch + 1] - log->drop;
  if (!experiment_has_stretch(log, stretch)) return 0;
  fast_begin(&q->walk, q->law, q->p);
  for (size_t block = blocks[0]; block < blocks[1]; block++) {
    const fast_span *span = &q->layout->span[block];
    const fast_steps *steps = &q->layout->steps[block];
    size_t first = span->first < begin ? begin - span->first : 0, last = span->count;
    fast_next(&q->walk, q->layout, block, &q->block);
    if (span->first + last > end) last = end > span->first ? end - span->first : 0;
    if (first >= last) continue;
    finish_block(e, log, span, steps, s->slot ? NULL : q->value, q);
    if (!s->slot && pour_block(e, steps, first, last, q, to)) continue;
    copy_block(steps, &q->block, first, last, q->derivatives ? e->chart->count : 0, s);
    if (!s->slot && e->decimate <= 1) sheet_pour(e, s, to, s->filled);
  }
  if (s->slot) return sheet_select(e, log, stretch, q->value, q->derivatives, s, to);
  if (e->decimate > 1) return pour_thinned(e, s, to);
  return 0;
}

int experiment_is_quick(const experiment *e, const double *p)
{
  for (size_t l = 0; l < e->log_count; l++)
    if (e->logs[l]->w) return 0;
  const maps_law *law = fast_law(e->law, e->load, p);
  int row[BRISTLE_LAW_SIZE];
  if (!law) return 0;
  fast_rows(law, e->chart->nparam, row);
  for (int j = 0; j < e->chart->count; j++)
    if (row[e->chart->place[j]] < 0) return 0; /* an exponent is searched */
  return 1;
}

static quick *quick_begin(const experiment *e, const double *p, const double *value, int derivatives)
{
  quick *q = FAST_NEW(quick);
  if (!q) return NULL;
  q->p = p, q->value = value, q->derivatives = derivatives, q->made = NULL;
  q->law = fast_law(e->law, e->load, p);
  fast_rows(q->law, e->chart->nparam, q->row);
  if (!e->layout) q->made = fast_layout_make(e->logs, e->log_count);
  q->layout = e->layout ? e->layout : q->made;
  if (q->layout) return q;
  platform_aligned_free(q);
  return NULL;
}

static void quick_end(quick *q)
{
  if (q) fast_layout_free(q->made);
  platform_aligned_free(q);
}

static int run(const experiment *e, const double *u, int derivatives, int columns, receiver *to)
{
  double p[BRISTLE_LAW_SIZE], value[BRISTLE_TERMS];
  bristle_breach breach;
  walk *w = NULL;
  quick *q = NULL;
  sheet s;
  chart_params(e->chart, u, p);
  for (int k = 0; k < BRISTLE_TERMS; k++) value[k] = term_value(e, k, u);
  int failed = sheet_make(e, columns, derivatives, &s) || e->law->f64->rules(p, &breach, 1) > 0;
  if (!failed && experiment_is_quick(e, p)) failed = !(q = quick_begin(e, p, value, derivatives));
  else if (!failed) failed = !(w = malloc(sizeof *w));
  for (size_t l = 0, stretch = 0; l < e->log_count && !failed; l++) {
    if (w) {
      w->contact = (bristle_contact){ .law = e->law, .load = e->load, .p = p };
      w->log = e->logs[l], w->derivatives = derivatives, w->rough = e->rough;
      memcpy(w->term, value, sizeof value);
    }
    for (size_t k = 0; k < e->logs[l]->stretches && !failed; k++, stretch++)
      failed = q ? quick_stretch(e, q, e->logs[l], k, q->layout->first + stretch, &s, to)
                 : walk_stretch(e, w, k, u, &s, to);
  }
  quick_end(q);
  free(w);
  sheet_free(&s);
  return failed;
}

int experiment_residuals(void *context, const double *u, bristle_rows *rows)
{
  const experiment *e = context;
  bristle_rows_want want = bristle_rows_wanted(rows);
  receiver to = { .rows = rows };
  int derivatives = want == BRISTLE_WANT_JACOBIAN;
  return run(e, u, derivatives, want == BRISTLE_WANT_RESIDUALS ? 2 : 2 + e->unknowns, &to);
}

bristle_fault_kind experiment_compare(const experiment *e, const double *u, double *residual, double *measured,
                                      size_t *slot, bristle_fault *fault)
{
  receiver to = { .residual = residual, .measured = measured, .slot = slot };
  if (run(e, u, 0, 2, &to))
    return fault_set(fault, BRISTLE_FAULT_VALUE, NULL, "the law %s has no force for these parameters",
                     e->law->f64->info->name);
  return BRISTLE_FAULT_NONE;
}

int experiment_jacobian(const experiment *e, const double *u, double *residual, double *jacobian)
{
  receiver to = { .residual = residual, .jacobian = jacobian };
  return run(e, u, 1, 2 + e->unknowns, &to);
}

/* ---- making one ---- */

int experiment_counts(const experiment *e, int phase)
{
  if (phase == BRISTLE_PHASE_MOVING || (e->every_phase && phase != BRISTLE_PHASE_NONE)) return 1;
  return phase == BRISTLE_PHASE_TRANSITION && e->law->f64->info->nstate > 0 && !e->moving_only;
}

int experiment_fold(const experiment *e, size_t slot)
{
  int fold[SUMS_BLOCKS];
  if (e->folds != SUMS_FOLDS || e->slots < 4 * SUMS_BLOCKS) return (int)(slot * (size_t)e->folds / e->slots);
  sums_deal(fold);
  return fold[slot * SUMS_BLOCKS / e->slots];
}

/* rows that count, and those that would if all samples did */
static size_t rows_of(const experiment *e, const bristle_log *log, size_t decimate, size_t *slots)
{
  size_t rows = 0;
  for (size_t k = 0; k < log->stretches; k++) {
    size_t length = log->first[k + 1] - log->first[k];
    if (!experiment_has_stretch(log, k)) continue;
    if (log->phase) {
      const size_t every = decimate > 1 ? decimate : 1;
      *slots += (length + every - 1) / every;
      for (size_t i = log->first[k]; i < log->first[k + 1]; i += every) rows += experiment_counts(e, log->phase[i]);
      continue;
    }
    length -= 2 * log->drop;
    length = decimate > 1 ? (length + decimate - 1) / decimate : length;
    rows += length, *slots += length;
  }
  return rows;
}

void experiment_count(experiment *e)
{
  e->rows = e->slots = 0;
  for (size_t l = 0; l < e->log_count; l++) e->rows += rows_of(e, e->logs[l], e->decimate, &e->slots);
}

experiment experiment_scored(const experiment *e)
{
  experiment scored = *e;
  scored.every_phase = 1;
  experiment_count(&scored);
  return scored;
}

void experiment_make(experiment *e, const chart *c, const bristle_log *const *logs, size_t log_count, bristle_load load,
                     const bristle_identify_options *options)
{
  *e = (experiment){ .law = c->law, .load = load, .logs = logs, .log_count = log_count, .options = options };
  e->chart = c;
  e->unknowns = c->count;
  e->decimate = options->decimate;
  for (int k = 0; k < BRISTLE_TERMS; k++) e->term_at[k] = options->term[k] == BRISTLE_TERM_FREE ? e->unknowns++ : -1;
  double largest = 0;
  experiment_count(e);
  for (size_t l = 0; l < log_count; l++)
    largest = fmax(largest, fmax(fabs(logs[l]->summary.force_low), fabs(logs[l]->summary.force_high)));
  const objective *wanted = objective_of(options->objective);
  if (wanted->least_force) e->force_floor = wanted->least_force(options, largest);
}

void experiment_unknowns(const experiment *e, bristle_unknown *unknown)
{
  const bristle_info *info = e->law->f64->info;
  /* a law at rest sees what the terms leave of the measured force, where rests count */
  const int apart = e->logs[0]->phase || (info->nstate > 0 && !(info->traits & BRISTLE_TRAIT_SET_VALUED));
  memcpy(unknown, e->chart->unknown, sizeof *unknown * (size_t)e->chart->count);
  for (int k = 0; k < BRISTLE_TERMS; k++)
    if (e->term_at[k] >= 0)
      unknown[e->term_at[k]] = (bristle_unknown){ .name = term_name(e->logs[0], k),
                                                  .lo = k == BRISTLE_TERM_MASS ? 0 : -HUGE_VAL,
                                                  .hi = HUGE_VAL,
                                                  .eliminate = 1,
                                                  .beside = apart };
}
