/* From the columns of a law along a stretch to the rows that count. */
#include "fit/residuals/terms.h"
#include "fit/records/motion.h"
#include "fit/signals/signal.h"
#include "fit/residuals/sheet.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { BLOCK = 512 };

static size_t longest_stretch(const experiment *e)
{
  size_t longest = BLOCK;
  for (size_t l = 0; l < e->log_count; l++)
    for (size_t k = 0; k < e->logs[l]->stretches; k++) {
      size_t length = e->logs[l]->first[k + 1] - e->logs[l]->first[k];
      if (length > longest) longest = length;
    }
  return longest;
}

int sheet_make(const experiment *e, int columns, int derivatives, sheet *s)
{
  const int selected = e->logs[0]->phase != NULL;
  const size_t longest = longest_stretch(e), every = e->decimate > 1 ? e->decimate : 1;
  *s = (sheet){ .room = selected ? (longest + every - 1) / every : every > 1 ? longest : BLOCK, .columns = columns };
  s->data = malloc(sizeof *s->data * s->room * (size_t)columns);
  s->weight = malloc(sizeof *s->weight * s->room);
  if (!selected) return !s->data || !s->weight;
  s->length = longest;
  s->slot = malloc(sizeof *s->slot * s->room);
  s->law = malloc(sizeof *s->law * longest * (size_t)(derivatives ? 1 + e->chart->count : 1));
  return !s->data || !s->weight || !s->slot || !s->law;
}

void sheet_free(sheet *s) { free(s->data), free(s->weight), free(s->slot), free(s->law); }

static int filter_law(const bristle_log *log, size_t stretch, const experiment *e, int derivatives, sheet *s)
{
  bristle_lowpass filter;
  bristle_fault ignored;
  double *column[1 + UNKNOWNS];
  int columns = 0;
  for (int j = 0; j <= e->chart->count && (!j || derivatives); j++) column[columns++] = law_of(s, j);
  for (int j = 0; j < columns; j++) motion_draw_lines(log, stretch, column[j]);
  if (!log->filtered) return 0;
  if (bristle_lowpass_design(LOG_FILTER_ORDER, log->cutoff, log->summary.rate, &filter, &ignored)) return 1;
  return signal_lowpass_columns(&filter, column, columns, s->filled, &ignored) != BRISTLE_FAULT_NONE;
}

/* the terms that are there, in their order */
typedef struct present {
  int count, term[BRISTLE_TERMS];
} present;

static present find_terms(const experiment *e, const bristle_log *log, const double *value)
{
  present p = { 0 };
  for (int k = 0; k < term_end(log); k++)
    if (value[k] != 0 || e->term_at[k] >= 0) p.term[p.count++] = k;
  return p;
}

/* row `at` from sample i of the log, for which the law stands at `from` */
static void finish_row(const experiment *e, const bristle_log *log, size_t i, size_t from, const double *value,
                       const present *terms, int derivatives, size_t at, sheet *s, const receiver *to)
{
  const double root = log->w ? log->w[i] : 1, law = law_of(s, 0)[from];
  double column[BRISTLE_TERMS], sum = 0;
  for (int k = 0; k < terms->count; k++) {
    column[k] = term_column(log, terms->term[k], i);
    if (value[terms->term[k]] != 0) sum += value[terms->term[k]] * column[k];
  }
  column_of(s, 0)[at] = root * (law + sum - log->f[i]);
  column_of(s, 1)[at] = to->rows || to->jacobian ? log->f[i] : root * log->f[i];
  if (s->columns == 2) return;
  for (int j = 0; j < e->chart->count; j++) column_of(s, 2 + j)[at] = derivatives ? root * law_of(s, 1 + j)[from] : 0;
  for (int k = 0; k < terms->count; k++)
    if (e->term_at[terms->term[k]] >= 0) column_of(s, 2 + e->term_at[terms->term[k]])[at] = root * column[k];
}

int sheet_select(const experiment *e, const bristle_log *log, size_t stretch, const double *value, int derivatives,
                 sheet *s, receiver *to)
{
  const size_t begin = log->first[stretch], length = log->first[stretch + 1] - begin;
  const size_t every = e->decimate > 1 ? e->decimate : 1;
  const present terms = find_terms(e, log, value);
  size_t kept = 0;
  if (s->filled != length || filter_law(log, stretch, e, derivatives, s)) return 1;
  for (size_t i = 0; i < length; i += every, to->slots++) {
    if (!experiment_counts(e, log->phase[begin + i])) continue;
    finish_row(e, log, begin + i, i, value, &terms, derivatives, kept, s, to);
    s->slot[kept++] = to->slots;
  }
  sheet_pour(e, s, to, kept);
  return 0;
}
