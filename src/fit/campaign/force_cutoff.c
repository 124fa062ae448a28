/* The cut-off of the motion, judged by the force: the filtered motion must explain the force as it was measured. What
   is too low leaves out motion that the force follows; what is too high lets noise into the derivatives, which explains
   nothing. Noise of the force adds the same to every candidate, so that no model of it is needed. */
#include "fit/campaign/campaign.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { PER_OCTAVE = 3 };
static const double LOWEST = 1e-3, HIGHEST = 0.4; /* of the sampling rate */
static const double GUARD = 0.02;                 /* part of a coefficient that noise of its column may take away */
static const double BETTER = 0.98;                /* what another source of the motion must reach */

/* what a frequency has to say */
typedef struct probe {
  double frequency;
  double x[SUMS_COLUMNS]; /* coefficients at this cut-off */
  double error;           /* of the unfiltered force, with the coefficients of an octave below */
  double loss;            /* part of the mass (or of the viscous coefficient) that the noise takes away */
} probe;

static double mean_noise(const campaign *c, motion_source source, double cutoff, int acceleration)
{
  double sum = 0, rows = 0;
  for (size_t l = 0; l < c->fitted; l++) {
    const double noise = acceleration ? motion_acceleration_noise(c->logs[l], source, cutoff)
                                      : motion_velocity_noise(c->logs[l], source, cutoff);
    sum += noise * noise * (double)c->logs[l]->count, rows += (double)c->logs[l]->count;
  }
  return rows > 0 ? sum / rows : 0;
}

static double noise_loss(const campaign *c, const sums *s, motion_source source, double cutoff)
{
  const int inertia = c->set >> COLUMN_MASS & 1;
  const double own = sums_own_part(s, c->set, inertia ? COLUMN_MASS : COLUMN_VISCOUS);
  return own > 0 ? mean_noise(c, source, cutoff, inertia) / own : HUGE_VAL;
}

static double relative_left(const sums *s, const double *x)
{
  return s->rough_square > 0 ? sqrt(sums_left_rough(s, x) / s->rough_square) : (double)NAN;
}

static bristle_fault_kind examine(const campaign *c, motion_source source, probe *probes, int count,
                                  bristle_fault *fault)
{
  sums_blocks *blocks = malloc(sizeof *blocks);
  bristle_fault_kind kind = blocks ? BRISTLE_FAULT_NONE : fault_memory(fault);
  for (int i = 0; i < count && !kind; i++) {
    sums total;
    kind = balance_sum(c, source, probes[i].frequency, blocks, fault);
    if (kind) break;
    balance_take_given(c, blocks);
    sums_total(blocks, &total);
    sums_solve(&total, c->set, probes[i].x);
    probes[i].error = i >= PER_OCTAVE ? relative_left(&total, probes[i - PER_OCTAVE].x) : (double)NAN;
    probes[i].loss = noise_loss(c, &total, source, probes[i].frequency);
  }
  free(blocks);
  return kind;
}

/* an octave below the lowest candidate is needed for its error */
static int fill_frequencies(const campaign *c, probe *probes, int room)
{
  int count = 0;
  for (double part = LOWEST / 2; part <= HIGHEST && count < room; part *= pow(2, 1.0 / PER_OCTAVE))
    probes[count++] = (probe){ .frequency = part * c->rate };
  return count;
}

static int best_of(const probe *probes, int count)
{
  int best = -1;
  for (int i = PER_OCTAVE; i < count; i++)
    if (probes[i].loss <= GUARD && (best < 0 || probes[i].error < probes[best].error)) best = i;
  return best;
}

static int source_is_usable(const campaign *c, motion_source source)
{
  for (size_t l = 0; l < c->count; l++) {
    if (!motion_has(c->logs[l], source)) return 0;
    if (source == MOTION_FROM_VELOCITY && isfinite(c->logs[l]->velocity_lag)
        && fabs(c->logs[l]->velocity_lag) * c->logs[l]->summary.rate > 1)
      return 0;
  }
  return 1;
}

