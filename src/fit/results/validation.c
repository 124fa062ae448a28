/* Whether a validation record speaks against a result. */
#include "maths/elementary.h"
#include "bristle/identify.h"

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
