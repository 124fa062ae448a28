/* Stretches of steady sampling, each on a uniform grid. */
#include "fit/records/record.h"
#include "fit/common/sort.h"
#include "fit/signals/signal.h"
#include "maths/elementary.h"

enum { LONG_ENOUGH = 64 }; /* samples of a stretch: where there are such, shorter ones are left out */

typedef struct stretch {
  size_t begin, count; /* of the samples as they came */
  size_t points;       /* on the grid */
  int as_is, even;     /* uniform already; uniform in truth, whatever the stamps say */
} stretch;

/* ---- where ---- */

/* the median step, and the mean of those that are about as long */
static double usual_step(record *r, double *median, double *work)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t steps = 0, near = 0;
  double sum = 0;
  for (size_t i = 1; i < r->count; i++)
    if (!r->begins[i]) work[steps++] = t[i] - t[i - 1];
  sort_numbers(work, steps);
  *median = steps ? work[steps / 2] : 0;
  for (size_t i = 0; i < steps; i++)
    if (work[i] < 1.5 * *median && work[i] > 0.5 * *median) sum += work[i], near++;
  return near ? sum / (double)near : *median;
}

static size_t find_stretches(record *r, double median, stretch *to)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t found = 0, begin = 0;
  for (size_t i = 1; i <= r->count; i++) {
    if (i < r->count && !r->begins[i] && t[i] - t[i - 1] <= RECORD_GAP * median) continue;
    to[found++] = (stretch){ .begin = begin, .count = i - begin };
    begin = i;
  }
  return found;
}

static size_t grid_points(const double *t, size_t count, double step)
{
  return (size_t)floor((t[count - 1] - t[0]) / step + GRID_SLACK) + 1;
}

/* a burst of many samples within a step of the grid is as short as one of few */
static size_t drop_short(record *r, stretch *s, size_t count, double step)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t kept = 0, lost = 0, longest = 0;
  for (size_t k = 0; k < count; k++)
    if (s[k].count > longest) longest = s[k].count;
  const size_t least = longest >= LONG_ENOUGH ? LONG_ENOUGH : LOG_SHORTEST;
  for (size_t k = 0; k < count; k++) {
    if (s[k].count >= least && grid_points(t + s[k].begin, s[k].count, step) >= LOG_SHORTEST) s[kept++] = s[k];
    else lost += s[k].count;
  }
  if (lost)
    log_note(r->log, 2 * lost > r->count, "%zu sample%s in short pieces between gaps %s left out", lost, PLURAL(lost),
             lost == 1 ? "was" : "were");
  return kept;
}

/* ---- how ---- */

/* Do the samples lie on even times, of which the stamps are off by less than a step? Then their places on the grid. */
static int even_places(const record *r, const stretch *s, double step, double *place)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME] + s->begin;
  place[0] = 0;
  for (size_t i = 1; i < s->count; i++) place[i] = place[i - 1] + fmax(1, round((t[i] - t[i - 1]) / step));
  const double even = (t[s->count - 1] - t[0]) / place[s->count - 1];
  if (fabs(even / step - 1) > 0.02) return 0;
  for (size_t i = 0; i < s->count; i++)
    if (fabs(t[i] - t[0] - even * place[i]) > step) return 0;
  return 1;
}

static double roughness(const double *y, size_t count, double *work)
{
  size_t kept = 0;
  for (size_t i = 6; i < count; i++) {
    const double *x = y + i - 6;
    work[kept++] = fabs(x[0] - 6 * x[1] + 15 * x[2] - 20 * x[3] + 15 * x[4] - 6 * x[5] + x[6]);
  }
  return kept ? sort_pick(work, kept, kept * 3 / 4) : 0; /* motion counts, rest does not */
}

/* Stamps may be wrong by their rounding or by when the log was written, or the samples may truly have been taken at
   such times. The motion tells: it is smoother in its own time. */
static bristle_fault_kind judge_stamps(record *r, stretch *s, double step, double *work, bristle_fault *fault)
{
  const double *y = r->data[BRISTLE_CHANNEL_POSITION] ? r->data[BRISTLE_CHANNEL_POSITION]
                                                      : r->data[BRISTLE_CHANNEL_VELOCITY];
  const double *t = r->data[BRISTLE_CHANNEL_TIME] + s->begin;
  const size_t points = grid_points(t, s->count, step);
  double *place = work, *out = work + s->count, *sorted = out + 6 * s->count; /* no step is longer than a gap */
  if (!y || s->count < LONG_ENOUGH || !even_places(r, s, step, place)) return BRISTLE_FAULT_NONE;
  bristle_fault_kind kind = bristle_resample(t, y + s->begin, s->count, t[0], step, points, out, fault);
  if (kind) return kind;
  const double by_stamps = roughness(out, points, sorted);
  const size_t last = (size_t)place[s->count - 1];
  kind = bristle_resample(place, y + s->begin, s->count, 0, 1, last + 1, out, fault);
  if (kind) return kind;
  s->even = roughness(out, last + 1, sorted) < 0.8 * by_stamps;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind plan_stretch(record *r, stretch *s, double step, double *work, double *worst,
                                       bristle_fault *fault)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME] + s->begin;
  bristle_timing timing;
  bristle_fault_kind kind = bristle_timing_examine(t, s->count, 0, &timing, fault);
  if (kind) return kind;
  s->as_is = timing.uniform && fabs(timing.step / step - 1) < 2e-3;
  s->points = s->count;
  if (s->as_is) return BRISTLE_FAULT_NONE;
  *worst = fmax(*worst, timing.jitter);
  kind = judge_stamps(r, s, step, work, fault);
  if (kind) return kind;
  if (s->even) {
    even_places(r, s, step, work);
    s->points = (size_t)work[s->count - 1] + 1;
  } else s->points = grid_points(t, s->count, step);
  return BRISTLE_FAULT_NONE;
}

