/* The records as candidates of a screening walk along them: thinned, with the terms beside friction as a basis. */
#include "fit/identification/course.h"

#include "fit/residuals/terms.h"
#include "maths/elementary.h"

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
      for (int t = 0, used = 0; t < term_end(log); t++) {
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

int course_make(course *c, const experiment *e, size_t steps, memory **list)
{
  size_t total = 0, room = 0;
  for (size_t l = 0; l < e->log_count; l++) total += e->logs[l]->count;
  size_t stride = total / steps + 1;
  for (size_t l = 0; l < e->log_count; l++) room += e->logs[l]->count / stride + e->logs[l]->stretches + 1;
  double **const columns[] = { &c->w, &c->h, &c->slide, &c->v, &c->x, &c->n, &c->f };
  for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
    if (!(*columns[k] = memory_take(list, sizeof(double) * room))) return 1;
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (e->term_at[t] >= 0 && !(c->basis[c->terms++] = memory_take(list, sizeof(double) * room))) return 1;
  for (size_t l = 0; l < e->log_count; l++) add_log(c, e, e->logs[l], stride);
  orthonormalise(c);
  return 0;
}
