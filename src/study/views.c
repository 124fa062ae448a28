/* What the best law says of each record, sample by sample. */
#include "study/views.h"

#include "maths/elementary.h"
#include <stdlib.h>

int study_view_moves(const study_view *view, size_t i)
{
  return isfinite(view->residual[i]) && (!view->log->phase || view->log->phase[i] == BRISTLE_PHASE_MOVING);
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
    v->residual = v->model + v->log->count, v->friction = v->residual + v->log->count;
    if (!v->model || bristle_identified_compare(best, v->log, v->model, v->residual, v->friction, &ignored)
        || bristle_residual_errors(v->log, v->residual, &v->error, &ignored)) {
      study_views_free(views, all);
      return NULL;
    }
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
    for (; k > 0 && views[order[k - 1]].error.relative > views[i].error.relative; k--) order[k] = order[k - 1];
    order[k] = i;
  }
  const size_t place[3] = { 0, (known - 1) / 2, known - 1 };
  int found = 0;
  for (int i = 0; i < 3 && known; i++)
    if (!found || chosen[found - 1] != order[place[i]]) chosen[found++] = order[place[i]];
  return found;
}
