/* How much the parameters depend on what nobody can know exactly: the band of the filter, the noise of the motion, a
   delay between force and motion. Each is changed a little and the law fitted again from where it was; what the
   parameters move by belongs to their deviations. */
#include "fit/campaign.h"
#include "fit/parallel.h"
#include "fit/random.h"
#include "fit/record.h"
#include "fit/result.h"
#include "fit/signal.h"

#include <math.h>
#include <stdlib.h>

enum { HALF_BAND, EARLIER, LATER, SHAKEN, SHAKES = 4, VARIANTS = SHAKEN + SHAKES };
static const double LONGEST = 3; /* samples of delay that are thought of */

/* ---- the records, a little different ---- */

static void shake(double *y, size_t count, double noise, random_state *random)
{
  for (size_t i = 0; i < count; i++) {
    const double a = random_part(random), b = random_part(random);
    y[i] += noise * sqrt(-2 * log(a)) * cos(2 * PI * b);
  }
}

/* the force of a sample before or after; the ends of stretches do not count */
static void shift(const bristle_log *log, double *force, int by)
{
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t begin = log->first[k], length = log->first[k + 1] - begin;
    if (by > 0) memmove(force + begin + 1, force + begin, sizeof *force * (length - 1));
    else memmove(force + begin, force + begin + 1, sizeof *force * (length - 1));
  }
}

/* the other columns that terms are made of */
static bristle_fault_kind shake_sources(bristle_log *log, random_state *random, bristle_fault *fault)
{
  record_terms *terms = memory_take(&log->memory_list, sizeof *terms);
  if (!terms) return signal_no_memory(fault);
  *terms = *log->terms;
  log->terms = terms;
  for (int k = 0; k < terms->sources; k++) {
    double *copy = memory_take(&log->memory_list, sizeof *copy * (log->count + 1));
    if (!copy) return signal_no_memory(fault);
    memcpy(copy, terms->data[k], sizeof *copy * log->count);
    shake(copy, log->count, terms->noise[k], random);
    terms->data[k] = copy;
  }
  return BRISTLE_FAULT_NONE;
}

static bristle_fault_kind change(bristle_log *log, int variant, bristle_fault *fault)
{
  random_state random = random_start((unsigned long long)variant);
  for (int c = 0; c < BRISTLE_CHANNELS; c++) {
    const int moved = variant >= SHAKEN && (c == BRISTLE_CHANNEL_POSITION || c == BRISTLE_CHANNEL_VELOCITY);
    const int shifted = (variant == EARLIER || variant == LATER) && c == BRISTLE_CHANNEL_FORCE;
    if (!log->raw[c] || (!moved && !shifted)) continue;
    double *copy = memory_take(&log->memory_list, sizeof *copy * (log->count + 1));
    if (!copy) return signal_no_memory(fault);
    memcpy(copy, log->raw[c], sizeof *copy * log->count);
    if (moved) shake(copy, log->count, log->fact[c].noise, &random);
    else shift(log, copy, variant == LATER ? 1 : -1);
    log->raw[c] = copy;
  }
  return variant >= SHAKEN && log->terms ? shake_sources(log, &random, fault) : BRISTLE_FAULT_NONE;
}

/* ---- one fit ---- */

typedef struct trial {
  const bristle_identified *result;
  const bristle_log *const *logs;
  size_t count;
  const bristle_identify_options *options;
  const bristle_campaign *campaign;
  bristle_identified *found[VARIANTS]; /* NULL: none */
} trial;

static int is_wanted(const trial *t, int variant) { return variant != HALF_BAND || t->campaign->cutoff > 0; }

static void try_variant(void *context, int variant)
{
  trial *t = context;
  bristle_fault ignored;
  bristle_identify_options options = *t->options;
  bristle_log *copy = calloc(t->count, sizeof *copy);
  const bristle_log **list = calloc(t->count, sizeof *list);
  cutoff_choice choice = { .source = t->campaign->from_velocity ? MOTION_FROM_VELOCITY : MOTION_FROM_POSITION,
                           .cutoff = t->campaign->cutoff / (variant == HALF_BAND ? 2 : 1) };
  int failed = !copy || !list || !is_wanted(t, variant);
  for (size_t l = 0; l < t->count && !failed; l++) {
    copy[l] = *t->logs[l];
    copy[l].memory_list = NULL;
    list[l] = &copy[l];
    copy[l].phase = memory_take(&copy[l].memory_list, copy[l].count + 1);
    failed = !copy[l].phase;
    if (!failed) memcpy(copy[l].phase, t->logs[l]->phase, copy[l].count);
    failed = failed || change(&copy[l], variant, &ignored) || campaign_apply(&choice, &copy[l], &ignored);
  }
  options.start = t->result->p;
  options.folds = -1;
  options.progress = NULL;
  options.threads = 1;
  for (int k = 0; k < BRISTLE_TERMS; k++)
    if (options.term[k] == BRISTLE_TERM_NONE && t->result->estimate[t->result->law->f64->info->nparam + k].free)
      options.term[k] = BRISTLE_TERM_FREE; /* a skew that was tried beside the others */
  if (!failed && bristle_identify(t->result->law, list, t->count, NULL, &options, &t->found[variant], &ignored))
    t->found[variant] = NULL;
  for (size_t l = 0; copy && l < t->count; l++) memory_free(copy[l].memory_list);
  free(copy), free(list);
}

