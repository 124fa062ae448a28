/* How parameters follow the normal load: one parameter identified at several loads, the law that joins the values, and
 * how far a set that was identified at one load carries over to another.
 *
 *   constant       y = value                        the load form `force`; stiffness and damping of `level`
 *   proportional   y = value n/n0                   the load form `coefficient`; the levels of `level`
 *   power          y = value (n/n0)^exponent        a sphere on a plane: the stiffness with 1/3
 *   affine         y = value + slope (n - n0)       a load of its own beside the one applied: seals with preload
 *
 * n0 is the geometric mean of the loads. Errors are relative, so that all loads count alike.
 */
#ifndef BRISTLE_LAB_LOADS_H
#define BRISTLE_LAB_LOADS_H

#include "lab/fit.h"

typedef enum bristle_load_rule {
  BRISTLE_RULE_CONSTANT,
  BRISTLE_RULE_PROPORTIONAL,
  BRISTLE_RULE_POWER,
  BRISTLE_RULE_AFFINE,
  BRISTLE_LOAD_RULES
} bristle_load_rule;
const char *bristle_load_rule_text(bristle_load_rule rule); /* "proportional" */

/* The values of one parameter at several loads. */
typedef struct bristle_load_series {
  const char *name; /* of the parameter, for sentences */
  size_t count;     /* at least two different loads */
  const double *n, *value;
  const double *deviation; /* standard deviations, or NULL: all values are as good relative to their size */
} bristle_load_series;

typedef struct bristle_load_law {
  double n0, lowest, highest;
  struct {
    double value, slope, exponent;
    double error;    /* relative root mean square of the fit */
    double held_out; /* the same of each value predicted from the others; infinite where there are too few */
  } rule[BRISTLE_LOAD_RULES];
  double exponent, exponent_deviation; /* of the power law; the deviation is NaN with two loads */
  bristle_load_rule best;              /* the simplest that predicts what it was not shown almost as well as any */
  int is_judged; /* three loads or more: otherwise any power fits, and `best` is only the nearer of the first two */
  /* A value identified at n0 and used at another load, unchanged or scaled with the load: within 5 % for loads between
     n0/factor and n0*factor. Infinite where the parameter really is constant, or proportional. */
  double unchanged_reach, scaled_reach;
  /* the same over all the loads here: the largest relative error of a value taken from one load to another */
  double unchanged_error, scaled_error, best_error;
} bristle_load_law;

bristle_fault_kind bristle_load_law_find(const bristle_load_series *series, bristle_load_law *law,
                                         bristle_fault *fault);
double bristle_load_law_value(const bristle_load_law *law, bristle_load_rule rule, double n);
/* A verdict in plain words: which rule, how far a set carries over, and what to do. */
void bristle_load_law_text(const bristle_load_series *series, const bristle_load_law *law, char *text, size_t size);

#endif
