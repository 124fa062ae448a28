/* Delays that are longer than the few samples that every law is tried with: a sensor behind a filter, a bus. */
#include "fit/results/variants.h"

double far_delay(double (*square)(void *context, double late), void *context, double way, double most, double *least)
{
  double late = 2;
  int passed = 0;
  for (double k = 2 * late; k <= most && !passed; k *= 2) {
    const double here = square(context, way * k);
    passed = here > *least;
    if (!passed) *least = here, late = k;
  }
  for (double step = late / 2; step >= 1 && passed; step /= 2) {
    const double before = square(context, way * (late - step)), after = square(context, way * (late + step));
    if (before < *least && before <= after) *least = before, late -= step;
    else if (after < *least) *least = after, late += step;
  }
  return passed ? way * late : 0;
}
