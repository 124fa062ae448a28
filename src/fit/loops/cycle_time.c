/* Loops of different periods, and the period above which they are the same. */
#include "lab/loops.h"
#include "bristle/bristle.h"

#include "fit/signals/signal.h"
#include "maths/elementary.h"

#include <stdlib.h>

enum { LOOP_CYCLES = 3, LOOP_SAMPLES = 4000 };

void bristle_loop_simulate(const bristle_contact *contact, double n, double amplitude, double period, int cycles,
                           size_t count, double *x, double *f)
{
  double state[BRISTLE_LAW_SIZE] = { 0 }, before = 0;
  const double turn = 2 * PI / period;
  bristle_input in = { .n = n, .h = period / (double)count, .load = contact->load };
  for (int cycle = 0; cycle < cycles; cycle++)
    for (size_t i = 0; i < count; i++) {
      /* the first sample of a cycle ends the piece that the cycle before has begun */
      const double now = amplitude * sin(2 * PI * (double)i / (double)count);
      in.x = before;
      in.v = (now - before) / in.h;
      in.a = -amplitude * turn * turn * sin(2 * PI * ((double)i - 0.5) / (double)count);
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
  if (dry > 0) limit.damping = 2 * PI * amplitude * viscous / (tolerance * dry);
  if (fall > 0 && peak > dry)
    limit.stribeck = 2 * PI * amplitude / fall * pow((peak - dry) / (peak * tolerance), 1 / exponent);
  limit.period = fmax(limit.damping, limit.stribeck);
  return limit;
}

/* ---- the limit as loops show it ---- */

typedef struct measured_loop {
  const bristle_contact *contact;
  double n, amplitude;
  double *slow, *now; /* samples of the slow loop, and of the one at work */
} measured_loop;

/* the largest difference of the loop with this period from the slow one; *most receives the largest force there */
static double away(const measured_loop *m, double period, double *most)
{
  double apart = 0, largest = 0;
  bristle_loop_simulate(m->contact, m->n, m->amplitude, period, LOOP_CYCLES, LOOP_SAMPLES, NULL, m->now);
  for (size_t i = 0; i < LOOP_SAMPLES; i++) {
    apart = fmax(apart, fabs(m->now[i] - m->slow[i]));
    largest = fmax(largest, fabs(m->slow[i]));
  }
  if (most) *most = largest;
  return apart;
}

/* A period so long that a hundred times as long a loop differs by a hundredth of the tolerance at most; its samples
   become the slow ones. 0: there is none, the force follows the time itself. */
static double slow_period(const measured_loop *m, double start, double target)
{
  static const double LONGEST = 1e15;
  for (double period = start; period < LONGEST; period *= 100) {
    bristle_loop_simulate(m->contact, m->n, m->amplitude, 100 * period, LOOP_CYCLES, LOOP_SAMPLES, NULL, m->slow);
    if (away(m, period, NULL) <= 0.01 * target) return period;
  }
  return 0;
}

/* Where the difference passes the target between a fast loop and a slow one: by secants of the logarithms, and halving
   where they do not help. */
static double between(const measured_loop *m, double fast, double far, double slow, double near, double target)
{
  static const double FINE = 1e-4;
  for (int k = 0; slow > fast * (1 + FINE); k++) {
    double part = near > 0 && k % 3 < 2 ? log(far / target) / log(far / near) : 0.5;
    part = fmin(fmax(part, 0.02), 0.98);
    const double middle = fast * exp(part * log(slow / fast)), now = away(m, middle, NULL);
    if (now > target) fast = middle, far = now;
    else slow = middle, near = now;
  }
  return slow;
}

/* From slow to fast until a loop is farther than the target. The difference need not grow all the way: a Stribeck curve
   is left behind at some speed. 0: none is. */
static double first_beyond(const measured_loop *m, double slow, double fastest, double target, double *apart)
{
  static const double STRIDE = 3;
  double before = slow, near = 0;
  *apart = 0;
  for (double period = slow; period > fastest; period /= STRIDE) {
    const double now = away(m, period, NULL);
    *apart = fmax(*apart, now);
    if (now > target) return between(m, period, now, before, near, target);
    before = period, near = now;
  }
  return 0;
}

bristle_cycle_measured bristle_cycle_limit_measure(const bristle_contact *contact, double n, double amplitude,
                                                   double tolerance)
{
  static const double FASTEST = 100; /* m/s or rad/s at the middle of the loop: faster than anything slides */
  bristle_cycle_measured found = { 0 };
  const bristle_cycle_limit estimate = bristle_cycle_limit_of(contact, n, amplitude, tolerance);
  const double scaled = contact->load == BRISTLE_LOAD_FORCE ? 1 : n, fastest = 2 * PI * amplitude / FASTEST;
  double *samples = malloc(2 * LOOP_SAMPLES * sizeof *samples), most = 0;
  const measured_loop m = { contact, n, amplitude, samples, samples + LOOP_SAMPLES };
  found.period = -1;
  if (!samples) return found;
  bristle_loop_simulate(contact, n, amplitude, fmax(1, estimate.period), LOOP_CYCLES, LOOP_SAMPLES, NULL, m.slow);
  away(&m, fmax(1, estimate.period), &most);
  double level = scaled * value_of(contact, BRISTLE_ROLE_LEVEL);
  if (!(level > 0)) level = scaled * bristle_static_level(contact->law->f64->info, contact->p);
  if (!(level > 0)) level = most;
  const double target = tolerance * level;
  found.slow = slow_period(&m, 10 * fmax(1, estimate.period), target);
  if (found.slow > 0) {
    found.period = first_beyond(&m, found.slow, fastest, target, &found.apart);
    /* a part of 1e9: rounding of the samples */
    found.kind = found.period > 0              ? BRISTLE_CYCLE_LIMITED
                 : found.apart <= 1e-9 * level ? BRISTLE_CYCLE_RATE_FREE
                                               : BRISTLE_CYCLE_WITHIN;
    away(&m, found.slow, &found.greatest);
  } else found.kind = BRISTLE_CYCLE_AGES;
  free(samples);
  return found;
}
