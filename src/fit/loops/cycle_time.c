/* Loops of different periods, and the period above which they are the same. */
#include "bristle/loops.h"
#include "bristle/roles.h"

#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { LOOP_CYCLES = 3, LOOP_SAMPLES = 4000 };

void bristle_loop_simulate(const bristle_contact *contact, double n, double amplitude, double period, int cycles,
                           size_t count, double *x, double *f)
{
  double state[BRISTLE_LAW_SIZE] = { 0 }, before = 0;
  bristle_input in = { .n = n, .h = period / (double)count, .load = contact->load };
  for (int cycle = 0; cycle < cycles; cycle++)
    for (size_t i = 0; i < count; i++) {
      /* the first sample of a cycle ends the piece that the cycle before has begun */
      const double now = amplitude * sin(2 * PI * (double)i / (double)count);
      in.x = before;
      in.v = (now - before) / in.h;
      in.f = 0;
      const double force = cycle || i ? contact->law->f64->step(contact->p, state, &in, NULL) : 0;
      before = now;
      if (cycle + 1 < cycles) continue;
      if (x) x[i] = now;
      f[i] = force;
    }
}

double bristle_loop_difference(const bristle_contact *contact, double n, double amplitude, double period, double other,
                               double *largest)
{
  double *f = malloc(2 * LOOP_SAMPLES * sizeof *f), apart = 0, most = 0;
  if (!f) return -1;
  bristle_loop_simulate(contact, n, amplitude, period, LOOP_CYCLES, LOOP_SAMPLES, NULL, f);
  bristle_loop_simulate(contact, n, amplitude, other, LOOP_CYCLES, LOOP_SAMPLES, NULL, f + LOOP_SAMPLES);
  for (size_t i = 0; i < LOOP_SAMPLES; i++) {
    apart = fmax(apart, fabs(f[i] - f[LOOP_SAMPLES + i]));
    most = fmax(most, fabs(f[LOOP_SAMPLES + i]));
  }
  free(f);
  if (largest) *largest = most;
  return apart;
}

static double value_of(const bristle_contact *contact, bristle_role role)
{
  return bristle_role_value(contact->law->f64->info, contact->p, role, 0);
}

bristle_cycle_limit bristle_cycle_limit_of(const bristle_contact *contact, double n, double amplitude, double tolerance)
{
  const double level = contact->load == BRISTLE_LOAD_LEVEL ? n : 1;
  const double dry = level * value_of(contact, BRISTLE_ROLE_LEVEL);
  const double peak = fmax(level * value_of(contact, BRISTLE_ROLE_STATIC_LEVEL),
                           dry + level * value_of(contact, BRISTLE_ROLE_EXCESS_LEVEL));
  const double viscous = value_of(contact, BRISTLE_ROLE_DAMPING) + value_of(contact, BRISTLE_ROLE_VISCOUS);
  const double fall = value_of(contact, BRISTLE_ROLE_STRIBECK_SPEED),
               exponent = bristle_law_exponent(contact->law->f64->info, contact->p);
  bristle_cycle_limit limit = { 0 };
  if (contact->law->f64->info->traits & BRISTLE_RATE_FREE) return limit;
  if (dry > 0) limit.damping = 2 * PI * amplitude * viscous / (tolerance * dry);
  if (fall > 0 && peak > dry)
    limit.stribeck = 2 * PI * amplitude / fall * pow((peak - dry) / (peak * tolerance), 1 / exponent);
  limit.period = fmax(limit.damping, limit.stribeck);
  return limit;
}
