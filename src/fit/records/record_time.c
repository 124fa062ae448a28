/* Time stamps as loggers write them: repeated, out of order, restarted, in bunches. What can be repaired is, and said.
 */
#include "fit/records/record.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* the median of the steps forward; 0: there is none */
static double usual_step(record *r, double *work)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t steps = 0;
  for (size_t i = 1; i < r->count; i++)
    if (t[i] > t[i - 1]) work[steps++] = t[i] - t[i - 1];
  return steps ? sort_pick(work, steps, steps / 2) : 0;
}

static void move_row(record *r, size_t *row, size_t from, size_t to)
{
  for (int c = 0; c < RECORD_COLUMNS; c++)
    if (r->data[c]) r->data[c][to] = r->data[c][from];
  row[to] = row[from];
  r->begins[to] = r->begins[from];
}

/* ---- back ---- */

/* One stamp that does not belong between its neighbours goes, with its row. */
static void drop_strays(record *r, size_t *row)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t kept = 0, strays = 0;
  double stray = 0;
  for (size_t i = 0; i < r->count; i++) {
    int after = i + 1 < r->count, before = kept > 0;
    int late = after && t[i] > t[i + 1] && (!before || t[i + 1] > t[kept - 1]) && before;
    int early = before && t[i] < t[kept - 1] && after && t[i + 1] > t[kept - 1];
    /* of a stamp beyond the next one only the next but one tells whether it is that one which is wrong */
    if (late && i + 2 < r->count && t[i + 2] > t[i]) late = 0;
    if (late || early) {
      stray = t[i], strays++;
      continue;
    }
    if (kept < i) move_row(r, row, i, kept);
    kept++;
  }
  r->count = kept;
  if (strays == 1)
    log_note(r->log, 0, "the time stamp %.6g s does not fit between its neighbours: the row was left out", stray);
  else if (strays)
    log_note(r->log, 0, "%zu time stamps do not fit between their neighbours: their rows were left out", strays);
}

typedef struct placed {
  double t;
  size_t place;
} placed;

static int compare_placed(const void *a, const void *b)
{
  const placed *p = a, *q = b;
  return p->t != q->t ? (p->t > q->t) - (p->t < q->t) : (p->place > q->place) - (p->place < q->place);
}

/* rows that were written out of order, but near their place */
static bristle_fault_kind sort_rows(record *r, size_t *row, bristle_fault *fault)
{
  placed *order = memory_take(&r->scratch, sizeof *order * (r->count + 1));
  double *copy = memory_take(&r->scratch, sizeof *copy * (r->count + 1));
  size_t *rows = memory_take(&r->scratch, sizeof *rows * (r->count + 1));
  if (!order || !copy || !rows) return fault_memory(fault);
  for (size_t i = 0; i < r->count; i++) order[i] = (placed){ r->data[BRISTLE_CHANNEL_TIME][i], i };
  qsort(order, r->count, sizeof *order, compare_placed);
  for (int c = 0; c < RECORD_COLUMNS; c++) {
    if (!r->data[c]) continue;
    memcpy(copy, r->data[c], sizeof *copy * r->count);
    for (size_t i = 0; i < r->count; i++) r->data[c][i] = copy[order[i].place];
  }
  memcpy(rows, row, sizeof *rows * r->count);
  for (size_t i = 0; i < r->count; i++) row[i] = rows[order[i].place];
  log_note(r->log, 0, "some rows were out of order: sorted by time");
  return BRISTLE_FAULT_NONE;
}

/* after a restart the clock goes on where it was, behind a gap */
static void restart(record *r, double step)
{
  double *t = r->data[BRISTLE_CHANNEL_TIME], shift = 0, last = t[0], first = 0;
  size_t restarts = 0;
  for (size_t i = 1; i < r->count; i++) {
    double now = t[i];
    if (now < last) {
      if (!restarts++) first = last;
      shift = t[i - 1] + 100 * step - now;
      r->begins[i] = 1;
    }
    last = now;
    t[i] = now + shift;
  }
  r->log->restarts = restarts;
  if (restarts == 1) log_note(r->log, 0, "the clock starts again after %.6g s: a new stretch begins there", first);
  else if (restarts) log_note(r->log, 0, "the clock starts again %zu times: new stretches begin there", restarts);
}

static bristle_fault_kind mend_backwards(record *r, const bristle_table *table, size_t *row, double step,
                                         bristle_fault *fault)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t back = 0, far = 0, worst = 0;
  for (size_t i = 1; i < r->count; i++) {
    if (!(t[i] < t[i - 1])) continue;
    if (!back++) worst = i;
    far += t[i] < t[i - 1] - 20 * step;
  }
  if (!back) return BRISTLE_FAULT_NONE;
  if (back * 5 > r->count || far * 100 > r->count + 300) {
    const double from = t[worst - 1], to = t[worst];
    for (size_t i = 0; i < table->columns; i++)
      if (!strcmp(table->column[i].header, r->log->column[BRISTLE_CHANNEL_TIME]))
        return bristle_table_fault(table, &table->column[i], row[worst], fault,
                                   "is it the time? name another column with option time, or give option rate",
                                   "time goes back in %zu of %zu rows, here from %g to %g s", back, r->count, from, to);
    return fault_set(fault, BRISTLE_FAULT_VALUE, "is it the time?", "time goes back in %zu of %zu rows", back,
                     r->count);
  }
  if (back > 3 && !far) return sort_rows(r, row, fault);
  drop_strays(r, row);
  restart(r, step);
  return BRISTLE_FAULT_NONE;
}

