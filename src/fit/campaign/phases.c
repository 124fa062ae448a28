/* Which samples move, rest, or are on the way from one to the other. Decided before any cut-off is chosen, from the
   noise of the motion alone: a mask that follows the cut-off under test would run away with it. */
#include "fit/campaign/campaign.h"
#include "fit/common/sort.h"
#include "maths/elementary.h"

#include <stdlib.h>

/* The reference filter at a twentieth of the sampling rate; lengths are in samples, so 20 is one over its cut-off. */
enum { REFERENCE = 20, MOVING_REACH = REFERENCE / 4, REST_REACH = REFERENCE / 2, END = 3 * REFERENCE / 2 };
static const double CLEAR = 5;       /* deviations of the velocity's noise */
static const double FRACTION = 0.01; /* of the fast speeds: slower is not yet sliding */

static double high_speed(const bristle_log *log, const double *v, double *work)
{
  for (size_t i = 0; i < log->count; i++) work[i] = fabs(v[i]);
  return sort_pick(work, log->count, (size_t)(0.95 * (double)(log->count - 1)));
}

static motion_source quieter(const bristle_log *log)
{
  const double cutoff = log->summary.rate / REFERENCE;
  if (!motion_has(log, MOTION_FROM_POSITION)) return MOTION_FROM_VELOCITY;
  if (!motion_has(log, MOTION_FROM_VELOCITY) || isfinite(log->velocity_lag)) return MOTION_FROM_POSITION;
  return motion_velocity_noise(log, MOTION_FROM_VELOCITY, cutoff)
                 < motion_velocity_noise(log, MOTION_FROM_POSITION, cutoff)
             ? MOTION_FROM_VELOCITY
             : MOTION_FROM_POSITION;
}

/* marks samples that stay on one side of the limit for `reach` samples either way */
static void mark(const bristle_log *log, const double *v, double limit, int above, size_t reach, bristle_phase phase)
{
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t begin = log->first[k], end = log->first[k + 1];
    size_t run = 0; /* length of the run of samples that satisfy it */
    for (size_t i = begin; i < end; i++) {
      const int fits = above ? fabs(v[i]) > limit && (run == 0 || (v[i] > 0) == (v[i - 1] > 0)) : fabs(v[i]) < limit;
      run = fits ? run + 1 : above && fabs(v[i]) > limit ? 1 : 0;
      if (run > 2 * reach) log->phase[i - reach] = (unsigned char)phase;
    }
  }
}

static void mark_ends(const bristle_log *log)
{
  for (size_t k = 0; k < log->stretches; k++) {
    const size_t begin = log->first[k], end = log->first[k + 1], length = end - begin;
    const size_t cut = length / 8 < END ? length / 8 : END;
    for (size_t i = 0; i < cut; i++)
      log->phase[begin + i] = log->phase[end - 1 - i] = (unsigned char)BRISTLE_PHASE_NONE;
  }
}

static void fill_phases(bristle_log *log, const double *v, double still)
{
  memset(log->phase, BRISTLE_PHASE_TRANSITION, log->count);
  mark(log, v, still, 0, REST_REACH, BRISTLE_PHASE_REST);
  mark(log, v, log->threshold, 1, MOVING_REACH, BRISTLE_PHASE_MOVING);
  mark_ends(log);
}

bristle_fault_kind phases_find(const campaign *c, bristle_fault *fault)
{
  bristle_fault_kind kind = BRISTLE_FAULT_NONE;
  for (size_t l = 0; l < c->count && !kind; l++) {
    bristle_log *log = c->logs[l];
    memory *own = NULL;
    const motion_source source = quieter(log);
    const double cutoff = log->summary.rate / REFERENCE;
    motion m = motion_room(log->count, &own);
    double *work = memory_take(&own, sizeof *work * (log->count + 1));
    if (!m.x || !work) kind = fault_memory(fault);
    if (!kind) kind = motion_make(log, source, cutoff, &m, NULL, fault);
    if (!kind) {
      const double still = CLEAR * motion_velocity_noise(log, source, cutoff);
      log->threshold = fmax(still, FRACTION * high_speed(log, m.v, work));
      fill_phases(log, m.v, still);
    }
    memory_free(own);
  }
  return kind;
}
