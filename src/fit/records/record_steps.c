/* Channels that stay and then change at once. A register that is read too seldom does, and between its values the truth
   went on; a relay, a staircase or a square wave does too, and there the steps are the truth. The motion tells: a force
   that really steps jerks what it drives, and friction steps where the motion does. */
#include "fit/records/record.h"
#include "fit/signals/signal.h"

#include "maths/elementary.h"

enum { COLUMNS = 5, LONGEST = 20000, SHORTEST = 200, MARGIN = 30 };
static const double BEYOND = 1.5;  /* times the rate of the register: the steps are still seen behind the filter */
static const double HIGHEST = 0.2; /* of the sampling rate */
static const double CLEARLY = 0.8; /* of the squares that the motion leaves */

/* the longest piece without a break */
static size_t longest_piece(const record *r, size_t *begin)
{
  size_t best = 0;
  for (size_t from = 0, i = 1; i <= r->count; i++) {
    if (i < r->count && !r->begins[i]) continue;
    if (i - from > best) best = i - from, *begin = from;
    from = i;
  }
  if (best > LONGEST) *begin += (best - LONGEST) / 2, best = LONGEST;
  return best;
}

/* what is left of y, in squares, without the columns; these are made orthogonal on the way */
static double squares_left(double *const *column, int columns, double *y, size_t count)
{
  double left = 0;
  for (int c = 0; c <= columns; c++) {
    double *of = c < columns ? column[c] : y, before = 0, square = 0;
    for (size_t i = MARGIN; i + MARGIN < count; i++) before += of[i] * of[i];
    for (int k = 0; k < c; k++) {
      double both = 0, size = 0;
      for (size_t i = MARGIN; i + MARGIN < count; i++)
        both += of[i] * column[k][i], size += column[k][i] * column[k][i];
      for (size_t i = 0; i < count && size > 0; i++) of[i] -= both / size * column[k][i];
    }
    for (size_t i = MARGIN; i + MARGIN < count; i++) square += of[i] * of[i];
    for (size_t i = 0; i < count && c < columns && !(square > 1e-12 * before); i++) of[i] = 0; /* one of the others */
    left = square;
  }
  return left;
}

static void differences(const double *y, size_t count, double *out)
{
  for (size_t i = 1; i + 1 < count; i++) out[i] = 0.5 * (y[i + 1] - y[i - 1]);
  out[0] = out[1], out[count - 1] = out[count - 2];
}

/* what a channel may follow: the velocity that of the position; a force all of the motion. Returns how many. */
static int fill_columns(const record *r, int channel, size_t begin, size_t count, const bristle_lowpass *filter,
                        double *const *column, bristle_fault *fault)
{
  const double *x = r->data[BRISTLE_CHANNEL_POSITION], *v = r->data[BRISTLE_CHANNEL_VELOCITY];
  const int from_position = x && !(r->log->fact[BRISTLE_CHANNEL_POSITION].held > 1);
  if (!from_position && (channel == BRISTLE_CHANNEL_VELOCITY || !v || r->log->fact[BRISTLE_CHANNEL_VELOCITY].held > 1))
    return 0;
  for (size_t i = 0; i < count; i++) column[0][i] = 1;
  memcpy(column[1], (from_position ? x : v) + begin, sizeof **column * count);
  if (signal_lowpass_columns(filter, &column[1], 1, count, fault)) return -1;
  differences(column[1], count, column[2]);
  if (channel == BRISTLE_CHANNEL_VELOCITY) return 3;
  differences(column[2], count, column[3]);
  const double *speed = column[from_position ? 2 : 1];
  for (size_t i = 0; i < count; i++) column[4][i] = (speed[i] > 0) - (speed[i] < 0);
  return signal_lowpass_columns(filter, &column[4], 1, count, fault) ? -1 : COLUMNS;
}

bristle_fault_kind record_steps(record *r, int column, const double *lines, int *steps, bristle_fault *fault)
{
  const int few = column != BRISTLE_CHANNEL_POSITION && record_has_few_levels(r->data[column], r->count);
  size_t begin = 0;
  const size_t count = longest_piece(r, &begin);
  *steps = few;
  if ((column != BRISTLE_CHANNEL_VELOCITY && column != BRISTLE_CHANNEL_FORCE) || count < SHORTEST)
    return BRISTLE_FAULT_NONE;
  double *room = memory_take(&r->scratch, sizeof *room * (COLUMNS + 2) * count), *of[COLUMNS], left[2];
  bristle_lowpass filter;
  if (!room) return fault_memory(fault);
  for (int k = 0; k < COLUMNS; k++) of[k] = room + (size_t)k * count;
  const double cutoff = fmin(BEYOND / r->log->fact[column].held, HIGHEST);
  bristle_fault_kind kind = bristle_lowpass_design(LOG_FILTER_ORDER, cutoff, 1, &filter, fault);
  const int columns = kind ? 0 : fill_columns(r, column, begin, count, &filter, of, fault);
  if (columns <= 0) return columns ? fault->kind : kind;
  for (int k = 0; k < 2 && !kind; k++) {
    double *y = room + (size_t)(COLUMNS + k) * count;
    memcpy(y, (k ? lines : r->data[column]) + begin, sizeof *y * count);
    kind = signal_lowpass_columns(&filter, &y, 1, count, fault);
    if (!kind) left[k] = squares_left(of, columns, y, count);
  }
  if (!kind && left[0] < CLEARLY * left[1]) *steps = 1;
  if (!kind && left[1] < CLEARLY * left[0]) *steps = 0;
  return kind;
}
