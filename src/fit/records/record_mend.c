/* Channels as sensors give them: angles that wrap round, jumps and spikes that are no motion, registers that are
   slower than the log, forces that are cut off. What can be repaired is, and said. */
#include "fit/records/record.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

/* ---- angles and counters that wrap round ---- */

/* Turns have round numbers: of counts, and an angle has its own. */
static double round_period(double period, double quantum)
{
  static const double round_numbers[] = { 1, 360, 3600, 36000, 1000, 10000, 100000 };
  if (fabs(period / (2 * M_PI) - 1) < 0.01) return 2 * M_PI;
  if (!(quantum > 0)) return period;
  const double counts = period / quantum, two = exp2(round(log2(counts)));
  if (fabs(counts / two - 1) < 3e-3) return two * quantum;
  for (size_t k = 0; k < sizeof round_numbers / sizeof *round_numbers; k++)
    if (fabs(counts / round_numbers[k] - 1) < 3e-3) return round_numbers[k] * quantum;
  return period;
}

/* All large jumps are as wide as the whole range: the value has left it at one end and come in at the other. The way
   that was moved beside is known from the steps before and after. */
static double period_of(const double *x, size_t count, double quantum, size_t *wraps)
{
  double low = x[0], high = x[0], least = HUGE_VAL, second = 0, sum = 0;
  for (size_t i = 0; i < count; i++) low = fmin(low, x[i]), high = fmax(high, x[i]);
  const double range = high - low;
  *wraps = 0;
  for (size_t i = 2; i + 1 < count; i++) {
    double jump = x[i] - x[i - 1];
    if (fabs(jump) > 0.6 * range) {
      double beside = 0.5 * (x[i - 1] - x[i - 2] + x[i + 1] - x[i]);
      if (fabs(beside) > 0.4 * range) return 0;
      least = fmin(least, fabs(jump)), sum += fabs(jump - beside), ++*wraps;
    } else second = fmax(second, fabs(jump));
  }
  if (!*wraps || least < 0.7 * range || second > 0.4 * range) return 0;
  return round_period(sum / (double)*wraps, quantum);
}

static void unwrap(record *r, int column)
{
  double *x = r->data[column], turn = 0, last = x[0];
  size_t wraps;
  const double period = period_of(x, r->count, r->log->fact[column].quantum, &wraps);
  /* a single jump that is no turn of an angle is treated with the other jumps */
  if (!(period > 0) || (wraps < 2 && fabs(period - 2 * M_PI) > 1e-9)) return;
  for (size_t i = 1; i < r->count; i++) {
    double now = x[i];
    if (fabs(now - last) > 0.6 * period && !r->begins[i]) turn += now > last ? -period : period;
    last = now;
    x[i] = now + turn;
  }
  log_note(r->log, 0, "the position wraps round %zu times at %.6g: unwrapped", wraps, period);
}

/* ---- jumps and spikes ---- */

enum { SIDE = 3, LONGEST_SPIKE = 4, JUMPS = 3 };

typedef struct jump {
  size_t at, length; /* length 0: it stays where it has jumped to */
  double size;
  int on; /* the motion goes on as it was */
} jump;

static double median_of_three(double a, double b, double c) { return fmax(fmin(a, b), fmin(fmax(a, b), c)); }

/* a step of usual length, whatever the time that has passed */
static double pace(const double *t, const double *y, size_t i, double step)
{
  return (y[i] - y[i - 1]) * step / (t[i] - t[i - 1]);
}

/* what the steps of neighbours differ by: 99 % of them by less */
static double usual_bend(const record *r, const double *y, double step, double *work)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  size_t kept = 0;
  for (size_t i = 2; i < r->count; i++)
    if (!r->begins[i] && !r->begins[i - 1]) work[kept++] = fabs(pace(t, y, i, step) - pace(t, y, i - 1, step));
  return kept ? sort_pick(work, kept, kept * 99 / 100) : 0;
}

