/* What a record contains, and whether it can say anything about friction. */
#include "fit/records/log.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

#include <stdlib.h>

static const double RESTING = 0.01; /* of the largest speed */

static int is_constant(const double *y, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (y[i] != y[0]) return 0;
  return 1;
}

bristle_fault_kind log_refuse(const bristle_log *log, bristle_fault *fault, const char *hint, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fault_vset(fault, BRISTLE_FAULT_VALUE, hint, format, args);
  va_end(args);
  return fault_at(fault, log->file, 0, 0);
}

static void find_speeds(bristle_log *log, double *work)
{
  bristle_log_summary *s = &log->summary;
  size_t moving = 0;
  for (size_t i = 0; i < log->count; i++) work[i] = fabs(log->slide[i]);
  sort_numbers(work, log->count);
  s->speed_high = work[log->count - 1];
  while (moving < log->count && work[moving] < RESTING * s->speed_high) moving++;
  s->rest = (double)moving / (double)log->count;
  size_t left = log->count - moving;
  if (!left) return;
  s->speed_low = work[moving + left / 20];
  s->speed_median = work[moving + left / 2];
}

static void find_force(bristle_log *log, double *work)
{
  size_t kept = 0;
  for (size_t i = 0; i < log->count; i++)
    if (fabs(log->slide[i]) > RESTING * log->summary.speed_high) work[kept++] = fabs(log->f[i]);
  log->summary.force_median = kept ? sort_pick(work, kept, kept / 2) : 0;
}

/* the noise of the force, from second differences: robust against a few jumps */
static void find_noise(bristle_log *log, double *work)
{
  size_t kept = 0;
  for (size_t k = 0; k < log->stretches; k++)
    for (size_t i = log->first[k] + 2; i < log->first[k + 1]; i++)
      work[kept++] = fabs(log->f[i] - 2 * log->f[i - 1] + log->f[i - 2]);
  log->summary.force_noise = kept ? sort_pick(work, kept, kept / 2) / (0.6745 * sqrt(6)) : 0;
}

/* A stretch that begins in motion, with the force of motion, begins with bent bristles; any other with straight ones.
   The force of motion is what the same direction has at such a speed later on: a bristle that is only now being bent
   has another one at first, sigma1 v. */
static int begins_bent(const bristle_log *log, size_t stretch, double *work)
{
  const bristle_log_summary *s = &log->summary;
  const size_t first = log->first[stretch], end = log->first[stretch + 1];
  const double side = log->v[first] > 0 ? 1 : -1, speed = side * log->v[first], force = side * log->f[first];
  size_t like = 0;
  if (speed <= RESTING * s->speed_high || force <= 0.5 * s->force_median) return 0;
  for (size_t i = first + 10 + (end - first) / 100; i < end; i++)
    if (side * log->v[i] > 0.8 * speed && side * log->v[i] < 1.25 * speed) work[like++] = side * log->f[i];
  if (like < 8) return 1;
  sort_numbers(work, like);
  const double usual = work[like / 2], spread = 0.5 * (work[3 * like / 4] - work[like / 4]);
  return fabs(force - usual) <= fmax(10 * fmax(spread, s->force_noise), 0.1 * usual);
}

static void count_reversals(bristle_log *log)
{
  bristle_log_summary *s = &log->summary;
  double still = RESTING * s->speed_high, range_low = log->x[0], range_high = log->x[0];
  for (size_t i = 0; i < log->count; i++)
    range_low = fmin(range_low, log->x[i]), range_high = fmax(range_high, log->x[i]);
  for (size_t k = 0; k < log->stretches; k++) {
    int direction = 0;
    double turned = log->x[log->first[k]];
    for (size_t i = log->first[k]; i < log->first[k + 1]; i++) {
      int now = log->slide[i] > still ? 1 : log->slide[i] < -still ? -1 : 0;
      if (!now || now == direction) continue;
      if (direction) {
        s->reversals++;
        if (fabs(log->x[i] - turned) < 0.1 * (range_high - range_low)) s->loops++;
        turned = log->x[i];
      }
      direction = now;
    }
  }
}

static void sum_up(bristle_log *log)
{
  bristle_log_summary *s = &log->summary;
  s->force_low = s->force_high = log->f[0];
  for (size_t k = 0; k < log->stretches; k++) {
    size_t begin = log->first[k];
    s->duration += log->t[log->first[k + 1] - 1] - log->t[begin];
    for (size_t i = begin; i < log->first[k + 1]; i++) {
      double still = RESTING * s->speed_high;
      if (log->slide[i] > still) s->forward++;
      if (log->slide[i] < -still) s->backward++;
      s->force_low = fmin(s->force_low, log->f[i]);
      s->force_high = fmax(s->force_high, log->f[i]);
      if (i == begin) continue;
      double h = log->t[i] - log->t[i - 1];
      s->travel += fabs(log->slide[i]) * h;
      s->work += log->slide[i] * h * 0.5 * (log->f[i] + log->f[i - 1]);
    }
  }
  s->forward /= (double)log->count, s->backward /= (double)log->count;
}