/* ---- what follows ---- */

/* samples that the force may be late, from how the error changes with a shift either way; squared */
static double delay_square(const trial *t, double *delay)
{
  const bristle_identified *before = t->found[EARLIER], *after = t->found[LATER];
  *delay = 0;
  if (!before || !after) return 1;
  const double here = t->result->rms * t->result->rms, a = before->rms * before->rms, b = after->rms * after->rms;
  const double bend = a - 2 * here + b, worth = (double)t->result->rows / fmax(t->result->memory, 1);
  if (!(bend > 0)) return 1;
  /* the record whose force was shifted later fits best when the force came early: the delay has the other sign */
  *delay = -0.5 * (a - b) / bend;
  const double own = 2 * here / (worth * bend);
  return fmin(*delay * *delay + own, fabs(*delay) > 1 || own < 1 ? LONGEST * LONGEST : 1);
}

/* the reason that weighs most, where the sum of all makes a parameter unknown */
static void explain(bristle_estimate *x, double band, double shaken, double delay, double step)
{
  char number[40];
  if (x->reason[0] || !(x->deviation > 0.5 * fabs(x->value))) return;
  if (delay >= band && delay >= shaken)
    snprintf(
        x->reason, sizeof x->reason,
        "a delay of one sample (%.3g s) between force and motion would change it by %.2g %s; record slower motions, "
        "or faster samples",
        step, delay, x->unit);
  else if (band >= shaken)
    snprintf(x->reason, sizeof x->reason,
             "half the cut-off would change it by %.2g %s: an elastic drive, a delay, or motion too poor in "
             "frequencies",
             band, x->unit);
  else {
    snprintf(number, sizeof number, "%.2g %s", shaken, x->unit);
    snprintf(x->reason, sizeof x->reason, "the noise of the motion alone changes it by %s; measure the motion finer",
             number);
  }
}

static void widen(bristle_identified *r, const trial *t, double delay_squared, double step)
{
  for (int k = 0; k < r->estimates; k++) {
    bristle_estimate *x = &r->estimate[k];
    double band = 0, late = 0, mean = 0, spread = 0, shakes = 0;
    if (!x->free || !isfinite(x->deviation)) continue;
    if (t->found[HALF_BAND]) band = t->found[HALF_BAND]->estimate[k].value - x->value;
    if (t->found[EARLIER] && t->found[LATER])
      late = fmax(fabs(t->found[EARLIER]->estimate[k].value - x->value),
                  fabs(t->found[LATER]->estimate[k].value - x->value));
    for (int s = SHAKEN; s < VARIANTS; s++)
      if (t->found[s]) mean += t->found[s]->estimate[k].value - x->value, shakes++;
    mean = shakes > 0 ? mean / shakes : 0;
    for (int s = SHAKEN; s < VARIANTS; s++)
      if (t->found[s]) spread += pow(t->found[s]->estimate[k].value - x->value - mean, 2) / fmax(shakes - 1, 1);
    const double shaken = spread + mean * mean;
    x->band = fabs(band), x->delay = late, x->motion = sqrt(shaken);
    x->deviation = sqrt(x->deviation * x->deviation + band * band + shaken + late * late * delay_squared);
    explain(x, fabs(band), sqrt(shaken), late * sqrt(delay_squared), step);
  }
}

void bristle_identified_test(bristle_identified *result, const bristle_log *const *logs, size_t log_count,
                             const bristle_identify_options *options, const bristle_campaign *all)
{
  trial t = { .result = result, .logs = logs, .count = log_count, .options = options, .campaign = all };
  if (result->tested || !logs[0]->phase) return;
  parallel_for(options->threads > 0 ? options->threads : 2, VARIANTS, try_variant, &t);
  const double squared = delay_square(&t, &result->delay);
  result->delay /= logs[0]->summary.rate;
  result->delay_known = squared < 1 && t.found[EARLIER] && t.found[LATER];
  widen(result, &t, squared, 1 / logs[0]->summary.rate);
  result_judge_drop(result);
  result->tested = 1;
  for (int v = 0; v < VARIANTS; v++) bristle_identified_free(t.found[v]);
}