/* Is there a jump into sample i, and after how many samples does it come back? */
static int find_jump(const record *r, const double *y, size_t i, double step, double limit, jump *found)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  const double now = pace(t, y, i, step), way = t[i] - t[i - 1];
  const double last[3] = { pace(t, y, i - 3, step), pace(t, y, i - 2, step), pace(t, y, i - 1, step) };
  int large = 0; /* their median is one of them */
  for (int k = 0; k < 3; k++) large |= fabs((now - last[k]) * way / step) > limit;
  if (!large) return 0;
  const double before = median_of_three(last[0], last[1], last[2]), size = (now - before) * way / step;
  if (!(fabs(size) > limit)) return 0;
  for (size_t k = i - SIDE; k <= i + LONGEST_SPIKE + SIDE; k++)
    if (r->begins[k] || t[k] - t[k - 1] > RECORD_GAP * step) return 0;
  for (size_t k = 1; k <= LONGEST_SPIKE; k++) {
    double rest = y[i + k] - y[i - 1] - before * (t[i + k] - t[i - 1]) / step;
    double after = median_of_three(pace(t, y, i + k + 1, step), pace(t, y, i + k + 2, step),
                                   pace(t, y, i + k + 3, step));
    if (fabs(rest) < 0.25 * fabs(size) && fabs(after - before) < 0.25 * fabs(size)) {
      *found = (jump){ i, k, size, 1 };
      return 1;
    }
  }
  const double after = median_of_three(pace(t, y, i + 2, step), pace(t, y, i + 3, step), pace(t, y, i + 4, step));
  *found = (jump){ i, 0, (pace(t, y, i, step) - 0.5 * (before + after)) * (t[i] - t[i - 1]) / step,
                   fabs(after - before) < 0.3 * fmin(fabs(before), fabs(after)) };
  return fabs(after - before) < 0.25 * fabs(size);
}

static void bridge(const double *t, double *y, size_t from, size_t to)
{
  for (size_t k = from + 1; k < to; k++) y[k] = y[from] + (y[to] - y[from]) * (t[k] - t[from]) / (t[to] - t[from]);
}

/* A jump by far more than neighbouring steps ever differ by is no motion, unless it happens often: sticking and
   slipping looks like that. Only a position may stay where it has jumped to: counts were lost where the motion goes on
   as it was, and elsewhere two records follow each other. */
static void mend_jumps(record *r, int column, double step, double *work)
{
  double *y = r->data[column];
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  const double limit = fmax(20 * usual_bend(r, y, step, work), 8 * r->log->fact[column].quantum);
  size_t spikes = 0, jumps = 0;
  jump list[JUMPS + 1], found;
  if (!(limit > 0)) return;
  for (size_t i = SIDE + 1; i + LONGEST_SPIKE + SIDE + 1 < r->count; i++) {
    if (!find_jump(r, y, i, step, limit, &found)) continue;
    if (found.length) spikes++, i += found.length;
    else if (jumps <= JUMPS) list[jumps++] = found;
  }
  if (spikes * 100 > r->count) return;
  for (size_t i = SIDE + 1; spikes && i + LONGEST_SPIKE + SIDE + 1 < r->count; i++)
    if (find_jump(r, y, i, step, limit, &found) && found.length) bridge(t, y, i - 1, i + found.length);
  const char *name = bristle_channel_text((bristle_channel)column);
  if (spikes) log_note(r->log, 0, "%zu spike%s of the %s cannot be motion: interpolated", spikes, PLURAL(spikes), name);
  if (column != BRISTLE_CHANNEL_POSITION || !jumps || jumps > JUMPS) return;
  for (size_t k = 0; k < jumps; k++) {
    if (!list[k].on) r->begins[list[k].at] = 1;
    for (size_t i = list[k].at; list[k].on && i < r->count; i++) y[i] -= list[k].size;
    log_note(r->log, 0, "the position jumps by %.4g at %.6g s, which cannot be motion: %s", list[k].size, t[list[k].at],
             list[k].on ? "taken out" : "a new stretch begins there");
  }
}

/* ---- registers slower than the log ---- */

static int is_command(const char *name)
{
  static const char *const words[] = { "command", "cmd", "target", "goal", "reference", "desired", "setpoint" };
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strstr(name, words[k])) return 1;
  return 0;
}

/* Between two fresh values lie straight lines; a value that stays for longer rests until the last but one refresh.
   Samples between the ends of a line are marked. */