static void keep_curve(bristle_campaign *report, motion_source source, const probe *probes, int count)
{
  report->points = 0;
  for (int i = PER_OCTAVE; i < count && report->points < BRISTLE_CUTOFFS; i++) {
    report->frequency[report->points] = probes[i].frequency;
    report->error[source][report->points] = probes[i].error;
    report->loss[source][report->points++] = probes[i].loss;
  }
}

bristle_fault_kind cutoff_by_force(const campaign *c, bristle_campaign *report, cutoff_choice *choice,
                                   bristle_fault *fault)
{
  probe probes[BRISTLE_CUTOFFS + PER_OCTAVE];
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  *choice = (cutoff_choice){ .error = HUGE_VAL, .blocked = 1 };
  for (int source = 0; source < MOTION_SOURCES && !kind; source++) {
    if (!source_is_usable(c, (motion_source)source)) continue;
    const int count = fill_frequencies(c, probes, BRISTLE_CUTOFFS + PER_OCTAVE);
    kind = examine(c, (motion_source)source, probes, count, fault);
    if (kind) break;
    keep_curve(report, (motion_source)source, probes, count);
    const int best = best_of(probes, count);
    if (best >= 0 && probes[best].error < (choice->blocked ? HUGE_VAL : BETTER * choice->error))
      *choice = (cutoff_choice){ (motion_source)source, probes[best].frequency, probes[best].error, 0, 0, 0 };
  }
  return kind;
}

/* ---- where presliding carries the force ---- */

enum { STIFFNESSES = 16 };

static double travel_of(const campaign *c)
{
  double travel = 0;
  for (size_t l = 0; l < c->fitted; l++) {
    const bristle_log *log = c->logs[l];
    double low = log->x[0], high = low;
    for (size_t i = 0; i < log->count; i++) low = fmin(low, log->x[i]), high = fmax(high, log->x[i]);
    travel = fmax(travel, high - low);
  }
  return travel;
}

bristle_fault_kind cutoff_by_bristle(const campaign *c, motion_source source, bristle_campaign *report,
                                     cutoff_choice *choice, bristle_fault *fault)
{
  probe probes[BRISTLE_CUTOFFS + PER_OCTAVE];
  double k[STIFFNESSES], x[BRISTLE_CUTOFFS + PER_OCTAVE][STIFFNESSES][SUMS_COLUMNS];
  int at[BRISTLE_CUTOFFS + PER_OCTAVE];
  const int count = fill_frequencies(c, probes, BRISTLE_CUTOFFS + PER_OCTAVE);
  const double travel = travel_of(c);
  sums_blocks *blocks = malloc(sizeof *blocks * STIFFNESSES);
  bristle_fault_kind kind = blocks ? BRISTLE_FAULT_NONE : fault_memory(fault);
  for (int j = 0; j < STIFFNESSES; j++) k[j] = 0.05 * pow(4e5, j / (STIFFNESSES - 1.0)) / travel;
  *choice = (cutoff_choice){ .source = source, .error = HUGE_VAL, .blocked = 1 };
  for (int i = 0; i < count && !kind; i++) {
    double least = HUGE_VAL;
    kind = balance_sum_bristle(c, source, probes[i].frequency, 0, STIFFNESSES, k, blocks, fault);
    for (int j = 0; j < STIFFNESSES && !kind; j++) {
      sums total;
      balance_take_given(c, &blocks[j]);
      sums_total(&blocks[j], &total);
      const double left = sums_solve(&total, c->set, x[i][j]);
      if (left < least) least = left, at[i] = j;
      if (i < PER_OCTAVE) continue;
      const int before = at[i - PER_OCTAVE]; /* stiffness and coefficients of an octave below */
      if (j == before) probes[i].error = relative_left(&total, x[i - PER_OCTAVE][before]);
      if (j == before)
        probes[i].loss = c->set >> COLUMN_MASS & 1 ? noise_loss(c, &total, source, probes[i].frequency) : 0;
    }
    if (!kind && i >= PER_OCTAVE && probes[i].loss <= GUARD && probes[i].error < choice->error)
      *choice = (cutoff_choice){ source, probes[i].frequency, probes[i].error, k[at[i]], at[i] == STIFFNESSES - 1, 0 };
  }
  free(blocks);
  if (!kind) keep_curve(report, source, probes, count);
  return kind;
}