/* Single samples far outside what their neighbours say. */
static void find_outliers(bristle_log *log)
{
  size_t outliers = 0;
  double limit = 30 * log->summary.force_noise;
  for (size_t k = 0; k < log->stretches && limit > 0; k++)
    for (size_t i = log->first[k] + 1; i + 1 < log->first[k + 1]; i++) {
      double before = log->f[i - 1], here = log->f[i], after = log->f[i + 1];
      int spike = fabs(here - before) > limit && fabs(here - after) > limit && (here > before) == (here > after);
      outliers += spike && fabs(after - before) < 0.3 * fabs(here - before);
    }
  if (outliers)
    log_note(log, 0,
             "%zu sample%s of the force %s: an identification with option objective robust gives less weight to that",
             outliers, PLURAL(outliers), outliers == 1 ? "is an outlier" : "are outliers");
}

static void find_one_sided(bristle_log *log)
{
  const bristle_log_summary *s = &log->summary;
  if (fmin(s->forward, s->backward) < 0.02) {
    log_note(log, 1,
             "the motion goes in one direction only: friction cannot be separated from a constant force; record both "
             "directions");
    log->one_way_note = log->note_count;
  }
  if (s->speed_high > 1e3 * (log->rotary ? 100 : 1))
    log_note(log, 1, "the largest speed is %.3g %s: is the unit of the position right?", s->speed_high,
             bristle_speed_unit(log->rotary));
}

/* In a loop of friction the force runs ahead of the position. Exchanged columns, or a force counted the other way, turn
   the loop round: the contact would drive the body. */
static bristle_fault_kind check_work(const bristle_log *log, const bristle_log_options *options, bristle_fault *fault)
{
  const bristle_log_summary *s = &log->summary;
  double size = fmax(fabs(s->force_low), fabs(s->force_high)) * s->travel;
  if (options->inverse || log->extras > log->tried || s->work > -1e-3 * size) return BRISTLE_FAULT_NONE;
  return log_refuse(log, fault,
                    "if the force is counted against the motion, turn its sign: option force 'NAME*-1'; otherwise "
                    "check whether force and position are swapped",
                    "the force drives the motion: over the record it delivers %.3g J, but friction always takes energy",
                    -s->work);
}

/* Numbers that nothing has: a broken cell, or another unit. They would decide every mean, and ranges of parameters end
   before them. */
static bristle_fault_kind check_sizes(const bristle_log *log, bristle_fault *fault)
{
  static const double most[BRISTLE_CHANNELS] = { 0, 1e12, 1e12, 1e12, 1e9, 1e9, 0, 0 }, least = 1e-9; /* SI */
  double force = 0;
  for (int c = 0; c < BRISTLE_CHANNELS; c++)
    for (size_t i = 0; log->raw[c] && most[c] > 0 && i < log->count; i++)
      if (!(fabs(log->raw[c][i]) <= most[c]))
        return log_refuse(log, fault, "correct the cell, or check the unit of the column",
                          "the %s (%s) is %.3g at %.6g s, beyond what any machine has",
                          bristle_channel_text((bristle_channel)c), log->column[c], log->raw[c][i], log->t[i]);
  for (size_t i = 0; i < log->count; i++) force = fmax(force, fabs(log->f[i]));
  if (force >= least || force == 0) return BRISTLE_FAULT_NONE;
  return log_refuse(log, fault, "check the unit of the column",
                    "the force (%s) stays below %.3g %s, where the levels of laws begin",
                    log->column[BRISTLE_CHANNEL_FORCE], least, bristle_force_unit(log->rotary));
}

bristle_fault_kind log_judge(bristle_log *log, const bristle_log_options *options, bristle_fault *fault)
{
  static const int needed[] = { BRISTLE_CHANNEL_POSITION, BRISTLE_CHANNEL_VELOCITY, BRISTLE_CHANNEL_FORCE };
  const double *const data[] = { log->x, log->v, log->f };
  double *work = memory_take(&log->memory_list, sizeof *work * (log->count + 1));
  log->bent = memory_take(&log->memory_list, sizeof *log->bent * (log->stretches + 1));
  if (!work || !log->bent) return fault_memory(fault);
  const bristle_fault_kind kind = check_sizes(log, fault);
  if (kind) return kind;
  for (int k = 0; k < 3; k++)
    if (is_constant(data[k], log->count) && !(k == 1 && data[k][0] != 0))
      return log_refuse(log, fault, "is it the right column?",
                        k == 2 ? "the %s (%s) is constant: it contains no information about friction"
                               : "the %s (%s) never changes: nothing moves, so nothing slides",
                        bristle_channel_text((bristle_channel)needed[k]), log->column[needed[k]]);
  find_speeds(log, work);
  find_noise(log, work);
  find_force(log, work);
  for (size_t k = 0; k < log->stretches; k++) log->bent[k] = begins_bent(log, k, work);
  memory_give(&log->memory_list, work);
  sum_up(log);
  count_reversals(log);
  if (log->summary.travel <= 0 || log->summary.speed_high <= 0)
    return log_refuse(log, fault, "is it the right column?", "nothing moves in this record: friction cannot be seen");
  find_outliers(log);
  find_one_sided(log);
  return check_work(log, options, fault);
}