/* ---- onto the grid ---- */

static bristle_fault_kind put_stretch(record *r, const stretch *s, double step, double *const *to, size_t at,
                                      double *work, bristle_fault *fault)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME] + s->begin, *source = t;
  double start = t[0], width = step;
  if (s->even) {
    even_places(r, s, step, work);
    source = work, start = 0, width = 1;
  }
  for (int c = 0; c < RECORD_COLUMNS; c++) {
    if (!to[c]) continue;
    const double *y = r->data[c] + s->begin;
    if (s->as_is) {
      memcpy(to[c] + at, y, sizeof *y * s->count);
      continue;
    }
    if (c == BRISTLE_CHANNEL_TIME) {
      for (size_t i = 0; i < s->points; i++) to[c][at + i] = t[0] + step * (double)i;
      continue;
    }
    bristle_fault_kind kind = bristle_resample(source, y, s->count, start, width, s->points, to[c] + at, fault);
    if (kind) return kind;
    for (size_t i = 0; c == BRISTLE_CHANNEL_WEIGHT && i < s->points; i++) to[c][at + i] = fmax(0, to[c][at + i]);
  }
  return BRISTLE_FAULT_NONE;
}

/* Which samples of the grid have a fresh force: those next to a fresh row. */
static bristle_fault_kind put_fresh(record *r, const stretch *s, size_t count, double step, double *work,
                                    bristle_fault *fault)
{
  unsigned char *fresh = memory_take(&r->log->memory_list, r->log->count + 1);
  if (!fresh) return fault_memory(fault);
  memset(fresh, 0, r->log->count + 1);
  for (size_t k = 0; k < count; k++) {
    const double *t = r->data[BRISTLE_CHANNEL_TIME] + s[k].begin;
    if (s[k].even) even_places(r, &s[k], step, work);
    for (size_t i = 0; i < s[k].count; i++) {
      const double place = s[k].as_is ? (double)i : s[k].even ? work[i] : round((t[i] - t[0]) / step);
      if (!r->lines[s[k].begin + i] && place < (double)s[k].points) fresh[r->log->first[k] + (size_t)place] = 1;
    }
  }
  r->log->fresh = fresh;
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind put_all(record *r, const stretch *s, size_t count, double step, double *work,
                                  bristle_fault *fault)
{
  bristle_log *log = r->log;
  double *to[RECORD_COLUMNS] = { 0 };
  size_t points = 0;
  for (size_t k = 0; k < count; k++) points += s[k].points;
  log->first = memory_take(&log->memory_list, sizeof *log->first * (count + 1));
  if (!log->first) return fault_memory(fault);
  for (int c = 0; c < RECORD_COLUMNS; c++)
    if (r->data[c] && !(to[c] = memory_take(&log->memory_list, sizeof(double) * (points + 1))))
      return fault_memory(fault);
  points = 0;
  for (size_t k = 0; k < count; k++) {
    bristle_fault_kind kind = put_stretch(r, &s[k], step, to, points, work, fault);
    if (kind) return kind;
    log->first[k] = points;
    points += s[k].points;
  }
  log->first[count] = log->count = r->count = points;
  log->stretches = count;
  const bristle_fault_kind kind = r->lines ? put_fresh(r, s, count, step, work, fault) : BRISTLE_FAULT_NONE;
  memcpy(r->data, to, sizeof to);
  return kind;
}

static void say_what_was_done(record *r, const stretch *s, size_t count, double worst)
{
  size_t even = 0, moved = 0;
  for (size_t k = 0; k < count; k++) even += s[k].even != 0, moved += !s[k].as_is && !s[k].even;
  if (even)
    log_note(r->log, 0,
             "the time stamps jitter (steps differ by up to %.0f %%) but the motion does not: the samples were taken "
             "as evenly spaced",
             100 * fmin(worst, 9.99));
  if (moved)
    log_note(r->log, 0, "the sampling is not uniform (steps differ by up to %.0f %%): put on a uniform grid",
             100 * fmin(worst, 9.99));
  if (count > 1) log_note(r->log, 0, "the record has gaps: %zu stretches, each starting with unbent bristles", count);
}

bristle_fault_kind record_grid(record *r, bristle_fault *fault)
{
  double median, worst = 0;
  stretch *s = memory_take(&r->scratch, sizeof *s * (r->count + 1));
  double *work = memory_take(&r->scratch, sizeof *work * (16 * r->count + 100));
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  if (!s || !work) return fault_memory(fault);
  const double step = usual_step(r, &median, work);
  size_t count = drop_short(r, s, find_stretches(r, median, s), step), samples = 0;
  for (size_t k = 0; k < count; k++) samples += s[k].count;
  if (samples < RECORD_FEWEST) {
    fault_set(fault, BRISTLE_FAULT_VALUE, "check the time column", "the record has too many gaps");
    return fault_at(fault, r->log->file, 0, 0);
  }
  for (size_t k = 0; k < count && !kind; k++) kind = plan_stretch(r, &s[k], step, work, &worst, fault);
  if (!kind) kind = put_all(r, s, count, step, work, fault);
  if (kind) return kind;
  r->log->summary.rate = 1 / step;
  say_what_was_done(r, s, count, worst);
  return BRISTLE_FAULT_NONE;
}
