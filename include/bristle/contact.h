/* A contact: a law with its parameters, and what the normal load does to them. It is constant. Its states, its load and
 * its motion stand beside it, in whatever it is a part of: bristle/joint.h, planar.h, sim.h, loops.h, plan.h. */
#ifndef BRISTLE_CONTACT_H
#define BRISTLE_CONTACT_H

#include "bristle/vector.h"

typedef struct bristle_contact {
  const bristle_law *law;           /* of contacts along a line */
  const bristle_vector_law *vector; /* of contacts in the plane and in space; what is not needed may be NULL */
  bristle_load load;
  const double *p;
} bristle_contact;

#endif
