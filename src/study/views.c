/* What the best law says of each record, sample by sample. */
#include "study/views.h"

#include "fit/records/log.h"

#include "maths/elementary.h"
#include <stdlib.h>

int study_view_moves(const study_view *view, size_t i)
{
  return isfinite(view->residual[i]) && (!view->log->phase || view->log->phase[i] == BRISTLE_PHASE_MOVING);
}

/* The law's force went through the filter of the measured one when they were compared. */
static void filter_law(const bristle_log *log, double *law)
{
  bristle_lowpass filter;
  bristle_fault ignored;
  if (!log->filtered || bristle_lowpass_design(LOG_FILTER_ORDER, log->cutoff, log->summary.rate, &filter, &ignored))
    return;
  for (size_t k = 0; k < log->stretches; k++) {
    double *part = law + log->first[k];
    if (bristle_lowpass_both_ways(&filter, part, log->first[k + 1] - log->first[k], part, &ignored)) return;
  }
}

static int is_settled(const bristle_log *log, size_t stretch, size_t i)
{
  if (log->phase) return log->phase[i] != BRISTLE_PHASE_NONE;
  return i >= log->first[stretch] + log->drop && i + log->drop < log->first[stretch + 1];
}

static void compare_samples(const bristle_identified *best, study_view *v)
{
  const bristle_log *log = v->log;
  double *law = v->friction; /* for a while */
  for (size_t i = 0; i < log->count; i++)
    law[i] = v->model[i] - bristle_identified_beside(best, log, i) - best->term[BRISTLE_TERM_SKEW] * fabs(log->v[i]);
  for (size_t i = 0; i < log->count; i++) v->model[i] -= law[i];
  filter_law(log, law);
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      v->model[i] += law[i];
      v->residual[i] = log->f[i] - v->model[i];
      v->friction[i] = log->f[i] - bristle_identified_beside(best, log, i);
      if (!is_settled(log, k, i)) v->model[i] = v->residual[i] = v->friction[i] = (double)NAN;
    }
}

static void score(study_view *v)
{
  double squares = 0, force = 0, rows = 0;
  for (size_t i = 0; i < v->log->count; i++) {
    if (!study_view_moves(v, i)) continue;
    squares += v->residual[i] * v->residual[i], force += v->log->f[i] * v->log->f[i], rows++;
    v->largest = fmax(v->largest, fabs(v->residual[i]));
  }
  v->rms = rows > 0 ? sqrt(squares / rows) : (double)NAN;
  v->relative = force > 0 ? sqrt(squares / force) : (double)NAN;
}

study_view *study_views_make(const bristle_identified *best, bristle_log *const *logs, size_t count,
                             const bristle_log *validation)
{
  const size_t all = count + (validation != NULL);
  study_view *views = calloc(all + 1, sizeof *views);
  for (size_t l = 0; views && l < all; l++) {
    study_view *v = &views[l];
    bristle_fault ignored;
    v->log = l < count ? logs[l] : validation;
    v->is_validation = l == count;
    v->model = malloc(sizeof *v->model * 3 * (v->log->count + 1));
    if (!v->model || bristle_identified_force(best, v->log, v->model, &ignored)) {
      study_views_free(views, all);
      return NULL;
    }
    v->residual = v->model + v->log->count, v->friction = v->residual + v->log->count;
    compare_samples(best, v);
    score(v);
  }
  return views;
}

void study_views_free(study_view *views, size_t count)
{
  for (size_t l = 0; views && l < count; l++) free(views[l].model);
  free(views);
}

int study_views_choose(const study_view *views, size_t count, size_t chosen[3])
{
  size_t order[64], known = count < 64 ? count : 64;
  for (size_t i = 0; i < known; i++) {
    size_t k = i;
    for (; k > 0 && views[order[k - 1]].relative > views[i].relative; k--) order[k] = order[k - 1];
    order[k] = i;
  }
  const size_t place[3] = { 0, (known - 1) / 2, known - 1 };
  int found = 0;
  for (int i = 0; i < 3 && known; i++)
    if (!found || chosen[found - 1] != order[place[i]]) chosen[found++] = order[place[i]];
  return found;
}
