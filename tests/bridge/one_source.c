/* The compensation of the simulator and that of an exported file are one text: the same bits for any plan. model.c is a
 * law in double precision with a fixed sample time of 1 ms; its name and parameters are those of the first argument. */
#include "model.h"

#include "sim/sampled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double next(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) * 0x1p-24;
}

/* forth and back at all speeds, with rests; the axis follows with noise, and is far off now and then */
static double planned(int i, unsigned *seed)
{
  static const double speeds[] = { 1e-4, 1e-3, 0.01, 0.1 };
  if (i / 300 % 3 == 2) return 0;
  return speeds[i / 900 % 4] * sin(0.02 * i) * (1 + 0.1 * next(seed));
}

int main(int count, char **given)
{
  if (count != 2) return 2;
  sampled_model m = { .law = bristle_law_find(given[1]), .load = BRISTLE_LOAD_FORCE };
  if (!m.law) return 2;
  bristle_defaults(m.law->f64->info, m.p);
  sampled_defaults(&m);
  sampled_compensator own;
  model_compensator other;
  unsigned seed = 1;
  int rests = 0, limited = 0;
  m.limit = 1.2, m.band = 0.02;
  sampled_begin(&own, &m);
  model_compensator_init(&other, m.limit, m.band);
  if (own.rest_speed != other.rest_speed || own.fade_time != other.fade_time || own.rise_time != other.rise_time
      || own.gain != other.gain) {
    printf("FAIL they begin with other numbers\n");
    return 1;
  }
  for (int i = 0; i < 20000; i++) {
    if (i == 10000) own.limit = other.limit = 0.8;
    const double plan = planned(i, &seed), measured = plan + (i / 2000 % 3 == 1 ? -0.3 : 0.01) * next(&seed);
    const double a = sampled_compensate(&own, plan, measured, 1, 1e-3), b = model_compensate(&other, plan, measured, 1);
    if (memcmp(&a, &b, sizeof a)) {
      printf("FAIL sample %d of %s: %.17g in the simulator, %.17g in the file\n", i, given[1], a, b);
      return 1;
    }
    rests += plan == 0, limited += fabs(a) >= 0.99 * own.limit;
  }
  printf("%s: 20000 samples, %d of them at rest, %d at the limit: the same bits\n", given[1], rests, limited);
  return !(rests > 1000 && limited > 100);
}
