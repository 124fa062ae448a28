/* Whether a validation record speaks against a result. */
#include "fit/records/motion.h"
#include "fit/results/variants.h"
#include "maths/elementary.h"
#include "lab/identify.h"

#include <stdlib.h>

/* Twice the error is four times the squares: three quarters of them come from something that the fitted records do not
   have. Below SMALL nobody minds: friction itself does not repeat better from day to day. */
static const double MUCH_WORSE = 2, DEVIATIONS = 3, SMALL = 0.02;

/* Mean and deviation of the errors of blocks that were held out: how much an error differs by chance and by place. */
static double largest_by_chance(const bristle_identified *r)
{
  double sum = 0, square = 0, blocks = 0;
  for (int b = 0; b < BRISTLE_BLOCKS; b++) {
    if (!(r->block_rows[b][0] > 0)) continue;
    const double mean_square = r->block_squares[b][0] / r->block_rows[b][0];
    sum += sqrt(mean_square), square += mean_square, blocks++;
  }
  if (blocks < 2) return 0;
  const double mean = sum / blocks;
  return mean + DEVIATIONS * sqrt(fmax(square / blocks - mean * mean, 0) * blocks / (blocks - 1));
}

int bristle_identified_fails_validation(const bristle_identified *r)
{
  if (!isfinite(r->validation) || !isfinite(r->validation_rms) || !(r->rms > 0)) return 0;
  const double error = isfinite(r->held_out) ? r->held_out : r->rms, relative = r->relative * error / r->rms;
  /* A record with larger forces has larger errors, one with smaller forces larger relative ones: both must be worse. */
  return r->validation > SMALL && r->validation_rms > MUCH_WORSE * error && r->validation > MUCH_WORSE * relative
         && r->validation_rms > largest_by_chance(r);
}

/* ---- another delay ---- */

static const double MOST_OF_IT = 0.5; /* of the squares */

/* mean square of what the model misses in motion when the force is read `late` samples later */
static double square_at(const bristle_log *log, const double *model, ptrdiff_t late)
{
  double sum = 0, rows = 0;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      const ptrdiff_t at = (ptrdiff_t)i + late;
      if (at < (ptrdiff_t)log->first[k] || at >= (ptrdiff_t)log->first[k + 1]) continue;
      if (log->phase && log->phase[i] != BRISTLE_PHASE_MOVING) continue;
      sum += (model[i] - log->f[at]) * (model[i] - log->f[at]), rows++;
    }
  return rows > 0 ? sum / rows : HUGE_VAL;
}

double bristle_identified_validation_delay(const bristle_identified *r, const bristle_log *validation)
{
  const double rate = validation->summary.rate;
  const ptrdiff_t most = (ptrdiff_t)fmax(3, ceil(DELAY_LONGEST * rate));
  bristle_fault ignored;
  ptrdiff_t late = 0;
  double *model = malloc(sizeof *model * (validation->count + 1)), least = HUGE_VAL;
  if (model && !bristle_identified_force(r, validation, model, &ignored)
      && !motion_like_force(validation, validation->filtered ? validation->cutoff : 0, model, &ignored)) {
    for (ptrdiff_t k = -most; k <= most; k++) {
      const double here = square_at(validation, model, k);
      if (here < least) least = here, late = k;
    }
    if (labs((long)late) == (long)most || !(least < MOST_OF_IT * square_at(validation, model, 0))) late = 0;
  }
  free(model);
  return (double)late / rate;
}