static void draw_lines(const record *r, double held, double *y, unsigned char *lines)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  const size_t span = (size_t)ceil(held + 0.25);
  double last = y[0];
  for (size_t i = 1, fresh = 0; i < r->count; i++) {
    double now = y[i];
    if (r->begins[i]) fresh = i;
    else if (now != last) {
      const size_t from = i - fresh > span ? i - span : fresh;
      bridge(t, y, from, i);
      for (size_t k = from + 1; k < i; k++) lines[k] = 1;
      fresh = i;
    }
    last = now;
  }
}

static bristle_fault_kind bridge_held(record *r, int column, double *work, bristle_fault *fault)
{
  bristle_channel_facts *fact = &r->log->fact[column];
  int steps = 0;
  if (!(fact->held > 1) || (column == BRISTLE_CHANNEL_FORCE && is_command(r->log->column[column])))
    return BRISTLE_FAULT_NONE;
  unsigned char *lines = memory_take(&r->scratch, r->count + 1);
  if (!lines) return fault_memory(fault);
  memset(lines, 0, r->count + 1);
  memcpy(work, r->data[column], sizeof *work * r->count);
  draw_lines(r, fact->held, work, lines);
  const bristle_fault_kind kind = record_steps(r, column, work, &steps, fault);
  if (kind) return kind;
  if (steps) fact->held = 1;
  else {
    memcpy(r->data[column], work, sizeof *work * r->count);
    if (column == BRISTLE_CHANNEL_FORCE) r->lines = lines;
    log_note(r->log, 0, "the %s is updated only every %.3g samples: interpolated linearly",
             bristle_channel_text((bristle_channel)column), fact->held);
  }
  return kind;
}

/* ---- forces that are cut off ---- */

static bristle_fault_kind discount_saturated(record *r, bristle_fault *fault)
{
  const double *f = r->data[BRISTLE_CHANNEL_FORCE], part = r->log->fact[BRISTLE_CHANNEL_FORCE].saturated;
  if (!(part > 0)) return BRISTLE_FAULT_NONE;
  double low = f[0], high = f[0], *weight = r->data[BRISTLE_CHANNEL_WEIGHT];
  for (size_t i = 0; i < r->count; i++) low = fmin(low, f[i]), high = fmax(high, f[i]);
  if (!weight) {
    weight = r->data[BRISTLE_CHANNEL_WEIGHT] = memory_take(&r->scratch, sizeof *weight * (r->count + 1));
    if (!weight) return fault_memory(fault);
    for (size_t i = 0; i < r->count; i++) weight[i] = 1;
  }
  for (size_t begin = 0, end; begin < r->count; begin = end) {
    for (end = begin + 1; end < r->count && f[end] == f[begin];) end++;
    for (size_t i = begin; end - begin >= 3 && (f[begin] == low || f[begin] == high) && i < end; i++) weight[i] = 0;
  }
  log_note(r->log, 0, "the force saturates at %.4g and %.4g in %.2g %% of the samples: these are left out", low, high,
           100 * part);
  return BRISTLE_FAULT_NONE;
}

bristle_fault_kind record_mend(record *r, int motion_only, bristle_fault *fault)
{
  const double *t = r->data[BRISTLE_CHANNEL_TIME];
  double *work = memory_take(&r->scratch, sizeof *work * (r->count + 1));
  if (!work) return fault_memory(fault);
  size_t steps = 0;
  for (size_t i = 1; i < r->count; i++)
    if (!r->begins[i]) work[steps++] = t[i] - t[i - 1];
  const double step = steps ? sort_pick(work, steps, steps / 2) : 0;
  if (r->data[BRISTLE_CHANNEL_POSITION]) unwrap(r, BRISTLE_CHANNEL_POSITION);
  if (motion_only) return BRISTLE_FAULT_NONE;
  for (int c = BRISTLE_CHANNEL_POSITION; c < BRISTLE_CHANNEL_WEIGHT; c++)
    if (r->data[c] && bridge_held(r, c, work, fault)) return fault->kind;
  for (int c = BRISTLE_CHANNEL_POSITION; c <= BRISTLE_CHANNEL_VELOCITY; c++)
    if (r->data[c] && step > 0) mend_jumps(r, c, step, work);
  return discount_saturated(r, fault);
}
