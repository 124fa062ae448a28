/* Where the numbers of each role mean something in these data, and which of them are searched at all. */
#include "fit/unknowns/chart_parts.h"

#include "maths/elementary.h"

/* Exponents shape a curve that few data resolve; a row whose default is its upper end, or 0 on a logarithmic scale, is
   a feature switched off, but every contact may be viscous. An offset cannot be told from levels of its own for each
   direction, nor from the offset of the balance. */
int chart_usually_fixed(const bristle_row *row)
{
  switch (row->role) {
  case BRISTLE_ROLE_CHOICE:
  case BRISTLE_ROLE_SETTING:
  case BRISTLE_ROLE_EXPONENT:
  case BRISTLE_ROLE_OFFSET:
    return 1;
  case BRISTLE_ROLE_VISCOUS:
    return 0;
  default:
    return (row->kind == BRISTLE_ROW_LOG && row->initial[0] == 0)
           || (row->count == 1 && row->initial[0] == row->hi && row->hi > 1);
  }
}

/* Does the parameter carry the unit of a force? Twice all of these make twice the force. */
int chart_is_force(bristle_role role)
{
  return role == BRISTLE_ROLE_LEVEL || role == BRISTLE_ROLE_STATIC_LEVEL || role == BRISTLE_ROLE_EXCESS_LEVEL
         || role == BRISTLE_ROLE_OFFSET || role == BRISTLE_ROLE_STIFFNESS || role == BRISTLE_ROLE_DAMPING
         || role == BRISTLE_ROLE_VISCOUS || role == BRISTLE_ROLE_DRAG || role == BRISTLE_ROLE_FORCE_RATE;
}

int chart_is_level(bristle_role role)
{
  return role == BRISTLE_ROLE_LEVEL || role == BRISTLE_ROLE_STATIC_LEVEL || role == BRISTLE_ROLE_EXCESS_LEVEL;
}

static span around(double guess, double factor) { return (span){ guess, guess / factor, guess * factor }; }

/* What bends before it slides bends over a part of the travel, or less: decades. What reversals show is only a hint. */
static span stiffness(const bristle_row *row, const features *f)
{
  span s = around(f->stiffness, f->resolved || row->count > 1 ? 5 : 30);
  if (row->count > 1) return s;
  s.lo = fmin(0.05 * f->dry / f->travel, s.lo), s.hi = fmax(2e4 * f->dry / f->travel, s.hi);
  return s;
}

static span viscous(const features *f)
{
  double value = fmax(f->viscous, 1e-2 * f->dry / f->fast);
  return (span){ value, 0.3 * value, 2 * value };
}

static span of_other(const bristle_row *row)
{
  if (row->kind == BRISTLE_ROW_LOG) return around(row->initial[0] > 0 ? row->initial[0] : 1, 3);
  return (span){ row->initial[0], fmax(row->lo, row->initial[0] - 1), fmin(row->hi, row->initial[0] + 1) };
}

/* A curve that falls over all speeds is no Stribeck curve, unless the records ask for one (`fall.c`). Beyond a few
   times those speeds it is a parabola, and what it falls to does not show. */
static double slowest_fall(const features *f) { return f->slow_fall ? 3 * f->high : f->high / 4; }

span chart_span(const bristle_row *row, const features *f)
{
  double length = f->dry / f->stiffness, dry = f->dry / f->load, peak = f->peak / f->load;
  switch (row->role) {
  case BRISTLE_ROLE_LEVEL:
    return (span){ dry, 0.5 * dry, 1.5 * dry };
  case BRISTLE_ROLE_STATIC_LEVEL:
    return (span){ peak, dry, 3 * dry };
  case BRISTLE_ROLE_EXCESS_LEVEL:
    return (span){ fmax(peak - dry, 0.05 * dry), 0.02 * dry, 2 * dry };
  case BRISTLE_ROLE_OFFSET:
    return (span){ 0, -dry, dry };
  case BRISTLE_ROLE_SKEW:
    return (span){ 0, -0.4, 0.4 };
  case BRISTLE_ROLE_STIFFNESS:
    return stiffness(row, f);
  case BRISTLE_ROLE_DAMPING:
    return (span){ sqrt(f->dry / f->fast * f->dry / fmax(f->slow, 1e-3 * f->fast)), 1e-2 * f->dry / f->fast,
                   3 * f->dry / f->slow };
  case BRISTLE_ROLE_VISCOUS:
    return viscous(f);
  case BRISTLE_ROLE_DRAG:
    return around(fmax(f->viscous / f->fast, 1e-3 * f->dry / f->fast / f->fast), 10);
  case BRISTLE_ROLE_STRIBECK_SPEED:
  case BRISTLE_ROLE_SMOOTHING_SPEED:
    return (span){ f->fall, fmin(0.2 * f->fall, f->slow), fmax(f->fall, slowest_fall(f)) };
  case BRISTLE_ROLE_STRIBECK_FALL:
  case BRISTLE_ROLE_SMOOTHING_RISE:
    return (span){ 1 / f->fall, 1 / f->fast, 3 / f->slow };
  case BRISTLE_ROLE_FADING_SPEED:
    return around(f->fast, 10);
  case BRISTLE_ROLE_POWER:
    return (span){ 1, 0.2, 1.5 };
  case BRISTLE_ROLE_LENGTH:
    return around(length, 10);
  case BRISTLE_ROLE_PER_LENGTH:
    return row->kind == BRISTLE_ROW_LOG ? around(1 / length, 10) : of_other(row);
  case BRISTLE_ROLE_TIME:
    return (span){ 10 * f->step, f->step, f->duration };
  case BRISTLE_ROLE_RATE:
    return (span){ 0.1 / f->step, 1 / f->duration, 1 / f->step };
  case BRISTLE_ROLE_FORCE_RATE:
    return (span){ f->dry / (30 * f->step), f->dry / (1000 * f->step), f->dry / (2 * f->step) };
  default:
    return of_other(row);
  }
}

/* A small part of what matters is nothing, many times that is anything; but a level far above every force that was seen
   would be a strange thing to believe. */
void chart_bounds(const bristle_info *info, const bristle_row *row, const features *f, span s, double *lo, double *hi)
{
  int level = chart_is_level(row->role);
  *lo = row->lo, *hi = row->hi;
  if (row->role == BRISTLE_ROLE_STRIBECK_SPEED) *hi = fmin(*hi, slowest_fall(f));
  /* to a level of its own: one that falls to nothing may do so slowly */
  if (row->role == BRISTLE_ROLE_STRIBECK_FALL && bristle_param_role(info, BRISTLE_ROLE_LEVEL))
    *lo = fmax(*lo, 1 / slowest_fall(f));
  if (row->kind != BRISTLE_ROW_LOG) return;
  *lo = fmax(*lo, (level ? 1e-3 : 1e-5) * s.lo);
  *hi = fmin(*hi, level ? 5 * f->size / f->load : 1e5 * s.hi);
}
