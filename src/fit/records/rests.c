/* Rests of a noisy position. The path of the noise would bend the bristles of a law back and forth until they have let
   go: a fit takes that for a softer contact. A law that holds any force at rest would have to jump from side to side.
 */
#include "fit/records/record.h"

#include "maths/elementary.h"

#include <stdlib.h>

double log_position_noise(const bristle_log *log) { return record_noise(log, log->raw[BRISTLE_CHANNEL_POSITION], 1); }

/* what the filter leaves of white noise */
static double noise_gain(double cutoff, double rate)
{
  enum { POINTS = 500 };
  double sum = 0;
  if (!(cutoff > 0)) return 1;
  for (int i = 0; i < POINTS; i++) {
    double ratio = tan(M_PI_2 * (i + 0.5) / POINTS) / tan(M_PI * cutoff / rate);
    sum += pow(1 + pow(ratio, 2 * LOG_FILTER_ORDER), -2);
  }
  return sqrt(sum / POINTS);
}

/* the end of what stays within the band from `begin` on */
static size_t end_of_rest(const bristle_log *log, size_t begin, size_t limit, double band)
{
  double low = log->x[begin], high = low;
  size_t end = begin;
  while (++end < limit) {
    low = fmin(low, log->x[end]), high = fmax(high, log->x[end]);
    if (high - low > band) break;
  }
  return end;
}

void log_hold_rests(bristle_log *log, double noise, double *slide)
{
  noise *= noise_gain(log->cutoff, log->summary.rate);
  const double band = 8 * noise;
  const size_t least = log->cutoff > 0 ? (size_t)ceil(LOG_SETTLING * log->summary.rate / log->cutoff) + 8 : 8;
  double low = log->x[0], high = low;
  size_t held = 0;
  for (size_t i = 0; i < log->count; i++) low = fmin(low, log->x[i]), high = fmax(high, log->x[i]);
  if (band > 0.05 * (high - low)) return;         /* that is no noise: the motion itself is as rough */
  const int exact = noise <= 1e-8 * (high - low); /* the last digit of a text */
  for (size_t k = 0; k < log->stretches && noise > 0; k++)
    for (size_t begin = log->first[k]; begin < log->first[k + 1];) {
      size_t end = end_of_rest(log, begin, log->first[k + 1], band);
      if (end - begin < least) {
        begin++;
        continue;
      }
      for (size_t i = begin + 1; i < end; i++) log->x[i] = log->x[begin], slide[i] = 0, log->v[i] = 0;
      /* it stands there already, though differences see the piece before; of a slip of one piece that is all there is
       */
      if (exact && begin > log->first[k] && log->v[begin - 1] != 0) log->v[begin] = 0;
      held += end - begin - 1;
      begin = end;
    }
  if (held * 100 > log->count && !exact)
    log_note(log, 0,
             "the position has a noise of about %.2g %s; smaller movements (%.0f %% of the log) count as standstill",
             noise, bristle_length_unit(log->rotary), 100.0 * (double)held / (double)log->count);
}
