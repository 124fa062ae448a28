/* Is the force written by another clock than the motion? Then its delay grows along the record. A delay is what a law
   leaves, compared with how fast its force changes, block by block. */
#include "fit/records/motion.h"
#include "fit/results/result.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum { FEWEST = 12 };               /* blocks */
static const double CLEARLY = 5;    /* deviations of the slope */
static const double NOTABLE = 0.1;  /* of the squares that the law leaves */
static const double FASTEST = 0.02; /* what clocks of any kind are apart by: more is no clock */

typedef struct block {
  double time, rate, product; /* mean time; squares of the change of force, and its products with what is left */
} block;

/* sums by blocks of one record; returns the squares that the law leaves */
static double add_record(const bristle_identified *r, const bristle_log *log, block *b)
{
  bristle_fault ignored;
  double left = 0, count[BRISTLE_BLOCKS] = { 0 }, *force = malloc(sizeof *force * (log->count + 1));
  const int failed = !force || !log->phase || bristle_identified_force(r, log, force, &ignored);
  for (size_t k = 0; k < log->stretches && !failed; k++)
    for (size_t i = log->first[k] + 1; i + 1 < log->first[k + 1]; i++) {
      if (log->phase[i] == BRISTLE_PHASE_NONE || log->phase[i] == BRISTLE_PHASE_REST) continue;
      block *here = &b[i * BRISTLE_BLOCKS / log->count];
      const double change = (force[i + 1] - force[i - 1]) / (log->t[i + 1] - log->t[i - 1]);
      const double e = log->f[i] - force[i];
      here->time += log->t[i], here->rate += change * change, here->product -= e * change;
      count[i * BRISTLE_BLOCKS / log->count]++, left += e * e;
    }
  for (int k = 0; k < BRISTLE_BLOCKS; k++)
    if (count[k] > 0) b[k].time /= count[k];
  free(force);
  return failed ? 0 : left;
}

/* the slope of the delay over the time, each block by how much it knows; 0: none that is clear and notable */
static double slope_of(const block *b, double left, double *explained)
{
  double weight = 0, time = 0, delay = 0, square = 0, product = 0, rest = 0;
  int used = 0;
  for (int k = 0; k < BRISTLE_BLOCKS; k++) weight += b[k].rate, time += b[k].rate * b[k].time, delay += b[k].product;
  if (!(weight > 0) || !(left > 0)) return 0;
  time /= weight, delay /= weight;
  for (int k = 0; k < BRISTLE_BLOCKS; k++) {
    square += b[k].rate * (b[k].time - time) * (b[k].time - time);
    product += (b[k].product - b[k].rate * delay) * (b[k].time - time);
    used += b[k].rate > 0;
  }
  if (used < FEWEST || !(square > 0)) return 0;
  const double slope = product / square;
  for (int k = 0; k < BRISTLE_BLOCKS; k++)
    if (b[k].rate > 0) rest += b[k].rate * pow(b[k].product / b[k].rate - delay - slope * (b[k].time - time), 2);
  *explained = slope * product / left;
  const double deviation = sqrt(rest / (used - 2) / square);
  return fabs(slope) > CLEARLY * deviation && fabs(slope) < FASTEST && *explained > NOTABLE ? slope : 0;
}

double result_clocks(const bristle_identified *r, const bristle_log *const *logs, size_t count, double *explained)
{
  double largest = 0, most = 0;
  for (size_t l = 0; l < count; l++) {
    block b[BRISTLE_BLOCKS] = { { 0 } };
    double part = 0;
    const double left = add_record(r, logs[l], b), slope = slope_of(b, left, &part);
    if (slope != 0 && part > most) largest = slope, most = part;
  }
  *explained = most;
  return largest;
}
