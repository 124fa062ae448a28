#include "study/batch.h"

static int watch(void *context, double fraction)
{
  task *mine = context;
  batch *all = mine->all;
  double sum = 0;
  parallel_take(&all->lock);
  mine->done = fraction;
  for (int i = 0; i < all->count; i++) sum += all->task[i].done;
  const int stop = study_tell(all->study, all->before + all->share * sum / all->count);
  parallel_give(&all->lock);
  return stop;
}

static void fit_one(void *context, int i)
{
  batch *all = context;
  task *mine = &all->task[i];
  const bristle_study *study = all->study;
  bristle_identify_options options = all->options;
  options.progress = watch;
  options.context = mine;
  if (mine->start) options.start = mine->start, options.start_is_near = 1;
  options.slow_samples = mine->slow_samples;
  options.slow_fall = mine->slow_fall;
  if (mine->like) bristle_identified_take_free(mine->like, &options);
  for (int k = 0; mine->exponent && k + 1 < BRISTLE_IDENTIFY_NAMES; k++)
    if (!options.free[k]) {
      options.free[k] = mine->exponent;
      break;
    }
  snprintf(mine->fault.what, sizeof mine->fault.what, "stopped");
  if (watch(mine, 0)) return;
  if (bristle_identify(mine->law, study_logs(study), study->logs, study->validation, &options, &mine->result,
                       &mine->fault))
    mine->result = NULL;
  watch(mine, 1);
}

void batch_fit(batch *all, const char *kind)
{
  static const double TAKEN = 0.5; /* of what is left of the progress: nobody knows what else turns up */
  bristle_study *study = all->study;
  if (!(all->share > 0)) all->before = study->done, all->share = TAKEN * (1 - study->done);
  all->lock = (parallel_lock)PARALLEL_LOCK;
  for (int i = 0; i < all->count; i++) all->task[i].all = all;
  parallel_for(study->fitting.threads > 0 ? study->fitting.threads : 2, all->count, fit_one, all);
  for (int i = 0; i < all->count; i++) {
    const task *t = &all->task[i];
    if (t->result && study->results < BRISTLE_STUDY_LAWS) study->result[study->results++] = t->result;
    else if (study->failures < BRISTLE_STUDY_LAWS) study_note_failure(study, t->law, kind, &t->fault);
  }
  bristle_identified_rank(study->result, study->results);
}

void batch_take_terms(const bristle_identified *r, bristle_identify_options *options)
{
  for (int t = 0; t < BRISTLE_TERMS; t++)
    if (r->estimate[r->law->f64->info->nparam + t].free) options->term[t] = BRISTLE_TERM_FREE;
}
