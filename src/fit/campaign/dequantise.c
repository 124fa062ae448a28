/* A position of few counts. Between two changes of level nobody knows where it was, but at each change it passed the
   middle between the levels: straight lines from change to change. Where it turns inside a level it reached about the
   middle of that level. */
#include "fit/campaign/campaign.h"

#include "maths/elementary.h"

static int is_level(double step, double quantum) { return fabs(step) < 0.5 * quantum; }

/* samples begin .. end - 1 of x, from one knot to the next */
static void draw_line(double *x, double from, double from_value, double to, double to_value, size_t begin, size_t end)
{
  for (size_t i = begin; i < end; i++)
    if ((double)i >= from && (double)i < to)
      x[i] = from_value + (to_value - from_value) * ((double)i - from) / (to - from);
}

static void dequantise_stretch(const double *raw, size_t count, double quantum, double *x)
{
  double at = 0, value = raw[0], direction = 0;
  for (size_t i = 0; i + 1 < count; i++) {
    const double step = raw[i + 1] - raw[i];
    if (is_level(step, quantum)) continue;
    const double here = (double)i + 0.5, middle = 0.5 * (raw[i] + raw[i + 1]);
    if (direction * step < 0) { /* it turned inside the level since the last change */
      const double turn = 0.5 * (at + here);
      draw_line(x, at, value, turn, raw[i], (size_t)at, i + 1);
      at = turn, value = raw[i];
    }
    draw_line(x, at, value, here, middle, (size_t)at, i + 1);
    at = here, value = middle, direction = step;
  }
  draw_line(x, at, value, (double)count, raw[count - 1], (size_t)at, count);
}

int campaign_counts_levels(const campaign *c)
{
  double small = 0, all = 0;
  for (size_t l = 0; l < c->fitted; l++) {
    const bristle_log *log = c->logs[l];
    const double *x = log->raw[BRISTLE_CHANNEL_POSITION], quantum = log->fact[BRISTLE_CHANNEL_POSITION].quantum;
    if (!x || !(quantum > 0)) return 0;
    for (size_t k = 0; k < log->stretches; k++)
      for (size_t i = log->first[k] + 1; i < log->first[k + 1]; i++, all++)
        small += fabs(x[i] - x[i - 1]) < 1.5 * quantum;
  }
  return small > 0.5 * all;
}

int campaign_dequantise(const campaign *c)
{
  for (size_t l = 0; l < c->count; l++) {
    bristle_log *log = c->logs[l];
    const double *raw = log->raw[BRISTLE_CHANNEL_POSITION], quantum = log->fact[BRISTLE_CHANNEL_POSITION].quantum;
    double *x = memory_take(&log->memory_list, sizeof *x * (log->count + 1));
    if (!x) return 1;
    if (!raw || !(quantum > 0)) continue;
    for (size_t k = 0; k < log->stretches; k++)
      dequantise_stretch(raw + log->first[k], log->first[k + 1] - log->first[k], quantum, x + log->first[k]);
    log->raw[BRISTLE_CHANNEL_POSITION] = x;
  }
  return 0;
}
