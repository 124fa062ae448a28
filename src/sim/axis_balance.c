/* The balance of a step of an axis, run on numbers that carry eight directions at a time. */
#include "core/dual.h"

#include "maths/elementary.h"

namespace {
FN real cosine(real x) { return real(same_cos(x.v), x.d * -same_sin(x.v)); }
FN real sine(real x) { return real(same_sin(x.v), x.d * same_cos(x.v)); }
} // namespace
#define AXIS_REAL real
#define AXIS_SIN sine
#define AXIS_COS cosine
#define AXIS_SIZE r_abs
#define AXIS_IS_THERE(number) 1 /* it has a derivative also where it is 0 */
#include "sim/axis_equation.h"

extern "C" {
#include "sim/axis_balance.h"
}

static_assert(AXIS_DIRECTIONS == AXIS_D_NUMBER + AXIS_NUMBERS, "a direction for every number");

/* the unit vector of a direction, seen from the pass whose lanes start at `first` */
static lanes unit(int direction, int first)
{
  double one[LANES] = { 0 };
  if (direction >= first && direction < first + LANES) one[direction - first] = 1.0;
  lanes d;
  __builtin_memcpy(&d, one, sizeof d);
  return d;
}

extern "C" void axis_balance_differentiate(const double *number, const struct axis_drive *drive, double x, double v,
                                           double h, int last, axis_slopes *slopes)
{
  for (int first = 0; first <= last; first += LANES) {
    axis_numbers p;
    for (int k = 0; k < AXIS_NUMBERS; k++) ((real *)&p)[k] = real(number[k], unit(AXIS_D_NUMBER + k, first));
    const axis_balance b = axis_balance_over(&p, drive, real(x, unit(AXIS_D_X, first)), real(v, unit(AXIS_D_V, first)),
                                             real(h, unit(AXIS_D_H, first)));
    for (int k = first; k < first + LANES && k < AXIS_DIRECTIONS; k++) {
      slopes->free[k] = lane(b.free.d, k - first);
      slopes->compliance[k] = lane(b.compliance.d, k - first);
      slopes->load[k] = lane(b.load.d, k - first);
    }
  }
}
