/* Hysteresis loops: a contact moved to and fro, how slowly it must be moved for the loop not to depend on the speed,
 * and the parameters of a law from measured loops.
 *
 * The limiting cycle time is that of Piatkowski (2014): above it presliding loops of different periods are the same
 * within a tolerance, and static parameters may be read off one of them; below it the loop shows the damping and the
 * Stribeck curve too.
 */
#ifndef BRISTLE_LAB_LOOPS_H
#define BRISTLE_LAB_LOOPS_H

#include "bristle/vector.h"
#include "lab/fit.h"

/* Moves the contact under the normal load n by x = amplitude sin(2 pi t/period) from its virgin state and writes
   `count` samples of the last of `cycles` cycles, from t = 0 of that cycle on: x (may be NULL) and the mean force over
   the piece of the path that ends there. Each piece is the law's exact update at its mean velocity. */
void bristle_loop_simulate(const bristle_contact *contact, double n, double amplitude, double period, int cycles,
                           size_t count, double *x, double *f);
/* How far two loops of the same amplitude and different periods are apart: the largest difference of the forces at
   one position [N]; *largest (may be NULL) is the largest force of the second. Negative when there is no memory. */
double bristle_loop_difference(const bristle_contact *contact, double n, double amplitude, double period, double other,
                               double *largest);

/* The limiting cycle time of loops of an amplitude. The tolerance, such as 0.01, is a fraction of the Coulomb level:
   loops whose force stays well below it need a smaller one for the same relative agreement. */
typedef struct bristle_cycle_limit {
  double damping;  /* 2 pi A (sigma1 + sigma2)/(tolerance fc): viscous forces */
  double stribeck; /* 2 pi A/vs ((fs - fc)/(fs tolerance))^(1/gamma): the static level falls with the speed */
  double period;   /* the longer of the two; 0 for laws that do not depend on the rate */
} bristle_cycle_limit;
/* An estimate by the roles of the law's parameters; what the law does not have counts as absent. */
bristle_cycle_limit bristle_cycle_limit_of(const bristle_contact *contact, double n, double amplitude,
                                           double tolerance);

/* The limiting cycle time as loops of the law itself show it, whatever its parameters are. */
typedef enum bristle_cycle_kind {
  BRISTLE_CYCLE_RATE_FREE, /* loops of all periods are the same */
  BRISTLE_CYCLE_LIMITED,   /* slower loops than `period` agree within the tolerance */
  BRISTLE_CYCLE_WITHIN,    /* loops differ, but none by more than the tolerance */
  BRISTLE_CYCLE_AGES       /* loops never come to agree: the friction follows the time itself */
} bristle_cycle_kind;
typedef struct bristle_cycle_measured {
  bristle_cycle_kind kind;
  double period;   /* to 1e-4 of itself; 0 where there is no limit; negative when there is no memory */
  double slow;     /* of a loop that is slow enough to compare with */
  double apart;    /* the largest difference that was met [N] */
  double greatest; /* the largest force of the slow loop [N] */
} bristle_cycle_measured;
/* The tolerance is a fraction of the Coulomb level, or of the largest force where the law has none. */
bristle_cycle_measured bristle_cycle_limit_measure(const bristle_contact *contact, double n, double amplitude,
                                                   double tolerance);

/* ---- parameters from loops ---- */

/* A measured motion that begins in the virgin state: positions at uniform times and the forces there. */
typedef struct bristle_loop_record {
  size_t count;
  double step; /* between samples */
  const double *x, *f;
  const double *v; /* velocities at the samples: f is the force at that instant, and the path between two samples is the
                      cubic through both; NULL: f is the mean force of the straight piece that ends there */
} bristle_loop_record;

typedef struct bristle_loop_fit {
  const bristle_contact *contact; /* its parameters are the start */
  double n;                       /* normal load */
  const char *const *searched;    /* names of the parameters to find */
  int searched_count;
  size_t count;
  const bristle_loop_record *record;
  double floor; /* > 0: relative errors, each by the force or at least this part of the record's largest; 0: absolute */
} bristle_loop_fit;

/* Fits the force of the law, moved as recorded. p receives all parameters. */
bristle_fault_kind bristle_loop_fit_parameters(const bristle_loop_fit *fit, const bristle_fit_options *options,
                                               double *p, bristle_fit_result **result, bristle_fault *fault);
/* Root mean square of the errors of given parameters at a record, absolute and relative (with the floor). */
void bristle_loop_error(const bristle_contact *contact, double n, const bristle_loop_record *record, double floor,
                        double *absolute, double *relative);

#endif