/* ---- again ---- */

/* A clock coarser than the sampling: the samples of a tick lie evenly between it and the next one. */
static void spread(record *r)
{
  double *t = r->data[BRISTLE_CHANNEL_TIME], width = 0;
  for (size_t begin = 0, end; begin < r->count; begin = end) {
    for (end = begin + 1; end < r->count && t[end] == t[begin] && !r->begins[end];) end++;
    if (end < r->count && !r->begins[end]) width = t[end] - t[begin];
    for (size_t i = begin + 1; i < end; i++) t[i] = t[begin] + width * (double)(i - begin) / (double)(end - begin);
  }
}

static void mend_repeated(record *r, size_t *row)
{
  double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t again = 0, kept = 0;
  for (size_t i = 1; i < r->count; i++) again += t[i] == t[i - 1];
  if (!again) return;
  if (again * 5 > r->count) {
    spread(r);
    log_note(r->log, 0,
             "the clock is coarser than the sampling (%.0f %% of the time stamps repeat the one before): "
             "samples were spread evenly between its ticks",
             100 * (double)again / (double)r->count);
    return;
  }
  for (size_t i = 0; i < r->count; i++) {
    if (kept && t[i] == t[kept - 1]) continue;
    if (kept < i) move_row(r, row, i, kept);
    kept++;
  }
  r->count = kept;
  log_note(r->log, 0,
           again == 1 ? "%zu row repeats the time stamp before it and was left out"
                      : "%zu rows repeat the time stamp before them and were left out",
           again);
}

/* ---- in bunches ---- */

/* the line through the stamps from `begin` on, unless one is further from it than `most` */
static int fit_line(const double *t, size_t count, double most, double *start, double *step)
{
  double n = (double)count, middle = 0.5 * (n - 1), mean = 0, both = 0, square = 0;
  for (size_t i = 0; i < count; i++) mean += t[i] / n;
  for (size_t i = 0; i < count; i++) {
    double place = (double)i - middle;
    both += place * (t[i] - mean), square += place * place;
  }
  *step = both / square, *start = mean - *step * middle;
  for (size_t i = 0; i < count; i++)
    if (fabs(t[i] - *start - *step * (double)i) > most) return 0;
  return *step > 0;
}

/* Samples that are taken evenly but stamped when a packet of them arrives: many steps that are no gap look like one.
   Packets come several times a second; longer silence is silence. */
static void mend_bunches(record *r, double *work)
{
  double *t = r->data[BRISTLE_CHANNEL_TIME];
  double step = usual_step(r, work);
  size_t long_ones = 0;
  for (size_t i = 1; i < r->count; i++)
    if (t[i] - t[i - 1] > RECORD_GAP * step) work[long_ones++] = t[i] - t[i - 1];
  if (long_ones * 50 < r->count || r->count < 64) return;
  const double bunch = sort_pick(work, long_ones, long_ones / 2);
  if (bunch > 0.5) return;
  size_t mended = 0;
  for (size_t begin = 0, end; begin < r->count; begin = end) {
    double start, even;
    for (end = begin + 1; end < r->count && t[end] - t[end - 1] <= RECORD_GAP * bunch && !r->begins[end];) end++;
    if (end - begin < 64 || !fit_line(t + begin, end - begin, 3 * bunch, &start, &even)) continue;
    if (begin) start = fmax(start, t[begin - 1] + even);
    for (size_t i = begin; i < end; i++) t[i] = start + even * (double)(i - begin);
    mended += end - begin;
  }
  if (mended)
    log_note(r->log, 0, "the time stamps come in bursts: the samples were taken as evenly spaced at %.4g Hz",
             (double)(r->count - 1) / (t[r->count - 1] - t[0]));
}

bristle_fault_kind record_mend_time(record *r, const bristle_table *table, size_t *row, bristle_fault *fault)
{
  double *work = memory_take(&r->scratch, sizeof *work * (r->count + 1));
  if (!work) return fault_memory(fault);
  double step = usual_step(r, work);
  if (!(step > 0)) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "name another column with option time, or give option rate '1 kHz'",
              "the time (%s) stands still", r->log->column[BRISTLE_CHANNEL_TIME]);
    return fault_at(fault, r->log->file, 0, 0);
  }
  bristle_fault_kind kind = mend_backwards(r, table, row, step, fault);
  if (kind) return kind;
  mend_repeated(r, row);
  mend_bunches(r, work);
  return BRISTLE_FAULT_NONE;
}
