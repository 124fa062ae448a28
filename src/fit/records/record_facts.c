/* What is known of a channel as it was measured: its quantum, its noise, how long it is held, where it is cut off. */
#include "fit/records/record.h"
#include "core/clones.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

/* ---- quantum ---- */

enum { LONGEST = 50000 }; /* samples looked at: the middle of longer records */

/* the nearest whole number of one that is not negative, and small */
static inline int nearest(double ratio) { return (int)(ratio + 0.5); }

/* Gaps as multiples of a step, of those that are not too large to tell. */
typedef struct multiples {
  int small;        /* how many there are */
  int close, near;  /* whole multiples but for 0.12 and for 0.25 */
  int larger, even; /* nearest to two or more; nearest to an even number */
} multiples;

/* how many gaps are below a limit; they are in their order */
static inline size_t gaps_below(const double *gap, size_t count, double limit)
{
  size_t small = 0, beyond = count;
  while (small < beyond) {
    const size_t middle = (small + beyond) / 2;
    if (gap[middle] < limit) small = middle + 1;
    else beyond = middle;
  }
  return small;
}

BRISTLE_CLONES static void count_some(const double *gap, size_t count, double step, multiples *m)
{
  int close = 0, near = 0, larger = 0, even = 0;
  for (size_t i = 0; i < count; i++) {
    const double ratio = gap[i] / step;
    const int whole = nearest(ratio);
    const double apart = fabs(ratio - whole);
    close += (whole > 0) & (apart < 0.12), near += (whole > 0) & (apart < 0.25);
    larger += whole > 1, even += (whole > 1) & !(whole & 1);
  }
  m->close += close, m->near += near, m->larger += larger, m->even += even;
}

/* Where more than a tenth is no multiple the step will not pass, and nobody asks for the rest. */
static multiples count_multiples(const double *gap, size_t count, double step)
{
  enum { BLOCK = 512 };
  const size_t small = gaps_below(gap, count, 100.5 * step);
  multiples m = { .small = (int)small };
  for (size_t from = 0; from < small && (double)from - m.near <= 0.1 * (double)small + 1; from += BLOCK)
    count_some(gap + from, from + BLOCK < small ? BLOCK : small - from, step, &m);
  return m;
}

/* Where a smooth motion turns, its values lie as the squares of whole numbers, and their gaps are 1, 3, 5, ... times
   the first: a lattice would have even ones as well, unless it has all its levels. */
static int is_a_turn(const multiples *m)
{
  enum { ENOUGH = 8 };
  return m->larger >= ENOUGH && m->even * 10 < m->larger;
}

/* Whole multiples of a step that gaps are near to, or 0, and the products of both. */
BRISTLE_CLONES static void find_wholes(const double *gap, size_t count, double step, double *whole, double *product)
{
  for (size_t i = 0; i < count; i++) {
    const double ratio = gap[i] / step, number = nearest(ratio);
    whole[i] = fabs(ratio - number) < 0.25 ? number : 0;
    product[i] = whole[i] * gap[i];
  }
}

/* the step of which the smaller gaps are multiples, by least squares over more and more of them */
static double refine_step(const double *gap, size_t count, double step)
{
  enum { BLOCK = 256 };
  double whole[BLOCK], product[BLOCK];
  for (double most = 3; most < 101; most *= 3) {
    double sum = 0, square = 0;
    const size_t small = gaps_below(gap, count, (most + 0.5) * step);
    for (size_t from = 0; from < small; from += BLOCK) {
      const size_t some = from + BLOCK < small ? BLOCK : small - from;
      find_wholes(gap + from, some, step, whole, product);
      for (size_t i = 0; i < some; i++) sum += product[i], square += whole[i] * whole[i];
    }
    if (square > 0) step = sum / square;
  }
  return step;
}

/* Gaps in their order. The largest step that passes: of a lattice every fraction of its step would. Levels that were
   rounded once more, after a change of unit, are multiples less exactly, and random gaps in one half of all cases. */
