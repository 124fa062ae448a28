/* What stands beside friction in the balance of forces, all of it linear: names, units and columns. */
#include "fit/residuals/terms.h"

#include "maths/elementary.h"

static const struct {
  const char *name, *unit[2]; /* of linear and rotary motion */
} terms[BRISTLE_TERM_EXTRA] = {
  [BRISTLE_TERM_MASS] = { "mass", { "kg", "kg*m^2" } },
  [BRISTLE_TERM_OFFSET] = { "offset", { "N", "N*m" } },
  [BRISTLE_TERM_GRAVITY] = { "gravity", { "N", "N*m" } },
  [BRISTLE_TERM_SKEW] = { "skew", { "N*s/m", "N*m*s/rad" } },
  [BRISTLE_TERM_GRAVITY_COSINE] = { "gravity_cos", { "N", "N*m" } },
};

const char *bristle_term_name(int term) { return term >= 0 && term < BRISTLE_TERM_EXTRA ? terms[term].name : ""; }

const char *bristle_term_unit(int term, int rotary)
{
  if (term >= BRISTLE_TERM_FRICTION_AT) return bristle_force_unit(rotary);
  return term >= 0 && term < BRISTLE_TERM_EXTRA ? terms[term].unit[rotary != 0] : "";
}

const char *term_name(const bristle_log *log, int term)
{
  if (term >= BRISTLE_TERM_FORCE_AT) return "force_at";
  if (term >= BRISTLE_TERM_FRICTION_AT) return "friction_at";
  return term < BRISTLE_TERM_EXTRA ? terms[term].name : log->extra_name[term - BRISTLE_TERM_EXTRA];
}

int term_end(const bristle_log *log)
{
  if (log->over[BRISTLE_OVER_FORCE].knots) return BRISTLE_TERMS;
  return log->over[BRISTLE_OVER_FRICTION].knots ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_EXTRA + (int)log->extras;
}

/* ---- tables over the position ---- */

double places_hat(const bristle_places *p, double x, int knot)
{
  const int cells = p->periodic ? p->knots : p->knots - 1;
  double at = (x - p->low) / p->length;
  at = cells * (p->periodic ? at - floor(at) : fmin(fmax(at, 0), 1));
  int cell = (int)at;
  if (cell >= cells) cell = cells - 1; /* the very end */
  const double part = at - cell;
  return (knot == cell ? 1 - part : 0) + (knot == (cell + 1) % p->knots ? part : 0);
}

double places_column(const bristle_places *p, double x, int knot)
{
  const int last = p->knots - 1;
  return places_hat(p, x, knot) - p->share[knot] / p->share[last] * places_hat(p, x, last);
}

static double over_position(const bristle_log *log, int term, size_t i)
{
  const int force = term >= BRISTLE_TERM_FORCE_AT,
            knot = term - (force ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT);
  const double value = places_column(&log->over[force], log->x[i], knot);
  if (force || value == 0) return value;
  return value * (log->direction ? log->direction[i] : (log->v[i] > 0) - (log->v[i] < 0));
}

int bristle_identified_is_knot(const bristle_identified *result, int k)
{
  const int term = k - result->law->f64->info->nparam;
  return term >= BRISTLE_TERM_FRICTION_AT && term < BRISTLE_TERMS;
}

int bristle_identified_over(const bristle_identified *result, bristle_over kind, double *position, double *value,
                            double *deviation)
{
  const bristle_places *p = &result->over[kind];
  const int first = result->law->f64->info->nparam + (kind ? BRISTLE_TERM_FORCE_AT : BRISTLE_TERM_FRICTION_AT);
  double last = 0, variance = 0;
  for (int k = 0; k < p->knots; k++) {
    position[k] = p->low + p->length * k / (p->periodic ? p->knots : p->knots - 1);
    if (k == p->knots - 1) break;
    value[k] = result->estimate[first + k].value, deviation[k] = result->estimate[first + k].deviation;
    last -= p->share[k] * value[k], variance += deviation[k] * deviation[k];
  }
  if (!p->knots) return 0;
  /* the last knot follows from the others, but is known about as well as they are */
  value[p->knots - 1] = last / p->share[p->knots - 1], deviation[p->knots - 1] = sqrt(variance / (p->knots - 1));
  return p->knots;
}

/* ---- columns ---- */

double term_column(const bristle_log *log, int term, size_t i)
{
  switch (term) {
  case BRISTLE_TERM_MASS:
    return log->a ? log->a[i] : 0;
  case BRISTLE_TERM_OFFSET:
    return 1;
  case BRISTLE_TERM_GRAVITY:
    return sin(log->x[i]);
  case BRISTLE_TERM_GRAVITY_COSINE:
    return cos(log->x[i]);
  case BRISTLE_TERM_SKEW:
    return fabs(log->v[i]);
  default:
    if (term >= BRISTLE_TERM_FRICTION_AT) return over_position(log, term, i);
    return log->extra[term - BRISTLE_TERM_EXTRA][i];
  }
}

double term_sum(const bristle_log *log, const double *factor, size_t i)
{
  const int end = term_end(log);
  double sum = 0;
  for (int k = 0; k < end; k++)
    if (factor[k] != 0) sum += factor[k] * term_column(log, k, i);
  return sum;
}

double bristle_identified_beside(const bristle_identified *result, const bristle_log *log, size_t i)
{
  const double skew = result->term[BRISTLE_TERM_SKEW];
  return term_sum(log, result->term, i) - (skew != 0 ? skew * term_column(log, BRISTLE_TERM_SKEW, i) : 0);
}
