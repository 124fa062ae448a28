/* One linearly implicit Euler step of a body on bristles: three speeds, and any number of contacts whose states feel
 * each other only through them.
 *
 * The coupled step of the laws takes the velocity of the whole step as constant. Where the direction of slip turns,
 * bristles much faster than the step then forget that they lag behind it, and extrapolation has nothing to work with
 * until the step resolves them. The linearly implicit step keeps the lag, so its error is a power series in h for
 * stiff bristles too. It needs states that flow and forces without a jump at rest.
 *
 * A body that comes to rest within the step is not seen by it: friction does not turn before the velocity has. Then the
 * caller takes the coupled step instead, which looks at the end velocity. */
#ifndef SIM_IMPLICIT_H
#define SIM_IMPLICIT_H

#include "bristle/vector.h"

#include <stddef.h>

enum { IMPLICIT_STATES = 3, IMPLICIT_ROOM = IMPLICIT_STATES * 4 };

typedef struct sim_bristles {
  void *self;
  size_t count;
  int dim, states;   /* of one contact: components of its slip, at most 3; states, at most IMPLICIT_STATES */
  double small_slip; /* where the slip has no size of its own to measure a difference by [m/s] */
  double small_bend; /* likewise for the states [m] */
  /* friction (a resistance) and state rates of contact i */
  void (*eval)(void *self, size_t i, const double *slip, const double *z, double *force, double *rate);
  /* slip of contact i = arms * v */
  void (*arms)(void *self, size_t i, double arms[3][3]);
  double *room; /* IMPLICIT_ROOM numbers for each contact */
} sim_bristles;

/* Can a law with these parameters be stepped in this way? */
int sim_implicit_suits(const bristle_vector_model *law, const double *p);
/* Advances v, with inertia dv/dt = push - friction, and the states: state k of contact i is z[k*count + i].
   lost[3] is the mean friction over the step. Returns 0, and changes nothing, when the motion would turn round. */
int sim_implicit_step(const sim_bristles *bristles, double h, const double inertia[3], const double push[3],
                      double v[3], double *z, double lost[3]);

#endif