static double common_step(const double *gap, size_t count)
{
  static const double start[] = { 0.5, 0.25, 0.1, 0.05, 0.02, 0.005, 0 };
  for (size_t k = 0; k < sizeof start / sizeof *start; k++) {
    double step = refine_step(gap, count, gap[(size_t)(start[k] * (double)(count - 1))]);
    const multiples m = count_multiples(gap, count, step);
    if (is_a_turn(&m) || !m.small) continue;
    if ((double)m.close / m.small >= 0.98) return step;
    if (count >= 20 && (double)m.near / m.small >= 0.9) return step;
  }
  return 0;
}

/* the gaps between distinct values, in their order; returns how many */
static size_t find_gaps(double *value, size_t count)
{
  size_t gaps = 0;
  sort_numbers(value, count);
  const double rounding = 1e-14 * fmax(fabs(value[0]), fabs(value[count - 1]));
  double last = value[0];
  for (size_t i = 1; i < count; i++) {
    double gap = value[i] - last;
    if (!(gap > rounding)) continue;
    last = value[i];
    value[gaps++] = gap;
  }
  sort_numbers(value, gaps);
  return gaps;
}

double record_quantum(const double *y, size_t count, size_t levels, double *work)
{
  if (count > LONGEST) y += (count - LONGEST) / 2, count = LONGEST;
  if (count < 2) return 0;
  memcpy(work, y, sizeof *work * count);
  size_t gaps = find_gaps(work, count);
  if (gaps + 1 < levels || !gaps) return 0;
  double step = common_step(work, gaps);
  if (step > 0) return step;
  /* levels that carry a little noise of their own, as numbers in single precision do */
  size_t tiny = 0;
  while (tiny < gaps && work[tiny] < 0.02 * work[gaps - 1 - gaps / 20]) tiny++;
  return gaps - tiny + 1 < levels || gaps - tiny < 20 ? 0 : common_step(work + tiny, gaps - tiny);
}

int record_has_few_levels(const double *y, size_t count)
{
  double level[RECORD_FEW_LEVELS];
  int levels = 0;
  for (size_t i = 0; i < count; i++) {
    int k = 0;
    while (k < levels && level[k] != y[i]) k++;
    if (k < levels) continue;
    if (levels == RECORD_FEW_LEVELS) return 0;
    level[levels++] = y[i];
  }
  return 1;
}

/* ---- held samples ---- */

/* Where a sensor is slower than the log its value moves by several quanta after several samples of none; a fresh one
   that moves as fast changes with each sample. */
double record_held(const double *y, size_t count, double quantum)
{
  enum { MOST = 50, FEWEST = 40 };
  size_t length[MOST + 1] = { 0 }, runs = 0, last = 0, longer = 0;
  int large = 0;
  for (size_t i = 1; i < count; i++) {
    double step = fabs(y[i] - y[i - 1]);
    if (!(step > 0.5 * quantum)) continue;
    int is_large = step > 2.5 * quantum;
    if (last && large && is_large) {
      size_t run = i - last;
      if (run <= MOST) length[run]++, runs++;
      else longer++;
    }
    last = i, large = is_large;
  }
  if (runs < FEWEST || longer > runs) return 1;
  size_t middle = 1, seen = 0, near = 0, shorter = 0, sum = 0;
  while ((seen += length[middle]) * 2 < runs) middle++;
  for (size_t k = 1; k <= MOST; k++) {
    if (2 * k < middle) shorter += length[k];
    else if (2 * k <= 3 * middle + 1) near += length[k], sum += k * length[k];
  }
  /* a slow clock has no short intervals, and of two samples or less no long ones either: chance has all kinds */
  if (shorter * 10 > runs || near * 2 < runs || (middle <= 2 && near * 20 < 19 * runs)) return 1;
  double held = (double)sum / (double)near;
  return held < 1.25 ? 1 : held;
}

/* ---- saturation ---- */

/* Of samples that are noisy everywhere else many in a row are equal at the outermost level. A command without noise
   rests at other levels as well, and one of few levels is a relay. */
