/* How well a law explains the samples, by block of the records and phase of the motion; also of pieces held out. */
#include "fit/identification/scores.h"
#include "fit/common/parallel.h"
#include "fit/identification/refine.h"
#include "maths/elementary.h"

#include <stdlib.h>
#include <string.h>

/* phases of all rows, one for each slot */
static unsigned char *phases_of(const experiment *e)
{
  unsigned char *phase = malloc(e->slots + 1);
  size_t at = 0, every = e->decimate > 1 ? e->decimate : 1;
  for (size_t l = 0; phase && l < e->log_count && e->logs[l]->phase; l++)
    for (size_t k = 0; k < e->logs[l]->stretches; k++)
      for (size_t i = e->logs[l]->first[k], end = e->logs[l]->first[k + 1];
           i < end && experiment_has_stretch(e->logs[l], k); i += every)
        phase[at++] = e->logs[l]->phase[i];
  if (phase && !at) memset(phase, BRISTLE_PHASE_MOVING, e->slots);
  return phase;
}

int scores_add(const experiment *e, const double *u, int fold, scores *to)
{
  experiment all = experiment_scored(e);
  bristle_fault ignored;
  double *r = malloc(sizeof *r * 2 * (all.rows + 1));
  size_t *slot = malloc(sizeof *slot * (all.rows + 1));
  unsigned char *phase = phases_of(&all);
  const int failed = !r || !slot || !phase || experiment_compare(&all, u, r, r + all.rows, slot, &ignored);
  for (size_t i = 0; i < all.rows && !failed; i++) {
    if (fold >= 0 && experiment_fold(&all, slot[i]) != fold) continue;
    const int at = phase[slot[i]];
    const size_t block = slot[i] * BRISTLE_BLOCKS / all.slots;
    to->squares[block][at] += r[i] * r[i], to->force[block][at] += r[all.rows + i] * r[all.rows + i];
    to->rows[block][at]++;
  }
  free(r), free(slot), free(phase);
  return failed;
}

static double sum_of(const double (*value)[BRISTLE_PHASE_REST + 1], int phase)
{
  double sum = 0;
  for (int b = 0; b < BRISTLE_BLOCKS; b++) sum += value[b][phase];
  return sum;
}

double scores_rms(const scores *s, int phase)
{
  const double rows = sum_of(s->rows, phase);
  return rows > 0 ? sqrt(sum_of(s->squares, phase) / rows) : (double)NAN;
}

typedef struct held_out_job {
  const experiment *e;
  const double *u;
  int folds;
  scores *piece; /* of each fold; NaN where its fit failed */
} held_out_job;

/* the squares of one piece after a fit to the others */
static void hold_out(void *context, int fold)
{
  held_out_job *job = context;
  experiment e = *job->e;
  bristle_fault ignored;
  bristle_fit_result *fit = NULL;
  e.folds = job->folds, e.fold = fold;
  memset(&job->piece[fold], 0, sizeof *job->piece);
  if (refine_one(&e, job->u, REFINE_AGAIN, &fit, &ignored) || scores_add(&e, fit->p, fold, &job->piece[fold]))
    job->piece[fold].squares[0][BRISTLE_PHASE_MOVING] = (double)NAN;
  bristle_fit_free(fit);
}

void scores_held_out(const experiment *e, const double *u, int folds, bristle_identified *made)
{
  scores sum = { 0 }, *piece = malloc(sizeof *piece * (size_t)folds);
  held_out_job job = { e, u, folds, piece };
  if (!piece) return;
  parallel_for(e->options->threads > 0 ? e->options->threads : 2, folds, hold_out, &job);
  for (int k = 0; k < folds; k++)
    for (int b = 0; b < BRISTLE_BLOCKS; b++)
      for (int phase = 0; phase <= BRISTLE_PHASE_REST; phase++)
        sum.squares[b][phase] += piece[k].squares[b][phase], sum.rows[b][phase] += piece[k].rows[b][phase];
  free(piece);
  made->held_out = scores_rms(&sum, BRISTLE_PHASE_MOVING);
  made->held_out_slow = scores_rms(&sum, BRISTLE_PHASE_TRANSITION);
  for (int b = 0; b < BRISTLE_BLOCKS; b++)
    for (int slow = 0; slow < 2; slow++) {
      made->block_squares[b][slow] = sum.squares[b][slow ? BRISTLE_PHASE_TRANSITION : BRISTLE_PHASE_MOVING];
      made->block_rows[b][slow] = sum.rows[b][slow ? BRISTLE_PHASE_TRANSITION : BRISTLE_PHASE_MOVING];
    }
}

double scores_relative(const experiment *e, const double *u, double *rms)
{
  scores s = { 0 };
  if (scores_add(e, u, -1, &s)) return (double)NAN;
  if (rms) *rms = scores_rms(&s, BRISTLE_PHASE_MOVING);
  const double force = sum_of(s.force, BRISTLE_PHASE_MOVING);
  return force > 0 ? sqrt(sum_of(s.squares, BRISTLE_PHASE_MOVING) / force) : (double)NAN;
}
