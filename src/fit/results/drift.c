/* Does friction, or the force as a whole, change in the course of a record? Contacts warm up, sensors drift; a law
   with one set of parameters then describes a mean that holds at no time. */
#include "fit/common/sort.h"
#include "fit/results/result.h"

#include "maths/elementary.h"

#include <stdlib.h>

enum {
  FEWEST = 12,
  BINS = 6,
  BESIDE = BINS + 1
}; /* blocks; ranges of speed; what may change with the time: the
       speed, by the part of a block in each range, and itself */
static const double CLEARLY = 5;   /* deviations of the trend */
static const double NOTABLE = 0.1; /* of the force in motion, from beginning to end */
static const double APART = 0.2;   /* of the time's own square, where the speed does not follow it */

/* Means over blocks of time since a record began, of the samples that move. Files need not be in the order of time.
   Where speeds come one after the other, what the law misses at some of them looks like a change in time: only what
   changes at the same speed is one. */
typedef struct blocks {
  double left[2][BRISTLE_BLOCKS]; /* what the law leaves: along the motion, and as it is */
  double speed[BESIDE][BRISTLE_BLOCKS], count[BRISTLE_BLOCKS];
  double edge[BINS]; /* upper ends of the ranges of speed, each with as many samples */
  double size;       /* of the force in motion */
} blocks;

/* the ends of the ranges of speed, over all records */
static int find_edges(blocks *b, const bristle_log *const *logs, size_t count)
{
  size_t room = 0, moving = 0;
  for (size_t l = 0; l < count; l++) room += logs[l]->count;
  double *speed = malloc(sizeof *speed * (room + 1));
  for (size_t l = 0; l < count && speed; l++)
    for (size_t i = 0; i < logs[l]->count; i++)
      if (logs[l]->phase[i] == BRISTLE_PHASE_MOVING) speed[moving++] = fabs(logs[l]->v[i]);
  if (speed) sort_numbers(speed, moving);
  for (size_t k = 0; k < BINS && moving; k++) b->edge[k] = k + 1 < BINS ? speed[(k + 1) * moving / BINS] : HUGE_VAL;
  free(speed);
  return !moving;
}

static int add_log(blocks *b, const bristle_identified *r, const bristle_log *log)
{
  bristle_fault ignored;
  double *force = malloc(sizeof *force * (log->count + 1));
  const int failed = !force || bristle_identified_force(r, log, force, &ignored);
  for (size_t i = 0; i < log->count && !failed; i++) {
    const size_t at = i * BRISTLE_BLOCKS / log->count;
    const double left = log->f[i] - force[i], speed = fabs(log->v[i]);
    if (log->phase[i] != BRISTLE_PHASE_MOVING) continue;
    b->left[0][at] += log->v[i] > 0 ? left : -left, b->left[1][at] += left;
    int bin = 0;
    while (bin + 1 < BINS && speed >= b->edge[bin]) bin++;
    b->speed[bin][at]++, b->speed[BINS][at] += speed;
    b->count[at]++;
  }
  b->size = fmax(b->size, log->summary.force_median);
  free(force);
  return failed;
}

static double product(const double *a, const double *b, int count)
{
  double sum = 0;
  for (int k = 0; k < count; k++) sum += a[k] * b[k];
  return sum;
}

/* takes the parts along the first `used` directions, of length 1, off a column */
static void take_off(double (*direction)[BRISTLE_BLOCKS], int used, double *column, int count)
{
  for (int j = 0; j < used; j++) {
    const double part = product(direction[j], column, count);
    for (int k = 0; k < count; k++) column[k] -= part * direction[j][k];
  }
}

/* The change from the first block to the last that goes in proportion to the time and not with the speed, and its
   deviation by what is left then. */
static double trend_of(const blocks *b, int kind, double *deviation)
{
  double direction[BESIDE][BRISTLE_BLOCKS], time[BRISTLE_BLOCKS], left[BRISTLE_BLOCKS], mean = 0, own = 0;
  int n = 0, used = 0;
  for (int k = 0; k < BRISTLE_BLOCKS; k++) {
    if (!(b->count[k] > 0)) continue;
    for (int j = 0; j < BESIDE; j++) direction[j][n] = b->speed[j][k] / b->count[k];
    left[n] = b->left[kind][k] / b->count[k], time[n++] = k, mean += k;
  }
  *deviation = HUGE_VAL;
  if (n < FEWEST) return 0;
  for (int k = 0; k < n; k++) own += (time[k] - mean / n) * (time[k] - mean / n);
  for (int j = 0; j < BESIDE; j++) {
    const double before = product(direction[j], direction[j], n);
    take_off(direction, j, direction[j], n);
    const double size = product(direction[j], direction[j], n), scale = size > 1e-12 * before ? 1 / sqrt(size) : 0;
    for (int k = 0; k < n; k++) direction[j][k] *= scale;
    used += scale > 0;
  }
  take_off(direction, BESIDE, time, n), take_off(direction, BESIDE, left, n);
  const double square = product(time, time, n);
  if (!(square > APART * own)) return 0;
  const double slope = product(time, left, n) / square;
  const double rest = fmax(product(left, left, n) - slope * slope * square, 0);
  *deviation = (BRISTLE_BLOCKS - 1) * sqrt(rest / (n - used - 1) / square);
  return (BRISTLE_BLOCKS - 1) * slope;
}

double result_drift(const bristle_identified *r, const bristle_log *const *logs, size_t count, int *of_force)
{
  blocks b = { 0 };
  if (find_edges(&b, logs, count)) return 0;
  for (size_t l = 0; l < count; l++)
    if (add_log(&b, r, logs[l])) return 0;
  double largest = 0;
  for (int kind = 0; kind < 2; kind++) {
    double deviation;
    const double change = trend_of(&b, kind, &deviation);
    if (fabs(change) > CLEARLY * deviation && fabs(change) > NOTABLE * b.size && fabs(change) > fabs(largest))
      largest = change, *of_force = kind;
  }
  return largest;
}
