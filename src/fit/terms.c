/* What stands beside friction in the balance of forces, all of it linear: names, units and columns. */
#include "fit/identify.h"

#include <math.h>

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
  return term >= 0 && term < BRISTLE_TERM_EXTRA ? terms[term].unit[rotary != 0] : "";
}

const char *term_name(const bristle_log *log, int term)
{
  return term < BRISTLE_TERM_EXTRA ? terms[term].name : log->extra_name[term - BRISTLE_TERM_EXTRA];
}

int term_end(const bristle_log *log) { return BRISTLE_TERM_EXTRA + (int)log->extras; }

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