static double saturated_part(const double *y, size_t count, double *work)
{
  enum { ROW = 3 };
  if (count < 8 || record_has_few_levels(y, count)) return 0;
  double low = y[0], high = y[0];
  size_t outer = 0, inner = 0, kept = 0;
  for (size_t i = 0; i < count; i++) low = fmin(low, y[i]), high = fmax(high, y[i]);
  for (size_t begin = 0, end; begin < count; begin = end) {
    for (end = begin + 1; end < count && y[end] == y[begin];) end++;
    if (end - begin < ROW) continue;
    *(y[begin] == low || y[begin] == high ? &outer : &inner) += end - begin;
  }
  for (size_t i = 6; i < count && kept < LONGEST; i++) {
    const double *p = y + i - 6;
    if (p[0] == p[1] && p[1] == p[2]) continue;
    work[kept++] = fabs(p[0] - 6 * p[1] + 15 * p[2] - 20 * p[3] + 15 * p[4] - 6 * p[5] + p[6]);
  }
  double noise = kept ? sort_pick(work, kept, kept / 2) / (0.6745 * sqrt(924)) : 0,
         part = (double)outer / (double)count;
  return noise > 3e-5 * (high - low) && part > 2e-3 && part < 0.8 && inner * 4 < outer ? part : 0;
}

/* ---- noise ---- */

/* Half of the differences may be spoilt. Their weights have 924 as the sum of squares. */
double record_noise(const bristle_log *log, const double *y, size_t stride)
{
  enum { SPAN = 6, MOST = 20000 };
  double size[MOST];
  size_t kept = 0, skip = log->count / MOST + 1, s = stride;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k] + SPAN * s; i < log->first[k + 1] && kept < MOST; i += skip) {
      const double *x = y + i - SPAN * s;
      size[kept++] = fabs(x[0] - 6 * x[s] + 15 * x[2 * s] - 20 * x[3 * s] + 15 * x[4 * s] - 6 * x[5 * s] + x[6 * s]);
    }
  return kept ? sort_pick(size, kept, kept / 2) / (0.6745 * sqrt(924)) : 0;
}

/* ---- all channels ---- */

bristle_fault_kind record_levels(record *r, bristle_fault *fault)
{
  /* a force may be a command with a few levels, which are no quantum */
  static const size_t levels[BRISTLE_CHANNELS] = { [BRISTLE_CHANNEL_POSITION] = 3,
                                                   [BRISTLE_CHANNEL_VELOCITY] = 5,
                                                   [BRISTLE_CHANNEL_ACCELERATION] = RECORD_FEW_LEVELS,
                                                   [BRISTLE_CHANNEL_FORCE] = RECORD_FEW_LEVELS,
                                                   [BRISTLE_CHANNEL_LOAD] = RECORD_FEW_LEVELS };
  double *work = memory_take(&r->scratch, sizeof *work * (r->count + 1));
  if (!work) return fault_memory(fault);
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    bristle_channel_facts *fact = &r->log->fact[c];
    fact->held = 1;
    if (!r->data[c] || !levels[c]) continue;
    fact->quantum = record_quantum(r->data[c], r->count, levels[c], work);
    fact->held = record_held(r->data[c], r->count, fact->quantum);
    if (c == BRISTLE_CHANNEL_FORCE) fact->saturated = saturated_part(r->data[c], r->count, work);
  }
  return BRISTLE_FAULT_NONE;
}

void record_noises(bristle_log *log)
{
  for (int c = BRISTLE_CHANNEL_POSITION; c < BRISTLE_CHANNEL_WEIGHT; c++) {
    bristle_channel_facts *fact = &log->fact[c];
    if (!log->raw[c]) continue;
    fact->noise = fmax(fact->quantum / sqrt(12), record_noise(log, log->raw[c], (size_t)round(fact->held)));
    /* between the fresh samples of a held channel there is nothing that would average its noise */
    fact->noise *= sqrt(fact->held);
  }
}
